"""The sheet's own head: what writes here, how far it drafts ahead, how a message is answered."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpinBox, QWidget

from app.actions import Actions, shown
from app.controls import IconButton, Segments
from app.engine_life import Life
from app.names import devices, draft_name, short_name, weights
from app.panel import numbers
from app.phases import MOST_GAMMA, Mode, Phase
from app.sentences import translated
from app.session import Session
from app.theme import Theme, Type
from app.tips import plain_tip
from app.topbar.loading import LoadingBar
from app.topbar.pair_button import PairButton
from app.tuning import words
from app.tuning.advising import Choice
from engine.protocol import Ready

_WIDE = 150  # units: below this the line that says where the pair runs is left out


class TopBar(QWidget):
    """The pair and where it runs, γ, the mode, and the ways back to hidden panes.

    Signals:
        models_wanted: The pair was pressed.
        refusal_wanted: The badge was pressed that says why nothing is drafted.
    """

    models_wanted = Signal()
    refusal_wanted = Signal()

    def __init__(
        self, theme: Theme, actions: Actions, session: Session, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions = actions
        self._session = session
        self._taken: list[IconButton] = []
        self._build()
        self._lay_out()
        session.changed.connect(self.refresh)
        session.conversations.opened.connect(self.refresh)
        session.life.loading.connect(self.loading.tell)
        theme.changed.connect(self._measure)
        self._measure()
        self.refresh()

    def refresh(self) -> None:
        """Show how things stand."""
        life = self._session.life
        is_loading = life.life is Life.LOADING
        if is_loading and not self.loading.isVisibleTo(self):
            self.loading.begin(life.name)
        self.loading.setVisible(is_loading)
        self.pair.setVisible(not is_loading)
        self._tell_pair(life.ready)
        can = self._session.can_speculate
        self.badge.setVisible(life.ready is not None and not can)
        self._tell_gamma()
        for mode in Mode:
            self.modes.button(mode).setEnabled(can or mode is Mode.PLAIN)
        self.modes.choose(self._session.mode if can else Mode.PLAIN)
        self._make_room()

    def take(self, button: IconButton, refreshed: SignalInstance) -> None:
        """Another room has a button of its own to show here; ``refreshed``: told when it does."""
        self._taken.append(button)
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        row.insertWidget(row.indexOf(self._show_panel), button)
        refreshed.connect(self._make_room)

    def show_ways_back(self, *, sidebar: bool, panel: bool) -> None:
        """Show the buttons of panes that are hidden."""
        self._show_sidebar.setVisible(sidebar)
        self._new_chat.setVisible(sidebar)
        self._show_panel.setVisible(panel)
        self._make_room()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Without all that gives way."""
        return QSize(self._needed(self._mode_widths[1], self.pair, stepper=False), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """What matters least gives way."""
        super().resizeEvent(event)
        self._make_room()

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme, session = self._theme, self._session
        self._show_sidebar = self._button("panel-left", "view.sidebar", self.tr("Show the chats"))
        self._new_chat = self._button("new-chat", "chat.new", self.tr("New chat"))
        self._show_panel = self._button("panel-right", "view.panel", self.tr("Show the live panel"))
        self.pair = PairButton(theme)
        self.pair.clicked.connect(self.models_wanted)
        self.loading = LoadingBar(theme)
        self.loading.cancelled.connect(session.life.cancel_load)
        self.badge = QPushButton()
        self.badge.clicked.connect(self.refusal_wanted)
        self.gamma = QSpinBox()
        self.gamma.setRange(0, MOST_GAMMA)
        self.gamma.setPrefix("γ ")
        self.gamma.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.gamma.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.gamma.lineEdit().setReadOnly(True)
        self.gamma.valueChanged.connect(session.choose_gamma)
        self.auto = QPushButton()
        self.auto.setProperty("look", "quiet")
        self.auto.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.auto.clicked.connect(self._press_beside_gamma)
        choices = [
            (Mode.SPECULATIVE, self.tr("Speculative")),
            (Mode.PLAIN, self.tr("Plain")),
            (Mode.COMPARE, self.tr("Compare")),
        ]
        self.modes = Segments(theme, choices, self.tr("How the next message is answered"))
        self.modes.chosen.connect(lambda mode: session.choose_mode(Mode(mode)))
        self._explain_modes()

    def _explain_modes(self) -> None:
        tips = {
            Mode.SPECULATIVE: self.tr(
                "The draft guesses, the target checks: its own words, sooner"
            ),
            Mode.PLAIN: self.tr("The target writes alone, one token at a time"),
            Mode.COMPARE: self.tr("Both ways side by side, to see what drafting is worth"),
        }
        for mode, tip in tips.items():
            keys = shown(self._actions[f"mode.{mode}"].shortcut())
            self.modes.button(mode).setToolTip(f"{tip}  ·  {keys}")

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.addWidget(self._show_sidebar)
        row.addWidget(self._new_chat)
        # Its cell takes the room that is left; the button itself only what it needs.
        middle = Qt.AlignmentFlag.AlignVCenter
        row.addWidget(self.pair, 1, Qt.AlignmentFlag.AlignLeft | middle)
        row.addWidget(self.loading, 1, middle)
        row.addWidget(self.badge)
        row.addWidget(self.gamma)
        row.addWidget(self.auto)
        row.addWidget(self.modes)
        row.addWidget(self._show_panel)

    def _measure(self) -> None:
        space = self._theme.space
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(space(3), 0, space(3), 0)
        layout.setSpacing(space(2.5))
        self.setFixedHeight(space(12.25))
        self.gamma.setFixedSize(max(space(31), self._widest_gamma() + space(17)), space(8))
        self.auto.setFixedHeight(space(8))
        self._mode_widths = self._widths_of_modes()
        self._make_room()

    def _widest_gamma(self) -> int:
        suffixes = (self.tr(" auto"), self.tr(" best"), self.tr(" guess"))
        metrics = QFontMetrics(self._theme.font(Type.BODY))
        return max(metrics.horizontalAdvance(f"γ {MOST_GAMMA}{suffix}") for suffix in suffixes)

    def _widths_of_modes(self) -> tuple[int, int]:
        """Of the switch with room around its words, and with as little as may be."""
        widths = []
        for is_tight in (False, True):
            self.modes.set_tight(is_tight)
            widths.append(self.modes.sizeHint().width())
        return widths[0], widths[1]

    def _button(self, drawing: str, action: str, name: str) -> IconButton:
        button = IconButton(self._theme, drawing, name)
        button.set_name(name, shown(self._actions[action].shortcut()))
        button.clicked.connect(self._actions[action].trigger)
        return button

    # Telling -------------------------------------------------------------------------------------

    def _tell_pair(self, ready: Ready | None) -> None:
        if ready is None:
            name = self._session.life.name
            is_lost = self._session.life.life is Life.LOST
            below = self.tr("The engine stopped") if is_lost else self.tr("Not loaded")
            choose = self.tr("Choose a model")
            self.pair.tell(name or choose, "", below if name else self.tr("Nothing is loaded"))
            return
        size = numbers.size(weights(ready))
        threads = self.tr("1 thread") if ready.threads == 1 else self.tr("{n} threads")
        threads = threads.format(n=ready.threads)
        place = " · ".join(map(numbers.isolated, (devices(ready), threads, size)))
        self.pair.tell(short_name(ready.target), self._drafting(ready), place)
        self._tell_badge(ready)

    def _drafting(self, ready: Ready) -> str:
        """Who drafts, or why nobody does."""
        if ready.draft is None or not ready.verdict.ok:
            return ""
        if self._session.gamma == 0:
            is_chosen = self._session.settings.gamma == 0
            return self.tr("not drafting") if is_chosen else self.tr("plain is faster here")
        return self.tr("drafted by {name}").format(name=draft_name(ready.target, ready.draft))

    def _tell_badge(self, ready: Ready) -> None:
        has_none = ready.verdict.code == "no-draft"
        text = self.tr("No draft") if has_none else self.tr("Speculation is off")
        self.badge.setText(text)
        reason = translated(ready.verdict.code, ready.verdict.reason)
        self.badge.setToolTip(plain_tip(reason))
        self.badge.setAccessibleName(f"{text}: {reason}")

    def _tell_gamma(self) -> None:
        self.gamma.blockSignals(True)
        self.gamma.setValue(self._session.gamma)
        self.gamma.blockSignals(False)
        chosen = self._session.settings.gamma is not None
        auto = self._session.auto
        record = self._session.life.ready.tuning if self._session.life.ready else None
        tip = self.tr("γ: how many tokens the draft guesses in each round")
        if auto is not None:
            self.gamma.setSuffix(self.tr(" auto"))
        elif chosen:
            self.gamma.setSuffix("")
        elif record is not None:
            self.gamma.setSuffix(self.tr(" best"))
        else:
            self.gamma.setSuffix(self.tr(" guess"))
            tip = self.tr("{tip}; a guess until it is tuned").format(tip=tip)
        keys = f"{shown('Alt+-')} {shown('Alt++')}"
        self.gamma.setToolTip(f"{tip}  ·  {keys}")
        self.gamma.setAccessibleName(tip)
        self._tell_auto(auto, is_tuned=record is not None)

    def _tell_auto(self, auto: Choice | None, *, is_tuned: bool) -> None:
        """Beside a guess, the way to know; beside what is known, Auto."""
        is_on = self._session.settings.auto_gamma
        action = self._actions[self._beside_gamma]
        self.auto.setText(self.tr("Auto") if is_tuned or is_on else self.tr("Tune"))
        self.auto.setCheckable(is_tuned or is_on)
        self.auto.setChecked(is_on)
        is_free = self._session.phase is Phase.READY
        self.auto.setEnabled(is_free or action.objectName() == "gamma.each")
        if auto is not None:
            said = words.reason(auto)
        elif is_tuned:
            said = self.tr("Choose γ anew for each reply, from how often drafts were accepted")
        elif is_on:
            said = self.tr("Auto waits until this pair is tuned; until then γ is a guess")
        else:
            said = self.tr("Measure which γ is best for this pair on this computer")
        self.auto.setToolTip(f"{said}  ·  {shown(action.shortcut())}")
        self.auto.setAccessibleDescription(said)

    def _press_beside_gamma(self) -> None:
        self._actions[self._beside_gamma].trigger()

    @property
    def _beside_gamma(self) -> str:
        """The command of the button beside γ."""
        ready = self._session.life.ready
        is_tuned = ready is not None and ready.tuning is not None
        return "gamma.each" if is_tuned or self._session.settings.auto_gamma else "gamma.tune"

    def _make_room(self) -> None:
        """What matters least gives way first: where it runs, room around words, the stepper, and
        while something is loaded the modes too."""
        self.pair.shorten(self.width() < self._theme.space(_WIDE))
        can = self._session.can_speculate
        head = self.pair if self.loading.isHidden() else self.loading
        loose, tight = self._mode_widths
        # The words of the modes give way before the pair's names do.
        whole = self.pair.sizeHint().width() - self.pair.minimumSizeHint().width()
        beside = self.auto.sizeHint().width() + self._theme.space(2.5)
        is_tight = self._needed(loose, head, stepper=can) + can * beside + whole > self.width()
        self.modes.set_tight(is_tight)
        self.modes.setFixedWidth(tight if is_tight else loose)
        is_loaded = self._session.life.ready is not None
        fit = head is self.pair or self._needed(tight, head, stepper=False) <= self.width()
        self.modes.setVisible(is_loaded and fit)
        least = self._needed(tight, head, stepper=True)
        self.gamma.setVisible(can and least <= self.width())
        self.auto.setVisible(can and least + beside <= self.width())

    def _needed(self, modes: int, head: QWidget, *, stepper: bool) -> int:
        """How wide the bar must be with modes so wide; ``head``, the pair or what is loaded, may
        lose its end."""
        layout = self.layout()
        assert layout is not None
        buttons = (self._show_sidebar, self._new_chat, self._show_panel, self.badge, *self._taken)
        widths = [each.sizeHint().width() for each in buttons if not each.isHidden()]
        widths += [max(head.minimumSizeHint().width(), head.minimumWidth()), modes]
        widths += [self.gamma.width()] if stepper else []
        margins = layout.contentsMargins()
        gaps = layout.spacing() * (len(widths) + 1)
        return sum(widths) + gaps + margins.left() + margins.right()
