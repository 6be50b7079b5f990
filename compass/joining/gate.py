"""Joins settings, state, readers and the pipeline. The only place that knows every part."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from compass.joining.clock import SystemClock
from compass.joining.packages import enable
from compass.joining.protected_places import Guard
from compass.joining.shell import classify
from compass.joining.skip_globs import remembered
from compass.joining.surroundings import load
from evaluator.backends import AUTO
from evaluator.configuration import loading
from evaluator.configuration.project import resolved
from evaluator.configuration.settings import Settings
from evaluator.events import EventLog
from evaluator.gate.run import Breaker, FallbackVerdict, Parts, Rule
from evaluator.model import Effect, PendingWrite, Subject
from evaluator.ports import Backend, Clock, Readers
from evaluator.record import Record
from evaluator.state.faults import FaultLog
from evaluator.state.store import OpenedStore, Store, open_store
from evaluator.state.ulid import ulid
from evaluator.trigger.calls import effects_of
from hooks import registry

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from compass.joining.aside import Aside
    from evaluator.readers.warm import ReaderLoop
    from hooks.host import Host

PATH_CHARS_MAX = 16_384
"""Four times what any system takes: resolving a longer one is quadratic work for a path that cannot exist."""


class Wired(Record):
    """One project's gate, ready to judge. `close` releases its state."""

    parts: Parts
    store: Store
    env: Mapping[str, str]
    home: str
    project_dir: str
    faults: tuple[str, ...]
    close: Callable[[], None]
    host: Host
    backend: str
    aside: Aside | None = None
    """What goes on beside the calls; None in a hook's own process, which ends with its answer."""

    @property
    def settings(self) -> Settings:
        return self.parts.settings


def wire(  # noqa: PLR0913 - the parts that a caller may replace, by name
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    loaded: loading.Loaded | None = None,
    *,
    host: Host | None = None,
    settings: Settings | None = None,
    keep: bool = True,
    store: OpenedStore | None = None,
    warm: ReaderLoop | None = None,
    aside: Aside | None = None,
) -> Wired:
    """`keep` False judges without touching state or the event log. `settings` overrides what was loaded. `host`
    None is the default one.

    What was loaded also says which environment and home to go on with. A `store` that is given is not
    closed by the gate; with `warm` its hosted readers keep their connections there.
    """
    host = host or registry.default()
    if loaded is None and settings is None:
        loaded = load(env, home, project_dir, host=host)
    if loaded is not None:
        env, home = loaded.clean.env, loaded.clean.home
    chosen = settings or cast(loading.Loaded, loaded).settings
    clock = SystemClock()
    faults: list[str] = []
    faults_log = FaultLog(loading.state_dir(env, home), clock.now)
    opened = store
    if opened is None:
        kept = open_store(loading.state_dir(env, home), now=clock.now()) if keep else None
        opened = kept or _in_memory()
    faults += [opened.fault] if opened.fault else []
    state = opened.store

    def note_event_fault(fault: str) -> None:
        faults_log.note("event log", fault)

    backend = _backend(chosen, env)

    @cache
    def rule() -> Rule:
        from compass.joining.thresholds import rule_of

        return rule_of(chosen, backend, loading.calibration_file(env, home, project_dir))

    @cache
    def expressions(globs: tuple[str, ...]) -> tuple[str, ...] | None:
        return remembered(globs, state)

    parts = Parts(
        settings=chosen,
        store=state,
        sink=EventLog(
            loading.events_path(env, home),
            loading.onlooker_dir(env, home),
            on_fault=note_event_fault,
        )
        if keep
        else None,
        # What a transcript says stays in the state only where evidence may.
        transcripts=host.transcripts(state if chosen.store_evidence else None),
        readers=lambda: make_readers(backend, chosen, env, state, clock, rule, warm),
        anticipating=lambda: make_readers(backend, chosen, env, state, clock, rule, warm, ahead=True),
        rule=rule,
        fallback=_fallback,
        effects_of=lambda pending: effects_of(
            pending,
            classify=lambda command, cwd: classify(command, cwd, chosen.bash),
            mcp_tools=chosen.gate.mcp_tools,
            exists=_exists,
            resolve=_resolved,
        ),
        protects=Guard(env, home),
        scripts=_scripts,
        clock=clock,
        token=lambda: os.urandom(8).hex(),
        attended=host.attended(env),
        breaker=lambda session_id: _breaker(chosen, env, backend, session_id),
        line=lambda session_id: _line(chosen, env, backend, session_id),
        slot=lambda seconds: _slot(chosen, loading.state_dir(env, home), seconds),
        new_id=lambda now: ulid(now, os.urandom(10)),
        paid=lambda: _paid(backend),
        least=lambda: _least(backend, chosen),
        nested=lambda: _nested(env, state, clock),
        translate=expressions,
        unreadable=opened.newer,
        origin=lambda pending: host.origin(env, state, pending.session_id, pending.transcript_path or ""),
    )
    close = state.close if store is None else _nothing
    return Wired(parts, state, env, home, project_dir, tuple(faults), close, host, backend, aside)


