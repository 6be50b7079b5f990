"""What was learnt of one server and model, from how it answered: kept for a day, so that an upgrade is found out.

A server of the user's own may refuse a field or ignore the schema. Knows neither HTTP nor an SDK.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final, Protocol

from evaluator.record import Record, replace

if TYPE_CHECKING:
    from evaluator.ports import Clock

HOLDS_SECONDS: Final = 86_400.0

SCHEMA_FIELDS: Final = frozenset({"output_config", "response_format"})
"""In which the schema of the answer goes along, by either API."""


class Learnt(Record):
    """`without` names fields that the server refuses. `ignores_schema`: an answer did not keep the schema that was
    sent along. `at_once` is how many requests it serves at the same time, None where it was not asked."""

    without: frozenset[str] = frozenset()
    ignores_schema: bool = False
    at_once: int | None = None

    @property
    def keeps_schema(self) -> bool:
        return not (self.without & SCHEMA_FIELDS or self.ignores_schema)

    def leaving_out(self, *fields: str) -> Learnt:
        return replace(self, without=self.without | set(fields))


NOTHING: Final = Learnt()


class Notes(Protocol):
    """What of the machine's state is used."""

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...


class ServerMemory:
    """`learnt` of a server and model by one backend, in the state and this process. The address is kept as a digest."""

    def __init__(self, notes: Notes, clock: Clock, backend: str, address: str, model: str) -> None:
        self._notes = notes
        self._clock = clock
        digest = hashlib.sha256(address.rstrip("/").encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self.key = f"server:{backend}:{digest}:{model}"
        self._held: tuple[float, Learnt] | None = None

    @property
    def learnt(self) -> Learnt:
        """NOTHING where nothing is known, or no longer."""
        if self._held is None:
            # (when, what); anything that is not as `learn` wrote it counts as nothing, long ago.
            try:
                shown = json.loads(self._notes.get_note(self.key) or "")
                at, without = float(shown.pop("at")), frozenset(shown.pop("without"))
                self._held = at, Learnt(**shown, without=without)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self._held = float("-inf"), NOTHING
        since, learnt = self._held
        return learnt if 0.0 <= self._clock.now() - since < HOLDS_SECONDS else NOTHING

    def learn(self, learnt: Learnt) -> None:
        """Counts from the first thing that was learnt: whatever comes later is forgotten together with it."""
        if learnt == self.learnt:
            return
        now = self._clock.now()
        since = self._held[0] if self._held is not None and self.learnt != NOTHING else now
        self._held = (since, learnt)
        shown = {
            "at": since,
            "without": sorted(learnt.without),
            "ignores_schema": learnt.ignores_schema,
            "at_once": learnt.at_once,
        }
        self._notes.set_note(self.key, json.dumps(shown))
