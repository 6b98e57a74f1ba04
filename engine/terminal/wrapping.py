"""Breaks a streaming text between words, though nobody knows yet how long a word gets."""

from __future__ import annotations

from rich.cells import cell_len

_FENCE = "```"


class Wrap:
    """Turns text into what a terminal is to be sent.

    A word that outgrows its line is taken back and begun again on the next. Code between fences is
    left to the terminal, so that it can be copied as it is.
    """

    def __init__(self) -> None:
        self._column = 0
        self._line = ""
        self._word = 0  # columns of the word at the end, all of its characters one wide
        self._in_code = False

    def feed(self, text: str, width: int) -> str:
        """What to send for ``text`` on a terminal of ``width`` columns."""
        return "".join(self._character(character, width) for character in text)

    def _character(self, character: str, width: int) -> str:
        if character == "\n":
            if self._line.lstrip().startswith(_FENCE):
                self._in_code = not self._in_code
            self._line, self._column, self._word = "", 0, 0
            return character
        self._line += character
        if self._in_code or self._line.lstrip().startswith(_FENCE):
            return character
        if self._column >= width:  # the terminal goes on in the next line by itself
            self._column = 0
        cells = cell_len(character)
        # The last column stays free: a cursor behind it is where terminals disagree.
        full = self._column + cells >= width and character != " "
        before = self._break(width) if full else ""
        self._column += cells
        # Between wide characters a line may break anywhere.
        self._word = self._word + 1 if cells == 1 and character != " " else 0
        return before + character

    def _break(self, width: int) -> str:
        """Begin a new line, with the word that does not fit."""
        word = self._word
        if word >= width - 1:  # nor would it fit there: let the terminal cut it
            return ""
        self._column = word
        if not word:
            return "\n"
        taken = self._line[-1 - word : -1]
        return f"\x1b[{word}D\x1b[K\n{taken}"
