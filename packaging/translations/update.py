"""Brings assets/translations up to date with the strings in the code.

``python packaging/translations/update.py`` writes every string into the .ts files, where Qt
Linguist or a text editor translates them, and makes the .qm files that the window reads.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "translations"


def main() -> int:
    """Update all files; 1 where a string is not translated yet."""
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    from strings import every

    from app.languages import TRANSLATED

    FOLDER.mkdir(exist_ok=True)
    left = 0
    for code in TRANSLATED:
        file = FOLDER / f"foreword_{code}.ts"
        _collect(every(), file, code)
        _run("lrelease", file, "-qm", file.with_suffix(".qm"))
        left += file.read_text(encoding="utf-8").count('type="unfinished"')
    return 1 if left else 0


def _collect(sources: Iterable[tuple[str, str]], file: Path, code: str) -> None:
    """Merge ``sources`` into ``file`` with lupdate, which is given them in a form that it reads."""
    calls = [f"QCoreApplication.translate({context!r}, {text!r})" for context, text in sources]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "strings.py")
        script.write_text("\n".join(calls) + "\n", encoding="utf-8")
        options = ("-locations", "none", "-no-obsolete", "-source-language", "en")
        _run("lupdate", script, *options, "-target-language", code, "-ts", file)


def _run(tool: str, *arguments: object) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    subprocess.run([program, *map(str, arguments)], check=True)


if __name__ == "__main__":
    sys.exit(main())
