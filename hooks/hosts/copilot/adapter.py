"""Copilot CLI 1.0: its hook payloads and its answers, as recorded in `fixtures/hosts/copilot`.

Satisfies `hooks.host.Host`. To allow, nothing is printed: an `allow` would lift the user's own permission rules. A
subagent's hooks bear its own id as the session's; here they belong to the session that started it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.copilot.events import EVENTS as EVENTS
from hooks.hosts.copilot.protected import FILES as FILES
from hooks.hosts.copilot.protected import PREFIXES as PREFIXES
from hooks.hosts.copilot.protected import PROJECT_VARIABLE as PROJECT_VARIABLE
from hooks.hosts.copilot.tools import LEFT_ALONE as LEFT_ALONE
from hooks.hosts.copilot.tools import NEVER_WRITES as NEVER_WRITES
from hooks.hosts.copilot.tools import call_id, failed, translated
from hooks.payloads import json_object, needed, needed_call

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NAME: str = "copilot"
TITLE: str = "Copilot CLI"
STOPS_PROMPTS: bool = False
"""A prompt that is stopped does not stand in the session's file, so no word in it would count."""


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in the words of `hooks.host.Host`. Raises PayloadError for anything that is not a JSON object.

    `failed` is added to what tells of a call that ended: a command that failed has ended well for the host.
    """
    payload = json_object(raw)
    agent = text_of(payload, "agentId")
    session = text_of(payload, "parentAgentId" if agent else "sessionId")
    told: dict[str, object] = {
        "session_id": session,
        "agent_id": agent,
        "cwd": text_of(payload, "cwd"),
        "source": text_of(payload, "source"),
    }
    if "prompt" in payload:
        from hooks.hosts.copilot.transcript import BY_AGENT, prompt_id

        text = text_of(payload, "prompt")
        told |= {"prompt": BY_AGENT + text if agent else text, "prompt_id": prompt_id(payload)}
    if "toolName" in payload:
        name, given = text_of(payload, "toolName"), payload.get("toolArgs")
        told["tool_name"], told["tool_input"] = translated(name, given)
        told["tool_use_id"] = call_id(session, agent, name, given)
        told["failed"] = failed(payload.get("toolResult"))
    return told


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "sessionId is missing or not a string")


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type.

    The host tells neither the session's file nor the running prompt of a call; a replay does.
    """
    name, given = needed_call(
        payload,
        "sessionId is missing or not a string",
        "toolName is missing or not a string",
        "toolArgs is neither an object nor a string",
    )
    from hooks.hosts.copilot.transcript import session_file

    cwd, session = text_of(payload, "cwd"), session_of(payload)
    directory = project_of(env, cwd)
    return PendingWrite(
        host=NAME,
        session_id=session,
        tool_name=name,
        tool_input=given,
        cwd=cwd or directory,
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or session_file(env, session),
        prompt_id=text_of(payload, "prompt_id") or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
        agent_id=text_of(payload, "agent_id") or None,
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved COPILOT_PROJECT_DIR, else the working directory."""
    return project_dir(env.get(PROJECT_VARIABLE), cwd)


def goes_on(payload: Mapping[str, object]) -> bool:
    return False


def attended(env: Mapping[str, str]) -> bool:
    """Nothing in a hook's environment tells the terminal from `-p`."""
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """A client that a tool call starts says so nowhere; the shell's rows hold what starts one."""
    return None


def is_machine_text(text: str) -> bool:
    from hooks.hosts.copilot.transcript import is_machine_text as found

    return found(text)


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as its events tell."""
    from hooks.hosts.copilot.transcript import EventsReader

    return EventsReader()


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """1.0.102, tried: agent and person are shown the reason, in the line of the tool; no answer ends a turn."""
    return _answer(permissionDecision="deny", permissionDecisionReason=reason)


def tell(message: str) -> bytes:
    """The host shows its person nothing of a hook that lets a call pass, so the agent is asked to."""
    return _answer(additionalContext=_passed_on(message))


def inform(event: str, agent: str, person: str) -> bytes:
    """What the agent is told beside the event; what the person is to read comes by it, too."""
    told = [text for text in (agent, _passed_on(person) if person else "") if text]
    return _answer(additionalContext="\n\n".join(told))


def stop_prompt(message: str) -> bytes:
    """For hosts with STOPS_PROMPTS. Raises NotImplementedError."""
    raise NotImplementedError


def _passed_on(message: str) -> str:
    return f"Show the user this notice of Compass's word for word:\n{message}"


def _answer(**fields: str) -> bytes:
    return json.dumps(fields).encode("ascii") + b"\n"


def programs() -> HostPrograms:
    from hooks.hosts.copilot.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.copilot import sessions as found

    return found


def setup() -> Setup:
    from hooks.hosts.copilot.setup import SETUP

    return SETUP
