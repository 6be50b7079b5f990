"""How often `check_write` may be called: a few times a turn, or a minute where nobody tells turns apart. Pure."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from typing import cast

CALLS_MAX = 3
SPAN_SECONDS = 60.0
TURNS_MAX = 1000
"""Turns that are remembered, the newest."""


class Calls:
    """Counts of one project. Not for threads."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, int] = OrderedDict()
        self._recent: deque[float] = deque()

    def take(self, turn: str, now: float) -> bool:
        """Whether one more call may be made. `turn` is empty where no session's file vouches for one; `now` in
        seconds. A call that was made later than `now` counts for nothing: the clock was set back since.
        """
        if turn:
            taken = self._turns.pop(turn, 0)
            self._turns[turn] = min(taken + 1, CALLS_MAX)
            if len(self._turns) > TURNS_MAX:
                self._turns.popitem(last=False)
            return taken < CALLS_MAX
        self._recent = deque(at for at in self._recent if 0 <= now - at < SPAN_SECONDS)
        if len(self._recent) >= CALLS_MAX:
            return False
        self._recent.append(now)
        return True

    def told(self) -> dict[str, object]:
        """As JSON takes it, for `of`."""
        return {"turns": dict(self._turns), "recent": list(self._recent)}

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Calls:
        """What is no count is left out."""
        found = cls()
        turns, recent = told.get("turns"), told.get("recent")
        if isinstance(turns, dict):
            counts = cast("dict[str, object]", turns)
            found._turns.update({turn: count for turn, count in counts.items() if isinstance(count, int)})
        if isinstance(recent, list):
            found._recent.extend(
                float(at) for at in cast("list[object]", recent) if isinstance(at, int | float)
            )
        return found
