"""A loaded model's vocabulary: text to ids and back, ends of generation, what to never emit."""

from __future__ import annotations

import ctypes
from functools import cached_property

import llama_cpp

from engine.pairing import VocabularyFacts

_KINDS = {0: "none", 1: "llama", 2: "gpt2", 3: "bert", 4: "t5", 5: "rwkv", 6: "plamo2"}
_CONTROL = 1 << 3  # LLAMA_TOKEN_ATTR_CONTROL


class Vocabulary:
    """``llama_vocab`` of one model. Token ids are plain ints, text that leaves it is bytes."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.size: int = llama_cpp.llama_vocab_n_tokens(handle)
        self.kind: str = _KINDS.get(llama_cpp.llama_vocab_type(handle), "other")
        self.bos: int = llama_cpp.llama_vocab_bos(handle)
        self.eos: int = llama_cpp.llama_vocab_eos(handle)
        self.add_bos: bool = llama_cpp.llama_vocab_get_add_bos(handle)
        self.add_eos: bool = llama_cpp.llama_vocab_get_add_eos(handle)
        self._pieces: dict[int, bytes] = {}
        self._buffer = ctypes.create_string_buffer(64)

    @cached_property
    def ends(self) -> frozenset[int]:
        """Every end-of-generation id (``llama_vocab_is_eog``); a set, for models have several."""
        is_end = llama_cpp.llama_vocab_is_eog
        return frozenset(i for i in range(self.size) if is_end(self._handle, i))

    @cached_property
    def control(self) -> dict[int, str]:
        """Control ids and how each is written (``<|im_start|>`` and its like)."""
        attributes = llama_cpp.llama_vocab_get_attr
        ids = (i for i in range(self.size) if attributes(self._handle, i) & _CONTROL)
        return {i: self.text(i) for i in ids}

    @cached_property
    def suppressed(self) -> tuple[int, ...]:
        """Ids the model's maker bans from output (``llama_vocab_get_suppress_tokens``)."""
        count = ctypes.c_int32()
        ids = llama_cpp.llama_vocab_get_suppress_tokens(self._handle, ctypes.byref(count))
        return tuple(ids[: count.value]) if count.value else ()

    def facts(self) -> VocabularyFacts:
        """llama.cpp's own reading of the fields that pairing compares; the texts are the file's."""
        return VocabularyFacts(
            kind=self.kind,
            size=self.size,
            add_bos=self.add_bos,
            bos=self.bos,
            add_eos=self.add_eos,
            eos=self.eos,
            texts=(),
        )

    def text(self, token: int) -> str:
        """How the file writes ``token``; "" for an id that is not there (-1 is "no such token")."""
        if not 0 <= token < self.size:
            return ""
        written: bytes | None = llama_cpp.llama_vocab_get_text(self._handle, token)
        return (written or b"").decode("utf-8", errors="replace")

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids of ``text``, nothing added (``llama_tokenize``).

        ``special``: whether control tokens written out in ``text`` become those tokens.
        """
        raw = text.encode("utf-8", errors="replace")
        room = len(raw) + 8
        while True:
            ids = (llama_cpp.llama_token * room)()
            count = llama_cpp.llama_tokenize(self._handle, raw, len(raw), ids, room, False, special)
            if count >= 0:
                return list(ids[:count])
            room = -count

    def piece(self, token: int) -> bytes:
        """The bytes ``token`` adds to the text; b"" for control (``llama_token_to_piece``)."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token)
        return known

    def _read_piece(self, token: int) -> bytes:
        if not 0 <= token < self.size:  # llama.cpp would end the process
            return b""
        for _attempt in range(2):
            size = len(self._buffer)
            written = llama_cpp.llama_token_to_piece(
                self._handle, token, self._buffer, size, 0, False
            )
            if written >= 0:
                return self._buffer.raw[:written]
            self._buffer = ctypes.create_string_buffer(-written)  # a negative count is the need
        return b""
