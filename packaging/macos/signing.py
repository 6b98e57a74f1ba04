"""Signing and notarisation for macOS, as far as the environment says who signs.

FOREWORD_CODESIGN_IDENTITY, such as "Developer ID Application: …", says who signs; unset, nobody
does, which is enough for the machine that it is built on. FOREWORD_NOTARY_PROFILE names credentials
that `xcrun notarytool store-credentials` keeps; or FOREWORD_NOTARY_KEY, FOREWORD_NOTARY_KEY_ID and
FOREWORD_NOTARY_ISSUER name an App Store Connect key: its file, its id, whose it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

IDENTITY = "FOREWORD_CODESIGN_IDENTITY"
PROFILE = "FOREWORD_NOTARY_PROFILE"
KEY = ("FOREWORD_NOTARY_KEY", "FOREWORD_NOTARY_KEY_ID", "FOREWORD_NOTARY_ISSUER")
ENTITLEMENTS = Path(__file__).with_name("entitlements.plist")


def sign_app(app: Path, environment: Mapping[str, str]) -> list[str]:
    """The command that seals the bundle; what is in it was signed when it was frozen."""
    identity = environment.get(IDENTITY, "")
    if not identity:
        return ["codesign", "--force", "--sign", "-", str(app)]
    hardened = ["--options", "runtime", "--timestamp", "--entitlements", str(ENTITLEMENTS)]
    return ["codesign", "--force", *hardened, "--sign", identity, str(app)]


def sign_image(image: Path, environment: Mapping[str, str]) -> list[str] | None:
    """The command that signs the disk image; None where nobody signs."""
    identity = environment.get(IDENTITY, "")
    return ["codesign", "--timestamp", "--sign", identity, str(image)] if identity else None


def notarise(image: Path, environment: Mapping[str, str]) -> list[list[str]]:
    """The commands that have Apple look at it and attach the answer; none where it cannot be.

    Raises SystemExit for credentials that are there in part, or without a signature.
    """
    given = _credentials(environment)
    if not given:
        return []
    if not environment.get(IDENTITY):
        raise SystemExit(f"Apple notarises only what is signed: set {IDENTITY} too.")
    submit = ["xcrun", "notarytool", "submit", str(image), *given, "--wait"]
    assess = ["spctl", "--assess", "--type", "open", "--context", "context:primary-signature"]
    return [submit, ["xcrun", "stapler", "staple", str(image)], [*assess, str(image)]]


def _credentials(environment: Mapping[str, str]) -> list[str]:
    if profile := environment.get(PROFILE):
        return ["--keychain-profile", profile]
    values = [environment.get(name, "") for name in KEY]
    if not any(values):
        return []
    if lacking := [name for name, value in zip(KEY, values, strict=True) if not value]:
        raise SystemExit(f"To notarise, {' and '.join(lacking)} must be set too.")
    key, key_id, issuer = values
    return ["--key", key, "--key-id", key_id, "--issuer", issuer]
