"""The team's API: its routes, who may ask them, what they take and answer. An ASGI app, apart from any port."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response, Security
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from compass.team import documents
from compass.team.admission import NOTES, TeamGuard, answer_of, counted, refused_by
from compass.team.model import UNKNOWN, Refused
from compass.team.replica import Replica, is_ready, json_lines
from evaluator.egress.evidence import cleaned
from evaluator.errors import StateError
from evaluator.readers.team.documents import (
    EvaluationDocument,
    EvaluationRequestDocument,
    Me,
    PolicyDocument,
    ReadersDocument,
)
from evaluator.readers.team.wire import Principal, evaluation_document
from evaluator.record import replace
from evaluator.service.http_calls import BodyError, hung_up
from evaluator.service.metrics import CONTENT_TYPE
from evaluator.text import day_of

LINES: Final = "application/x-ndjson"
REFUSED: Final[dict[int | str, dict[str, Any]]] = {
    "default": {"model": documents.TeamFault, "description": "A refusal; `kind` says which one."}
}

TOKEN: Final = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="A personal token. Any one of the scopes that an operation names suffices.",
)


class Ascii(JSONResponse):
    """JSON that escapes what is not valid Unicode: a reader's answer may hold anything."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode("ascii")


class TeamRoute(APIRoute):
    """Finds whose the token is before anything of a body is read, and then reads it within the bounds."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            here = replica_of(request)
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            who = None
            if scheme.lower() == "bearer":
                who = await here.work(partial(here.store.principal, token.strip()))
            if who is None:
                raise Refused("unauthorized", UNKNOWN)
            request.scope[NOTES].principal = who
            with counted(here, who):
                if self.body_field is None:
                    return await handle(request)
                declared = request.headers.get("content-length")
                body = await here.bodies.read(request.receive, declared, documents.BODY_BYTES_MAX)
                left: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body}]

                async def receive() -> MutableMapping[str, Any]:
                    """The body that has been read, and what comes after it."""
                    return left.pop() if left else await request.receive()

                try:
                    return await handle(Request(request.scope, receive))
                finally:
                    here.bodies.release(len(body))

        return admitted


def replica_of(request: Request) -> Replica:
    found: Replica = request.app.state.replica
    return found


async def principal(
    request: Request,
    wanted: SecurityScopes,
    _: Annotated[HTTPAuthorizationCredentials | None, Security(TOKEN)],
) -> Principal:
    """Whose the token is. Raises Refused where it lacks the scope."""
    who: Principal = request.scope[NOTES].principal
    if not any(scope in who.scopes for scope in wanted.scopes):
        raise Refused("forbidden", f"the token lacks the scope: {' or '.join(wanted.scopes)}")
    return who


Here = Annotated[Replica, Depends(replica_of)]
Evaluates = Annotated[Principal, Security(principal, scopes=["evaluate"])]
Reads = Annotated[Principal, Security(principal, scopes=["read"])]
Administers = Annotated[Principal, Security(principal, scopes=["admin"])]
Takes = Annotated[Principal, Security(principal, scopes=["evaluate", "admin"])]
Anybody = Annotated[Principal, Security(principal, scopes=["evaluate", "read", "admin"])]
OfPerson = Annotated[documents.Person, Path()]
OfRepository = Annotated[documents.Repository, Path()]
OfToken = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


def answers(model: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """For the description of a route that writes its answer by itself."""
    return {200: {"model": model}}


guarded = APIRouter(route_class=TeamRoute, responses=REFUSED)
probes = APIRouter()


@guarded.post("/v1/evaluations", responses=answers(EvaluationDocument))
async def evaluate(body: EvaluationRequestDocument, who: Evaluates, here: Here, request: Request) -> Response:
    """Ask the team's readers about sanitized evidence."""
    given = body.record()
    asked = replace(given, evidence=await here.work(partial(cleaned, given.evidence)))
    working = asyncio.ensure_future(here.evaluate(who, asked))
    leaving = asyncio.ensure_future(hung_up(request.receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise BodyError(400, "the client hung up before it was answered")
        return Ascii(evaluation_document(working.result()))
    finally:
        leaving.cancel()
        # Nobody pays for what nobody waits for.
        if working.cancel():
            with suppress(asyncio.CancelledError):
                await working


@guarded.get("/v1/evaluations")
async def evaluations(kept: Annotated[documents.Kept, Query()], who: Reads, here: Here) -> Response:
    """The kept evaluations, oldest first, one JSON object per line."""
    rows = here.store.evaluations(who.team, kept.moment, kept.person or "")
    return StreamingResponse(await json_lines(here.work, rows), media_type=LINES)


@guarded.get("/v1/me")
async def me(who: Anybody) -> Me:
    """Whose the token is, and what it may do."""
    return Me.model_validate(who, from_attributes=True)


@guarded.get("/v1/readers")
async def readers(_: Takes, here: Here) -> ReadersDocument:
    """Who reads for the team, and how many of them."""
    return ReadersDocument.model_validate(here.readers, from_attributes=True)


@guarded.get("/v1/policy", responses=answers(PolicyDocument))
async def policy(who: Takes, here: Here) -> Response:
    """The policy that the team pushes to its gates."""
    return Ascii(dict(await here.work(partial(here.store.policy, who.team))))


@guarded.put("/v1/policy", responses=answers(PolicyDocument))
async def set_policy(body: documents.PushedPolicy, who: Administers, here: Here) -> Response:
    """Push another policy."""
    return Ascii(dict(await here.work(partial(here.store.set_policy, who.team, body))))


@guarded.get("/v1/thresholds/{repository}", responses=answers(documents.SharedThresholds))
async def thresholds(repository: OfRepository, who: Takes, here: Here) -> Response:
    """A repository's shared calibration."""
    found = await here.work(partial(here.store.thresholds, who.team, repository))
    if found is None:
        raise Refused("missing", "no calibration is shared for that repository")
    return Ascii(dict(found))


@guarded.put("/v1/thresholds/{repository}", responses=answers(documents.SharedThresholds))
async def set_thresholds(
    repository: OfRepository, body: dict[str, Any], who: Administers, here: Here
) -> Response:
    """Share a repository's calibration."""
    put = partial(here.store.set_thresholds, who.team, repository, body, who.person)
    return Ascii(dict(await here.work(put)))


@guarded.get("/v1/tokens")
async def tokens(who: Administers, here: Here) -> documents.Tokens:
    """The team's tokens, without their secrets."""
    return documents.Tokens(tokens=await here.work(partial(here.store.tokens, who.team)))


@guarded.post("/v1/tokens", status_code=201)
async def make_token(body: documents.TokenRequest, who: Administers, here: Here) -> documents.NewToken:
    """Create a token; its text is shown only once."""
    make = partial(here.store.make_token, who.team, body.person, body.scopes, body.seconds)
    token, row = await here.work(make)
    return documents.NewToken(token=token, **dict(row))


@guarded.delete("/v1/tokens/{token_id}")
async def revoke_token(token_id: OfToken, who: Administers, here: Here) -> documents.Revoked:
    """Revoke a token."""
    if not await here.work(partial(here.store.revoke_token, who.team, token_id)):
        raise Refused("missing", "no valid token has that id")
    return documents.Revoked(revoked=token_id)


@guarded.get("/v1/spend")
async def spend(of: Annotated[documents.OfDay, Query()], who: Reads, here: Here) -> documents.Spend:
    """What the team and its members spent on a day, reservations included."""
    day = of.day.isoformat() if of.day else day_of(time.time())
    return documents.Spend(day=day, spent=await here.work(partial(here.store.spent, who.team, day)))


@guarded.delete("/v1/people/{person}")
async def erase_person(person: OfPerson, who: Administers, here: Here) -> documents.Erased:
    """Erase a person's records and revoke their tokens."""
    return documents.Erased(records=await here.work(partial(here.store.erase_person, who.team, person)))


@guarded.get("/v1/settings")
async def settings(who: Administers, here: Here) -> documents.TeamSettingsDocument:
    """The team's caps, rate and retention."""
    found = await here.work(partial(here.store.settings, who.team))
    return documents.TeamSettingsDocument.model_validate(found, from_attributes=True)


@guarded.put("/v1/settings")
async def set_settings(
    body: documents.TeamSettingsDocument, who: Administers, here: Here
) -> documents.TeamSettingsDocument:
    """Set the caps, rate and retention, all at once."""
    await here.work(partial(here.store.set_settings, who.team, body.record()))
    return body


@probes.get("/livez")
async def livez() -> documents.ReplicaHealth:
    """Whether the process answers."""
    return documents.ReplicaHealth(status="ok")


@probes.get("/readyz")
async def readyz(here: Here, response: Response) -> documents.ReplicaHealth:
    """Whether it takes requests: the database answers and is migrated."""
    if not here.closing.is_set() and await is_ready(here):
        return documents.ReplicaHealth(status="ok")
    response.status_code = 503
    return documents.ReplicaHealth(status="closing" if here.closing.is_set() else "no database")


@guarded.get("/metrics")
async def metrics(_: Reads, here: Here) -> Response:
    """Counts and durations of this replica for Prometheus."""
    return Response(here.metrics.text(), media_type=CONTENT_TYPE)


@guarded.get("/openapi.json")
async def openapi(_: Anybody, request: Request) -> dict[str, Any]:
    """This description."""
    found: dict[str, Any] = request.app.openapi()
    return found


def make_app(replica: Replica) -> TeamGuard:
    """The guarded app of one replica."""
    app = FastAPI(
        title="Compass, a team's evaluator", version=replica.version, docs_url=None, redoc_url=None,
        openapi_url=None, redirect_slashes=False, default_response_class=Ascii,
        generate_unique_id_function=lambda route: route.name,
    )  # fmt: skip
    app.state.replica = replica
    app.include_router(guarded)
    app.include_router(probes)

    async def refuse(request: Request, error: Exception) -> Response:
        """A fault of the program the framework raises again, and the guard tells it to the log."""
        return answer_of(refused_by(error), request.scope[NOTES])

    for kind in (Refused, StateError, BodyError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, refuse)
    return TeamGuard(app, replica)
