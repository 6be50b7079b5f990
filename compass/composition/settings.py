"""A project's settings where its host keeps them, and where its checks are kept."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.errors import StateError
from evaluator.record import Record
from evaluator.settings import layers
from evaluator.settings.environment import adopt
from evaluator.settings.places import SHARED, UNREAD, home_of, project_root, state_dir
from hooks import registry

if TYPE_CHECKING:
    from evaluator.state.history import History
    from hooks.host import Host

NOTHING_YET = "nothing recorded yet"
FIRST_STEP = "`compass init` turns the gate on, and `compass doctor` proves that its hooks answer"


def project_of(env: Mapping[str, str], cwd: str, host: Host | None = None) -> str:
    """The folder of the project that a command is run in; None means the default host."""
    return (host or registry.default_host()).project_of(env, cwd)


def load(
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    cwd: str = "",
    *,
    host: Host | None = None,
    honour_trust: bool = True,
) -> layers.Loaded:
    """The settings in force for a project. As `layers.load`, with the files of `host`; None means the default one."""
    at = (host or registry.default_host()).FILES
    return layers.load(env, home, project_dir, cwd, at=at, honour_trust=honour_trust)


def load_for(
    env: Mapping[str, str], project_dir: str, cwd: str = "", host: Host | None = None
) -> layers.Loaded:
    """The settings for a project, with this process cleaned."""
    loaded = load(env, home_of(env), project_dir, cwd, host=host)
    adopt(loaded.clean)
    return loaded


def unread(project_dir: str) -> list[str]:
    """The files of the folder that Compass leaves unread, relative to the project."""
    names = (os.path.join(SHARED, name) for name in UNREAD)
    return [name for name in names if os.path.lexists(os.path.join(project_dir, name))]


class Here(Record):
    """`project` is the folder whose checks are meant: the work tree's root, or the folder itself without git. `given`:
    the environment before it was cleaned."""

    history: History
    project: str
    project_dir: str
    state_dir: str
    env: Mapping[str, str]
    home: str
    loaded: layers.Loaded
    given: Mapping[str, str]

    @property
    def folder(self) -> str:
        """Where the project's calibration and labels lie."""
        return os.path.dirname(self.calibration)

    @property
    def calibration(self) -> str:
        """The path of the project's calibration.json."""
        return layers.calibration_file(self.env, self.home, self.project_dir)


def here(directory: str | None = None) -> Here:
    """A folder's project, with its settings and state; None: the working directory. Raises StateError for no folder."""
    env = dict(os.environ)
    try:
        found = os.path.realpath(directory) if directory is not None else project_of(env, os.getcwd())
    except (OSError, ValueError):
        raise StateError(f"{directory or 'the working directory'}: no such folder") from None
    if not os.path.isdir(found):
        raise StateError(f"{found}: no such folder")
    return here_from(env, found, load_for(env, found))


def here_from(env: Mapping[str, str], directory: str, loaded: layers.Loaded) -> Here:
    """The project of a resolved folder, whose settings were `loaded` by `env`."""
    from evaluator.state.history import History

    clean = loaded.clean
    home = clean.home or home_of(env)
    folder = state_dir(clean.env, home)
    history = History(folder, time.time())
    return Here(history, project_root(directory), directory, folder, clean.env, home, loaded, env)


def nothing_yet(history: History) -> str:
    return f"{NOTHING_YET} in {os.path.dirname(history.path)}. {FIRST_STEP}"
