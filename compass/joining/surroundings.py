"""This process's own environment, without what an untrusted project's settings put into it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from evaluator.configuration import loading
from evaluator.configuration.environment import CleanEnvironment


def home_of(env: Mapping[str, str]) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    # A user without HOME and account has no home: nothing can be kept below this, least of all in the project.
    return home if os.path.isabs(home) else os.devnull


def load_for(env: Mapping[str, str], project_dir: str, cwd: str = "") -> loading.Loaded:
    """The settings for a project, with this process cleaned."""
    loaded = loading.load(env, home_of(env), project_dir, cwd)
    adopt(loaded.clean)
    return loaded


def adopt(clean: CleanEnvironment) -> None:
    """Clean os.environ too: the model SDK, TLS and child processes read it themselves."""
    for name in clean.sources:
        if name in clean.env:
            os.environ[name] = clean.env[name]
        else:
            os.environ.pop(name, None)
