"""The figures in docs/ are those of docs/performance.json; whatever is measured can be shown."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.performance import cited
from tests.performance.__main__ import DATA, REPORT, estimate, write
from tests.performance.bench import Bench
from tests.performance.data import DOCS, Data, Measured, Result, Table
from tests.performance.figures import DIGEST, FIGURES, FOLDER, csv_text, digest
from tests.performance.numbers import PEERS
from tests.performance.registry import SECTIONS
from tests.performance.report import render
from tests.performance.tuned import EVERYDAY
from tests.performance.widths import INFLATED, STARTER

MACHINE = {
    "system": "Linux", "processor": "A processor", "cores": 2, "memory": 2**33, "python": "3.11",
    "threads": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "fonts"))


# The files that are there ------------------------------------------------------------------------


def test_the_report_is_made_from_the_data() -> None:
    assert (DOCS / REPORT).read_text(encoding="utf-8") == render(Data.load())


def test_what_the_explanation_cites_is_the_data() -> None:
    page = (DOCS / cited.PAGE).read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- measured: ([\w-]+) -->", page)) == set(cited.BLOCKS)
    assert cited.rewrite(page, Data.load()) == page


def test_every_figure_and_its_numbers_are_the_datas() -> None:
    data = Data.load()
    expected = set()
    for name, figure in FIGURES.items():
        table = figure.numbers(data)
        if table is not None:
            expected |= {f"{name}.csv", f"{name}.png"}
            text = csv_text(table)
            assert (DOCS / FOLDER / f"{name}.csv").read_text(encoding="utf-8") == text
            assert told(DOCS / FOLDER / f"{name}.png") == digest(text)
    assert {path.name for path in (DOCS / FOLDER).iterdir()} == expected


def told(png: Path) -> str:
    """What a PNG says of its numbers."""
    found = re.search(rb"tEXt" + DIGEST.encode() + rb"\0([0-9a-f]{64})", png.read_bytes())
    assert found is not None
    return found[1].decode()


# Whatever may be measured ------------------------------------------------------------------------


def measured(results: list[Result] | None = None, tables: list[Table] | None = None) -> Measured:
    return Measured(MACHINE, "2026-01-02", 60.0, 5, results or [], tables or [])


def full() -> Data:
    """Every section with every table."""
    kinds = ("code", "story", EVERYDAY)
    predicted = [[k, g, 1.0 + g / 10, 0.9, 1.5] for k in kinds for g in range(17)]
    curve = Table("predicted", ["kind", "gamma", "speed_up", "low", "high"], predicted)
    tried = Table("measured", ["kind", "gamma", "speed_up"], [[k, 3, 1.2] for k in kinds])
    survival = [[k, t, i, 0.9**i] for k in kinds for t in (0, 0.7) for i in range(1, 17)]
    chances = Table("survival", ["kind", "temperature", "place", "chance"], survival)
    gain = Result("code: speculative ÷ plain, γ from the tuner", [1.3, 1.2], 1.1, detail="γ = 3; x")
    steps = [[STARTER, 256, 0.02, 0.51], [INFLATED, 256, 0.02, 0.1]]
    widths = [[t, 256, w, 0.1, 1 + w / 10] for t in (STARTER, INFLATED) for w in range(1, 18)]
    part = ["kind", "gamma", "draft_ms", "verify_ms", "other_ms"]
    data = Data({name: measured() for name in SECTIONS})
    data.sections |= {
        "choice": measured([Result("code: γ ÷ best", [0.97], 0.95, detail="γ = 3")],
                           [curve, tried, chances]),
        "tuned": measured([gain], [curve]),
        "inflated-tuned": measured([gain], [curve, tried]),
        "passes": measured(tables=[
            Table("passes", ["target", "depth", "width", "seconds", "v"], widths),
            Table("draft step", ["target", "depth", "seconds", "c"], steps),
        ]),
        "parts": measured(tables=[Table("parts", part, [["code", 3, 20.0, 30.0, 1.0]])]),
        "rounding": measured(tables=[
            Table("parted", ["kind", "exact", "parted", "same_tokens"],
                  [["code", False, 1, 300], ["code", True, 0, 360]]),
            Table("rules", ["kind", "rule", "acceptance_rate", "alpha"],
                  [["code", "ratio", 0.8, 0.9], ["code", "coupled", 0.79, 0.89]]),
        ]),
        "recast": measured(
            [Result("a draft step, recast ÷ as it is", [0.6])],
            [Table("recast", ["kind", "sampling", "alpha_as_it_is", "alpha_recast"],
                   [["code", "greedy", 0.9, 0.89]])],
        ),
        "prediction": measured([Result("x, γ = 3, greedy, code", [1.01], 0.95, 1.05)]),
        "overhead": measured([Result("greedy", [0.7], at_most=1.5, unit=" %")]),
    }  # fmt: skip
    for section, measure in PEERS:
        results = data.sections[section].results
        data.sections[section] = measured([*results, Result(measure, [1.2, 1.3], 1.1)])
    data.sections["server"].tables.append(
        Table("acceptance", ["kind", "temperature", "acceptance_rate", "peer_acceptance_rate"],
              [["code", 0.0, 0.9, 0.9], ["code", 0.8, 0.85, 0.7]])
    )  # fmt: skip
    return data


def test_every_figure_is_drawn_and_every_block_filled_once_all_is_measured(tmp_path: Path) -> None:
    names = "\n".join(f"<!-- measured: {name} -->\n<!-- end -->" for name in cited.BLOCKS)
    (tmp_path / cited.PAGE).write_text(f"before\n{names}\nafter\n", encoding="utf-8")
    data = full()
    write(data, tmp_path)
    assert Data.load(tmp_path / DATA) == data
    for name in FIGURES:
        text = (tmp_path / FOLDER / f"{name}.csv").read_text(encoding="utf-8")
        assert len(list(csv.reader(text.splitlines()))) > 1
        assert told(tmp_path / FOLDER / f"{name}.png")
    page = (tmp_path / cited.PAGE).read_text(encoding="utf-8")
    assert page.startswith("before\n")
    assert page.endswith("after\n")
    assert "Not measured here yet" not in page
    report = (tmp_path / REPORT).read_text(encoding="utf-8")
    assert "Not measured yet" not in report
    for name in FIGURES:
        assert f"{FOLDER}/{name}.png" in report


def test_before_anything_is_measured_the_docs_say_how(tmp_path: Path) -> None:
    write(Data(), tmp_path)
    report = (tmp_path / REPORT).read_text(encoding="utf-8")
    assert "Not measured yet" in report
    assert list((tmp_path / FOLDER).iterdir()) == []
    for name, (section, _text) in cited.BLOCKS.items():
        assert f"make performance ARGS={section}" in cited.block(name, Data())


def test_a_missed_bound_is_said_to_be_missed() -> None:
    data = Data({"plain": measured([Result("a", [0.9], 0.98), Result("b", [1.0], 0.98)])})
    assert render(data).count("**missed**") == 1
    assert render(data).count("| reached |") == 1


def test_a_section_from_another_machine_names_it() -> None:
    data = Data({"plain": measured(), "memory": measured()})
    assert " With: " not in render(data)
    other = Measured({**MACHINE, "processor": "Another"}, "2026-01-01", 1.0, 5)
    assert "With: Another" in render(Data({"plain": measured(), "memory": other}))


def test_the_estimate_comes_from_what_it_took_before() -> None:
    data = Data({"plain": Measured(MACHINE, "2026-01-01", 600.0, 5)})
    assert "about 10 minutes" in estimate(data, ["plain"], 5)
    assert "about 20 minutes" in estimate(data, ["plain"], 10)
    everything = int(re.search(r"about (\d+)", estimate(Data(), list(SECTIONS), 5))[1])
    assert everything <= 80


def test_prompts_of_some_kinds_can_be_handed_to_a_command(tmp_path: Path) -> None:
    from engine.prompts import read_prompts

    bench = Bench(Path("t"), Path("d"), Path("i"), programs=None)  # type: ignore[arg-type]
    rows = read_prompts(bench.prompts_file(["code", "story"], 2, tmp_path))
    assert [row.kind for row in rows] == ["code", "code", "story", "story"]
