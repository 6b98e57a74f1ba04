"""Keeps llama.cpp's libraries in ``llama_cpp/lib``, where the binding looks for them.

The compute modules among them are linked by nothing: they are found by their names at run time.
"""

from PyInstaller.utils.hooks import collect_dynamic_libs, copy_metadata

patterns = ["*.so", "*.so.*", "*.dylib", "*.dll", "*.metal"]
binaries = collect_dynamic_libs("llama_cpp", search_patterns=patterns)
datas = copy_metadata("llama-cpp-python")
# Its chat, and all that this imports in turn: engine/llama/__init__.py puts nothing in its place.
excludedimports = ["llama_cpp.llama"]
