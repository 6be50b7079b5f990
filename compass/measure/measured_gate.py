"""The gate's own parts as a measurement needs them: no state touched, every reader heard, connections kept.

What differs from a hook's call is only what belongs to a session: budgets, the breaker, an early end of sampling.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as LateError
from contextlib import suppress

from calibration.measurement.measure import MeasuredReaders
from calibration.measurement.runner import CaseOutcome, StoppedError
from compass.composition.automatic_backend import backend_in_force
from compass.composition.gate import wire
from compass.composition.process import BookedStore
from compass.composition.readers import make_readers
from compass.composition.team_policy import who_reads
from compass.composition.thresholds import readers_now, rule_of
from evaluator.errors import ConfigError
from evaluator.gate.evaluation import day_is_spent
from evaluator.gate.run import Parts, Rule
from evaluator.model import Thresholds
from evaluator.readers.kinds.kind import BackendKind, kind_of
from evaluator.record import Record, replace
from evaluator.settings import layers
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by
from evaluator.text import day_of

CLOSING_SECONDS = 2.0

ALL_ARE_HEARD = Rule(Thresholds(0.0, 1.0), Thresholds(0.0, 1.0))
"""No score can decide early against these, so no reader is cancelled."""


class Bench(Record):
    """Parts to judge with. `rule` is what the gate holds a check against; `measured` changes with whatever would change
    an answer; `close` lets go of all."""

    settings: Settings
    parts: Parts
    readers: MeasuredReaders
    rule: Rule
    measured: str
    concurrency: int
    env: Mapping[str, str]
    close: Callable[[], None]

    @property
    def sends(self) -> bool:
        """Whether evidence leaves the machine, or may: to a configured address at least."""
        return self.kind.hosted

    @property
    def kind(self) -> BackendKind:
        return kind_of(self.readers.backend)


def bench(
    env: Mapping[str, str], home: str, project_dir: str, loaded: layers.Loaded, backend: str | None
) -> Bench:
    """The gate's parts as a measurement needs them. `backend` None takes the configured one. Raises ConfigError where
    it is not ready, and ReaderError where a team's evaluator does not say who reads."""
    env, home = loaded.clean.env, loaded.clean.home
    settings = _settings(loaded.settings, backend)
    chosen = backend_in_force(settings, env, home, project_dir)
    settings = _settings(settings, chosen)
    kind = kind_of(chosen)
    missing = kind.missing(settings, env)
    if missing:
        raise ConfigError(f"the {chosen} backend is not ready: {missing}")
    if kind.remote is not None:
        settings = replace(settings, readers=who_reads(settings, env))
    wired = wire(env, home, project_dir, loaded, settings=settings, keep=False)
    # The runner itself stops where readers keep failing.
    parts = replace(wired.parts, breaker=lambda: None, measures=True)
    rule = rule_of(settings, chosen, layers.calibration_file(env, home, project_dir))
    standing = readers_now(settings, chosen)
    hosted = kind.hosted
    close = wired.close
    if hosted:
        import asyncio

        from evaluator.readers.event_loop import ReaderLoop, WarmReaders
        from evaluator.readers.sampling import SampledReaders
        from evaluator.readers.team.readers import TeamReaders

        made = make_readers(chosen, settings, env, wired.store, wired.parts.clock, lambda: ALL_ARE_HEARD)
        assert isinstance(made, SampledReaders | TeamReaders)
        asked = made.measuring() if isinstance(made, TeamReaders) else made
        loop = ReaderLoop()
        # Their connections are kept; each check has a key of its own, so no two share a sample.
        parts = replace(parts, readers=lambda: WarmReaders(asked, loop, object()))

        def close() -> None:
            closing = asyncio.run_coroutine_threadsafe(asked.aclose(), loop.running())
            with suppress(LateError):
                closing.result(CLOSING_SECONDS)
            loop.close()
            wired.close()

    return Bench(
        settings=settings,
        parts=parts,
        readers=MeasuredReaders(
            standing.backend, standing.model, standing.prompt, standing.n, exchangeable=hosted
        ),
        rule=rule,
        measured=_measured(settings, kind, repr(standing)),
        # Checks that wait for each other's turns would only use up their deadlines.
        # Of the machine's slots two stay free for the sessions that go on beside.
        concurrency=max(1, settings.evaluator.max_concurrent_samples // standing.n - 2)
        if hosted and not kind.in_turn
        else 1,
        env=env,
        close=close,
    )


def _settings(settings: Settings, backend: str | None) -> Settings:
    """The settings of a measurement: observe mode, no reader spared and no other judge stepping in."""
    evaluator = replace(settings.evaluator, backend=backend) if backend else settings.evaluator
    sampling = replace(settings.sampling, strategy="fixed")
    return replace(
        settings, enabled=True, mode="observe", error_policy="open", evaluator=evaluator, sampling=sampling
    )


def _measured(settings: Settings, kind: BackendKind, standing: str) -> str:
    """An address counts by the settings alone: in the environment a proxy's port may change until a run goes on."""
    evaluator = replace(settings.evaluator, daily_budget_usd=None, max_concurrent_samples=1)
    shown = (
        standing,
        evaluator,
        kind.address(settings, {}),
        kind.sampling(settings),
        kind.least(settings),
        kind.again,
        settings.skip_patterns,
        settings.convergence,
        settings.transcript.prior_turn_chars_max,
        settings.context_chars_max,
        settings.sanitization,
        settings.include_file_contents,
        settings.evidence.symbols,
        settings.deadline_seconds,
    )
    return repr(shown)


class Purse:
    """Notes what readers cost in the machine's own spending, and stops at the day's cap."""

    def __init__(self, state_dir: str, settings: Settings) -> None:
        self._books = BookedStore(state_dir)
        self._settings = settings

    def guard(self, outcome: CaseOutcome | None) -> None:
        """Raises StoppedError once what readers may take in a day is taken."""
        books, day = self._books, day_of(time.time())
        if outcome is not None:
            if outcome.calls:
                books.add_spend(day, outcome.usd or 0.0, outcome.calls)
        elif day_is_spent(self._settings, lambda: books.spent(day)):
            way = set_by("evaluator.daily_budget_usd", "USD")
            raise StoppedError(
                f"today's budget for readers is used up; continue tomorrow, or raise it: {way}"
            )

    def close(self) -> None:
        self._books.close()
