"""Where a user's state and events lie, and the settings that count on every host. Pure; creates nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

SHARED = ".compass"
"""The folder of a project that a team commits."""
PROJECT_FILE = os.path.join(SHARED, "settings.json")
REQUIRES = "requires"
"""Beside the settings in that file: the least version of Compass that they are for."""
UNREAD = ("calibration.json", "thresholds.json")
"""What may lie beside that file and is not read: cuts that somebody else chose."""


def onlooker_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.abspath(env.get("ONLOOKER_DIR") or os.path.join(home, ".onlooker"))


def state_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.join(onlooker_dir(env, home), "compass")


def user_file(env: Mapping[str, str], home: str) -> str:
    """The user's own settings for every project, on every host."""
    return os.path.join(state_dir(env, home), "settings.json")


def project_file(directory: str) -> str:
    """A project's settings on every host; the repository's, as those of a host are."""
    return os.path.join(directory, PROJECT_FILE)


def events_path(env: Mapping[str, str], home: str) -> str:
    chosen = env.get("ONLOOKER_EVENTS_LOG")
    return chosen or os.path.join(onlooker_dir(env, home), "logs", "onlooker-events.jsonl")


def config_dir(home: str) -> str:
    """For the little that must be found where ONLOOKER_DIR is not known (`project_record`)."""
    return os.path.join(home, ".config", "compass")
