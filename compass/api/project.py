"""Where a program judges: the folder of its project, and the settings in force there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from compass.composition.settings import load
from evaluator.errors import ConfigError
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.places import home_of

if TYPE_CHECKING:
    from os import PathLike

    from compass.composition.gate import Wired
    from compass.composition.process import ProcessState
    from hooks.host import Host


def loaded_for(host: Host, directory: str) -> layers.Loaded:
    """What counts for that host in this process's environment, which is left as it is."""
    env = dict(os.environ)
    return load(env, home_of(env), directory, directory, host=host)


def folder_of(project: str | PathLike[str] | None) -> str:
    """The resolved folder of a project; None is the working directory. Raises ConfigError for one that is none."""
    try:
        named: str = os.getcwd() if project is None else os.fspath(project)
        found = os.path.realpath(named)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{project or 'the working directory'}: {error}") from None
    if not os.path.isdir(found):
        raise ConfigError(f"{found}: no such folder")
    return found


def chosen(
    settings: Settings, backend: str | None, tools: Mapping[str, str] | None = None, mode: str | None = None
) -> Settings:
    """The settings of whoever asks by name: turned on, whatever they say themselves. Raises ConfigError for a backend
    or mode that is none."""
    if backend is not None:
        _check_project_choice("backend", backend, KEYS["evaluator.backend"].choices)
        settings = replace(settings, evaluator=replace(settings.evaluator, backend=backend))
    if tools:
        rows = {**dict(settings.gate.mcp_tools), **tools}
        settings = replace(settings, gate=replace(settings.gate, mcp_tools=tuple(rows.items())))
    if mode is not None:
        _check_project_choice("mode", mode, KEYS["mode"].choices)
        settings = replace(settings, mode=mode)
    return replace(settings, enabled=True)


def wired_for(
    host: Host,
    directory: str,
    loaded: layers.Loaded,
    settings: Settings,
    *,
    record: bool,
    keeps: ProcessState | None,
) -> Wired:
    """A program's gate by these `settings`. `record` keeps its checks; with `keeps` connections outlive it."""
    from compass.composition.gate import wire

    return wire(
        loaded.clean.env,
        loaded.clean.home,
        directory,
        loaded,
        host=host,
        settings=settings,
        keep=record,
        booked=True,
        warm=keeps.readers if keeps else None,
        learnt=keeps.learnt if keeps else None,
    )


def _check_project_choice(what: str, name: str, choices: Iterable[str]) -> None:
    if name not in tuple(choices):
        raise ConfigError(f"no such {what}: {name!r}; choose one of {', '.join(choices)}")
