"""The package for macOS, as far as another system can tell."""

from __future__ import annotations

import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

MACOS = Path(__file__).resolve().parents[2] / "packaging" / "macos"
APP = Path("build/Foreword.app")
IMAGE = Path("dist/foreword.dmg")
KEY = {
    "FOREWORD_NOTARY_KEY": "key.p8",
    "FOREWORD_NOTARY_KEY_ID": "K1",
    "FOREWORD_NOTARY_ISSUER": "I1",
}
IDENTITY = {"FOREWORD_CODESIGN_IDENTITY": "Developer ID Application: Somebody"}


@pytest.fixture
def dmg(script):
    return script("dmg", "macos")


@pytest.fixture
def signing(script):
    return script("signing", "macos")


def test_the_property_lists_are_sound() -> None:
    entitlements = plistlib.loads((MACOS / "entitlements.plist").read_bytes())
    assert entitlements == {"com.apple.security.cs.allow-unsigned-executable-memory": True}
    parts = plistlib.loads((MACOS / "Info.plist").read_bytes())
    (document,) = parts["CFBundleDocumentTypes"]
    (kind,) = parts["UTImportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    assert kind["UTTypeTagSpecification"]["public.filename-extension"] == ["gguf"]


def test_the_bundle_keeps_what_it_has_and_gets_ours(dmg, tmp_path, monkeypatch) -> None:
    app = tmp_path / "Foreword.app"
    (app / "Contents" / "Resources").mkdir(parents=True)
    described = app / "Contents" / "Info.plist"
    described.write_bytes(plistlib.dumps({"CFBundleShortVersionString": "1.2.3"}))
    ran = []
    monkeypatch.setattr(dmg.steps, "run", lambda _say, command, *_more: ran.append(command))
    dmg.complete(app)
    merged = plistlib.loads(described.read_bytes())
    assert merged["CFBundleShortVersionString"] == "1.2.3"
    assert merged["CFBundleLocalizations"] == ["en", "de"]
    assert (app / "Contents/Resources/LICENSE").is_file()
    (collecting,) = ran
    assert collecting[2:] == [str(app / "Contents/Resources/licences"), "--frozen", str(app)]
    assert Path(collecting[1]).is_file()


def test_without_an_identity_it_is_sealed_for_this_machine_alone(signing) -> None:
    assert signing.sign_app(APP, {}) == ["codesign", "--force", "--sign", "-", str(APP)]
    assert signing.sign_image(IMAGE, {}) is None
    assert signing.notarise(IMAGE, {}) == []


def test_with_one_it_is_hardened_timestamped_and_entitled(signing) -> None:
    command = signing.sign_app(APP, IDENTITY)
    assert command[-3:] == ["--sign", "Developer ID Application: Somebody", str(APP)]
    given = " ".join(command)
    assert "--options runtime --timestamp --entitlements" in given
    assert Path(command[command.index("--entitlements") + 1]).is_file()
    assert "--timestamp" in signing.sign_image(IMAGE, IDENTITY)


@pytest.mark.parametrize(
    ("credentials", "given"),
    [
        ({"FOREWORD_NOTARY_PROFILE": "foreword"}, "--keychain-profile foreword"),
        (KEY, "--key key.p8 --key-id K1 --issuer I1"),
    ],
)
def test_apple_is_asked_then_its_answer_attached(signing, credentials, given) -> None:
    submit, staple, assess = signing.notarise(IMAGE, IDENTITY | credentials)
    assert " ".join(submit) == f"xcrun notarytool submit {IMAGE} {given} --wait"
    assert staple == ["xcrun", "stapler", "staple", str(IMAGE)]
    assert assess[0] == "spctl"


def test_credentials_that_cannot_do_are_told(signing) -> None:
    with pytest.raises(SystemExit, match="only what is signed: set FOREWORD_CODESIGN_IDENTITY"):
        signing.notarise(IMAGE, KEY)
    partly = IDENTITY | {"FOREWORD_NOTARY_KEY": "key.p8", "FOREWORD_NOTARY_ISSUER": "I1"}
    with pytest.raises(SystemExit, match="FOREWORD_NOTARY_KEY_ID must be set too"):
        signing.notarise(IMAGE, partly)


BUSY = """
import pathlib, sys
tried = pathlib.Path(sys.argv[1])
tried.write_text(tried.read_text() + "." if tried.exists() else ".")
if len(tried.read_text()) < int(sys.argv[2]):
    sys.exit("hdiutil: create failed - Resource busy")
"""


def test_a_busy_volume_is_tried_again(dmg, tmp_path) -> None:
    command = [sys.executable, "-c", BUSY, str(tmp_path / "tried"), "3"]
    dmg.persistently(command, tries=4, pause_seconds=0)
    assert (tmp_path / "tried").read_text() == "..."


def test_one_that_stays_busy_is_told(dmg, tmp_path) -> None:
    command = [sys.executable, "-c", BUSY, str(tmp_path / "tried"), "9"]
    with pytest.raises(SystemExit, match="failed 2 times: hdiutil: create failed - Resource busy"):
        dmg.persistently(command, tries=2, pause_seconds=0)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS builds it")
@pytest.mark.parametrize("recipe", ["macos/dmg.py", "windows/installer.py"])
def test_another_system_is_told_that_it_cannot(recipe) -> None:
    ran = subprocess.run(
        [sys.executable, str(MACOS.parent / recipe)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "see packaging/README.md" in ran.stderr
