"""Why a file, a pair or a download is not as it should be, as the engine says it. Data only."""

from __future__ import annotations

REASONS = (
    # What a file is that is no model to chat with.
    "it is a projector, which lets another model see pictures or hear",
    "it is an embedding model, which turns texts into numbers for searching",
    "it is a reranker, which judges how well a text answers a question",
    "it is an adapter (LoRA), which changes another model",
    "it holds statistics for quantising (an importance matrix), and no model",
    "it is a part of a speech model",
    "it writes whole texts by diffusion and not token by token",
    "it drafts from its target's inner states, which Foreword does not use",
    "it is an encoder with a decoder, and only decoders are run here",
    "it has no vocabulary, so it is no language model",
    "it holds a vocabulary and no weights",
    "a projector was packed into it, as Ollama does, and llama.cpp wants that apart",
    # What a file is that is no GGUF.
    "it is a Git LFS pointer, not the file it points to",
    "it is a zip archive or a PyTorch checkpoint",
    "it is a Python pickle, such as a PyTorch checkpoint",
    "it is an HDF5 file",
    "it is compressed with {method}; unpack it first",
    "it is a 7-Zip archive; unpack it first",
    "it is in the old {format} format, which llama.cpp no longer reads",
    "it is an old GGLA adapter, which llama.cpp no longer reads",
    "it was written for big-endian machines",
    "it has only {count} bytes",
    "it is empty",
    "it is a safetensors file; a GGUF of the same model is needed",
    "it begins with zeros, as a download does that never finished",
    "it looks like a web page, perhaps an error page saved under this name",
    "it looks like JSON, perhaps an error message saved under this name",
    "it does not begin as a GGUF file does",
    "it does not say what architecture it has",
    "it is in version 1 of the format, which llama.cpp no longer reads",
    "it is in version {version} of the format, and 2 and 3 are known",
    "{count} of its vocabulary's texts are there twice",
    (
        "it is quantised as {quantisation}, which was removed from llama.cpp; fetch the model's "
        "Q4_0 file instead"
    ),
    "its architecture {name} needs a newer llama.cpp; update Foreword or choose another file",
    "its tensor type {number} needs a newer llama.cpp; update Foreword or choose another file",
    "it is not a regular file",
    "the link leads nowhere",
    # Why a model is no draft for another.
    "it is the target itself",
    "it is larger than the target, so it would only slow it down",
    "it is not much smaller than the target, so it would save no time",
    # Where models are looked for.
    "There is no folder at {folder}.",
    "The folder {folder} cannot be read ({why}).",
    "{path} cannot be read as one of Ollama's lists. The model is passed over.",
    # Where bytes come from, and why they do not.
    "the Hugging Face Hub",
    "a Python package index",
    "the system's keyring",
    "it does not answer",
    "the connection fell silent",
    "no connection within {seconds} seconds",
    "the proxy refuses",
    "it leads in circles",
    "that is no address of the web",
    "the connection ended early",
    "its certificate is not trusted by this computer",
    "HF_HUB_OFFLINE forbids asking it",
    "the answer is far too long",
    "it is not JSON",
    "it sent no list of models",
    "it named no commit",
    "the sha256 differs",
    "SOCKS is not supported",
    "not an address",
)
"""What stands in the gaps of errors, in verdicts and in notes; `app.sentences` translates them."""