def make_readers(
    name: str,
    settings: Settings,
    env: Mapping[str, str],
    store: Store,
    clock: Clock,
    rule: Callable[[], Rule],
    warm: ReaderLoop | None = None,
    *,
    ahead: bool = False,
) -> Readers:
    """The named backend's readers; imports what they need only now. With `warm` they stay connected there.

    `ahead`: the two of a hosted backend who read a prompt and are shown no write.
    """
    enable()
    from evaluator.readers.kinds.kind import kind_of

    kind = kind_of(name)
    if kind.readers is not None:
        return kind.readers()
    make = (kind.kept if warm else None) or kind.backend
    assert make is not None
    from evaluator.readers.sampling import SampledReaders, SamplingPlan
    from evaluator.verdict.convergence import score_of
    from evaluator.verdict.sequential import may_stop

    held = rule()
    plan = SamplingPlan.of(settings, *kind.sampling(settings), least=kind.least(settings), again=kind.again)
    if ahead:
        plan = plan.ahead()

    def hosted() -> Backend:
        return make(settings, env, store, clock)

    known = tuple(sorted(item for item in env.items() if kind.counts(item[0])))
    key = (
        name,
        settings.evaluator,
        kind.address(settings, env),
        kind.sampling(settings),
        settings.openai,
        settings.sampling,
        settings.convergence,
        held,
        known,
    )
    readers = SampledReaders(
        warm.backend(key, hosted) if warm else hosted(),
        plan,
        settled=lambda valid, _: may_stop(
            [score_of(sample) for sample in valid], plan.n, held.table, held.thresholds
        ),
        clock=clock,
        nonce=lambda: os.urandom(6).hex(),
    )
    if warm is None:
        return readers
    from evaluator.readers.warm import WarmReaders

    return WarmReaders(readers, warm, (key, ahead))


def _paid(backend: str) -> bool:
    from evaluator.readers.kinds.kind import kind_of

    return kind_of(backend).hosted


def _least(backend: str, settings: Settings) -> int:
    from evaluator.readers.kinds.kind import kind_of

    return kind_of(backend).least(settings)


def _breaker(settings: Settings, env: Mapping[str, str], backend: str, session_id: str) -> Breaker | None:
    if not settings.circuit_breaker.enabled:
        return None
    from evaluator.breaker.transitions import rules_of

    return Breaker(_line(settings, env, backend, session_id), rules_of(settings))


def _line(settings: Settings, env: Mapping[str, str], backend: str, session_id: str) -> str:
    from evaluator.breaker.transitions import key_for
    from evaluator.readers.kinds.kind import kind_of

    return key_for(settings, backend, kind_of(backend).address(settings, env), session_id)


def _backend(settings: Settings, env: Mapping[str, str]) -> str:
    if settings.evaluator.backend != AUTO:
        return settings.evaluator.backend
    from compass.joining.backends import backend_in_force

    return backend_in_force(settings, env)


def _scripts(pending: PendingWrite, files: Collection[str]) -> tuple[Effect, ...]:
    from compass.joining.written_scripts import effects_through

    return effects_through(pending, files)


def _slot(settings: Settings, state_dir: str, seconds: float) -> AbstractContextManager[bool]:
    from evaluator.state.slots import slot

    count = max(1, settings.evaluator.max_concurrent_samples // settings.evaluator.n)
    return slot(os.path.join(state_dir, "slots"), count, seconds)


def _in_memory() -> OpenedStore:
    from evaluator.state.memory import MemoryStore

    return OpenedStore(MemoryStore(), None)


def _fallback(subject: Subject) -> FallbackVerdict:
    enable()
    from evaluator.readers.embedded.fallback import judge_fallback

    return judge_fallback(subject)


def _resolved(path: str) -> str:
    """Links and `..` resolved; a path that no system takes stays what it is, data."""
    if len(path) > PATH_CHARS_MAX or "\0" in path:
        return os.path.normpath(path)
    try:
        return resolved(path)
    except (OSError, ValueError):
        return os.path.normpath(path)


def _exists(path: str) -> bool:
    try:
        return len(path) <= PATH_CHARS_MAX and os.path.lexists(path)
    except ValueError:
        return False


def _nothing() -> None:
    """The state belongs to somebody else, who closes it."""


def _nested(env: Mapping[str, str], store: Store, clock: Clock) -> bool:
    """Whether our own reader process calls: it holds a token that was issued, and the issuer stands above it."""
    token = env.get("COMPASS_NESTED", "")
    if not token or not store.holds_token(token, clock.now()):
        return False
    from evaluator.processes import ancestors

    return token.partition("@")[2] in [one.name for one in ancestors(os.getpid())]
