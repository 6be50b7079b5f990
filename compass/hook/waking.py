"""Starts the service, detached, for the hooks to come."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import compass
from evaluator.configuration.settings import Settings

MAIN = os.path.join(os.path.dirname(os.path.abspath(compass.__file__)), "__main__.py")


def wake(env: Mapping[str, str], settings: Settings) -> None:
    """Start a service that outlives this process and holds none of its streams. Raises OSError.

    Costs a spawn and no wait: of several that start at once, all but one end at the lock.
    """
    if not settings.service.enabled:
        return
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    idle = f"{settings.service.idle_seconds:g}"
    words = [sys.executable, "-I", MAIN, "serve", "--detached", "--idle", idle]
    try:
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet, setsid=True)
    except NotImplementedError:
        # Not every C library can make a session here; the service does it by itself.
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet)
