"""One measurement from its arguments to the result and where it is kept: cases, consent, checks, a baseline."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from calibration.cases.case import LabelledCase
from calibration.cases.sources import SHIPPED_SOURCE, Collected, from_file, from_git, from_sessions, shipped
from calibration.measurement import runner
from calibration.measurement.measure import result_of
from calibration.measurement.result import Result, sets_any, thresholds_document
from calibration.report.baseline import baseline_of, compared, drift_lines
from compass.composition.effects import classify, enable_packages
from compass.composition.settings import Here, here_from, load_for, project_of
from compass.composition.thresholds import thresholds_file
from compass.install.consent import agrees, at_terminal
from compass.install.settings_file import replace as replace_file
from compass.measure import DONE, DRIFT, EMBEDDED_REPEATS, HOSTED_REPEATS, UNMEASURED
from compass.measure.measured_gate import Bench, Purse, bench
from compass.parallel import mapped, stays_here, without_keys
from compass.show.terminal import columns_of, progress, wrapped
from evaluator.egress.evidence import leaving
from evaluator.egress.prompt import ANSWER_TOKENS, SCHEMA, build_prompt
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.environment import CleanEnvironment
from evaluator.settings.keys import Settings
from evaluator.settings.places import project_root
from evaluator.verdict.calibrated_thresholds import calibration_changes, usable_thresholds

LABELS = "hindsight.jsonl"
SHIPPED_NOTE = (
    "Shipped cases are not this project's own: no rule was fitted to them, and their authors never saw the rules. "
    "What they show may not apply here; only your own cases can tell you (--from-git, --from-sessions, --cases)."
)
POPULATION_NOTE = (
    "Thresholds are valid for the population that the cases were drawn from, with the stated probability of "
    "error."
)
CHARS_PER_TOKEN = 3.6
WIDE_TOKENS_PER_CHAR = 0.9
"""A rough count: English prose has about four characters a token, code fewer, other scripts near one."""
USUAL_ANSWER_TOKENS = 160
LEAST_CHECKS = 400
"""Fewer are judged here before another process has started."""
Choose = Callable[[Bench, Collected], Collected]


def cases_of(args: argparse.Namespace, project_dir: str, folder: str) -> Collected:
    """The labelled cases that the arguments name. `folder` has the project's labels of hindsight. Raises ValueError
    naming file and line of a row, OSError."""
    enable_packages()
    found = Collected()
    for name in args.cases or ():
        if not (path := Path(name)).is_file():
            raise ValueError(f"{name}: no such file")
        found = found.joined(from_file(path, classify))
    if args.from_git:
        found = found.joined(from_git(project_dir, args.from_git, classify))
    if args.from_sessions:
        from calibration.hindsight.turns import TurnLabel, read_labels

        labels = read_labels(os.path.join(folder, LABELS), TurnLabel)
        if not (sessions := Path(args.from_sessions).expanduser()).is_dir():
            raise ValueError(f"{args.from_sessions}: no such folder")
        found = found.joined(from_sessions(sessions, classify, labels, args.host))
    if args.shipped or not (args.cases or args.from_git or args.from_sessions):
        found = found.joined(shipped(classify))
    return found


def place_of(env: Mapping[str, str], command: str = "calibrate") -> Here:
    """The place of this process. Raises ConfigError."""
    try:
        where = os.getcwd()
    except OSError as error:
        raise ConfigError("the working directory is gone; run it inside the project") from error
    directory = project_of(env, where)
    loaded = load_for(env, directory, where)
    for problem in loaded.problems:
        print(f"compass {command}: {problem}", file=sys.stderr)
    return here_from(env, directory, loaded)


@contextlib.contextmanager
def measuring(
    args: argparse.Namespace, place: Here, purpose: str, chosen: Choose | None = None
) -> Generator[Result]:
    """The result; what was judged stays in the journal until the caller is done with it. `chosen` may leave cases out.

    Raises ValueError, OSError and ConfigError for what cannot be measured, DeclinedError, StoppedError, BusyError.
    """
    collected = cases_of(args, place.project_dir, place.folder)
    if not collected.cases:
        raise ValueError("there are no labelled cases to judge")
    history = None
    if args.from_history:
        from calibration.cases.past_blocks import history_from

        records = place.history.records()
        history = history_from(record for record in records if _project_of(record) == place.project)
    with contextlib.ExitStack() as stack:
        at = bench(place.env, place.home, place.project_dir, place.loaded, args.backend)
        stack.callback(at.close)
        if chosen is not None:
            collected = chosen(at, collected)
        kept = stack.enter_context(
            runner.journal(os.path.join(place.folder, f"{purpose}.unfinished.jsonl"), time.time)
        )
        jobs = runner.Jobs(collected.cases, _run_repeat_count(args, at), at.measured)
        failed = _judge_measured_cases(args, place, at, jobs, kept)
        measured = runner.measurements(at.parts, jobs, kept, failed)
        notes = list(collected.notes)
        if SHIPPED_SOURCE in collected.sources:
            notes.append(SHIPPED_NOTE)
        yield result_of(
            measured,
            at.readers,
            at.rule,
            args.target,
            date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            repeats=_run_repeat_count(args, at),
            history=history,
            notes=(*notes, POPULATION_NOTE),
        )
        if not failed:
            kept.finish()


def _project_of(record: Mapping[str, object]) -> str:
    pending = cast(Mapping[str, object], record.get("pending") or {})
    return project_root(str(pending.get("project_dir")))


def _run_repeat_count(args: argparse.Namespace, at: Bench) -> int:
    return args.repeats or (HOSTED_REPEATS if at.readers.exchangeable else EMBEDDED_REPEATS)


def _judge_measured_cases(
    args: argparse.Namespace, place: Here, at: Bench, jobs: runner.Jobs, kept: runner.Journal
) -> Mapping[str, runner.CaseOutcome]:
    """The outcomes that could not be kept. Hosted readers wait for answers, on threads; rules use the cores."""
    shown = progress("judging", len(jobs), quiet=bool(args.json))
    if not at.sends:
        by_rules: Callable[[Iterable[LabelledCase]], Iterable[runner.CaseOutcome]] = partial(
            map, partial(runner.judged, at.parts)
        )
        if not stays_here(args, little=len(jobs.left(kept)) < LEAST_CHECKS):
            env, home = without_keys(place.env), place.loaded.clean.home
            told = (place.loaded.settings, env, home, place.project_dir, at.readers.backend, at.measured)
            by_rules = partial(mapped, args, partial(same_judge, *told))
        with shown as reach:
            return runner.run(runner.in_turn(by_rules, kept), jobs, kept, tick=reach)
    plan = [] if args.yes else _measurement_plan_lines(args, at, jobs, kept)
    with contextlib.closing(Purse(place.state_dir, at.settings)) as purse:
        if plan:
            ask_to_send(plan)
        judging = runner.in_threads(partial(runner.judged, at.parts), kept, purse.guard, at.concurrency)
        with shown as reach:
            return runner.run(judging, jobs, kept, tick=reach, at_once=at.concurrency)


def same_judge(
    settings: Settings, env: Mapping[str, str], home: str, project_dir: str, backend: str, measured: str
) -> runner.Judge:
    """What judges by rules in another process, on the same bench, made of what the parent tells and of nothing else.
    `measured` is that of the parent's bench: raises RuntimeError where it is another one here."""
    loaded = layers.Loaded(settings, {}, (), clean=CleanEnvironment(env, home))
    at = bench(env, home, project_dir, loaded, backend)
    if at.measured != measured:
        raise RuntimeError("a worker's readers differ from those being measured")
    return partial(runner.judged, at.parts)


