"""Does the project's calibration still hold, and where do its thresholds come from?"""

from __future__ import annotations

import os

from compass.composition.backends import backend_in_force
from compass.doctor.finding import Examination, Finding, Situation
from compass.thresholds import in_force, plain_rule, rule_of, thresholds_file, told_of
from evaluator.settings import layers

_NAME = "calibration"


def calibration(situation: Situation) -> Finding:
    """Fails for a file that cannot be used or is stale: the gate then goes by the settings."""
    site, settings = situation.site, situation.settings
    path = layers.calibration_file(site.env, site.home, site.project_dir)
    limits = told_of(plain_rule(settings))
    if not any(map(os.path.exists, (path, thresholds_file(path)))):
        return Finding(
            _NAME, True, f"none; {limits} by the settings. `compass calibrate` measures cuts of your own"
        )
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    found, _ = in_force(settings, backend, path)
    if found is not None and not found.per_n:
        return Finding(_NAME, True, f"that of {found.date} sets no cuts; {limits} by the settings ({path})")
    rule = rule_of(settings, backend, path)
    if rule.note:
        return Finding(_NAME, False, f"{rule.note}; run `compass calibrate` again, or delete {path}")
    return Finding(_NAME, True, f"in force: {told_of(rule)} ({path})")


CHECKS: tuple[Examination, ...] = (calibration,)
