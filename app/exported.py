"""What an exported chat says besides what was said in it, in the user's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app.history import Words


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)


def words() -> Words:
    """For a chat that is exported as Markdown."""
    return Words(
        untitled=_tr("Untitled"),
        system=_tr("System prompt"),
        user=_tr("You"),
        assistant=_tr("Assistant"),
        attachment=_tr("Attachment"),
        tokens=_tr("{n} tokens"),
        tokens_per_second=_tr("{n} tokens/s"),
        accepted=_tr("{n}% of the drafted tokens accepted"),
        stopped=_tr("stopped"),
        length=_tr("cut at the length limit"),
        lost=_tr("cut short: the engine stopped"),
        number=lambda value, digits: QLocale().toString(float(value), "f", digits),
    )
