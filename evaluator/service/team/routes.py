"""Every route of the team's API in one table: its path, who may ask, what it takes and answers. Data alone.

The guard, the app, the OpenAPI document and the tests go from this table: what does not stand here cannot be served.
"""

from __future__ import annotations

import re
from typing import Literal

from evaluator.record import Record
from evaluator.team.model import SCOPES, Scope

Answers = Literal["json", "lines", "text"]


class Query(Record):
    """A parameter behind the question mark, none of which has to be there."""

    name: str
    what: str


class Route(Record):
    """`scopes`: any of them suffices; none where no token is wanted. `body` and `answer` name documents of `schemas`.

    A `probe` is answered while the service is full or closing. `rechecked`: the store looks at the token again, in the
    transaction without which nothing is answered.
    """

    name: str
    method: str
    path: str
    scopes: tuple[Scope, ...]
    summary: str
    body: str = ""
    answer: str = ""
    answers: Answers = "json"
    query: tuple[Query, ...] = ()
    faults: tuple[int, ...] = ()
    probe: bool = False
    rechecked: bool = False

    @property
    def limited(self) -> bool:
        """Whether it counts towards the bound of requests at once."""
        return not self.probe


EVALUATE: tuple[Scope, ...] = ("evaluate",)
READ: tuple[Scope, ...] = ("read",)
ADMIN: tuple[Scope, ...] = ("admin",)

_FROM_TO = (
    Query("since", "from this moment on: seconds since the epoch, or 2026-01-31 or 2026-01-31T12:00:00Z"),
    Query("until", "before this moment"),
)

ROUTES: tuple[Route, ...] = (
    Route(
        "evaluate", "POST", "/v1/evaluations", EVALUATE, "Ask the team's readers about sanitized evidence.",
        body="EvaluationRequestDocument", answer="EvaluationDocument", faults=(400, 408, 413, 429, 504),
        rechecked=True,
    ),
    Route(
        "evaluations", "GET", "/v1/evaluations", READ, "The kept evaluations, oldest first, a JSON object a line.",
        answers="lines", query=(*_FROM_TO, Query("person", "of this one alone"),
        Query("repository", "of this one alone: 12 hexadecimal digits")), faults=(400,),
    ),
    Route("me", "GET", "/v1/me", SCOPES, "Whose the token is, and what it may.", answer="Me"),
    Route(
        "readers", "GET", "/v1/readers", (*EVALUATE, *ADMIN), "Who reads for the team, and how many of them.",
        answer="ReadersDocument",
    ),
    Route(
        "policy", "GET", "/v1/policy", (*EVALUATE, *ADMIN), "What the team pushes to its gates.",
        answer="PolicyDocument",
    ),
    Route(
        "set_policy", "PUT", "/v1/policy", ADMIN, "Push another policy.",
        body="PolicyDocument", answer="PolicyDocument", faults=(400, 408, 413),
    ),
    Route(
        "thresholds", "GET", "/v1/thresholds/{repository}", (*EVALUATE, *ADMIN), "A repository's shared calibration.",
        answer="SharedThresholdsDocument", faults=(400, 404),
    ),
    Route(
        "set_thresholds", "PUT", "/v1/thresholds/{repository}", ADMIN, "Share a repository's calibration.",
        body="Calibration", answer="SharedThresholdsDocument", faults=(400, 408, 413),
    ),
    Route("tokens", "GET", "/v1/tokens", ADMIN, "The team's tokens, without their secrets.", answer="Tokens"),
    Route(
        "make_token", "POST", "/v1/tokens", ADMIN, "Make a token; its text is told this once.",
        body="TokenRequest", answer="NewToken", faults=(400, 408, 413),
    ),
    Route(
        "revoke_token", "DELETE", "/v1/tokens/{token_id}", ADMIN, "Take a token back.",
        answer="Revoked", faults=(404,),
    ),
    Route(
        "spend", "GET", "/v1/spend", READ, "What the team and its people took on a day, reservations included.",
        answer="Spend", query=(Query("day", "such as 2026-01-31, UTC; today without it"),), faults=(400,),
    ),
    Route(
        "person", "GET", "/v1/people/{person}", ADMIN, "A person's kept evaluations, a JSON object a line.",
        answers="lines",
    ),
    Route(
        "erase_person", "DELETE", "/v1/people/{person}", ADMIN, "Erase a person's records and revoke their tokens.",
        answer="Erased",
    ),
    Route(
        "settings", "GET", "/v1/settings", ADMIN, "The team's caps, rate and retention.",
        answer="TeamSettingsDocument",
    ),
    Route(
        "set_settings", "PUT", "/v1/settings", ADMIN, "Set them, all at once.",
        body="TeamSettingsDocument", answer="TeamSettingsDocument", faults=(400, 408, 413),
    ),
    Route("livez", "GET", "/livez", (), "Whether the process answers.", answer="Health", probe=True),
    Route("readyz", "GET", "/readyz", (), "Whether it takes requests: the database answers and is migrated.",
        answer="Health", probe=True),
    Route("metrics", "GET", "/metrics", READ, "Counts and durations of this replica for Prometheus.",
        answers="text", probe=True),
    Route("openapi", "GET", "/openapi.json", SCOPES, "This description."),
)  # fmt: skip

BY_NAME = {route.name: route for route in ROUTES}
OTHER = "other"
"""The route of a request that has none, as metrics and logs know it."""

_SEGMENT = re.compile(r"\{\w+\}")
_PATTERNS = tuple((re.compile(_SEGMENT.sub("[^/]+", re.sub(r"\.", r"\\.", r.path))), r) for r in ROUTES)


def route_of(method: str, path: str) -> tuple[Route | None, bool]:
    """(the route, whether anything is at the path): the latter tells a wrong method from a wrong path."""
    known = False
    for pattern, route in _PATTERNS:
        if pattern.fullmatch(path):
            known = True
            if route.method == method:
                return route, True
    return None, known
