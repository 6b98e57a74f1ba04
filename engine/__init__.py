"""The engine: exact speculative decoding over llama.cpp, without Qt."""

__version__ = "0.1.0"
