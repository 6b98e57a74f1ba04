"""Every error a person can meet, in one place.

An error has a stable ``code`` (for programs), a ``sentence`` (what happened and what to do, for a
person) and a ``detail`` (for a report; it may name paths and quote llama.cpp, never a message's
text)."""

from __future__ import annotations

from typing import ClassVar


class ForewordError(Exception):
    """Base of the catalogue: ``str(error)`` is the sentence a person reads.

    Subclasses set ``code`` and ``template``; the template's fields are the keyword arguments.
    """

    code: ClassVar[str] = "error"
    template: ClassVar[str] = "Something went wrong."

    def __init__(self, detail: str = "", **fields: object) -> None:
        self.detail = detail
        self.fields = fields
        self.sentence = self.template.format(**fields)
        super().__init__(self.sentence)


# Files -----------------------------------------------------------------------------------------


class FileMissing(ForewordError):
    """The path names nothing."""

    code = "file-missing"
    template = "There is no file at {path}. Check the spelling, or choose another file."


class FileIsFolder(ForewordError):
    """The path names a folder where a file is wanted."""

    code = "file-is-folder"
    template = "{path} is a folder. Choose the .gguf file inside it."


class FileUnreadable(ForewordError):
    """The file is there but cannot be opened."""

    code = "file-unreadable"
    template = "{path} cannot be read ({reason}). Check its permissions."


class NotGguf(ForewordError):
    """The file does not begin as a GGUF does; ``reason`` says what it looks like."""

    code = "not-gguf"
    template = "{path} is not a GGUF model: {reason}. Choose another file, or download it again."


class GgufTruncated(ForewordError):
    """The tensor table promises more bytes than the file has."""

    code = "gguf-truncated"
    template = (
        "{path} is incomplete: it has {have:,} bytes and its tensor table needs {need:,}. "
        "Download it again."
    )


class GgufDamaged(ForewordError):
    """The header cannot be read to its end."""

    code = "gguf-damaged"
    template = "{path} is damaged: {reason}. Download it again."


# Loading ---------------------------------------------------------------------------------------


class LoadFailed(ForewordError):
    """llama.cpp could not load a model; its own last words are in ``detail``."""

    code = "load-failed"
    template = "llama.cpp could not load {path}: {reason}."


class LoadCancelled(ForewordError):
    """The user stopped a load."""

    code = "load-cancelled"
    template = "Loading was cancelled. Nothing is loaded now."


class ContextFailed(ForewordError):
    """A context could not be made, most often for want of memory."""

    code = "context-failed"
    template = (
        "There is not enough memory for a context of {n_ctx:,} tokens. "
        "Choose a smaller context, or a smaller model."
    )


class NothingLoaded(ForewordError):
    """A message was sent before a target is loaded."""

    code = "nothing-loaded"
    template = "No model is loaded yet. Load a target first."


class PairRefused(ForewordError):
    """The draft cannot serve this target; ``reason`` names the field and both values."""

    code = "pair-refused"
    template = (
        "This draft cannot serve this target: {reason}. Choose another draft, or chat without one."
    )


# Generating ------------------------------------------------------------------------------------


class PromptTooLong(ForewordError):
    """The prompt alone leaves no room for a reply."""

    code = "prompt-too-long"
    template = (
        "The prompt is {tokens:,} tokens long and the context holds {limit:,}. "
        "Shorten it, or load the model with a larger context."
    )


class DecodeFailed(ForewordError):
    """``llama_decode`` returned an error that is neither an abort nor a full context."""

    code = "decode-failed"
    template = (
        "llama.cpp failed while computing (code {status}). "
        "Send the message again; reload if it recurs."
    )


class RewindFailed(ForewordError):
    """``llama_memory_seq_rm`` refused: the model's memory cannot rewind."""

    code = "rewind-failed"
    template = "This model's memory cannot be rewound. Turn speculation off for it."


