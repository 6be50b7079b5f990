"""Which messages the agent is acting on, and what it said before them: one rule for the session files of all hosts.

`Conversation` applies it to hosts whose session file is a plain list of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Literal, TypeVar

from evaluator.intervention.control import is_control_reply
from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, Lookup, PendingWrite, Plan
from evaluator.ports import Voice
from evaluator.record import Record, replace
from evaluator.text import is_continuation

CALLS_MAX = 64
"""Results of calls that are looked at in one turn."""
TEXT_CHARS_MAX = 100_000
"""Of one result. Of a longer one both ends are taken: a log's news stand last."""
VOICES_MAX = 30
Step = TypeVar("Step")


class UserMessage(Record):
    """A genuine user message. One that `inherits` (a continuation, a control reply) asks for nothing new."""

    text: str
    prompt_id: str | None
    inherits: bool


class Turn(Generic[Step]):
    """One turn as far as it was read, from its newest step to the prompt that opened it.

    `spoke`: the assistant did anything in it, were it a tool call. `closed`: its opening prompt was met. `heard`: the
    assistant's last message that has text is complete.
    """

    def __init__(self) -> None:
        self.closed = self.spoke = self.heard = False
        self.prompt_ids: set[str] = set()

    def add(self, step: Step) -> None:
        raise NotImplementedError

    @property
    def speech(self) -> str:
        """The text of the assistant's last message that has any, its blocks joined; "" if there is none."""
        raise NotImplementedError

    @property
    def messages(self) -> list[UserMessage]:
        """The messages of a turn, oldest first."""
        raise NotImplementedError

    @property
    def questions(self) -> tuple[AnsweredQuestion, ...]:
        """The agent's questions that the user answered in this turn, in order."""
        return ()

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The agent's plans that the user approved or rejected in this turn, in order."""
        return ()


AnyTurn = TypeVar("AnyTurn", bound=Turn[Any])


def user_message(text: str, prompt_id: str | None) -> UserMessage:
    return UserMessage(text, prompt_id, is_continuation(text) or is_control_reply(text))


def gather_turn(steps: Iterator[Step], turn: AnyTurn) -> AnyTurn:
    """The turn, filled with the steps up to the prompt that opened it."""
    for step in steps:
        turn.add(step)
        if turn.closed:
            break
    return turn


