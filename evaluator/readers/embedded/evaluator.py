"""The embedded readers: five named ways to read one subject. No network, no state."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Literal

from evaluator.model import Concern, Sample, Subject
from evaluator.readers.embedded.features import Features, features_of
from evaluator.readers.embedded.findings import Finding, short
from evaluator.readers.embedded.grounding import BY_AREA, BY_STEM, Ground
from evaluator.readers.embedded.reading import reading_of, rival_of
from evaluator.readers.embedded.weights import FITS, LEAST, MOST, READERS, UNTELLABLE, VALUED, WEIGHTS

RATIONALE_WORDS = 20
Mode = Literal["chosen"]


def ground_for(reader: str, features: Features) -> Ground:
    if reader == "literal":
        return features.by_request
    if reader == "skimming":
        return features.by_gist
    return features.by_whole


def support(reader: str, features: Features) -> float:
    """How much stands behind the write, in [0, 1]: independent signs are joined as chances are."""
    weights, seen = WEIGHTS[reader], ground_for(reader, features)
    named = seen.name if seen.values is None else seen.values
    if seen.values is None:
        named = max(named, UNTELLABLE * features.untellable)
    # The values of a call are withheld or given; a long request does not stand in for them.
    specific = weights.specific * (1.0 if seen.values is None else VALUED)
    against = (1.0 - named) * (1.0 - weights.symbols * seen.symbols) * (1.0 - specific * seen.specific)
    if features.agreed:
        against *= 1.0 - weights.agreed
    return 1.0 - against


def score(reader: str, features: Features) -> float:
    weights = WEIGHTS[reader]
    led = features.leaning and not (features.views.prior.empty and features.views.settled.empty)
    floor = weights.lean if led else weights.floor
    value = floor + (weights.ceiling - floor) * support(reader, features)
    for finding in features.findings:
        value *= 1.0 - weights.doubt[finding.feature] * finding.strength
    return round(min(MOST, max(LEAST, value)), 4)


def heaviest(reader: str, features: Features) -> Finding | None:
    doubt = WEIGHTS[reader].doubt
    weighed = [(doubt[finding.feature] * finding.strength, finding) for finding in features.findings]
    best = max(weighed, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= 0.1 else None


def explained(reader: str, features: Features, value: float) -> tuple[Concern, str]:
    """The concern, and in a few words what the reader saw."""
    finding = heaviest(reader, features)
    if finding is not None:
        return finding.concern, finding.phrase
    seen, change, views = ground_for(reader, features), features.change, features.views
    what = short(change.targets[0].path) if change.targets else short(change.command, 32) or "this call"
    if views.request.empty and views.settled.empty:
        return "context", f"no request is visible that {what} could be measured against"
    if features.leaning and reader in ("literal", "skimming") and seen.name < BY_AREA:
        return (
            "none" if value >= FITS else "context"
        ), f'"{short(views.gist.text, 32)}" names nothing itself; the prior turn decides'
    if seen.values is not None:
        concern: Concern = "none" if seen.values >= BY_STEM else "context"
        return concern, f"{seen.values:.0%} of the call's values are grounded in what was said"
    if seen.name >= BY_STEM:
        return (
            "none",
            f"{'the exchange' if reader not in ('literal', 'skimming') else 'the request'} names {what}",
        )
    if seen.name > 0 or seen.symbols >= 0.5:
        return (
            "none" if value >= 0.75 else "target",
            f"words of the request lead to {what}, its name is not given",
        )
    if features.agreed:
        return "none", f"the user accepted the proposal; it does not name {what}"
    return (
        "target" if seen.specific >= 0.5 else "context"
    ), f"nothing that was said names {what}; file and extent are inferred"


def sample_of(reader: str, features: Features) -> Sample:
    value = score(reader, features)
    concern, rationale = explained(reader, features, value)
    reading = reading_of(reader, features)
    return Sample(
        reader=reader,
        score=value,
        primary_concern=concern,
        rationale=" ".join(rationale.split()[:RATIONALE_WORDS]),
        reading=reading,
        rival=rival_of(features, reading),
        fits=value >= FITS,
        cost_usd=0.0,
    )


@dataclass(frozen=True, slots=True)
class EmbeddedReaders:
    """Five readers of one subject, in process.

    `collect` gives one valid sample for each of `READERS`, in that order, and never abstains. The same
    subject gives the same samples but for `latency_ms`.
    """

    mode: Mode = "chosen"
    name: str = field(default="embedded", init=False)
    model: str = field(default="embedded-1", init=False)

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """Work is bounded by the limits on texts, far below any `seconds` that settings allow."""
        begun = time.perf_counter()
        features = features_of(subject)
        samples = tuple(sample_of(reader, features) for reader in READERS)
        spent = round((time.perf_counter() - begun) * 1000 / len(samples))
        return tuple(replace(sample, latency_ms=spent) for sample in samples)
