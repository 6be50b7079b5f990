"""How often `check_write` may be called: a few times a turn, or a minute where nobody tells turns apart. Pure."""

from __future__ import annotations

from collections import OrderedDict, deque

CALLS_MAX = 3
SPAN_SECONDS = 60.0
TURNS_MAX = 1000
"""Turns that are remembered, the newest."""


class Calls:
    """Counts of one process. Not for threads."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, int] = OrderedDict()
        self._recent: deque[float] = deque()

    def take(self, turn: str, now: float) -> bool:
        """Whether one more call may be made. `turn` is empty where no session's file vouches for one; `now` in seconds,
        of a clock that does not jump.
        """
        if turn:
            taken = self._turns.pop(turn, 0)
            self._turns[turn] = min(taken + 1, CALLS_MAX)
            if len(self._turns) > TURNS_MAX:
                self._turns.popitem(last=False)
            return taken < CALLS_MAX
        while self._recent and now - self._recent[0] >= SPAN_SECONDS:
            self._recent.popleft()
        if len(self._recent) >= CALLS_MAX:
            return False
        self._recent.append(now)
        return True
