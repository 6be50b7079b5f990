"""`compass hindsight`: how often the agent misread you, by what you said and did next, and what the gate held of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compass.arguments import add_backend, add_batch, add_host
from compass.install.consent import agrees, at_terminal, refuse_agents
from compass.measure import HINDSIGHT
from compass.parallel import add_engine
from compass.show.terminal import console_of, hang, in_steps, progress, write_output
from evaluator.errors import CompassError, PayloadError
from evaluator.model import AUTO
from evaluator.settings.keys import KEYS
from evaluator.text import local_minute
from hooks import registry

if TYPE_CHECKING:
    from calibration.hindsight.findings import HindsightFindings
    from calibration.hindsight.questions import Question
    from calibration.hindsight.turns import SessionTurn
    from compass.composition.settings import Here
    from compass.measure.hindsight import Answers, Asking

INTERRUPTED = 130
LIVE = "hindsight.live"


def add_hindsight_arguments(parser: argparse.ArgumentParser) -> None:
    from compass.replay.sessions import since_of

    add_host(parser, default="")
    told = "session files, or folders of them (default: where the agent keeps them)"
    parser.add_argument("sessions", nargs="*", metavar="SESSIONS", help=told)
    parser.add_argument("--since", type=since_of, metavar="DATE", help="only turns since then")
    told = "only turns of sessions in that folder"
    parser.add_argument("--project", type=os.path.abspath, metavar="DIR", help=told)
    parser.add_argument("--html", metavar="FILE", help="also write the output to this file as a web page")
    told = "label N randomly drawn turns yourself, or one that was listed: y, n or u (unsure)"
    parser.add_argument("--label", metavar="N|TURN", help=told)
    told = "what labels the turns (default: as configured; rules go by signs such as refusals)"
    add_backend(parser, told, AUTO)
    parser.add_argument("--yes", action="store_true", help="ask model readers without confirmation")
    add_batch(parser, "results of a batch, from this command or from `compass replay`")
    # The service's own, with `hindsight.live`.
    parser.add_argument("--live", metavar="SESSION", default="", help=argparse.SUPPRESS)
    add_engine(parser)
    parser.epilog = (
        "Labels are kept for this project, and `compass calibrate --from-sessions` uses them as cases. Answers are "
        "kept as they come: after an interruption, run the same command again to continue."
    )


def run_hindsight(args: argparse.Namespace) -> int:
    """Exit code 0; 130 when interrupted. Raises PayloadError for sessions that are none, CompassError."""
    from calibration.hindsight.findings import findings
    from compass.measure import hindsight
    from compass.measure.run import place_of
    from compass.measure.turn_labels import hand_labels, label_before, label_by_hand
    from compass.replay.sessions import progress_over

    if not args.live:
        refuse_agents(os.environ)
    place = place_of(dict(os.environ), "hindsight")
    if args.live:
        label_before(args.live, place)
        return 0
    host = registry.host_of(args.host or registry.DEFAULT)
    named = args.sessions or [os.path.expanduser(host.setup().table.sessions)]
    paths = list(registry.find_hosts_sessions(named, args.host))
    if not paths:
        raise PayloadError(f"no session in {', '.join(named)}")
    asking = hindsight.asking_of(place, args.backend, files=bool(args.prompts_out or args.answers))
    with progress_over(paths, "reading", quiet=args.json) as advance:
        backend = asking.backend if asking else "anthropic"
        turns = hindsight.gathered_turns(
            args, place, paths, backend, advance, hindsight.recorded_means(place.history)
        )
    model = asking.model if asking else ""
    answers, asked = (
        hindsight.Answers(place.folder, args.answers),
        hindsight.hindsight_questions(asking, turns),
    )

    def left() -> list[tuple[SessionTurn, Question]]:
        return [one for one in asked if answers.reply(one[1].custom_id, model) is None]

    warnings: list[str] = []
    try:
        unasked = left()
        if asking is not None and args.prompts_out:
            write_output(args.prompts_out, "".join(f"{asking.line(*one)}\n" for one in unasked))
            print(f"{len(unasked)} prompts written to {args.prompts_out}", file=sys.stderr)
        elif asking is not None and unasked and not args.answers:
            _ask_hindsight_readers(args, asking, place, unasked, answers)
        if unanswered := len(left()):
            warnings.append(
                f"{unanswered} questions have no answer; their turns are labelled by signs such as refusals, and "
                "left out of the rates that are based on readers' labels"
            )
        labels, cost = hindsight.labels_of(turns, asked, answers, model)
        hand = label_by_hand(place, args.label, turns, labels) if args.label else hand_labels(place)
    except KeyboardInterrupt:
        told = "compass hindsight: interrupted; run the same command again to continue from there"
        print(told, file=sys.stderr)
        return INTERRUPTED
    hindsight.keep_labels(place, labels.values(), hand)
    _tell_hindsight(args, place, findings(turns, labels, hand, cost), warnings)
    return 0


def _tell_hindsight(
    args: argparse.Namespace, place: Here, found: HindsightFindings, warnings: Sequence[str]
) -> None:
    from calibration.report.hindsight import hindsight_headline, hindsight_page
    from compass.install.settings_file import replace as replace_file

    if not (args.since or args.project):
        # For `compass status`: the headline of all sessions, and its day.
        told = {"at": time.strftime("%Y-%m-%d"), "told": hindsight_headline(found)}
        replace_file(os.path.join(place.folder, HINDSIGHT), json.dumps(told) + "\n", private=True)
    if args.html:
        write_output(args.html, hindsight_page(found, tuple(warnings)))
    if args.json:
        print(json.dumps(found.as_json() | {"warnings": [*warnings]}, indent=2))
    else:
        _print_hindsight(found, warnings)


def _ask_hindsight_readers(
    args: argparse.Namespace,
    asking: Asking,
    place: Here,
    left: Sequence[tuple[SessionTurn, Question]],
    answers: Answers,
) -> None:
    """Only after a yes to cost and content; what was answered before a failure is kept. Raises CompassError."""
    from calibration.measurement.runner import StoppedError
    from compass.measure.hindsight import ask_hindsight, cost_of, hindsight_plan, turns_of

    for line in hindsight_plan(asking, place, left):
        print(line, file=sys.stderr)
    if not args.yes and not (at_terminal() and agrees("Send it?")):
        print("Nothing was sent; pass --yes to send without being asked.", file=sys.stderr)
        return
    with progress("asking", len(left), quiet=bool(args.json)) as reach:
        try:
            ask_hindsight(asking, place, left, answers, in_steps(reach))
        except StoppedError as error:
            raise CompassError(str(error)) from error
    if not args.yes and LIVE not in place.loaded.origins:
        # Asked once whether to label turns as work goes on: a no is kept as well.
        from compass.configuration.change import sentences, set_value
        from compass.install.installation import site_here

        question = (
            "From now on, label each turn in this project when you send the prompt after it? It costs what this run "
            f"did ({cost_of(asking, left)} for {turns_of(left)}), within the daily cap, and the same data is sent."
        )
        change = set_value(site_here(), KEYS[LIVE], str(agrees(question)).lower(), every_project=False)
        print(*sentences(change)[:1], sep="\n", file=sys.stderr)


def _print_hindsight(found: HindsightFindings, warnings: Sequence[str]) -> None:
    from rich.text import Text

    from calibration.report.hindsight import curve_lines, hindsight_facts, hindsight_headline, turn_told

    console = console_of()
    hang(hindsight_headline(found), "bold")
    for fact in hindsight_facts(found):
        hang(fact, "dim")
    for warning in warnings:
        hang(warning, "yellow")
    if found.telling:
        hang("")
        hang("The most telling turns:", "bold")
    for turn, label in found.telling:
        request, lines = turn_told(turn, label)
        hang("")
        hang(f"{local_minute(turn.at)}  {request}", "bold")
        for one in lines:
            hang(f"  {one}")
        hang(f"  turn {turn.id[:8]}", "dim")
    if found.curve:
        hang("")
        hang("What another threshold on the mean score would do, with 95% intervals by session:", "bold")
        for one in curve_lines(found.curve, wide=console.encoding.lower().startswith("utf")):
            console.print(Text(one), soft_wrap=True)
