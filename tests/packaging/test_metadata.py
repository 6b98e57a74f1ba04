"""What desktops read about Foreword: the entry in the menu, AppStream's file, the file type."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import engine
from app.settings.publisher import home_page

LINUX = Path(__file__).resolve().parents[2] / "packaging" / "linux"
ROOT = LINUX.parents[1]
ID = "io.github.foreword.Foreword"
ENTRY = LINUX / f"{ID}.desktop"
METAINFO = LINUX / f"{ID}.metainfo.xml"
TYPE = LINUX / f"{ID}-mime.xml"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def needs(command: str, package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        not shutil.which(command), reason=f"{command} is not here (Debian: {package})"
    )


def check(*command: str) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def entry() -> configparser.SectionProxy:
    read = configparser.RawConfigParser()
    read.optionxform = str
    read.read(ENTRY, encoding="utf-8")
    return read["Desktop Entry"]


@needs("desktop-file-validate", "desktop-file-utils")
def test_the_entry_is_valid() -> None:
    check("desktop-file-validate", str(ENTRY))


def test_the_entry_opens_the_type_that_the_package_defines() -> None:
    defined = ET.parse(TYPE).find(f"{MIME}mime-type").get("type")
    provided = ET.parse(METAINFO).findtext("provides/mediatype")
    assert entry()["MimeType"] == f"{defined};"
    assert provided == defined
    assert entry()["Exec"] == "foreword %F"


def test_every_word_a_person_reads_is_there_in_german() -> None:
    written = entry()
    for key in ("GenericName", "Comment", "Keywords"):
        assert written[f"{key}[de]"] != ""
    component = ET.parse(METAINFO).getroot()
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    for texts in (component.findall("summary"), list(component.find("description"))):
        paragraphs = [each for each in texts if each.tag in ("summary", "p")]
        german = [each for each in paragraphs if each.get(language) == "de"]
        assert len(paragraphs) == 2 * len(german) > 0


@needs("appstreamcli", "appstream")
def test_the_software_centres_file_is_valid() -> None:
    check("appstreamcli", "validate", "--no-net", str(METAINFO))


@needs("update-mime-database", "shared-mime-info")
def test_models_are_known_by_name_and_by_their_first_bytes(tmp_path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    shutil.copy(TYPE, packages / f"{ID}.xml")
    check("update-mime-database", str(tmp_path))
    assert "50:application/x-gguf:*.gguf" in (tmp_path / "globs2").read_text()
    assert b"[60:application/x-gguf]\n>0=\x00\x04GGUF\n" in (tmp_path / "magic").read_bytes()


def test_what_is_said_elsewhere_is_up_to_date(script) -> None:
    metainfo = script("metainfo", "linux")
    text = METAINFO.read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert metainfo.current(text, changelog, home_page()) == text, (
        "run python packaging/linux/metainfo.py"
    )
    assert metainfo.home_page() == home_page()
    assert f"## [{engine.__version__}]" in changelog


def test_dated_releases_and_a_home_page_come_into_the_file(script, tmp_path) -> None:
    metainfo = script("metainfo", "linux")
    text = METAINFO.read_text(encoding="utf-8")
    log = "## [0.3.0] - unreleased\n\n## [0.2.0] - 2026-12-24\n\n## [0.1.0] - 2026-12-01\n"
    written = metainfo.current(text, log, "https://example.org/?a=1&b=2")
    component = ET.fromstring(written)
    assert component.findtext("url[@type='homepage']") == "https://example.org/?a=1&b=2"
    releases = [(each.get("version"), each.get("date")) for each in component.iter("release")]
    assert releases == [("0.2.0", "2026-12-24"), ("0.1.0", "2026-12-01")]
    assert metainfo.current(written, "", "") == metainfo.current(text, "", "")
    if shutil.which("appstreamcli"):
        (tmp_path / METAINFO.name).write_text(written, encoding="utf-8")
        check("appstreamcli", "validate", "--no-net", str(tmp_path / METAINFO.name))


def test_the_installer_script_finds_the_lines_it_changes() -> None:
    """A user's own installation names the program by its whole path."""
    changed = re.findall(r"^(?:Try)?Exec=foreword", ENTRY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(changed) == 2
