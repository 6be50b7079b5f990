"""What a measurement comes to: where it is kept, whether it sets thresholds, and how it compares with a baseline."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
from dataclasses import replace

from calibration.cases.sources import SHIPPED_SOURCE, Collected
from calibration.measurement.result import Result, sets_any, thresholds_document
from calibration.report.baseline import Baseline, baseline_of, compared, lines, markdown
from compass.install.settings_file import replace as replace_file
from compass.measure import DONE, DRIFT, UNMEASURED
from compass.measure.measured_gate import Bench
from compass.measure.run import MeasuredProject, ask_to_set, measuring
from compass.show.terminal import columns_of, wrapped
from evaluator.calibrated import THRESHOLDS_NAME, Calibrated, read_calibration, read_thresholds

UNSET = "nobody agreed that shipped cases set thresholds of this project (--use-shipped)"
NOT_YET = (
    "shipped cases set thresholds of this project only if you agree (--use-shipped, or the question below)"
)
OUT = "it was written to a file of your own (--out), which no gate reads"


def agreed(args: argparse.Namespace, found: Result) -> bool:
    """Whether the result may set thresholds. Of shipped cases, which are not the user's, only if the user says so."""
    sets_nothing = bool(args.out) or not sets_any(thresholds_document(found))
    return sets_nothing or not _of_shipped(found) or args.use_shipped or ask_to_set(found)


def told(args: argparse.Namespace, found: Result) -> Result:
    """The result as it is shown before it is known whether a person agrees."""
    return dataclasses.replace(found, unset=_unset(args, found))


def _unset(args: argparse.Namespace, found: Result) -> str:
    if args.out:
        return OUT
    if _of_shipped(found) and not args.use_shipped:
        return NOT_YET
    return ""


def _of_shipped(found: Result) -> bool:
    return SHIPPED_SOURCE in found.counts.by_source


def decided(args: argparse.Namespace, found: Result, *, sets: bool) -> Result:
    """The result as it is kept."""
    if not sets:
        return dataclasses.replace(found, unset=UNSET)
    why = _unset(args, found)
    return dataclasses.replace(found, unset="" if why == NOT_YET else why)


def keep_result(
    found: Result, place: MeasuredProject, *, out: str | None, html: str | None, sets: bool
) -> str:
    """Writes a result that is `decided` where it belongs, and says where, and what it changes. Raises ConfigError.

    `html` gets the report too; beside the project's own result there always is one. Unless it `sets` thresholds, what
    the gate reads of it is empty.
    """
    from calibration.report.page import render

    if html:
        replace_file(os.path.abspath(html), render(found))
    if out:
        replace_file(os.path.abspath(out), _text(found))
        return f"Written to {out}; the gate does not use it."
    small = os.path.join(place.folder, THRESHOLDS_NAME)
    for_the_gate = thresholds_document(found if sets else dataclasses.replace(found, recommended={}))
    before = _standing(small)
    if before is not None and before.per_n and not sets_any(for_the_gate):
        stale = before.staleness(found.backend, found.model, found.prompt)
        if not stale:
            return f"No thresholds to write; those of {before.date} stay in force ({small})."
    replace_file(place.file, _text(found), private=True)
    replace_file(os.path.splitext(place.file)[0] + ".html", render(found), private=True)
    replace_file(small, json.dumps(for_the_gate, indent=1) + "\n", private=True)
    uses = "The gate uses them for this project." if sets_any(for_the_gate) else "It sets no thresholds."
    if not sets:
        uses += " Shipped cases set some only if you agree: --use-shipped."
    return f"Written to {place.file}, the report beside it as calibration.html. {uses}"


def _text(found: Result) -> str:
    return json.dumps(found.as_json(), indent=1) + "\n"


def _standing(path: str) -> Calibrated | None:
    with contextlib.suppress(ValueError):
        return read_thresholds(path)
    return None


class NoBaselineError(RuntimeError):
    """There is nothing to compare with, or not with these readers or cases."""


def check(args: argparse.Namespace, place: MeasuredProject) -> int:
    """Exit code 0 same, 1 drift, 4 if there was too little to tell. Raises NoBaselineError besides `measuring`'s."""
    path = os.path.abspath(args.baseline) if args.baseline else place.file
    baseline = _read(path)

    def only_known(at: Bench, collected: Collected) -> Collected:
        _refuse_stale(path, baseline, at)
        known = [case for case in collected.cases if case.id in baseline.known]
        if not known:
            raise NoBaselineError(
                f"{path}: none of these cases are in it; give the cases that it was made from"
            )
        return replace(collected, cases=known)

    with measuring(args, place, "check", only_known) as result:
        found = compared(path, result.cases, baseline, result.gate)
        if args.summary:
            # A job's summary collects what several steps say.
            with open(args.summary, "a", encoding="utf-8") as file:
                file.write(markdown(found))
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
        raise NoBaselineError(f"{path}: no such baseline; `compass calibrate` creates one") from None
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
