"""A licence file for every part of a package."""

from __future__ import annotations

import re
import shutil
from importlib import metadata
from pathlib import Path

import pytest


@pytest.fixture
def collect(script):
    return script("collect", "licences")


@pytest.fixture
def parts(script):
    return script("parts", "licences")


def test_every_part_has_its_file_and_a_line_in_the_list(collect, tmp_path) -> None:
    folder = tmp_path / "licences"
    found = collect.collect(folder, None)
    names = {part.name.lower().replace("_", "-") for part in found}
    assert names >= {"llama.cpp", "llama-cpp-python", "numpy", "pyside6-essentials", "python"}
    listed = (folder / "README.txt").read_text(encoding="utf-8")
    for part in found:
        text = (folder / part.file_name).read_text(encoding="utf-8")
        assert text.startswith(part.title())
        assert len(text) > 500
        assert f": {part.file_name}\n" in listed


def test_qts_file_says_how_to_replace_it_and_holds_the_whole_licence(collect, tmp_path) -> None:
    collect.collect(tmp_path / "licences", None)
    text = (tmp_path / "licences" / "PySide6_Essentials.txt").read_text(encoding="utf-8")
    version = metadata.version("PySide6-Essentials")
    assert text.startswith(f"PySide6_Essentials {version}")
    for words in (
        "Put your own build",
        "download.qt.io",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "4. Combined Works.",
        "GNU GENERAL PUBLIC LICENSE",
        "END OF TERMS AND CONDITIONS",
        "src/3rdparty/harfbuzz",
        "The Public Suffix List",
        "Wayland XDG Shell Protocol",
        "qsvghandler.cpp",
        "libicudata",
        "WebP image format",
    ):
        assert words in text


def test_the_notices_of_another_qt_stop_the_build(collect, parts, tmp_path) -> None:
    (bundled,) = (
        part for part in collect.collect(tmp_path / "licences", None) if "PySide6" in part.name
    )
    collect._check_qt([bundled])
    newer = parts.Part(bundled.name, "7.0.1", bundled.licence, bundled.text)
    with pytest.raises(SystemExit, match=r"not of the Qt in PySide6_Essentials 7\.0\.1"):
        collect._check_qt([newer])


SHARED = "You may do\twhat you please.  \n"


def test_what_qt_holds_of_others_is_told_with_whole_licences(script, tmp_path) -> None:
    attributions = script("qt_attributions", "licences")
    (tmp_path / ".cmake.conf").write_text('set(QT_REPO_MODULE_VERSION "6.1.2")')
    for name, text in {
        "LICENSES/MIT.txt": "The licence called MIT.",
        "LICENSES/X11.txt": "The licence called X11.",
        "src/one/OWN": SHARED,
        "src/two/THEIRS": SHARED,
        "src/two/holders": "Copyright Two\nCopyright Three\n",
        "src/one/qt_attribution.json": """{"Name": "One", "Version": "1,
            fetched", "License": "Own", "LicenseFile": "OWN", "Copyright": "Copyright One"}""",
        "src/two/qt_attribution.json": """[
            {"Name": "Two", "License": "Own", "LicenseFiles": ["THEIRS"],
             "CopyrightFile": "holders"},
            {"Name": "Four", "License": "Either", "LicenseId": "MIT OR X11",
             "Copyright": ["Copyright Four", "Copyright Five"]}]""",
        "src/testlib/qt_attribution.json": '{"Name": "Not in a library"}',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    told = attributions.document(tmp_path)
    assert "in the sources of qtbase 6.1.2." in told
    _head, one, two, four = re.split(r"\n(?=\S+(?: 1, fetched)?\n-+\n)", told)
    assert one == "One 1, fetched\n--------------\n\nIn src/one. Own\n\nCopyright One\n"
    assert "Copyright Two\nCopyright Three\n\nYou may do      what you please.\n" in two
    assert "Copyright Four\nCopyright Five\n\nThe licence called MIT.\n\nThe licence" in four
    (tmp_path / "src/one/OWN").unlink()
    with pytest.raises(SystemExit, match="OWN is not there"):
        attributions.document(tmp_path)


def test_llama_cpps_file_holds_the_notices_of_its_parts(collect, tmp_path) -> None:
    collect.collect(tmp_path / "licences", None)
    text = (tmp_path / "licences" / "llama.cpp.txt").read_text(encoding="utf-8")
    for holder in ("The ggml authors", "Mozilla Foundation", "Jeffrey Quesnelle and Bowen Peng"):
        assert holder in text
    assert text.count("Permission is hereby granted") == 3


def test_what_numpy_brings_along_is_in_its_file(collect, tmp_path) -> None:
    collect.collect(tmp_path / "licences", None)
    text = (tmp_path / "licences" / "numpy.txt").read_text(encoding="utf-8")
    assert "OpenBLAS" in text
    assert "GCC RUNTIME LIBRARY EXCEPTION" in text


def distribution(folder: Path, name: str, *files: str, requires: str = "") -> None:
    """An installed distribution with these licence files."""
    info = folder / f"{name}-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{requires}")
    record = f"{info.name}/METADATA,,\n"
    for file in files:
        (info / "licenses" / file).write_text(f"The text of {file}, in full.")
        record += f"{info.name}/licenses/{file},,\n"
    (info / "RECORD").write_text(record)


