"""The HTTP API, for `http` hooks and for scripts: an ASGI app apart from any port.

The same judge answers here and on the socket. Every path but /healthz wants the bearer token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from evaluator.errors import AbandonedError, CompassError
from evaluator.service.access import AccessRules
from evaluator.service.bodies import CHECK_BYTES_MAX, HOOK_BYTES_MAX, Bodies, BodyError
from evaluator.service.desk import Calls, Desk, leaving
from evaluator.service.documents import (
    CaseDocument,
    CheckDocument,
    Fault,
    Health,
    HookOutput,
    HookPayload,
    RecordDocument,
)
from evaluator.service.guards import HttpGuard
from evaluator.service.metrics import CONTENT_TYPE, Metrics
from evaluator.service.server import Service

CHECK_SECONDS = 60.0
NO_OPINION = b"{}"
JSON = "application/json"
_FAULTS = {
    400: "The body is not what it should be.",
    401: "The bearer token is missing or wrong.",
    403: "The request has an Origin: it is a web page's.",
    404: "There is nothing of that name.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    421: "The Host header names another service.",
    503: "Too many calls at once, or the service is on its way out. A hook's own policy decides.",
    504: "The check took too long.",
}


class _Json(JSONResponse):
    def render(self, content: Any) -> bytes:
        """In ASCII: a lone surrogate, which a call may hold, has no other form."""
        return json.dumps(content, separators=(",", ":")).encode()


def make_app(
    service: Service, calls: Calls, rules: AccessRules, version: str, bodies: Bodies | None = None
) -> HttpGuard:
    """The guarded app of a service; it is closed and drained with the service."""
    metrics = Metrics(
        lambda: {"waiting": service.waiting, "connections": len(service.open), **service.counts.told()}
    )
    held = bodies or Bodies()
    app = FastAPI(
        title="Compass",
        version=version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    desk = Desk(service, calls)
    _add_hooks(app, desk, held, metrics)
    _add_checks(app, desk, held)
    _add_state(app, service, metrics)
    app.add_exception_handler(HTTPException, _as_fault)
    app.add_exception_handler(BodyError, _as_fault)
    app.add_exception_handler(CompassError, _as_fault)
    return HttpGuard(app, rules, service, metrics)


def _add_hooks(app: FastAPI, desk: Desk, bodies: Bodies, metrics: Metrics) -> None:
    calls = desk.calls

    @app.post(
        "/v1/hooks/{event}",
        summary="Answer a hook",
        description="The body is the host's payload; the answer is what the hook's command would print. An empty "
        "object is no opinion. A fault inside of the gate is answered by the project's error policy, with status 200.",
        response_class=Response,
        responses={200: _content(HookOutput), **_faults(404, 408, 413, 503)},
        openapi_extra={
            **_body(HookPayload),
            "parameters": [_event(calls.events), *_HEADERS],
        },
    )
    async def hook(request: Request) -> Response:
        event: str = request.path_params["event"]
        if event not in calls.events:
            raise HTTPException(404, f"no such event; one of {', '.join(sorted(calls.events))}")
        if desk.is_full:
            desk.service.counts.refused += 1
            raise HTTPException(503, "too many calls wait for a verdict; try again", {"retry-after": "1"})
        payload = await _read(request, bodies, HOOK_BYTES_MAX)
        try:
            reply = await desk.answer(event, calls.variables(request.headers), payload, request.receive)
        finally:
            bodies.release(len(payload))
        if reply.complaint:
            calls.say(reply.complaint)
        if reply.refused:
            desk.service.counts.refused += 1
            raise HTTPException(503, "this project reaches the network in a way that the service does not")
        metrics.answered(event, reply.text)
        return Response(reply.text or NO_OPINION, media_type=JSON)


def _add_checks(app: FastAPI, desk: Desk, bodies: Bodies) -> None:
    calls = desk.calls

    @app.post(
        "/v1/checks",
        summary="Judge one pending write",
        description="A labelled case, or the host's payload of a call; judged whether or not the gate is enabled.",
        response_class=JSONResponse,
        responses={200: {"model": CheckDocument}, **_faults(400, 408, 413, 503, 504)},
        openapi_extra={**_body(CaseDocument, HookPayload), "parameters": _HEADERS},
    )
    async def check(
        request: Request,
        backend: Annotated[str | None, Query(description="who reads; as configured without it")] = None,
        record: Annotated[bool, Query(description="keep the check and its event, as the hook would")] = False,
    ) -> Response:
        if desk.is_full:
            raise HTTPException(503, "too many calls wait for a verdict; try again", {"retry-after": "1"})
        body = await _read(request, bodies, CHECK_BYTES_MAX)
        try:
            gone: Future[None] = Future()
            work = partial(calls.check, body, calls.variables(request.headers), backend, record, gone)
            async with asyncio.timeout(CHECK_SECONDS), leaving(request.receive, gone):
                return _Json(await desk.run(work))
        except (TimeoutError, AbandonedError):
            raise HTTPException(504, f"no verdict within {CHECK_SECONDS:g} s") from None
        finally:
            bodies.release(len(body))

    @app.get(
        "/v1/checks/{id}",
        summary="A kept check",
        response_class=JSONResponse,
        responses={200: {"model": RecordDocument}, **_faults(404, 503)},
    )
    async def explain(id: Annotated[str, Path(description="a check id, or its beginning")]) -> Response:
        found = await desk.run(partial(calls.explain, id)) if id.isascii() and id.isalnum() else None
        if found is None:
            raise HTTPException(404, "no check of that id: checks are kept once the gate has judged a write")
        return _Json(found)


def _add_state(app: FastAPI, service: Service, metrics: Metrics) -> None:
    @app.get(
        "/healthz",
        summary="Whether the service takes calls",
        response_class=JSONResponse,
        responses={200: {"model": Health}, 503: {"model": Health}},
        openapi_extra={"security": []},
    )
    async def health() -> Response:
        closing = service.closing.is_set()
        return _Json({"status": "closing" if closing else "ok"}, 503 if closing else 200)

    @app.get(
        "/metrics",
        summary="Counts and durations for Prometheus",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def told() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    description: dict[str, Any] = {}

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        if not description:
            description.update(described(app))
        return _Json(description)


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the token and the faults that the guard adds to every path."""
    found = get_openapi(
        title=app.title,
        version=app.version,
        summary="Would two independent readers converge on the same interpretation of this write?",
        routes=app.routes,
    )
    parts = found.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    found["security"] = [{"token": []}]
    schemas = parts.setdefault("schemas", {})
    for model in (HookOutput, HookPayload, CaseDocument, Fault):
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= schema.pop("$defs", {})
        schemas[model.__name__] = schema
    for path, operations in found["paths"].items():
        for operation in operations.values():
            operation["responses"].pop("422", None)
            for status in (401, 403, 421) if path != "/healthz" else (403, 421):
                operation["responses"].setdefault(str(status), _faults(status)[status])
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    return found


