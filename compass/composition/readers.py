"""Who reads: the parts of a gate that depend on the backend. What only readers need is imported once they are asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from compass.composition.settings import enable_packages
from evaluator.gate.run import Breaker, Rule
from evaluator.model import Subject, Thresholds
from evaluator.ports import Backend, Clock, Readers
from evaluator.settings.keys import Settings
from evaluator.state.store import Store

if TYPE_CHECKING:
    from evaluator.readers.event_loop import ReaderLoop
    from evaluator.readers.kinds.kind import BackendKind
    from evaluator.readers.team.wire import Evaluation


def reader_parts(
    who: Callable[[], str],
    settings: Settings,
    env: Mapping[str, str],
    clock: Clock,
    *,
    calibration: str,
    learnt: Store,
    warm: ReaderLoop | None,
    heard: Callable[[Evaluation], None],
) -> dict[str, Any]:
    """What a gate's `Parts` have, by name, of the backend that `who` names, never `auto`; asked once a call needs to
    know. `calibration` is the path of the project's calibration.json, `learnt` the store of what readers learnt of
    servers; `heard` is told of each answer of a team's evaluator.
    """

    def kind() -> BackendKind:
        from evaluator.readers.kinds.kind import kind_of

        return kind_of(who())

    @cache
    def rule() -> Rule:
        from compass.composition.thresholds import rule_of

        return rule_of(settings, who(), calibration)

    def line() -> str:
        from evaluator.breaker import breaker_key

        return breaker_key(who(), kind().address(settings, env), settings.evaluator.model)

    def breaker() -> Breaker | None:
        if not settings.circuit_breaker.enabled:
            return None
        from evaluator.breaker import breaker_rules

        return Breaker(line(), breaker_rules(settings))

    def prompt() -> str:
        from compass.composition.thresholds import readers_now

        return readers_now(settings, who()).prompt

    return {
        "readers": lambda: make_readers(who(), settings, env, learnt, clock, rule, warm, heard=heard),
        "rule": rule,
        "breaker": breaker,
        "line": line,
        "prompt": prompt,
        "paid": lambda: kind().hosted,
        "least": lambda: kind().least(settings),
    }


def make_readers(  # noqa: PLR0913 - the parts that a caller may replace, by name
    name: str,
    settings: Settings,
    env: Mapping[str, str],
    store: Store,
    clock: Clock,
    rule: Callable[[], Rule],
    warm: ReaderLoop | None = None,
    *,
    heard: Callable[[Evaluation], None] = lambda _: None,
    through: Backend | None = None,
    nonce: Callable[[], str] = lambda: os.urandom(6).hex(),
) -> Readers:
    """The named backend's readers; imports what they need only now. With `warm` they stay connected there. `through` is
    asked in place of the backend's own line, once for each reader."""
    enable_packages()
    from evaluator.readers.kinds.kind import kind_of

    kind = kind_of(name)
    if kind.readers is not None:
        return kind.readers()
    held = rule()
    # Cuts were measured with readers who all saw the write.
    certified = held.reversible.alpha is not None or held.irreversible.alpha is not None
    blind = 0 if certified else settings.convergence.blind
    asked = (name, settings.evaluator, kind.address(settings, env))

    def thresholds(subject: Subject) -> Thresholds:
        return held.of(subject.effects)

    line: tuple[object, ...]
    key: tuple[object, ...]
    readers: TeamReaders | SampledReaders
    if kind.remote is not None:
        # A service that samples by itself: how many, and in which order, is its own.
        from evaluator.readers.team.readers import TeamReaders
        from evaluator.settings.places import project_key

        remote, least = kind.remote, settings.evaluator.min_valid_samples
        line = (*asked, env.get("ONLOOKER_DIR"), env.get("HOME"))
        key = (line, held, blind, least)
        readers = TeamReaders(
            warm.backend(line, lambda: remote(settings, env)) if warm else remote(settings, env),
            held=thresholds,
            repository=project_key,
            clock=clock,
            heard=heard,
            blind=blind,
            least=least,
        )
    else:
        from evaluator.readers.sampling import SampledReaders, SamplingPlan

        make = (kind.kept if warm else None) or kind.backend
        assert make is not None

        def hosted() -> Backend:
            return through or make(settings, env, store, clock)

        known = tuple(sorted(item for item in env.items() if kind.counts(item[0])))
        line = (*asked, kind.sampling(settings), settings.sampling, settings.convergence, known)
        key = (line, held)
        plan = SamplingPlan.of(
            settings,
            *kind.sampling(settings),
            least=kind.least(settings),
            again=0 if through else kind.again,
            short=kind.short,
        )
        readers = SampledReaders(
            warm.backend(line, hosted) if warm else hosted(),
            plan.with_blind(blind),
            thresholds=thresholds,
            clock=clock,
            nonce=nonce,
        )
    if warm is None:
        return readers
    from evaluator.readers.event_loop import WarmReaders

    return WarmReaders(readers, warm, key)
