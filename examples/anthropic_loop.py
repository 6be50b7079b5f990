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
        while messages[-1]["role"] == "user":
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=[SHELL], messages=messages)
            messages.append({"role": "assistant", "content": reply.content})
            if said := "\n".join(block.text for block in reply.content if block.type == "text"):
                session.agent(said)
                show(said)
            calls = [block for block in reply.content if block.type == "tool_use"]
            if results := [run(session, call, show) for call in calls]:
                messages.append({"role": "user", "content": results})


def run(session: Session, call: ToolUseBlock, show: Callable[[str], None]) -> ToolResultBlockParam:
    """What came of a call, or why it was held."""
    verdict = session.before(call.name, call.input, call_id=call.id)
    if verdict.question:
        show(verdict.question)
    text, failed = verdict.agent_message, True
    if verdict.allowed:
        line = ["/bin/sh", "-c", str(call.input["line"])]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        text, failed = done.stdout + done.stderr, done.returncode != 0
        session.after(call.id, succeeded=not failed)
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": failed}


if __name__ == "__main__":
    with Gate(tools=TOOLS) as gate:
        converse(Anthropic(), gate.session("terminal"), lambda: input("> "), print)
