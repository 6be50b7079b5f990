"""The routes of evaluations: asking for one, and reading those that are kept."""

from __future__ import annotations

import time
from functools import partial

from evaluator.egress.evidence import cleaned
from evaluator.record import replace
from evaluator.service.team.asking import Answer, Asked, Handler, Parts
from evaluator.service.team.reading import moment_of, person_of, repository_of
from evaluator.service.team.streams import lines
from evaluator.service.team.watching import STEPS
from evaluator.team.documents import evaluation_document, request_of


async def evaluate(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError, Refused and StateError."""
    given = request_of(asked.body)
    request = replace(given, evidence=await parts.work(partial(cleaned, given.evidence)))
    steps: dict[str, float] = {}
    STEPS.set(steps)
    began = time.perf_counter()
    found = await parts.evaluate(asked.who, request)
    parts.metrics.answered(time.perf_counter() - began, None if found.shared else steps.get("readers", 0.0))
    asked.inside.told |= {
        "outcome": "shared" if found.shared else "asked",
        "samples": len(found.samples),
        "valid": sum(sample.valid for sample in found.samples),
    }
    return Answer(evaluation_document(found))


async def kept(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    query = asked.query
    since = moment_of(query["since"], "since") if "since" in query else 0.0
    until = moment_of(query["until"], "until") if "until" in query else time.time() + 1.0
    person = person_of(query["person"]) if query.get("person") else ""
    repository = repository_of(query["repository"]) if query.get("repository") else ""
    rows = parts.store.evaluations(asked.who.team, since, until, person, repository)
    return Answer(stream=await lines(parts.work, rows))


HANDLERS: dict[str, Handler] = {"evaluate": evaluate, "evaluations": kept}
