"""The kept checks of the project that a command is run in. Makes no state where there is none."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from compass.joining.surroundings import home_of, load_for, project_of
from evaluator.configuration import loading
from evaluator.configuration.project import project_root, resolved
from evaluator.errors import StateError
from evaluator.record import Record
from evaluator.state.history import History

NOTHING_YET = "nothing recorded yet"
FIRST_STEP = "`compass init` turns the gate on, `compass doctor` proves that its hooks answer"


class Here(Record):
    """`project` is the folder whose checks are meant: the work tree's root, or the folder itself without git."""

    history: History
    project: str
    project_dir: str
    state_dir: str
    env: Mapping[str, str]
    home: str
    loaded: loading.Loaded

    @property
    def calibration(self) -> str:
        """The path of the project's calibration.json."""
        return loading.calibration_file(self.env, self.home, self.project_dir)


def here(directory: str | None = None) -> Here:
    """Of a folder; None is the working directory. Raises StateError for a folder that is not there."""
    env = dict(os.environ)
    try:
        found = resolved(directory) if directory is not None else project_of(env, os.getcwd())
    except (OSError, ValueError):
        raise StateError(f"{directory or 'the working directory'}: no such folder") from None
    if not os.path.isdir(found):
        raise StateError(f"{found}: no such folder")
    loaded = load_for(env, found)
    clean = loaded.clean
    home = clean.home or home_of(env)
    state_dir = loading.state_dir(clean.env, home)
    history = History(state_dir, time.time())
    return Here(history, project_root(found), found, state_dir, clean.env, home, loaded)


def nothing_yet(history: History) -> str:
    return f"{NOTHING_YET} in {os.path.dirname(history.path)}. {FIRST_STEP}"
