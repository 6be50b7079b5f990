"""Does the project's calibration still hold, and where do its thresholds come from?"""

from __future__ import annotations

import os

from compass.doctor.finding import Examination, Finding, Situation
from compass.joining.backends import backend_in_force
from compass.joining.promise import cuts_told
from compass.joining.thresholds import in_force, rule_of, sets_any, thresholds_file
from evaluator.configuration import loading
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.gate.run import Rule
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
        return Finding(_NAME, True, f"in force: {each}{_asked(settings, rule)} ({path})")
    early = "; a pass may end early" if rule.table is not None else ""
    pair = rule.thresholds
    return Finding(_NAME, True, f"in force: {pair.confidence:.2f} and {pair.deviation:.2f}{early} ({path})")


def _asked(settings: Settings, rule: Rule) -> str:
    """How readers are asked by cuts, where that is not all at once or not as configured."""
    strategy = settings.sampling.strategy
    if strategy == "escalate":
        if not rule.escalates:
            return "; readers are asked all at once, for no cuts of sampling.strategy escalate are certified"
        part = "" if len(rule.escalates) == len(rule.certified) else f" for {', '.join(rule.escalates)} calls"
        return f"; readers are asked one after the other{part}"
    if strategy == "sequential":
        instead = set_by("convergence.rule", "score")
        return f"; sampling.strategy sequential ends no pass early by cuts, only with {instead}"
    return ""


CHECKS: tuple[Examination, ...] = (calibration,)
