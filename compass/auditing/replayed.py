"""Judged writes of named sessions, replayed through the gate; what hosted readers cost is shown and agreed to first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from calibration.audit.judge import JudgeMap
from calibration.audit.plan import JudgedWrite
from calibration.measurement.plan import MeasureScope, plan_of
from compass.auditing.sources import JUDGED, Gathered, judge_named, judged_write
from compass.joining.agreement import agreement_of
from compass.joining.backends import choose_backend
from compass.joining.kept_checks import Here
from compass.joining.surroundings import load_for
from compass.joining.thresholds import standing_of
from compass.measure.screen import ask
from compass.replay.sessions import Replay
from compass.replay.stage import Judged, ReplayPlan
from evaluator.backends import AUTO
from evaluator.configuration.loading import Loaded
from evaluator.errors import ConfigError, PayloadError
from evaluator.model import Evidence
from evaluator.readers.kinds.kind import kind_of
from hooks import registry
from hooks.host import Host
from hooks.moments import Passed


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
    plan = ReplayPlan(here.env, here.home, backend, None, 0.0, _loader(here.env, host), host=host.NAME)
    if kind.hosted and not args.yes:
        counted, _ = _judged(replace(plan, counting=True), paths)
        _agree(here, backend, [one.current.evidence for one in counted if one.current.evidence is not None])
    found, unjudged = _judged(plan, paths)
    writes: list[JudgedWrite] = []
    left_out = unjudged
    for one in found:
        # The same call of a session that was resumed was passed over by the replay.
        write = judged_write(one.current, known)
        if write is not None:
            writes.append(write)
        elif one.current.reason in JUDGED:
            left_out += 1
    return Gathered(tuple(writes), left_out, judge_named(known))


def _judged(plan: ReplayPlan, paths: list[str]) -> tuple[list[Judged], int]:
    replay, passed, sessions = Replay(plan), Passed(), registry.host_of(plan.host).sessions()
    found: list[Judged] = []
    for place, path in enumerate(paths, 1):
        if sys.stderr.isatty():
            print(f"\r{place} of {len(paths)} sessions", end="", file=sys.stderr, flush=True)
        found += replay.session(path, sessions.session_moments(path, passed))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return found, replay.tally.unjudged


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


def _loader(env: Mapping[str, str], host: Host) -> Callable[[str], Loaded]:
    told: set[str] = set()

    def load(project: str) -> Loaded:
        loaded = load_for(dict(env), project, host=host)
        for problem in loaded.problems:
            if problem not in told:
                told.add(problem)
                print(f"compass audit: {problem}", file=sys.stderr)
        return loaded

    return load
