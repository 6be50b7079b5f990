"""The MCP server: tools and resources over plain functions, and the question to the person. No other has the SDK."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, BinaryIO, cast

from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.request_state import RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ToolAnnotations,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from compass import __version__
from compass.composition.settings import here, home_of
from compass.mcp_server.tools import (
    INSTRUCTIONS,
    Advice,
    CheckLine,
    Explanation,
    Pending,
    account_of,
    advise,
    explained,
    last_checks,
    pending_of,
    refused,
    tally_of,
)
from evaluator.errors import CompassError

ENDS_WITH_THE_QUESTION = "2026-07-28"
ANSWER_SECONDS = 24 * 3600.0
"""A person may answer after lunch."""
ANSWER = "answer"
NAME = "compass"
READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ASKS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=True
)
"""Hosted readers are outside of the machine."""
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


class PersonsReply(BaseModel):
    """What the person is asked for."""

    answer: str = Field(description="A number, or your own words")


async def ask_person(ctx: Context[Any, Any], found: Advice) -> Advice | InputRequiredResult:
    """With the person's answer, which is empty where the client cannot ask or nobody answers; or the question."""
    offered = ctx.client_capabilities.elicitation if ctx.client_capabilities is not None else None
    # Without any mode named a client has forms.
    if offered is None or (offered.form is None and offered.url is not None):
        return found
    version = ctx.protocol_version
    if version is not None and is_version_at_least(version, ENDS_WITH_THE_QUESTION):
        asked = ElicitRequestFormParams(
            message=found.question, requested_schema=render_elicitation_schema(PersonsReply)
        )
        return InputRequiredResult(
            input_requests={ANSWER: ElicitRequest(params=asked)},
            request_state=json.dumps(found.model_dump()),
        )
    try:
        told = await ctx.elicit(found.question, PersonsReply)
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
        return _with(found, PersonsReply.model_validate(told.content).answer)
    except ValidationError:
        return found


def _with(found: Advice, answer: str) -> Advice:
    return found.model_copy(update={"user_answered": answer})


def make_server(project: str | None) -> MCPServer[Any]:
    """The MCP server of one project; None is the working directory."""
    server: MCPServer[Any] = MCPServer(
        NAME,
        title="Compass",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        request_state_security=RequestStateSecurity.ephemeral(ttl=ANSWER_SECONDS),
    )
    calls = tally_of(os.environ, project)

    async def check_write(  # noqa: PLR0913, PLR0917 - a tool's flat arguments; it is called by name
        user: Annotated[str | list[str], Field(description="What the user asked for, in their own words")],
        ctx: Context[Any, Any],
        prior: Annotated[str, Field(description="What you said right before that, word for word")] = "",
        command: Annotated[
            str | None, Field(description="A shell command, for anything that is not a plain write")
        ] = None,
        path: Annotated[str | None, Field(description="The file that is to be written")] = None,
        content: Annotated[str | None, Field(description="Its whole new text")] = None,
        old: Annotated[str | None, Field(description="For an edit: the text to replace")] = None,
        new: Annotated[str | None, Field(description="For an edit: the text to put there")] = None,
        tool: Annotated[str, Field(description="The tool that is to write")] = "",
        input: Annotated[dict[str, Any] | None, Field(description="Another tool's whole input")] = None,
        ask: Annotated[bool, Field(description="Put the question to the user, where the client can")] = False,
    ) -> Advice | InputRequiredResult:
        """Before a write: would two readers of the user's request expect it? Else the question to ask the user.

        Give a command, or a path with its content or with old and new, or a tool with its input.
        """
        if (earlier := answered(ctx)) is not None:
            return earlier
        meta = cast("Mapping[str, object] | None", ctx.request_context.meta)
        # Reading a long session, or waiting for the counts, holds up no other client.
        account = await asyncio.to_thread(account_of, meta or {}, project, os.environ, home_of(os.environ))
        if not await asyncio.to_thread(calls.take, account.turn if account else ""):
            return refused(by_turn=account is not None)
        write: dict[str, Any] = {"command": command, "path": path, "content": content, "old": old, "new": new}
        if input is not None:
            # Hosts name their file and shell tools differently; else what is written tells which it is.
            write |= {"tool": tool, "input": input}
        with _telling(ToolError):
            found = await advise(write, user, prior, account, project)
        return await ask_person(ctx, found) if ask and found.question else found

    def explain(
        check_id: Annotated[
            str, Field(description="A check's id or its beginning; without it the newest")
        ] = "",
    ) -> Explanation:
        """Why a past write of this project was held or let through, in words."""
        with _telling(ToolError):
            return explained(here(project), check_id)

    def pending_questions() -> Pending:
        """What is held in this project's sessions and waits for its user: numbered readings, and what may be typed."""
        with _telling(ToolError):
            return pending_of(here(project), time.time())

    def checks() -> list[CheckLine]:
        """The last checks of this project, newest first."""
        return last_checks(here(project))

    def check(check_id: str) -> Explanation:
        """One check, in words."""
        with _telling(ResourceNotFoundError):
            return explained(here(project), check_id)

    server.add_tool(check_write, annotations=ASKS)
    for tool in (explain, pending_questions):
        server.add_tool(tool, annotations=READS)
    server.resource("compass://checks", mime_type="application/json")(checks)
    server.resource("compass://checks/{check_id}", mime_type="application/json")(check)
    return server


@contextmanager
def _telling(kind: type[Exception]) -> Generator[None]:
    """What goes wrong on purpose is told to the agent, as the SDK wants it."""
    try:
        yield
    except CompassError as error:
        raise kind(str(error)) from error


class _Mended(io.RawIOBase):
    """Lines of JSON with U+FFFD for lone surrogates: the SDK can read no such message, and so would not answer it."""

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._left = source, b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any, /) -> int:
        self._left = self._left or _ESCAPE.sub(
            lambda found: rb"\ufffd" if found["lone"] else found[0], self._source.readline()
        )
        size = min(len(room), len(self._left))
        room[:size], self._left = self._left[:size], self._left[size:]
        return size


def serve_stdio(project: str | None) -> None:
    """Serves MCP on stdin and stdout until the client closes our input."""
    source = os.fdopen(os.dup(0), "rb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_Mended(source)))
    make_server(project).run("stdio")
