"""chibi 0.10: what its plugin hooks are told and what they answer, by its documents and source; not tried.

Satisfies `hooks.host.Host`. The plugin of `hooks.hosts.chibi.plugin` wraps each payload: `{"hook", "parent",
"data"}`, because neither the hook's name nor anything of a session stands in it. `parent` is chibi's own process, by
number and start: the session. To allow, nothing is printed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.chibi.places import home_of
from hooks.hosts.chibi.protected import FILES as FILES
from hooks.hosts.chibi.protected import NAME as NAME
from hooks.hosts.chibi.protected import PREFIXES as PREFIXES
from hooks.hosts.chibi.tools import NEVER_WRITES as NEVER_WRITES
from hooks.hosts.chibi.tools import call_id, translated
from hooks.payloads import json_object, needed

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

TITLE: str = "chibi"
EVENTS: Mapping[str, str] = {
    "session-start": "on_start",
    "user-prompt-submit": "pre_message",
    "pre-tool-use": "pre_tool",
    "post-tool-use": "post_tool",
    "post-tool-use-failure": "post_tool",
    "session-end": "on_end",
}
"""{Compass's word: the host's name}; `pre_file_write` and `pre_shell_exec` are pre-tool-use, too."""
LEFT_ALONE: frozenset[str] = frozenset()
PROJECT_VARIABLE: str = "CHIBI_PROJECT_ROOT"
STOPS_PROMPTS: bool = False
NO_REPLY: str = (
    "In chibi no reply, number or `compass: ...` releases a held call, because nobody can tell who typed it: ask the "
    "user for the whole request again, with what it is to touch by name, or to do it themselves."
)


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload in the words of `PendingWrite`. Raises PayloadError for anything but what the plugin passes on."""
    wrapped = json_object(raw)
    inner = wrapped.get("data")
    data = cast(dict[str, object], inner) if isinstance(inner, dict) else dict[str, object]()
    hook, parent = text_of(wrapped, "hook"), text_of(wrapped, "parent")
    payload: dict[str, object] = {
        "session_id": f"chibi-{parent}" if parent else "",
        "hook_event_name": hook,
        "cwd": text_of(data, "project_root"),
    }
    if hook == "pre_message":
        return payload | {"prompt": data.get("prompt"), "prompt_id": data.get("context_name")}
    if "tool_name" in data:
        name, given = translated(hook, data)
        payload |= {"tool_name": name, "tool_input": given, "tool_use_id": call_id(parent, data)}
    return payload


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "the plugin did not say which process called it")


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name is missing."""
    name = needed(payload, "tool_name", "tool_name is missing or not a string")
    directory = project_of(env, "")
    return PendingWrite(
        host=NAME,
        session_id=session_of(payload),
        tool_name=name,
        tool_input=cast(Mapping[str, object], payload["tool_input"]),
        # Commands start in the project's folder; relative files are those of the process's own.
        cwd=directory if name == "Bash" else text_of(payload, "cwd") or env.get("PWD") or directory,
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or f"{home_of(env)}/contexts",
        tool_use_id=text_of(payload, "tool_use_id"),
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved CHIBI_PROJECT_ROOT, which the plugin sets to where chibi was started where nobody else did."""
    return project_dir(env.get(PROJECT_VARIABLE), cwd or env.get("PWD", ""))


def goes_on(payload: Mapping[str, object]) -> bool:
    return False


def attended(env: Mapping[str, str]) -> bool:
    return False


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    return None


def is_machine_text(text: str) -> bool:
    from hooks.hosts.chibi.transcript import is_machine_text as found

    return found(text)


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a context, as its JSONL file tells."""
    from hooks.hosts.chibi.transcript import Contexts

    return Contexts()


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """A denial for each kind of hook in one: `pre_tool` looks for `block`, the permission hooks for `denied`.

    chibi shows its person what the agent is told, so what would release a call elsewhere is left out.
    """
    from evaluator.intervention.telling import OPTIONS, SHOW, STOP

    told = f"{reason.replace(STOP, SHOW).replace(OPTIONS, '').rstrip()}\n{NO_REPLY}"
    return (
        json.dumps({"denied": True, "reason": told, "block": True, "message": told}).encode("ascii") + b"\n"
    )


def tell(message: str) -> bytes:
    """Nobody is shown what a hook says beside a denial."""
    return b""


def inform(event: str, agent: str, person: str) -> bytes:
    return b""


def stop_prompt(message: str) -> bytes:
    raise NotImplementedError("chibi stops no prompts")


def programs() -> HostPrograms:
    from hooks.hosts.chibi.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.chibi.sessions import SESSIONS

    return SESSIONS


def setup() -> Setup:
    from hooks.hosts.chibi.setup import SETUP

    return SETUP
