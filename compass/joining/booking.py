"""What hosted readers take of the day is booked on the machine, whoever's state the rest is kept in."""

from __future__ import annotations

import time
from typing import cast

from evaluator.state.memory import MemoryStore
from evaluator.state.store import Store, open_store


class _Books:
    """The caps are those of the machine. Its database, in `folder`, is opened once somebody asks for them."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._opened: Store | None = None

    @property
    def machine(self) -> Store:
        if self._opened is None:
            self._opened = open_store(self._folder, now=time.time()).store
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()


class BookedStore(MemoryStore):
    """Forgets all but what is booked in `folder`, for what judges without leaving a record."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._books = _Books(folder)

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        self._books.machine.add_spend(day, usd, samples)

    def spent(self, day: str) -> float:
        return self._books.machine.spent(day)

    def samples_of(self, day: str) -> int:
        return self._books.machine.samples_of(day)

    def close(self) -> None:
        self._books.close()
        super().close()


class _BookedElsewhere:
    def __init__(self, store: Store, folder: str) -> None:
        self._store = store
        self._books = _Books(folder)

    def __getattr__(self, name: str) -> object:
        if name in ("add_spend", "spent", "samples_of"):
            return getattr(self._books.machine, name)
        return getattr(self._store, name)

    def close(self) -> None:
        self._books.close()
        self._store.close()


def booked(store: Store, folder: str) -> Store:
    """That store, whose spending stands in the state of `folder`."""
    return cast(Store, _BookedElsewhere(store, folder))
