"""The measurement's entry in another process: the same bench, made of what the parent tells and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from calibration.cases.labelled import LabelledCase
from calibration.measurement.judging import CaseOutcome
from evaluator.configuration.settings import Settings
from evaluator.record import Record

LEAST_CHECKS = 400
"""Fewer are judged here before another process has started."""
TOGETHER = 8
"""Cases that are handed to a process together: one by one, handing over takes a tenth of the time."""
AT_ONCE = 2 * TOGETHER
"""Cases under way for each process, so that none waits for the parent."""


class Worker(Record):
    """Makes what judges by rules. `measured` is that of the parent's bench, which this must come to."""

    settings: Settings
    env: Mapping[str, str]
    home: str
    project_dir: str
    backend: str
    measured: str

    def __call__(self) -> Callable[[LabelledCase], CaseOutcome]:
        """Raises RuntimeError where it is another bench here."""
        from calibration.measurement.runner import judge_by
        from compass.measure.parts import bench
        from evaluator.configuration.environment import CleanEnvironment
        from evaluator.configuration.loading import Loaded

        clean = CleanEnvironment(self.env, self.home)
        at = bench(
            self.env, self.home, self.project_dir, Loaded(self.settings, {}, (), clean=clean), self.backend
        )
        if at.measured != self.measured:
            raise RuntimeError("a worker's readers are others than those that are measured")
        return judge_by(at.parts)
