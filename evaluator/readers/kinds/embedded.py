"""The `embedded` backend, *rules* to people: it reads nothing, and the gate never asks it.

What rules hold, bans and losses, the gate looks at before any reader (`evaluator.gate.evaluation`). Where cases are
measured, one sample says whether rules hold the case; whatever they do not hold they let through, unjudged.
"""

from __future__ import annotations

import hashlib
import os
import time
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.model import Sample, Subject
from evaluator.readers.kinds.kind import BackendKind, Variables
from evaluator.tables import table

if TYPE_CHECKING:
    from evaluator.ports import Readers
    from evaluator.settings.keys import Settings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = ("rules", "exchange", "rules/words")
"""The folders under `ROOT` whose modules and tables a hold can come from."""
TEXT = "text.py"
"""Beside them: what brings words into the form in which they are compared."""
READER = "rules"


class Rules:
    """One sample of each subject: 0 where rules hold it, else 1. The same subject gives the same sample."""

    name = "embedded"
    model = "embedded-2"

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """Work is bounded by the limits on texts, far below any `seconds` that settings allow."""
        from evaluator.rules.losses import objection_of

        begun = time.perf_counter()
        why = objection_of(subject)
        spent = round((time.perf_counter() - begun) * 1000)
        if why:
            return (Sample(READER, 0.0, why[0], why[1], latency_ms=spent, cost_usd=0.0),)
        return (
            Sample(
                READER, 1.0, "none", "not judged: no model is in use here", latency_ms=spent, cost_usd=0.0
            ),
        )


def fingerprint(root: str = ROOT) -> str:
    """16 hex digits over all modules and tables of `PARTS` and over `TEXT`, which are read again once one changed."""
    names = [os.path.join(part, name) for part in PARTS for name in os.listdir(os.path.join(root, part))]
    stamps: list[tuple[str, int, int]] = []
    for name in (TEXT, *names):
        if name.endswith((".py", ".toml", ".json")):
            seen = os.stat(os.path.join(root, name))
            stamps.append((name, seen.st_mtime_ns, seen.st_size))
    return _digest(root, tuple(sorted(stamps)))


@lru_cache(maxsize=4)
def _digest(folder: str, stamps: tuple[tuple[str, int, int], ...]) -> str:
    import json

    whole = hashlib.sha256()
    for path in dict.fromkeys(name.removesuffix(".toml").removesuffix(".json") for name, _, _ in stamps):
        if path.endswith(".py"):
            with open(os.path.join(folder, path), "rb") as file:
                text = file.read()
        else:
            # The same of a checkout, which has TOML, and of an installation, which has JSON.
            text = json.dumps(table(path, folder), sort_keys=True).encode()
        whole.update(f"{path}\0{len(text)}\0".encode())
        whole.update(text)
    return whole.hexdigest()[:16]


def missing(_settings: Settings, _env: Variables) -> None:
    return None


def goes(_settings: Settings, _env: Variables) -> str:
    return "nowhere: no model is in use here"


def sampling(settings: Settings) -> tuple[int, float]:
    return 1, settings.deadline_seconds


def readers() -> Readers:
    return Rules()


TURNS, INTERRUPTED, WANTED = 987, 17, 10
"""Turns with writes of real sessions, those that rules alone interrupt, and of these the ones that were misread or due
a question (`docs/quality.md`)."""
FINDS = (
    "Without a model Compass holds only what you explicitly forbid and losses nobody asked for: "
    f"of {TURNS} turns of real sessions it interrupts {INTERRUPTED}, {WANTED} of them rightly. Every other write runs "
    "unjudged."
)
HOLDS = "what you explicitly forbid, and losses nobody asked for"

KIND = BackendKind(
    "embedded",
    "no model: bans and losses nobody asked for are held, nothing else is judged; sends nothing",
    missing,
    goes,
    sampling=sampling,
    fingerprint=fingerprint,
    readers=readers,
    label="rules",
    finds=FINDS,
    holds=HOLDS,
)
