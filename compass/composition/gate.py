"""Settings to a gate: the one place that knows every part."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

from compass.composition import effects
from compass.composition.protection import DISK, Guard
from compass.composition.settings import load
from evaluator.events import EventLog
from evaluator.files import FaultLog, slot
from evaluator.gate.run import Breaker, Parts, PrecedentMemory, Rule
from evaluator.model import AUTO, BACKEND_MODULES, EMBEDDED
from evaluator.ports import Clock, Readers
from evaluator.record import Record, replace
from evaluator.settings import layers
from evaluator.settings.keys import Settings
from evaluator.settings.places import events_path, onlooker_dir, state_dir
from evaluator.state.store import MemoryStore, OpenedStore, PrecedentStore, Store, open_store
from evaluator.text import ulid
from hooks import registry

if TYPE_CHECKING:
    from compass.composition.process import Aside
    from evaluator.intervention.records import Owed
    from evaluator.readers.event_loop import ReaderLoop
    from evaluator.readers.kinds.kind import BackendKind
    from evaluator.readers.team.wire import Evaluation
    from hooks.host import Host


class SystemClock:
    """Implements evaluator.ports.Clock."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


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
    who: Callable[[], str]
    """The backend that reads, never `auto`."""
    parts_by: Callable[[Callable[[], str]], dict[str, Any]]
    """The parts that depend on who reads."""
    aside: Aside | None = None
    """What goes on beside the calls; None in a hook's own process, which ends with its answer."""

    @property
    def backend(self) -> str:
        return self.who()

    @property
    def settings(self) -> Settings:
        return self.parts.settings

    def take_owed(self, session: str, *, asked_since: bool = False) -> Owed:
        """What a subagent's calls left to tell the person and still holds; it is owed no more."""
        from evaluator.intervention.records import NOTHING, joined_owed

        found = self.store.take_owed(session)
        if not found:
            return NOTHING
        from evaluator.intervention.resolution import waiting

        judged = any(one.binding for one in waiting(self.store.intervention(session), time.time()))
        return joined_owed(found, waits=judged and not asked_since)


