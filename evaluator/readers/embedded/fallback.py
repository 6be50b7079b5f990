"""The rules as a fallback: block what a strong rule finds or the hold keeps, pass ordered destruction, else abstain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.model import Sample, Subject
from evaluator.readers.embedded.case import case_of
from evaluator.readers.embedded.evaluator import brief, fired, samples_of
from evaluator.readers.embedded.rules.act import NO_ORDER
from evaluator.readers.embedded.rules.target import GROUNDLESS


@dataclass(frozen=True, slots=True)
class FallbackJudgement:
    """`rationale` has at most 20 words. What an abstention means is the caller's policy."""

    decision: Literal["block", "pass", "abstain"]
    samples: tuple[Sample, ...]
    rationale: str


def judge_fallback(subject: Subject, *, holding: bool = True) -> FallbackJudgement:
    """Where not `holding`, destruction is judged by what the rules find alone."""
    case = case_of(subject)
    samples = samples_of(case, holding=holding)
    # What was merely not said contradicts nothing, nor does a question contradict a program of which nothing is known.
    silent = (GROUNDLESS, NO_ORDER) if _unknown(subject) else (GROUNDLESS,)
    found = [
        (rule, told.phrase) for rule, told in fired(case).values() if rule.strong and rule.name not in silent
    ]
    against = [(rule.precision, phrase) for rule, phrase in found]
    against += [(0.0, sample.rationale) for sample in samples if sample.holds]
    if against:
        return FallbackJudgement("block", samples, brief(max(against)[1]))
    if case.destructive and holding:
        return FallbackJudgement("pass", samples, "the user orders this and names every target")
    return FallbackJudgement("abstain", samples, "nothing contradicts this write and nothing settles it")


def _unknown(subject: Subject) -> bool:
    """A program that nobody listed, which names nothing that it would change: looking around needs such, too."""
    effects = subject.effects
    return (
        effects.operation in ("run", "unknown")
        and effects.operation_class == "modifying"
        and not effects.targets
    )
