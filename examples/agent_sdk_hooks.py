"""The Claude Agent SDK behind a gate: its hooks ask Compass, in the program's own process.

with Gate() as gate:
    async with ClaudeSDKClient(options(gate, show=print)) as client:
        await client.query(input("> "))
        async for message in client.receive_response():
            hear(gate, message)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, HookMatcher, Message, TextBlock
from claude_agent_sdk.types import HookContext, HookInput, HookJSONOutput

from compass import Gate


def options(gate: Gate, show: Callable[[str], None], **more: Any) -> ClaudeAgentOptions:
    """Those of a client whose prompts and calls the gate hears of; `show` gets what the person is to read.

    A hook that fails blocks its call; the SDK refuses a client that is too old for that.
    """
    hooks = Hooks(gate, show)
    return ClaudeAgentOptions(
        hooks={
            "UserPromptSubmit": [HookMatcher(hooks=[hooks.prompt], on_failure="block")],
            "PreToolUse": [HookMatcher(hooks=[hooks.before], on_failure="block")],
            "PostToolUse": [HookMatcher(hooks=[hooks.after])],
            "PostToolUseFailure": [HookMatcher(hooks=[hooks.failed])],
        },
        **more,
    )


def hear(gate: Gate, message: Message) -> None:
    """What the agent says belongs to the exchange that its calls are judged by."""
    if isinstance(message, AssistantMessage) and message.session_id and not message.parent_tool_use_id:
        said = "\n".join(block.text for block in message.content if isinstance(block, TextBlock))
        if said:
            gate.session(message.session_id).agent(said)


class Hooks:
    """Callbacks of the SDK; `{}` is no opinion."""

    def __init__(self, gate: Gate, show: Callable[[str], None]) -> None:
        self._gate = gate
        self._show = show

    async def prompt(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "UserPromptSubmit"
        heard = self._gate.session(given["session_id"]).user(given["prompt"])
        if heard.message:
            self._show(heard.message)
        if heard.stops:
            return {"decision": "block", "reason": heard.message}
        if not heard.agent_message:
            return {}
        return {
            "hookSpecificOutput": {
                "hookEventName": "UserPromptSubmit",
                "additionalContext": heard.agent_message,
            }
        }

    async def before(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "PreToolUse"
        session = self._gate.session(given["session_id"])
        # Readers may take seconds: the client's own loop goes on meanwhile.
        verdict = await asyncio.to_thread(
            session.before, given["tool_name"], given["tool_input"], call_id=given["tool_use_id"]
        )
        if verdict.question:
            self._show(verdict.question)
        if verdict.allowed:
            return {}
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": verdict.agent_message,
            }
        }

    async def after(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "PostToolUse"
        self._gate.session(given["session_id"]).after(given["tool_use_id"], succeeded=True)
        return {}

    async def failed(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "PostToolUseFailure"
        self._gate.session(given["session_id"]).after(given["tool_use_id"], succeeded=False)
        return {}
