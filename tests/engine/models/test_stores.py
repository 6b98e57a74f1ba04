"""Where models may lie already, and how other programs' stores are read."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from engine import paths
from engine.models import stores
from engine.models.stores import Lying, Origin, Place
from engine.settings import Settings
from tests.support.disks import closed
from tests.support.ggufs import write_gguf


def silent(sentence: str) -> None:
    raise AssertionError(sentence)


def found(settings: Settings, home: Path, **environment: str) -> dict[Origin, list[Path]]:
    folders: dict[Origin, list[Path]] = {}
    for place in stores.places(settings, environment, home):
        folders.setdefault(place.origin, []).append(place.folder)
    return folders


def test_ours_comes_first_then_the_users_then_other_programs(tmp_path: Path):
    settings = Settings(more_folders=(Path("/a"), Path("/b")))
    origins = [place.origin for place in stores.places(settings, {}, tmp_path)]
    assert origins[:3] == [Origin.OURS, Origin.ADDED, Origin.ADDED]
    assert set(origins[3:]) == {Origin.LM_STUDIO, Origin.HUB, Origin.OLLAMA}


def test_other_programs_can_be_left_alone(tmp_path: Path):
    only = found(Settings(other_apps=False), tmp_path)
    assert only == {Origin.OURS: [paths.models_folder()]}


def test_each_program_is_looked_for_where_it_keeps_its_files(tmp_path: Path):
    usual = found(Settings(), tmp_path)
    assert usual[Origin.HUB] == [tmp_path / ".cache/huggingface/hub"]
    assert usual[Origin.OLLAMA][0] == tmp_path / ".ollama/models"
    assert tmp_path / ".lmstudio/models" in usual[Origin.LM_STUDIO]
    assert tmp_path / ".cache/lm-studio/models" in usual[Origin.LM_STUDIO]


def test_the_environment_moves_the_stores(tmp_path: Path):
    moved = found(Settings(), tmp_path, HF_HOME="/hf", OLLAMA_MODELS="/ollama")
    assert moved[Origin.HUB] == [Path("/hf/hub")]
    assert moved[Origin.OLLAMA] == [Path("/ollama")]
    assert found(Settings(), tmp_path, HF_HUB_CACHE="/c")[Origin.HUB] == [Path("/c")]
    assert found(Settings(), tmp_path, XDG_CACHE_HOME="/x")[Origin.HUB] == [
        Path("/x/huggingface/hub")
    ]


def test_lm_studio_says_itself_where_it_moved(tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{elsewhere}\n")
    assert found(Settings(), tmp_path)[Origin.LM_STUDIO][0] == elsewhere / "models"
    (elsewhere / "settings.json").write_text(json.dumps({"downloadsFolder": "/big/disk"}))
    assert found(Settings(), tmp_path)[Origin.LM_STUDIO][0] == Path("/big/disk")
    (elsewhere / "settings.json").write_text("[" * 100_000)
    assert found(Settings(), tmp_path)[Origin.LM_STUDIO][0] == elsewhere / "models"


def test_a_store_that_is_not_there_is_no_trouble(tmp_path: Path):
    for place in stores.places(Settings(), {}, tmp_path):
        assert list(place.files(silent)) == []


def test_a_folder_the_user_named_is_missed(tmp_path: Path):
    said: list[str] = []
    place = Place(Origin.ADDED, tmp_path / "gone", wanted=True)
    assert list(place.files(said.append)) == []
    assert said == [f"There is no folder at {tmp_path / 'gone'}."]


def test_a_models_folder_that_was_chosen_is_missed_and_the_usual_one_is_not(
    tmp_path: Path, monkeypatch
):
    monkeypatch.delenv("FOREWORD_MODELS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    said: list[str] = []
    for settings in (Settings(), Settings(models_folder=tmp_path / "unplugged")):
        assert list(stores.places(settings, {}, tmp_path)[0].files(said.append)) == []
    assert said == [f"There is no folder at {tmp_path / 'unplugged'}."]


@pytest.mark.parametrize("origin", [Origin.OURS, Origin.ADDED, Origin.NAMED])
@pytest.mark.parametrize("listed", [True, False])
def test_a_folder_of_the_users_that_may_not_be_entered_is_said(
    tmp_path: Path, origin: Origin, listed: bool
):
    write_gguf(tmp_path / "m.gguf")
    said: list[str] = []
    with closed(tmp_path, listed=listed):
        assert list(Place(origin, tmp_path, wanted=True).files(said.append)) == []
    assert said == [f"The folder {tmp_path} cannot be read (Permission denied)."]


@pytest.mark.parametrize("origin", [Origin.HUB, Origin.LM_STUDIO, Origin.OLLAMA])
@pytest.mark.parametrize("why", [errno.EACCES, errno.ESTALE])
@pytest.mark.parametrize("listed", [True, False])
def test_a_store_that_may_not_be_entered_is_passed_over(
    tmp_path: Path, origin: Origin, why: int, listed: bool
):
    with closed(tmp_path, why, listed=listed):
        assert list(Place(origin, tmp_path).files(silent)) == []


def test_a_place_that_no_system_could_have_is_not_there(tmp_path: Path):
    for name in ("a\0b", "\ud800"):  # as another program's settings may say
        assert list(Place(Origin.LM_STUDIO, tmp_path / name).files(silent)) == []


def test_the_home_of_an_unknown_user_is_a_folder_that_is_not_there(tmp_path: Path):
    for name in ("HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME", "OLLAMA_MODELS"):
        for place in stores.places(Settings(), {name: "~nobody-at-all/models"}, tmp_path):
            assert list(place.files(silent)) == []


# The Hugging Face cache --------------------------------------------------------------------------


def test_the_hubs_cache_is_read_through_its_snapshots(tmp_path: Path):
    repository = tmp_path / "models--Qwen--Qwen2.5-GGUF"
    blob = write_gguf(repository / "blobs" / "abc")
    snapshot = repository / "snapshots" / "0123"
    snapshot.mkdir(parents=True)
    (snapshot / "qwen.gguf").symlink_to(blob)
    (snapshot / "README.md").write_text("no model")
    (tmp_path / "datasets--x--y" / "snapshots").mkdir(parents=True)
    (tmp_path / "models--empty--empty").mkdir()
    assert list(Place(Origin.HUB, tmp_path).files(silent)) == [Lying(snapshot / "qwen.gguf")]


def test_a_repository_that_may_not_be_entered_costs_no_other(tmp_path: Path):
    shut, other = (tmp_path / f"models--{name}" for name in ("a--shut", "b--other"))
    for repository in (shut, other):
        write_gguf(repository / "snapshots" / "0123" / "m.gguf")
    with closed(shut):
        assert list(Place(Origin.HUB, tmp_path).files(silent)) == [
            Lying(other / "snapshots" / "0123" / "m.gguf")
        ]


# Ollama ------------------------------------------------------------------------------------------

DIGEST = "sha256:" + "a" * 64


def manifest(folder: Path, name: str, *layers: object) -> Path:
    path = folder / "manifests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schemaVersion": 2, "layers": layers}))
    return path


def weights(digest: object = DIGEST) -> dict[str, object]:
    return {"mediaType": "application/vnd.ollama.image.model", "digest": digest, "size": 1}


def test_ollamas_models_are_found_by_their_manifests_and_called_as_it_calls_them(tmp_path: Path):
    template = {"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:b"}
    manifest(tmp_path, "registry.ollama.ai/library/llama3.2/1b", weights(), template)
    manifest(tmp_path, "registry.ollama.ai/someone/mine/latest", weights())
    manifest(tmp_path, "hf.co/bartowski/Qwen-GGUF/Q4_K_M", weights())
    blob = tmp_path / "blobs" / f"sha256-{'a' * 64}"
    assert list(Place(Origin.OLLAMA, tmp_path).files(silent)) == [
        Lying(blob, "hf.co/bartowski/Qwen-GGUF:Q4_K_M"),
        Lying(blob, "llama3.2:1b"),
        Lying(blob, "someone/mine:latest"),
    ]


def test_a_manifest_that_makes_no_sense_costs_one_model_and_a_sentence(tmp_path: Path):
    manifest(tmp_path, "registry.ollama.ai/library/good/latest", weights())
    broken = manifest(tmp_path, "registry.ollama.ai/library/bad/latest")
    said: list[str] = []
    for content in ("", "no json", "[]", '{"layers": 3}', "\xff"):
        broken.write_text(content, encoding="latin-1")
        files = list(Place(Origin.OLLAMA, tmp_path).files(said.append))
        assert [lying.name for lying in files] == ["good:latest"]
    assert len(said) == 5
    assert str(broken) in said[0]


@pytest.mark.parametrize("why", [errno.EACCES, errno.ESTALE])
def test_a_part_of_ollamas_lists_that_may_not_be_entered_costs_no_other(tmp_path: Path, why: int):
    manifest(tmp_path, "registry.ollama.ai/library/good/latest", weights())
    shut = manifest(tmp_path, "registry.ollama.ai/library/shut/latest", weights())
    for folder in (shut, shut.parent, shut.parent.parent.parent / "someone"):
        with closed(folder, why, listed=False):
            files = list(Place(Origin.OLLAMA, tmp_path).files(silent))
        assert "good:latest" in [lying.name for lying in files]


@pytest.mark.parametrize(
    "layer", [3, {}, weights(7), weights("md5:abc"), weights("sha256:../../etc/passwd")]
)
def test_layers_that_name_no_file_of_the_store_are_passed_over(tmp_path: Path, layer: object):
    manifest(tmp_path, "registry.ollama.ai/library/odd/latest", layer)
    assert list(Place(Origin.OLLAMA, tmp_path).files(silent)) == []
