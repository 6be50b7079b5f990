"""The embedded readers as a fallback: block the plainly wrong, pass named destruction, abstain else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.model import Sample, Subject
from evaluator.readers.embedded.destruction import asked, levels
from evaluator.readers.embedded.evaluator import RATIONALE_WORDS, sample_of
from evaluator.readers.embedded.features import features_of
from evaluator.readers.embedded.grounding import BY_STEM
from evaluator.readers.embedded.weights import READERS

BLOCKING = {"forbidden": 0.9, "contradiction": 0.75, "option": 0.9, "destruction": 0.6, "scope": 0.95}
"""From this strength on a finding is plain enough to block without a paid reader."""


@dataclass(frozen=True, slots=True)
class FallbackJudgement:
    """`rationale` has at most 20 words. What an abstention means is the caller's policy."""

    decision: Literal["block", "pass", "abstain"]
    samples: tuple[Sample, ...]
    rationale: str


def judge_fallback(subject: Subject) -> FallbackJudgement:
    features = features_of(subject)
    samples = tuple(sample_of(reader, features) for reader in READERS)
    plain = [one for one in features.findings if one.strength >= BLOCKING.get(one.feature, 2.0)]
    destructive = subject.effect.operation_class == "destructive"
    if not plain and destructive:
        plain = [
            one
            for one in features.findings
            if one.feature in ("referents", "question") and one.strength >= 0.9
        ]
    if plain:
        worst = max(plain, key=lambda one: one.strength)
        return FallbackJudgement("block", samples, brief(worst.phrase))
    if destructive:
        reach = levels(features.change, features.whole)
        if reach and min(reach) >= BY_STEM and asked(subject, features.whole):
            return FallbackJudgement("pass", samples, "the exchange asks for this and names every target")
    return FallbackJudgement("abstain", samples, "nothing contradicts this write and nothing settles it")


def brief(rationale: str) -> str:
    return " ".join(rationale.split()[:RATIONALE_WORDS])
