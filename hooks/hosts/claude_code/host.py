"""Claude Code 2.1: its hook payloads and its answers, as recorded in `fixtures/claude-code`.

To allow, nothing is printed: an `allow` would lift the user's own permission rules.

Whether a tool call started a session is told by the client's ancestors, or by a mark that it inherited (2.1.330,
tried): a client that a Bash call starts sets its own CLAUDE_PID and CLAUDE_CODE_SESSION_ID for its hooks, so a hook's
variables do not tell. The environment that the client itself was started with does: it holds CLAUDECODE, AI_AGENT, and
CLAUDE_PID and CLAUDE_CODE_SESSION_ID of the session whose call it was. `env -i` takes these away; then the ancestors
still tell, since every client is noted under its process at its first prompt.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.errors import AnotherHost
from evaluator.model import Origin, Parent
from hooks.host import MEANT, ExchangeMemory, Host, Json, OriginNotes, json_object, packed
from hooks.json_lines import EMPTY, Tail, mapping

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource
    from evaluator.processes import Process
    from hooks.sessions import MadeUpSession, Sessions, ShownAnswer
    from hooks.setup import Setup

PARENTS_MAX = 8
ENVIRON_BYTES_MAX = 1024 * 1024


class ClaudeCode(Host):
    def parse(self, raw: bytes) -> Json:
        """Raises AnotherHost for the payloads of Cursor and Copilot CLI, which run Claude Code's settings, too."""
        found = json_object(raw)
        if "cursor_version" in found or ("conversation_id" in found and "workspace_roots" in found):
            raise AnotherHost("Cursor runs the hooks that are wired for Claude Code")
        if "timestamp" in found and "hook_event_name" in found and "transcript_path" not in found:
            raise AnotherHost("Copilot CLI runs the hooks that are wired for Claude Code")
        return found

    def attended(self, env: Mapping[str, str]) -> bool:
        return env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1"

    def origin(
        self, env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str
    ) -> Origin | None:
        """What was found is noted under the client's process, once for each session of it."""
        if "CLAUDE_PID" not in env:
            return None
        from evaluator.processes import process_of

        client = process_of(env["CLAUDE_PID"])
        if client is None:
            return None
        known = _noted_claude_client(notes, client)
        if known.get("session") == session:
            return _origin_of_parents(known.get("parents"))
        found = self._trace_client_origin(notes, client, session, transcript)
        parents = None if found is None else [[one.session_id, one.transcript_path] for one in found.parents]
        about = {"started": client.started, "session": session, "transcript": transcript, "parents": parents}
        notes.set_note(f"client:{client.pid}", json.dumps(about))
        return found

    def _trace_client_origin(
        self, notes: OriginNotes, client: Process, session: str, transcript: str
    ) -> Origin | None:
        from evaluator.processes import PROC, ancestors, process_of

        for one in ancestors(client.pid):
            known = _noted_claude_client(notes, one)
            if known and known.get("session") != session:
                return _origin_from_parent(str(known["session"]), known)
        try:
            with open(f"{PROC}/{client.pid}/environ", "rb") as file:
                raw = file.read(ENVIRON_BYTES_MAX)
        except OSError:
            return None
        pairs = (os.fsdecode(item).partition("=") for item in raw.split(b"\0"))
        born = {name: value for name, _, value in pairs}
        if not any(born.get(mark) for mark in self.told["marks"]):
            return None
        parent = born.get("CLAUDE_CODE_SESSION_ID", "")
        if not parent or parent == session:
            return Origin()
        caller = process_of(born.get("CLAUDE_PID", ""))
        known = EMPTY if caller is None else _noted_claude_client(notes, caller)
        if known.get("session") == parent:
            return _origin_from_parent(parent, known)
        # Where the client keeps another session of the same folder; ids are data and never leave it.
        plain = parent.replace("-", "").isalnum() and len(parent) <= 64
        beside = os.path.join(os.path.dirname(transcript), f"{parent}.jsonl") if transcript and plain else ""
        return Origin((Parent(parent, beside),))

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        from hooks.hosts.claude_code.transcript_source import TranscriptReader

        return TranscriptReader(memory=memory)

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """With `ends_turn` the host makes no further request. `continue: false` alone would not deny.

        The person sees the reason, too, so readings that stand in `message` are told to the agent alone.
        """
        said, meant, readings = reason.partition(MEANT)
        once = bool(message and readings)
        output: dict[str, object] = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": f"{said}{meant.rstrip(': ')}." if once else reason,
        }
        if once:
            output["additionalContext"] = f"The user was asked {meant}{readings}"
        answer: dict[str, object] = {"hookSpecificOutput": output}
        if ends_turn:
            answer |= {"continue": False, "stopReason": reason}
        return packed(answer | ({"systemMessage": message} if message else {}))

    def stop_prompt(self, message: str) -> bytes:
        """2.1.330, tried: no request is made, the prompt stays in the file as the person's, and the next request to
        the model shows both. A `systemMessage` beside it is not shown; a `decision: block` would not keep the prompt.
        """
        return packed({"continue": False, "stopReason": message})

    def sessions(self) -> Sessions:
        from hooks.hosts.claude_code.sessions import ClaudeSessions

        return ClaudeSessions(self)

    def setup(self) -> Setup:
        from hooks.hosts.claude_code.setup import ClaudeSetup

        return ClaudeSetup(self)

    def tail(self, path: str, end: int | None = None) -> Tail:
        """Where the file of a subagent ended at a moment of its session is not known: nothing of it is read then."""
        return super().tail(path if end is None or self.is_session(path) else "", end)

    def reader(self, tail: Callable[[str], Tail]) -> TranscriptSource:
        from hooks.hosts.claude_code.transcript_source import TranscriptReader

        return TranscriptReader(tail)

    def made_up(self, path: str, session_id: str) -> MadeUpSession:
        from hooks.hosts.claude_code.sessions import ClaudeFile

        return ClaudeFile(path, session_id)

    def shown(self, answer: Json) -> ShownAnswer:
        """A `systemMessage` is shown whole, a denial's reason by its first line."""
        from hooks.sessions import ShownAnswer

        inner = mapping(answer.get("hookSpecificOutput"))
        denied = self.denies(answer)
        stops = answer.get("continue") is False or answer.get("decision") == "block"
        reason = text_of(inner, "permissionDecisionReason")
        stop = (text_of(answer, "stopReason") or text_of(answer, "reason")) if stops and not denied else ""
        person = text_of(answer, "systemMessage") or stop or reason.partition("\n")[0]
        agent = "\n".join(filter(None, (reason, text_of(inner, "additionalContext"))))
        return ShownAnswer(denied, stops, person, agent)

    def denies(self, answer: Json) -> bool:
        return mapping(answer.get("hookSpecificOutput")).get("permissionDecision") == "deny"

    def sessions_folder(self, home: str, project_dir: str) -> str:
        return os.path.join(home, ".claude", "projects", re.sub(r"[^a-zA-Z0-9]", "-", project_dir))


def _noted_claude_client(notes: OriginNotes, process: Process) -> Json:
    """What was noted of a client; nothing for another process of the same number."""
    about = mapping(cast(object, json.loads(notes.get_note(f"client:{process.pid}") or "{}")))
    return about if about.get("started") == process.started else {}


def _origin_from_parent(session: str, known: Json) -> Origin:
    above = _origin_of_parents(known.get("parents"))
    transcript = str(known.get("transcript") or "")
    return Origin((Parent(session, transcript), *(above.parents if above else ()))[:PARENTS_MAX])


def _origin_of_parents(parents: object) -> Origin | None:
    if not isinstance(parents, list):
        return None
    return Origin(tuple(Parent(str(one[0]), str(one[1])) for one in cast("list[list[object]]", parents)))


HOST = ClaudeCode("claude-code")
