"""Which thresholds a check is held against: the project's calibrated ones while they hold, else the settings'."""

from __future__ import annotations

from evaluator.configuration.calibrated import read_calibration
from evaluator.configuration.settings import KEYS, Settings
from evaluator.configuration.values import is_tighter
from evaluator.gate.run import Rule
from evaluator.model import Thresholds
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record
from evaluator.verdict.sequential import RiskTable, table_of


class Standing(Record):
    """A backend as it stands now: what a calibration must have been measured with. `n` readers."""

    backend: str
    model: str
    prompt: str
    n: int


def standing_of(settings: Settings, backend: str) -> Standing:
    """`backend` as it was resolved, never `auto`."""
    kind = kind_of(backend)
    n, _ = kind.sampling(settings)
    return Standing(backend, kind.model(settings), kind.fingerprint(), n)


def rule_of(settings: Settings, backend: str, path: str) -> Rule:
    """`path` of the project's calibration.json. One that is stale, or cannot be used, is named and changes nothing."""
    agreement = settings.convergence.agreement_threshold if settings.convergence.rule != "score" else None
    plain = Thresholds(settings.confidence_threshold, settings.stddev_threshold, agreement)
    try:
        calibration = read_calibration(path)
    except ValueError as error:
        return Rule(plain, None, f"calibration ignored: {error}")
    if calibration is None:
        return Rule(plain)
    now = standing_of(settings, backend)
    stale = calibration.staleness(now.backend, now.model, now.prompt)
    if stale:
        return Rule(plain, None, f"calibration of {calibration.date} is stale: {stale}")
    measured = calibration.per_n.get(now.n)
    if measured is None:
        return Rule(plain, None, f"calibration of {calibration.date} has no thresholds for {now.n} readers")
    found = Thresholds(
        _stricter("confidence_threshold", plain.confidence, measured.confidence),
        _stricter("stddev_threshold", plain.deviation, measured.deviation),
        agreement,
    )
    return Rule(found, _table(settings, calibration.sequential.get(now.n), found))


def _stricter(path: str, stated: float, measured: float) -> float:
    """Measured thresholds stand in for the default. A stated value holds where it is looser, which only the user can
    state; where it is tighter, the stricter of both does, or a project could undo a calibration by tightening a hair.
    """
    key = KEYS[path]
    if stated == key.default:
        return measured
    if not is_tighter(key, key.default, stated):
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
