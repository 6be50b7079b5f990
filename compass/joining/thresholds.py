"""What a check is held against: the project's calibrated cuts and thresholds while they hold, else the settings'."""

from __future__ import annotations

import os

from evaluator.configuration.calibrated import (
    THRESHOLDS_NAME,
    Calibrated,
    Certificate,
    as_dict,
    read_thresholds,
)
from evaluator.configuration.settings import KEYS, MEASURED, Settings
from evaluator.configuration.values import is_tighter
from evaluator.gate.run import Rule
from evaluator.model import SEVERITY, Certified, Thresholds
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record
from evaluator.verdict.sequential import RiskTable, table_of

CONFIDENCE, DEVIATION = MEASURED
WITHOUT_THRESHOLDS = (
    f"calibration ignored: there is no {THRESHOLDS_NAME} beside it; run `compass calibrate` again"
)


class Standing(Record):
    """A backend as it stands now: what a calibration must have been measured with. `n` readers."""

    backend: str
    model: str
    prompt: str
    n: int


def standing_of(settings: Settings, backend: str) -> Standing:
    """`backend` as it was resolved, never `auto`. Of a team's evaluator, the readers that it names."""
    kind = kind_of(backend)
    named = settings.readers
    if kind.remote is not None and named is not None:
        return Standing(backend, named.model, named.prompt, named.n)
    n, _ = kind.sampling(settings)
    return Standing(backend, kind.model(settings), kind.fingerprint(), n)


def thresholds_file(calibration: str) -> str:
    """The small file beside the project's calibration.json."""
    return os.path.join(os.path.dirname(calibration), THRESHOLDS_NAME)


def rule_of(settings: Settings, backend: str, path: str) -> Rule:
    """`path` of the project's calibration.json, which is not opened: what counts stands in thresholds.json beside it.

    One that is stale, or cannot be used, is named and changes nothing.
    """
    convergence = settings.convergence
    agreement = convergence.agreement_threshold if convergence.needs_agreement else None
    plain = Thresholds(settings.confidence_threshold, settings.stddev_threshold, agreement)
    found, why = in_force(settings, backend, path)
    if found is None or not sets_any(found):
        return Rule(plain, None, why)
    n = standing_of(settings, backend).n
    measured, certificate = found.thresholds.get(n), found.per_n.get(n)
    untested = measured is not None and _less(measured.agreement, agreement)
    if measured is not None and untested:
        # It is not looser for what was added, or a project could undo a calibration by asking for agreement.
        plain = Thresholds(
            max(plain.confidence, measured.confidence), min(plain.deviation, measured.deviation), agreement
        )
    elif measured is not None:
        plain = Thresholds(
            _stricter(settings, CONFIDENCE, plain.confidence, measured.confidence),
            _stricter(settings, DEVIATION, plain.deviation, measured.deviation),
            agreement,
        )
    if certificate is not None and convergence.certifies:
        return Rule(plain, None, "", *certified_by(settings, certificate), _origin(found, path))
    if measured is None or untested:
        lacks = "thresholds that were tested with agreement" if untested else f"thresholds for {n} readers"
        return Rule(plain, None, f"calibration of {found.date} has no {lacks}")
    return Rule(plain, _table(settings, found.sequential.get(n), plain))


def agreement_is_tested(settings: Settings, backend: str, path: str) -> bool:
    """Whether what agreement blocks beside the cuts is known to have been tested like all other blocks."""
    convergence = settings.convergence
    found, _ = in_force(settings, backend, path)
    measured = found.thresholds.get(standing_of(settings, backend).n) if found is not None else None
    return measured is not None and not _less(measured.agreement, convergence.agreement_threshold)


def sets_any(found: Calibrated) -> bool:
    """Whether a calibration set something; one of shipped cases to which nobody agreed sets nothing, and holds."""
    return bool(found.per_n or found.thresholds)


def is_calibrated(settings: Settings, backend: str, path: str) -> bool:
    """Whether something that was calibrated decides checks by this backend."""
    found, _ = in_force(settings, backend, path)
    return found is not None and sets_any(found) and not rule_of(settings, backend, path).note


def in_force(settings: Settings, backend: str, path: str) -> tuple[Calibrated | None, str]:
    """What was calibrated while it holds; else None, and why one that is there does not count."""
    try:
        found = read_thresholds(thresholds_file(path))
    except ValueError as error:
        return None, f"calibration ignored: {error}"
    if found is None:
        return None, WITHOUT_THRESHOLDS if os.path.exists(path) else ""
    now = standing_of(settings, backend)
    stale = found.staleness(now.backend, now.model, now.prompt)
    return (None, f"calibration of {found.date} is stale: {stale}") if stale else (found, "")


def certified_by(
    settings: Settings, certificate: Certificate
) -> tuple[tuple[tuple[str, Certified], ...], tuple[str, ...]]:
    """What is certified per operation class, with the thresholds that were stated and are tighter; and for which of
    them readers may be asked one after the other."""
    stated = stated_of(settings)
    wanted = settings.sampling.strategy == "escalate"
    found: list[tuple[str, Certified]] = []
    escalates: list[str] = []
    for name in SEVERITY:
        looks = certificate.of_class(name, escalate=True) if wanted else None
        cuts = looks or certificate.of_class(name)
        if cuts is not None:
            found.append((name, Certified(certificate.score, cuts, stated.confidence, stated.deviation)))
        if looks is not None:
            escalates.append(name)
    return tuple(found), tuple(escalates)


def stated_of(settings: Settings) -> Thresholds:
    """What somebody stated tighter than the defaults, which blocks beside certified cuts; the rest blocks nothing."""
    return Thresholds(
        _stated(CONFIDENCE, settings.confidence_threshold, 0.0),
        _stated(DEVIATION, settings.stddev_threshold, 1.0),
    )


def _origin(found: Calibrated, path: str) -> str:
    """Which calibration of which project that is."""
    import hashlib
    import json

    text = json.dumps([os.path.dirname(path), as_dict(found)], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _less(tested: float | None, held: float | None) -> bool:
    """Whether agreement blocks more now than it did when thresholds were tested."""
    return held is not None and (tested is None or tested < held)


def _stated(path: str, value: float, nothing: float) -> float:
    """`value` where somebody stated it tighter than the default, else what blocks nothing."""
    key = KEYS[path]
    return value if value != key.default and is_tighter(key, key.default, value) else nothing


def _stricter(settings: Settings, path: str, stated: float, measured: float) -> float:
    """Measured thresholds stand in for a default that nobody stated. A stated value holds where it is looser than the
    default, which only the user can state; else the stricter of both does, or a project could undo a calibration, or
    what its user states, by tightening a hair.
    """
    key = KEYS[path]
    if stated == key.default:
        if path not in settings.at_default:
            return measured
    elif not is_tighter(key, key.default, stated):
        return stated
    return max(stated, measured) if key.tighter == "up" else min(stated, measured)


def _table(settings: Settings, stored: object, thresholds: Thresholds) -> RiskTable | None:
    if stored is None or settings.sampling.strategy != "sequential" or thresholds.agreement is not None:
        return None
    try:
        table = table_of(stored)
    except ValueError:
        return None
    return table if table.risk <= settings.sampling.risk else None
