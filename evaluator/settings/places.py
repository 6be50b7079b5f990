"""Where settings, state and events lie, on each host; what a wired entry says; how a command names a setting.

A wired entry says it behind `--wired` in its command line. A project's `env` block can change every variable, and a
deleted folder takes every record along; the words of the entry stay. The first says what holds where the settings
cannot be read: `closed` or `open` for the entry of one project, which proves that its user turned the gate on there;
`recorded` for the entry of all projects, which acts where a project was set up. HOST=name follows, where another than
the default host calls, and NAME=value of the folders that held at `compass init`. An entry of 0.1.0 has none.

`hooks.client.heed` puts them into the environment, where nothing else can: `COMPASS_WIRED` is the first word, and
beside it `placed` says that HOME, ONLOOKER_DIR and XDG_RUNTIME_DIR are the entry's, and `HOST=name` who calls.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from evaluator import wire
from evaluator.record import Record

SHARED = ".compass"
"""The folder of a project that a team commits."""
PROJECT_FILE = os.path.join(SHARED, "settings.json")
REQUIRES = "requires"
"""Beside the settings in that file: the least version of Compass that they are for."""
UNREAD = ("calibration.json", "thresholds.json")
"""What may lie beside that file and is not read: cuts that somebody else chose."""

FLAG = "--wired"
CLOSED, OPEN, RECORDED = "closed", "open", "recorded"
WORDS = (CLOSED, OPEN, RECORDED)
VARIABLE = wire.WIRED.decode()
FOLDERS = frozenset(name.decode() for name in wire.FOLDERS)


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


def entry_words(
    env: Mapping[str, str], home: str, *, of_project: bool, blocks: bool, host: str = ""
) -> tuple[str, ...]:
    """For an entry that is written in this environment. `blocks`: without settings a write is denied. `host` is empty
    for the default one.
    """
    word = word_for(of_project=of_project, blocks=blocks)
    named = {"HOME": home, **{name: env.get(name, "") for name in ("ONLOOKER_DIR", "XDG_RUNTIME_DIR")}}
    # A relative one is another folder at every call.
    caller = (f"{wire.HOST.decode()}{host}",) if host else ()
    return (
        FLAG,
        word,
        *caller,
        *(f"{name}={value}" for name, value in named.items() if value.startswith("/")),
    )


def word_for(*, of_project: bool, blocks: bool) -> str:
    return (CLOSED if blocks else OPEN) if of_project else RECORDED


def blocks_without(mode: str, error_policy: str) -> bool:
    """Whether a write is denied where the settings cannot be read, under a policy that was read before."""
    return mode == "enforce" and error_policy != "open"


def word_of(env: Mapping[str, str]) -> str:
    """`closed`, `open`, `recorded`, or empty for an entry that says nothing."""
    word = env.get(VARIABLE, "").partition(" ")[0]
    return word if word in WORDS else ""


def fixed(env: Mapping[str, str]) -> frozenset[str]:
    """The variables that no settings file can have set."""
    placed = wire.PLACED.decode() in env.get(VARIABLE, "").split(" ")[1:]
    return FOLDERS | {VARIABLE} if placed else frozenset((VARIABLE,))


def set_by(key: str, value: str) -> str:
    """The command that changes a setting, as every message spells it. `value` is as it is typed, or in capitals what it
    stands for.
    """
    return f"`compass config set {key} {value}`"
