"""Whose checks a page shows: the state and the project of whoever ran `compass ui`."""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.composition.settings import Here, home_of, load, project_of
from evaluator.record import Record
from evaluator.settings.places import project_root, state_dir
from evaluator.state.history import History, Worked

ALL = "*"
PROJECTS_MAX = 50


class PageScope(Record):
    """`env` is the asker's environment, as it stands before any project's settings."""

    env: Mapping[str, str]
    cwd: str


class Chosen(Record):
    """`project` is None where every project is meant; `here` is then the asker's own."""

    here: Here
    project: str | None
    listed: tuple[Worked, ...]


def chosen(scope: PageScope, named: str) -> Chosen:
    """The project of that name (ALL, empty for the asker's own, else one with checks). Raises StateError.

    A name that stands nowhere is the asker's own: paths of a request are never opened.
    """
    own = here_of(scope, scope.cwd)
    listed = tuple(own.history.projects(PROJECTS_MAX))
    if named == ALL:
        return Chosen(own, None, listed)
    if named and any(one.project_dir == named for one in listed):
        found = here_of(scope, named)
        return Chosen(found, named, listed)
    return Chosen(own, own.project, listed)


def here_of(scope: PageScope, folder: str) -> Here:
    """A project's folder, settings and state: `compass.composition.settings.here` in a process of many, whose
    environment stays as it is. The state is the asker's."""
    env = dict(scope.env)
    home = home_of(env)
    # The asker's variable names the asker's project, and no other.
    directory = project_of(env, folder) if folder == scope.cwd else folder
    loaded = load(env, home, directory)
    own = loaded.clean
    state = state_dir(own.env, own.home or home)
    history = History(state, time.time())
    return Here(history, project_root(directory), directory, state, own.env, own.home or home, loaded)
