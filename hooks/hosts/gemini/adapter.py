"""Gemini CLI 0.61: its hook payloads and its answers, as recorded in `fixtures/hosts/gemini`.

Satisfies `hooks.host.Host`. To allow, nothing is printed. It has a third answer, `ask`, which hangs a session without
a terminal: it is never given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.gemini.events import EVENTS as EVENTS
from hooks.hosts.gemini.protected import FILES as FILES
from hooks.hosts.gemini.protected import PREFIXES as PREFIXES
from hooks.hosts.gemini.tools import LEFT_ALONE as LEFT_ALONE
from hooks.hosts.gemini.tools import NEVER_WRITES as NEVER_WRITES
from hooks.hosts.gemini.tools import call_id, translated
from hooks.payloads import json_object, needed, needed_call

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NAME: str = "gemini"
TITLE: str = "Gemini CLI"
PROJECT_VARIABLE: str = "GEMINI_PROJECT_DIR"
STOPS_PROMPTS: bool = True
_STARTED_BY_A_TOOL = "GEMINI_CLI"
"""Set in what its shell tool starts, and not for hooks."""


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in the words of `hooks.host.Host`. Raises PayloadError for anything that is not a JSON object.

    `failed` is added to what tells of a call that ended: the host has one event for both ends.
    """
    payload = json_object(raw)
    if "prompt" in payload:
        payload["prompt"] = _prompt(text_of(payload, "prompt"))
    if "tool_name" not in payload:
        return payload
    name, given = translated(payload)
    payload |= {"tool_name": name, "tool_input": given}
    if name not in NEVER_WRITES:
        payload["tool_use_id"] = call_id(text_of(payload, "session_id"), name, given)
    if "tool_response" in payload:
        from hooks.hosts.gemini.results import failed

        payload["failed"] = failed(name, payload["tool_response"])
    return payload


def _prompt(text: str) -> str:
    from hooks.hosts.gemini.words import is_machine_text as found
    from hooks.hosts.gemini.words import typed

    own = typed(text)
    return text if found(own) or not own else own


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "session_id is missing or not a string")


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type.

    A command runs in the `dir_path` that its call names; the project stays the session's.
    """
    name, given = needed_call(payload)
    session, cwd = session_of(payload), text_of(payload, "cwd")
    directory = project_of(env, cwd)
    return PendingWrite(
        host=NAME,
        session_id=session,
        tool_name=name,
        tool_input=given,
        cwd=_folder(name, given, cwd or directory),
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
    )


def _folder(name: str, given: Mapping[str, object], cwd: str) -> str:
    named = text_of(given, "dir_path") if name == "Bash" else ""
    if not named:
        return cwd
    import os

    return os.path.normpath(os.path.join(cwd, named))


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved GEMINI_PROJECT_DIR, else the working directory."""
    return project_dir(env.get(PROJECT_VARIABLE), cwd)


def goes_on(payload: Mapping[str, object]) -> bool:
    return False


def attended(env: Mapping[str, str]) -> bool:
    """The environment is the same with and without a terminal."""
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """A client that its own shell tool started says so, but not by which session."""
    if not env.get(_STARTED_BY_A_TOOL):
        return None
    from evaluator.model import Origin

    return Origin()


def is_machine_text(text: str) -> bool:
    from hooks.hosts.gemini.words import is_machine_text as found

    return found(text)


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as its chat file tells."""
    from hooks.conversation import Conversation
    from hooks.hosts.gemini.transcript import said

    return Conversation(said)


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """A denial; with `ends_turn` the host makes no further request. `message` is shown to the person alone."""
    answer: dict[str, object] = {"decision": "deny", "reason": reason}
    if ends_turn:
        answer |= {"continue": False, "stopReason": reason}
    if message:
        answer["systemMessage"] = message
    return _bytes(answer)


def tell(message: str) -> bytes:
    """No opinion of the call, and something that the person is shown."""
    return _bytes({"systemMessage": message})


def inform(event: str, agent: str, person: str) -> bytes:
    """What the agent is told beside the event, and what the person is shown; either may be empty.

    At the start of a session the agent is told nothing. Without a terminal the client would put it before the prompt
    (0.61.0), and a message that begins so is left out, prompt and all, when the session is resumed.
    """
    answer: dict[str, object] = {"systemMessage": person} if person else {}
    if agent and event != "session-start":
        answer["hookSpecificOutput"] = {"hookEventName": EVENTS[event], "additionalContext": agent}
    return _bytes(answer) if answer else b""


def stop_prompt(message: str) -> bytes:
    """No request is made, and the prompt stays in the file as the person's; a `deny` would not keep it."""
    return _bytes({"continue": False, "stopReason": message})


def _bytes(answer: Mapping[str, object]) -> bytes:
    return json.dumps(answer).encode("ascii") + b"\n"


def programs() -> HostPrograms:
    from hooks.hosts.gemini.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.gemini import sessions as found

    return found


def setup() -> Setup:
    from hooks.hosts.gemini.setup import SETUP

    return SETUP
