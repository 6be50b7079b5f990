"""The team's API: its routes, who may ask them, what they take and answer. An ASGI app, apart from any port."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response, Security
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes
from starlette.exceptions import HTTPException

from compass.team.admission import FAULT, NOTES, TeamGuard, answer_of, counted, refused_by, who_asks
from compass.team.documents import (
    BODY_BYTES_MAX,
    Erased,
    Kept,
    NewToken,
    OfDay,
    Person,
    PushedPolicy,
    ReplicaHealth,
    Repository,
    Revoked,
    SharedThresholds,
    Spend,
    TeamFault,
    TeamSettingsDocument,
    TokenRequest,
    Tokens,
)
from compass.team.model import Refused
from compass.team.replica import Replica, is_ready, lines
from evaluator.egress.evidence import cleaned
from evaluator.errors import CompassError
from evaluator.readers.team.documents import (
    EvaluationDocument,
    EvaluationRequestDocument,
    Me,
    PolicyDocument,
    ReadersDocument,
)
from evaluator.readers.team.wire import Evaluation, Principal, evaluation_document
from evaluator.record import replace
from evaluator.service.http_access import Receive
from evaluator.service.http_calls import BodyError, hung_up
from evaluator.service.metrics import CONTENT_TYPE
from evaluator.text import day_of

LINES: Final = "application/x-ndjson"
FAULTS: Final[Mapping[int, str]] = {
    400: "The body, or a parameter, is not what it should be.",
    401: "The bearer token is missing, unknown, expired or revoked.",
    403: "The token lacks the scope, or the request is a web page's.",
    404: "There is nothing with that name.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    429: "A cap or the rate towards the provider is reached.",
    503: "Overloaded, closing, without its database, or the breaker is open. `kind` shows which.",
    504: "No answer within the time that the gate waits.",
}
BODY: Final = (400, 408, 413)

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
            who = request.scope[NOTES].principal = await who_asks(here, request)
            with counted(here, who):
                if self.body_field is None:
                    return await handle(request)
                declared = request.headers.get("content-length")
                body = await here.bodies.read(request.receive, declared, BODY_BYTES_MAX)
                try:
                    return await handle(Request(request.scope, _whole(body, request.receive)))
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
OfPerson = Annotated[Person, Path()]
OfRepository = Annotated[Repository, Path()]
OfToken = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


def told(*statuses: int, **answer: Any) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route for its description; `answer` is its own 200."""
    codes = sorted({*statuses, 401, 403, 503})
    found: dict[int | str, dict[str, Any]] = {
        code: {"description": FAULTS[code], "model": TeamFault} for code in codes
    }
    return found | ({200: answer} if answer else {})


NDJSON: Final = {"content": {LINES: {"schema": {"type": "string"}}}}
guarded = APIRouter(route_class=TeamRoute)
probes = APIRouter()


@guarded.post(
    "/v1/evaluations",
    summary="Ask the team's readers about sanitized evidence.",
    responses=told(*BODY, 429, 504, model=EvaluationDocument),
)
async def evaluate(body: EvaluationRequestDocument, who: Evaluates, here: Here, request: Request) -> Response:
    given = body.record()
    asked = replace(given, evidence=await here.work(partial(cleaned, given.evidence)))
    found = await _while_there(request.receive, here.evaluate(who, asked))
    return Ascii(evaluation_document(found))


@guarded.get(
    "/v1/evaluations",
    summary="The kept evaluations, oldest first, one JSON object per line.",
    responses=told(400, **NDJSON),
)
async def evaluations(kept: Annotated[Kept, Query()], who: Reads, here: Here) -> Response:
    rows = here.store.evaluations(who.team, kept.moment, kept.person or "")
    return StreamingResponse(await lines(here.work, rows), media_type=LINES)


@guarded.get("/v1/me", summary="Whose the token is, and what it may do.", responses=told())
async def me(who: Anybody) -> Me:
    return Me.model_validate(who, from_attributes=True)


@guarded.get("/v1/readers", summary="Who reads for the team, and how many of them.", responses=told())
async def readers(_: Takes, here: Here) -> ReadersDocument:
    return ReadersDocument.model_validate(here.readers, from_attributes=True)


@guarded.get("/v1/policy", summary="What the team pushes to its gates.", responses=told(model=PolicyDocument))
async def policy(who: Takes, here: Here) -> Response:
    return Ascii(dict(await here.work(partial(here.store.policy, who.team))))


@guarded.put("/v1/policy", summary="Push another policy.", responses=told(*BODY, model=PolicyDocument))
async def set_policy(body: PushedPolicy, who: Administers, here: Here) -> Response:
    return Ascii(dict(await here.work(partial(here.store.set_policy, who.team, body))))


@guarded.get(
    "/v1/thresholds/{repository}",
    summary="A repository's shared calibration.",
    responses=told(400, 404, model=SharedThresholds),
)
async def thresholds(repository: OfRepository, who: Takes, here: Here) -> Response:
    found = await here.work(partial(here.store.thresholds, who.team, repository))
    if found is None:
        raise Refused("missing", "no calibration is shared for that repository")
    return Ascii(dict(found))


@guarded.put(
    "/v1/thresholds/{repository}",
    summary="Share a repository's calibration.",
    responses=told(*BODY, model=SharedThresholds),
)
async def set_thresholds(
    repository: OfRepository, body: dict[str, Any], who: Administers, here: Here
) -> Response:
    put = partial(here.store.set_thresholds, who.team, repository, body, who.person)
    return Ascii(dict(await here.work(put)))


