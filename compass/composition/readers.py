"""Who reads: a backend's readers, with what they need imported once they are asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from compass.composition.effects import enable_packages
from evaluator.gate.run import Rule
from evaluator.model import Subject, Thresholds
from evaluator.ports import Backend, Clock, Readers
from evaluator.settings.keys import Settings
from evaluator.state.store import Store

if TYPE_CHECKING:
    from evaluator.readers.event_loop import ReaderLoop
    from evaluator.readers.team.wire import Evaluation


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
