"""What the state's tables run in: a database, or none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")


class Transactions(Protocol):
    """Runs SQL; `otherwise` is the answer if the database fails."""

    def read(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T: ...

    def write(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T: ...

    def together(self, what: str) -> AbstractContextManager[None]: ...

    def close(self) -> None: ...


class Nowhere:
    """Keeps nothing, and is not asked: every answer is the safe one."""

    def read(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        return otherwise

    def write(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        return otherwise

    def together(self, what: str) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """Nothing is open."""
