"""The embedded readers as a fallback: block the plainly wrong, pass named destruction, abstain else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.model import Sample, Subject
from evaluator.readers.embedded.evaluator import SAID, SIGNAL_OF, brief, samples_of, subject_name
from evaluator.readers.embedded.features import Features, features_of
from evaluator.readers.embedded.signals import PLAIN
from evaluator.readers.embedded.weights import FALLBACK, PLAINLY, WEIGHTS

AGAINST = ("contradiction", "forbidden", "destruction", "pasted")
COUNTED = (*AGAINST, *PLAINLY)
ORDERLESS = ("forbidden", "pasted")
"""What speaks against a write that the exchange names in full."""
IN_FULL = 0.9
SEVERE = {"referents": 0.9, "question": 0.9}
"""From this strength on a finding of these blocks a destructive call alone."""


@dataclass(frozen=True, slots=True)
class FallbackJudgement:
    """`rationale` has at most 20 words. What an abstention means is the caller's policy."""

    decision: Literal["block", "pass", "abstain"]
    samples: tuple[Sample, ...]
    rationale: str


def counted(features: Features) -> dict[str, float]:
    """What contradicts the write or destroys unsupported, by signal, as weighed by the fit."""
    return {
        name: WEIGHTS[name] * value
        for name, value in features.signals.items()
        if value and name in WEIGHTS and name in COUNTED
    }


def asked_in_full(features: Features) -> bool:
    """Whether what the user says, chooses or accepts names all of the write: then only `ORDERLESS` speaks plainly."""
    seen = features.signals
    return min(seen["asked_for"], seen["names_asked_for"]) >= IN_FULL and not seen["user_against"]


def plainly(features: Features, *, destructive: bool) -> str | None:
    """Why the write is blocked without a paid reader, or None."""
    led = features.heard.focus.led not in ("nothing", "")
    least = {**PLAIN, **(SEVERE if destructive and not led else {})}
    if asked_in_full(features):
        least = {name: level for name, level in least.items() if name in ORDERLESS}
    strong = [
        one
        for one in features.findings
        if features.signals[SIGNAL_OF.get(one.feature, one.feature)]
        >= least.get(SIGNAL_OF.get(one.feature, one.feature), 2.0)
    ]
    if strong:
        return max(strong, key=lambda one: one.strength).phrase
    weighed = counted(features)
    if sum(weighed.values()) < FALLBACK or asked_in_full(features):
        return None
    found = [one for one in features.findings if one.feature in weighed or one.feature == "option"]
    if found:
        return max(found, key=lambda one: one.strength).phrase
    worst = max(weighed, key=lambda name: weighed[name])
    what = subject_name(features)
    return SAID[worst][1].format(what=what) if worst in SAID else f"the exchange speaks against {what}"


def judge_fallback(subject: Subject) -> FallbackJudgement:
    features = features_of(subject)
    samples = samples_of(features)
    destructive = subject.effects.operation_class == "destructive"
    reason = plainly(features, destructive=destructive)
    if reason is not None:
        return FallbackJudgement("block", samples, brief(reason))
    if destructive and features.sanctioned:
        return FallbackJudgement("pass", samples, "the user orders this and names every target")
    return FallbackJudgement("abstain", samples, "nothing contradicts this write and nothing settles it")
