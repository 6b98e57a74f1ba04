"""May this draft serve this target? A verdict with its reason, from the vocabularies alone.

The rule is llama.cpp's own (``common_speculative_are_compatible``, common/speculative.cpp): both
models must mean the same by each token id, or a drafted id would be another word to the target.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

MAX_SIZE_DIFFERENCE = 128
"""Rows two vocabularies may differ by (``SPEC_VOCAB_MAX_SIZE_DIFFERENCE``): padding, not words."""

FIRST_CHECKED_TOKEN = 5
"""Ids below are control tokens, whose names may differ (``SPEC_VOCAB_CHECK_START_TOKEN_ID``)."""

# What a file calls its tokenizer -> the kind llama.cpp makes of it, in words.
_KINDS = {
    "llama": "SentencePiece",
    "gpt2": "byte-level BPE",
    "gemma4": "byte-level BPE",
    "hybriddna": "byte-level BPE",
    "whitespace": "byte-level BPE",
    "bert": "WordPiece",
    "t5": "Unigram",
    "rwkv": "RWKV",
    "plamo2": "PLaMo-2",
}


@dataclass(frozen=True)
class VocabularyFacts:
    """What pairing compares of one model.

    Attributes:
        kind: ``tokenizer.ggml.model`` ("gpt2", "llama"); "" or "none" where there is no vocabulary.
        size: Number of tokens.
        add_bos: Whether a prompt begins with ``bos``; None where the file leaves it to llama.cpp.
        bos: Id of the beginning-of-text token; None where the file does not say.
        add_eos: Whether a prompt ends with ``eos``; None as above.
        eos: Id of the end-of-text token; None as above.
        texts: How the file writes each token, by id; empty where they need no (further) comparing.
        digests: What `outline` keeps of them.
    """

    kind: str
    size: int
    add_bos: bool | None
    bos: int | None
    add_eos: bool | None
    eos: int | None
    texts: Sequence[bytes]
    digests: tuple[bytes, ...] = ()

    def outline(self) -> VocabularyFacts:
        """The same with 2 kB of digests for the texts: enough for a verdict, not to name a token.

        ``digests[i]`` is of the texts that are compared with a vocabulary i tokens smaller.
        """
        return replace(self, texts=(), digests=_digests(self.texts))


@dataclass(frozen=True)
class Verdict:
    """Whether a draft may serve a target.

    Attributes:
        ok: The pair may speculate.
        code: Which rule failed: "no-vocabulary", "kind", "add-bos", "bos", "add-eos", "eos", "size"
            or "text"; "" when ok.
        reason: Names the field and both values, as the middle of a sentence; "" when ok.
    """

    ok: bool
    code: str = ""
    reason: str = ""


_OK = Verdict(ok=True)


def verdict(target: VocabularyFacts, draft: VocabularyFacts) -> Verdict:
    """Judge a pair; the cheapest rules go first, the texts last.

    A field that one file leaves out (None) counts as agreeing: llama.cpp fills it by its own rules,
    and the loaded models' real values are judged again by this same function.
    """
    return (
        _compare_kinds(target, draft)
        or _compare_ends("bos", target.add_bos, target.bos, draft.add_bos, draft.bos)
        or _compare_ends("eos", target.add_eos, target.eos, draft.add_eos, draft.eos)
        or _compare_sizes(target, draft)
        or _compare_texts(target, draft)
        or _OK
    )


def _refused(code: str, reason: str) -> Verdict:
    return Verdict(ok=False, code=code, reason=reason)


def _compare_kinds(target: VocabularyFacts, draft: VocabularyFacts) -> Verdict | None:
    for role, facts in (("target", target), ("draft", draft)):
        if facts.kind in ("", "none"):
            return _refused("no-vocabulary", f"the {role} has no vocabulary in its file")
    if _KINDS.get(target.kind, target.kind) == _KINDS.get(draft.kind, draft.kind):
        return None
    return _refused(
        "kind",
        f"the target's tokenizer is {_kind_in_words(target)} and the draft's is "
        f"{_kind_in_words(draft)}",
    )


def _kind_in_words(facts: VocabularyFacts) -> str:
    name = _KINDS.get(facts.kind)
    written = f'"{facts.kind}", {facts.size:,} tokens'
    return f"{name} ({written})" if name else f"of an unknown kind ({written})"


def _compare_ends(
    field: str,
    target_adds: bool | None,
    target_id: int | None,
    draft_adds: bool | None,
    draft_id: int | None,
) -> Verdict | None:
    """BOS or EOS: whether prompts get it and, where they do, which id it is."""
    if None not in (target_adds, draft_adds) and target_adds != draft_adds:
        return _refused(
            f"add-{field}",
            f"the target {_adds(field, target_adds)} and the draft {_adds(field, draft_adds)}",
        )
    # Where one adds it and the other does not say, different ids are wrong either way.
    added = target_adds or draft_adds
    if added and None not in (target_id, draft_id) and target_id != draft_id:
        return _refused(
            field,
            f"the {field.upper()} token is {target_id} in the target and {draft_id} in the draft",
        )
    return None


def _adds(field: str, adds: bool | None) -> str:
    where = "begins" if field == "bos" else "ends"
    if adds:
        return f"{where} its prompts with a {field.upper()} token (add_{field} is true)"
    return f"adds no {field.upper()} token (add_{field} is false)"


def _compare_sizes(target: VocabularyFacts, draft: VocabularyFacts) -> Verdict | None:
    apart = abs(target.size - draft.size)
    if apart <= MAX_SIZE_DIFFERENCE:
        return None
    return _refused(
        "size",
        f"the target's vocabulary has {target.size:,} tokens and the draft's {draft.size:,}, "
        f"{apart:,} apart where at most {MAX_SIZE_DIFFERENCE} can be padding",
    )


def _compare_texts(target: VocabularyFacts, draft: VocabularyFacts) -> Verdict | None:
    if not (target.texts and draft.texts):
        return _compare_digests(target, draft)
    shared = slice(FIRST_CHECKED_TOKEN, min(len(target.texts), len(draft.texts)))
    ours, theirs = list(target.texts[shared]), list(draft.texts[shared])
    if ours == theirs:  # one comparison in C for 152,000 equal texts
        return None
    for token, (a, b) in enumerate(zip(ours, theirs, strict=True), start=FIRST_CHECKED_TOKEN):
        if _as_c_text(a) != _as_c_text(b):
            return _refused(
                "text",
                f"token {token} reads {_shown(a)} in the target ({target.size:,} tokens) and "
                f"{_shown(b)} in the draft ({draft.size:,} tokens)",
            )
    return None


def _compare_digests(target: VocabularyFacts, draft: VocabularyFacts) -> Verdict | None:
    """As above where one side is an outline; it cannot say which token differs."""
    if not all(facts.texts or facts.digests for facts in (target, draft)):
        return None
    target, draft = (facts.outline() if facts.texts else facts for facts in (target, draft))
    shared = min(target.size, draft.size)
    if target.digests[target.size - shared] == draft.digests[draft.size - shared]:
        return None
    return _refused("text", "some tokens read otherwise in the target than in the draft")


def _digests(texts: Sequence[bytes]) -> tuple[bytes, ...]:
    whole = b"".join(texts)
    ends = [_as_c_text(text) for text in texts] if b"\0" in whole else texts
    # A zero byte ends each: no other texts hash the same bytes.
    running = hashlib.blake2b(digest_size=16)
    tail = max(len(ends) - MAX_SIZE_DIFFERENCE, FIRST_CHECKED_TOKEN)
    running.update(b"".join(text + b"\0" for text in ends[FIRST_CHECKED_TOKEN:tail]))
    digests = [running.digest()]
    for text in ends[tail:]:
        running.update(text + b"\0")
        digests.append(running.digest())
    # One that is much smaller than a few tokens shares none that are compared.
    short = MAX_SIZE_DIFFERENCE + 1 - len(digests)
    return (*reversed(digests), *[hashlib.blake2b(digest_size=16).digest()] * short)


def _as_c_text(text: bytes) -> bytes:
    """What llama.cpp's ``strcmp`` sees of a token: it ends at the first zero byte."""
    return text.split(b"\0", 1)[0]


def _shown(text: bytes) -> str:
    """A token's text in quotes, short, with nothing in it that a terminal would obey."""
    decoded = text.decode("utf-8", errors="backslashreplace")
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in decoded)
    return f'"{safe}"' if len(safe) <= 40 else f'"{safe[:39]}…"'
