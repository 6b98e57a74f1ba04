"""The set-up script: cheap when nothing changed, plain words when something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def install(script):
    return script("install")


@pytest.fixture
def system(script):
    return script("system")


def need(system, what: str = "a thing", *, present: bool):
    return system.Need(what, "thing-package", lambda: present)


def test_a_stamp_comes_back_as_it_was_written(install, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(install, "STAMP", tmp_path / "stamp.json")
    assert install._read_stamp() is None
    wanted = install._wanted(test=True)
    install.STAMP.write_text(install.json.dumps(install.asdict(wanted)), encoding="utf-8")
    assert install._read_stamp() == wanted


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"place": "/x"}', '{"unknown": 1}'])
def test_a_broken_stamp_counts_as_none(install, tmp_path, monkeypatch, text) -> None:
    monkeypatch.setattr(install, "STAMP", tmp_path / "stamp.json")
    install.STAMP.write_text(text, encoding="utf-8")
    assert install._read_stamp() is None


def test_other_build_options_are_noticed(install, monkeypatch) -> None:
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    before = install._wanted(test=False)
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_VULKAN=on")
    assert install._wanted(test=False) != before


def test_nothing_is_asked_of_the_system_that_it_has(system, monkeypatch) -> None:
    monkeypatch.setattr(system, "_apt", lambda packages: pytest.fail(f"installed {packages}"))
    system.ensure([need(system, present=True)])


def test_root_installs_and_goes_on_when_that_helped(system, monkeypatch) -> None:
    installed: list[str] = []
    monkeypatch.setattr(system, "_may_install", lambda: True)
    monkeypatch.setattr(system, "_apt", installed.extend)
    system.ensure([system.Need("a thing", "thing-package", lambda: bool(installed))])
    assert installed == ["thing-package"]


@pytest.mark.parametrize(
    ("platform", "advice"),
    [("linux", "sudo apt-get install thing-package"), ("darwin", "xcode-select --install")],
)
def test_everyone_else_is_told_what_to_run(system, monkeypatch, platform, advice) -> None:
    monkeypatch.setattr(system, "_may_install", lambda: False)
    monkeypatch.setattr(system.sys, "platform", platform)
    with pytest.raises(SystemExit, match=f"needs a thing.*{advice}"):
        system.ensure([need(system, "a thing", present=False)])


def test_what_tests_can_do_without_is_installed_where_it_can_be(system, monkeypatch) -> None:
    installed: list[str] = []
    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setattr(system, "_apt", installed.extend)
    monkeypatch.setattr(system, "_may_install", lambda: False)
    system.offer([need(system, present=False)])
    assert installed == []
    monkeypatch.setattr(system, "_may_install", lambda: True)
    system.offer([need(system, present=False), need(system, "another", present=True)])
    assert len(installed) == 1


def test_where_it_cannot_be_the_tests_go_on_without(system, monkeypatch, capsys) -> None:
    def fail(_packages: list[str]) -> None:
        raise SystemExit("That failed")

    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setattr(system, "_may_install", lambda: True)
    monkeypatch.setattr(system, "_apt", fail)
    system.offer([need(system, present=False)])
    assert "are skipped" in capsys.readouterr().out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux links them by name")
def test_the_libraries_of_the_window_are_asked_for_only_where_there_is_a_display(system) -> None:
    assert system.window({}) == ()
    asked = {each.package for each in system.window({"DISPLAY": ":0"})}
    assert {"libxcb-cursor0", "libxkbcommon-x11-0", "libegl1"} <= asked


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages are Debian's")
def test_debians_python_is_packed_with_a_library_of_another_package(system, monkeypatch) -> None:
    monkeypatch.setattr(system.sysconfig, "get_config_var", lambda _name: "libpython3.12.so.1.0")
    (need,) = system.python_library("/usr")
    assert (need.what, need.package) == ("libpython3.12.so.1.0", "libpython3.12")
    assert system.python_library("/opt/python") == ()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux links them by name")
def test_every_library_that_the_window_links_is_on_the_list(system) -> None:
    qt = Path(PySide6.__file__).parent / "Qt"
    lines = subprocess.check_output(
        ["ldd", qt / "plugins/platforms/libqxcb.so", qt / "lib/libQt6XcbQpa.so.6"], text=True
    ).splitlines()
    linked = {line.split()[0] for line in lines if "xcb" in line and str(qt) not in line}
    listed = {each.what for each in system.window({"DISPLAY": ":0"})}
    # What X11's own library links comes with its package.
    assert {name for name in linked if name.startswith("lib")} - listed <= {"libxcb.so.1"}


def test_a_folder_that_cannot_be_written_is_told(tmp_path) -> None:
    checkout = tmp_path / "checkout"
    for name in ("pyproject.toml", "engine/__init__.py"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    shutil.copytree(ROOT / "packaging" / "wheel", checkout / "packaging" / "wheel")
    (tmp_path / "file").touch()
    ran = subprocess.run(
        [sys.executable, str(checkout / "packaging" / "wheel" / "install.py")],
        env={**os.environ, "FOREWORD_CACHE": str(tmp_path / "file" / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"Foreword could not be set up: {tmp_path}/file/cache")
    assert ran.stderr.endswith("FOREWORD_CACHE names another cache folder.\n")


def test_a_failing_step_shows_the_end_of_its_output(script, capfd) -> None:
    steps = script("steps")
    with pytest.raises(SystemExit, match="exit status 3"):
        steps.run("Doing it ...", ["sh", "-c", "echo the reason; exit 3"], "doing")
    assert capfd.readouterr().out.splitlines() == ["Doing it ...", "the reason"]


def test_a_step_that_works_is_one_line(script, capfd) -> None:
    script("steps").run("Doing it ...", ["sh", "-c", "echo a lot"], "doing")
    assert capfd.readouterr().out.splitlines() == ["Doing it ..."]
