"""What a check came to, as `check`, `explain`, `replay` and the service tell it."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.model import Check, Thresholds
from evaluator.readers.kinds.kind import find_kind, label_of
from evaluator.record import plain_of

COLOURS = {"passed": "green", "failed": "red", "skipped": "yellow"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Figures and thresholds are None where no reader was asked."""

    verdict: str
    reason: str
    confidence: float | None
    stddev: float | None
    primary_concern: str | None
    rationale: str | None
    thresholds: Thresholds | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, check: Check) -> Judgement:
        found = check.convergence
        return cls(
            verdict=check.verdict,
            reason=check.reason,
            confidence=found.mean if found else None,
            stddev=found.stddev if found else None,
            primary_concern=found.primary_concern if found else None,
            rationale=found.rationale if found else None,
            thresholds=check.thresholds,
            notes=check.notes,
        )

    def as_json(self) -> dict[str, object]:
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "confidence": self.confidence,
            "stddev": self.stddev,
            "primary_concern": self.primary_concern,
            "rationale": self.rationale,
            "thresholds": plain_of(self.thresholds) if self.thresholds else None,
            "notes": list(self.notes),
        }


def named_readers(backend: str | None, model: str | None) -> str:
    told = f": {label_of(backend)}" if backend and label_of(backend) != backend else ""
    return (backend or "") + (f" ({model})" if model else "") + told


def found_by(backend: str | None) -> str:
    """What these readers were measured to find and to miss, or nothing."""
    kind = find_kind(backend)
    return kind.finds if kind is not None else ""
