"""`compass calibrate`: measure this project's noise floor, and set thresholds from it. `--check` is for CI."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from compass import measure
from compass.arguments import add_host, positive
from compass.cli import tell
from compass.parallel import add_engine
from compass.show.terminal import console_of
from evaluator.errors import CompassError
from evaluator.settings.keys import KEYS

if TYPE_CHECKING:
    from compass.composition.settings import Here


def add_calibrate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Exit codes: 0 measured (--check: no drift), 1 --check found drift, 2 wrong usage or unusable cases, "
        "3 --check has no baseline or a stale one, 4 measuring failed."
    )
    cases = parser.add_argument_group("cases (default: the shipped fixtures)")
    told = "labelled cases, JSON lines"
    cases.add_argument("--cases", metavar="FILE", nargs="+", action="extend", help=told)
    told = "the shipped fixtures, in addition to the others"
    cases.add_argument("--shipped", action="store_true", help=told)
    told = f"single-purpose commits among the last N (default {measure.GIT_CASES}), and their made-up counterparts"
    cases.add_argument(
        "--from-git", metavar="N", nargs="?", const=measure.GIT_CASES, type=positive, help=told
    )
    add_host(cases)
    told = "recorded sessions, as labelled by `compass hindsight`"
    cases.add_argument("--from-sessions", metavar="DIR", help=told)
    cases.add_argument("--from-history", action="store_true", help="also show what became of past blocks")
    how = parser.add_argument_group("how")
    choices = KEYS["evaluator.backend"].choices
    told = "which readers to use: %(choices)s (default: as configured)"
    how.add_argument("--backend", metavar="NAME", choices=choices, help=told)
    told = f"checks per case (default {measure.HOSTED_REPEATS}; {measure.EMBEDDED_REPEATS} for rules, which never vary)"
    how.add_argument("--repeats", type=positive, metavar="R", help=told)
    told = "false-block rate to stay under (default %(default)s)"
    how.add_argument("--target", type=_parse_calibrate_share, default=measure.TARGET, help=told)
    add_engine(how)
    how.add_argument("--yes", action="store_true", help="do not ask before sending")
    told = "let shipped cases set this project's thresholds without asking"
    how.add_argument("--use-shipped", action="store_true", help=told)
    out = parser.add_argument_group("results")
    out.add_argument("--out", metavar="FILE", help="write the result to this file; the gate does not use it")
    check = parser.add_argument_group("for CI")
    check.add_argument("--check", action="store_true", help="compare with the baseline; change nothing")
    check.add_argument("--baseline", metavar="FILE", help="an earlier result (default: this project's)")


def run_calibrate(args: argparse.Namespace) -> int:
    """Exit codes as in the help; 130 when interrupted, and the same command goes on from there."""
    from calibration.measurement.runner import BusyError, StoppedError
    from compass.measure.run import DeclinedError, NoBaselineError, check_baseline, place_of

    told: Exception
    try:
        _check_calibrate_options(args)
        place = place_of(dict(os.environ))
        return check_baseline(args, place) if args.check else _calibrate(args, place)
    except KeyboardInterrupt:
        said = "compass calibrate: interrupted; run the same command again to continue from there"
        print(said, file=sys.stderr)
        return measure.INTERRUPTED
    except (StoppedError, BusyError) as error:
        told, code = CompassError(f"{error}; the checks done so far are kept"), measure.UNMEASURED
    except NoBaselineError as error:
        told, code = error, measure.NO_BASELINE
    except BrokenPipeError:
        raise
    except (CompassError, DeclinedError, ValueError, OSError) as error:
        told, code = error, measure.USAGE
    tell(told, "calibrate", as_json=args.json, code=code)
    return code


def _calibrate(args: argparse.Namespace, place: Here) -> int:
    from calibration.report.text import show
    from compass.measure.run import agreed, keep_result, measuring, why_unset

    with measuring(args, place, "calibrate") as measured:
        found = replace(measured, unset=why_unset(args, measured))
        if not args.json:
            show(console_of(), found)
        if agreed(found):
            found = replace(found, unset="")
        kept = keep_result(found, place, args.out)
    if args.json:
        print(json.dumps(found.as_json()))
    else:
        print(kept)
    return measure.DONE if found.counts.checks else measure.UNMEASURED


def _check_calibrate_options(args: argparse.Namespace) -> None:
    if args.baseline and not args.check:
        raise ValueError("--baseline works only with --check")
    if args.out and args.check:
        raise ValueError("--check writes no result, so leave out --out")


def _parse_calibrate_share(text: str) -> float:
    number = float(text)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
    return number
