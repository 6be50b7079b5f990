"""OpenCode 1.18: what our plugin in it sends, and what that plugin makes of an answer. Satisfies `hooks.host.Host`.

The shape is ours. A payload is `{session, project, agent, tool, args, call, said, task, servers}`, and for a prompt
`{session, project, prompt, id}`; an answer is `{deny, stop, say, agent}`: why not, whether the turn ends, what the
person is shown, what the agent is told. To allow, nothing is printed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.opencode.protected import FILES as FILES
from hooks.hosts.opencode.protected import PREFIXES as PREFIXES
from hooks.hosts.opencode.tools import READS, input_of, name_of
from hooks.payloads import json_object, needed, needed_call

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.protection.hosts import HostProtected
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NAME: str = "opencode"
TITLE: str = "OpenCode"
EVENTS: Mapping[str, str] = {
    "session-start": "chat.message",
    "user-prompt-submit": "chat.message",
    "pre-tool-use": "tool.execute.before",
    "post-tool-use": "tool.execute.after",
    "post-tool-use-failure": "message.part.updated",
    "session-end": "dispose",
}
NEVER_WRITES: frozenset[str] = frozenset(READS.values())
LEFT_ALONE: frozenset[str] = frozenset(("Task",))
PROJECT_VARIABLE: str = ""
STOPS_PROMPTS: bool = False
SESSION_VARIABLE = "OPENCODE_COMPASS_SESSION"
"""The plugin sets it in what the agent's shell starts: the session that starts it."""
RELAY = "Show this to the user word for word:"


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in the words of `PendingWrite`. Raises PayloadError for anything that is not a JSON object."""
    given = json_object(raw)
    payload: dict[str, object] = {
        "session_id": given.get("session"),
        "agent_id": given.get("agent"),
        "cwd": given.get("project"),
        "tool_use_id": given.get("call"),
    }
    if "prompt" in given:
        from hooks.hosts.opencode.transcript import spoken

        return payload | {"prompt": spoken(text_of(given, "prompt")), "prompt_id": given.get("id")}
    tool = text_of(given, "tool")
    if tool:
        payload["tool_name"] = name_of(tool, [one for one in _list(given, "servers") if isinstance(one, str)])
    args = given.get("args")
    if isinstance(args, dict):
        values = cast(Mapping[str, object], args)
        payload |= {"tool_input": input_of(tool, values), "workdir": values.get("workdir")}
    said = [cast(Mapping[str, object], one) for one in _list(given, "said") if isinstance(one, dict)]
    if task := text_of(given, "task"):
        said.append({"role": "task", "text": task})
    return payload | {"said": tuple(said)}


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "the session is missing or not a string")


def goes_on(payload: Mapping[str, object]) -> bool:
    return False


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
    name, given = needed_call(
        payload,
        "the session is missing or not a string",
        "the tool's name is missing or not a string",
        "the tool's arguments are not an object",
    )
    directory = project_of(env, text_of(payload, "cwd"))
    agent = text_of(payload, "agent_id") or None
    said = cast(tuple[Mapping[str, object], ...], payload.get("said", ()))
    from hooks.hosts.opencode.transcript import prompt_of

    return PendingWrite(
        host=NAME,
        session_id=session_of(payload),
        tool_name=name,
        tool_input=given,
        cwd=os.path.normpath(os.path.join(directory, text_of(payload, "workdir"))),
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or None,
        prompt_id=text_of(payload, "prompt_id") or prompt_of(said, subagent=agent is not None),
        tool_use_id=text_of(payload, "tool_use_id") or None,
        agent_id=agent,
        said=said,
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved folder that the client was started in, which the plugin passes on."""
    return project_dir(None, cwd)


def attended(env: Mapping[str, str]) -> bool:
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """A client that an agent's shell started works for that agent's session."""
    parent = env.get(SESSION_VARIABLE, "")
    if not parent or parent == session:
        return None
    from evaluator.model import Origin as Found
    from evaluator.model import Parent

    return Found((Parent(parent, ""),))


def is_machine_text(text: str) -> bool:
    """The plugin tells of no prompt that the client, or an agent, wrote."""
    return not text.strip()


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as each call brings it."""
    from hooks.hosts.opencode.transcript import Conversations

    return Conversations()


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    return _answer(deny=reason, stop=ends_turn, say=message)


def tell(message: str) -> bytes:
    return _answer(say=message)


def inform(event: str, agent: str, person: str) -> bytes:
    """`opencode run` shows no message of a plugin's, so the agent is told to pass on what the person is shown."""
    relayed = f"{RELAY}\n{person}" if person and event != "session-start" else ""
    return _answer(say=person, agent="\n\n".join(filter(None, (agent, relayed))))


def stop_prompt(message: str) -> bytes:
    raise NotImplementedError("OpenCode stops no prompts")


def protected() -> HostProtected:
    from hooks.hosts.opencode.protected import PROTECTED

    return PROTECTED


def programs() -> HostPrograms:
    from hooks.hosts.opencode.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.opencode.sessions import SESSIONS

    return SESSIONS


def setup() -> Setup:
    from hooks.hosts.opencode.setup import SETUP

    return SETUP


def _answer(**values: object) -> bytes:
    told = {name: value for name, value in values.items() if value}
    return json.dumps(told).encode("ascii") + b"\n" if told else b""


def _list(value: Mapping[str, object], name: str) -> list[object]:
    found = value.get(name)
    return cast(list[object], found) if isinstance(found, list) else []
