"""What fits is said of all that the engine can compute with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from engine.client import Client
from engine.terminal import surveying
from engine.terminal.screen import open_screen
from engine.terminal.surveying import surveyed
from tests.support.fake_engine import fake


def test_devices_and_features_come_from_the_engine(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr(surveying, "Client", partial(Client, command=fake()))
    machine = surveyed(open_screen(), tmp_path)
    assert [device.kind for device in machine.devices] == ["cpu"]
    assert machine.features == ("AVX2", "REPACK")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", [["no such program"], ["cat"]])
def test_an_engine_that_says_nothing_is_said(tmp_path: Path, monkeypatch, capsys, command):
    monkeypatch.setattr(surveying, "Client", partial(Client, command=command))
    monkeypatch.setattr(surveying, "_PATIENCE", 0.1)
    machine = surveyed(open_screen(), tmp_path)
    assert machine.memory > 0
    assert machine.devices == ()
    assert "memory alone" in capsys.readouterr().err
