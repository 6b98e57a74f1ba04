"""The sections of the report, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tests.performance import (
    auto,
    builds,
    recasting,
    rounding,
    sections,
    server,
    tuned,
    ui,
    widths,
)
from tests.performance.bench import Section

SECTIONS: Mapping[str, Section] = MappingProxyType(
    {
        "tuned": Section(
            "The starter pair with the tuner's γ",
            "Greedy replies, each kind of text with the γ that `foreword tune` recommends for it, "
            "against plain decoding in turns.",
            tuned.tuned,
            seconds=280,
        ),
        "choice": Section(
            "The tuner's choice",
            "`foreword tune --exhaustive` runs every γ in fact: how much of the best one's speed "
            "does the recommended one reach, on the same prompts?",
            tuned.choice,
            seconds=500,
        ),
        "auto": Section(
            "Auto",
            "One reply to each shipped prompt, γ chosen anew for each from what was accepted "
            "before; three times from the beginning, greedy.",
            auto.auto,
            seconds=300,
        ),
        "inflated-tuned": Section(
            "A target that costs five times as much",
            "The starter target with 140 layers in place of 28, of which the added ones change "
            "nothing (`tests/performance/inflate.py`): what a large target gains, with real "
            "acceptance.",
            tuned.inflated_tuned,
            seconds=600,
            needs_inflated=True,
        ),
        "server": Section(
            "Against llama-server",
            "`foreword bench --peer`: the same files, prompt tokens, draft length and sampling, "
            "in turns.",
            server.server,
            seconds=240,
        ),
        "greedy": Section(
            "Against llama-speculative-simple, greedy",
            "llama.cpp's own example of speculative decoding, from the same sources.",
            sections.greedy,
            seconds=130,
        ),
        "sampled": Section(
            "Against llama-speculative-simple, sampled",
            "T = 0.8, top-k 40, top-p 0.95, min-p 0.05.",
            sections.sampled,
            seconds=280,
        ),
        "inflated": Section(
            "The inflated target against llama-speculative-simple",
            "Greedy, where the draft costs next to nothing and little is left to win.",
            sections.inflated,
            seconds=230,
            needs_inflated=True,
        ),
        "plain": Section(
            "Plain decoding against llama-bench",
            "γ = 0 at the same depth: what Foreword's own loop costs.",
            sections.plain,
            seconds=110,
        ),
        "crowded": Section(
            "The same beside a busy program",
            "One thread of another program computes meanwhile: a thread of llama.cpp that waits "
            "for another must not spin where that one could run (`engine/children.py`).",
            sections.crowded,
            seconds=150,
        ),
        "portable": Section(
            "The build for every processor",
            "What the packages hold, which loads the best of its modules, against a build for this "
            "very processor (`-DGGML_NATIVE=ON`), each in processes of its own.",
            builds.portable,
            seconds=150,
        ),
        "compiled": Section(
            "The kernels",
            "Our kernels for the few rows of a target pass, and our options for llama.cpp's "
            "(`packaging/wheel/narrow.cpp`, `kernels.cmake`), against llama.cpp as it is, each in "
            "processes of its own.",
            builds.compiled,
            seconds=150,
        ),
        "recast": Section(
            "A recast draft",
            "The draft rounded anew for this processor (`engine/recast.py`) against the same draft "
            "as its file has it, in turns; the target is the same.",
            recasting.recasting,
            seconds=200,
        ),
        "passes": Section(
            "What a pass costs by its width",
            "A target pass over n tokens, and a draft step, in units of a plain target step.",
            widths.passes,
            seconds=160,
            needs_inflated=True,
        ),
        "parts": Section(
            "Where the time goes",
            "Greedy replies of one prompt of each kind.",
            widths.parts,
            seconds=80,
        ),
        "prediction": Section(
            "The formula",
            "S(γ) from costs and acceptance measured apart, against the speed-up.",
            sections.prediction,
            seconds=180,
        ),
        "rounding": Section(
            "Rounding, and the two rules",
            "Replies drawn with the same noise, plainly and with γ = 3: only rounding can part "
            "them. And what the `ratio` and the `coupled` rule accept.",
            rounding.rounding,
            seconds=180,
        ),
        "overhead": Section(
            "Foreword's own time",
            "The share of a reply that neither model computes in.",
            sections.overhead,
            seconds=160,
        ),
        "lanes": Section(
            "A comparison's clocks",
            "Whether a lane tells the same speed beside another as alone.",
            sections.lanes,
            seconds=200,
        ),
        "memory": Section(
            "Memory",
            "What the worker takes beyond the models' weights and caches.",
            sections.memory,
            seconds=30,
        ),
        "window": Section(
            "The window",
            "Frames, long conversations and the panel on Qt's offscreen platform; the starter pair "
            "writes with the window open and streaming, and without it, in turns.",
            ui.window,
            seconds=400,
        ),
    }
)
