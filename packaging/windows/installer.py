"""Builds the installer on Windows, from what is installed in ``.venv``.

    .venv\\Scripts\\python packaging\\windows\\installer.py [--variant vulkan]

Signed where FOREWORD_SIGN_THUMBPRINT names a certificate in the user's store: keys for code have to
lie in hardware, which offers them there. FOREWORD_TIMESTAMP_URL names another timestamp server.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "linux"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import lists
import places
import steps
import sums
from metainfo import home_page

import engine

ROOT = places.ROOT
BUILD, DIST = ROOT / "build" / "package", ROOT / "dist"
ICON = ROOT / "packaging" / "icons" / "foreword.ico"
OPENMP = "vcomp140.dll"
OPENMP_TEXT = ROOT / "packaging" / "licences" / "texts" / "Visual-Cpp-runtime.txt"
THUMBPRINT, TIMESTAMP = "FOREWORD_SIGN_THUMBPRINT", "FOREWORD_TIMESTAMP_URL"


def main(arguments: Sequence[str] | None = None) -> None:
    """Freeze, complete, try, sign, and pack."""
    parser = argparse.ArgumentParser(description="Build Foreword's installer for Windows.")
    parser.add_argument("--variant", default="", help="what llama.cpp was built for: vulkan, cuda")
    variant = parser.parse_args(arguments).variant
    if os.name != "nt":
        sys.exit("This builds the package for Windows, on Windows; see packaging/README.md.")
    for tool in ("makensis", "signtool") if signing(os.environ) else ("makensis",):
        if not shutil.which(tool):
            sys.exit(
                f"{tool} is not on PATH; packaging/windows/README.md says where it comes from."
            )
    payload = freeze()
    complete(payload, os.environ)
    steps.run("Trying it ...", [str(payload / "foreword.exe"), "--selftest"], "selftest")
    if command := signing(os.environ):
        programs = [str(payload / name) for name in ("foreword.exe", "foreword-terminal.exe")]
        steps.run("Signing the programs ...", [*command, *programs], "sign")
    installer = pack(payload, engine.__version__, variant, os.environ)
    if command:
        steps.run("Signing the installer ...", [*command, str(installer)], "sign-installer")
    else:
        steps.say(
            f"Not signed: {THUMBPRINT} is not set. Windows will warn of an unknown publisher."
        )
    sums.write(DIST)
    steps.say(str(installer.relative_to(ROOT)))


def freeze() -> Path:
    """PyInstaller's folder."""
    shutil.rmtree(BUILD, ignore_errors=True)
    draw = [sys.executable, str(ICON.with_name("generate.py")), "--ico", str(ICON)]
    steps.run("Drawing the icon ...", draw, "icons")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUILD), "--workpath", str(ROOT / "build" / "pyinstaller")]
    spec = str(ROOT / "packaging" / "foreword.spec")
    steps.run("Freezing Foreword into one folder ...", [*command, spec], "pyinstaller")
    return BUILD / "foreword"


def complete(payload: Path, environment: Mapping[str, str]) -> None:
    """Add what PyInstaller does not know: the OpenMP library and the licences."""
    target = payload / "_internal" / OPENMP
    if not target.is_file():
        shutil.copy(openmp(environment), target)
    shutil.copy(ROOT / "LICENSE", payload / "LICENSE.txt")
    collector = ROOT / "packaging" / "licences" / "collect.py"
    given = [str(payload / "licences"), "--frozen", str(payload)]
    steps.run("Collecting licences ...", [sys.executable, str(collector), *given], "licences")
    shutil.copy(OPENMP_TEXT, payload / "licences" / OPENMP_TEXT.name)


def openmp(environment: Mapping[str, str]) -> Path:
    """Visual C++'s OpenMP library, which may be passed on, from its folder or the system's.

    Raises SystemExit where there is none.
    """
    redistributed = environment.get("VCToolsRedistDir", "")
    found = sorted(Path(redistributed).glob(f"x64/*.OpenMP/{OPENMP}")) if redistributed else []
    found.append(Path(environment.get("SystemRoot", "")) / "System32" / OPENMP)
    for path in found:
        if path.is_file():
            return path
    raise SystemExit(
        f"{OPENMP} is not on this system. Install the Visual C++ Redistributable, or run this in a "
        "developer's prompt of Visual Studio."
    )


def signing(environment: Mapping[str, str]) -> list[str]:
    """The command that signs the file named after it; empty where nobody signs."""
    thumbprint = environment.get(THUMBPRINT, "")
    if not thumbprint:
        return []
    clock = environment.get(TIMESTAMP) or "http://timestamp.digicert.com"
    return ["signtool", "sign", "/sha1", thumbprint, "/fd", "sha256", "/tr", clock, "/td", "sha256"]


def pack(payload: Path, version: str, variant: str, environment: Mapping[str, str]) -> Path:
    """Compile the installer; returns its path."""
    named = "-".join(word for word in ("foreword", version, "windows-x86_64", variant) if word)
    installer = DIST / f"{named}-setup.exe"
    DIST.mkdir(exist_ok=True)
    command = compiling(payload, installer, version, environment)
    steps.run(f"Packing {installer.name} ...", command, "makensis")
    return installer


def compiling(
    payload: Path, installer: Path, version: str, environment: Mapping[str, str]
) -> list[str]:
    """The command that compiles the installer; writes the lists it includes beside the payload.

    ``version``: three numbers; Windows wants no more in a file's properties.
    """
    written = payload.parent / "nsis"
    lists.write(payload, written)
    defined = {
        "VERSION": version,
        "PAYLOAD": str(payload),
        "LISTS": str(written),
        "ICON": str(ICON),
        "OUTPUT": str(installer),
        "KILOBYTES": str(lists.kilobytes(payload)),
    }
    if page := home_page():
        defined["HOME_PAGE"] = page
    if sign := signing(environment):
        defined["UNINSTALLER_SIGN"] = f"{subprocess.list2cmdline(sign)} %1"
    options = [f"-D{name}={value}" for name, value in defined.items()]
    script = Path(__file__).with_name("installer.nsi")
    return ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *options, str(script)]


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run it again.")
