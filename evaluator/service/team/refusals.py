"""What a request is told that is not served: a status, a kind and a sentence, made from what was raised."""

from __future__ import annotations

import math

from evaluator.errors import CompassError, PayloadError, StateError
from evaluator.record import Record
from evaluator.service.bodies import BodyError
from evaluator.team.model import Refused

STATUS = {
    "invalid": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "missing": 404,
    "rate": 429,
    "budget": 429,
    "overloaded": 503,
    "breaker_open": 503,
    "state": 503,
    "closing": 503,
    "late": 504,
    "fault": 500,
}
"""By kind. A body's own statuses (408, 413) and that of a wrong method (405) stand beside it."""
KINDS = tuple(STATUS)
_OF_BODY = {400: "invalid", 408: "late", 413: "invalid", 503: "overloaded"}
FAULT = "a fault of the service; its log has it"
NO_DATABASE = "the team's database cannot be used at the moment; nothing was decided"


class MissingError(CompassError):
    """There is nothing of that name."""


class Refusal(Record):
    """`retry_after` in seconds, None where waiting does not help. `cause` is for the log: types, and no text."""

    status: int
    kind: str
    text: str
    retry_after: int | None = None
    cause: str = ""

    @property
    def document(self) -> dict[str, str]:
        return {"error": self.text, "kind": self.kind}


def refusal(
    kind: str, text: str, *, status: int = 0, retry_after: float | None = None, cause: str = ""
) -> Refusal:
    whole = None if retry_after is None else max(math.ceil(retry_after), 1)
    return Refusal(status or STATUS[kind], kind, text, whole, cause)


def refusal_of(error: Exception) -> Refusal | None:
    """None for what is a fault of the program."""
    if isinstance(error, Refused):
        return refusal(error.kind, error.detail, retry_after=error.retry_after or _again(error.kind))
    if isinstance(error, BodyError):
        kind = _OF_BODY[error.status]
        return refusal(kind, error.cause, status=error.status, retry_after=_again(kind))
    if isinstance(error, MissingError):
        return refusal("missing", str(error))
    if isinstance(error, PayloadError):
        return refusal("invalid", str(error))
    if isinstance(error, StateError):
        # What the database says may quote what it was given.
        return refusal("state", NO_DATABASE, retry_after=1, cause=_types(error))
    return None


def _again(kind: str) -> float | None:
    return 1.0 if kind in ("overloaded", "state", "closing") else None


def _types(error: BaseException) -> str:
    found: list[str] = []
    one: BaseException | None = error
    while one is not None:
        state = getattr(one, "sqlstate", None)
        found.append(type(one).__name__ + (f" {state}" if isinstance(state, str) else ""))
        one = one.__cause__
    return " from ".join(found)
