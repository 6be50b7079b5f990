"""`compass audit`: the rates of wrong blocks and of misses in your own traffic, from some eighty answers."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from compass.engines.choosing import add_engine
from compass.install.consent import refuse_agents
from compass.joining.naming import add_host, add_readers
from compass.joining.packages import enable
from evaluator.configuration.command import set_by
from evaluator.errors import PayloadError, StateError

if TYPE_CHECKING:
    from calibration.audit.findings import Findings
    from compass.auditing.keeping import KeptAudit
    from compass.joining.kept_checks import Here

ANSWERS = 80
SEED_BITS = 31
INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_host(parser)
    parser.add_argument(
        "transcripts",
        nargs="*",
        metavar="TRANSCRIPT",
        help="recorded sessions to judge once more (default: this project's recorded checks)",
    )
    parser.add_argument(
        "--records",
        metavar="FILE",
        help="the checks of a whole team in place of this project's: what `compass team export` wrote as JSON lines",
    )
    parser.add_argument(
        "--sample", type=_count, default=ANSWERS, metavar="N", help="answers wanted (default: %(default)s)"
    )
    parser.add_argument(
        "--answers", metavar="FILE", help="take answers from a file of JSON lines; - is stdin"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of a new audit's draws (default: at random)")
    parser.add_argument("--fresh", action="store_true", help="begin anew; earlier answers are set aside")
    add_readers(parser)
    add_engine(parser)
    parser.epilog = (
        "Keys: y it should have been held, n it was right to run, s cannot tell, b back, q quit. The same command goes "
        "on where it was left. Without a terminal: --json lists what is asked, --answers FILE takes lines such as "
        '{"write": ID, "answer": "y"}. Exit codes: 0 told, 1 an error, 130 interrupted.'
    )


def run(args: argparse.Namespace) -> int:
    """Raises CompassError; KeyboardInterrupt where nothing is asked yet."""
    from compass.auditing.keeping import kept_audit
    from compass.joining.kept_checks import here
    from evaluator.configuration import loading

    refuse_agents(os.environ)
    enable()
    found = here()
    calibration = loading.calibration_file(found.env, found.home, found.project_dir)
    try:
        with kept_audit(os.path.dirname(calibration), fresh=args.fresh) as kept:
            _begin(args, kept, found, calibration)
            return _go_on(args, kept)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise StateError(f"the audit cannot be kept: {error}") from None


def _begin(args: argparse.Namespace, kept: KeptAudit, found: Here, calibration: str) -> None:
    from calibration.audit.plan import plan_of
    from compass.auditing.sources import known_map, recorded_writes
    from compass.measure.screen import DeclinedError

    if kept.plan is not None:
        if args.transcripts or args.records:
            raise PayloadError("an audit has begun here; go on without naming sessions, or give --fresh")
        return
    if args.transcripts and args.records:
        raise PayloadError("either sessions or --records")
    known = known_map(calibration)
    try:
        if args.transcripts:
            from compass.auditing.replayed import replayed_writes

            gathered = replayed_writes(args, found, known)
        elif args.records:
            from compass.auditing.exported import exported_writes

            gathered = exported_writes(args.records, found.loaded.settings.evaluator.min_valid_samples, known)
        else:
            gathered = recorded_writes(found.state_dir, found.project, known)
    except DeclinedError as error:
        raise PayloadError(str(error)) from None
    except ValueError as error:
        raise StateError(str(error)) from None
    if not gathered.writes:
        named = [args.records] if args.records else args.transcripts
        where = ", ".join(named) or f"the recorded checks of {found.project}"
        kept_out = (
            f" ({gathered.left_out} without what led to them, which {set_by('store_evidence', 'true')} keeps)"
            if gathered.left_out
            else ""
        )
        raise StateError(
            f"no judged write in {where}{kept_out}; `compass audit TRANSCRIPT...` judges recorded sessions"
        )
    kept.begin(
        plan_of(
            gathered.writes,
            "replayed" if args.transcripts else "recorded",
            gathered.judge,
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            args.seed if args.seed is not None else secrets.randbits(SEED_BITS),
            args.sample,
            gathered.left_out,
        )
    )


def _go_on(args: argparse.Namespace, kept: KeptAudit) -> int:
    from calibration.audit.findings import findings

    plan = kept.plan
    assert plan is not None
    if args.answers:
        _take(args.answers, kept)
    interrupted = False
    if not args.answers and not args.json and sys.stdin.isatty() and sys.stdout.isatty():
        interrupted = _ask(kept, args.sample)
    found = findings(plan, kept.told, args.sample)
    left = _open(kept, args.sample)
    if not args.json:
        _show(found, len(left))
    else:
        print(json.dumps(found.as_json() | {"ask": left}, indent=2))
    return INTERRUPTED if interrupted else 0


def _ask(kept: KeptAudit, wanted: int) -> bool:
    """Whether it was interrupted."""
    from rich.console import Console

    from compass.auditing.keys import key
    from compass.auditing.screen import Session

    try:
        Session(kept, wanted, Console(highlight=False, markup=False), key).run()
    except KeyboardInterrupt:
        print()
        return True
    return False


def _take(name: str, kept: KeptAudit) -> None:
    """All lines or none. Raises PayloadError, naming the line."""
    from calibration.audit.answers import AuditAnswer, answer_of

    plan = kept.plan
    assert plan is not None
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PayloadError(f"{name}: {error}") from None
    given: list[AuditAnswer] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            answer = answer_of(line)
        except ValueError as error:
            raise PayloadError(f"{name}, line {number}: {error}") from None
        if answer.write not in plan.cases:
            raise PayloadError(f"{name}, line {number}: no write {answer.write[:60]!r} in this audit")
        given.append(answer)
    for answer in given:
        kept.keep(AuditAnswer(answer.write, answer.hold, time.time()))


def _open(kept: KeptAudit, wanted: int) -> list[dict[str, object]]:
    """What is still to be asked, without what the gate decided."""
    from dataclasses import asdict

    plan = kept.plan
    assert plan is not None
    queue = plan.queue(wanted, kept.told)
    return [asdict(plan.cases[one]) for one in queue if one not in kept.told]


def _show(found: Findings, left: int) -> None:
    from calibration.audit.findings import lines

    if sys.stdout.isatty():
        print()
    for line in lines(found):
        print(line)
    if left:
        print(f"{left} of {found.wanted} are still open: `compass audit` goes on.")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
