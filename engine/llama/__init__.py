"""The narrow seam to llama.cpp: the only package that touches ``llama_cpp``.

Of llama-cpp-python only the low-level half is loaded. Its package also imports a chat of its own
(``llama_cpp.llama``), with a server's formats and grammars: 13 MB and 0.1 s that no one here uses.
"""

import sys
from types import ModuleType

_HIGH_LEVEL = "llama_cpp.llama"


def _import_low_level() -> None:
    """Import ``llama_cpp`` with an empty module in its high-level half's place."""
    if "llama_cpp" in sys.modules:
        return
    sys.modules[_HIGH_LEVEL] = ModuleType(_HIGH_LEVEL)
    try:
        __import__("llama_cpp")
    finally:
        del sys.modules[_HIGH_LEVEL]  # whoever asks for it still gets it


_import_low_level()
