"""Two lanes side by side while they write, and in full when they are done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engine.protocol import PLAIN, SPECULATIVE, Done, Emitted, Event, Figures, Prompt, Source
from engine.terminal import words
from engine.terminal.screen import Screen, safe

STYLES: Mapping[Source, str] = MappingProxyType(
    {Source.ACCEPTED: "green", Source.CORRECTED: "yellow", Source.BONUS: "cyan", Source.PLAIN: ""}
)
"""How a token looks, by where it came from."""

_EVERY = 0.2  # seconds between two pictures: drawing takes time from the models
_NARROW = 60  # columns; below, the lanes stand one above the other
_MOST_LINES = 24
_BORDER = 4  # columns that a panel's edges take


@dataclass
class LaneText:
    """What a lane wrote, coloured by source and cut into lines for one width."""

    title: str
    width: int = 80
    text: Text = field(default_factory=Text)
    state: str = "waiting for its turn"
    figures: Figures = field(default_factory=Figures)
    done: Done | None = None
    _length: int = 0
    _sources: list[Source] = field(default_factory=list)
    _lines: list[Text] = field(default_factory=list)
    _last: Text = field(default_factory=Text)

    def take(self, event: Event) -> None:
        """Take in what happened in this lane."""
        match event:
            case Prompt(done=done, total=total):
                self.state = f"reading the prompt, {100 * done // max(total, 1)} %"
            case Emitted():
                self._sources += [token.source for token in event.tokens]
                for piece in event.pieces:
                    self._add(piece.text, STYLES[self._sources[piece.token]])
                self.figures = event.figures
                self.state = _running(event.figures)
            case Done():
                self._add(event.text[self._length :], "")  # what was held back until the end
                self.figures, self.done = event.figures, event
                self.state = words.summary(event.figures, event.why)

    def _add(self, text: str, style: str) -> None:
        self._length += len(text)
        text = safe(text).expandtabs(4)
        self.text.append(text, style)
        *finished, rest = text.split("\n")
        for line in finished:
            self._last.append(line, style)
            self._lines += self._wrapped(self._last)
            self._last = Text()
        self._last.append(rest, style)

    def _wrapped(self, line: Text) -> list[Text]:
        return list(line.wrap(_RULER, self.width)) or [Text()]

    def tail(self, height: int) -> Text:
        """Its last ``height`` lines."""
        return Text("\n").join([*self._lines, *self._wrapped(self._last)][-height:])


_RULER = Console(width=200, color_system=None)  # wrapping asks a console for its defaults only


def _running(figures: Figures) -> str:
    parts = [words.count(figures.tokens, "token"), words.rate(figures)]
    if figures.drafted:
        parts.append(f"{words.percent(figures.acceptance_rate)} accepted")
    return " · ".join(parts)


class Columns:
    """Both lanes of a comparison."""

    def __init__(self, screen: Screen, gamma: int) -> None:
        self._screen = screen
        size = screen.out.size
        self._stacked = size.width < _NARROW
        width = (size.width if self._stacked else size.width // 2) - _BORDER
        room = size.height - 5
        self._height = max(3, min(_MOST_LINES, room // 2 - 2 if self._stacked else room - 2))
        self.lanes = {
            SPECULATIVE: LaneText(f"drafting ahead, γ {gamma}", width),
            PLAIN: LaneText("plain", width),
        }
        self._drawn_at = 0.0
        self._live: Live | None = None

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """While it is open, `take` redraws both lanes in place."""
        options = {"auto_refresh": False, "transient": True}
        with Live(self._picture(), console=self._screen.out, **options) as live:  # type: ignore[arg-type]
            self._live = live
            try:
                yield
            finally:
                self._live = None

    def take(self, event: Event) -> None:
        """Take in an event of either lane."""
        if isinstance(event, Prompt | Emitted | Done):
            self.lanes[event.lane].take(event)
        now = time.monotonic()
        if self._live is not None and now - self._drawn_at >= _EVERY:
            self._live.update(self._picture(), refresh=True)
            self._drawn_at = time.monotonic()

    def _picture(self) -> RenderableType:
        panels = [
            Panel(
                lane.tail(self._height),
                title=lane.title,
                title_align="left",
                subtitle=lane.state,
                subtitle_align="left",
                height=self._height + 2,
                border_style="dim",
            )
            for lane in self.lanes.values()
        ]
        return Group(self._arranged(panels), legend())

    def _arranged(self, panels: list[Panel]) -> RenderableType:
        if self._stacked:
            return Group(*panels)
        grid = Table.grid(expand=True)
        for _panel in panels:
            grid.add_column(ratio=1)
        grid.add_row(*panels)
        return grid

    def whole(self) -> RenderableType:
        """Both texts in full."""
        panels = [
            Panel(lane.text, title=lane.title, title_align="left", border_style="dim")
            for lane in self.lanes.values()
        ]
        return Group(self._arranged(panels), legend())


def legend() -> Text:
    """What the colours mean."""
    return Text.assemble(
        (" drafted and accepted", STYLES[Source.ACCEPTED]),
        (" · ", "dim"),
        ("corrected", STYLES[Source.CORRECTED]),
        (" · ", "dim"),
        ("bonus: all were accepted", STYLES[Source.BONUS]),
    )