class BrokenLogits(ForewordError):
    """A row of logits holds no finite number."""

    code = "broken-logits"
    template = (
        "The model returned no usable numbers. The file is probably damaged: download it again."
    )


class Stopped(ForewordError):
    """The stop flag ended a pass (llama.cpp's abort callback)."""

    code = "stopped"
    template = "Stopped."


# Settings and input ----------------------------------------------------------------------------


class BadSetting(ForewordError):
    """A value that makes no sense for a setting."""

    code = "bad-setting"
    template = "{name} is {value!r}; it must be {allowed}."


class BadPrompts(ForewordError):
    """A prompts file with a wrong row."""

    code = "bad-prompts"
    template = "{path}, row {row}: {reason}. A row is {{id, kind, messages}}."


# Conversations ---------------------------------------------------------------------------------


class HistoryAside(ForewordError):
    """The conversations file cannot be used; it lies under another name, a fresh one in its place.

    ``reason`` goes on from "the file": "is damaged (…)", "is not one of Foreword's".
    """

    code = "history-aside"
    template = (
        "The conversations file {reason}. It was set aside as {aside}, and an empty list was "
        "begun. If you have a backup, close Foreword and put it at {path}."
    )


class HistoryNewer(HistoryAside):
    """The conversations file holds what only a newer version understands."""

    code = "history-newer"
    template = (
        "The conversations file was written by a newer version of Foreword. It was set aside as "
        "{aside}, and an empty list was begun. To have it back, update Foreword, and rename that "
        "file to {path}."
    )


class HistoryUnsaved(ForewordError):
    """The conversations file cannot be written: no permission, no space, or another has it."""

    code = "history-unsaved"
    template = (
        "Conversations cannot be saved in {path} ({reason}). What you write now is kept only "
        "until the window closes: export what you need."
    )


class HistoryUnread(ForewordError):
    """The conversations file turned out damaged, or unreadable, while in use."""

    code = "history-unread"
    template = (
        "The conversations in {path} cannot be read ({reason}). Start Foreword again: it checks "
        "the file, and sets it aside if it is damaged."
    )


class BadImport(ForewordError):
    """A file that is no exported conversation, or a wrong one; ``reason`` says where."""

    code = "bad-import"
    template = (
        "This file cannot be imported: {reason}. Choose a conversation that this version of "
        "Foreword exported as JSON."
    )


# The worker ------------------------------------------------------------------------------------


class BadMessage(ForewordError):
    """A message on the pipe that is malformed, unknown or too large."""

    code = "bad-message"
    template = "The engine was sent a message it does not understand ({reason})."


class WorkerDied(ForewordError):
    """The engine process ended by itself."""

    code = "worker-died"
    template = "The engine stopped: {reason}. What was written is kept; reload the model to go on."


class Busy(ForewordError):
    """A request came while another was running."""

    code = "busy"
    template = "The engine is still busy with another request. Stop it first, or wait."


# Fetching --------------------------------------------------------------------------------------


class NoSpace(ForewordError):
    """The disk is too full for a download."""

    code = "no-space"
    template = (
        "{folder} has {free} free and the download needs {need}. "
        "Make room, or choose another folder."
    )


class FolderNotWritable(ForewordError):
    """The models folder cannot be written to."""

    code = "folder-not-writable"
    template = (
        "{folder} cannot be written to ({reason}). Choose another folder with FOREWORD_MODELS."
    )


class FetchFailed(ForewordError):
    """No source delivered the file; the reasons are in ``detail``."""

    code = "fetch-failed"
    template = (
        "{name} could not be downloaded: {reason}. "
        "Check the network and try again; what came is kept."
    )


class FetchCancelled(ForewordError):
    """The user stopped a download."""

    code = "fetch-cancelled"
    template = "The download was cancelled. What came so far is kept and used next time."


class ChecksumWrong(ForewordError):
    """The bytes are not the ones that were published; they are never used."""

    code = "checksum-wrong"
    template = (
        "{name} arrived damaged (its sha256 does not match) and was thrown away. Download it again."
    )
