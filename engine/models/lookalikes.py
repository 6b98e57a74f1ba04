"""What a file is that is not a GGUF, from its first bytes, in words for a person."""

from __future__ import annotations

_BEGINNINGS = (
    (b"version https://git-lfs", "it is a Git LFS pointer, not the file it points to"),
    (b"PK\x03\x04", "it is a zip archive or a PyTorch checkpoint"),
    (b"\x80\x02", "it is a Python pickle, such as a PyTorch checkpoint"),
    (b"\x80\x03", "it is a Python pickle, such as a PyTorch checkpoint"),
    (b"\x80\x04", "it is a Python pickle, such as a PyTorch checkpoint"),
    (b"\x80\x05", "it is a Python pickle, such as a PyTorch checkpoint"),
    (b"\x89HDF", "it is an HDF5 file"),
    (b"\x1f\x8b", "it is compressed with gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"),
    (b"\xfd7zXZ", "it is compressed with xz; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive; unpack it first"),
    # The formats before GGUF, whose magic numbers were written in the machine's byte order.
    (b"lmgg", "it is in the old GGML format, which llama.cpp no longer reads"),
    (b"fmgg", "it is in the old GGMF format, which llama.cpp no longer reads"),
    (b"tjgg", "it is in the old GGJT format, which llama.cpp no longer reads"),
    (b"algg", "it is an old GGLA adapter, which llama.cpp no longer reads"),
    (b"FUGG", "it was written for big-endian machines"),
)


def what_it_is(start: bytes) -> str:
    """Say what a file that begins with ``start`` (64 bytes, or the whole file) looks like."""
    for beginning, reason in _BEGINNINGS:
        if start.startswith(beginning):
            return reason
    if len(start) < 8:
        return f"it has only {len(start)} bytes" if start else "it is empty"
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32:
        return "it is a safetensors file; a GGUF of the same model is needed"
    if not any(start):
        return "it begins with zeros, as a download does that never finished"
    return _what_text_it_is(start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1])


def _what_text_it_is(first: bytes) -> str:
    if first == b"<":
        return "it looks like a web page, perhaps an error page saved under this name"
    if first in (b"{", b"["):
        return "it looks like JSON, perhaps an error message saved under this name"
    return "it does not begin as a GGUF file does"
