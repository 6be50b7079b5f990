"""One call through a gate that is made for it: by `judge`, by `compass check`, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from compass.joining.clock import SystemClock
from compass.joining.inputs import Given, parts_for
from evaluator.gate import pipeline
from evaluator.gate.run import Parts, Waiting, drive

if TYPE_CHECKING:
    from compass.joining.gate import Wired
    from evaluator.model import Check, PendingWrite


def checking(
    joined: Callable[[], Wired], stated: Callable[[Parts], Parts], pending: PendingWrite
) -> Waiting[Check]:
    """`joined` makes the gate, which is closed after the call; `stated` puts in what is said, not looked up."""
    wired = joined()
    try:
        return (yield from pipeline.checking(stated(wired.parts), pending))
    finally:
        wired.close()


def check_given(joined: Callable[[], Wired], given: Given) -> Check:
    """The same of a host's payload or a labelled case."""
    found = checking(joined, lambda parts: parts_for(given, parts), given.pending)
    return drive(found, SystemClock())
