"""Which messages the agent is acting on, and what it said before them. Implements `TranscriptSource`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.record import replace
from hooks.hosts.claude_code.transcript.chain import ChainStep, walk
from hooks.hosts.claude_code.transcript.delegation import Delegation, read_delegation
from hooks.hosts.claude_code.transcript.turn import Turn
from hooks.hosts.claude_code.transcript.voices import voices
from hooks.lines import Tail
from hooks.resolving import asking, gather, own_prompts, texts
from hooks.resolving import resolve as resolve_turn


class TranscriptReader:
    """Reads the host's file anew at each call, from its end, and only as far as the exchange reaches.

    `open_tail` may end the file earlier: a replay reads it as it stood then.
    """

    def __init__(self, open_tail: Callable[[str], Tail] = Tail) -> None:
        self._open_tail = open_tail

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self.read(pending, kept)[0]

    def read(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Exchange, int]:
        """The exchange, and how many bytes of the transcript it took to find it."""
        path = pending.transcript_path or ""
        tail = self._open_tail(path)
        if pending.agent_id is None:
            return resolve(walk(tail), pending.prompt_id, kept), tail.bytes_read
        delegation = read_delegation(path, pending.agent_id)
        found = _for_agent(walk(tail), pending.agent_id, pending.prompt_id, delegation, kept)
        return found, tail.bytes_read

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return voices(self._open_tail(pending.transcript_path or ""))

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        from hooks.hosts.claude_code.transcript import lookups

        path = pending.transcript_path or ""
        if pending.agent_id is not None:
            return lookups.of_agent(path, pending.agent_id, self._open_tail)
        own = asking(own_prompts(pending.prompt_id, kept))
        return lookups.of_turn(self._open_tail(path), pending.prompt_id if own else None)


def resolve(steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]) -> Exchange:
    """The exchange behind the running prompt `prompt_id`; behind the newest one in the file if it is None.

    `kept` are the human prompts of the session, oldest first.
    """
    return _resolved(_turn(steps), steps, prompt_id, kept)


def _for_agent(
    steps: Iterator[ChainStep],
    agent_id: str,
    prompt_id: str | None,
    delegation: Delegation,
    kept: Sequence[KeptPrompt],
) -> Exchange:
    """A subagent keeps the request of the call that started it, though the user may have spoken since."""
    started_by = delegation.prompt_id or prompt_id
    newest = turn = _turn(steps)
    if _is_here(newest, started_by, kept):
        found = _resolved(newest, steps, started_by, kept)
    else:
        turn, found = _earlier(newest, steps, started_by, kept)
    task = delegation.task or turn.task_of(agent_id) or newest.task_of(agent_id)
    return replace(found, delegated_task=task)


def _is_here(turn: Turn, prompt_id: str | None, kept: Sequence[KeptPrompt]) -> bool:
    """Whether the turn at the tip is the prompt's own, or the prompt is newer than it."""
    if prompt_id is None or prompt_id in turn.prompt_ids:
        return True
    order = [prompt.prompt_id for prompt in kept]
    on_file = [order.index(known) for known in turn.prompt_ids if known in order]
    return bool(on_file) and prompt_id in order and order.index(prompt_id) > max(on_file)


def _earlier(
    newest: Turn, steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> tuple[Turn, Exchange]:
    """The prompt's own, older turn. If there is none: its kept text alone, or else the newest request."""
    before = turn = _turn(steps)
    while turn.closed and prompt_id not in turn.prompt_ids:
        turn = _turn(steps)
    if prompt_id in turn.prompt_ids:
        return turn, _resolved(turn, steps, prompt_id, kept)
    own = asking(own_prompts(prompt_id, kept))
    if own:
        return newest, Exchange(texts(own), unwritten=texts(own))
    request = texts(asking(newest.messages))
    prior = before.speech if before.spoke else ""
    return newest, Exchange(request, prior, newest.questions, newest.plans)


def _turn(steps: Iterator[ChainStep]) -> Turn:
    turn = Turn()
    gather(steps, turn)
    return turn


def _resolved(
    turn: Turn, steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> Exchange:
    return resolve_turn(turn, steps, prompt_id, kept, Turn)
