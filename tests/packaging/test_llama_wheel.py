"""The wheel's cache: one whole wheel for each machine and way of building it."""

from __future__ import annotations

import re
import shlex
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import llama_cpp
import pytest

VERSION = "1.2.3"
CPUINFO = """processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 17
model name\t: AMD EPYC
flags\t\t: fpu {flags}

processor\t: 1
model name\t: another
"""


@pytest.fixture
def wheel(script):
    return script("llama_wheel")


class Builder:
    """Stands in for the compiler; counts how often it is asked."""

    def __init__(self, content: bytes | None = None) -> None:
        self.runs = 0
        self.content = content

    def __call__(self, version: str, arguments: str, folder: Path) -> None:
        self.runs += 1
        path = folder / f"llama_cpp_python-{version}-py3-none-any.whl"
        if self.content is not None:
            path.write_bytes(self.content)
            return
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("arguments", arguments)
            archive.writestr(f"llama_cpp_python-{version}.dist-info/RECORD", "")


def arguments_in(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read("arguments").decode()


def test_the_pin_names_one_release(script) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", script("places").pinned_version())


def test_scripts_and_engine_agree_on_the_cache_folder(script, monkeypatch) -> None:
    from engine import paths

    assert script("places").cache() == paths.cache_folder()
    monkeypatch.delenv("FOREWORD_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert script("places").cache() == paths.cache_folder()
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/else")
    assert script("places").cache() == paths.cache_folder()


def test_the_second_time_nothing_is_built(wheel) -> None:
    build = Builder()
    first = wheel.obtain(VERSION, {}, build)
    assert wheel.obtain(VERSION, {}, build) == first
    assert build.runs == 1
    assert first.is_file()


def test_other_options_get_a_wheel_of_their_own(wheel) -> None:
    build = Builder()
    plain = wheel.obtain(VERSION, {}, build)
    cuda = wheel.obtain(VERSION, {"CMAKE_ARGS": "-DGGML_CUDA=on"}, build)
    assert arguments_in(plain).startswith("-DLLAVA_BUILD=OFF ")
    assert arguments_in(cuda) == f"-DLLAVA_BUILD=OFF {wheel.TIDY} -DGGML_CUDA=on"
    assert wheel.obtain(VERSION, {}, build) == plain


@pytest.mark.parametrize(
    ("system", "machine", "portable"),
    [("linux", "x86_64", True), ("linux", "aarch64", False), ("darwin", "x86_64", False)],
)
def test_the_default_fits_every_processor_where_llama_cpp_can_build_that(
    wheel, monkeypatch, system, machine, portable
) -> None:
    monkeypatch.setattr(wheel.sys, "platform", system)
    monkeypatch.setattr(wheel.platform, "machine", lambda: machine)
    assert ("GGML_NATIVE=OFF" in wheel.cmake_args({})) is portable
    assert "GGML_NATIVE" not in wheel.cmake_args({"CMAKE_ARGS": "-DGGML_VULKAN=on"})


def test_the_users_word_comes_last_and_stands(wheel) -> None:
    arguments = wheel.cmake_args({"CMAKE_ARGS": "-DLLAVA_BUILD=ON"}).split()
    assert arguments[-1] == "-DLLAVA_BUILD=ON"


def test_half_a_wheel_counts_as_none(wheel) -> None:
    build = Builder()
    path = wheel.obtain(VERSION, {}, build)
    path.write_bytes(path.read_bytes()[:20])
    assert zipfile.is_zipfile(wheel.obtain(VERSION, {}, build))
    assert build.runs == 2


def test_a_build_that_fails_leaves_nothing(wheel, script) -> None:
    with pytest.raises(SystemExit, match="no wheel"):
        wheel.obtain(VERSION, {}, Builder(content=b"not a wheel"))
    left = (script("places").cache() / "wheels").iterdir()
    assert {path.name for path in left} == {".lock"}


def test_a_dead_builds_folder_is_swept_away(wheel, script) -> None:
    dead = script("places").cache() / "wheels" / ".building-dead"
    dead.mkdir(parents=True)
    wheel.obtain(VERSION, {}, Builder())
    assert not dead.exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("1.2.3", "-DA=1", {}), ("1.2.4", "-DA=1", {})),
        (("1.2.3", "-DA=1", {}), ("1.2.3", "-DA=2", {})),
        (("1.2.3", "-DA=1", {}), ("1.2.3", "-DA=1", {"CXX": "clang++"})),
    ],
)
def test_the_key_changes_with_what_is_built(wheel, one, other) -> None:
    assert wheel.key(*one) != wheel.key(*other)
    assert wheel.key(*one) == wheel.key(*one)


