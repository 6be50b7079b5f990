"""Where a user's state and events lie, given the environment and the home. Pure; creates nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping


def onlooker_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.abspath(env.get("ONLOOKER_DIR") or os.path.join(home, ".onlooker"))


def state_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.join(onlooker_dir(env, home), "compass")


def events_path(env: Mapping[str, str], home: str) -> str:
    chosen = env.get("ONLOOKER_EVENTS_LOG")
    return chosen or os.path.join(onlooker_dir(env, home), "logs", "onlooker-events.jsonl")


def config_dir(home: str) -> str:
    """For the little that must be found where ONLOOKER_DIR is not known (`project_record`)."""
    return os.path.join(home, ".config", "compass")
