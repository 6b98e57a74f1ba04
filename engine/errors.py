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


class ShardMissing(ForewordError):
    """A model is split over several files and not all of them are there."""

    code = "shard-missing"
    template = (
        "{path} is incomplete: part {number} of {count} is not there. "
        "Put it beside the others, or download it."
    )


class ShardComing(ForewordError):
    """A part of a split model is missing that a download is still to bring."""

    code = "shard-coming"
    template = (
        "{path} is not whole yet: part {number} of {count} is still to come. "
        "Let its download go on, or cancel it."
    )


class ShardsJoined(ForewordError):
    """The parts of a split model were written one after the other into one file."""

    code = "shards-joined"
    template = (
        "{path} holds several parts of a split model, one after the other, which nothing can read. "
        "Keep the parts as separate files, or join them with llama.cpp's llama-gguf-split."
    )


class ShardMisnamed(ForewordError):
    """A part of a split model under a name that does not lead to the other parts."""

    code = "shard-misnamed"
    template = (
        "{path} is part {number} of {count} of a split model, and its name does not say so. "
        "Give it the name it was published under, beside the other parts."
    )


class GgufUnsupported(ForewordError):
    """A whole GGUF that the built-in llama.cpp is too new or too old for."""

    code = "gguf-unsupported"
    template = "{path} cannot be loaded: {reason}."


class HeaderTooLarge(ForewordError):
    """There is no memory left to look into the file."""

    code = "header-too-large"
    template = "{path} cannot be looked into: memory ran out. Close other programs and look again."


class NotForChat(ForewordError):
    """A whole GGUF that is no language model to talk to; ``reason`` says what it is."""

    code = "not-for-chat"
    template = "{path} cannot chat: {reason}. Choose another file."


class NoSuchModel(ForewordError):
    """A name that is neither a file's nor that of a model on this machine."""

    code = "no-such-model"
    template = (
        "No model here is called {name}. `foreword models list` shows the names; "
        "any other file is named by its path."
    )


class AmbiguousModel(ForewordError):
    """A name that several models on this machine go by."""

    code = "ambiguous-model"
    template = "{name} may be any of these: {candidates}. Write more of the name, or the path."


class NotFetchable(ForewordError):
    """Words that name nothing that can be fetched."""

    code = "not-fetchable"
    template = (
        "{what} is nothing that can be fetched. Name a model that `foreword models search` lists, "
        "or a file on the Hugging Face Hub as owner/repository:Q4_K_M."
    )


class NotOurs(ForewordError):
    """A file outside the models folder, which is never changed; ``place``: whose it is."""

    code = "not-ours"
    template = (
        "{path} is not Foreword's to remove: it lies in {place}. "
        "Remove it with the program that put it there."
    )


# Loading ---------------------------------------------------------------------------------------


class EngineIncomplete(ForewordError):
    """llama.cpp is there and none of the modules that compute for it."""

    code = "engine-incomplete"
    template = "Foreword is not whole: {folder} lacks what computes. Install Foreword again."


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


class ContextTooLarge(ForewordError):
    """There is memory for a model, but not with so large a context; told before it is loaded."""

    code = "context-too-large"
    template = (
        "With a context of {n_ctx:,} tokens {name} needs {need} of memory, and {free} are free. "
        "Choose a context of {fits:,} tokens, or close other programs."
    )


class ModelTooLarge(ForewordError):
    """There is not enough memory for a model, even alone; told before it is loaded."""

    code = "model-too-large"
    template = (
        "{name} needs {need} of memory, and {free} are free. "
        "Choose a smaller model, or close other programs."
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
        "Shorten it, or choose a larger context."
    )


class DecodeFailed(ForewordError):
    """``llama_decode`` returned an error that is neither an abort nor a full context."""

    code = "decode-failed"
    template = (
        "llama.cpp failed while computing (code {status}). "
        "Try again; load the model anew if it recurs."
    )


class RewindFailed(ForewordError):
    """``llama_memory_seq_rm`` refused: the model's memory cannot rewind."""

    code = "rewind-failed"
    template = "This model's memory cannot be rewound. Turn speculation off for it."


