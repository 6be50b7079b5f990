"""Who reads: the parts of a gate that depend on the backend. What only readers need is imported once they are asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
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


class ChosenReaders:
    """What a gate's `Parts` have of the backend that `who` names, never `auto`; asked once a call needs to know.

    `calibration` is the path of the project's calibration.json, `learnt` the store of what readers learnt of servers;
    `heard` is told of each answer of a team's evaluator.
    """

    def __init__(
        self,
        who: Callable[[], str],
        settings: Settings,
        env: Mapping[str, str],
        clock: Clock,
        *,
        calibration: str,
        learnt: Store,
        warm: ReaderLoop | None,
        heard: Callable[[Evaluation], None],
    ) -> None:
        self.who, self._settings, self._env, self._clock = who, settings, env, clock
        self._calibration, self._learnt, self._warm, self._heard = calibration, learnt, warm, heard
        self._rule: Rule | None = None

    def named_by(self, who: Callable[[], str]) -> ChosenReaders:
        """The same for another backend."""
        return ChosenReaders(
            who, self._settings, self._env, self._clock,
            calibration=self._calibration, learnt=self._learnt, warm=self._warm, heard=self._heard,
        )  # fmt: skip

    def parts(self) -> dict[str, Any]:
        """What `Parts` takes of this, by name."""
        names = ("readers", "rule", "breaker", "line", "prompt", "paid", "least")
        return {name: getattr(self, name) for name in names}

    @property
    def _kind(self) -> BackendKind:
        from evaluator.readers.kinds.kind import kind_of

        return kind_of(self.who())

    def readers(self) -> Readers:
        return make_readers(
            self.who(), self._settings, self._env, self._learnt, self._clock, self.rule, self._warm,
            heard=self._heard,
        )  # fmt: skip

    def rule(self) -> Rule:
        if self._rule is None:
            from compass.composition.thresholds import rule_of

            self._rule = rule_of(self._settings, self.who(), self._calibration)
        return self._rule

    def line(self) -> str:
        from evaluator.breaker import breaker_key

        address = self._kind.address(self._settings, self._env)
        return breaker_key(self.who(), address, self._settings.evaluator.model)

    def breaker(self) -> Breaker | None:
        if not self._settings.circuit_breaker.enabled:
            return None
        from evaluator.breaker import breaker_rules

        return Breaker(self.line(), breaker_rules(self._settings))

    def prompt(self) -> str:
        from compass.composition.thresholds import readers_now

        return readers_now(self._settings, self.who()).prompt

    def paid(self) -> bool:
        return self._kind.hosted

    def least(self) -> int:
        return self._kind.least(self._settings)


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
