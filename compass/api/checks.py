"""One call through a gate that is made for it: by `judge` and its like, by `compass check`, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from compass.api.place import chosen
from compass.joining.gate import wire
from compass.joining.inputs import Given, parts_for
from evaluator.gate import pipeline
from evaluator.gate.run import Parts, Waiting

if TYPE_CHECKING:
    from compass.api.kept import Kept
    from compass.joining.gate import Wired
    from evaluator.configuration.loading import Loaded
    from evaluator.model import Check, PendingWrite
    from hooks.host import Host


def checking(
    joined: Callable[[], Wired], stated: Callable[[Parts], Parts], pending: PendingWrite
) -> Waiting[Check]:
    """`joined` makes the gate, which is closed after the call; `stated` puts in what is said, not looked up."""
    wired = joined()
    try:
        return (yield from pipeline.checking(stated(wired.parts), pending))
    finally:
        wired.close()


def checking_given(
    given: Given,
    host: Host,
    project: str,
    loaded: Loaded,
    *,
    backend: str | None = None,
    record: bool = False,
    keeps: Kept | None = None,
) -> Waiting[Check]:
    """The same of a host's payload or a labelled case, by the settings `loaded` for `project`, turned on.

    `backend` None: as configured. `record` keeps the check. With `keeps` connections and books outlive it.

    Raises ConfigError.
    """
    settings = chosen(loaded.settings, backend)

    def joined() -> Wired:
        return wire(
            loaded.clean.env,
            loaded.clean.home,
            project,
            loaded,
            host=host,
            settings=settings,
            keep=record,
            booked=True,
            warm=keeps.readers if keeps else None,
            learnt=keeps.learnt if keeps else None,
            books=keeps.books if keeps else None,
        )

    return checking(joined, lambda parts: parts_for(given, parts), given.pending)