class BrokenLogits(ForewordError):
    """A row of logits holds no finite number; ``role``: the target or the draft."""

    code = "broken-logits"
    template = (
        "{path} (the {role}) returned no usable numbers. "
        "The file is probably damaged: download it again."
    )


class BrokenCopy(ForewordError):
    """As BrokenLogits, of the copy that a draft was recast to; ``path``: the draft's own file."""

    code = "broken-copy"
    template = (
        "The recast copy of {path} returned no usable numbers: it was damaged on the disk. "
        "Load the models again; the copy is made anew."
    )


class Stopped(ForewordError):
    """The stop flag ended a pass (llama.cpp's abort callback)."""

    code = "stopped"
    template = "Stopped."


# Measuring -------------------------------------------------------------------------------------


class PeerFailed(ForewordError):
    """llama.cpp's server cannot be measured against; ``reason`` goes on from its name."""

    code = "peer-failed"
    template = (
        "{path} cannot be measured against: {reason}. Name the llama-server that `make peer` "
        "builds, or leave --peer out."
    )


# Tuning ----------------------------------------------------------------------------------------


class MachineBusy(ForewordError):
    """Timings that should be alike vary too much to choose γ by."""

    code = "machine-busy"
    template = (
        "The timings vary by {percent} % just now: something else is computing, so γ was not "
        "chosen. Close what else runs, and tune again."
    )


class NothingToTune(ForewordError):
    """Too little was written to count drafted tokens on; ``reason`` says why."""

    code = "nothing-to-tune"
    template = "This pair cannot be tuned: {reason}. Choose γ by hand."


# Settings and input ----------------------------------------------------------------------------


class BadSetting(ForewordError):
    """A value that makes no sense for a setting."""

    code = "bad-setting"
    template = "{name} is {value!r}; it must be {allowed}."


class BadPrompts(ForewordError):
    """A prompts file that is wrong; ``place``: "row 3", "line 7", "the whole file"."""

    code = "bad-prompts"
    template = "{path}, {place}: {reason}. A row is {{id, kind, messages}}."


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
        "{aside}, and an empty list was begun. To have it back, export what you write meanwhile, "
        "close Foreword, update it, and rename that file to {path}."
    )


class HistoryUnsaved(ForewordError):
    """The conversations file cannot be written: no permission, no space, or another has it."""

    code = "history-unsaved"
    template = (
        "Conversations cannot be saved in {path} ({reason}). What you write now is kept only "
        "until the window closes: export what you need."
    )


class DraftsUnsaved(ForewordError):
    """The file of what is typed and not sent cannot be written."""

    code = "drafts-unsaved"
    template = (
        "What is typed and not sent cannot be saved in {path} ({reason}): it is kept only until "
        "the window closes."
    )


class HistoryUnread(ForewordError):
    """The conversations file turned out damaged, or unreadable, while in use."""

    code = "history-unread"
    template = (
        "The conversations in {path} cannot be read ({reason}). Start Foreword again: it checks "
        "the file, and sets it aside if it is damaged."
    )


class HistoryGone(ForewordError):
    """A conversation or a message is not there any more, or not as it is shown here."""

    code = "history-gone"
    template = (
        "Another window of Foreword has deleted or changed this. Undo it there, or open the chat "
        "again to see how it stands now."
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
    template = "The engine stopped: {reason}. What was written until then is kept."


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
        "{folder} cannot be written to ({reason}). Choose another models folder in the settings, "
        "or with FOREWORD_MODELS."
    )


