"""The Claude Agent SDK behind a gate: its hooks ask Compass, in the program's own process.

async with AsyncGate() as gate, ClaudeSDKClient(options(gate)) as client:
    ...
    async for message in client.receive_response():
        await hear(gate, message)
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

from compass import AsyncGate

Answer = dict[str, Any]


def options(gate: AsyncGate, **more: Any) -> Any:
    """`ClaudeAgentOptions` whose prompts and calls the gate hears of; a hook that fails blocks its call."""
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

    hooks = Hooks(gate)

    def calling(hook: Any, **how: Any) -> list[Any]:
        return [HookMatcher(hooks=[hook], **how)]

    wired = {
        "UserPromptSubmit": calling(hooks.prompt),
        "PreToolUse": calling(hooks.before, on_failure="block"),
        "PostToolUse": calling(hooks.after),
        "PostToolUseFailure": calling(hooks.failed),
    }
    return ClaudeAgentOptions(hooks=wired, **more)


async def hear(gate: AsyncGate, message: Any) -> None:
    """What the agent says belongs to the exchange that its calls are judged by."""
    if type(message).__name__ == "AssistantMessage" and not message.parent_tool_use_id:
        said = "\n".join(block.text for block in message.content if hasattr(block, "text"))
        if said:
            (await gate.session(message.session_id)).agent(said)


class Hooks:
    """Callbacks of the SDK: (input, tool use id, context) -> what it is answered; `{}` is no opinion."""

    def __init__(self, gate: AsyncGate) -> None:
        self._gate = gate

    async def prompt(self, given: Any, _id: str | None, _context: Any) -> Answer:
        session = await self._gate.session(given["session_id"])
        heard = await session.user(given["prompt"])
        if heard.stops:
            return {"decision": "block", "reason": heard.message}
        told = {"hookEventName": "UserPromptSubmit", "additionalContext": heard.agent_message}
        return {"systemMessage": heard.message, "hookSpecificOutput": told} if heard.agent_message else {}

    async def before(self, given: Any, tool_use_id: str | None, _context: Any) -> Answer:
        session = await self._gate.session(given["session_id"])
        verdict = await session.before(
            given["tool_name"],
            given["tool_input"],
            call_id=tool_use_id or given["tool_use_id"],
            agent=given.get("agent_id", ""),
        )
        if verdict.allowed:
            return {}
        denied = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": verdict.agent_message,
        }
        return {"systemMessage": verdict.question, "hookSpecificOutput": denied}

    async def after(self, given: Any, tool_use_id: str | None, _context: Any) -> Answer:
        return await self._ended(given, tool_use_id, succeeded=True)

    async def failed(self, given: Any, tool_use_id: str | None, _context: Any) -> Answer:
        return await self._ended(given, tool_use_id, succeeded=False)

    async def _ended(self, given: Any, tool_use_id: str | None, *, succeeded: bool) -> Answer:
        session = await self._gate.session(given["session_id"])
        await session.after(tool_use_id or given["tool_use_id"], succeeded=succeeded)
        return {}
