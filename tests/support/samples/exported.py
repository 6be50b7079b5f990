"""Records of a team's evaluator, as `compass team export` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from samples.team_requests import EVIDENCE

from evaluator.model import Reading, Sample, Thresholds
from evaluator.record import plain_of

READERS = {"backend": "anthropic", "model": "m-2", "prompt": "f" * 16}


def row(number: int, score: float = 0.9, **changes: Any) -> dict[str, Any]:
    samples = [
        Sample(f"reader-{one}", score, "none", "", Reading("change", "src/session.py", "one_file"), fits=True)
        for one in range(5)
    ]
    return {
        "evaluation_id": f"01{number:024d}",
        "at": 1_800_000_000.0 + number,
        "person": ("ada", "bob")[number % 2],
        "repository": "0123456789ab",
        "session": f"{number // 4:032x}",
        "operation_class": "modifying",
        **READERS,
        "mean": score,
        "stddev": 0.0,
        "valid": 5,
        "cost_usd": 0.001,
        "duration_ms": 400,
        "thresholds": plain_of(Thresholds(0.65, 0.2)),
        "samples": [plain_of(one) for one in samples],
        "evidence": plain_of(EVIDENCE),
        **changes,
    }


def exported(folder: Path, count: int) -> Path:
    """A file of `count` of various scores, each with a kilobyte of what was said."""
    file = folder / f"records{count}.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            said = {"prior_assistant_turn": f"{number:8d} of the many " * 50}
            evidence = {**plain_of(EVIDENCE), **said}
            out.write(json.dumps(row(number, number * 37 % 101 / 101, evidence=evidence)) + "\n")
    return file