def test_a_part_without_a_text_stops_the_build(collect, parts, tmp_path, monkeypatch) -> None:
    distribution(tmp_path / "site", "barename")
    distribution(tmp_path / "site", "goodname", "COPYING")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    names = ["barename", "goodname"]
    monkeypatch.setattr(collect, "required", lambda _name: set(names))
    with pytest.raises(SystemExit, match=r"^No licence text was found for: barename$"):
        collect.collect(tmp_path / "licences", None)
    assert not (tmp_path / "licences").exists()


def test_several_files_are_all_kept_under_their_names(parts, tmp_path, monkeypatch) -> None:
    distribution(tmp_path, "twice", "LICENSE.APACHE", "NOTICE")
    monkeypatch.syspath_prepend(str(tmp_path))
    part = parts.Part.of_distribution(metadata.distribution("twice"), tmp_path)
    assert "--- LICENSE.APACHE\n\nThe text of LICENSE.APACHE, in full." in part.text
    assert "--- NOTICE\n\nThe text of NOTICE, in full." in part.text


def test_what_is_required_is_followed_to_its_end_for_this_system_alone(
    parts, tmp_path, monkeypatch
) -> None:
    needs = (
        "Requires-Dist: two[more]\n"
        "Requires-Dist: nowhere; sys_platform == 'none'\n"
        "Requires-Dist: tests; extra == 'test'\n"
    )
    distribution(tmp_path, "one", requires=needs)
    distribution(tmp_path, "two", requires="Requires-Dist: Three; extra == 'more'\n")
    distribution(tmp_path, "three", requires="Requires-Dist: one\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert parts.required("one") == {"two", "three"}
    distribution(tmp_path, "four", requires="Requires-Dist: absent-one\n")
    with pytest.raises(SystemExit, match="absent-one is required, and it is not installed"):
        parts.required("four")


def test_libraries_of_the_systems_are_those_that_lie_loose(script, tmp_path) -> None:
    libraries = script("libraries", "licences")
    inside = tmp_path / "_internal"
    inside.mkdir()
    for name in ("libz.so.1", "libpython3.11.so.1.0", "_cffi.cpython-311-x86_64-linux-gnu.so"):
        (inside / name).touch()
    (inside / "libQt6Core.so.6").symlink_to("PySide6/Qt/lib/libQt6Core.so.6")
    assert libraries.loose(tmp_path) == ["libz.so.1"]


def test_a_frozen_build_is_asked_what_is_in_it(parts, monkeypatch, tmp_path) -> None:
    held = {"numpy.linalg", "jinja2", "engine.cli", "json.decoder", "PySide6"}
    monkeypatch.setattr(parts, "_modules", lambda _frozen: held)
    assert parts.bundled(tmp_path) == {"numpy", "jinja2", "pyside6-essentials"}


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="only Debian knows whose a library is")
def test_a_library_of_the_systems_has_its_packages_licence(script, tmp_path) -> None:
    libraries = script("libraries", "licences")
    (tmp_path / "_internal").mkdir()
    (tmp_path / "_internal" / "libz.so.1").touch()
    (part,) = libraries.parts(tmp_path)
    assert part.file_name == "debian-zlib1g.txt"
    assert part.text.startswith("Holds libz.so.1\n")
    assert "Jean-loup Gailly" in part.text
    (tmp_path / "_internal" / "libstrange.so.7").touch()
    with pytest.raises(SystemExit, match=r"No licence text was found for: libstrange\.so\.7"):
        libraries.parts(tmp_path)
