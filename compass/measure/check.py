"""`compass calibrate --check`: measures the baseline's cases again and writes what CI reads."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace

from calibration.cases.sources import Collected
from calibration.report.check import Baseline, Comparison, baseline_of, compared
from calibration.report.summary import lines, markdown
from compass.measure.defaults import DONE, DRIFT, UNMEASURED
from compass.measure.parts import Bench
from compass.measure.run import MeasuredProject, measuring
from compass.show.terminal import columns_of
from compass.show.wrapping import wrapped
from evaluator.configuration.calibrated import read_calibration


class NoBaselineError(RuntimeError):
    """There is nothing to compare with, or not with these readers or cases."""


def check(args: argparse.Namespace, place: MeasuredProject) -> int:
    """Exit code 0 same, 1 drift, 4 if there was too little to tell. Raises NoBaselineError besides `measuring`'s."""
    path = os.path.abspath(args.baseline) if args.baseline else place.file
    baseline = _read(path)

    def only_known(at: Bench, collected: Collected) -> Collected:
        _refuse_stale(path, baseline, at)
        known = [case for case in collected.cases if case.id in baseline.cases]
        if not known:
            raise NoBaselineError(
                f"{path}: none of these cases are in it; give the cases that it was made from"
            )
        return replace(collected, cases=known)

    with measuring(args, place, "check", only_known) as result:
        found = compared(result.cases, baseline, result.gate)
        _write(args, found)
    if args.json:
        print(json.dumps(found.as_json()))
    else:
        print("\n".join(part for line in lines(found) for part in wrapped(line, columns_of(), 2, 0)))
    if not found.tested:
        return UNMEASURED
    return DRIFT if found.drift.alarm else DONE


def _read(path: str) -> Baseline:
    try:
        with open(path, encoding="utf-8") as file:
            return baseline_of(path, file.read())
    except FileNotFoundError:
        raise NoBaselineError(f"{path}: no such baseline; `compass calibrate` makes one") from None
    except ValueError as error:
        raise NoBaselineError(str(error)) from None


def _refuse_stale(path: str, baseline: Baseline, at: Bench) -> None:
    try:
        stored = read_calibration(path)
    except ValueError as error:
        raise NoBaselineError(str(error)) from None
    readers = at.readers
    stale = stored.staleness(readers.backend, readers.model, readers.prompt) if stored else ""
    if baseline.n != readers.n:
        stale = "; ".join(part for part in (stale, f"readers were {baseline.n}, are {readers.n}") if part)
    if stale:
        raise NoBaselineError(f"{path}: the baseline of {baseline.date} is stale: {stale}")


def _write(args: argparse.Namespace, found: Comparison) -> None:
    if args.summary:
        # A job's summary collects what several steps say.
        with open(args.summary, "a", encoding="utf-8") as file:
            file.write(markdown(found))