class NameTaken(ForewordError):
    """Another file lies where a download would go; it is never written over."""

    code = "name-taken"
    template = (
        "{path} is another file than the one to fetch, and stays as it is. Rename, move or remove "
        "it, or choose another models folder in the settings, or with FOREWORD_MODELS."
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


class TooLargeForDisk(ForewordError):
    """The file system takes no file of that size, as FAT32 takes none above 4 GB."""

    code = "too-large-for-disk"
    template = (
        "The disk of {folder} cannot hold a file this large, however much is free on it. "
        "Choose a folder on another disk."
    )


class BadFileName(ForewordError):
    """A name that could lead out of the models folder, or that some systems refuse."""

    code = "bad-file-name"
    template = "{name!r} is no name that a model file can be kept under. Choose another file."


# The Hugging Face Hub ----------------------------------------------------------------------------


class HubError(ForewordError):
    """The Hub does not give what it was asked for. Base of the reasons."""


class HubUnreachable(HubError):
    """No connection to the Hub, or one that broke again and again."""

    code = "hub-unreachable"
    template = (
        "{host} cannot be reached ({reason}). Check that this computer is online, and your proxy "
        "and HF_ENDPOINT if you have set them."
    )


class ProxyWrong(HubError):
    """A proxy's address in the environment cannot be used; it may hold a password, so it is not
    quoted."""

    code = "proxy-wrong"
    template = (
        "The proxy in the environment cannot be used ({reason}). Correct HTTPS_PROXY, HTTP_PROXY "
        "or ALL_PROXY: http://HOST:PORT is what works."
    )


class HubBusy(HubError):
    """The Hub answers 429."""

    code = "hub-busy"
    template = "The Hub has been asked too often from here. Wait {seconds:,} seconds and try again."


class HubFailing(HubError):
    """The Hub answers with an error of its own."""

    code = "hub-failing"
    template = "The Hub is out of order (it answers {status}). Try again later."


class HubStrange(HubError):
    """The Hub answers something that is none of what it should."""

    code = "hub-strange"
    template = (
        "What {host} answered makes no sense ({reason}). If this network has a login page, open "
        "it in a browser first; check HF_ENDPOINT if you have set it."
    )


class NotOnHub(HubError):
    """No such repository or file, or a private one."""

    code = "not-on-hub"
    template = (
        "The Hub has no {what}. Check the name; if it is private, give Foreword an access token "
        "that may read it."
    )


class RepoGated(HubError):
    """Terms must be accepted first, and a token must show that they were."""

    code = "repo-gated"
    template = (
        "{repo} is given only to people who accepted its terms. Open {page}, accept them with "
        "your Hugging Face account, and give Foreword an access token of that account."
    )


class AccessPending(HubError):
    """The token is good, and its account has no access yet."""

    code = "access-pending"
    template = (
        "The account of your access token may not have {repo} yet. Open {page} and accept its "
        "terms, or wait until its owner has let you in. A fine-grained token must also be allowed "
        "to read gated repositories."
    )


class TokenRefused(HubError):
    """The token is wrong or was withdrawn."""

    code = "token-refused"
    template = (
        "The Hub does not know the access token from {source}. Make a new one at {page} and give "
        "Foreword that, or remove the old one."
    )


class BadToken(ForewordError):
    """A text that cannot be an access token."""

    code = "bad-token"
    template = (
        "This is no access token: one begins with hf_ and has no spaces. Copy it again from {page}."
    )


class TokenNotKept(ForewordError):
    """Neither the keyring nor the private file takes the token, or gives it up."""

    code = "token-not-kept"
    template = (
        "The access token in {place} cannot be changed ({reason}). Make that writable, or set "
        "HF_TOKEN instead."
    )


class AnotherFile(HubError):
    """What the Hub has is not what the catalogue says; it is not fetched."""

    code = "another-file"
    template = (
        "What the Hub has as {name} is another file than the one that was asked for ({reason}). "
        "It was not downloaded. To have what is there now, search the Hub for {repo}."
    )


class NoChecksum(HubError):
    """A file that nothing could be checked against; it is not fetched."""

    code = "no-checksum"
    template = (
        "The Hub publishes no checksum of {name}, so what came could not be checked. It was not "
        "downloaded. Choose another file, or another repository."
    )


class NoSuchVariant(ForewordError):
    """A repository without the quantisation that was asked for."""

    code = "no-such-variant"
    template = "{repo} has no {wanted}. It has: {known}."
