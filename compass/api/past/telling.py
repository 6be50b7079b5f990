"""The public functions over what is kept of a project's sessions. What they need is imported once they are called."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from compass.api.given import expect
from compass.api.past.records import Coaching, PastCheck, PendingQuestion
from compass.api.place import folder_of

if TYPE_CHECKING:
    from os import PathLike

    from compass.joining.kept_checks import Here

NEWEST = 20


def explain(check_id: str = "", *, project: str | PathLike[str] | None = None) -> PastCheck:
    """The check of that id, or whose id begins so: of any project, or of `project` where one is named. Without an id
    the newest of `project`, by default the working directory.

    Raises CompassError where there is none, or several.
    """
    from compass.api.past.kept import past_check

    expect(check_id=check_id, project=project)
    return past_check(_here(project), check_id, anywhere=project is None)


def checks(*, project: str | PathLike[str] | None = None, newest: int = NEWEST) -> tuple[PastCheck, ...]:
    """The last checks of a project, newest first. Raises CompassError for state that cannot be read."""
    from compass.api.past.kept import past_checks

    expect(newest=newest)
    return past_checks(_here(project), newest)


def pending_questions(*, project: str | PathLike[str] | None = None) -> tuple[PendingQuestion, ...]:
    """What is held in a project's sessions and waits for its user. Raises CompassError as `checks`."""
    from compass.api.past.waiting import questions

    return questions(_here(project), time.time())


def feedback(*, project: str | PathLike[str] | None = None) -> Coaching:
    """What was open in the newest requests of a project whose writes were held. Raises CompassError as `checks`."""
    from compass.api.past.kept import coaching

    return coaching(_here(project))


def _here(project: str | PathLike[str] | None) -> Here:
    from compass.joining.kept_checks import here

    expect(project=project)
    return here(folder_of(project))
