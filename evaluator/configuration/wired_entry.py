"""What a wired entry says about itself, behind `--wired` in its command line. Pure.

A project's `env` block can change every variable, and a deleted folder takes every record along; the words of the
entry stay. The first says what holds where the settings cannot be read: `closed` or `open` for the entry of one
project, which proves that its user turned the gate on there; `recorded` for the entry of all projects, which acts
where a project was set up. HOST=name follows, where another than the default host calls, and NAME=value of the folders
that held at `compass init`. An entry of 0.1.0 has none.

`hooks.client.heed` puts them into the environment, where nothing else can: `COMPASS_WIRED` is the first word, and
beside it `placed` says that HOME, ONLOOKER_DIR and XDG_RUNTIME_DIR are the entry's, and `HOST=name` who calls.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import wire

FLAG = "--wired"
CLOSED, OPEN, RECORDED = "closed", "open", "recorded"
WORDS = (CLOSED, OPEN, RECORDED)
VARIABLE = wire.WIRED.decode()
FOLDERS = frozenset(name.decode() for name in wire.FOLDERS)


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