def test_the_kernels_make_a_wheel_of_their_own_wherever_they_lie(
    wheel, monkeypatch, tmp_path
) -> None:
    def key(folder: str, options: str, own: str, arguments: str = "-DA=1") -> str:
        (tmp_path / folder).mkdir(exist_ok=True)
        monkeypatch.setattr(wheel, "KERNELS", tmp_path / folder / "kernels.cmake")
        wheel.KERNELS.write_text(options, encoding="utf-8")
        wheel.KERNELS.with_name(wheel.OWN_KERNELS).write_text(own, encoding="utf-8")
        return wheel.key(VERSION, arguments, {})

    without = "-DCMAKE_PROJECT_INCLUDE=/dev/null"
    assert key("here", "one", "a") == key("there", "one", "a")
    assert len({key("here", *texts) for texts in (("one", "a"), ("two", "a"), ("one", "b"))}) == 3
    assert key("here", "one", "a", without) == key("here", "two", "b", without)


def test_cmake_is_told_the_options_for_the_kernels_and_the_user_may_take_them_away(
    wheel, monkeypatch, tmp_path
) -> None:
    told: list[str] = []
    monkeypatch.setattr(wheel.system, "ensure", lambda _needs: None)
    monkeypatch.setattr(
        wheel.steps, "run", lambda *given: told.extend(shlex.split(given[-1]["CMAKE_ARGS"]))
    )
    monkeypatch.setattr(wheel, "KERNELS", tmp_path / "a folder" / "kernels.cmake")
    option = "-DCMAKE_PROJECT_INCLUDE="
    without = f"{option}/dev/null"
    arguments = wheel.cmake_args({"CMAKE_ARGS": without})
    wheel.compile_wheel(VERSION, arguments, tmp_path)
    assert told[0] == f"{option}{wheel.KERNELS}"
    assert told[-1] == without


def test_a_native_build_belongs_to_its_processor_and_a_portable_one_does_not(
    wheel, monkeypatch
) -> None:
    def keys(arguments: str) -> set[str]:
        found = set()
        for name in ("one processor", "another"):
            monkeypatch.setattr(wheel, "processor", lambda name=name: name)
            found.add(wheel.key(VERSION, arguments, {}))
        return found

    assert len(keys("-DLLAVA_BUILD=OFF")) == 2
    assert len(keys("-DGGML_NATIVE=OFF")) == 1
    assert len(keys("-DGGML_NATIVE:BOOL=off")) == 1


def test_a_processor_is_its_model_and_its_instruction_sets(wheel) -> None:
    described = wheel._describe(CPUINFO.format(flags="avx2 fma rdtscp"))
    assert described == "AuthenticAMD 25 17 AMD EPYC avx2 fma"
    # What a system's update may add changes nothing.
    assert wheel._describe(CPUINFO.format(flags="fma avx2 ibpb")) == described
    assert wheel._describe(CPUINFO.format(flags="fma avx2 avx512f")) != described


def test_the_kernels_are_in_every_module_of_the_wheel_in_use(wheel) -> None:
    installed = distribution("llama-cpp-python")
    folder = f"{installed.version}-{wheel.key(installed.version, wheel.cmake_args({}), {})}"
    if not wheel.can_be_portable() or folder not in (installed.read_text("direct_url.json") or ""):
        pytest.skip("the wheel in use is not what these sources make")
    own = b"__wrap_ggml_cpu_extra_compute_forward"
    modules = list((Path(llama_cpp.__file__).parent / "lib").glob("libggml-cpu-*.so"))
    assert modules
    assert all(own in path.read_bytes() for path in modules)
