"""The state stores under contract, and how a test lets one of them judge a write."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.effects import effect
from evaluator.ports import TurnKey
from evaluator.state.memory import MemoryStore
from evaluator.state.store import Store, open_store

if TYPE_CHECKING:
    from evaluator.state.postgres.database import PostgresDatabase

NOW = 1_735_732_800.0
KINDS = ("sqlite", "memory", "postgres")


@contextmanager
def state_store(
    kind: str, folder: Path, shared: Callable[[], PostgresDatabase]
) -> Generator[Store, None, None]:
    """A fresh store of that kind, which must end without a fault; in PostgreSQL a team of its own in `shared`."""
    if kind == "memory":
        yield MemoryStore()
        return
    if kind == "postgres":
        from evaluator.state.postgres.store import PostgresStore

        of_team = PostgresStore(shared(), f"t-{secrets.token_hex(8)}")
        yield of_team
        assert list(of_team.faults) == []
        return
    opened = open_store(str(folder / "compass"), now=NOW)
    assert opened.fault is None
    yield opened.store
    assert list(opened.store.faults) == []
    opened.store.close()


def judge(store: Store, tool_use_id: str, turn: TurnKey, *targets: str, at: float = NOW) -> None:
    each = [effect("edit", target) for target in targets]
    store.note_call(tool_use_id, turn, each, each, at)
