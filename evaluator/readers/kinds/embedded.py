"""The `embedded` backend, *rules* to people: it reads nothing, and the gate never asks it.

What rules hold, bans and losses, the gate looks at before any reader (`evaluator.gate.evaluation`). Where cases are
measured, one sample says whether rules hold the case; whatever they do not hold they let through, unjudged.
"""

from __future__ import annotations

import time

from evaluator.model import Sample, Subject
from evaluator.readers.kinds.kind import BackendKind

READER = "rules"
MODEL = "embedded-2"
"""Counted up where other rules would hold other cases: what was measured of older ones is stale."""


class Rules:
    """One sample of each subject: 0 where rules hold it, else 1. The same subject gives the same sample."""

    name = "embedded"
    model = MODEL

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """Work is bounded by the limits on texts, far below any `seconds` that settings allow."""
        from evaluator.rules.losses import objection_of

        begun = time.perf_counter()
        why = objection_of(subject)
        spent = round((time.perf_counter() - begun) * 1000)
        score, concern, rationale = (
            (0.0, *why) if why else (1.0, "none", "not judged: no model is in use here")
        )
        return (Sample(READER, score, concern, rationale, latency_ms=spent, cost_usd=0.0),)


TURNS, INTERRUPTED, WANTED = 987, 11, 7
"""Turns with writes of real sessions, those that rules alone interrupt, and of these the ones that were misread or due
a question (`docs/quality.md`)."""
FINDS = (
    "Without a model, Compass holds only what you explicitly forbid and unrequested deletions or overwrites: "
    f"in {TURNS} turns of real sessions it interrupts {INTERRUPTED} times, {WANTED} of them rightly. Every other write "
    "runs unjudged."
)
HOLDS = "what you explicitly forbid, and unrequested deletions or overwrites"

KIND = BackendKind(
    "embedded",
    "no model: holds banned writes and unrequested deletions or overwrites, judges nothing else, sends nothing",
    missing=lambda _settings, _env: None,
    goes=lambda _settings, _env: "nowhere: no model is in use here",
    sampling=lambda settings: (1, settings.deadline_seconds),
    fingerprint=lambda: MODEL,
    readers=Rules,
    label="rules",
    finds=FINDS,
    holds=HOLDS,
)
