"""Joins settings, state, readers and the pipeline. The only place that knows every part."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from compass.backend_choice import choose_backend
from compass.clock import SystemClock
from compass.protected import protects
from evaluator import config
from evaluator.events import EventLog
from evaluator.model import Subject, Thresholds
from evaluator.ports import Backend, Clock, Readers
from evaluator.run import Circuit, FallbackJudgement, Parts
from evaluator.settings import Settings
from evaluator.stages.bash import classify
from evaluator.stages.breaker import key_for, rules_of
from evaluator.stages.convergence import certain_block, score_of
from evaluator.stages.effect import effect_of
from evaluator.state.faults import FaultLog
from evaluator.state.memory import MemoryStore
from evaluator.state.slots import slot
from evaluator.state.store import OpenedStore, Store, open_store
from evaluator.state.ulid import ulid
from evaluator.transcript.reader import TranscriptReader

if TYPE_CHECKING:
    from evaluator.readers.warm import ReaderLoop

EMBEDDED = "embedded"
# A nested reader outlives its own time-out by its start and its end.
TOKEN_GRACE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Wired:
    """One project's gate, ready to judge. `close` releases its state."""

    parts: Parts
    store: Store
    env: Mapping[str, str]
    home: str
    project_dir: str
    faults: tuple[str, ...]
    close: Callable[[], None]

    @property
    def settings(self) -> Settings:
        return self.parts.settings


def wire(
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    loaded: config.Loaded | None = None,
    *,
    settings: Settings | None = None,
    keep: bool = True,
    store: OpenedStore | None = None,
    warm: ReaderLoop | None = None,
) -> Wired:
    """`keep` False judges without touching state or the event log. `settings` overrides what was loaded.

    What was loaded also says which environment and home to go on with. A `store` that is given is not
    closed by the gate; with `warm` its hosted readers keep their connections there.
    """
    if loaded is None and settings is None:
        loaded = config.load(env, home, project_dir)
    if loaded is not None:
        env, home = loaded.clean.env, loaded.clean.home
    chosen = settings or cast(config.Loaded, loaded).settings
    clock = SystemClock()
    faults: list[str] = []
    faults_log = FaultLog(config.state_dir(env, home), clock.now)
    opened = store
    if opened is None:
        kept = open_store(config.state_dir(env, home), now=clock.now()) if keep else None
        opened = kept or OpenedStore(MemoryStore(), None)
    faults += [opened.fault] if opened.fault else []
    state = opened.store

    def note_event_fault(fault: str) -> None:
        faults_log.note("event log", fault)

    slots = max(1, chosen.evaluator.max_concurrent_samples // chosen.evaluator.n)
    slots_dir = os.path.join(config.state_dir(env, home), "slots")
    backend, _ = (
        choose_backend(chosen, env) if chosen.evaluator.backend == "auto" else (chosen.evaluator.backend, "")
    )
    parts = Parts(
        settings=chosen,
        store=state,
        sink=EventLog(
            config.events_path(env, home),
            config.onlooker_dir(env, home),
            on_fault=note_event_fault,
        )
        if keep
        else None,
        transcripts=TranscriptReader(),
        readers=lambda: make_readers(backend, chosen, env, state, clock, warm),
        fallback=_fallback,
        effect_of=lambda pending: effect_of(
            pending,
            classify=lambda command, cwd: classify(command, cwd, chosen.bash),
            mcp_tools=chosen.gate.mcp_tools,
            exists=os.path.lexists,
            resolve=os.path.realpath,
        ),
        protects=lambda pending, effect: protects(pending, effect, env, home),
        clock=clock,
        token=lambda: os.urandom(8).hex(),
        attended=env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1",
        circuit=lambda session_id: _circuit(chosen, env, backend, session_id),
        slot=lambda seconds: slot(slots_dir, slots, seconds),
        new_id=lambda now: ulid(now, os.urandom(10)),
        paid=backend != EMBEDDED,
        nested=lambda: _nested(env, state, clock),
    )
    close = state.close if store is None else _nothing
    return Wired(parts, state, env, home, project_dir, tuple(faults), close)


def make_readers(
    name: str,
    settings: Settings,
    env: Mapping[str, str],
    store: Store,
    clock: Clock,
    warm: ReaderLoop | None = None,
) -> Readers:
    """The named backend's readers; imports what they need only now. With `warm` they stay connected there."""
    if name == EMBEDDED:
        from evaluator.readers.embedded.evaluator import EmbeddedReaders

        return EmbeddedReaders()
    from evaluator.readers.sampling import SampledReaders, SamplingPlan

    thresholds = Thresholds(settings.confidence_threshold, settings.stddev_threshold)

    def hosted() -> Backend:
        return _hosted(name, settings, env, store, clock)

    known = tuple(sorted(item for item in env.items() if item[0].startswith("ANTHROPIC_")))
    readers = SampledReaders(
        warm.backend((name, settings.evaluator, settings.claude_cli, known), hosted) if warm else hosted(),
        SamplingPlan.of(settings, name),
        settled=lambda valid, outstanding: certain_block(
            [score_of(sample) for sample in valid], outstanding, thresholds
        ),
        clock=clock,
        nonce=lambda: os.urandom(6).hex(),
    )
    if warm is None:
        return readers
    from evaluator.readers.warm import WarmReaders

    return WarmReaders(readers, warm)


def _hosted(name: str, settings: Settings, env: Mapping[str, str], store: Store, clock: Clock) -> Backend:
    model = settings.evaluator.model
    if name == "claude-cli":
        from evaluator.readers.claude_cli import ClaudeCliBackend

        return ClaudeCliBackend(
            model,
            env,
            issue=lambda: store.issue_token(
                clock.now(), settings.claude_cli.timeout_seconds + TOKEN_GRACE_SECONDS
            ),
            revoke=store.revoke_token,
            command=settings.claude_cli.command,
        )
    from evaluator.readers.anthropic_api import AnthropicBackend

    note = f"refuses-temperature:{model}"
    return AnthropicBackend(
        model,
        env,
        base_url=settings.evaluator.base_url,
        without_temperature=(model,) if store.get_note(note) else (),
        on_temperature_refused=lambda refused: store.set_note(f"refuses-temperature:{refused}", "yes"),
    )


def _circuit(settings: Settings, env: Mapping[str, str], backend: str, session_id: str) -> Circuit | None:
    if not settings.circuit_breaker.enabled:
        return None
    return Circuit(key_for(settings, env, backend, session_id), rules_of(settings))


def _fallback(subject: Subject) -> FallbackJudgement:
    from evaluator.readers.embedded.fallback import judge_fallback

    return judge_fallback(subject)


def _nothing() -> None:
    """The state belongs to somebody else, who closes it."""


def _nested(env: Mapping[str, str], store: Store, clock: Clock) -> bool:
    """Whether our own reader process calls: it holds the token that we issued, which nobody can guess."""
    token = env.get("COMPASS_NESTED", "")
    return bool(token) and store.holds_token(token, clock.now())
