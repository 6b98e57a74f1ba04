"""What ggml can compute with, as the worker tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """One of ggml's compute devices; memory in bytes.

    ``kind``: "cpu", "gpu", "igpu" (which shares the computer's memory), "accelerator" …
    """

    name: str
    description: str
    kind: str
    memory_free: int
    memory_total: int

    @property
    def is_gpu(self) -> bool:
        return self.kind in ("gpu", "igpu")

    @property
    def shares_memory(self) -> bool:
        """Whether it computes in the computer's own memory, as Apple's do."""
        return self.kind == "igpu" or self.name.startswith(("MTL", "Metal"))
