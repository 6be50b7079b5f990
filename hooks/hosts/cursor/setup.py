"""What `init` and `doctor` do on Cursor: our entries in its user's `hooks.json`. Satisfies `hooks.setup.Setup`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import cast

from hooks.hosts.cursor.entries import SILENT, TIMEOUT_SECONDS, VERSION, entries
from hooks.hosts.cursor.events import EVENTS, NAME
from hooks.json_file import read_object
from hooks.plain_setup import OWN_PROGRAM, PlainSetup
from hooks.promises import Promises
from hooks.setup import Advice
from hooks.wiring import Wiring

KNOWN_EVENTS = frozenset(
    (
        *EVENTS.values(),
        "beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile",
        "afterFileEdit", "subagentStart", "subagentStop", "preCompact", "stop", "afterAgentResponse",
        "afterAgentThought", "beforeTabFileRead", "afterTabFileEdit",
    )
)  # fmt: skip
"""Those of its documents."""
_TOOLS = {"Bash": "Shell"}
_CLAUDES = ("settings.local.json", "settings.json")


class CursorSetup(PlainSetup):
    NAME: str = NAME
    USER_FILE: str = ".cursor/hooks.json"
    SESSIONS: str = "~/.cursor/projects"
    PROGRAM: str = "cursor-agent"
    AGENT_MARKS: tuple[str, ...] = ("CURSOR_AGENT",)
    TIMEOUT_SECONDS: int = TIMEOUT_SECONDS
    TOP: Mapping[str, object] = MappingProxyType({"version": VERSION})
    PROMISES: Promises = Promises(
        tried="",
        gates_writes=True,
        gates_shell=True,
        closed_on=("crash", "exit code", "missing program", "timeout", "bad output"),
        shows_person="a message at the call",
        sees_request=True,
        sees_prior_turn=True,
        answers_count=True,
        notes=(
            "in `cursor-agent -p` no digit and no `compass: ...` releases anything: it tells no hook of a prompt",
        ),
    )

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        return entries(wiring)

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        found = {
            "conversation_id": session,
            "hook_event_name": EVENTS["pre-tool-use"],
            "tool_name": _TOOLS.get(tool, tool),
            "tool_input": given,
            "tool_use_id": session,
            "cwd": project_dir,
            "workspace_roots": [project_dir],
        }
        return json.dumps(found).encode()

    def denies(self, answer: Mapping[str, object]) -> bool:
        return answer.get("permission") == "deny"

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        return code == 2 or super().refuses(code, stdout, stderr)

    def silent(self, code: int, stdout: bytes) -> bool:
        """What the wired command prints where Compass says nothing is no opinion either."""
        return code == 0 and stdout.strip().decode("utf-8", "replace") in ("", *SILENT.values())

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        path = self.user_file(env, home)
        found = read_object(path)
        hooks = found.get("hooks") if isinstance(found, dict) else None
        named = cast(dict[str, object], hooks) if isinstance(hooks, dict) else {}
        if unknown := sorted(set(named) - KNOWN_EVENTS):
            yield (
                "events",
                None,
                f"{path} names {', '.join(unknown)}: a Cursor that does not know one of its events drops the whole "
                "file without a word, and gates nothing",
            )
        if isinstance(found, dict) and found.get("version") != VERSION:
            yield ("version", False, f'{path} lacks "version": {VERSION}, so Cursor does not load it')
        if claude := claude_settings(home, project_dir):
            yield (
                "Claude Code's hooks",
                True,
                f"Cursor may run the Compass of {claude[0]}, too: it is silent there, so no call is judged twice",
            )


def claude_settings(home: str, project_dir: str) -> list[str]:
    """The settings files of Claude Code that call Compass, which Cursor reads, too."""
    folders = dict.fromkeys(os.path.join(base, ".claude") for base in (project_dir, home) if base)
    paths = [os.path.join(folder, name) for folder in folders for name in _CLAUDES]
    return [path for path in paths if _calls_compass(path)]


def silent_in_cursor(home: str) -> Iterable[Advice]:
    """What Claude Code's doctor says where Cursor is there, too, and has no wiring of its own."""
    if not os.path.isdir(os.path.join(home, ".cursor")):
        return
    found = read_object(os.path.join(home, SETUP.USER_FILE))
    if not SETUP.wires(found, EVENTS["pre-tool-use"]):
        yield (
            "Cursor",
            None,
            "Cursor reads these settings, too, and Compass is silent when it calls: nothing is gated there until "
            "`compass init --host cursor`",
        )


def _calls_compass(path: str) -> bool:
    found = read_object(path)
    return isinstance(found, dict) and OWN_PROGRAM in json.dumps(found.get("hooks"))


SETUP = CursorSetup()
