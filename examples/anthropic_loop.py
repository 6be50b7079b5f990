"""An agent of one's own over the Anthropic SDK, gated: `python examples/anthropic_loop.py` in a project's folder."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from anthropic import Anthropic
from anthropic.types import MessageParam, ToolParam, ToolResultBlockParam, ToolUseBlock

from compass import Gate, Session

MODEL = "claude-haiku-4-5-20251001"
SHELL: ToolParam = {
    "name": "sh",
    "description": "Run a command in the project's folder.",
    "input_schema": {"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]},
}
TOOLS = {"sh": "shell:line"}


def converse(
    client: Anthropic, session: Session, ask: Callable[[], str], show: Callable[[str], None]
) -> None:
    """Until the user says nothing."""
    messages: list[MessageParam] = []
    while text := ask():
        heard = session.user(text)
        if heard.message:
            show(heard.message)
        if heard.stops:
            continue
        messages.append({"role": "user", "content": f"{text}\n{heard.agent_message}".strip()})
        while True:
            reply = client.messages.create(
                model=MODEL, max_tokens=1024, system=session.brief, tools=[SHELL], messages=messages
            )
            messages.append({"role": "assistant", "content": reply.content})
            said = "\n".join(block.text for block in reply.content if block.type == "text")
            if said:
                session.agent(said)
                show(said)
            calls = [block for block in reply.content if block.type == "tool_use"]
            if not calls:
                break
            messages.append({"role": "user", "content": [run(session, call, show) for call in calls]})


def run(session: Session, block: ToolUseBlock, show: Callable[[str], None]) -> ToolResultBlockParam:
    """What came of a call, or why it was held."""
    verdict = session.before(block.name, block.input, call_id=block.id)
    if verdict.question:
        show(verdict.question)
    if not verdict.allowed:
        return _result(block, verdict.agent_message, failed=True)
    done = subprocess.run(
        ["/bin/sh", "-c", str(block.input["line"])], capture_output=True, text=True, check=False
    )
    session.after(block.id, succeeded=done.returncode == 0)
    return _result(block, done.stdout + done.stderr, failed=done.returncode != 0)


def _result(block: ToolUseBlock, text: str, *, failed: bool) -> ToolResultBlockParam:
    return {"type": "tool_result", "tool_use_id": block.id, "content": text, "is_error": failed}


if __name__ == "__main__":
    with Gate(tools=TOOLS) as gate:
        converse(Anthropic(), gate.session("terminal"), lambda: input("> "), print)
