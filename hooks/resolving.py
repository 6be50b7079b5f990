"""Which messages the agent is acting on, and what it said before them: one rule for the session files of all hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from evaluator.exchange.replies import is_continuation
from evaluator.intervention.control import is_control_reply
from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, Plan
from evaluator.record import Record

Step = TypeVar("Step")
Taken_contra = TypeVar("Taken_contra", contravariant=True)


class Message(Record):
    """A genuine user message. One that `inherits` (a continuation, a control reply) asks for nothing new."""

    text: str
    prompt_id: str | None
    inherits: bool


class Gathered(Protocol):
    """One turn as far as it was read, from its newest step to the prompt that opened it.

    `spoke`: the assistant did anything in it, were it a tool call. `closed`: its opening prompt was met. `heard`: the
    assistant's last message that has text is complete. `speech` is that message. `messages` are oldest first.
    """

    @property
    def closed(self) -> bool: ...
    @property
    def spoke(self) -> bool: ...
    @property
    def heard(self) -> bool: ...
    @property
    def speech(self) -> str: ...
    @property
    def prompt_ids(self) -> set[str]: ...
    @property
    def messages(self) -> list[Message]: ...
    @property
    def questions(self) -> tuple[AnsweredQuestion, ...]: ...
    @property
    def plans(self) -> tuple[Plan, ...]: ...


class Gathering(Gathered, Protocol[Taken_contra]):
    def add(self, step: Taken_contra, /) -> None: ...


def message(text: str, prompt_id: str | None) -> Message:
    return Message(text, prompt_id, is_continuation(text) or is_control_reply(text))


def gather(steps: Iterator[Step], turn: Gathering[Step]) -> None:
    """Fills a turn with the steps up to the prompt that opened it."""
    for step in steps:
        turn.add(step)
        if turn.closed:
            break


def resolve(
    turn: Gathered,
    steps: Iterator[Step],
    prompt_id: str | None,
    kept: Sequence[KeptPrompt],
    new_turn: Callable[[], Gathering[Step]],
) -> Exchange:
    """The exchange behind the running prompt `prompt_id`, of which `turn` is the turn at the tip, or an older one.

    `steps` are those before that turn. `kept` are the human prompts of the session, oldest first. Without a
    `prompt_id` it is the newest prompt in the file.
    """
    own = own_prompts(prompt_id, kept)
    unwritten = asking(own) if prompt_id not in turn.prompt_ids else []
    if unwritten and turn.spoke:
        return Exchange(texts(unwritten), turn.speech, unwritten=texts(unwritten))
    earlier, prior = _before(steps, new_turn) if turn.closed else ([], "")
    messages = [*earlier, *turn.messages]
    if not unwritten and prompt_id in turn.prompt_ids:
        unwritten = asking(_missing(own, [m for m in messages if m.prompt_id == prompt_id]))
    request = texts([*asking(messages), *unwritten])
    told = texts(unwritten)
    if not request:
        request, told = _last_resort(messages, kept)
    return Exchange(request, prior, turn.questions, turn.plans, unwritten=told)


def _before(steps: Iterator[Step], new_turn: Callable[[], Gathering[Step]]) -> tuple[list[Message], str]:
    """The messages right before a request with no word of the assistant between, and its last words before
    them. Bounded by the prompt that opened the turn in which it spoke."""
    messages: list[Message] = []
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


def own_prompts(prompt_id: str | None, kept: Sequence[KeptPrompt]) -> list[Message]:
    """What was submitted under one id; queued messages share that of the running prompt."""
    if prompt_id is None:
        return []
    return [message(prompt.text, prompt.prompt_id) for prompt in kept if prompt.prompt_id == prompt_id]


def _missing(own: list[Message], written: list[Message]) -> list[Message]:
    """The kept messages after the last one that is in the file: queued, and not written yet.

    A text in the file may differ from the one that was submitted (pasted text is expanded), so their number
    counts too.
    """
    found = {one.text.strip() for one in written}
    matched = max((i for i, prompt in enumerate(own) if prompt.text.strip() in found), default=-1)
    return own[max(matched + 1, len(written)) :]


def _last_resort(
    messages: list[Message], kept: Sequence[KeptPrompt]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Nothing in the file asks for anything: the newest prompt that was kept, or a bare continuation.

    The request, and what of it does not stand in the file.
    """
    asked = asking([message(prompt.text, prompt.prompt_id) for prompt in kept])
    if asked:
        return (asked[-1].text,), (asked[-1].text,)
    said = [found.text for found in messages if not is_control_reply(found.text)]
    return tuple(said[-1:]), ()


def asking(messages: list[Message]) -> list[Message]:
    return [found for found in messages if not found.inherits]


def texts(messages: list[Message]) -> tuple[str, ...]:
    return tuple(found.text for found in messages)
