"""Judged writes of named sessions, replayed through the gate; what hosted readers cost is shown and agreed to first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from calibration.audit.judge import JudgeMap
from calibration.audit.plan import JudgedWrite
from calibration.cases.spooled import Spooled
from calibration.measurement.plan import MeasureScope, plan_of
from compass.auditing.sources import JUDGED, Gathered, judge_named, judged_write
from compass.joining.agreement import agreement_of
from compass.joining.backends import choose_backend
from compass.joining.kept_checks import Here
from compass.joining.thresholds import standing_of
from compass.measure.screen import ask
from compass.replay.sessions import Loader
from compass.replay.sharded import ReplayTotals, rows_of
from compass.replay.stage import Judged, ReplayPlan
from evaluator.backends import AUTO
from evaluator.errors import ConfigError, PayloadError
from evaluator.model import Evidence
from evaluator.readers.kinds.kind import kind_of
from hooks import registry

T = TypeVar("T")


def replayed_writes(args: argparse.Namespace, here: Here, known: JudgeMap | None) -> Gathered:
    """Raises PayloadError for what cannot be replayed, ConfigError for readers that are not ready, DeclinedError."""
    host = registry.host_of(args.host)
    paths = host.sessions().find_transcripts(args.transcripts)
    if not paths:
        raise PayloadError(
            f"no transcript of {host.TITLE} in {', '.join(args.transcripts)}: it keeps them in {host.setup().SESSIONS}"
        )
    settings = here.loaded.settings
    backend = str(args.backend)
    if backend == AUTO:
        backend = choose_backend(settings, here.env, agreement_of(here.env, here.home, here.project_dir))[0]
    kind = kind_of(backend)
    missing = kind.missing(settings, here.env)
    if missing:
        raise ConfigError(f"{backend} cannot read here: {missing}")
    plan = ReplayPlan(here.env, here.home, backend, None, 0.0, Loader(here.env), host=host.NAME)
    if kind.hosted and not args.yes:
        counted = _judged(args, replace(plan, counting=True), paths, _evidence)[0]
        _agree(here, backend, list(counted))
    found, totals = _judged(args, plan, paths, partial(_write, known))
    left_out = totals.tally.unjudged
    writes = Spooled(one for one in found if isinstance(one, JudgedWrite))
    return Gathered(writes, left_out + len(found) - len(writes), judge_named(known))


LEFT_OUT = "left out"
"""Stands for a write that readers decided, and that nobody could be asked about."""


def _evidence(judged: Judged) -> Evidence | None:
    return judged.current.evidence


def _write(known: JudgeMap | None, judged: Judged) -> JudgedWrite | str | None:
    found = judged_write(judged.current, known)
    return LEFT_OUT if found is None and judged.current.reason in JUDGED else found


def _judged(
    args: argparse.Namespace, plan: ReplayPlan, paths: list[str], row: Callable[[Judged], T | None]
) -> tuple[Sequence[T], ReplayTotals]:
    totals = ReplayTotals()
    place = 0

    def advance(_: int) -> None:
        nonlocal place
        place += 1
        if sys.stderr.isatty():
            print(f"\r{place} of {len(paths)} sessions", end="", file=sys.stderr, flush=True)

    found = Spooled(rows_of(args, plan, paths, row, totals, advance))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return found, totals


def _agree(here: Here, backend: str, evidences: list[Evidence]) -> None:
    """The most that can come to be asked: a check that passes excuses later calls."""
    settings, kind, standing = (
        here.loaded.settings,
        kind_of(backend),
        standing_of(here.loaded.settings, backend),
    )
    if not evidences:
        return
    scope = MeasureScope(
        backend=backend,
        model=standing.model,
        address=kind.goes(settings, here.env),
        cases=len(evidences),
        repeats=1,
        n=standing.n,
        kept=0,
        most_tokens=settings.evaluator.max_output_tokens,
        price=kind.price(standing.model),
        short=kind.short,
    )
    ask(plan_of(evidences, scope), None)
