"""One measurement from its arguments to the result: cases, consent, checks, statistics, and where it is kept."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import sys
import time
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from functools import partial

from calibration.cases.history import History
from calibration.cases.sources import SHIPPED_SOURCE, Collected
from calibration.measurement.journal import Journal, journal
from calibration.measurement.judging import CaseOutcome, prepare
from calibration.measurement.measure import Aim, result_of
from calibration.measurement.plan import CostPlan, MeasureScope, plan_of
from calibration.measurement.result import Result
from calibration.measurement.runner import (
    Jobs,
    Judge,
    Measurement,
    in_threads,
    in_turn,
    judge_by,
    measurements,
    run,
)
from calibration.measurement.thresholds_file import document as thresholds_document
from calibration.measurement.thresholds_file import sets_any
from compass.engines import mapped, stays_here, without_keys
from compass.install.settings_file import replace as replace_file
from compass.joining.surroundings import load_for, project_of
from compass.measure.cases import cases_of, history_of
from compass.measure.defaults import EMBEDDED_REPEATS, HOSTED_REPEATS
from compass.measure.parts import Bench, Purse, bench
from compass.measure.screen import Progress, ask, ask_to_set, show_plan
from evaluator.configuration import loading
from evaluator.configuration.calibrated import THRESHOLDS_NAME, Calibrated, read_thresholds
from evaluator.configuration.environment import CleanEnvironment
from evaluator.configuration.settings import Settings
from evaluator.errors import ConfigError
from evaluator.model import Evidence
from evaluator.record import Record

SHIPPED_NOTE = (
    "Shipped cases are not this project's: they are the halves that no rule was fitted on, by authors who never saw "
    "it. What they show may not hold here; cases of your own tell (--from-git, --from-sessions, --cases)."
)
UNSET = "nobody agreed that shipped cases set thresholds of this project (--use-shipped)"
NOT_YET = (
    "shipped cases set thresholds of this project only if you agree (--use-shipped, or the question below)"
)
OUT = "it was written to a file of yours (--out), which no gate reads"

LEAST_CHECKS = 400
"""Fewer are judged here before another process has started."""

Choose = Callable[[Bench, Collected], Collected]


class MeasuredProject(Record):
    """Whose gate is measured, and where its results lie. `given` is the environment before it was cleaned."""

    given: Mapping[str, str]
    env: Mapping[str, str]
    home: str
    project_dir: str
    loaded: loading.Loaded

    @property
    def file(self) -> str:
        return loading.calibration_file(self.env, self.home, self.project_dir)

    @property
    def folder(self) -> str:
        return os.path.dirname(self.file)

    @property
    def state_dir(self) -> str:
        return loading.state_dir(self.env, self.home)


def place_of(env: Mapping[str, str], command: str = "calibrate") -> MeasuredProject:
    """The place of this process. Raises ConfigError."""
    try:
        where = os.getcwd()
    except OSError as error:
        raise ConfigError("the working directory is gone; run it inside the project") from error
    directory = project_of(env, where)
    loaded = load_for(env, directory, where)
    for problem in loaded.problems:
        print(f"compass {command}: {problem}", file=sys.stderr)
    return MeasuredProject(env, loaded.clean.env, loaded.clean.home, directory, loaded)


@contextlib.contextmanager
def measuring(
    args: argparse.Namespace, place: MeasuredProject, purpose: str, chosen: Choose | None = None
) -> Generator[Result]:
    """The result; what was judged stays in the journal until the caller is done with it. `chosen` may leave cases out.

    Raises ValueError, OSError and ConfigError for what cannot be measured, DeclinedError, StoppedError, BusyError.
    """
    collected = _collected(args, place)
    history = history_of(place.state_dir, place.project_dir) if args.from_history else None
    with contextlib.ExitStack() as stack:
        at = bench(place.env, place.home, place.project_dir, place.loaded, args.backend)
        stack.callback(at.close)
        if chosen is not None:
            collected = chosen(at, collected)
        kept = stack.enter_context(
            journal(os.path.join(place.folder, f"{purpose}.unfinished.jsonl"), time.time)
        )
        if args.fresh:
            kept.forget()
        jobs = Jobs(collected.cases, _repeats(args, at), at.measured)
        failed = _judged(args, place, at, jobs, kept)
        measured = measurements(at.parts, jobs, kept, failed)
        yield _result(args, at, measured, _notes(collected), history)
        if not failed:
            kept.finish()


def show_plan_only(args: argparse.Namespace, place: MeasuredProject) -> int:
    """Exit code 0: what would be sent, and one check's evidence as an example. Sends nothing."""
    collected = _collected(args, place)
    at = bench(place.env, place.home, place.project_dir, place.loaded, args.backend)
    try:
        jobs = Jobs(collected.cases, _repeats(args, at), at.measured)
        plan, evidences = _planned(args, at, jobs, ())
        if args.json:
            print(json.dumps(plan.as_json()))
        else:
            show_plan(plan, evidences[0] if evidences else None, sends=at.sends)
    finally:
        at.close()
    return 0


def agreed(args: argparse.Namespace, found: Result) -> bool:
    """Whether the result may set thresholds. Of shipped cases, which are not the user's, only if the user says so."""
    sets_nothing = bool(args.out) or not sets_any(thresholds_document(found))
    return sets_nothing or not _of_shipped(found) or args.use_shipped or ask_to_set(found)