@guarded.get("/v1/tokens", summary="The team's tokens, without their secrets.", responses=told())
async def tokens(who: Administers, here: Here) -> Tokens:
    return Tokens(tokens=await here.work(partial(here.store.tokens, who.team)))


@guarded.post(
    "/v1/tokens",
    status_code=201,
    summary="Create a token; its text is shown only once.",
    responses=told(*BODY),
)
async def make_token(body: TokenRequest, who: Administers, here: Here) -> NewToken:
    make = partial(here.store.make_token, who.team, body.person, body.scopes, body.seconds)
    token, row = await here.work(make)
    return NewToken(token=token, **dict(row))


@guarded.delete("/v1/tokens/{token_id}", summary="Revoke a token.", responses=told(404))
async def revoke_token(token_id: OfToken, who: Administers, here: Here) -> Revoked:
    if not await here.work(partial(here.store.revoke_token, who.team, token_id)):
        raise Refused("missing", "no valid token has that id")
    return Revoked(revoked=token_id)


@guarded.get(
    "/v1/spend",
    summary="What the team and its people spent on a day, reservations included.",
    responses=told(400),
)
async def spend(of: Annotated[OfDay, Query()], who: Reads, here: Here) -> Spend:
    day = of.day.isoformat() if of.day else day_of(time.time())
    return Spend(day=day, spent=await here.work(partial(here.store.spent, who.team, day)))


@guarded.delete(
    "/v1/people/{person}", summary="Erase a person's records and revoke their tokens.", responses=told()
)
async def erase_person(person: OfPerson, who: Administers, here: Here) -> Erased:
    gone = await here.work(partial(here.store.erase_person, who.team, person))
    return Erased(records=gone)


@guarded.get("/v1/settings", summary="The team's caps, rate and retention.", responses=told())
async def settings(who: Administers, here: Here) -> TeamSettingsDocument:
    found = await here.work(partial(here.store.settings, who.team))
    return TeamSettingsDocument.model_validate(found, from_attributes=True)


@guarded.put("/v1/settings", summary="Set them, all at once.", responses=told(*BODY))
async def set_settings(body: TeamSettingsDocument, who: Administers, here: Here) -> TeamSettingsDocument:
    await here.work(partial(here.store.set_settings, who.team, body.record()))
    return body


PROBE: Final[dict[int | str, dict[str, Any]]] = {
    403: {"description": FAULTS[403], "model": TeamFault},
    503: {"description": FAULTS[503], "model": ReplicaHealth},
}


@probes.get("/livez", summary="Whether the process answers.", responses=PROBE)
async def livez() -> ReplicaHealth:
    return ReplicaHealth(status="ok")


@probes.get(
    "/readyz", summary="Whether it takes requests: the database answers and is migrated.", responses=PROBE
)
async def readyz(here: Here, response: Response) -> ReplicaHealth:
    if not here.closing.is_set() and await is_ready(here):
        return ReplicaHealth(status="ok")
    response.status_code = 503
    return ReplicaHealth(status="closing" if here.closing.is_set() else "no database")


@guarded.get(
    "/metrics",
    summary="Counts and durations of this replica for Prometheus.",
    responses=told(content={"text/plain": {"schema": {"type": "string"}}}),
)
async def metrics(_: Reads, here: Here) -> Response:
    return Response(here.metrics.text(), media_type=CONTENT_TYPE)


@guarded.get("/openapi.json", summary="This description.", responses=told())
async def openapi(_: Anybody, request: Request) -> dict[str, Any]:
    return described(request.app)


def described(app: FastAPI) -> dict[str, Any]:
    """FastAPI's description without its own shape of a refusal, which no request is ever told."""
    found = app.openapi()
    for operations in found["paths"].values():
        for one in operations.values():
            one["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        found["components"]["schemas"].pop(name, None)
    return found


def make_app(replica: Replica) -> TeamGuard:
    """The guarded app of one replica."""
    app = FastAPI(
        title="Compass, a team's evaluator",
        version=replica.version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        default_response_class=Ascii,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.replica = replica
    app.include_router(guarded)
    app.include_router(probes)
    for kind in (CompassError, BodyError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(Exception, _broken)
    return TeamGuard(app, replica)


def _whole(body: bytes, then: Receive) -> Receive:
    """A body that has been read, and what comes after it."""
    left: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> MutableMapping[str, Any]:
        return left.pop() if left else await then()

    return receive


async def _while_there(receive: Receive, work: Awaitable[Evaluation]) -> Evaluation:
    """What `work` gives. Cancels it and raises BodyError once the client has hung up, so that nobody pays for it."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(hung_up(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise BodyError(400, "the client hung up before its answer")
        return working.result()
    finally:
        leaving.cancel()
        if working.cancel():
            with suppress(asyncio.CancelledError):
                await working


async def _refused(request: Request, error: Exception) -> Response:
    """Raises what is a fault of the program."""
    return answer_of(refused_by(error), request.scope[NOTES])


async def _broken(request: Request, _: Exception) -> Response:
    """The framework raises it again, and the guard tells it to the log."""
    return answer_of(Refused("fault", FAULT), request.scope[NOTES])