async def _read(request: Request, bodies: Bodies, limit: int) -> bytes:
    declared = request.headers.get("content-length")
    return await bodies.read(request.receive, declared, limit)


async def _as_fault(_: Request, error: Exception) -> Response:
    """Every refusal has one shape. What stands unread behind it is not waited for."""
    if isinstance(error, BodyError):
        return _Json({"error": error.cause}, error.status, {"connection": "close"})
    if isinstance(error, HTTPException):
        return _Json({"error": error.detail}, error.status_code, error.headers)
    return _Json({"error": str(error)}, 400)


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _content(model: type[BaseModel]) -> dict[str, Any]:
    return {"description": "Successful Response", "content": {JSON: {"schema": _reference(model)}}}


def _faults(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {**_content(Fault), "description": _FAULTS[status]} for status in statuses}


def _body(*models: type[BaseModel]) -> dict[str, Any]:
    references = [_reference(model) for model in models]
    schema = references[0] if len(references) == 1 else {"anyOf": references}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}


def _event(events: frozenset[str]) -> Mapping[str, object]:
    schema = {"type": "string", "enum": sorted(events)}
    return {"name": "event", "in": "path", "required": True, "schema": schema}


_HEADERS: list[Mapping[str, object]] = [
    {
        "name": "X-Compass-Project-Dir",
        "in": "header",
        "required": False,
        "description": "The project's folder, percent-encoded; without it the payload's cwd.",
        "schema": {"type": "string"},
    }
]
