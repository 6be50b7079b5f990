"""Recorded sessions, through the gate once more: what it would have decided of each call, had it only watched.

The sessions went on as they are recorded, so nothing is held back: each call is judged as the first that would be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from compass.composition.settings import load_for
from compass.replay.batch import BatchBackend, read_answers
from compass.replay.stage import Judged, ReplayPlan, Stage, Tally
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings import layers
from hooks import registry
from hooks.registry import recorded_by
from hooks.sessions import Called, Ended, Interrupted, Passed, Spoken

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loader:
    """The settings of a project, as they stand now."""

    env: Mapping[str, str]

    def __call__(self, project: str, host: str) -> layers.Loaded:
        return load_for(dict(self.env), project, host=registry.host_of(host))


@dataclass(slots=True)
class ReplayedSession(Generic[T]):
    """What came of one session: a row for each write-class call that gives one, in order.

    `places` has the number of each call that it holds, `problems` what is wrong with its project's settings.
    """

    rows: list[T] = field(default_factory=list[T])
    tally: Tally = field(default_factory=Tally)
    passed: Passed = field(default_factory=Passed)
    places: list[int] = field(default_factory=list[int])
    problems: tuple[str, ...] = ()


class Replay:
    """Replays session after session. Settings are those of each session's own project, as they stand now."""

    def __init__(self, plan: ReplayPlan) -> None:
        self._plan = plan
        self._loaded: dict[tuple[str, str], layers.Loaded] = {}
        self._answers = read_answers(plan.batch.answers) if plan.batch else {}

    def session(
        self, transcript: str, row: Callable[[Judged], T | None], before: Container[int] = ()
    ) -> ReplayedSession[T]:
        """As `judged`, a row for each."""
        found = ReplayedSession[T]()
        for judged in self.judged(transcript, found, before):
            made = row(judged)
            if made is not None:
                found.rows.append(made)
        return found

    def judged(
        self, transcript: str, found: ReplayedSession[T], before: Container[int] = ()
    ) -> Iterator[Judged]:
        """The write-class calls from `since` on, in order, counted in `found`. A call of `before`, which another file
        held already, is passed over: a resumed session may repeat the lines of the one before."""
        own: set[int] = set()
        host = self._plan.host or recorded_by(transcript) or registry.DEFAULT
        stage: Stage | None = None
        try:
            for moment in registry.host_of(host).sessions().session_moments(transcript, found.passed):
                if isinstance(moment, Ended | Interrupted):
                    if stage is not None:
                        stage.hear(moment)
                    continue
                if stage is None:
                    stage = self._stage(transcript, moment.project, host, found)
                if isinstance(moment, Spoken):
                    stage.hear(moment)
                elif self._is_new(moment, found, own, before):
                    found.tally.calls += 1
                    judged = stage.judge(moment)
                    if judged is not None:
                        yield judged
        finally:
            if stage is not None:
                stage.close()

    def _stage(self, transcript: str, project: str, host: str, found: ReplayedSession[T]) -> Stage:
        found.tally.sessions += 1
        if (project, host) not in self._loaded:
            self._loaded[project, host] = self._plan.load(project, host)
        loaded = self._loaded[project, host]
        found.problems = tuple(map(str, loaded.problems))
        return Stage(self._plan, host, loaded, transcript, project, found.tally, self._asked(loaded))

    def _asked(self, loaded: layers.Loaded) -> BatchBackend | None:
        batch, backend = self._plan.batch, self._plan.backend
        if batch is None:
            return None
        model = kind_of(backend).model(loaded.settings)
        return BatchBackend(backend, model, self._answers, batch.readers)

    def _is_new(
        self, called: Called, found: ReplayedSession[T], own: set[int], before: Container[int]
    ) -> bool:
        if called.at < self._plan.since or not called.tool_name:
            return False
        if not called.uuid:
            return True
        place = place_of(called)
        if place in own:
            return False
        own.add(place)
        found.places.append(place)
        return place not in before


def place_of(called: Called) -> int:
    """A number of 64 bits for where a call stands, whichever file holds its line."""
    said = f"{called.uuid}\0{called.tool_use_id}\0{called.index}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest())
