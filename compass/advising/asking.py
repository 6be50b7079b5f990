"""Puts a question to the person through the agent's client, in the way of the client's protocol.

Up to 2025-11-25 the server asks in mid-call. From 2026-07-28 on it cannot: the call ends with the question, and the
client makes it again with the answer and with what was found, sealed by the SDK and bound to the call's arguments. So
a call that goes on is not judged or counted anew, and what a client makes up itself is refused.
"""

from __future__ import annotations

import json
from typing import Any

from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from compass.advising.answers import Advice

ENDS_WITH_THE_QUESTION = "2026-07-28"
ANSWER_SECONDS = 24 * 3600.0
"""A person may answer after lunch."""
ANSWER = "answer"


class Reply(BaseModel):
    """What the person is asked for."""

    answer: str = Field(description="A number, or your own words")


async def ask_person(ctx: Context[Any, Any], found: Advice) -> Advice | InputRequiredResult:
    """With the person's answer, which is empty where the client cannot ask or nobody answers; or the question."""
    if not _can_ask(ctx):
        return found
    version = ctx.protocol_version
    if version is not None and is_version_at_least(version, ENDS_WITH_THE_QUESTION):
        asked = ElicitRequestFormParams(
            message=found.question, requested_schema=render_elicitation_schema(Reply)
        )
        return InputRequiredResult(
            input_requests={ANSWER: ElicitRequest(params=asked)},
            request_state=json.dumps(found.model_dump()),
        )
    try:
        told = await ctx.elicit(found.question, Reply)
    except (MCPError, ValueError):
        return found
    return _with(found, told.data.answer) if told.action == "accept" else found


def answered(ctx: Context[Any, Any]) -> Advice | None:
    """What the call that this one goes on with had found, with the answer; None for a call of its own."""
    if ctx.request_state is None:
        return None
    found = Advice.model_validate(json.loads(ctx.request_state))
    told = (ctx.input_responses or {}).get(ANSWER)
    if not isinstance(told, ElicitResult) or told.action != "accept":
        return found
    try:
        return _with(found, Reply.model_validate(told.content).answer)
    except ValidationError:
        return found


def _with(found: Advice, answer: str) -> Advice:
    return found.model_copy(update={"user_answered": answer})


def _can_ask(ctx: Context[Any, Any]) -> bool:
    """Whether the client has forms; without any mode named it has them."""
    offered = ctx.client_capabilities.elicitation if ctx.client_capabilities is not None else None
    return offered is not None and (offered.form is not None or offered.url is None)
