"""The state stores under contract, and how a test lets one of them judge a write."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from evaluator.effects import effect
from evaluator.ports import TurnKey
from evaluator.state.store import MemoryStore, Store, open_store

NOW = 1_735_732_800.0
KINDS = ("sqlite", "memory")


@contextmanager
def state_store(kind: str, folder: Path) -> Generator[Store, None, None]:
    """A fresh store of that kind, which must end without a fault."""
    if kind == "memory":
        yield MemoryStore()
        return
    opened = open_store(str(folder / "compass"), now=NOW)
    assert opened.fault is None
    yield opened.store
    assert list(opened.store.faults) == []
    opened.store.close()


def judge(store: Store, tool_use_id: str, turn: TurnKey, *targets: str, at: float = NOW) -> None:
    each = [effect("edit", target) for target in targets]
    store.note_call(tool_use_id, turn, each, each, at)
