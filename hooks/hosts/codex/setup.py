"""What `init` and `doctor` do for Codex CLI: entries in its hooks.json, and whether it trusts them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from evaluator.effects import PATCH_TOOL
from hooks.hosts.codex.configuration import CONFIG_FILE, home_of
from hooks.hosts.codex.events import EVENTS, NAME, TITLE
from hooks.plain_setup import PlainSetup
from hooks.promises import Promises
from hooks.setup import Advice, Seen
from hooks.wiring import Wiring, closing, hook_command

HOOKS_FILE = "hooks.json"
TOOLS = ("Bash", PATCH_TOOL, "mcp__.*")
"""A matcher has to match the whole name."""
STATUS = "Compass checks this call"
ENDING_SECONDS = 3
"""More is clamped for the end of a session, with a warning each time."""

PROMISES = Promises(
    tried="0.169.0",
    gates_writes=True,
    gates_shell=True,
    closed_on=("crash", "exit code", "missing program"),
    shows_person="the question, in the terminal; `codex exec` prints it on stderr",
    sees_request=True,
    sees_prior_turn=True,
    answers_count=True,
    ungated="what is typed into a program that is running already, so a command that starts a shell or an interpreter "
    "to be typed into is held as unknown",
    notes=(
        f"{TITLE} runs a hook only once you trust it: start `codex`, choose to review hooks, and trust Compass's; each "
        "change of the entries asks again, and `codex exec` skips what is not trusted without a word",
        "`features.hooks = false` in the .codex/config.toml of a project that you trust turns the gate off there; "
        "`compass doctor --host codex` looks for it",
    ),
)


class CodexSetup(PlainSetup):
    NAME: str = NAME
    USER_FILE: str = f".codex/{HOOKS_FILE}"
    SESSIONS: str = "~/.codex/sessions"
    PROGRAM: str = "codex"
    PROMISES: Promises = PROMISES
    OLDEST: tuple[int, ...] = (0, 123, 0)
    WRITE_TOOLS: tuple[str, ...] = ("Bash", PATCH_TOOL)
    AGENT_MARKS: tuple[str, ...] = ("CODEX_THREAD_ID", "CODEX_SANDBOX")
    TOP: Mapping[str, object] = MappingProxyType({})

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        return os.path.join(home_of(env, home), HOOKS_FILE)

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        return {name: self._entry(event, name, wiring) for event, name in EVENTS.items()}

    def _entry(self, event: str, name: str, wiring: Wiring) -> dict[str, object]:
        command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        held = event == "pre-tool-use"
        handler: dict[str, object] = {
            "type": "command",
            "command": closing(command) if held and wiring.blocks else command,
            "timeout": ENDING_SECONDS if event == "session-end" else self.TIMEOUT_SECONDS,
        }
        if held:
            handler["statusMessage"] = STATUS
        matcher = self.matcher_of(name, wiring.mcp_tools)
        return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        if event not in ("PreToolUse", "PostToolUse"):
            return None
        further = (name for name in mcp_tools if name.isidentifier() and not name.startswith(self.MCP_PREFIX))
        return "|".join(dict.fromkeys((*TOOLS, *further)))

    def matches(self, matcher: object, tool_name: str) -> bool:
        import re

        if matcher is None or matcher in ("", "*"):
            return True
        try:
            return isinstance(matcher, str) and re.fullmatch(matcher, tool_name) is not None
        except re.error:
            return False

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        name, said = tool, dict(given)
        if tool == "Write":
            lines = str(given.get("content", "")).splitlines()
            text = "\n".join(
                ("*** Begin Patch", f"*** Add File: {given.get('file_path', '')}", *(f"+{x}" for x in lines))
            )
            name, said = PATCH_TOOL, {"command": f"{text}\n*** End Patch\n"}
        elif tool == "Read":
            name, said = "view_image", {"path": given.get("file_path", "")}
        payload = {
            "session_id": session,
            "turn_id": session,
            "transcript_path": "",
            "cwd": project_dir,
            "hook_event_name": EVENTS["pre-tool-use"],
            "model": "",
            "permission_mode": "default",
            "tool_name": name,
            "tool_input": said,
            "tool_use_id": session,
        }
        return json.dumps(payload).encode("ascii")

    def denies(self, answer: Mapping[str, object]) -> bool:
        said = answer.get("hookSpecificOutput")
        held = cast(dict[str, object], said) if isinstance(said, dict) else {}
        return held.get("permissionDecision") == "deny" and bool(held.get("permissionDecisionReason"))

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        return bool(stderr.strip()) if code == 2 else super().refuses(code, stdout, stderr)

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        from hooks.hosts.codex.trust import findings

        return findings(self.PROGRAM, self.is_own, env, home, project_dir)

    def sessions_folder(self, home: str, project_dir: str) -> str:
        return os.path.join(home_of(os.environ, home), "sessions")

    def seen_tools(self, home: str, project_dir: str) -> Mapping[str, Seen]:
        from hooks.hosts.codex.seen_tools import seen_tools

        return seen_tools(self.sessions_folder(home, project_dir), project_dir)

    def mcp_servers(self, home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
        from hooks.hosts.codex.configuration import configuration

        found: dict[str, None] = {}
        for path in (
            os.path.join(home_of(os.environ, home), CONFIG_FILE),
            os.path.join(project_dir, ".codex", CONFIG_FILE),
        ):
            servers = configuration(path).get("mcp_servers")
            found.update(dict.fromkeys(cast(dict[str, object], servers) if isinstance(servers, dict) else ()))
        return list(found)


SETUP = CodexSetup()