def resolve_exchange(
    turn: Turn[Step], steps: Iterator[Step], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> Exchange:
    """The exchange behind the running prompt `prompt_id`, of which `turn` is the turn at the tip, or an older one.

    `steps` are those before that turn. `kept` are the human prompts of the session, oldest first. Without a
    `prompt_id` it is the newest prompt in the file.
    """
    own = own_prompts(prompt_id, kept)
    unwritten = asking_messages(own) if prompt_id not in turn.prompt_ids else []
    if unwritten and turn.spoke:
        return Exchange(message_texts(unwritten), turn.speech, unwritten=message_texts(unwritten))
    earlier, prior = _messages_before_request(steps, type(turn)) if turn.closed else ([], "")
    messages = [*earlier, *turn.messages]
    if not unwritten and prompt_id in turn.prompt_ids:
        # Queued, and not written yet: what was kept after the last one that is in the file. A text there may differ
        # from the one that was submitted (pasted text is expanded), so their number counts too.
        written = [one.text.strip() for one in messages if one.prompt_id == prompt_id]
        found = frozenset(written)
        matched = max((at for at, one in enumerate(own, 1) if one.text.strip() in found), default=0)
        unwritten = asking_messages(own[max(matched, len(written)) :])
    request, told = message_texts([*asking_messages(messages), *unwritten]), message_texts(unwritten)
    if not request:
        # Nothing in the file asks for anything: the newest prompt that was kept, or a bare continuation.
        asked = asking_messages([user_message(one.text, one.prompt_id) for one in kept])
        said = [one for one in messages if not is_control_reply(one.text)]
        told = message_texts(asked[-1:])
        request = told or message_texts(said[-1:])
    return Exchange(request, prior, turn.questions, turn.plans, unwritten=told)


def _messages_before_request(
    steps: Iterator[Step], new_turn: Callable[[], Turn[Step]]
) -> tuple[list[UserMessage], str]:
    """The messages right before a request with no word of the assistant between, and its last words before
    them. Bounded by the prompt that opened the turn in which it spoke."""
    messages: list[UserMessage] = []
    while True:
        turn = new_turn()
        for step in steps:
            turn.add(step)
            if turn.closed or turn.heard:
                break
        if turn.spoke:
            return messages, turn.speech
        messages = [*turn.messages, *messages]
        if not turn.closed:
            return messages, ""


def own_prompts(prompt_id: str | None, kept: Sequence[KeptPrompt]) -> list[UserMessage]:
    """What was submitted under one id; queued messages share that of the running prompt."""
    if prompt_id is None:
        return []
    return [user_message(prompt.text, prompt.prompt_id) for prompt in kept if prompt.prompt_id == prompt_id]


def asking_messages(messages: list[UserMessage]) -> list[UserMessage]:
    return [found for found in messages if not found.inherits]


def message_texts(messages: list[UserMessage]) -> tuple[str, ...]:
    return tuple(found.text for found in messages)


class Said(Record):
    """One message, or a block of one: blocks of the same `message_id` are joined.

    An agent's tool call is one without text. `prompt_id` is that of the turn, in the words of the prompt event, where
    the host has such ids. `typed`: the file says that a person typed it, or does not tell such apart.
    """

    role: Literal["user", "agent"]
    text: str
    prompt_id: str | None = None
    typed: bool = True
    message_id: str = ""


class Conversation:
    """A `TranscriptSource`. `said` gives the messages of a call's session, newest first, machine text left out."""

    def __init__(self, said: Callable[[PendingWrite], Iterator[Said]]) -> None:
        self._said = said

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        steps, running = self._said(pending), pending.prompt_id
        if running is None and kept:
            steps, kept = _number_messages(steps, kept), [_number_kept_prompt(one) for one in kept]
            running = kept[-1].prompt_id
        return resolve_exchange(gather_turn(steps, _Turn()), steps, running, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        heard: list[tuple[Said, list[Said]]] = []
        for one in self._said(pending):
            if one.role == "user":
                if len(heard) == VOICES_MAX:
                    break
                heard.append((one, []))
            elif one.text and heard and (not heard[-1][1] or _is_same_message(one, heard[-1][1][0])):
                heard[-1][1].insert(0, one)
        return tuple(
            Voice(one.text, one.prompt_id, one.typed, "\n\n".join(block.text for block in after))
            for one, after in heard
        )

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        return ()


class _Turn(Turn[Said]):
    """Goes in newest first. Messages that inherit do not open a turn."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: list[UserMessage] = []
        self._blocks: list[Said] = []

    def add(self, step: Said) -> None:
        if step.prompt_id is not None:
            self.prompt_ids.add(step.prompt_id)
        if step.role == "user":
            found = user_message(step.text, step.prompt_id)
            self._messages.insert(0, found)
            self.closed = not found.inherits
            return
        self.spoke = True
        if self._blocks and not _is_same_message(step, self._blocks[0]):
            self.heard = True
        elif step.text and not self.heard:
            self._blocks.insert(0, step)

    @property
    def messages(self) -> list[UserMessage]:
        return list(self._messages)

    @property
    def speech(self) -> str:
        return "\n\n".join(one.text for one in self._blocks)


def _number_messages(steps: Iterator[Said], kept: Sequence[KeptPrompt]) -> Iterator[Said]:
    """A host without ids of prompts: a message gets the number of the newest kept prompt of the same words."""
    left = len(kept)
    for step in steps:
        number: str | None = None
        if step.role == "user":
            words = step.text.split()
            at = next((i for i in range(left - 1, -1, -1) if kept[i].text.split() == words), None)
            if at is not None:
                left, number = at, _number_kept_prompt(kept[at]).prompt_id
        yield replace(step, prompt_id=number)


def _number_kept_prompt(prompt: KeptPrompt) -> KeptPrompt:
    return replace(prompt, prompt_id=f"#{prompt.position}")


def _is_same_message(one: Said, other: Said) -> bool:
    return bool(one.message_id) and one.message_id == other.message_id


def bounded_result(text: str) -> str:
    """Without half a line where it is cut."""
    if len(text) <= TEXT_CHARS_MAX:
        return text
    half = TEXT_CHARS_MAX // 2
    head, tail = text[:half], text[-half:]
    return head[: head.rfind("\n") + 1 or half] + tail[tail.find("\n") + 1 :]
