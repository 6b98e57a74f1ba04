"""llama.cpp's own programs, built by ``make peer`` from the source of the installed wheel."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from engine.sampling import Sampling

_DECODED = re.compile(r"decoded\s+(\d+) tokens in\s+([\d.]+) seconds")


@dataclass(frozen=True)
class Programs:
    """The folder with ``llama-bench`` and its kin, and how to run two of them."""

    folder: Path
    threads: int
    n_ctx: int = 4096

    def bench(self, model: Path, *, depth: int, tokens: int) -> float:
        """Tokens per second of ``llama-bench`` generating ``tokens`` at ``depth``."""
        arguments = ["-m", model, "-p", 0, "-n", tokens, "-d", depth, "-r", 1, "-o", "json"]
        out = self._run("llama-bench", [*arguments, "-t", self.threads, "-ub", 128, "-fa", "auto"])
        return float(json.loads(out.stdout)[-1]["avg_ts"])

    def speculative(
        self,
        target: Path,
        draft: Path,
        prompt: str,
        *,
        gamma: int,
        tokens: int,
        sampling: Sampling,
        seed: int,
    ) -> float:
        """Tokens per second of ``llama-speculative-simple`` after its prompt."""
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(prompt + "\n")  # it takes one newline off
            file.flush()
            out = self._run(
                "llama-speculative-simple",
                [
                    *("-m", target, "-md", draft, "--spec-type", "draft-simple", "-f", file.name),
                    *("--no-escape", "-n", tokens, "-c", self.n_ctx, "-ub", 128, "-fa", "auto"),
                    *("-t", self.threads, "-tb", self.threads, "-s", seed),
                    *("--spec-draft-n-max", gamma, "--temp", sampling.temperature),
                    *("--top-k", sampling.top_k, "--top-p", sampling.top_p),
                    *("--min-p", sampling.min_p),
                ],
            )
        found = _DECODED.search(out.stderr) or _DECODED.search(out.stdout)
        if found is None:
            raise RuntimeError(f"llama-speculative-simple said nothing of its speed: {out.stderr}")
        return int(found[1]) / float(found[2])

    def _run(self, name: str, arguments: list[object]) -> subprocess.CompletedProcess[str]:
        command = [str(self.folder / name), *map(str, arguments)]
        # A reply may end within a character.
        how = {"encoding": "utf-8", "errors": "replace"}
        return subprocess.run(command, capture_output=True, check=True, **how)
