"""The records of evaluations, for audits and calibration. SQL in a transaction of the caller."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from compass.team.connection import Connection
from compass.team.model import Finished, Flight
from evaluator.record import plain_of

PAGE = 50
"""Read at once: each may hold a megabyte of evidence."""
SWEPT = 500
_COLUMNS = (
    "evaluation_id", "at", "person", "repository", "session", "operation_class", "backend", "model", "prompt",
    "mean", "stddev", "valid", "cost_usd", "duration_ms", "thresholds", "samples",
    "evidence",
)  # fmt: skip
_JSON = frozenset(("thresholds", "samples", "evidence"))


def save(held: Connection, flight: Flight, finished: Finished, *, store_evidence: bool) -> None:
    evaluation, convergence, request = finished.evaluation, finished.convergence, flight.request
    held.execute(
        f"INSERT INTO team_evaluations ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})",  # noqa: S608
        (
            evaluation.evaluation_id,
            held.began_at,
            flight.who.person,
            request.repository,
            request.session,
            request.evidence.operation_class,
            evaluation.backend,
            evaluation.model,
            evaluation.prompt,
            None if convergence is None else convergence.mean,
            None if convergence is None else convergence.stddev,
            sum(sample.valid for sample in evaluation.samples),
            finished.usd,
            finished.duration_ms,
            None if request.thresholds is None else json.dumps(plain_of(request.thresholds)),
            json.dumps([_kept(plain_of(sample), whole=store_evidence) for sample in evaluation.samples]),
            json.dumps(plain_of(request.evidence)) if store_evidence else None,
        ),
    )


def page(
    held: Connection,
    since: float,
    until: float,
    person: str,
    repository: str,
    after: tuple[float, str] | None,
) -> list[dict[str, object]]:
    """At most PAGE of them as JSON values, oldest first; `after` is the (moment, id) of the last one before."""
    given: list[object] = [since, until]
    where = "at >= %s AND at < %s"
    for name, value in (("person", person), ("repository", repository)):
        if value:
            where += f" AND {name} = %s"
            given.append(value)
    if after is not None:
        where += " AND (at, evaluation_id) > (%s, %s)"
        given += after
    query = f"""SELECT {", ".join(_COLUMNS)} FROM team_evaluations WHERE {where}
        ORDER BY at, evaluation_id LIMIT {PAGE}"""  # noqa: S608 - constants
    return [
        {
            name: json.loads(value) if name in _JSON and value is not None else value
            for name, value in zip(_COLUMNS, row, strict=True)
        }
        for row in held.execute(query, tuple(given))
    ]


def erase(held: Connection, person: str) -> int:
    done = held.execute("DELETE FROM team_evaluations WHERE person = %s", (person,))
    return done.rowcount


def sweep(held: Connection, before: float) -> int:
    """A page at most, so that nobody waits long for the transaction."""
    done = held.execute(
        f"""DELETE FROM team_evaluations WHERE evaluation_id IN
            (SELECT evaluation_id FROM team_evaluations WHERE at < %s ORDER BY at LIMIT {SWEPT})""",  # noqa: S608
        (before,),
    )
    return done.rowcount


def _kept(sample: dict[str, object], *, whole: bool) -> dict[str, object]:
    """Without evidence nothing is kept that a reader may have quoted from it."""
    if whole:
        return sample
    reading = cast(Mapping[str, object] | None, sample["reading"])
    return sample | {
        "rationale": "",
        "rival": None,
        "error": (cast(str, sample["error"]).partition(":")[0] if sample["error"] else None),
        "reading": None if reading is None else {**reading, "target": ""},
    }
