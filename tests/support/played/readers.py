"""The readers' API of a played session: what its readers answer to each call, and what they were shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply, status

from evaluator.effects import strings_of

N = 5
GATHER_SECONDS = 0.4
"""How long a request is held for the others of its check, so that each is counted before one is cancelled."""

BROAD = {"action": "change", "target": "the whole module", "extent": "folder"}
NARROW = {"action": "change", "target": "one function", "extent": "one_place"}


def _says(score: object, **changes: Any) -> Behaviour:
    said: dict[str, Any] = {"target": "the named file", **changes}
    return reply(answer(score, **said))


def _both(scores: Iterable[float], broad: int = 3, **changes: Any) -> list[Behaviour]:
    """So many readers with the broad reading, the others with the narrow one."""
    readings = [BROAD] * broad + [NARROW] * (N - broad)
    pairs = zip(scores, readings, strict=True)
    return [_says(score, **reading, **changes) for score, reading in pairs]


ANSWERS: Mapping[str, list[Behaviour]] = {
    "clear": [_says(0.95)],
    "ambiguous": _both([0.3] * N, fits=False, primary_concern="scope", rationale="the extent is not stated"),
    "split": _both([0.95] * 4 + [0.2], 4, primary_concern="scope", rationale="it reads two ways"),
    "two_readings": _both([0.95] * N),
    "one_apart": _both([0.95] * N, broad=4),
    "unfit": [_says(0.2, fits=False, primary_concern="scope", rationale="it goes beyond the reading")],
    "low": [_says(0.3, fits=False, primary_concern="context", rationale="nothing asks for this")],
    "destructive": [
        _says(0.05, fits=False, primary_concern="destructive", rationale="nobody asked to lose this")
    ],
    "down": [status(503, "overloaded, try later")],
    "refused": [status(401, "invalid x-api-key")],
    "garbage": [reply("I think this is fine, go ahead.")],
}


def behaviours(given: Any) -> list[Behaviour]:
    """`given` names an answer, lists scores, or is an object of answer and usage."""
    if isinstance(given, list):
        return [_says(score) for score in cast(Sequence[Any], given)]
    if isinstance(given, dict):
        return [reply(one.text, usage=given["usage"]) for one in ANSWERS[given["answer"]]]
    return ANSWERS[given]


class ReaderApi(LoopbackApi):
    """Answers the readers of one call after another by the plan that was set last."""

    def __init__(self) -> None:
        super().__init__()
        self._plan = itertools.cycle(ANSWERS["clear"])
        self._mark = 0

    def expect_call(self, given: Any) -> None:
        """From now on every request is answered as `given` says, in turn."""
        self._plan = itertools.cycle(behaviours(given))
        self._mark = len(self.requests)

    @property
    def asked(self) -> list[Received]:
        """The requests since `expect_call`."""
        return self.requests[self._mark :]

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        behaviour = next(self._plan)
        round_of = -(-len(self.asked) // N) * N
        self.wait_for_requests(self._mark + round_of, GATHER_SECONDS)
        return behaviour


def shown(received: Received) -> str:
    """All text of the user part of a reader's request."""
    return "\n".join(strings_of(received.body["messages"]))
