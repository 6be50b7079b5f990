"""Which places of this machine self-protection guards."""

from __future__ import annotations

import os
from collections.abc import Mapping

from evaluator import config
from evaluator.model import Effect, PendingWrite
from evaluator.places import config_dir
from evaluator.stages.protection import Protected, offence

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
PACKAGES = ("compass", "evaluator", "calibration", "hooks")


def protects(pending: PendingWrite, effect: Effect, env: Mapping[str, str], home: str) -> str:
    """What the call would do to the gate; empty for every other call."""
    return offence(pending, effect, places(pending.project_dir, env, home), _read)


def places(project_dir: str, env: Mapping[str, str], home: str) -> Protected:
    """The install is guarded unless the project is its own checkout: then it is what is being worked on."""
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    install = () if _within(root, project_dir) else tuple(os.path.join(root, name) for name in PACKAGES)
    state = config.state_dir(env, home)
    records = config_dir(home)
    folders = dict.fromkeys((state, os.path.realpath(state), records, os.path.realpath(records), *install))
    settings = dict.fromkeys(
        os.path.join(base, ".claude", name)
        for folder in (home, project_dir)
        for base in (folder, os.path.realpath(folder))
        for name in ("settings.json", "settings.local.json")
    )
    words = (
        state,
        records,
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
    except OSError:
        return None
