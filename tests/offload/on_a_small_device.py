"""A device with too little memory. Run by test_offload.py, in a process of its own."""

from __future__ import annotations

import re
from pathlib import Path

from engine.chat import Message
from engine.engine import Engine, Reply, ReplyOptions
from engine.sampling import Sampling
from tests.offload.attached import DEVICE, LAYERS, OPTIONS, attached, draft, target

__all__ = ["attached", "draft", "target"]  # fixtures


def test_fewer_layers_are_put_there_it_is_said_and_all_works(target: Path, draft: Path) -> None:
    engine = Engine.load(target, draft, OPTIONS)
    try:
        note = next(note for note in engine.pair.notes if target.name in note)
        found = re.match(r"(\d+) of (\d+) layers", note)
        assert found is not None
        assert (int(found[1]), int(found[2])) == (engine.pair.target.gpu_layers, LAYERS)
        assert int(found[1]) < LAYERS
        names = [name.split()[0] for name in engine.pair.devices]
        assert names == ([DEVICE] if engine.pair.target.gpu_layers else ["CPU"])
        assert engine.pair.draft is not None
        options = ReplyOptions(gamma=3, sampling=Sampling(temperature=0), max_tokens=24, seed=1)
        *_, reply = engine.reply([Message("user", "hello")], options)
        assert isinstance(reply, Reply)
        assert reply.figures.tokens == 24
    finally:
        engine.free()
