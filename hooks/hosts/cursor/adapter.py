"""Cursor: its hook payloads and answers, by its documents and by what others recorded; not tried.

Satisfies `hooks.host.Host`. Under `failClosed` an answer that is missing refuses: the wired command prints Cursor's
allow where nothing is printed here (`hooks.hosts.cursor.entries`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.cursor.events import EVENTS as EVENTS
from hooks.hosts.cursor.events import NAME as NAME
from hooks.hosts.cursor.protected import FILES as FILES
from hooks.hosts.cursor.protected import PREFIXES as PREFIXES
from hooks.hosts.cursor.tools import LEFT_ALONE as LEFT_ALONE
from hooks.hosts.cursor.tools import NEVER_WRITES as NEVER_WRITES
from hooks.hosts.cursor.tools import folder_of, translated
from hooks.payloads import json_object, needed

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

TITLE: str = "Cursor"
PROJECT_VARIABLE: str = "CURSOR_PROJECT_DIR"
STOPS_PROMPTS: bool = False


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in the words of `PendingWrite`. Raises PayloadError for anything that is none.

    What it says of the person, their mail address above all, is left behind here.
    """
    told = json_object(raw)
    event = text_of(told, "hook_event_name")
    payload: dict[str, object] = {
        "session_id": text_of(told, "conversation_id") or text_of(told, "session_id"),
        "hook_event_name": event,
        "cwd": _root(told),
        "transcript_path": text_of(told, "transcript_path"),
    }
    if event == "beforeSubmitPrompt":
        payload["prompt"] = told.get("prompt")
    if "tool_input" in told or "tool_name" in told:
        name, given = translated(told)
        payload |= {
            "tool_name": name,
            "tool_input": given,
            "tool_use_id": text_of(told, "tool_use_id"),
            "tool_cwd": folder_of(given_of(told)) or text_of(told, "cwd"),
        }
    return payload


def given_of(told: Mapping[str, object]) -> Mapping[str, object]:
    given = told.get("tool_input")
    return cast(Mapping[str, object], given) if isinstance(given, dict) else {}


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "conversation_id is missing or not a string")


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name is missing."""
    name = needed(payload, "tool_name", "tool_name is missing or not a string")
    session, directory = session_of(payload), project_of(env, text_of(payload, "cwd"))
    path = text_of(payload, "transcript_path")
    if not path:
        from hooks.hosts.cursor.transcript import found_at

        path = found_at(env.get("HOME", ""), session, directory) or ""
    return PendingWrite(
        host=NAME,
        session_id=session,
        tool_name=name,
        tool_input=cast(Mapping[str, object], payload["tool_input"]),
        cwd=os.path.join(directory, text_of(payload, "tool_cwd")).rstrip("/") or "/",
        project_dir=directory,
        transcript_path=path or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved CURSOR_PROJECT_DIR, else the workspace's folder."""
    return project_dir(env.get(PROJECT_VARIABLE), cwd)


def goes_on(payload: Mapping[str, object]) -> bool:
    return False


def attended(env: Mapping[str, str]) -> bool:
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    return None


def is_machine_text(text: str) -> bool:
    return False


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as its JSONL file tells."""
    from hooks.hosts.cursor.transcript import Spoken

    return Spoken()


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """A denial. `message`, else how the reason begins, is what the person reads."""
    shown = message or reason.partition("\n")[0]
    return _said({"permission": "deny", "user_message": shown, "agent_message": reason})


def tell(message: str) -> bytes:
    """No opinion of the call, and something that the person is shown."""
    return _said({"permission": "allow", "user_message": message})


def inform(event: str, agent: str, person: str) -> bytes:
    """Only keys that its documents name for the event: a prompt takes no context for the agent."""
    if event == "user-prompt-submit":
        return _said({"continue": True, "user_message": person}) if person else b""
    return (
        _said({"additional_context": agent}) if agent and event in ("session-start", "post-tool-use") else b""
    )


def stop_prompt(message: str) -> bytes:
    """2026: a prompt that is stopped was not seen to stand in the session's file."""
    return _said({"continue": False, "user_message": message})


def programs() -> HostPrograms:
    from hooks.hosts.cursor.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.cursor.sessions import SESSIONS

    return SESSIONS


def setup() -> Setup:
    from hooks.hosts.cursor.setup import SETUP

    return SETUP


def _root(told: Mapping[str, object]) -> str:
    """The workspace's folder that the call is made in, the first where none is, and without any its own folder."""
    cwd, listed = text_of(told, "cwd"), told.get("workspace_roots")
    given = cast(list[object], listed) if isinstance(listed, list) else []
    roots = [root for root in given if isinstance(root, str) and root]
    within = [root for root in roots if cwd == root or cwd.startswith(root.rstrip("/") + "/")]
    return next(iter(within or roots), cwd)


def _said(answer: Mapping[str, object]) -> bytes:
    return json.dumps(answer).encode("ascii") + b"\n"
