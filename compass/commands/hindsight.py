"""`compass hindsight`: how often the agent misread you, by what you said and did next, and what the gate held of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from compass.engines import add_engine
from compass.inputs import add_host
from compass.install.consent import agrees, at_terminal, refuse_agents
from compass.show.terminal import console_of, wrapped
from evaluator.backends import AUTO
from evaluator.errors import CompassError, PayloadError
from evaluator.settings.keys import KEYS
from evaluator.terminal import safe
from hooks import registry

if TYPE_CHECKING:
    from calibration.hindsight.findings import HindsightFindings
    from calibration.hindsight.questions import Question
    from calibration.hindsight.turns import SessionTurn, TurnLabel
    from compass.measure.hindsight import Answers, Asking
    from compass.measure.run import MeasuredProject

INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from compass.replay.sessions import since_of

    add_host(parser, default="")
    parser.add_argument(
        "sessions", nargs="*", metavar="SESSIONS",
        help="sessions' files, or folders of them (default: where the agent keeps its own)",
    )  # fmt: skip
    parser.add_argument("--since", type=since_of, metavar="DATE", help="only turns from then on")
    parser.add_argument(
        "--project", type=os.path.abspath, metavar="DIR", help="only turns of sessions in that folder"
    )
    parser.add_argument("--html", metavar="FILE", help="write what is shown as a page, too")
    parser.add_argument(
        "--label", metavar="N|TURN",
        help="answer y, n or u (unsure) yourself about N turns drawn by lot, or about one that was listed",
    )  # fmt: skip
    parser.add_argument(
        "--backend",
        choices=KEYS["evaluator.backend"].choices,
        default=AUTO,
        help="who labels (default: as configured; rules label by signs alone)",
    )
    parser.add_argument("--yes", action="store_true", help="let model readers be asked without a question")
    files = parser.add_argument_group("readers asked through files (Message Batches form)")
    files.add_argument(
        "--prompts-out", metavar="FILE", help="write each prompt without an answer; nothing is sent"
    )
    files.add_argument(
        "--answers", metavar="FILE", action="append", default=[],
        help="results of a batch, of this command or of `compass replay`; may be repeated",
    )  # fmt: skip
    files.add_argument(
        "--gate", action="store_true", help="write the gate's own prompts about these writes, too"
    )
    add_engine(parser)
    parser.epilog = (
        "Labels are kept for this project, and `compass calibrate --from-sessions` takes them as cases. Answers are "
        "kept as they come: the same command goes on where it was interrupted."
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0; 130 when interrupted. Raises PayloadError for sessions that are none, CompassError."""
    from calibration.hindsight.findings import findings
    from calibration.hindsight.turns import settled
    from compass.measure.hand import by_hand, hand_of
    from compass.measure.hindsight import Answers, gathered, labels_of, questions
    from compass.measure.run import place_of
    from compass.replay.sessions import progress_over

    refuse_agents(os.environ)
    place = place_of(dict(os.environ), "hindsight")
    paths = _sessions(args)
    asking = _asking(args, place)
    with progress_over(paths, "reading", quiet=args.json) as advance:
        turns, prompts = gathered(args, place, paths, asking.backend if asking else "anthropic", advance)
    model = asking.model if asking else ""
    answers, asked = Answers(place.folder, args.answers), questions(asking, turns)

    def left() -> list[tuple[SessionTurn, Question]]:
        return [one for one in asked if answers.reply(one[1].custom_id, model) is None]

    warnings: list[str] = []
    try:
        unasked = left()
        if asking is not None and args.prompts_out:
            _write(
                args.prompts_out,
                [*(asking.line(*one) for one in unasked), *(prompts if args.gate else ())],
            )
        elif asking is not None and unasked and not args.answers:
            _ask(args, asking, place, unasked, answers)
        if unanswered := len(left()):
            warnings.append(
                f"{unanswered} questions have no answer; their turns are labelled by signs, or not at all"
            )
        labels, cost = labels_of(turns, asked, answers, model)
        hand = by_hand(place, args.label, turns, labels) if args.label else hand_of(place)
    except KeyboardInterrupt:
        print("compass hindsight: interrupted; the same command goes on from there", file=sys.stderr)
        return INTERRUPTED
    _keep(place, [settled(label, hand.get(label.turn)) for label in labels.values()])
    found = findings(turns, labels, hand, cost)
    if not (args.since or args.project):
        _keep_told(place, found)
    _tell(args, found, tuple(warnings))
    return 0


def _sessions(args: argparse.Namespace) -> list[str]:
    from hooks.registry import find_sessions

    named = args.sessions or [
        os.path.expanduser(registry.host_of(args.host or registry.DEFAULT).setup().table.sessions)
    ]
    paths = find_sessions(named, args.host)
    if not paths:
        raise PayloadError(f"no session in {', '.join(named)}")
    return list(paths)


