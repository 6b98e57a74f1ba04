"""What one GGUF file is, from its header: all that a list of models and pairing need of it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace

from engine.errors import FileUnreadable, GgufDamaged, GgufUnsupported, ShardsJoined
from engine.models.architectures import ARCHITECTURES, may_know_more
from engine.models.header import REMOVED_TYPES, TENSOR_TYPES, Header, TensorInfo
from engine.models.kinds import Kind, kind_of
from engine.pairing import VocabularyFacts

QUANTISATIONS: Mapping[int, str] = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    21: "Q2_K_S",
    22: "IQ3_XS",
    23: "IQ3_XXS",
    24: "IQ1_S",
    25: "IQ4_NL",
    26: "IQ3_S",
    27: "IQ3_M",
    28: "IQ2_S",
    29: "IQ2_M",
    30: "IQ4_XS",
    31: "IQ1_M",
    32: "BF16",
    36: "TQ1_0",
    37: "TQ2_0",
    38: "MXFP4",
    39: "NVFP4",
    40: "Q1_0",
    41: "Q2_0",
}
"""``general.file_type`` -> its usual name (``llama_ftype``, include/llama.h)."""

Vocabularies = MutableMapping[str, tuple[bytes, ...]]
"""A digest of a vocabulary's bytes -> `VocabularyFacts.digests`: many files share a vocabulary."""

_EMBEDDING = "token_embd.weight"
_ROWS_ALONE = (_EMBEDDING, "per_layer_token_embd.weight")
_OUTPUT = "output.weight"


@dataclass(frozen=True)
class About:
    """What a file, or a model over several files, is.

    Attributes:
        title: The name its maker gave it, or the file's.
        architecture: As llama.cpp calls it ("qwen2").
        kind: What it is for; ``why_not``: why it cannot chat, "" where it can.
        parameters: Number of weights.
        quantisation: Its usual name ("Q4_K_M"); "" where the file does not say.
        context_length: Tokens it was made to read at once; None where the file does not say.
        has_template: Whether it has a chat template.
        streamed: Bytes of weights that are read for each token, less ``embedding``.
        embedding: Bytes of the table of tokens, which is read for each token too where no output
            table of its own is there (``has_output``).
        vocabulary: The outline of what pairing compares; None where it cannot chat.
        split: (number, count) of a part of a split model, counted from 1; (1, 1) of a whole one.
    """

    title: str
    architecture: str
    kind: Kind
    why_not: str
    parameters: int
    quantisation: str
    context_length: int | None
    has_template: bool
    streamed: int
    embedding: int
    has_output: bool
    vocabulary: VocabularyFacts | None
    split: tuple[int, int]

    @property
    def bytes_per_token(self) -> int:
        """Bytes of weights that one decoding step reads: what its time goes by, if by anything."""
        return self.streamed + (0 if self.has_output else self.embedding)


def about(header: Header, vocabularies: Vocabularies) -> About:
    """Look at one file; ``vocabularies`` grows by one that was not known.

    Raises:
        GgufDamaged, GgufUnsupported, ShardsJoined: llama.cpp could not use the file.
        FileMissing, FileUnreadable: It went away since its header was read.
    """
    _refuse_joined(header)
    split = _split(header)
    if not header.architecture and split[0] == 1:  # the further parts of a model say hardly a thing
        raise GgufDamaged(path=header.path, reason="it does not say what architecture it has")
    kind, why_not = (Kind.CHAT, "") if split[0] > 1 else kind_of(header)
    if kind is Kind.CHAT:
        _refuse_unsupported(header)
    has_words = kind is Kind.CHAT and split[0] == 1
    sizes = {tensor.name: _share(header, tensor) for tensor in header.tensors}
    return About(
        title=header.name,
        architecture=header.architecture,
        kind=kind,
        why_not=why_not,
        parameters=sum(math.prod(tensor.shape) for tensor in header.tensors),
        quantisation=_quantisation(header),
        context_length=header.context_length,
        has_template=header.chat_template is not None,
        streamed=sum(size for name, size in sizes.items() if name not in _ROWS_ALONE),
        embedding=sizes.get(_EMBEDDING, 0),
        has_output=_OUTPUT in sizes,
        vocabulary=_outline(header, vocabularies) if has_words else None,
        split=split,
    )


def joined(parts: Sequence[About]) -> About:
    """The whole that the parts of a split model make, the first of which says what it is."""
    first = parts[0]
    return replace(
        first,
        parameters=sum(part.parameters for part in parts),
        streamed=sum(part.streamed for part in parts),
        embedding=sum(part.embedding for part in parts),
        has_output=any(part.has_output for part in parts),
    )


def _refuse_joined(header: Header) -> None:
    """Parts of a split model that were written one after the other: another GGUF begins inside."""
    if header.file_size == header.size or not header.tensors:
        return
    padding = -header.size % header.alignment  # data begins aligned, so a padded end is aligned too
    if any(_read(header, header.size + gap, 4) == b"GGUF" for gap in (0, padding)):
        raise ShardsJoined(path=header.path)


def _refuse_unsupported(header: Header) -> None:
    for tensor in header.tensors:
        if removed := REMOVED_TYPES.get(tensor.type):
            reason = (
                f"it is quantised as {removed}, which was removed from llama.cpp; fetch the "
                "model's Q4_0 file instead"
            )
            raise GgufUnsupported(path=header.path, reason=reason)
        if tensor.type not in TENSOR_TYPES and not may_know_more():
            raise _too_new(header, f"its tensor type {tensor.type}")
    is_listed = not header.architecture or header.architecture in ARCHITECTURES
    if not is_listed and not may_know_more():
        raise _too_new(header, f"its architecture {header.architecture[:40]}")


def _too_new(header: Header, what: str) -> GgufUnsupported:
    reason = f"{what} needs a newer llama.cpp; update Foreword or choose another file"
    return GgufUnsupported(path=header.path, reason=reason)


def _split(header: Header) -> tuple[int, int]:
    number, count = header.metadata.get("split.no"), header.metadata.get("split.count")
    if not isinstance(number, int) or not isinstance(count, int) or count < 1:
        return 1, 1
    return number + 1, count


def _quantisation(header: Header) -> str:
    stated = header.metadata.get("general.file_type")
    # 1024 is added where the number was guessed from the tensors (LLAMA_FTYPE_GUESSED)
    return QUANTISATIONS.get(stated % 1024, "") if isinstance(stated, int) else ""


def _share(header: Header, tensor: TensorInfo) -> int:
    """Bytes of the tensor that one token needs: of a mixture's experts, those that are used."""
    size = tensor.nbytes or 0
    if "_exps." not in tensor.name:
        return size
    used = header.metadata.get(f"{header.architecture}.expert_used_count")
    count = header.metadata.get(f"{header.architecture}.expert_count")
    if not isinstance(used, int) or not isinstance(count, int) or not 0 < used <= count:
        return size
    return size * used // count


def _outline(header: Header, vocabularies: Vocabularies) -> VocabularyFacts:
    where = header.token_list
    if where is None:
        return header.vocabulary_without_texts()
    raw = _read(header, where.offset, where.length)
    key = hashlib.sha256(raw).hexdigest()
    if key not in vocabularies:
        vocabularies[key] = header.vocabulary().outline().digests
    return replace(header.vocabulary_without_texts(), digests=vocabularies[key])


def _read(header: Header, offset: int, length: int) -> bytes:
    try:
        with open(header.path, "rb") as file:
            file.seek(offset)
            return file.read(length)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileUnreadable(path=header.path, reason=reason) from error
