"""`compass replay`: what the gate would have done over recorded sessions."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from compass.arguments import add_backend, add_batch, add_host
from compass.composition.automatic_backend import backend_in_force
from compass.composition.settings import project_of
from compass.composition.thresholds import readers_now
from compass.install.consent import ConsentError
from compass.parallel import add_engine
from compass.replay import findings
from compass.replay.recorded_gate import ReplayPlan
from compass.replay.sessions import ReplayTotals, progress_over, rows_of, settings_by, since_of
from compass.show.terminal import write_output
from evaluator.egress.evidence import leaving
from evaluator.errors import ConfigError, PayloadError
from evaluator.model import AUTO, EMBEDDED
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.places import home_of
from hooks import registry
from hooks.registry import find_hosts_sessions


def add_replay_arguments(parser: argparse.ArgumentParser) -> None:
    add_host(parser, default="")
    told = f"a session file, or a folder of them ({_replay_dirs()})"
    parser.add_argument("transcripts", nargs="+", metavar="TRANSCRIPT", help=told)
    parser.add_argument("--since", type=since_of, metavar="DATE", help="judge only calls since then")
    parser.add_argument("--html", metavar="FILE", help="also write the output to this file as a web page")
    add_backend(parser, "who judges recorded sessions (default: %(default)s)", EMBEDDED)
    parser.add_argument("--yes", action="store_true", help="ask hosted readers without confirmation")
    add_batch(parser, "results of a batch")
    add_engine(parser)


def _replay_dirs() -> str:
    """The folders where each host keeps its session files."""
    return "; ".join(
        f"{one.NAME}: {one.setup().table.sessions}"
        for one in registry.every_host()
        if one.setup().table.sessions
    )


def run_replay(args: argparse.Namespace) -> int:
    """Exit code 0. Raises ConsentError if hosted readers may not be asked yet, PayloadError for other input."""
    env, folder = dict(os.environ), os.getcwd()
    here = partial(settings_by, env)
    loaded = here(folder, args.host or registry.DEFAULT)
    for problem in loaded.problems:
        print(f"compass replay: {problem}", file=sys.stderr)
    settings, clean = loaded.settings, loaded.clean
    backend = str(args.backend)
    through_files = args.prompts_out is not None or bool(args.answers)
    if through_files:
        # Whose prompts are written: the named backend, else the configured one, if it is asked for each sample.
        names = (name for name in (backend, settings.evaluator.backend) if name != AUTO)
        backend = next((name for name in names if kind_of(name).backend is not None), "anthropic")
    elif backend == AUTO:
        backend = backend_in_force(settings, clean.env, clean.home, project_of(clean.env, folder))
    lacking = kind_of(backend).missing(settings, clean.env)
    if lacking and not through_files:
        raise ConfigError(f"{backend} cannot be used here: {lacking}")
    try:
        paths = find_hosts_sessions(args.transcripts, args.host)
    except PayloadError as error:
        raise PayloadError(f"{error}; sessions are kept in {_replay_dirs()}") from None
    if not paths:
        raise PayloadError(
            f"no session in {', '.join(args.transcripts)}; sessions are kept in {_replay_dirs()}. A file with another "
            "name can be given directly, with --host"
        )
    answers = tuple(map(os.path.abspath, args.answers)) if through_files else None
    plan = ReplayPlan(env, home_of(env), backend, args.since or 0.0, here, host=args.host, answers=answers)
    standing = readers_now(settings, backend)
    if plan.asks:
        counted = _replay_recorded_calls(args, replace(plan, counting=True), paths, "counting")[1].tally
        # An upper bound, since a check that passes excuses later calls.
        print(
            f"At most {counted.checks} checks go to {standing.backend} ({standing.model}), {standing.n} requests "
            f"each: {counted.checks * standing.n} requests, not counting retries.\n"
            f"Each sends the following, sanitized: {leaving(settings, names=settings.evidence.symbols)}. "
            "`compass explain --egress` shows one.",
            file=sys.stderr,
        )
        if not args.yes:
            raise ConsentError("nothing was sent; pass --yes to ask the readers")
    rows, totals = _replay_recorded_calls(args, plan, paths, "replaying")
    over = {"lines that are not JSON objects": totals.passed.garbled}
    found = findings.ReplayFindings(backend, standing.model, rows, totals.tally, len(paths), over)
    if args.html:
        write_output(args.html, findings.replay_page(found))
    if args.json:
        print(json.dumps(findings.replay_json(found), indent=2))
    else:
        findings.show_replay(found)
    return 0


def _replay_recorded_calls(
    args: argparse.Namespace, plan: ReplayPlan, paths: list[str], doing: str
) -> tuple[Sequence[findings.ReplayedCall], ReplayTotals]:
    """Prompts go to the file that `--prompts-out` names. Raises PayloadError where it cannot be written."""
    totals, found = ReplayTotals(), list[findings.ReplayedCall]()
    path = args.prompts_out or os.devnull
    with progress_over(paths, doing, quiet=args.json) as advance:
        try:
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                for row in rows_of(args, plan, paths, findings.replayed_call, totals, advance):
                    file.writelines(f"{prompt}\n" for prompt in row.prompts)
                    found.append(replace(row, prompts=()))
        except OSError as error:
            raise PayloadError(f"{path}: {error}") from error
    return found, totals
