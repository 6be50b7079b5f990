"""Claude Code 2.1: its hook payloads and its answers, as recorded in `fixtures/claude-code`.

Satisfies `hooks.host.Host`. To allow, nothing is printed: an `allow` would lift the user's own permission rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.errors import AnotherHost
from evaluator.model import PendingWrite
from evaluator.settings.repository import project_dir
from hooks.hosts.claude_code.events import EVENTS as EVENTS
from hooks.hosts.claude_code.protected import FILES as FILES
from hooks.hosts.claude_code.protected import PREFIXES as PREFIXES
from hooks.hosts.claude_code.protected import PROJECT_VARIABLE as PROJECT_VARIABLE
from hooks.payloads import json_object, needed, needed_call

if TYPE_CHECKING:
    from evaluator.model import Origin
    from evaluator.ports import TranscriptSource
    from evaluator.shell.hosts import HostPrograms
    from hooks.host import Memory, OriginNotes
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NAME: str = "claude-code"
TITLE: str = "Claude Code"
NEVER_WRITES: frozenset[str] = frozenset(
    (
        "Read",
        "Glob",
        "Grep",
        "LS",
        "NotebookRead",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "TodoRead",
        "ToolSearch",
    )
)
"""Tools of the client's own that change nothing; no setting can make one of them write-class."""

LEFT_ALONE: frozenset[str] = frozenset(
    (
        "Agent",
        "Task",
        "AskUserQuestion",
        "EnterPlanMode",
        "ExitPlanMode",
        "Skill",
        "SlashCommand",
        "Workflow",
        "BashOutput",
        "KillBash",
        "KillShell",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "TaskUpdate",
        "CronList",
        "ListAgents",
        "ListMcpResources",
        "ListMcpResourcesTool",
        "ReadMcpResource",
        "ReadMcpResourceTool",
        "ReadMcpResourceDir",
        "RefreshMcpTools",
        "ReadNotifications",
        "PushNotification",
        "ReportFindings",
        "SendUserFile",
        "StructuredOutput",
        "LSP",
        "DeferredToolPlaceholder",
        "AgentOutputTool",
    )
)
"""Further tools of the client's own that no hook is wired for: they ask, keep the agent's own list, or start agents
whose calls are hooked themselves."""


STOPS_PROMPTS: bool = True


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload object. Raises PayloadError for anything that is not a JSON object, AnotherHost for those of
    Cursor and Copilot CLI, which run what stands in Claude Code's settings, too.
    """
    found = json_object(raw)
    if "cursor_version" in found or ("conversation_id" in found and "workspace_roots" in found):
        raise AnotherHost("Cursor calls what is wired for Claude Code")
    if "timestamp" in found and "hook_event_name" in found and "transcript_path" not in found:
        raise AnotherHost("Copilot CLI calls what is wired for Claude Code")
    return found


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    return needed(payload, "session_id", "session_id is missing or not a string")


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
    name, given = needed_call(payload)
    cwd = text_of(payload, "cwd")
    directory = project_of(env, cwd)
    return PendingWrite(
        host=NAME,
        session_id=session_of(payload),
        tool_name=name,
        tool_input=given,
        cwd=cwd or directory,
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or None,
        prompt_id=text_of(payload, "prompt_id") or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
        agent_id=text_of(payload, "agent_id") or None,
    )


def project_of(env: Mapping[str, str], cwd: str) -> str:
    """The resolved CLAUDE_PROJECT_DIR, else the working directory."""
    return project_dir(env.get(PROJECT_VARIABLE), cwd)


def goes_on(payload: Mapping[str, object]) -> bool:
    return payload.get("source") == "compact"


def attended(env: Mapping[str, str]) -> bool:
    return env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1"


def origin(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """As `ancestry.origin_of`."""
    if "CLAUDE_PID" not in env:
        return None
    from hooks.hosts.claude_code.ancestry import origin_of

    return origin_of(env, notes, session, transcript)


def is_machine_text(text: str) -> bool:
    from hooks.hosts.claude_code.transcript.messages import is_machine_text as found

    return found(text)


def transcripts(memory: Memory | None) -> TranscriptSource:
    """What was said in a session, as its JSONL file tells."""
    from hooks.hosts.claude_code.transcript.reader import TranscriptReader

    reader = TranscriptReader()
    if memory is None:
        return reader
    from hooks.hosts.claude_code.transcript.memory import RememberingReader

    return RememberingReader(reader, memory.recall_exchange, memory.remember_exchange)


def deny(reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
    """A denial; with `ends_turn` the host makes no further request. `continue: false` alone would not deny.

    `message` is shown to the person alone.
    """
    answer: dict[str, object] = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }
    if ends_turn:
        answer |= {"continue": False, "stopReason": reason}
    if message:
        answer["systemMessage"] = message
    return json.dumps(answer).encode("ascii") + b"\n"


def tell(message: str) -> bytes:
    """No opinion of the call, and something that the person is shown."""
    return json.dumps({"systemMessage": message}).encode("ascii") + b"\n"


def inform(event: str, agent: str, person: str) -> bytes:
    """What the agent is told beside the event, and what the person is shown; either may be empty."""
    answer: dict[str, object] = {"systemMessage": person} if person else {}
    if agent:
        answer["hookSpecificOutput"] = {"hookEventName": EVENTS[event], "additionalContext": agent}
    return json.dumps(answer).encode("ascii") + b"\n"


def stop_prompt(message: str) -> bytes:
    """2.1.330, tried: no request is made, the prompt stays in the file as the person's, and the next request to the
    model shows both. A `systemMessage` beside it is not shown; a `decision: block` would not keep the prompt.
    """
    return json.dumps({"continue": False, "stopReason": message}).encode("ascii") + b"\n"


def programs() -> HostPrograms:
    from hooks.hosts.claude_code.programs import PROGRAMS

    return PROGRAMS


def sessions() -> Sessions:
    from hooks.hosts.claude_code import sessions as found

    return found


def setup() -> Setup:
    from hooks.hosts.claude_code import setup as found

    return found
