"""Does the project's calibration still hold, and where do its thresholds come from?"""

from __future__ import annotations

import os

from compass.doctor.finding import Examination, Finding, Situation
from compass.joining.backends import backend_in_force
from compass.joining.promise import cuts_told
from compass.joining.thresholds import in_force, rule_of, sets_any, thresholds_file
from evaluator.configuration import loading
from evaluator.state.history import History

_NAME = "calibration"


def calibration(situation: Situation) -> Finding:
    """Fails for a file that cannot be used or is stale: the gate then goes by the settings."""
    site, settings = situation.site, situation.settings
    path = loading.calibration_file(site.env, site.home, site.project_dir)
    limits = f"{settings.confidence_threshold:.2f} and {settings.stddev_threshold:.2f}"
    if not any(map(os.path.exists, (path, thresholds_file(path)))):
        return Finding(
            _NAME, True, f"none; thresholds {limits} from the settings. `compass calibrate` measures them"
        )
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    found, _ = in_force(settings, backend, path)
    if found is not None and not sets_any(found):
        return Finding(
            _NAME, True, f"that of {found.date} sets no thresholds; {limits} are from the settings ({path})"
        )
    rule = rule_of(settings, backend, path)
    if rule.note:
        return Finding(_NAME, False, f"{rule.note}; run `compass calibrate` again, or delete {path}")
    if rule.certified:
        note = History(site.state_dir, situation.now).note
        each = "; ".join(cuts_told(rule, settings, backend, note, path))
        looks = "; readers are asked one after the other" if rule.escalates else ""
        return Finding(_NAME, True, f"in force: {each}{looks} ({path})")
    early = "; a pass may end early" if rule.table is not None else ""
    pair = rule.thresholds
    return Finding(_NAME, True, f"in force: {pair.confidence:.2f} and {pair.deviation:.2f}{early} ({path})")


CHECKS: tuple[Examination, ...] = (calibration,)
