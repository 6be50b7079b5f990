"""The OpenAPI parts of a route, from its row in the table: parameters, bodies, answers, refusals, scopes."""

from __future__ import annotations

import re
from typing import Any

from evaluator.service.team.routes import Route
from evaluator.service.team.schemas import DOCUMENTS, TeamFault

JSON, LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
FAULTS = {
    400: "The body, or a parameter, is not what it should be.",
    401: "The bearer token is missing, unknown, expired or revoked.",
    403: "The token lacks the scope, or the request is a web page's.",
    404: "There is nothing of that name.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    429: "A cap or the rate towards the provider is reached.",
    503: "Overloaded, closing, without its database, or the breaker is open. `kind` says which.",
    504: "No answer within the time that the gate waits.",
}


def operation(route: Route) -> dict[str, Any]:
    """What FastAPI adds to the operation that it makes."""
    found: dict[str, Any] = {"operationId": route.name, "parameters": _parameters(route)}
    found["security"] = [{"token": list(route.scopes)}] if route.scopes else []
    if route.scopes:
        found["description"] = f"Scope of the token: {' or '.join(route.scopes)}."
    if route.body:
        found["requestBody"] = {"required": True, "content": _json(route.body)}
    return found


def responses(route: Route) -> dict[int | str, dict[str, Any]]:
    status = 201 if route.name == "make_token" else 200
    found: dict[int | str, dict[str, Any]] = {
        status: {"description": "Successful Response", "content": _content(route)}
    }
    told = (*route.faults, *((401, 403, 503) if route.scopes else (403, 503)))
    for code in sorted(set(told)):
        # A probe that says no answers with its own document.
        own = not route.scopes and code == 503
        content = _content(route) if own else _json(TeamFault.__name__)
        found[code] = {"description": FAULTS[code], "content": content}
    return found


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """FastAPI's document with the schemas that the table names, and the token."""
    parts = document.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schemas = parts.setdefault("schemas", {})
    for name, model in DOCUMENTS.items():
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
    for operations in document["paths"].values():
        for one in operations.values():
            one["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    return document


def _content(route: Route) -> dict[str, Any]:
    if route.answers == "lines":
        return {LINES: {"schema": {"type": "string"}}}
    if route.answers == "text":
        return {TEXT: {"schema": {"type": "string"}}}
    return _json(route.answer) if route.answer else {JSON: {"schema": {"type": "object"}}}


def _json(name: str) -> dict[str, Any]:
    return {JSON: {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _parameters(route: Route) -> list[dict[str, Any]]:
    text = {"type": "string"}
    inside = [
        {"name": name, "in": "path", "required": True, "schema": text}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    behind = [
        {"name": one.name, "in": "query", "required": False, "description": one.what, "schema": text}
        for one in route.query
    ]
    return inside + behind
