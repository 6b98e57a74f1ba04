"""What is typed while a reply streams: edited unseen, and kept until it is its turn."""

from __future__ import annotations

STOP = "/stop"

PASTES_ON, PASTES_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""Ask a terminal to mark what is pasted, or no longer ("bracketed paste", as xterm has it)."""

_PASTED, _PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
_ESCAPE, _BACKSPACE, _CLEAR = b"\x1b", (b"\x7f", b"\x08"), b"\x15"


class Typed:
    """Lines that are ready, and one that has been begun. Of a paste all lines are one."""

    def __init__(self) -> None:
        self._ready: list[str] = []
        self._begun = b""
        self._paste: bytes | None = None

    @property
    def has_line(self) -> bool:
        return bool(self._ready)

    @property
    def in_paste(self) -> bool:
        """Whether more of a paste is on its way."""
        return self._paste is not None

    def feed(self, keys: bytes) -> bool:
        """Take in keys that came together; whether they ask to stop: Escape alone, or a /stop."""
        if self._paste is not None:
            return self._add_to_paste(keys)
        typed, mark, pasted = keys.partition(_PASTED)
        stop = self._add(typed)
        return (self._add_to_paste(pasted) or stop) if mark else stop

    def _add(self, keys: bytes) -> bool:
        if keys.startswith(_ESCAPE):  # an arrow or the like, where there is nothing to move in
            return keys == _ESCAPE
        stop = False
        for key in keys.replace(b"\r", b"\n"):
            stop |= self._edit(bytes((key,)))
        return stop

    def _edit(self, key: bytes) -> bool:
        if key in _BACKSPACE:
            self._begun = _text(self._begun)[:-1].encode()
        elif key == _CLEAR:
            self._begun = b""
        elif key == b"\n":
            return self._end_line()
        else:
            self._begun += key
        return False

    def _end_line(self) -> bool:
        line, self._begun = _text(self._begun), b""
        if line.strip().lower() == STOP:
            return True
        self._ready.append(line)
        return False

    def _add_to_paste(self, keys: bytes) -> bool:
        """The mark at a paste's end may itself come in two parts."""
        pasted, mark, rest = ((self._paste or b"") + keys).partition(_PASTE_ENDS)
        self._paste = pasted
        if not mark:
            return False
        self._end_paste()
        return self.feed(rest)

    def _end_paste(self) -> None:
        pasted, self._paste = self._paste or b"", None
        self._begun += pasted.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def take(self) -> str:
        """The next line that is ready."""
        return self._ready.pop(0)

    def rest(self) -> str:
        """What was begun and not ended."""
        self._end_paste()
        text, self._begun = _text(self._begun), b""
        return text


def _text(typed: bytes) -> str:
    return typed.decode("utf-8", errors="replace")
