"""Breaks one named part of a check, at its seam, and tells whether the check came by it.

The names come from the real lists, so that what is added to them is broken too: a port's method is
`store.prompts`, any other part of `Parts` that can be called goes by its own name.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest import mock

from compass.composition import gate
from compass.composition.gate import Wired
from compass.composition.process import Aside
from compass.hook import dispatch
from evaluator import ports
from evaluator.events import EventLog
from evaluator.gate.run import Parts
from evaluator.model import Concern, Sample, Subject
from evaluator.state.store import PrecedentStore, Store

PORTS: dict[str, type[Any]] = {
    "store": Store,
    "sink": EventLog,
    "transcripts": ports.TranscriptSource,
    "clock": ports.Clock,
}
DATA = frozenset(("settings", "attended", "unreadable", "measures", "gone"))
"""The parts that are values: there is nothing to call in them."""
MEMORY = ("serves", "project", "place")
"""What of the part `memory` is called beside its store, whose methods go by `memory.` too."""
BESIDE_CHECKS = frozenset((
    "backend_of", "breakers", "change_note", "close", "get_note", "outages", "owe", "recall_exchange",
    "remember_exchange", "set_backend", "set_note", "take_owed",
))  # fmt: skip
"""What of the store is used around checks, and by commands."""

SLOT_ENDS = ("slot.__enter__", "slot.__exit__")


def _methods(port: type[Any]) -> list[str]:
    named = {name for name, what in vars(port).items() if callable(what) and not name.startswith("_")}
    return sorted(named - BESIDE_CHECKS if port is Store else named)


def part_names() -> list[str]:
    """Every part of a check that can be called, the port's methods one by one."""
    names = ["readers.collect", *SLOT_ENDS]
    for part in fields(Parts):
        if part.name in PORTS:
            names += [f"{part.name}.{method}" for method in _methods(PORTS[part.name])]
        elif part.name == "memory":
            names += [f"memory.{method}" for method in (*MEMORY, *_methods(PrecedentStore))]
        elif part.name not in DATA:
            names.append(part.name)
    return names


class AtOnce(Aside):
    """What goes on beside the calls of a service, done before the call ends."""

    def start(self, job: Callable[[], None]) -> bool:
        job()
        return True


@dataclass
class ScriptedReaders:
    """Three readers that cost money and all say the same; below 0 none of them answers."""

    score: float
    name: str = "scripted"
    model: str = "none"

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        if self.score < 0:
            return tuple(Sample(f"reader-{number}", error="server: scripted") for number in range(3))
        concern: Concern = "none" if self.score > 0.5 else "target"
        return tuple(
            Sample(f"reader-{number}", self.score, concern, "scripted", cost_usd=0.01) for number in range(3)
        )


@dataclass
class Saboteur:
    """Wires checks as the product does, but with `score` from its readers; breaks `part` with `fault`.

    `part` empty: nothing breaks, and `came_by` notes all parts that were used.
    """

    score: float = 0.95
    part: str = ""
    fault: BaseException = field(default_factory=lambda: RuntimeError("boom"))
    came_by: set[str] = field(default_factory=set[str])
    first_flight_is_anothers: bool = False

    def wire(self, *args, **named) -> Wired:
        wired = gate.wire(*args, **named)
        parts = wired.parts
        if parts.settings.evaluator.backend == "embedded":
            readers = ScriptedReaders(self.score)
            self._spy(readers, "collect", "readers.collect")
            parts = replace(parts, paid=lambda: True, readers=lambda: readers)
        if self.first_flight_is_anothers:
            self._keep_waiting_once(parts)
        parts = replace(parts, slot=partial(self._broken_ends, parts.slot))
        for port, protocol in PORTS.items():
            for method in _methods(protocol):
                self._spy(getattr(parts, port), method, f"{port}.{method}")
        for part in fields(Parts):
            if part.name == "memory":
                parts = replace(parts, memory=self._spied_memory(parts.memory))
            elif part.name not in PORTS and part.name not in DATA:
                spied: dict[str, Any] = {part.name: self._spied(getattr(parts, part.name), part.name)}
                parts = replace(parts, **spied)
        return replace(wired, parts=parts, aside=AtOnce())

    @contextmanager
    def at_work(self) -> Generator[None]:
        with mock.patch.object(dispatch, "wire", self.wire):
            yield

    def _come_by(self, name: str):
        self.came_by.add(name)
        if name == self.part:
            raise self.fault.with_traceback(None)

    def _spied(self, act: Callable[..., Any], name: str) -> Callable[..., Any]:
        def spied(*args, **named):
            self._come_by(name)
            return act(*args, **named)

        return spied

    def _spy(self, owner, method: str, name: str):
        """On the object itself, so that closures over it are spied on too."""
        setattr(owner, method, self._spied(getattr(owner, method), name))

    def _spied_memory(self, memory):
        if memory is None:
            return None
        for method in _methods(PrecedentStore):
            self._spy(memory.store, method, f"memory.{method}")
        spied = {name: self._spied(getattr(memory, name), f"memory.{name}") for name in MEMORY}
        return SimpleNamespace(store=memory.store, **spied)

    def _keep_waiting_once(self, parts: Parts):
        store: Any = parts.store
        enter, asked = store.enter_flight, list[str]()

        def enter_flight(*args) -> bool:
            asked.append("")
            return len(asked) > 1 and bool(enter(*args))

        store.enter_flight = enter_flight

    @contextmanager
    def _broken_ends(self, slot: Callable[[], Any]) -> Generator[bool]:
        with slot() as free:
            self._come_by("slot.__enter__")
            yield free
        self._come_by("slot.__exit__")
