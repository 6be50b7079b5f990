"""What was said in a session of Codex CLI, for its own calls and for those of its subagents.

A subagent has a file of its own, in which its task stands as if a person had typed it. So of such a file only the task
is taken; what the person said is in the file of the session.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.record import replace
from hooks.conversation import Conversation, Said
from hooks.hosts.codex.rollout import Tailing, file_of, head_of, parent_of, spoken, thread_of, turn_that_names
from hooks.lines import Tail

DEPTH_MAX = 8
"""How many subagents may stand between a call and its session."""


class Threads:
    """A `TranscriptSource`."""

    def __init__(self, tail: Tailing = Tail) -> None:
        self._tail = tail
        self._conversation = Conversation(lambda pending: spoken(pending.transcript_path or "", tail))

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        asked = _of_session(pending, self._tail)
        if asked is pending:
            return self._conversation.exchange(pending, kept)
        found = self._conversation.exchange(asked, _until(kept, asked.prompt_id))
        return replace(found, delegated_task=_task(pending.transcript_path or ""))

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._conversation.voices(_of_session(pending, self._tail))

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()


def _of_session(pending: PendingWrite, tail: Tailing) -> PendingWrite:
    """The call as one of the session itself, made in the turn that started the subagent; the same for the session's."""
    path = pending.transcript_path or ""
    above = parent_of(path)
    if not above:
        return pending if not pending.agent_id else replace(pending, transcript_path=None, prompt_id=None)
    child, file = thread_of(path), file_of(above, path)
    for _ in range(DEPTH_MAX):
        higher = parent_of(file)
        if not higher:
            break
        child, file = thread_of(file), file_of(higher, path)
    turn = turn_that_names(file, child, tail) if file and child else None
    return replace(pending, transcript_path=file or None, prompt_id=turn)


def _until(kept: Sequence[KeptPrompt], turn: str | None) -> Sequence[KeptPrompt]:
    """Without the prompts of later turns."""
    ends = [at for at, one in enumerate(kept, 1) if one.prompt_id == turn]
    return kept[: ends[-1]] if turn and ends else kept


def _task(path: str) -> str:
    told: list[Said] = [one for one in spoken(path) if one.role == "user"]
    return "\n\n".join(one.text for one in reversed(told))


def session_of_thread(thread: str, beside: str) -> tuple[str, str]:
    """(id, file) of the session that a thread belongs to, of the same home as the file `beside`."""
    head = head_of(file_of(thread, beside)) or {}
    session = text_of(head, "session_id") or thread
    return session, file_of(session, beside)
