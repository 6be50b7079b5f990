"""Where a program judges: the folder of its project and the settings in force there; and which types it may give."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from compass.api.host import ProgramHost
from compass.composition.settings import home_of, load
from evaluator.errors import CompassError, ConfigError, PayloadError
from evaluator.record import Record, replace
from evaluator.settings import layers
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.places import resolved

if TYPE_CHECKING:
    from os import PathLike

    from hooks.host import Host


TEXT, TEXTS, PATH, MAPPING, NUMBER, MESSAGES = (
    "a string", "a string or several", "a path", "a mapping", "a whole number", "pairs of a speaker and a string",
)  # fmt: skip
TAKES = {
    "user": TEXTS,
    "prior": TEXT, "task": TEXT, "tool": TEXT, "command": TEXT, "content": TEXT, "old": TEXT, "new": TEXT,
    "session_id": TEXT, "call_id": TEXT, "agent": TEXT, "check_id": TEXT,
    "input": MAPPING,
    "path": PATH, "transcript": PATH,
    "project": PATH, "state": PATH, "backend": TEXT, "mode": TEXT, "host": TEXT, "tools": MAPPING,
    "newest": NUMBER,
    "history": MESSAGES,
}  # fmt: skip
"""By the name of the argument."""
CHOSEN = ("project", "state", "backend", "mode", "host", "tools")
"""Those that say where and how it is judged."""
BACKENDS = KEYS["evaluator.backend"].choices


def expect(**given: object) -> None:
    """Checks the types of arguments, each of which may be one of those named. None passes: who may leave an argument
    out says so. Raises ConfigError for what says where and how it is judged, PayloadError for the rest."""
    for name, value in given.items():
        if value is not None and not _is(TAKES[name], value):
            fault: type[CompassError] = ConfigError if name in CHOSEN else PayloadError
            raise fault(f"{name} has to be {TAKES[name]}, not {type(value).__name__}")


def _is(what: str, value: object) -> bool:
    if what == PATH:
        return isinstance(value, str | os.PathLike)
    if what == MAPPING:
        return isinstance(value, Mapping)
    if what == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    if what == TEXT or isinstance(value, str):
        return isinstance(value, str) and what in (TEXT, TEXTS)
    if not isinstance(value, Sequence):
        return False
    several = cast(Sequence[object], value)
    return all(isinstance(one, str) if what == TEXTS else _is_message(one) for one in several)


def _is_message(one: object) -> bool:
    return isinstance(one, tuple | list) and len(cast(Sequence[object], one)) == 2


class GatePlace(Record):
    """`settings` are those that were loaded, turned on, with what the program itself chose."""

    host: ProgramHost
    project: str
    loaded: layers.Loaded
    settings: Settings


def place_of(
    project: str | PathLike[str] | None,
    backend: str | None,
    tools: Mapping[str, str] | None,
    *,
    mode: str | None = None,
    attended: bool = True,
) -> GatePlace:
    """Where a program judges: the folder of its project, with the settings in force there. `project` None is the
    working directory. Raises ConfigError for a folder, backend or mode that is none."""
    directory = folder_of(project)
    host = ProgramHost(directory, attended=attended)
    loaded = loaded_for(host, directory, directory)
    return GatePlace(host, directory, loaded, chosen(loaded.settings, backend, tools, mode))


def loaded_for(host: Host, project: str, cwd: str) -> layers.Loaded:
    """What counts for that host in this process's environment, which is left as it is."""
    env = dict(os.environ)
    return load(env, home_of(env), project, cwd, host=host)


def folder_of(project: str | PathLike[str] | None) -> str:
    try:
        found = resolved(os.path.abspath(os.fspath(project)) if project is not None else os.getcwd())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{project or 'the working directory'}: {error}") from None
    if not os.path.isdir(found):
        raise ConfigError(f"{found}: no such folder")
    return found


def chosen(
    settings: Settings, backend: str | None, tools: Mapping[str, str] | None = None, mode: str | None = None
) -> Settings:
    """The settings of whoever asks by name: turned on, whatever they say themselves."""
    if backend is not None:
        if backend not in BACKENDS:
            raise ConfigError(f"no such backend: {backend!r}; one of {', '.join(BACKENDS)}")
        settings = replace(settings, evaluator=replace(settings.evaluator, backend=backend))
    if tools:
        rows = {**dict(settings.gate.mcp_tools), **tools}
        settings = replace(settings, gate=replace(settings.gate, mcp_tools=tuple(rows.items())))
    if mode is not None:
        if mode not in KEYS["mode"].choices:
            raise ConfigError(f"no such mode: {mode!r}; one of {', '.join(KEYS['mode'].choices)}")
        settings = replace(settings, mode=mode)
    return replace(settings, enabled=True)
