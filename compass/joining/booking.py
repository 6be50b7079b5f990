"""What hosted readers take of the day is booked on the machine, whoever's state the rest is kept in."""

from __future__ import annotations

import threading
import time
from typing import cast

from evaluator.state.memory import MemoryStore
from evaluator.state.store import Store, open_store


class Books:
    """The machine's state by its folder, opened once somebody asks for the caps, and kept open. Safe for threads.

    Opened for each check, it would be emptied and synced to disk at each close.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, list[Store]] = {}
        """The last one of a folder is in use; one in memory stands in until the folder can be used."""

    def of(self, folder: str) -> Store:
        with self._lock:
            opened = self._opened.setdefault(folder, [])
            if not opened or isinstance(opened[-1], MemoryStore):
                found = open_store(folder, now=time.time()).store
                if opened and isinstance(found, MemoryStore):
                    found.close()
                else:
                    opened.append(found)
            return opened[-1]

    def close(self) -> None:
        """Whoever asks later opens it again."""
        with self._lock:
            opened, self._opened = self._opened, {}
        for stores in opened.values():
            for store in stores:
                store.close()


class BookedStore(MemoryStore):
    """Forgets all but what is booked in `folder`, for what judges without leaving a record. `books` that are given
    stay open.
    """

    def __init__(self, folder: str, books: Books | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._books = books or Books()
        self._owns = books is None

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        self._books.of(self._folder).add_spend(day, usd, samples)

    def spent(self, day: str) -> float:
        return self._books.of(self._folder).spent(day)

    def samples_of(self, day: str) -> int:
        return self._books.of(self._folder).samples_of(day)

    def close(self) -> None:
        if self._owns:
            self._books.close()
        super().close()


class _BookedElsewhere:
    def __init__(self, store: Store, folder: str, books: Books) -> None:
        self._store = store
        self._folder = folder
        self._books = books

    def __getattr__(self, name: str) -> object:
        if name in ("add_spend", "spent", "samples_of"):
            return getattr(self._books.of(self._folder), name)
        return getattr(self._store, name)


def booked(store: Store, folder: str, books: Books) -> Store:
    """That store, whose spending stands in the state of `folder`."""
    return cast(Store, _BookedElsewhere(store, folder, books))
