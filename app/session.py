"""What goes on in the window, without its widgets: what is asked of the engine, and what becomes of
every word that it or the user writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from app import asking
from app.board import Board
from app.cards import Card, Undo
from app.chat.model import ASSISTANT, USER, Attachment, EntryView
from app.contest import Contest
from app.conversations import Conversations
from app.engine_life import Death, EngineLife, Life
from app.history import Entry, State
from app.panel.worth import SAME
from app.phases import MOST_EXACT_GAMMA, USUAL_GAMMA, Mode, Phase
from app.replies import Reply, view_of
from app.saving import Saving
from app.settings.choices import Choices
from app.speeds import PlainSpeeds
from app.tuning.advising import Advising, Choice, usual_gamma
from engine.advice import Advice
from engine.errors import BadSetting, ForewordError, PromptTooLong, Stopped
from engine.protocol import (
    SPECULATIVE,
    Chat,
    Compare,
    Compared,
    Done,
    Emitted,
    Event,
    Failed,
    Message,
    Options,
    Record,
    Sampling,
)
from engine.settings import Settings
from engine.tunings import temperature_of


class Session(QObject):
    """The window's engine, conversations and choices, and the one reply or comparison under way.

    What is under way goes on in its own conversation, whichever is open.

    Attributes:
        board: The card that is shown.
        work: The reply or the comparison under way.
        advising: What each chat's replies say about γ.
        contest: The comparison under way, or the last one until a reply of it is kept.
        variants: How often each message was answered anew.

    Signals:
        changed: The phase, the mode or γ.
        appended: An EntryView stands at the end of its conversation (the conversation's id, view).
        begun: A reply begins to be written or goes on (the conversation's id, view, γ).
        told: What the engine tells of what is under way.
        finished: A reply is over (the conversation's id, view, notes).
        compared: A comparison begins (the Contest).
        compare_failed: The sentence that ended one.
        card: A Card to show, or None: what it told of is mended.
        plain_speed: Tokens/s that this pair was just measured to reach without drafting.
    """

    changed = Signal()
    appended = Signal(int, object)
    begun = Signal(int, object, int)
    told = Signal(object)
    finished = Signal(int, object, object)
    compared = Signal(object)
    compare_failed = Signal(str)
    card = Signal(object)
    plain_speed = Signal(object)

    def __init__(
        self,
        life: EngineLife,
        conversations: Conversations,
        choices: Choices,
        speeds: PlainSpeeds | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.life = life
        self.conversations = conversations
        self.choices = choices
        self.mode = Mode.SPECULATIVE
        self.work: Reply | Contest | None = None
        self.contest: Contest | None = None
        self.variants: Counter[int] = Counter()
        self.advising = Advising()
        self._is_lent = False
        self._is_exact = False
        self._notes: dict[int, tuple[str, ...]] = {}  # of replies, by their entries
        self._gained: dict[int | None, tuple[int, float]] = {}  # by chat: the last γ, its speed-up
        self._tuning: Record | None = None
        self._speeds = speeds or PlainSpeeds()
        self._saving = Saving(self._writing, self)
        self._sent: Entry | None = None
        life.changed.connect(self._follow_life)
        life.told.connect(self._hear)
        life.died.connect(self._mourn)
        # After those: its word on what happened is the last.
        self.board = Board(life, conversations, self._saving, self)
        self.board.turned.connect(self.card)
        conversations.closing.connect(self._saving.stop)
        choices.changed.connect(self._follow_choice)

    # How things stand ----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the window is at."""
        if self._is_lent and self.life.life is Life.READY:
            return Phase.TUNING
        if self.work is None:
            return Phase(self.life.life)
        if self.work.is_stopping:
            return Phase.STOPPING
        return Phase.REPLYING if isinstance(self.work, Reply) else Phase.COMPARING

    @property
    def can_speculate(self) -> bool:
        """Whether what is loaded has a draft that may serve."""
        return self.life.ready is not None and self.life.ready.verdict.ok

    @property
    def gamma(self) -> int:
        """How many tokens the next reply drafts in a round: as chosen, else as the engine says."""
        automatic = self.auto
        if automatic is not None:
            return automatic.gamma
        chosen = self.settings.gamma
        return usual_gamma(self.life.ready, self._temperature) if chosen is None else chosen

    @property
    def auto(self) -> Choice | None:
        """What Auto writes the open chat's next reply with; None where it is off or cannot be."""
        if not (self.settings.auto_gamma and self.can_speculate):
            return None
        return self.advising.choice(self._open, self.life.ready, self._temperature)

    @property
    def advice(self) -> Advice | None:
        """A γ that would be faster for the open chat than the one it is written with."""
        if self.settings.auto_gamma or not self.can_speculate:
            return None
        gamma = 0 if self.mode is Mode.PLAIN else self.gamma
        found = self.advising.advice(self._open, self.life.ready, self._temperature, gamma)
        if found is not None and found.gamma == 0 and self._has_gained(gamma):
            return None
        return found

    def _has_gained(self, gamma: int) -> bool:
        """Whether drafting so many made the open chat's last reply faster, by the clock: the costs
        of a tuning do not outweigh that."""
        before, gain = self._gained.get(self._open, (0, 1.0))
        return before == gamma and gain > 1 + SAME

    @property
    def known_plain_speed(self) -> float | None:
        """Tokens/s of the loaded pair without drafting; None where it was never measured."""
        return self._speeds.speed(self.life.ready)

    @property
    def sampling(self) -> Sampling:
        """How the open chat's tokens are chosen."""
        current = self.conversations.current
        try:
            return asking.sampling(self.settings, current.settings if current else {})
        except BadSetting:  # which is said when a message is sent
            return asking.sampling(self.settings, {})

    @property
    def _temperature(self) -> float:
        return temperature_of(self.sampling)

    @property
    def _open(self) -> int | None:
        current = self.conversations.current
        return current.id if current else None

    @property
    def settings(self) -> Settings:
        """The engine's settings as the user has them now."""
        return self.choices.engine

    def choose_gamma(self, gamma: int | None) -> None:
        """Draft so many from the next reply on; None: as many as the engine says. Auto ends."""
        self.choices.choose("gamma", gamma)
        self.choose_auto(False)

    def choose_auto(self, on: bool) -> None:
        """Have γ chosen anew for each reply, or fixed again."""
        self.choices.choose("auto_gamma", on)

    def follow_advice(self, advice: Advice) -> None:
        """Draft as advised from the next reply on."""
        self.choose_gamma(advice.gamma)
        if advice.gamma and self.mode is Mode.PLAIN:
            self.choose_mode(Mode.SPECULATIVE)

    def lend(self, lent: bool) -> None:
        """The tuner has the engine to itself, or gives it back."""
        self._is_lent = lent
        self.changed.emit()

    def choose_mode(self, mode: Mode) -> None:
        """Answer so from the next message on."""
        self.mode = mode
        self.changed.emit()

    def show(self, card: Card | None) -> None:
        """Have a card shown, or none."""
        self.board.show(card)

    def views(self, limit: int | None = None) -> list[EntryView]:
        """The open conversation's last entries; what is being written, up to its last word."""
        current = self.conversations.current
        if current is None:
            return []
        return list(map(self.view, self.conversations.store.entries(current.id, limit)))

    def view(self, entry: Entry) -> EntryView:
        """An entry for the transcript; what the disk does not know of it yet, too."""
        live = self._live()
        if entry.id in live:
            return live[entry.id].view()
        return view_of(entry, notes=self._notes.get(entry.id, ()))

    def grown(self) -> dict[int, Entry]:
        """The entries, by number, of which more came than the disk knows of yet."""
        return {number: reply.now for number, reply in self._live().items()}

    def being_written(self) -> set[int]:
        """The entries that grow just now."""
        return {reply.entry.id for reply in self._writing()}

    def is_at_work_in(self, conversation: int) -> bool:
        """Whether a reply is being written there, or a comparison is shown."""
        works = (self.work, self.contest)
        return any(work and work.entry.conversation == conversation for work in works)

    # What a person does --------------------------------------------------------------------------

    def send(self, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        """Answer a message, as the mode says. False where it cannot be: then it is not taken."""
        if not (text.strip() or attachments) or not self.may_ask():
            return False
        rows = [attachment.as_dict() for attachment in attachments]
        is_taken = False
        with self.conversations.telling():
            if self.conversations.current is not None:
                self.check(self.conversations.current.id)
            self.keep(SPECULATIVE)
            conversation = self.conversations.made()
            entry = self.conversations.store.add(conversation.id, USER, text, attachments=rows)
            self.conversations.typed("")
            self.conversations.keep_draft()
            self.conversations.drafts.keep(conversation.id, ())
            self.conversations.refresh()
            self.appended.emit(conversation.id, view_of(entry))
            is_taken = True  # it stands in the chat, whatever becomes of its reply
            self.answer(entry)
            self._sent = entry
        return is_taken

    def may_ask(self) -> bool:
        """Whether a reply can be asked for. What the disk refused of those before is tried again
        first, for it is read from there."""
        if self.phase is not Phase.READY:
            return False
        if self._saving.refused:
            self._saving.again()
        return True

    def save_refused(self) -> None:
        """Save what the disk refused before. Raises HistoryUnsaved."""
        self._saving.retry()

    def stop(self) -> None:
        """End what is under way with what there is."""
        if self._is_lent:
            self.life.stop()
        if self.work is not None and not self.work.is_stopping:
            self.work.is_stopping = True
            self.life.stop()
            self.changed.emit()

    def keep_all(self, *, at_last: bool = False) -> None:
        """Save what is being written, and what the disk refused before. ``at_last``: and call it
        stopped, for no more will come."""
        if at_last:
            self.conversations.store.close_soon()
        if self.work is not None and at_last:
            with self._saving.keeping(self._writing()):
                self.work.lose(State.STOPPED)
        self._saving.now()
        self._saving.again()

    def keep(self, lane: str) -> None:
        """Go on with one reply of the last comparison."""
        if self.contest is not None and self.work is None:
            with self.conversations.telling():
                self.contest.keep(lane)
                self.contest = None
                self.conversations.opened.emit()

    def choose_exact(self, on: bool) -> None:
        """Compare with kernels that round alike, or with the usual ones, from the next time on."""
        self._is_exact = on

    def compare_again(self, gamma: int, *, exact: bool) -> None:
        """Answer the same message twice once more. What the last comparison left in the chat can
        be had back, and comes back by itself where the new one ends without a word."""
        contest = self.contest
        if contest is None or not self.can_speculate or not self.may_ask():
            return
        with self.conversations.telling():
            self.check(contest.prompt.conversation)
            take_back = self._taken_out(contest)
            done = self.tr("The comparison is being run again.")
            self.conversations.undoable.emit(Undo(done, take_back, contest.prompt.conversation))
            try:
                self._compare(contest.prompt, gamma, exact=exact).take_back = take_back
            except ForewordError:
                take_back()
                raise

    def _taken_out(self, contest: Contest) -> Callable[[], None]:
        """Discard a comparison; returns what brings the reply back that it left in the chat."""
        store, prompt = self.conversations.store, contest.prompt
        left, others = contest.entry.id, store.aside(contest.prompt.id)

        def take_back() -> None:
            with store.whole():
                self.withdraw(prompt)
                store.restore_entries([left, *others])
                store.choose(left)
            self.conversations.opened.emit()

        contest.discard()
        return take_back

    def withdraw(self, prompt: Entry) -> None:
        """Take out what answers a message, every version of it, whatever was said later. Raises
        HistoryUnsaved."""
        store = self.conversations.store
        later = store.entries(prompt.conversation, since=prompt.id + 1)
        answers = [entry.id for entry in takewhile(lambda entry: entry.role != USER, later)]
        if self.work is not None and self.work.entry.id in answers:
            self.stop()
        if self.contest is not None and self.contest.prompt.id == prompt.id:
            self.contest.discard()
            self.contest = None
        store.remove([*answers, *store.aside(prompt.id)])

    def check(self, conversation: int) -> None:
        """Raise BadSetting where a message could not be answered with a chat's own settings: to be
        called before anything is changed for its sake."""
        asking.options(self.conversations.store, self.settings, conversation, gamma=0, variant=0)

    def answer(self, prompt: Entry) -> None:
        """Answer a message of the user's, as the mode says. Raises HistoryUnsaved, BadSetting."""
        if self.mode is Mode.COMPARE and self.can_speculate:
            gamma = self.gamma or USUAL_GAMMA
            if self._is_exact:
                gamma = min(gamma, MOST_EXACT_GAMMA)
            self._compare(prompt, gamma, exact=self._is_exact)
        else:
            self.reply(prompt)

    def reply(self, to: Entry) -> None:
        """Answer a message, or go on with a reply. Raises HistoryUnsaved, BadSetting."""
        gamma = self.gamma if self.mode is not Mode.PLAIN and self.can_speculate else 0
        chat = Chat(*self._asked(to, gamma))
        entry = to if to.role == ASSISTANT else self._new_entry(to)
        self.contest = None
        is_auto = self.mode is not Mode.PLAIN and self.auto is not None
        request = self.life.send(chat)
        store = self.conversations.store
        self.work = Reply(request, entry, store, gamma=gamma, by_auto=is_auto)
        self.show(None)
        if entry is not to:
            self.appended.emit(entry.conversation, self.work.view())
        self.begun.emit(entry.conversation, self.work.view(), gamma)
        self.changed.emit()

    def _compare(self, prompt: Entry, gamma: int, *, exact: bool) -> Contest:
        asked = Compare(*self._asked(prompt, gamma), exact=exact)
        entries = self._new_entry(prompt), self._new_entry(prompt)
        store = self.conversations.store
        contest = Contest(self.life.send(asked), prompt, entries, store, gamma, exact=exact)
        self.contest = self.work = contest
        self.show(None)
        self.compared.emit(contest)
        self.changed.emit()
        return contest

    def _asked(self, last: Entry, gamma: int) -> tuple[tuple[Message, ...], Options]:
        store, settings = self.conversations.store, self.settings
        variant = self.variants[last.id]
        how = asking.options(store, settings, last.conversation, gamma=gamma, variant=variant)
        return asking.messages(store, settings, last), how

    def _new_entry(self, prompt: Entry) -> Entry:
        store = self.conversations.store
        answers = prompt.id if store.aside(prompt.id) else None
        return store.add(prompt.conversation, ASSISTANT, "", state=State.WRITING, answers=answers)

    # Hearing -------------------------------------------------------------------------------------

    def _hear(self, event: Event) -> None:
        work = self.work
        if work is None or event.id != work.request:
            return
        if isinstance(event, Emitted):
            work.write(event)
            self._saving.soon()
        elif isinstance(event, Done):
            self._finish(work, event)
        self.told.emit(event)
        if isinstance(event, Failed):
            self._fail(work, event)
        elif isinstance(event, Compared) or (isinstance(event, Done) and isinstance(work, Reply)):
            self._end(work)

    def _finish(self, work: Reply | Contest, done: Done) -> None:
        """A lane is over. What exact arithmetic takes says nothing about usual replies."""
        ready, is_exact = self.life.ready, isinstance(work, Contest) and work.exact
        gain = None if is_exact else self._speeds.speed_up(ready, done.figures)
        if gain is not None:
            self._gained[work.entry.conversation] = work.gamma, gain
        with self._saving.keeping(_replies(work)):
            work.finish(done, gain)
            self._saving.retry()
        over = work if isinstance(work, Reply) else work.replies[done.lane]
        self._notes[over.entry.id] = over.notes
        self._learn(work, done)
        if not is_exact and self._speeds.measured(ready, done.figures):
            self.plain_speed.emit(self.known_plain_speed)

    def _learn(self, work: Reply | Contest, done: Done) -> None:
        """What a reply accepted says how the next ones should be drafted."""
        conversation = work.entry.conversation
        if isinstance(work, Reply):
            self.advising.learn(conversation, done.figures, work.gamma)
        elif done.lane == SPECULATIVE and not work.exact:
            self.advising.learn(conversation, done.figures, work.gamma, is_alone=False)

    def _end(self, work: Reply | Contest) -> None:
        self.work, self._sent = None, None
        self.life.over()
        if isinstance(work, Reply):
            self.finished.emit(work.entry.conversation, work.view(), work.notes)
            self._step_back(work)
        elif work.is_empty:
            self._take_up(work)
        self.conversations.listed.emit()
        self.changed.emit()

    def _fail(self, work: Reply | Contest, failed: Failed) -> None:
        sent = self._sent
        self._lose(work, State.STOPPED if failed.code == Stopped.code else State.LOST, failed)
        self.life.over()
        if failed.code == PromptTooLong.code and sent is not None:
            self._give_back(sent)
        if failed.code != Stopped.code:
            self.show(Card.of(failed))
        self.changed.emit()

    def _lose(self, work: Reply | Contest, state: State, failed: Failed) -> None:
        """What there is of it stays."""
        self.work, self._sent = None, None
        with self._saving.keeping(_replies(work)):
            work.lose(state)
        if isinstance(work, Reply):
            self.finished.emit(work.entry.conversation, work.view(), ())
        else:
            self.contest = None
            self.compare_failed.emit(Card.of(failed).sentence)
            self.conversations.opened.emit()
            if work.is_empty and self._take_up(work):
                return
        self._step_back(work)

    def _take_up(self, work: Contest) -> bool:
        """Where a comparison that was run again ended before its first word, what it had left
        before is there again; False where there is nothing."""
        if work.take_back is None or work.is_discarded:
            return False
        with self.conversations.telling():
            work.take_back()
        return True

    def _step_back(self, work: Reply | Contest) -> None:
        """Where a new version ended before its first word, the one before it counts again."""
        store = self.conversations.store
        with self.conversations.telling():
            for reply in _replies(work):
                entry = reply.entry
                was_cut = reply.state in (State.STOPPED, State.LOST) and not reply.text.strip()
                before = store.version_before(entry.id) if was_cut else None
                if before is not None:
                    store.give_way(entry.id, before)
                    if self._open == entry.conversation:
                        self.conversations.opened.emit()

    def _give_back(self, sent: Entry) -> None:
        """A message that no reply can follow goes back to where it was typed."""
        with self.conversations.telling():
            store = self.conversations.store
            self.conversations.give_back(sent.conversation, sent.content, sent.attachments)
            self.withdraw(sent)
            store.remove([sent.id])
            self.conversations.opened.emit()

    def _follow_choice(self, name: str) -> None:
        """Whoever fixes γ, here or in the settings, wants it fixed."""
        if name == "gamma":
            self.choose_auto(False)
        self.changed.emit()

    def _follow_life(self) -> None:
        ready = self.life.ready
        if ready is None or ready.tuning != self._tuning:
            self._tuning = ready.tuning if ready else None
            self._gained.clear()  # which was held against another plain speed
        self.advising.follow(ready)
        self.changed.emit()

    def _mourn(self, death: Failed, ending: Death) -> None:
        if self.work is not None:
            state = State.STOPPED if ending is Death.FORCED else State.LOST
            self._lose(self.work, state, death)
        self.changed.emit()

    def _live(self) -> dict[int, Reply]:
        replies = (*self._saving.refused.values(), *self._writing())
        return {reply.entry.id: reply for reply in replies}

    def _writing(self) -> list[Reply]:
        return [] if self.work is None else _replies(self.work)


def _replies(work: Reply | Contest) -> list[Reply]:
    return [work] if isinstance(work, Reply) else list(work.replies.values())
