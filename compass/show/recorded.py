"""What five language-model readers answered, recorded: `fixtures/demo/readers.jsonl`.

Each was shown the system text and the exchanges of the demo in an order of its own, without labels. `prompt` of a row
is the fingerprint of the wording that they answered, which may be an earlier one: whoever shows them says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from calibration.cases.sources import rows
from evaluator.egress import answer
from evaluator.model import Check, Convergence, Sample, Thresholds, VerdictName
from evaluator.verdict.convergence import converge
from evaluator.verdict.decision import judge
from evaluator.verdict.readings import clusters, words


@dataclass(frozen=True, slots=True)
class RecordedReaders:
    """`readings` are (readers who hold it, what it would do), most held first."""

    convergence: Convergence
    verdict: VerdictName
    readings: tuple[tuple[int, str], ...]


def answers(path: Path) -> dict[str, tuple[Sample, ...]]:
    """The samples of each exchange by its id. Raises ValueError."""
    found: dict[str, tuple[Sample, ...]] = {}
    for row in rows(path):
        given = row.get("answers")
        if isinstance(given, list):
            texts = [json.dumps(one) for one in cast(list[object], given)]
            found[str(row.get("id"))] = tuple(
                answer.parse(text, f"reader-{number}") for number, text in enumerate(texts, 1)
            )
    return found


def recorded(
    known: Mapping[str, tuple[Sample, ...]], case: str, check: Check, thresholds: Thresholds
) -> RecordedReaders | None:
    """What the gate makes of them; None where there are none."""
    samples = known.get(case, ())
    convergence = converge(samples, len(samples))
    if convergence is None or check.exchange is None:
        return None
    held = clusters(samples, check.pending.project_dir, check.exchange)
    readings = tuple((len(one.readers), words(one.reading)) for one in held)
    return RecordedReaders(convergence, judge(convergence, thresholds)[0], readings)
