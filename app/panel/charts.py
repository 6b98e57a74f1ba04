"""The panel's figures and pictures, from the speed at the top to the context at the bottom."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panel import numbers
from app.panel.account import Account
from app.panel.bars import Bars
from app.panel.curve import Curve
from app.panel.explain import Key
from app.panel.facts import Facts
from app.panel.fill import Fill
from app.panel.plate import Figure, Plate
from app.panel.run import State
from app.panel.sections import Section
from app.panel.strip import Legend, Strip
from app.panel.verdict import VerdictCard
from app.theme import Theme, Type

translate = QCoreApplication.translate

NOTHING = "–"
"""Where a figure is not known."""


class Charts(QWidget):
    """Everything the panel paints, and the card with the verdict."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._make_figures()
        self._make_pictures()
        self.card = VerdictCard(theme)
        self._make_sections()
        theme.changed.connect(self._restyle)
        self._restyle()

    # What is there -----------------------------------------------------------------------------

    def _make_figures(self) -> None:
        theme, small, title = self._theme, Type.SECONDARY, Type.TITLE
        self._speed = Figure(theme, Key.SPEED, Type.FIGURE)
        self._speed_up = Figure(theme, Key.SPEED_UP, title, row=Type.FIGURE, right=True)
        self._tokens = Figure(theme, Key.TOKENS, small)
        self._first = Figure(theme, Key.FIRST_TOKEN, small, right=True)
        self._acceptance = Figure(theme, Key.ACCEPTANCE, title)
        self._alpha = Figure(theme, Key.ALPHA, small, row=title, right=True)
        self._per_round = Figure(theme, Key.PER_ROUND, small, row=title, right=True)
        self._context = Figure(theme, Key.CONTEXT, small)
        self._weights = Figure(theme, Key.WEIGHTS, small, right=True)
        self._caches = Figure(theme, Key.CACHES, small)
        self._buffers = Figure(theme, Key.BUFFERS, small, right=True)

    def _make_pictures(self) -> None:
        theme = self._theme
        self._curve = Curve(theme)
        self._strip, self._legend = Strip(theme), Legend(theme)
        self._lengths = Bars(theme, Key.LENGTHS, first=0)
        self._places = Bars(theme, Key.PLACES, first=1)
        self._account = Account(theme)
        self._fill = Fill(theme)

    def _make_sections(self) -> None:
        self._make_speed()
        self._make_acceptance()
        self._make_round()
        self._make_context()
        self._rows = QVBoxLayout(self)
        for part in (self.speed, self.card, self.acceptance, self.round):
            self._rows.addWidget(part)
        self._rows.addStretch(1)
        self._rows.addWidget(self.context)

    def _make_speed(self) -> None:
        promise = translate("Panel", "Tokens per second, now and over the whole reply.")
        self.speed = Section(self._theme, translate("Panel", "Speed"), promise)
        self.speed.add(self._speed, self._speed_up)
        self.speed.add(self._curve)
        self.speed.add(self._tokens, self._first)

    def _make_acceptance(self) -> None:
        promise = translate(
            "Panel", "Which of the drafted tokens the target keeps, round by round."
        )
        self.acceptance = Section(self._theme, translate("Panel", "Acceptance"), promise)
        self.acceptance.add(self._acceptance, self._alpha, self._per_round)
        self.acceptance.add(self._strip)
        self.acceptance.add(self._legend)
        self.acceptance.add(self._lengths, self._places)

    def _make_round(self) -> None:
        promise = translate("Panel", "What a round saves and what it spends, in milliseconds.")
        self.round = Section(self._theme, translate("Panel", "One round"), promise)
        self.round.add(self._account)

    def _make_context(self) -> None:
        promise = translate("Panel", "How full the context is, and what memory it takes.")
        self.context = Section(self._theme, translate("Panel", "Context and memory"), promise)
        self.context.add(self._fill)
        self.context.add(self._context, self._weights)
        self.context.add(self._caches, self._buffers)

    def take(self, section: Section) -> None:
        """Another room has a section of its own to show here."""
        self._rows.insertWidget(self._rows.indexOf(self.round) + 1, section)

    @property
    def plates(self) -> list[Plate]:
        """Everything painted, from top to bottom."""
        return [
            *(self._speed, self._speed_up, self._curve, self._tokens, self._first),
            *(self._acceptance, self._alpha, self._per_round, self._strip),
            *(self._lengths, self._places, self._account),
            *(self._fill, self._context, self._weights, self._caches, self._buffers),
        ]

    def _restyle(self) -> None:
        edge = self._theme.space(5)
        self._rows.setContentsMargins(edge, self._theme.space(4), edge, edge)
        self._rows.setSpacing(self._theme.space(3.5))
        self.setMinimumWidth(self._theme.space(68))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        # A layout's own guess takes wrapped lines for taller than they are at this width.
        width = self._rows.minimumSize().width()
        return QSize(width, self._rows.totalHeightForWidth(max(width, self.width())))

    # What is shown -----------------------------------------------------------------------------

    def show_facts(self, facts: Facts, values: Mapping[Key, str]) -> None:
        """Paint what is known now; a few times a second at the most."""
        self._fill_sections(facts)
        self._show_speed(facts, values)
        self._show_acceptance(facts, values)
        self._account.show_ledger(facts.ledger)
        self._show_context(facts, values)

    def _fill_sections(self, facts: Facts) -> None:
        run = facts.run
        begun = run.state is not State.EMPTY
        self.speed.fill(begun)
        for section in (self.acceptance, self.round):
            section.fill(run.figures.tokens > 0)
        self.context.fill(facts.ready is not None)
        plain = begun and not run.gamma and not run.drafting
        self.acceptance.setVisible(not plain)

    def _show_speed(self, facts: Facts, values: Mapping[Key, str]) -> None:
        run, figures = facts.run, facts.run.figures
        if run.state is State.READING:
            done, total = run.reading
            part = numbers.percent(done / total if total else 0.0)
            self._speed.show_value(part, translate("Panel", "of the prompt read"))
        else:
            rate = numbers.rate(figures.tokens_per_second) if figures.tokens else NOTHING
            self._speed.show_value(rate, translate("Panel", "tokens/s"))
        unknown = run.drafting and not facts.measure and not run.is_outdated
        note = translate("Panel", "not measured yet") if unknown else ""
        self._speed_up.show_value(values.get(Key.SPEED_UP, ""), note)
        self._curve.show_speeds(run.speeds.points, facts.measure if run.drafting else None)
        self._tokens.show_value("", numbers.tokens(figures.tokens) if figures.tokens else "")
        first = translate("Panel", "first token after {time}")
        known = values.get(Key.FIRST_TOKEN)
        self._first.show_value("", first.format(time=known) if known else "")

    def _show_acceptance(self, facts: Facts, values: Mapping[Key, str]) -> None:
        run, drafting = facts.run, facts.run.drafting
        self._acceptance.show_value(values.get(Key.ACCEPTANCE, NOTHING))
        self._alpha.show_value("", f"α {values[Key.ALPHA]}" if drafting else "")
        each = translate("Panel", "{tokens} tokens per round")
        self._per_round.show_value(
            "", each.format(tokens=values[Key.PER_ROUND]) if drafting else ""
        )
        self._strip.show_rounds(run.shapes, run.widest)
        counts = run.lengths if drafting else []
        most = max(counts, default=0)
        self._lengths.show_shares([count / most for count in counts], [*map(str, counts)])
        shares = run.by_position() if drafting else []
        whole = [numbers.number(100 * share) if share is not None else "" for share in shares]
        self._places.show_shares(shares, whole)

    def _show_context(self, facts: Facts, values: Mapping[Key, str]) -> None:
        limit = facts.ready.n_ctx if facts.ready else 0
        self._fill.show_share(facts.context_used / limit if limit else 0.0)
        self._context.show_value("", values.get(Key.CONTEXT, ""))
        cache, buffers = translate("Panel", "cache {size}"), translate("Panel", "buffers {size}")
        if facts.ready is not None and facts.ready.draft is not None:
            cache = translate("Panel", "both caches {size}")
            buffers = translate("Panel", "for γ {size}")
        for figure, said in (
            (self._weights, translate("Panel", "weights {size}")),
            (self._caches, cache),
            (self._buffers, buffers),
        ):
            size = values.get(figure.key)
            figure.show_value("", said.format(size=size) if size else "")

    def speak(self, values: Mapping[Key, str]) -> None:
        """Have a screen reader find what is painted; about once a second."""
        for plate in self.plates:
            plate.speak(values.get(plate.key, ""))