def _measurement_plan_lines(
    args: argparse.Namespace, at: Bench, jobs: runner.Jobs, kept: Container[str]
) -> list[str]:
    """What is still to be asked, what it costs and what leaves, for whoever is to agree; empty where nothing is."""
    left, repeats, readers = jobs.left(kept), _run_repeat_count(args, at), at.readers
    if not left:
        return []
    prompts = (
        build_prompt(runner.prepare(at.parts, job.case).known_evidence, "0", short=at.kind.short)
        for job in left
    )
    schema = len(str(dict(SCHEMA))) / CHARS_PER_TOKEN
    tokens = readers.n * sum(round(schema + _tokens(one.system) + _tokens(one.user)) for one in prompts)
    calls, there = len(left) * readers.n, len(jobs) - len(left)
    usual = calls * USUAL_ANSWER_TOKENS
    most = calls * max(at.settings.evaluator.max_output_tokens, ANSWER_TOKENS["second"])
    price = at.kind.price(readers.model)
    cost = f"not known: {readers.model or readers.backend} is not in any price list."
    if price is not None:
        # By list prices: as expected, and if every answer is as long as allowed.
        expected, highest = (price.usd(tokens, answers) for answers in (usual, most))
        cost = f"about {expected:.2f} USD, at most {highest:.2f}, at list prices. "
        cost += "A server of your own may cost more or less."
    checks = f"{jobs.cases} cases, {repeats} {'time' if repeats == 1 else 'times'} each"
    return [
        f"Measures {checks}, with {readers.n} readers of {readers.backend} {readers.model}".rstrip()
        + (f" ({there} checks from an interrupted run are kept)." if there else "."),
        f"Calls to make: {calls}, with about {tokens:,} input and {usual:,} output tokens.",
        f"Cost: {cost}",
        f"Sent to {at.kind.goes(at.settings, at.env)}, sanitized: "
        f"{leaving(at.settings, names=at.settings.evidence.symbols)}.",
    ]


def _tokens(text: str) -> float:
    narrow = sum(char.isascii() for char in text)
    return narrow / CHARS_PER_TOKEN + (len(text) - narrow) * WIDE_TOKENS_PER_CHAR


class DeclinedError(RuntimeError):
    """Nothing was sent: nobody said yes."""


def ask_to_send(plan: Sequence[str]) -> None:
    """Shows the plan and asks. Raises DeclinedError for anything but a yes, and where nobody can be asked."""
    print(*plan, sep="\n", file=sys.stderr)
    if not at_terminal():
        raise DeclinedError(
            "nothing was sent: there is no terminal to prompt on; pass --yes to agree to the above"
        )
    if not agrees("Send it?"):
        raise DeclinedError("nothing was sent")


def ask_to_set(found: Result) -> bool:
    """Asks whether shipped cases may set the project's thresholds; no where nobody can be asked."""
    from calibration.report.text import verdict

    print(
        "These cases come with Compass, not from this project, which may differ. On them, the thresholds would do as "
        f"follows: {verdict(found).headline}",
        file=sys.stderr,
    )
    return at_terminal() and agrees("Set them for this project?")


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
