"""The labelled sets that the rules are counted and measured on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.cases.corpus import corpus_dir, rows
from calibration.cases.subjects import subject_of
from calibration.stats.estimate import Bools
from compass.joining.shell import classify
from evaluator.model import Subject

ROOT = Path(__file__).parents[2]
PUBLIC = ("bfcl", "when2call")
OWN = ("tune", "tune-2")
DEVELOPMENT = (*OWN, "first", "pairs")
"""The rows on which the rules count their hits."""
HELD_OUT = ("test", "test-2")
"""Not read while rules change: totals only."""
LABELS = ("clear", "ambiguous")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Rows that are labelled clear or ambiguous, in order."""

    name: str
    rows: tuple[Mapping[str, object], ...]
    subjects: tuple[Subject, ...]
    ambiguous: Bools
    pairs: tuple[str, ...]


def public_dir() -> Path | None:
    """The folder that `COMPASS_PUBLIC_DATA` names, or None; the public sets are not part of the repository."""
    named = os.environ.get("COMPASS_PUBLIC_DATA")
    return Path(named) if named else None


def places(public: Path | None) -> dict[str, Path]:
    """Name -> file of every set that is there."""
    cases = corpus_dir() / "cases"
    found = {
        "tune": cases / "tune.jsonl",
        "test": cases / "test.jsonl",
        "tune-2": cases / "tune-2.jsonl",
        "test-2": cases / "test-2.jsonl",
        "first": ROOT / "tests" / "unit" / "readers" / "embedded_cases.jsonl",
        "pairs": ROOT / "tests" / "unit" / "readers" / "embedded_pairs.jsonl",
    }
    if public is not None:
        found |= {name: public / f"{name}.jsonl" for name in PUBLIC}
    return {name: path for name, path in found.items() if path.exists()}


def pair_of(row: Mapping[str, object]) -> str:
    return str(row.get("pair") or row.get("id"))


def labelled(name: str, file: Path, labels: Sequence[str] = LABELS) -> Labelled:
    kept = tuple(row for row in rows(file) if row.get("label") in labels)
    subjects = tuple(subject_of(row, classify) for row in kept)
    return Labelled(
        name, kept, subjects,
        np.array([row.get("label") != "clear" for row in kept], dtype=np.bool_),
        tuple(pair_of(row) for row in kept),
    )  # fmt: skip
