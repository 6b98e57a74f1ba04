"""The window's language: which one holds, and its translations."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from engine import paths
from engine.errors import FileMissing

SOURCE = "en"
"""What the strings in the code are written in."""

TRANSLATED = ("de",)


def language(choice: str) -> str:
    """The language that ``choice`` means: one of ours, or the system's first that we have."""
    if choice != "system":
        return choice
    wanted = (QLocale(tag).language() for tag in QLocale.system().uiLanguages())
    ours = {QLocale(code).language(): code for code in (SOURCE, *TRANSLATED)}
    return next((ours[found] for found in wanted if found in ours), SOURCE)


def speak(app: QCoreApplication, choice: str) -> str:
    """Have ``app`` speak the language that ``choice`` means, from before its first widget on.

    Returns the language's code. Where a translation is missing the code's own strings are shown.
    """
    code = language(choice)
    system = QLocale.system()
    # The numbers of a language that is not the system's are written as that language writes them.
    same = system.language() == QLocale(code).language()
    QLocale.setDefault(system if same else QLocale(code))
    if code != SOURCE:
        _add(app, f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        try:
            _add(app, f"foreword_{code}", str(paths.asset("translations")))
        except FileMissing:
            return SOURCE
    return code


def _add(app: QCoreApplication, name: str, folder: str) -> None:
    translator = QTranslator(app)
    if translator.load(name, folder):
        app.installTranslator(translator)
