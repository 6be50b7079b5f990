"""Joins settings, state, readers and the pipeline. The only place that knows every part."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from compass.joining.clock import SystemClock
from compass.joining.ground import DiskGround
from compass.joining.instructions import lines_of
from compass.joining.protected_places import DISK, Guard
from compass.joining.reading import Asked, GateState, Reading, reading_of
from compass.joining.remembering import KeptMemory
from compass.joining.shell import classify
from compass.joining.skip_globs import remembered
from compass.joining.surroundings import load
from compass.joining.target_text import text_on_disk
from evaluator.backends import AUTO
from evaluator.configuration import loading
from evaluator.configuration.project import resolved
from evaluator.configuration.settings import Settings
from evaluator.events import EventLog
from evaluator.gate.run import Parts
from evaluator.model import Effect, Effects, PendingWrite
from evaluator.ports import Clock, PrecedentStore
from evaluator.record import Record, replace
from evaluator.state.faults import FaultLog
from evaluator.state.store import OpenedStore, Store, open_store
from evaluator.state.ulid import ulid
from evaluator.trigger.calls import effects_of
from evaluator.trigger.stakes import with_stakes
from hooks import registry

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from compass.joining.aside import Aside
    from compass.joining.booking import Books
    from evaluator.readers.team.wire import Evaluation
    from evaluator.readers.warm import ReaderLoop
    from hooks.host import Host

PATH_MAX = 4096
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
    asked: Asked
    aside: Aside | None = None
    """What goes on beside the calls; None in a hook's own process, which ends with its answer."""
    memory_days: int = 0
    """How long the user keeps precedents; what a project shortens is not looked at, and deletes nothing."""

    @property
    def backend(self) -> str:
        """Who reads, never `auto`."""
        return self.asked.who()

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
    booked: bool = False,
    store: OpenedStore | None = None,
    warm: ReaderLoop | None = None,
    aside: Aside | None = None,
    learnt: Store | None = None,
    books: Books | None = None,
) -> Wired:
    """`keep` False judges without touching state or the event log, but where `booked` what hosted readers take of the
    day counts on the machine and is capped there. `settings` overrides what was loaded. `host`
    None is the default one.

    What was loaded also says which environment and home to go on with. A `store` that is given is not
    closed by the gate; with `warm` its hosted readers keep their connections there, and what they learn of servers in
    `learnt`, by default in the state: it has to last as long as they do. `books` keep open what is `booked` in.
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
        opened = kept or _in_memory(loading.state_dir(env, home) if booked else "", books)
    faults += [opened.fault] if opened.fault else []
    state = opened.store

    def note_event_fault(fault: str) -> None:
        faults_log.note("event log", fault)

    def heard(answer: Evaluation) -> None:
        from compass.joining.team import listening

        listening(chosen, env, home, learnt or state, aside)(answer)

    @cache
    def reading(backend: str) -> Reading:
        path = loading.calibration_file(env, home, project_dir)
        kept = GateState(path, learnt or state, heard)
        return reading_of(backend, chosen, env, clock, warm, kept)

    @cache
    def backend() -> str:
        if chosen.evaluator.backend != AUTO:
            return chosen.evaluator.backend
        from compass.joining.backends import backend_in_force

        return backend_in_force(chosen, env, home, project_dir)

    @cache
    def expressions(globs: tuple[str, ...]) -> tuple[str, ...] | None:
        return remembered(globs, state)

    asked = Asked(backend, reading)
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
        readers=asked.readers,
        rule=asked.rule,
        instructions=lambda pending: lines_of(host.FILES, home, pending.project_dir),
        effects_of=lambda pending: _effects_of(pending, chosen),
        protects=Guard(env, home),
        scripts=_scripts,
        builds=lambda pending: _builds(pending, chosen),
        clock=clock,
        token=lambda: os.urandom(8).hex(),
        attended=host.attended(env),
        breaker=asked.breaker,
        line=asked.line,
        prompt=asked.prompt,
        slot=lambda seconds: _slot(chosen, loading.state_dir(env, home), seconds),
        new_id=lambda now: ulid(now, os.urandom(10)),
        paid=asked.paid,
        least=asked.least,
        nested=lambda: _nested(env, state, clock),
        translate=expressions,
        linked=lambda path: (DISK.identity(path) or (0, 0, 0))[2] > 1,
        text_of=text_on_disk,
        unreadable=opened.newer,
        memory=memory_of(chosen, state, env, home, host) if keep or store is not None else None,
        origin=lambda pending: host.origin(env, state, pending.session_id, pending.transcript_path or ""),
    )
    close = state.close if store is None else _nothing
    below: Mapping[str, tuple[object, str | None]] = {} if loaded is None else loaded.below
    days = cast(int, below.get("memory.days", (chosen.memory.days, None))[0])
    return Wired(parts, state, env, home, project_dir, tuple(faults), close, host, asked, aside, days)


def _effects_of(pending: PendingWrite, settings: Settings) -> Effects | None:
    found = effects_of(
        pending,
        classify=lambda command, cwd: classify(command, cwd, settings.bash, pending.host),
        mcp_tools=settings.gate.mcp_tools,
        exists=_exists,
        resolve=_resolved,
    )
    return with_stakes(found, DiskGround(pending.project_dir)) if found and found.each else found


def read_by(wired: Wired, who: Callable[[], str]) -> Wired:
    """The same gate with other readers."""
    asked = Asked(who, wired.asked.reading_of)
    parts = replace(
        wired.parts,
        readers=asked.readers,
        rule=asked.rule,
        breaker=asked.breaker,
        line=asked.line,
        prompt=asked.prompt,
        paid=asked.paid,
        least=asked.least,
    )
    return replace(wired, parts=parts, asked=asked)


def memory_of(
    settings: Settings, store: PrecedentStore, env: Mapping[str, str], home: str, host: Host
) -> KeptMemory | None:
    if not settings.memory.enabled:
        return None

    @cache
    def serves() -> bool:
        """Whether the host shows the request, and answers count there; a program has no row that says so."""
        try:
            row = host.setup().PROMISES
        except LookupError:
            return False
        return row.sees_request and row.answers_count

    return KeptMemory(store, loading.state_dir(env, home), serves)


def _scripts(pending: PendingWrite, files: Mapping[str, bool]) -> tuple[Effect, ...]:
    from compass.joining.written_scripts import effects_through

    return effects_through(pending, files)


def _builds(pending: PendingWrite, settings: Settings) -> bool:
    from compass.joining.written_scripts import builds

    return builds(pending, settings.bash)


def _slot(settings: Settings, state_dir: str, seconds: float) -> AbstractContextManager[bool]:
    from evaluator.state.slots import slot

    count = max(1, settings.evaluator.max_concurrent_samples // settings.evaluator.n)
    return slot(os.path.join(state_dir, "slots"), count, seconds)


def _in_memory(folder: str, books: Books | None) -> OpenedStore:
    """`folder`: that of the state where what readers take is counted; empty for nowhere."""
    if folder:
        from compass.joining.booking import BookedStore

        return OpenedStore(BookedStore(folder, books), None)
    from evaluator.state.memory import MemoryStore

    return OpenedStore(MemoryStore(), None)


def _resolved(path: str) -> str:
    """Links and `..` resolved. What is longer than any system takes is cut: it names no file, and nothing may take
    longer for it."""
    if len(path) > PATH_MAX or "\0" in path:
        path = os.path.normpath(path)[:PATH_MAX]
    try:
        return resolved(path)
    except (OSError, ValueError):
        return os.path.normpath(path)


def _exists(path: str) -> bool:
    try:
        return len(path) <= PATH_MAX and os.path.lexists(path)
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