def told(args: argparse.Namespace, place: MeasuredProject, found: Result) -> Result:
    """The result as it is shown before it is known whether a person agrees."""
    return dataclasses.replace(found, unset=_unset(args, place, found))


def _unset(args: argparse.Namespace, place: MeasuredProject, found: Result) -> str:
    if args.out:
        return OUT
    if _of_shipped(found) and not args.use_shipped:
        return NOT_YET
    return ""


def _of_shipped(found: Result) -> bool:
    return SHIPPED_SOURCE in found.counts.by_source


def decided(args: argparse.Namespace, place: MeasuredProject, found: Result, *, sets: bool) -> Result:
    """The result as it is kept."""
    if not sets:
        return dataclasses.replace(found, unset=UNSET)
    why = _unset(args, place, found)
    return dataclasses.replace(found, unset="" if why == NOT_YET else why)


def keep(found: Result, place: MeasuredProject, *, out: str | None, html: str | None, sets: bool) -> str:
    """Writes a result that is `decided` where it belongs, and says where, and what it changes. Raises ConfigError.

    `html` gets the report too; beside the project's own result there always is one. Unless it `sets` thresholds, what
    the gate reads of it is empty.
    """
    from calibration.report.html.page import render

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


def _collected(args: argparse.Namespace, place: MeasuredProject) -> Collected:
    found = cases_of(args, place.project_dir, place.folder)
    if not found.cases:
        raise ValueError("there is no labelled case to judge")
    return found


def _repeats(args: argparse.Namespace, at: Bench) -> int:
    return args.repeats or (HOSTED_REPEATS if at.readers.exchangeable else EMBEDDED_REPEATS)


def _judged(
    args: argparse.Namespace, place: MeasuredProject, at: Bench, jobs: Jobs, kept: Journal
) -> Mapping[str, CaseOutcome]:
    """The outcomes that could not be kept. Hosted readers wait for answers, on threads; rules use the cores."""
    progress = Progress(len(jobs), quiet=bool(args.json))
    if not at.sends:
        with progress:
            return _by_rules(args, place, at, jobs, kept, progress)
    plan, _ = _planned(args, at, jobs, kept)
    caps = at.settings.evaluator
    with contextlib.closing(
        Purse(place.state_dir, caps.daily_budget_usd, caps.daily_calls, time.time)
    ) as purse:
        if plan.checks and not args.yes:
            ask(plan, purse.left())
        judging = in_threads(judge_by(at.parts), kept, purse.guard, at.concurrency)
        with progress:
            return run(judging, jobs, kept, tick=progress.tick, at_once=at.concurrency)


def _by_rules(
    args: argparse.Namespace, place: MeasuredProject, at: Bench, jobs: Jobs, kept: Journal, progress: Progress
) -> Mapping[str, CaseOutcome]:
    if stays_here(args, little=len(jobs.left(kept)) < LEAST_CHECKS):
        judging = in_turn(partial(map, judge_by(at.parts)), kept)
    else:
        clean = place.loaded.clean
        worker = Worker(
            place.loaded.settings,
            without_keys(clean.env),
            clean.home,
            place.project_dir,
            at.readers.backend,
            at.measured,
        )
        judging = in_turn(partial(mapped, args, worker), kept)
    return run(judging, jobs, kept, tick=progress.tick)


class Worker(Record):
    """Makes what judges by rules in another process: the same bench, made of what the parent tells and of nothing else.

    `measured` is that of the parent's bench, which this must come to.
    """

    settings: Settings
    env: Mapping[str, str]
    home: str
    project_dir: str
    backend: str
    measured: str

    def __call__(self) -> Judge:
        """Raises RuntimeError where it is another bench here."""
        loaded = loading.Loaded(self.settings, {}, (), clean=CleanEnvironment(self.env, self.home))
        at = bench(self.env, self.home, self.project_dir, loaded, self.backend)
        if at.measured != self.measured:
            raise RuntimeError("a worker's readers are others than those that are measured")
        return judge_by(at.parts)


def _planned(
    args: argparse.Namespace, at: Bench, jobs: Jobs, kept: Container[str]
) -> tuple[CostPlan, list[Evidence]]:
    left = jobs.left(kept)
    # What rules are shown leaves nothing and costs nothing.
    evidences = [prepare(at.parts, job.case).known_evidence for job in left] if at.sends else []
    scope = MeasureScope(
        backend=at.readers.backend,
        model=at.readers.model,
        address=at.kind.goes(at.settings, at.env),
        cases=jobs.cases,
        repeats=_repeats(args, at),
        n=at.readers.n,
        kept=len(jobs) - len(left),
        most_tokens=at.settings.evaluator.max_output_tokens,
        price=at.kind.price(at.readers.model),
        short=at.kind.short,
    )
    return plan_of(evidences, scope), evidences


def _notes(collected: Collected) -> list[str]:
    notes = list(collected.notes)
    if collected.uses_shipped:
        notes.append(SHIPPED_NOTE)
    notes.append(
        "Thresholds hold for the population that the cases were drawn from, with the stated chance of missing."
    )
    return notes


def _result(
    args: argparse.Namespace,
    at: Bench,
    measured: Iterable[Measurement],
    notes: Sequence[str],
    history: History | None,
) -> Result:
    return result_of(
        measured,
        at.readers,
        at.rule,
        Aim(args.target, args.delta),
        date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        repeats=_repeats(args, at),
        history=history,
        notes=notes,
    )
