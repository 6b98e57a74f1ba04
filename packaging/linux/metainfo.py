"""Writes what is said elsewhere into AppStream's file: the home page and the releases.

``python packaging/linux/metainfo.py`` rewrites the file; a test fails while it would change.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
METAINFO = Path(__file__).with_name("io.github.foreword.Foreword.metainfo.xml")
_RELEASED = re.compile(r"^## \[(?P<version>[^\]]+)\] - (?P<date>\d{4}-\d{2}-\d{2})$", re.MULTILINE)


def current(text: str, changelog: str, home_page: str) -> str:
    """The file's text with the releases of a changelog and a home page, which may be empty."""
    return _between(_between(text, "home page", _urls(home_page)), "releases", _releases(changelog))


def home_page(root: Path = ROOT) -> str:
    """What ``assets/publisher.toml`` names; empty where it names none."""
    published = tomllib.loads((root / "assets/publisher.toml").read_text(encoding="utf-8"))
    return str(published["home_page"])


def _urls(page: str) -> list[str]:
    return [f'  <url type="homepage">{escape(page)}</url>'] if page else []


def _releases(changelog: str) -> list[str]:
    """Those with a date: AppStream knows no unreleased version."""
    found = [
        f'    <release version="{each["version"]}" date="{each["date"]}"/>'
        for each in _RELEASED.finditer(changelog)
    ]
    return ["  <releases>", *found, "  </releases>"] if found else []


def _between(text: str, name: str, lines: list[str]) -> str:
    opening = rf"  <!-- {name}: [^\n]*-->\n"
    closing = rf"  <!-- end of {name} -->\n"
    written = "".join(f"{line}\n" for line in lines)
    pattern = rf"({opening}).*?({closing})"
    return re.sub(pattern, lambda found: found[1] + written + found[2], text, flags=re.DOTALL)


if __name__ == "__main__":
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    METAINFO.write_text(
        current(METAINFO.read_text(encoding="utf-8"), log, home_page()), encoding="utf-8"
    )
