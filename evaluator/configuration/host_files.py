"""Where a host keeps its settings. Data; the host's package says it."""

from __future__ import annotations

import os

from evaluator.record import Record


class HostFiles(Record):
    """The host's settings files that Compass reads, in the order in which they win, the latest last.

    `user` are relative to the home, `project` to a project's folder; Compass's own values stand there under `compass`.
    `env_blocks`: the `env` object of such a file becomes part of the hooks' environment; of the user's, that of the
    first file counts. `sets` are variables that the host sets after it, so no block can. `dotenv` are names of files
    of NAME=value, one of which, in the folder where the agent works or above, becomes part of it too.
    """

    user: tuple[str, ...]
    project: tuple[str, ...]
    env_blocks: bool = True
    sets: frozenset[str] = frozenset()
    dotenv: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ("AGENTS.md",)
    """What the host gives the agent to read of a project, relative to its folder."""
    own_instructions: tuple[str, ...] = ()
    """The user's own, relative to the home."""

    def of_user(self, home: str) -> tuple[str, ...]:
        return tuple(os.path.join(home, name) for name in self.user)

    def of_project(self, directory: str) -> tuple[str, ...]:
        return tuple(os.path.join(directory, name) for name in self.project)
