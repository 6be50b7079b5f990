"""What was said in a session, as the plugin reads it from the client and passes it with each call: there is no file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, PendingWrite
from evaluator.record import replace
from hooks.conversation import Conversation, Said

Messages = Sequence[Mapping[str, object]]
"""`{id, role, text, summary, running}`, oldest first; a subagent's task is one of the role `task`."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def spoken(text: str) -> str:
    """A prompt without the quotes that `opencode run` puts around one with spaces."""
    found = _QUOTED.fullmatch(text.strip())
    return found[1].replace('\\"', '"') if found else text


def heard(messages: Messages, *, subagent: bool) -> Messages:
    """What counts for a call; summaries of the client's own are nobody's words.

    What the person types while the agent works stands behind the running message. It belongs to the running prompt in
    the session's own calls, and is not yet anybody's order in a subagent's.
    """
    said = [one for one in messages if one.get("role") != "task" and one.get("summary") is not True]
    running = next((i for i in reversed(range(len(said))) if _is_running(said[i])), len(said))
    queued = [one for one in said[running + 1 :] if _is_prompt(one)]
    if not queued:
        return said
    if subagent:
        return said[: running + 1]
    start = next((i for i in reversed(range(running)) if _is_prompt(said[i])), -1)
    return [*said[: start + 1], *queued]


def prompt_of(messages: Messages, *, subagent: bool) -> str | None:
    """The id of the running prompt; the newest of those that were typed since, if any were."""
    newest_first = reversed(heard(messages, subagent=subagent))
    return next((text_of(one, "id") or None for one in newest_first if _is_prompt(one)), None)


def said_of(pending: PendingWrite) -> Iterator[Said]:
    """Newest first."""
    for one in reversed(heard(pending.said, subagent=pending.agent_id is not None)):
        if _is_prompt(one):
            yield Said("user", spoken(text_of(one, "text")), text_of(one, "id") or None)
        elif one.get("role") != "user":
            yield Said("agent", text_of(one, "text"), message_id=text_of(one, "id"))


class Conversations(Conversation):
    """With what a subagent was told to do."""

    def __init__(self) -> None:
        super().__init__(said_of)

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        found = super().exchange(pending, kept)
        task = next((text_of(one, "text") for one in pending.said if one.get("role") == "task"), "")
        return replace(found, delegated_task=task) if task else found


def _is_prompt(message: Mapping[str, object]) -> bool:
    return message.get("role") == "user" and bool(text_of(message, "text"))


def _is_running(message: Mapping[str, object]) -> bool:
    return message.get("role") != "user" and message.get("running") is True
