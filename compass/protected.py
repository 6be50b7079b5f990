"""Which places of this machine self-protection guards."""

from __future__ import annotations

import os
from collections.abc import Mapping

from compass.nested_settings import nested_settings
from evaluator import config, wire
from evaluator.model import Effects, PendingWrite
from evaluator.places import config_dir
from evaluator.record import replace
from evaluator.scarce import raise_want
from evaluator.stages.protection import Protected, offence

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
PACKAGES = ("compass", "evaluator", "calibration", "hooks")


class Guard:
    """`protects`, for one environment: what is guarded is worked out once a project."""

    def __init__(self, env: Mapping[str, str], home: str) -> None:
        self._env = env
        self._home = home
        self._places: dict[str, Protected] = {}

    def __call__(self, pending: PendingWrite, effects: Effects) -> str:
        """What the call would do to the gate; empty for every other call."""
        project_dir = pending.project_dir
        known = self._places.get(project_dir)
        if known is None:
            known = self._places[project_dir] = places(project_dir, self._env, self._home)
        nested = nested_settings(effects.targets, project_dir)
        if nested:
            known = replace(known, settings=(*known.settings, *nested))
        return offence(pending, effects, known, _read)


def places(project_dir: str, env: Mapping[str, str], home: str) -> Protected:
    """The install is guarded unless the project is its own checkout: then it is what is being worked on."""
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    install = () if _within(root, project_dir) else tuple(os.path.join(root, name) for name in PACKAGES)
    state = config.state_dir(env, home)
    records = config_dir(home)
    run = os.fsdecode(wire.run_dir(wire.folder_variables(env)))
    own = [folder for folder in (state, records, run) if folder]
    folders = dict.fromkeys((*own, *map(os.path.realpath, own), *install))
    settings = dict.fromkeys(
        os.path.join(base, ".claude", name)
        for folder in (home, project_dir)
        for base in (folder, os.path.realpath(folder))
        for name in ("settings.json", "settings.local.json")
    )
    words = (
        *own,
        os.path.join(os.path.basename(os.path.dirname(state)), "compass"),
        ".claude/settings",
    )
    known = (("HOME", home), ("ONLOOKER_DIR", os.path.dirname(state)))
    variables = [(form.format(name), value) for name, value in known for form in ("${}", "${{{}}}")]
    return Protected(tuple(folders), tuple(settings), words, (("~", home), *variables))


def _within(path: str, folder: str) -> bool:
    real = os.path.realpath(folder)
    return path == real or path.startswith(real + os.sep)


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_SETTINGS_BYTES)
    except OSError as error:
        raise_want(error)
        return None