def _asking(args: argparse.Namespace, place: MeasuredProject) -> Asking | None:
    """None where rules read, who know nothing of hindsight. Raises ConfigError for readers that are not ready."""
    from compass.composition.backends import agreement_of, choose_backend
    from compass.measure.hindsight import Asking
    from evaluator.errors import ConfigError
    from evaluator.readers.kinds.kind import kind_of

    settings, files = place.loaded.settings, bool(args.prompts_out or args.answers)
    backend = str(args.backend)
    if backend == AUTO:
        agreed = agreement_of(place.env, place.home, place.project_dir)
        backend = choose_backend(settings, place.env, agreed)[0]
    if files and kind_of(backend).backend is None:
        backend = "anthropic"
    kind = kind_of(backend)
    if kind.backend is None:
        return None
    if not files and (missing := kind.missing(settings, place.env) or settings.data_egress.forbids(backend)):
        raise ConfigError(f"{backend} cannot read here: {missing}")
    return Asking(backend, kind.model(settings), settings)


def _ask(
    args: argparse.Namespace,
    asking: Asking,
    place: MeasuredProject,
    left: Sequence[tuple[SessionTurn, Question]],
    answers: Answers,
) -> None:
    """Only after a yes to what it takes and what leaves; what was answered before a failure is kept."""
    from calibration.measurement.runner import StoppedError
    from compass.measure.hindsight import ask_all, plan_lines
    from compass.measure.screen import Progress

    for line in plan_lines(asking, place, left):
        print(line, file=sys.stderr)
    if not args.yes and not (at_terminal() and agrees("Send it?")):
        print("Nothing was sent; with --yes they are asked.", file=sys.stderr)
        return
    done = 0
    with Progress(len(left), quiet=bool(args.json)) as progress:

        def advance(more: int) -> None:
            nonlocal done
            done += more
            progress.tick(done, 0)

        try:
            ask_all(asking, place, left, answers, advance)
        except StoppedError as error:
            raise CompassError(str(error)) from error


def _keep(place: MeasuredProject, labels: Sequence[TurnLabel]) -> None:
    from calibration.hindsight.turns import TurnLabel, write_labels
    from compass.install.settings_file import replace as replace_file
    from compass.measure.run import LABELS

    path = os.path.join(place.folder, LABELS)
    try:
        replace_file(path, write_labels(path, labels, TurnLabel), private=True)
    except ValueError as error:
        raise PayloadError(str(error)) from None


def _keep_told(place: MeasuredProject, found: HindsightFindings) -> None:
    """For `compass status`: the headline of all sessions, and its day."""
    from calibration.report.hindsight import headline
    from compass.install.settings_file import replace as replace_file
    from compass.show.status import HINDSIGHT

    told = {"at": time.strftime("%Y-%m-%d"), "told": headline(found)}
    replace_file(os.path.join(place.folder, HINDSIGHT), json.dumps(told) + "\n", private=True)


def _write(path: str, lines: Sequence[str]) -> None:
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="replace")
    except OSError as error:
        raise PayloadError(f"{path}: {error}") from error
    print(f"{len(lines)} prompts written to {path}", file=sys.stderr)


def _tell(args: argparse.Namespace, found: HindsightFindings, warnings: tuple[str, ...]) -> None:
    from calibration.report.hindsight import page

    if args.html:
        try:
            Path(args.html).write_text(page(found, warnings), encoding="utf-8")
        except OSError as error:
            raise PayloadError(f"{args.html}: {error}") from error
    if args.json:
        print(json.dumps(found.as_json() | {"warnings": list(warnings)}, indent=2))
    else:
        _show(found, warnings)


def _show(found: HindsightFindings, warnings: tuple[str, ...]) -> None:
    from rich.text import Text

    from calibration.report.hindsight import curve_lines, day, facts, headline, told

    console = console_of()
    wide = console.encoding.lower().startswith("utf")

    def line(text: str, style: str = "") -> None:
        for part in wrapped(safe(text), console.width, 2, 0):
            console.print(Text(part, style), soft_wrap=True)

    line(headline(found), "bold")
    for fact in facts(found):
        line(fact, "dim")
    for warning in warnings:
        line(warning, "yellow")
    if found.telling:
        line("")
        line("The most telling turns:", "bold")
    for turn, label in found.telling:
        request, lines = told(turn, label)
        line("")
        line(f"{day(turn.at)}  {request}", "bold")
        for one in lines:
            line(f"  {one}")
        line(f"  turn {turn.id[:8]}", "dim")
    if found.curve:
        line("")
        line("What another cut on the mean score would do, with 95% intervals by session:", "bold")
        for one in curve_lines(found.curve, wide=wide):
            console.print(Text(one), soft_wrap=True)
