"""Codex CLI 0.169: its hook payloads and its answers, as recorded in `fixtures/hosts/codex`.

Satisfies `hooks.host.Host`. A denial leaves by the code 2 and stderr: a JSON answer that Codex does not like to the
letter lets the tool run. To allow, nothing is printed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.effects import PATCH_TOOL, text_of
from evaluator.model import Origin, Parent, PendingWrite
from evaluator.settings.repository import resolved
from evaluator.wire import REFUSAL
from hooks.hosts.codex.events import EVENTS as EVENTS
from hooks.hosts.codex.events import NAME as NAME
from hooks.hosts.codex.events import TITLE as TITLE
from hooks.hosts.codex.protected import FILES as FILES
from hooks.hosts.codex.protected import PREFIXES as PREFIXES
from hooks.hosts.codex.protected import PROJECT_VARIABLE as PROJECT_VARIABLE
from hooks.payloads import json_object, needed, needed_call

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NEVER_WRITES: frozenset[str] = frozenset(
    ("view_image", "update_plan", "web_search", "tool_search", "list_mcp_resources")
)
LEFT_ALONE: frozenset[str] = frozenset(
    (
        "exec",
        "wait",
        "write_stdin",
        "spawn_agent",
        "send_input",
        "send_message",
        "followup_task",
        "wait_agent",
        "resume_agent",
        "close_agent",
        "list_agents",
        "interrupt_agent",
        "request_user_input",
        "read_mcp_resource",
        "list_mcp_resource_templates",
    )
)
"""The calls that a script of `exec` makes are hooked one by one, and so are those of its agents."""
STOPS_PROMPTS: bool = False
"""A prompt that a hook stops is not written into the session's file."""
MARK = "CODEX_THREAD_ID"
"""Set in what a tool of Codex starts: the session that called it."""
NO_REASON = "Compass holds this call."


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in Compass's words: the folder of the session as `cwd`, that of the call as `call_cwd`, a patch as
    `input`, and `failed` where a result tells of it. Raises PayloadError for anything that is not a JSON object.
    """
    given = json_object(raw)
    said: dict[str, object] = {**given, "prompt_id": text_of(given, "turn_id")}
    if "tool_name" in given:
        from hooks.hosts.codex.rollout import folder_of

        # The call's own folder is no project: a session that started elsewhere may work there for one command.
        said |= {"cwd": folder_of(text_of(given, "transcript_path")), "call_cwd": text_of(given, "cwd")}
    elif "prompt" in given and given.get("agent_id"):
        from hooks.hosts.codex.rollout import DELEGATED

        # A subagent's prompt is another agent's word, in the name of the person's session.
        said["prompt"] = f"{DELEGATED}\n{text_of(given, 'prompt')}"
    held = given.get("tool_input")
    if given.get("tool_name") == PATCH_TOOL and isinstance(held, dict):
        said["tool_input"] = {"input": text_of(cast(dict[str, object], held), "command")}
    if _failed(given.get("tool_response")):
        said["failed"] = True
    return said


def _failed(response: object) -> bool:
    """A command of the shell does not tell; a patch and a tool of a server do."""
    if isinstance(response, dict):
        return cast(dict[str, object], response).get("isError") is True
    head, _, _ = response.partition("\n") if isinstance(response, str) else ("", "", "")
    return head.startswith("Exit code: ") and head != "Exit code: 0"


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "session_id is missing or not a string")


def goes_on(payload: Mapping[str, object]) -> bool:
    return payload.get("source") == "compact"


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
    name, given = needed_call(payload)
    own = text_of(payload, "call_cwd")
    directory = project_of(env, text_of(payload, "cwd") or own)
    return PendingWrite(
        host=NAME,
        session_id=session_of(payload),
        tool_name=name,
        tool_input=given,
        cwd=own or directory,
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or None,
        prompt_id=text_of(payload, "prompt_id") or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
        agent_id=text_of(payload, "agent_id") or None,
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved folder of the session, which is that of its hooks' processes; a replay names it."""
    return resolved(env.get(PROJECT_VARIABLE) or cwd or ".")


def attended(env: Mapping[str, str]) -> bool:
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """A session that a tool of Codex started is told by its environment, one of another agent by its marks."""
    if env.get(MARK, session) != session:
        from hooks.hosts.codex.threads import session_of_thread

        return Origin((Parent(*session_of_thread(env[MARK], transcript)),))
    from hooks.hosts.codex.ancestors import OTHERS

    return Origin() if any(name in env for name in OTHERS) else None


def is_machine_text(text: str) -> bool:
    from hooks.hosts.codex.rollout import is_machine_text as found

    return found(text)


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as its rollout files tell."""
    from hooks.hosts.codex.threads import Threads

    return Threads()


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """On stderr: the model reads it, and so does the person in the terminal. A turn cannot be ended."""
    return REFUSAL + "\n\n".join(filter(None, (reason.strip() or NO_REASON, message))).encode(
        "utf-8", "replace"
    )


def tell(message: str) -> bytes:
    return json.dumps({"systemMessage": message}).encode("ascii") + b"\n"


def inform(event: str, agent: str, person: str) -> bytes:
    """What the agent is told beside the event, and what the person is shown; either may be empty."""
    answer: dict[str, object] = {"systemMessage": person} if person else {}
    if agent:
        answer["hookSpecificOutput"] = {"hookEventName": EVENTS[event], "additionalContext": agent}
    return json.dumps(answer).encode("ascii") + b"\n"


def stop_prompt(message: str) -> bytes:
    return json.dumps({"decision": "block", "reason": message}).encode("ascii") + b"\n"


def programs() -> HostPrograms:
    from hooks.hosts.codex.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.codex import sessions as found

    return found


def setup() -> Setup:
    from hooks.hosts.codex.setup import SETUP

    return SETUP
