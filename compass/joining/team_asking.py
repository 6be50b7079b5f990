"""One request to a team's evaluator from a command, which waits for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from evaluator.errors import ReaderError
from evaluator.readers.message import as_object
from evaluator.readers.team.wire import SCOPES, Principal

if TYPE_CHECKING:
    from evaluator.readers.team.line import TeamLine

SECONDS = 10.0


def asked(line: TeamLine, method: str, path: str, body: object = None, *, seconds: float = SECONDS) -> object:
    """The JSON of the answer. Raises ReaderError, and Refusal for an answer that is an error."""
    from evaluator.readers import loop
    from evaluator.readers.sampling import GRACE_SECONDS

    def sent(_left: float, _waited: float) -> object:
        return body

    given = None if body is None else sent
    return loop.run(line.ask(method, path, seconds, given), line.aclose(), GRACE_SECONDS)


def who_am_i(line: TeamLine) -> Principal:
    """Whose token the line shows. Raises ReaderError, and for an answer that no team's evaluator gives."""
    found = asked(line, "GET", "/v1/me")
    values = as_object(found)
    team, person, token_id, scopes, expires = (
        values.get(name) for name in ("team", "person", "token_id", "scopes", "expires_at")
    )
    listed = cast("list[object]", scopes) if isinstance(scopes, list) else [None]
    known = isinstance(expires, int | float) and not isinstance(expires, bool) and math.isfinite(expires)
    texts = all(isinstance(one, str) for one in (team, person, token_id))
    if not (texts and known) or any(one not in SCOPES for one in listed):
        raise ReaderError(
            "invalid", f"{line.where} does not say whose the token is: is it your team's evaluator?"
        )
    return Principal(
        str(team),
        str(person),
        str(token_id),
        tuple(scope for scope in SCOPES if scope in listed),
        float(cast(float, expires)),
    )
