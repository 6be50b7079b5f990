"""The rules as a fallback: block what a strong rule finds, pass named destruction, abstain else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.model import Sample, Subject
from evaluator.readers.embedded.case import case_of
from evaluator.readers.embedded.evaluator import brief, fired, samples_of

STRONG = 0.7
"""From this precision on a rule blocks alone."""


@dataclass(frozen=True, slots=True)
class FallbackJudgement:
    """`rationale` has at most 20 words. What an abstention means is the caller's policy."""

    decision: Literal["block", "pass", "abstain"]
    samples: tuple[Sample, ...]
    rationale: str


def judge_fallback(subject: Subject) -> FallbackJudgement:
    case = case_of(subject)
    found = fired(case)
    samples = samples_of(case)
    against = [pair for pair in found.values() if pair[0].precision > STRONG]
    if against:
        return FallbackJudgement("block", samples, brief(max(against, key=lambda pair: pair[0].precision)[1].phrase))
    if case.destructive and case.sanctioned:
        return FallbackJudgement("pass", samples, "the user orders this and names every target")
    return FallbackJudgement("abstain", samples, "nothing contradicts this write and nothing settles it")
