"""What goes into the frozen build, by its name in it."""

from __future__ import annotations

import ast
import importlib.util
from importlib import metadata
from pathlib import Path

import pytest

import engine.llama

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
PATH = PACKAGING / "freezing.py"


@pytest.fixture(scope="module")
def freezing():
    found = importlib.util.spec_from_file_location("freezing", PATH)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/QtWidgets.abi3.so",
        "PySide6/QtNetwork.pyd",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "llama_cpp/lib/libggml-cpu-haswell.so",
        "assets/app-icon.svg",
        "python3.11/lib-dynload/_sqlite3.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_what_the_window_and_the_engine_use_is_kept(freezing, name) -> None:
    assert freezing.is_wanted(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/QtQml.abi3.so",
        "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6\\plugins\\tls\\qopensslbackend.dll",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/translations/qtbase_fr.qm",
        "PySide6/Qt/translations/qtwebengine_de.qm",
        "python3.11/lib-dynload/_testcapi.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_the_rest_is_left_out(freezing, name) -> None:
    assert not freezing.is_wanted(name)


def test_modules_of_what_is_not_required_are_left_out(freezing) -> None:
    owners = {
        "app": ["foreword"],
        "yaml": ["PyYAML"],
        "PySide6": ["PySide6_Essentials"],
        "shared": ["PySide6_Essentials", "other"],
        "_pytest": ["pytest"],
        "requests": ["requests"],
    }
    ours = {"pyside6-essentials", "pyyaml"}
    assert freezing.foreign(owners, ours) == ["_pytest", "requests"]


def test_in_this_environment_the_tests_own_are_left_out(freezing, script) -> None:
    found = freezing.foreign(
        metadata.packages_distributions(), script("parts", "licences").required("foreword")
    )
    assert {"_pytest", "pytestqt", "pip"} <= set(found)
    assert {"app", "engine", "numpy", "llama_cpp", "PySide6", "shiboken6"}.isdisjoint(found)


def test_of_the_binding_what_the_engine_does_without_is_left_out_and_no_more() -> None:
    hook = ast.parse((PACKAGING / "hooks" / "hook-llama_cpp.py").read_text(encoding="utf-8"))
    (excluded,) = (
        ast.literal_eval(node.value)
        for node in hook.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "excludedimports"
    )
    assert excluded == [engine.llama._HIGH_LEVEL]


def test_a_library_that_nobody_links_is_left_out_with_what_it_alone_links(freezing) -> None:
    links = {
        "PySide6/QtGui.abi3.so": ["libQt6Gui.so.6", "libc.so.6"],
        "PySide6/Qt/lib/libQt6Gui.so.6": ["libz.so.1"],
        "PySide6/Qt/lib/libQt6Quick.so.6": ["libQt6Qml.so.6", "libz.so.1"],
        "PySide6/Qt/lib/libQt6Qml.so.6": [],
        "libz.so.1": [],
        "libpython3.11.so.1.0": [],
        "llama_cpp/lib/libggml-cpu-x64.so": [],
    }
    assert freezing.linked(links, links.__getitem__) == {
        "PySide6/QtGui.abi3.so",
        "PySide6/Qt/lib/libQt6Gui.so.6",
        "libz.so.1",
        "libpython3.11.so.1.0",
        "llama_cpp/lib/libggml-cpu-x64.so",
    }


def test_a_link_stays_while_it_leads_to_what_is_packed(freezing) -> None:
    framework = "PySide6/Qt/lib/QtCore.framework"
    kept = [
        (f"{framework}/Versions/A/QtCore", "/qt/QtCore", "BINARY"),
        (f"{framework}/Versions/A/Resources/Info.plist", "/qt/Info.plist", "DATA"),
        (f"{framework}/Versions/Current", "A", "SYMLINK"),
        (f"{framework}/QtCore", "Versions/Current/QtCore", "SYMLINK"),
        (f"{framework}/Resources", "Versions/Current/Resources", "SYMLINK"),
        ("QtCore", f"{framework}/QtCore", "SYMLINK"),
    ]
    nowhere = [
        ("QtQml", "PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", "SYMLINK"),
        (f"{framework}/Helpers", "Versions/Current/Helpers", "SYMLINK"),
        ("round", "about", "SYMLINK"),
        ("about", "round", "SYMLINK"),
    ]
    assert freezing.leading_somewhere([*nowhere, *kept]) == kept


def test_what_fits_the_systems_drivers_is_the_systems(freezing) -> None:
    assert freezing.is_systems_own("libstdc++.so.6")
    assert freezing.is_systems_own("libX11.so.6")
    assert not freezing.is_systems_own("libxcb-cursor.so.0")
    assert not freezing.is_systems_own("numpy.libs/libgfortran-1.so.5")
