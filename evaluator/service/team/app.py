"""The team's API as an ASGI app, apart from any port: every row of the table with its handler, behind the guard."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response, StreamingResponse

from evaluator.errors import CompassError, PayloadError
from evaluator.service.access import REALM, UNAUTHORIZED
from evaluator.service.bodies import BodyError
from evaluator.service.team import evaluations, people, settings, state
from evaluator.service.team.asking import Answer, Asked, Handler, Inside, Parts
from evaluator.service.team.description import JSON, LINES, completed, operation, responses
from evaluator.service.team.guard import INSIDE, NOBODY, TeamGuard
from evaluator.service.team.principals import Principals
from evaluator.service.team.refusals import FAULT, refusal, refusal_of
from evaluator.service.team.routes import ROUTES, Route
from evaluator.team.documents import BODY_BYTES_MAX


def make_app(parts: Parts, principals: Principals) -> TeamGuard:
    """The guarded app of one replica."""
    app = FastAPI(
        title="Compass, a team's evaluator",
        version=parts.version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    handlers = {
        **evaluations.HANDLERS,
        **people.HANDLERS,
        **settings.HANDLERS,
        **state.handlers(),
        "openapi": _openapi(app),
    }
    for route in ROUTES:
        app.add_api_route(
            route.path,
            _endpoint(route, handlers[route.name], parts),
            methods=[route.method],
            summary=route.summary,
            name=route.name,
            response_class=Response,
            status_code=201 if route.name == "make_token" else 200,
            responses=responses(route),
            openapi_extra=operation(route),
        )
    app.add_exception_handler(Exception, _broken)
    return TeamGuard(app, parts, principals)


def described(app: FastAPI) -> dict[str, Any]:
    return completed(get_openapi(title=app.title, version=app.version, routes=app.routes))


def _endpoint(route: Route, handler: Handler, parts: Parts) -> Any:
    known = {one.name for one in route.query}

    async def answer(request: Request) -> Response:
        inside: Inside = request.scope[INSIDE]
        body = b""
        try:
            other = sorted(set(request.query_params) - known)
            if other:
                # A filter that is misspelt must not widen what is answered.
                raise PayloadError(f"unknown parameter {other[0][:60]!r}")
            if route.body:
                declared = request.headers.get("content-length")
                body = await parts.bodies.read(request.receive, declared, BODY_BYTES_MAX)
            who = inside.principal or NOBODY
            asked = Asked(who, inside, request.path_params, dict(request.query_params), body)
            return _response(await handler(parts, asked))
        except (CompassError, BodyError) as error:
            return _refused(error, inside)
        finally:
            parts.bodies.release(len(body))

    return answer


def _response(found: Answer) -> Response:
    if found.stream is not None:
        return StreamingResponse(found.stream, found.status, media_type=LINES)
    if found.text is not None:
        return Response(found.text, found.status, media_type=found.content_type)
    return Response(json.dumps(found.document), found.status, media_type=JSON)


def _refused(error: CompassError | BodyError, inside: Inside) -> Response:
    told = refusal_of(error)
    if told is None:
        raise error
    inside.kind, inside.cause = told.kind, told.cause
    headers = {} if told.retry_after is None else {"retry-after": str(told.retry_after)}
    if isinstance(error, BodyError):
        headers["connection"] = "close"
    if told.status == UNAUTHORIZED:
        headers["www-authenticate"] = REALM
    return Response(json.dumps(told.document), told.status, headers, JSON)


async def _broken(_: Request, __: Exception) -> Response:
    """The framework raises it again, and the guard tells it to the log."""
    told = refusal("fault", FAULT)
    return Response(json.dumps(told.document), told.status, {"connection": "close"}, JSON)


def _openapi(app: FastAPI) -> Handler:
    found: dict[str, Any] = {}

    async def openapi(_: Parts, __: Asked) -> Answer:
        if not found:
            found.update(described(app))
        return Answer(found)

    return openapi
