"""What a check is held against: the project's calibrated cuts while they hold, else the settings' thresholds."""

from __future__ import annotations

import os

from evaluator.gate.run import Rule
from evaluator.model import STAKES_CLASSES, StakesClass, Thresholds
from evaluator.record import Record, replace
from evaluator.settings.files import is_tighter
from evaluator.settings.keys import KEYS, Settings
from evaluator.text import percent
from evaluator.verdict.calibrated_thresholds import THRESHOLDS_NAME, Calibrated, read_thresholds

WITHOUT_THRESHOLDS = (
    f"calibration ignored: there is no {THRESHOLDS_NAME} beside it; run `compass calibrate` again"
)
LEAST_AGREEMENT = 0.5
"""Under `+agreement`: of five readers 4 and 1 pass, 3 and 2 block."""


class ReadersNow(Record):
    """A backend as it stands now: what a calibration must have been measured with. `n` readers."""

    backend: str
    model: str
    prompt: str
    n: int


def readers_now(settings: Settings, backend: str) -> ReadersNow:
    """The readers that calibrated thresholds have to be of. `backend` as it was resolved, never `auto`. Of a team's
    evaluator, the readers that it names."""
    from evaluator.readers.kinds.kind import kind_of

    kind = kind_of(backend)
    named = settings.readers
    if kind.remote is not None and named is not None:
        return ReadersNow(backend, named.model, named.prompt, named.n)
    n, _ = kind.sampling(settings)
    return ReadersNow(backend, kind.model(settings), kind.fingerprint(), n)


def thresholds_file(calibration: str) -> str:
    """The small file beside the project's calibration.json."""
    return os.path.join(os.path.dirname(calibration), THRESHOLDS_NAME)


def rule_of(settings: Settings, backend: str, path: str) -> Rule:
    """The rule of convergence in force: calibrated cuts while they hold, else the settings' thresholds. `path` of the
    project's calibration.json, which is not opened: what counts stands in thresholds.json beside it.

    One that is stale, or cannot be used, is named and changes nothing.
    """
    plain = plain_rule(settings)
    found, why = calibration_in_force(settings, backend, path)
    if found is None or not found.per_n:
        return replace(plain, note=why)
    n = readers_now(settings, backend).n
    cuts = found.per_n.get(n)
    if cuts is None:
        return replace(plain, note=f"the calibration from {found.date} has no thresholds for {n} readers")
    held = {
        stakes: plain.reversible if stakes == "reversible" else plain.irreversible
        for stakes in STAKES_CLASSES
    }
    for stakes, cut in cuts.items():
        held[stakes] = _calibrated_thresholds(settings, held[stakes], stakes, cut)
    return Rule(held["reversible"], held["irreversible"])


def plain_rule(settings: Settings) -> Rule:
    """The rule of convergence by the settings alone."""
    agreement = LEAST_AGREEMENT if settings.convergence.needs_agreement else None
    reversible, irreversible = (
        Thresholds(settings.confidence(stakes), settings.stddev_threshold, agreement)
        for stakes in STAKES_CLASSES
    )
    return Rule(reversible, irreversible)


def is_calibrated(settings: Settings, backend: str, path: str) -> bool:
    """Whether something that was calibrated decides checks by this backend."""
    rule = rule_of(settings, backend, path)
    return any(one.alpha is not None for one in (rule.reversible, rule.irreversible))


def thresholds_told(rule: Rule) -> str:
    """Both thresholds in words, with what is certified of them."""
    reversible, irreversible = map(_describe_thresholds, (rule.reversible, rule.irreversible))
    return f"{reversible} for what can be undone, and {irreversible} for what cannot"


def _describe_thresholds(held: Thresholds) -> str:
    said = f"a mean of at least {held.confidence:.2f}"
    if held.deviation < 1:
        said += f" and a deviation of at most {held.deviation:.2f}"
    if held.alpha is not None:
        said += f" (certified: blocks at most {percent(held.alpha)} of clear writes)"
    return said


def cuts_told(found: Calibrated) -> list[str]:
    """What was calibrated, a line for each number of readers and class of stakes."""
    return [
        f"with {n} readers, {stakes} calls: a mean of at least {cut.confidence:.2f} "
        f"(by default {KEYS[f'confidence_by_stakes.{stakes}'].default:.2f})"
        for n, cuts in found.per_n.items()
        for stakes, cut in cuts.items()
    ]


def calibration_in_force(settings: Settings, backend: str, path: str) -> tuple[Calibrated | None, str]:
    """What was calibrated while it holds; else None, and why one that is there does not count."""
    try:
        found = read_thresholds(thresholds_file(path))
    except ValueError as error:
        return None, f"calibration ignored: {error}"
    if found is None:
        return None, WITHOUT_THRESHOLDS if os.path.exists(path) else ""
    now = readers_now(settings, backend)
    stale = found.staleness(now.backend, now.model, now.prompt)
    return (None, f"the calibration from {found.date} is stale: {stale}") if stale else (found, "")


def _calibrated_thresholds(
    settings: Settings, plain: Thresholds, stakes: StakesClass, cut: Thresholds
) -> Thresholds:
    """The certified cut stands in for a default that nobody stated; its deviation blocks nothing.

    A stated confidence holds where it is looser than the default, which only the user can state; else the stricter of
    both does, or a project could undo a calibration, or what its user states, by tightening a hair.
    """
    path = f"confidence_by_stakes.{stakes}"
    usual = KEYS[path].default
    stated = (
        settings.confidence_threshold is not None or plain.confidence != usual or path in settings.at_default
    )
    if stated and not is_tighter(KEYS[path], usual, plain.confidence):
        return plain
    confidence = max(plain.confidence, cut.confidence) if stated else cut.confidence
    deviation, key = plain.deviation, KEYS["stddev_threshold"]
    if settings.convergence.certifies and (
        deviation == key.default or not is_tighter(key, key.default, deviation)
    ):
        deviation = 1.0
    return Thresholds(confidence, deviation, plain.agreement, cut.alpha)
