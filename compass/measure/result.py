"""What a measurement comes to: where it is kept, whether it sets thresholds, and how it compares with a baseline."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace

from calibration.cases.sources import SHIPPED_SOURCE, Collected
from calibration.measurement.result import Result, sets_any, thresholds_document
from calibration.report.baseline import baseline_of, compared, drift_lines
from compass.composition.settings import Here
from compass.composition.thresholds import thresholds_file
from compass.install.settings_file import replace as replace_file
from compass.measure import DONE, DRIFT, UNMEASURED
from compass.measure.measured_gate import Bench
from compass.measure.run import ask_to_set, measuring
from compass.show.terminal import columns_of, wrapped
from evaluator.verdict.calibrated_thresholds import calibration_changes, usable_thresholds

OUT = "the result was written to a file of your own (--out), which no gate reads"
SHIPPED = "shipped cases set this project's thresholds only if you agree (--use-shipped)"


def why_unset(args: argparse.Namespace, found: Result) -> str:
    """Why no gate goes by the result, before a person is asked; empty where one does."""
    if args.out:
        return OUT
    is_shipped = SHIPPED_SOURCE in found.counts.by_source
    return SHIPPED if is_shipped and not args.use_shipped else ""


def agreed(found: Result) -> bool:
    """Whether a person lets shipped cases, which are not theirs, set the thresholds that these recommend."""
    return found.unset == SHIPPED and sets_any(thresholds_document(found)) and ask_to_set(found)


def keep_result(found: Result, place: Here, out: str | None) -> str:
    """Writes a result where it belongs, and says where, and what it changes. Raises ConfigError.

    Beside the project's own result there is the report. Where it is `unset`, what the gate reads of it is empty.
    """
    from calibration.report.page import render

    if out:
        replace_file(os.path.abspath(out), _result_json(found))
        return f"Written to {out}; the gate does not use this file."
    small = thresholds_file(place.calibration)
    for_the_gate = thresholds_document(replace(found, recommended={}) if found.unset else found)
    before = usable_thresholds(small)
    if before is not None and before.per_n and not sets_any(for_the_gate):
        stale = before.staleness(found.backend, found.model, found.prompt)
        if not stale:
            return f"No thresholds to write; those of {before.date} stay in force ({small})."
    replace_file(place.calibration, _result_json(found), private=True)
    replace_file(os.path.splitext(place.calibration)[0] + ".html", render(found), private=True)
    replace_file(small, json.dumps(for_the_gate, indent=1) + "\n", private=True)
    uses = "The gate uses them for this project." if sets_any(for_the_gate) else "It sets no thresholds."
    if found.unset:
        uses += " Shipped cases set them only if you pass --use-shipped."
    return f"Written to {place.calibration}, with the report beside it as calibration.html. {uses}"


def _result_json(found: Result) -> str:
    return json.dumps(found.as_json(), indent=1) + "\n"


class NoBaselineError(RuntimeError):
    """There is nothing to compare with, or not with these readers or cases."""


def check_baseline(args: argparse.Namespace, place: Here) -> int:
    """Exit code 0 same, 1 drift, 4 if there was too little to tell. Raises NoBaselineError besides `measuring`'s."""
    path = os.path.abspath(args.baseline) if args.baseline else place.calibration
    try:
        with open(path, encoding="utf-8") as file:
            baseline = baseline_of(path, file.read())
    except FileNotFoundError:
        raise NoBaselineError(f"{path}: no such baseline; `compass calibrate` creates one") from None
    except ValueError as error:
        raise NoBaselineError(str(error)) from None

    def only_known(at: Bench, collected: Collected) -> Collected:
        was, now = ((one.backend, one.model, one.prompt) for one in (baseline, at.readers))
        stale = [calibration_changes(was, now)]
        if baseline.n != at.readers.n:
            stale.append(f"the number of readers was {baseline.n} and is now {at.readers.n}")
        if any(stale):
            told = "; ".join(filter(None, stale))
            raise NoBaselineError(f"{path}: the baseline from {baseline.date} is stale: {told}")
        known = [case for case in collected.cases if case.id in baseline.known]
        if not known:
            raise NoBaselineError(
                f"{path}: none of these cases are in it; pass the cases that it was made from"
            )
        return replace(collected, cases=known)

    with measuring(args, place, "check", only_known) as result:
        found = compared(path, result.cases, baseline, result.gate)
    if args.json:
        print(json.dumps(found.as_json()))
    else:
        print("\n".join(part for line in drift_lines(found) for part in wrapped(line, columns_of(), 2, 0)))
    if not found.tested:
        return UNMEASURED
    return DRIFT if found.drift.alarm else DONE
