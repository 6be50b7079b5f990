"""Claude Code 2.1: its hook payloads and its answers, as recorded in `fixtures/claude-code`.

To allow, nothing is printed: an `allow` would lift the user's own permission rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from evaluator.configuration.project import project_dir
from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.model import PendingWrite

HOST = "claude-code"
EVENTS = {
    "session-start": "SessionStart",
    "user-prompt-submit": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "post-tool-use-failure": "PostToolUseFailure",
    "session-end": "SessionEnd",
}

NEVER_WRITES = frozenset(
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

LEFT_ALONE = frozenset(
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


def parse(raw: bytes) -> Mapping[str, object]:
    """The payload object. Raises PayloadError for anything that is not a JSON object."""
    if not raw.strip():
        raise PayloadError("the payload is empty or larger than the bound")
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is not JSON: {str(error)[:100]}") from None
    if not isinstance(found, dict):
        raise PayloadError("the payload is not a JSON object")
    return cast(Mapping[str, object], found)


def session_of(payload: Mapping[str, object]) -> str:
    """Raises PayloadError without one: state would be shared between strangers."""
    session = text_of(payload, "session_id")
    if not session:
        raise PayloadError("session_id is missing or not a string")
    return session


def pending_write(payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
    """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
    name = text_of(payload, "tool_name")
    if not name:
        raise PayloadError("tool_name is missing or not a string")
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        raise PayloadError("tool_input is not an object")
    cwd = text_of(payload, "cwd")
    directory = project_dir(env.get("CLAUDE_PROJECT_DIR"), cwd)
    return PendingWrite(
        host=HOST,
        session_id=session_of(payload),
        tool_name=name,
        tool_input=cast(Mapping[str, object], given),
        cwd=cwd or directory,
        project_dir=directory,
        transcript_path=text_of(payload, "transcript_path") or None,
        prompt_id=text_of(payload, "prompt_id") or None,
        tool_use_id=text_of(payload, "tool_use_id") or None,
        agent_id=text_of(payload, "agent_id") or None,
    )


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


def prompt_context(text: str) -> bytes:
    """Something that the agent is told beside the user's prompt."""
    answer = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text}}
    return json.dumps(answer).encode("ascii") + b"\n"
