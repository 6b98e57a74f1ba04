"""How far a load is, in the place of the pair."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.controls import Text
from app.sentences import said
from app.theme import Theme, Type


class LoadingBar(QWidget):
    """A line, a bar, and the way to give it up.

    Signals:
        cancelled: A person wants none of it.
    """

    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.what = Text(theme, "", Type.BODY, elided=True)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Loading"))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setProperty("look", "quiet")
        self.cancel.clicked.connect(self._give_up)
        self._lines = QVBoxLayout()
        self._lines.addStretch()
        self._lines.addWidget(self.what)
        self._lines.addWidget(self.bar)
        self._lines.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(self._lines, 1)
        row.addWidget(self.cancel)
        theme.changed.connect(self._measure)
        self._measure()

    def begin(self, name: str) -> None:
        """A load begins."""
        self.cancel.setEnabled(True)
        self.tell(0.0, self.tr("Starting the engine for {name}").format(name=name))

    def tell(self, fraction: float, what: str) -> None:
        """So much is done."""
        doing = said(what)
        self.what.setText(f"{doing} …" if self.cancel.isEnabled() else self.tr("Stopping …"))
        self.bar.setValue(round(1000 * fraction))
        self.bar.setAccessibleDescription(doing)

    def _give_up(self) -> None:
        self.cancel.setEnabled(False)  # seen at once, whatever the engine does
        self.what.setText(self.tr("Stopping …"))
        self.cancelled.emit()

    def _measure(self) -> None:
        self.bar.setFixedHeight(self._theme.space(1))
        self._lines.setSpacing(self._theme.space(1))
        self.setMinimumWidth(self._theme.space(50))
