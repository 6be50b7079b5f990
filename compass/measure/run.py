"""One measurement from its arguments to the result: cases, consent, checks, statistics."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from calibration.cases.case import LabelledCase
from calibration.cases.past_blocks import BlockHistory
from calibration.cases.sources import SHIPPED_SOURCE, Collected, from_file, shipped
from calibration.measurement.measure import result_of
from calibration.measurement.result import Result
from calibration.measurement.runner import (
    CaseOutcome,
    Jobs,
    Journal,
    Judge,
    in_threads,
    in_turn,
    journal,
    judged,
    measurements,
    prepare,
    run,
)
from compass.composition.effects import classify
from compass.composition.settings import Here, enable_packages, here_from, load_for, project_of
from compass.install.consent import agrees, at_terminal
from compass.measure import EMBEDDED_REPEATS, HOSTED_REPEATS
from compass.measure.measured_gate import Bench, Purse, bench
from compass.parallel import mapped, stays_here, without_keys
from compass.show.terminal import progress
from evaluator.egress.evidence import leaving
from evaluator.egress.prompt import ANSWER_TOKENS, SCHEMA, build_prompt
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.environment import CleanEnvironment
from evaluator.settings.keys import Settings
from evaluator.settings.places import project_root

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
        from calibration.cases.git import from_git

        found = found.joined(from_git(project_dir, args.from_git, classify))
    if args.from_sessions:
        from calibration.cases.sessions import from_sessions
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
    history = _measured_block_history(place) if args.from_history else None
    with contextlib.ExitStack() as stack:
        at = bench(place.env, place.home, place.project_dir, place.loaded, args.backend)
        stack.callback(at.close)
        if chosen is not None:
            collected = chosen(at, collected)
        kept = stack.enter_context(
            journal(os.path.join(place.folder, f"{purpose}.unfinished.jsonl"), time.time)
        )
        jobs = Jobs(collected.cases, _run_repeat_count(args, at), at.measured)
        failed = _judge_measured_cases(args, place, at, jobs, kept)
        measured = measurements(at.parts, jobs, kept, failed)
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


def _measured_block_history(place: Here) -> BlockHistory:
    from calibration.cases.past_blocks import history_from

    def project(record: Mapping[str, object]) -> str:
        pending = cast(Mapping[str, object], record.get("pending") or {})
        return project_root(str(pending.get("project_dir")))

    return history_from(record for record in place.history.records() if project(record) == place.project)


def _run_repeat_count(args: argparse.Namespace, at: Bench) -> int:
    return args.repeats or (HOSTED_REPEATS if at.readers.exchangeable else EMBEDDED_REPEATS)


def _judge_measured_cases(
    args: argparse.Namespace, place: Here, at: Bench, jobs: Jobs, kept: Journal
) -> Mapping[str, CaseOutcome]:
    """The outcomes that could not be kept. Hosted readers wait for answers, on threads; rules use the cores."""
    shown = progress("judging", len(jobs), quiet=bool(args.json))
    if not at.sends:
        by_rules: Callable[[Iterable[LabelledCase]], Iterable[CaseOutcome]] = partial(
            map, partial(judged, at.parts)
        )
        if not stays_here(args, little=len(jobs.left(kept)) < LEAST_CHECKS):
            env, home = without_keys(place.env), place.loaded.clean.home
            told = (place.loaded.settings, env, home, place.project_dir, at.readers.backend, at.measured)
            by_rules = partial(mapped, args, partial(same_judge, *told))
        with shown as reach:
            return run(in_turn(by_rules, kept), jobs, kept, tick=reach)
    plan = [] if args.yes else _measurement_plan_lines(args, at, jobs, kept)
    with contextlib.closing(Purse(place.state_dir, at.settings)) as purse:
        if plan:
            ask_to_send(plan)
        judging = in_threads(partial(judged, at.parts), kept, purse.guard, at.concurrency)
        with shown as reach:
            return run(judging, jobs, kept, tick=reach, at_once=at.concurrency)


def same_judge(
    settings: Settings, env: Mapping[str, str], home: str, project_dir: str, backend: str, measured: str
) -> Judge:
    """What judges by rules in another process, on the same bench, made of what the parent tells and of nothing else.
    `measured` is that of the parent's bench: raises RuntimeError where it is another one here."""
    loaded = layers.Loaded(settings, {}, (), clean=CleanEnvironment(env, home))
    at = bench(env, home, project_dir, loaded, backend)
    if at.measured != measured:
        raise RuntimeError("a worker's readers differ from those being measured")
    return partial(judged, at.parts)


def _measurement_plan_lines(
    args: argparse.Namespace, at: Bench, jobs: Jobs, kept: Container[str]
) -> list[str]:
    """What is still to be asked, what it costs and what leaves, for whoever is to agree; empty where nothing is."""
    left, repeats, readers = jobs.left(kept), _run_repeat_count(args, at), at.readers
    if not left:
        return []
    prompts = (
        build_prompt(prepare(at.parts, job.case).known_evidence, "0", short=at.kind.short) for job in left
    )
    schema = len(str(dict(SCHEMA))) / CHARS_PER_TOKEN
    tokens = readers.n * sum(round(schema + _tokens(one.system) + _tokens(one.user)) for one in prompts)
    calls, there = len(left) * readers.n, len(jobs) - len(left)
    usual = calls * USUAL_ANSWER_TOKENS
    most = calls * max(at.settings.evaluator.max_output_tokens, ANSWER_TOKENS["second"])
    checks = f"{jobs.cases} cases, {repeats} {'time' if repeats == 1 else 'times'} each"
    return [
        f"Measures {checks}, with {readers.n} readers of {readers.backend} {readers.model}".rstrip()
        + (f" ({there} checks from an interrupted run are kept)." if there else "."),
        f"Calls to make: {calls}, with about {tokens:,} input and {usual:,} output tokens.",
        f"Cost: {_estimate_run_cost(at, tokens, usual, most)}",
        f"Sent to {at.kind.goes(at.settings, at.env)}, sanitized: "
        f"{leaving(at.settings, names=at.settings.evidence.symbols)}.",
    ]


def _tokens(text: str) -> float:
    narrow = sum(char.isascii() for char in text)
    return narrow / CHARS_PER_TOKEN + (len(text) - narrow) * WIDE_TOKENS_PER_CHAR


def _estimate_run_cost(at: Bench, tokens: int, usual: int, most: int) -> str:
    """By list prices: as expected, and if every answer is as long as allowed."""
    price = at.kind.price(at.readers.model)
    if price is None:
        return f"not known: {at.readers.model or at.readers.backend} is not in any price list."
    expected, highest = (price.usd(tokens, answers) for answers in (usual, most))
    own = "A server of your own may cost more or less."
    return f"about {expected:.2f} USD, at most {highest:.2f}, at list prices. {own}"


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