def wire(  # noqa: PLR0913 - the parts that a caller may replace, by name
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    loaded: layers.Loaded | None = None,
    *,
    host: Host | None = None,
    settings: Settings | None = None,
    keep: bool = True,
    booked: bool = False,
    store: OpenedStore | None = None,
    warm: ReaderLoop | None = None,
    aside: Aside | None = None,
    learnt: Store | None = None,
) -> Wired:
    """The gate of a project: every part, joined by its settings. `keep` False judges without touching state or the
    event log, but where `booked` what hosted readers take of the day counts on the machine and is capped there.
    `settings` overrides what was loaded. `host` None is the default one.

    What was loaded also says which environment and home to go on with. A `store` that is given is not
    closed by the gate; with `warm` its hosted readers keep their connections there, and what they learn of servers in
    `learnt`, by default in the state: it has to last as long as they do.
    """
    host = host or registry.default_host()
    if loaded is None and settings is None:
        loaded = load(env, home, project_dir, host=host)
    if loaded is not None:
        env, home = loaded.clean.env, loaded.clean.home
    chosen = settings or cast(layers.Loaded, loaded).settings
    clock = SystemClock()
    folder = state_dir(env, home)
    told = partial(FaultLog(folder, clock.now).note, "event log")
    opened = store
    if opened is None:
        if keep:
            opened = open_store(folder, now=clock.now())
        elif booked:
            from compass.composition.process import BookedStore

            opened = OpenedStore(BookedStore(folder), None)
        else:
            opened = OpenedStore(MemoryStore(), None)
    faults = (opened.fault,) if opened.fault else ()
    state = opened.store

    def heard(answer: Evaluation) -> None:
        from compass.composition.team_policy import note_answer

        note_answer(answer, chosen, env, home, aside)

    @cache
    def backend() -> str:
        if chosen.evaluator.backend != AUTO:
            return chosen.evaluator.backend
        from compass.composition.automatic_backend import backend_in_force

        return backend_in_force(chosen, env, home, project_dir)

    def nested() -> bool:
        """Whether our own reader process calls: it holds a token that was issued, and the issuer stands above it."""
        token = env.get("COMPASS_NESTED", "")
        if not token or not state.holds_token(token, clock.now()):
            return False
        from evaluator.processes import ancestors

        return token.partition("@")[2] in [one.name for one in ancestors(os.getpid())]

    @cache
    def expressions(globs: tuple[str, ...]) -> tuple[str, ...] | None:
        return effects.remembered_globs(globs, state)

    calibration = layers.calibration_file(env, home, project_dir)
    parts_by = partial(
        reader_parts, settings=chosen, env=env, clock=clock,
        calibration=calibration, learnt=learnt or state, warm=warm, heard=heard,
    )  # fmt: skip
    parts = Parts(
        **parts_by(backend),
        settings=chosen,
        store=state,
        sink=EventLog(events_path(env, home), onlooker_dir(env, home), on_fault=told) if keep else None,
        # What a transcript says stays in the state only where evidence may.
        transcripts=host.transcripts(state if chosen.store_evidence else None),
        instructions=lambda pending: effects.instruction_lines(host.FILES, home, pending.project_dir),
        effects_of=lambda pending: effects.effects_on_disk(pending, chosen),
        protects=Guard(env, home),
        scripts=effects.effects_through,
        builds=lambda pending: effects.builds(pending, chosen.bash),
        clock=clock,
        token=lambda: os.urandom(8).hex(),
        attended=host.attended(env),
        slot=lambda: slot(
            os.path.join(folder, "slots"),
            max(1, chosen.evaluator.max_concurrent_samples // chosen.evaluator.n),
        ),
        new_id=lambda now: ulid(now, os.urandom(10)),
        nested=nested,
        translate=expressions,
        linked=lambda path: (DISK.identity(path) or (0, 0, 0))[2] > 1,
        text_of=effects.text_on_disk,
        unreadable=opened.newer,
        memory=precedent_memory(chosen, state, env, home, host) if keep or store is not None else None,
        origin=lambda pending: host.origin(env, state, pending.session_id, pending.transcript_path or ""),
    )
    # A state that was given belongs to somebody else, who closes it.
    close = state.close if store is None else lambda: None
    return Wired(parts, state, env, home, project_dir, faults, close, host, backend, parts_by, aside)


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
    servers; `heard` is told of each answer of a team's evaluator."""

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

    def readers() -> Readers:
        from compass.composition.readers import make_readers

        return make_readers(who(), settings, env, learnt, clock, rule, warm, heard=heard)

    return {
        "readers": readers,
        "rule": rule,
        "breaker": breaker,
        "line": line,
        "prompt": prompt,
        "paid": lambda: kind().hosted,
        "least": lambda: kind().least(settings),
    }


def precedent_memory(
    settings: Settings, store: PrecedentStore, env: Mapping[str, str], home: str, host: Host
) -> PrecedentMemory | None:
    if not settings.memory.enabled:
        return None

    @cache
    def serves() -> bool:
        """Whether a user's answers count at this host; a program has no row that says so."""
        try:
            row = host.setup().PROMISES
        except LookupError:
            return False
        return row.answers_count

    return PrecedentMemory(store, state_dir(env, home), serves)


def gate_in_session(wired: Wired, session: str) -> Wired:
    """The gate with the readers of that session; the first call of one that has none finds them out.

    What is then told is owed to the session: the call has an answer of its own.
    """
    if wired.settings.evaluator.backend != AUTO:
        return wired

    @cache
    def who() -> str:
        kept = wired.store.backend_of(session)
        if kept == EMBEDDED:
            return kept
        from compass.composition.automatic_backend import CLIENT, agreement_of

        # A yes to calls on the person's subscription ends when they take it back, not with the session.
        if kept in BACKEND_MODULES and (
            kept != CLIENT or agreement_of(wired.env, wired.home, wired.project_dir).agreed
        ):
            return kept
        name, told = begin_session(wired, session)
        if told:
            from evaluator.intervention.records import Owed

            wired.store.owe(session, Owed(told, "", held=False))
        return name

    return replace(wired, parts=replace(wired.parts, **wired.parts_by(who)), who=who)


def begin_session(wired: Wired, session: str) -> tuple[str, str]:
    """(who reads in the session from now on, what its person is told of that)."""
    from compass.composition.automatic_backend import agreement_of, choose_backend
    from evaluator.readers.kinds.kind import backend_label

    agreement = agreement_of(wired.env, wired.home, wired.project_dir)
    name, why = choose_backend(wired.settings, wired.env, agreement)
    wired.store.set_backend(session, name)
    attended = wired.parts.attended or wired.store.was_attended(session)
    # What nobody reads is left for the next session that a person is at.
    if not (attended and note_readers_told(wired.store, wired.project_dir, name)):
        return name, ""
    return (
        name,
        f"Compass: readers are now {backend_label(name)}, because {why}; `compass doctor` shows more.",
    )


def note_readers_told(store: Store, project_dir: str, name: str) -> bool:
    """Keep that the person knows who reads in the project. Whether they are to be told that it was another one."""
    return store.change_note(f"readers:{project_dir}", lambda last: (name, last not in (None, name)), False)
