"""The Claude Agent SDK behind a gate: its hooks ask Compass, in the program's own process.

async with AsyncGate() as gate, ClaudeSDKClient(options(gate, show=print)) as client:
    await client.query(input("> "))
    async for message in client.receive_response():
        await hear(gate, message)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, HookMatcher, Message, TextBlock
from claude_agent_sdk.types import HookContext, HookInput, HookJSONOutput

from compass import AsyncGate


def options(gate: AsyncGate, show: Callable[[str], None], **more: Any) -> ClaudeAgentOptions:
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


async def hear(gate: AsyncGate, message: Message) -> None:
    """What the agent says belongs to the exchange that its calls are judged by."""
    if isinstance(message, AssistantMessage) and message.session_id and not message.parent_tool_use_id:
        said = "\n".join(block.text for block in message.content if isinstance(block, TextBlock))
        if said:
            (await gate.session(message.session_id)).agent(said)


class Hooks:
    """Callbacks of the SDK; `{}` is no opinion."""

    def __init__(self, gate: AsyncGate, show: Callable[[str], None]) -> None:
        self._gate = gate
        self._show = show

    async def prompt(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "UserPromptSubmit"
        heard = await (await self._gate.session(given["session_id"])).user(given["prompt"])
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
        session = await self._gate.session(given["session_id"])
        verdict = await session.before(
            given["tool_name"],
            given["tool_input"],
            call_id=given["tool_use_id"],
            agent=given.get("agent_id", ""),
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
        session = await self._gate.session(given["session_id"])
        await session.after(given["tool_use_id"], succeeded=True)
        return {}

    async def failed(self, given: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        assert given["hook_event_name"] == "PostToolUseFailure"
        session = await self._gate.session(given["session_id"])
        await session.after(given["tool_use_id"], succeeded=False)
        return {}
