"""A project's settings, where its host keeps them, and this process's environment without what an untrusted
project put into it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.configuration import loading
from evaluator.configuration.environment import CleanEnvironment
from hooks import registry

if TYPE_CHECKING:
    from hooks.host import Host


def home_of(env: Mapping[str, str]) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    # A user without HOME and account has no home: nothing can be kept below this, least of all in the project.
    return home if os.path.isabs(home) else os.devnull


def project_of(env: Mapping[str, str], cwd: str, host: Host | None = None) -> str:
    """The folder of the project that a command is run in; None means the default host."""
    return (host or registry.default()).project_of(env, cwd)


def load(
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    cwd: str = "",
    *,
    host: Host | None = None,
    honour_trust: bool = True,
) -> loading.Loaded:
    """As `loading.load`, with the files of `host`; None means the default one. No project changes the number of
    readers that thresholds are calibrated for."""
    at = (host or registry.default()).FILES
    loaded = loading.load(env, home, project_dir, cwd, at=at, honour_trust=honour_trust)
    if "evaluator.n" not in loaded.below:
        return loaded
    from compass.joining.calibrated_readers import held_to_calibrated

    return held_to_calibrated(loaded, loaded.clean.env, loaded.clean.home, project_dir)


def load_for(
    env: Mapping[str, str], project_dir: str, cwd: str = "", host: Host | None = None
) -> loading.Loaded:
    """The settings for a project, with this process cleaned."""
    loaded = load(env, home_of(env), project_dir, cwd, host=host)
    adopt(loaded.clean)
    return loaded


def adopt(clean: CleanEnvironment) -> None:
    """Clean os.environ too: the model SDK, TLS and child processes read it themselves."""
    for name in clean.sources:
        if name in clean.env:
            os.environ[name] = clean.env[name]
        else:
            os.environ.pop(name, None)
