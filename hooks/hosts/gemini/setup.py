"""What `init` and `doctor` ask of Gemini CLI: entries in the user's settings.json, beside other people's."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from hooks.hosts.gemini.events import EVENTS
from hooks.hosts.gemini.promises import PROMISES
from hooks.hosts.gemini.tools import LEFT_ALONE, NAMES, NEVER_WRITES
from hooks.plain_setup import PlainSetup
from hooks.promises import Promises
from hooks.setup import Advice
from hooks.wiring import Wiring, closing, hook_command

_WORDS: Mapping[str, str] = {name: word for word, name in EVENTS.items()}
_OF_TOOLS = ("BeforeTool", "AfterTool")
_READING = tuple(name for name, known in NAMES.items() if known in NEVER_WRITES)


class GeminiSetup(PlainSetup):
    NAME: str = "gemini"
    USER_FILE: str = ".gemini/settings.json"
    SESSIONS: str = "~/.gemini/tmp"
    PROGRAM: str = "gemini"
    PROMISES: Promises = PROMISES
    OLDEST: tuple[int, ...] = (0, 40, 0)
    WRITE_TOOLS: tuple[str, ...] = ("write_file", "replace", "run_shell_command")
    AGENT_MARKS: tuple[str, ...] = ("GEMINI_CLI",)
    MCP_PREFIX: str = "mcp_"

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        moved = env.get("GEMINI_CLI_HOME", "")
        return os.path.join(moved if moved.startswith("/") else home, self.USER_FILE)

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        return {event: _group(event, word, wiring) for event, word in _WORDS.items()}

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        return _matcher() if event in _OF_TOOLS else None

    def matches(self, matcher: object, tool_name: str) -> bool:
        """The client searches for the expression, and takes one that is broken for a name."""
        if matcher is None or (isinstance(matcher, str) and matcher.strip() in ("", "*")):
            return True
        if not isinstance(matcher, str):
            return False
        try:
            return re.search(matcher.strip(), tool_name) is not None
        except re.error:
            return matcher.strip() == tool_name

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        from hooks.hosts.gemini.findings import findings

        return findings(self, env, home, project_dir)

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        found = {
            "session_id": session,
            "transcript_path": "",
            "cwd": project_dir,
            "hook_event_name": EVENTS["pre-tool-use"],
            "tool_name": tool,
            "tool_input": given,
        }
        return json.dumps(found).encode()

    def denies(self, answer: Mapping[str, object]) -> bool:
        return answer.get("decision") in ("deny", "block") or answer.get("continue") is False

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        """The host reads JSON from either stream, whatever the code is; other text denies with a code above 1."""
        text = stdout.strip() or stderr.strip()
        try:
            found = cast(object, json.loads(text))
        except ValueError:
            return bool(text) and code > 1
        return isinstance(found, dict) and self.denies(cast(dict[str, object], found))


def _group(event: str, word: str, wiring: Wiring) -> dict[str, object]:
    command = hook_command(wiring.interpreter, wiring.script, word, wiring.said)
    handler: dict[str, object] = {
        "type": "command",
        "name": f"compass-{word}",
        "command": closing(command) if wiring.blocks and word == "pre-tool-use" else command,
        "timeout": PlainSetup.TIMEOUT_SECONDS * 1000,
    }
    if event not in _OF_TOOLS:
        return {"hooks": [handler]}
    return {"matcher": _matcher(), "hooks": [handler]}


def _matcher() -> str:
    """All tools but those that are known not to write: which others there are is for the user to say."""
    return f"^(?!(?:{'|'.join(sorted((*LEFT_ALONE, *_READING)))})$)"


SETUP = GeminiSetup()
