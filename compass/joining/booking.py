"""A state that forgets all but what hosted readers take of the day, for what judges without leaving a record."""

from __future__ import annotations

import time

from evaluator.state.memory import MemoryStore
from evaluator.state.store import Store, open_store


class BookedStore(MemoryStore):
    """The caps are those of the machine. Its database, in `folder`, is opened once somebody asks for them."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder
        self._books: Store | None = None

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        self._machine.add_spend(day, usd, samples)

    def spent(self, day: str) -> float:
        return self._machine.spent(day)

    def samples_of(self, day: str) -> int:
        return self._machine.samples_of(day)

    def close(self) -> None:
        if self._books is not None:
            self._books.close()
        super().close()

    @property
    def _machine(self) -> Store:
        if self._books is None:
            self._books = open_store(self._folder, now=time.time()).store
        return self._books
