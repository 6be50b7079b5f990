"""What the tables run on: a connection inside a transaction of the caller, of SQLite or of PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Later = Callable[[], T]
"""What a statement found, read when it is called: several that are asked one after the other are answered together."""


class Cursor(Protocol):
    """The rows of one statement."""

    @property
    def rowcount(self) -> int:
        """How many rows a writing statement changed."""
        ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """`?` stands for a parameter; a statement keeps to what SQLite and PostgreSQL both know."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor: ...
