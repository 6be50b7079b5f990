"""The MCP server of `compass mcp`: advice before a write, for agents that ask. No other module has the SDK.

It judges, and holds, releases and records nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from functools import partial
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from compass import __version__
from compass.api.exports import CompassError, Verdict, judge
from compass.show.check import WHY
from evaluator.intervention.messages import Cause, question
from evaluator.intervention.wording import language_of
from evaluator.model import EMBEDDED, Concern

CALLS_MAX = 3
SPAN_SECONDS = 60.0
ADVISES = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=True
)
"""Hosted readers are outside of the machine."""
NOTE = (
    "Advice only, based on your own account of what the user said: it allows nothing and holds nothing. Where hooks "
    "are wired, they judge the write itself again, and only what the user types in the session answers a held write."
)
INSTRUCTIONS = (
    "Compass says whether two readers of the user's request would agree on a write. Call check_write before a write "
    "that the request leaves open; if the result has a question, show it to the user word for word.\n"
    "All of it is advice: a verdict allows and releases nothing, and has no effect where hooks judge the write."
)
ASKED_OFTEN = (
    f"check_write has already been called {CALLS_MAX} times within a minute, so no reader was asked. Ask the user "
    "instead, or go on: where hooks are wired, they hold what is unclear."
)
CLEAR = "Two readers of the request would expect this write."
ASK = "Ask the user before you write: show them the question word for word, and stop."
NOT_JUDGED = "Nobody judged this, so do not take it as a yes."
DOUBTED: dict[Concern, str] = {
    "target": "It is not clear which one is meant.",
    "scope": "It does more than was asked for, or does it somewhere else.",
    "context": "What was said does not settle this.",
    "destructive": "Something that nobody mentioned would be lost.",
    "none": "The request can be understood in more than one way.",
}


class Advice(BaseModel):
    """What `check_write` found."""

    verdict: Literal["passed", "failed", "skipped"] = Field(
        description="passed: readers would agree; failed: ask the user; skipped: nobody judged it"
    )
    reason: str = Field(description="The reason, as one of Compass's codes")
    why: str = Field(description="The same in words")
    question: str = Field(
        default="", description="Show it to the user word for word; empty if there is nothing to ask"
    )
    readings: list[str] = Field(
        default_factory=list, description="What the request could mean: at most three readings"
    )
    note: str = Field(default=NOTE, description="What this advice cannot do")


def make_server(project: str) -> MCPServer[Any]:
    """The MCP server of one project's folder."""
    server: MCPServer[Any] = MCPServer(
        "compass", title="Compass", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    taken: deque[float] = deque(maxlen=CALLS_MAX)

    async def check_write(  # noqa: PLR0913, PLR0917 - a tool's flat arguments; it is called by name
        user: Annotated[str | list[str], Field(description="What the user asked for, in their own words")],
        prior: Annotated[str, Field(description="What you said right before that, word for word")] = "",
        command: Annotated[
            str | None, Field(description="A shell command, for anything that is not a plain write")
        ] = None,
        path: Annotated[str | None, Field(description="The file that will be written")] = None,
        content: Annotated[str | None, Field(description="Its whole new text")] = None,
        old: Annotated[str | None, Field(description="For an edit: the text to replace")] = None,
        new: Annotated[str | None, Field(description="For an edit: the new text")] = None,
        tool: Annotated[str, Field(description="The tool that will perform the write")] = "",
        input: Annotated[dict[str, Any] | None, Field(description="Another tool's whole input")] = None,
    ) -> Advice:
        """Before a write: would two readers of the user's request expect it? If not, returns the question for the user.

        Give a command, or a path with its content or with old and new, or a tool with its input.
        """
        now = time.monotonic()
        if len(taken) == CALLS_MAX and now - taken[0] < SPAN_SECONDS:
            return Advice(verdict="skipped", reason="turn_budget_exhausted", why=ASKED_OFTEN)
        taken.append(now)
        work = partial(
            judge, user, prior=prior, command=command, path=path, content=content, old=old, new=new,
            # Hosts name their file and shell tools differently; else what is written tells which it is.
            tool=tool if input is not None else "", input=input, project=project,
        )  # fmt: skip
        try:
            found = await asyncio.to_thread(work)
        except CompassError as error:
            raise ToolError(str(error)) from error
        advice = Advice(verdict=found.verdict, reason=found.reason, why=_mcp_verdict_reason(found))
        if found.verdict == "failed":
            advice.readings = list(found.readings)
            if concern := found.concern:
                # In the user's language, without what can only be typed where a write is held.
                listed = found.readings if len(found.readings) > 1 else ()
                unclear: Cause = "ambiguous" if listed else "unclear"
                cause = concern if concern in ("scope", "destructive") else unclear
                request = user if isinstance(user, str) else "\n\n".join(user)
                advice.question = "\n".join(question(language_of(request), cause, request, listed))
        return advice

    server.add_tool(check_write, annotations=ADVISES)
    return server


def _mcp_verdict_reason(found: Verdict) -> str:
    if found.verdict == "passed":
        return CLEAR
    if found.concern is not None and found.verdict == "failed":
        # Without a doubt the rationale is that of a reader who saw nothing.
        seen = found.rationale if found.concern != "none" else ""
        return " ".join(filter(None, (DOUBTED[found.concern], seen, ASK)))
    unread = found.backend == EMBEDDED and found.reason == "insufficient_context"
    return f"Not judged: {'no model is in use here' if unread else WHY[found.reason]}. {NOT_JUDGED}"


def serve_stdio(project: str) -> None:
    """Serves MCP on stdin and stdout until the client closes our input."""
    make_server(project).run("stdio")
