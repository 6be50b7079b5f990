"""The HTTP API, for `http` hooks and for scripts: an ASGI app apart from any port, and the shapes of its documents.

The same judge answers here and on the socket. Every path but /healthz wants the bearer token. Bodies are read within
bounds and handed on as they came: their models describe them and validate nothing.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from dataclasses import asdict
from functools import partial
from typing import Any, Literal

from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from evaluator.errors import AbandonedError, CompassError
from evaluator.service import http_calls
from evaluator.service.http_access import OPEN_PATH, AccessRules, HttpGuard
from evaluator.service.metrics import CONTENT_TYPE, Metrics
from evaluator.service.server import Service

CHECK_SECONDS = 60.0
NO_OPINION = b"{}"
JSON = "application/json"
FULL = 503, "too many calls are waiting for a verdict; try again", {"retry-after": "1"}


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Fault(_Document):
    """Why a request was not served."""

    error: str


class Health(_Document):
    status: Literal["ok", "closing"]


class HookPayload(BaseModel):
    """A hook's payload as the host sends it; for `pre-tool-use`, also the call it would make."""

    model_config = ConfigDict(extra="allow")

    session_id: str
    hook_event_name: str | None = None
    cwd: str | None = None
    transcript_path: str | None = None
    prompt_id: str | None = None
    tool_name: str | None = None
    tool_input: dict[str, object] | None = None
    tool_use_id: str | None = None


class CaseDocument(BaseModel):
    """A labelled case: it states the exchange and the write, and nothing is looked up."""

    model_config = ConfigDict(extra="allow")

    user_message: str
    prior_assistant_turn: str | None = None
    tool_name: str | None = None
    file_path: str | None = None
    operation: str | None = None
    command: str | None = None


class _Json(JSONResponse):
    def render(self, content: Any) -> bytes:
        """In ASCII: a lone surrogate, which a call may hold, has no other form."""
        return json.dumps(content, separators=(",", ":")).encode()


class _Api(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """With the token, which the guard asks for on every path but one, and the bodies, which are read by hand."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        found = super().openapi()
        parts = found["components"]
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
        for model in (HookPayload, CaseDocument):
            parts["schemas"][model.__name__] = model.model_json_schema()
        return found


def make_app(
    service: Service,
    calls: http_calls.JudgeCalls,
    rules: AccessRules,
    version: str,
    bodies: http_calls.Bodies | None = None,
) -> HttpGuard:
    """The guarded app of a service; it is closed and drained with the service."""
    metrics = Metrics(
        lambda: {"waiting": service.waiting, "connections": len(service.open), **asdict(service.counts)}
    )
    app = _Api(
        title="Compass",
        version=version,
        summary="Would two independent readers converge on the same interpretation of this write?",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        default_response_class=_Json,
        responses={"default": {"model": Fault, "description": "A refusal."}},
    )
    desk, held = http_calls.Desk(service, calls), bodies or http_calls.Bodies()
    _add_hooks_api(app, desk, held)
    _add_checks_api(app, desk, held)
    _add_state_api(app, service, metrics)
    for kind in (HTTPException, RequestValidationError, http_calls.BodyError, CompassError):
        app.add_exception_handler(kind, _api_fault_response)
    return HttpGuard(app, rules, service.closing.is_set, metrics.note)


def _add_hooks_api(app: FastAPI, desk: http_calls.Desk, bodies: http_calls.Bodies) -> None:
    calls = desk.calls

    @app.post(
        "/v1/hooks/{event}",
        summary="Answer a hook",
        description="The body is the host's payload; the response is what the hook command would print. An empty "
        "object means no opinion; Compass never answers `allow`. If the gate itself fails, the project's error "
        "policy decides the response, with status 200.",
        openapi_extra=_api_body_schema(HookPayload),
    )
    async def hook(
        request: Request, event: str = Path(json_schema_extra={"enum": sorted(calls.events)})
    ) -> Response:
        if event not in calls.events:
            raise HTTPException(404, f"no such event; use one of {', '.join(sorted(calls.events))}")
        if desk.is_full:
            desk.service.counts.refused += 1
            raise HTTPException(*FULL)
        payload = await _read_api_body(request, bodies, http_calls.HOOK_BYTES_MAX)
        try:
            reply = await desk.answer(event, calls.variables, payload, request.receive)
        finally:
            bodies.release(len(payload))
        if reply.complaint:
            calls.say(reply.complaint)
        if reply.refused:
            desk.service.counts.refused += 1
            raise HTTPException(503, "this project uses network settings that the service does not")
        return Response(reply.text or NO_OPINION, media_type=JSON)


def _add_checks_api(app: FastAPI, desk: http_calls.Desk, bodies: http_calls.Bodies) -> None:
    calls = desk.calls

    @app.post(
        "/v1/checks",
        summary="Judge one pending write",
        description="A labelled case, or the host's payload for a call; judged whether or not the gate is enabled. The "
        "response is the same document that `compass check --json` prints.",
        openapi_extra=_api_body_schema(CaseDocument, HookPayload),
    )
    async def check(request: Request) -> Response:
        if desk.is_full:
            raise HTTPException(*FULL)
        body = await _read_api_body(request, bodies, http_calls.CHECK_BYTES_MAX)
        try:
            gone: Future[None] = Future()
            work = partial(calls.check, body, calls.variables, gone)
            async with asyncio.timeout(CHECK_SECONDS), http_calls.leaving(request.receive, gone):
                return _Json(await desk.run(work))
        except (TimeoutError, AbandonedError):
            raise HTTPException(504, f"no verdict within {CHECK_SECONDS:g} s") from None
        finally:
            bodies.release(len(body))


def _add_state_api(app: FastAPI, service: Service, metrics: Metrics) -> None:
    @app.get(
        OPEN_PATH,
        summary="Whether the service accepts calls",
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


async def _read_api_body(request: Request, bodies: http_calls.Bodies, limit: int) -> bytes:
    return await bodies.read(request.receive, request.headers.get("content-length"), limit)


async def _api_fault_response(_: Request, error: Exception) -> Response:
    """Every refusal has one shape. What stands unread behind it is not waited for."""
    if isinstance(error, http_calls.BodyError):
        return _Json({"error": error.cause}, error.status, {"connection": "close"})
    if isinstance(error, HTTPException):
        return _Json({"error": error.detail}, error.status_code, error.headers)
    if isinstance(error, RequestValidationError):
        told = "; ".join(f"{one['loc'][-1]}: {one['msg']}" for one in error.errors())
        return _Json({"error": told}, 400, {"connection": "close"})
    return _Json({"error": str(error)}, 400)


def _api_body_schema(*models: type[BaseModel]) -> dict[str, Any]:
    schema = {"anyOf": [{"$ref": f"#/components/schemas/{model.__name__}"} for model in models]}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}
