"""The narrow seam to llama.cpp: the only package that touches ``llama_cpp``."""
