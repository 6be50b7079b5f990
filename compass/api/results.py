"""What the calls of a program's running turn came back with, for what readers are told of it. Kept in memory alone."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from evaluator.model import Lookup
from evaluator.record import Record
from hooks.transcript import CALLS_MAX, bounded


class _Begun(Record):
    tool: str
    input: Mapping[str, object]
    agent: str


class Results:
    """Of one session. `agent` is a subagent's id, empty for the agent itself. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: OrderedDict[str, _Begun] = OrderedDict()
        self._ended: list[tuple[str, Lookup]] = []

    def begun(self, call_id: str, tool: str, given: Mapping[str, object], agent: str) -> None:
        """That call runs."""
        with self._lock:
            self._begun[call_id] = _Begun(tool, given, agent)
            if len(self._begun) > CALLS_MAX:
                self._begun.popitem(last=False)

    def ended(self, call_id: str, output: str, *, failed: bool) -> None:
        """Nothing of a call that did not run here."""
        with self._lock:
            call = self._begun.pop(call_id, None)
            if call is None:
                return
            self._ended.append((call.agent, Lookup(call.tool, call.input, bounded(output), failed)))
            of_agent = [place for place, (agent, _) in enumerate(self._ended) if agent == call.agent]
            if len(of_agent) > CALLS_MAX:
                del self._ended[of_agent[0]]

    def turn(self, agent: str) -> None:
        """Another turn of that agent begins: what it read before is no finding of this one."""
        with self._lock:
            self._ended = [one for one in self._ended if one[0] != agent]
            for call_id in [call_id for call_id, call in self._begun.items() if call.agent == agent]:
                del self._begun[call_id]

    def newest_first(self, agent: str) -> tuple[Lookup, ...]:
        with self._lock:
            return tuple(call for of, call in reversed(self._ended) if of == agent)
