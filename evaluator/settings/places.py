"""Where settings, state and events lie, on each host; which project a folder is; what a wired entry says.

A wired entry says it behind `--wired` in its command line. A project's `env` block can change every variable, and a
deleted folder takes every record along; the words of the entry stay. The first says what holds where the settings
cannot be read: `closed` or `open` for the entry of one project, which proves that its user turned the gate on there;
`recorded` for the entry of all projects, which acts where a project was set up. HOST=name follows, where another than
the default host calls, and NAME=value of the folders that held at `compass init`. An entry of 0.1.0 has none.

`hooks.client.apply_entry` puts them into the environment, as nothing else can: `COMPASS_WIRED` is the first word, and
beside it `placed` says that HOME, ONLOOKER_DIR and XDG_RUNTIME_DIR are the entry's, and `HOST=name` who calls.

A project's key follows its git remote, which an agent can change in a moment; a key that follows the change
would lose the user's settings and with them the gate. So the key that a folder was set up under is recorded,
and the record wins until `compass init --uninstall` takes it out. A work tree of git has that of its main one.
A second record lies under ~/.config/compass: that the folder was set up, for the day that the state is gone, and
the ONLOOKER_DIR of then, which cannot be told once a project's `env` block has replaced it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from evaluator import wire
from evaluator.files import raise_want, replace_private
from evaluator.record import Record

SHARED = ".compass"
"""The folder of a project that a team commits."""
PROJECT_FILE = os.path.join(SHARED, "settings.json")
UNREAD = ("calibration.json", "thresholds.json", "glossary.md")
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


def home_of(env: Mapping[str, str]) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    # A user without HOME and account has no home: nothing can be kept below this, least of all in the project.
    return home if os.path.isabs(home) else os.devnull


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
    """For the little that must be found where ONLOOKER_DIR is not known (`recorded_onlooker_dir`)."""
    return os.path.join(home, ".config", "compass")


def entry_words(
    env: Mapping[str, str], home: str, *, of_project: bool, blocks: bool, host: str = ""
) -> tuple[str, ...]:
    """The words of the hook's command that say what holds without settings, for an entry that is written in this
    environment. `blocks`: without settings a write is denied. `host` is empty for the default one."""
    word = word_for(of_project=of_project, blocks=blocks)
    named = {"HOME": home, **{name: env.get(name, "") for name in ("ONLOOKER_DIR", "XDG_RUNTIME_DIR")}}
    # A relative one is another folder at every call.
    caller = (f"{wire.HOST.decode()}{host}",) if host else ()
    folders = (f"{name}={value}" for name, value in named.items() if value.startswith("/"))
    return FLAG, word, *caller, *folders


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
    """The command that changes a setting, as every message spells it. `value`: as typed, or in capitals what it is."""
    return f"`compass config set {key} {value}`"


_MAX_CONFIG_BYTES = 256 * 1024
_SECTION = r'^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]'
_URL = r"(?i)^\s*url\s*=\s*(.*?)\s*$"
TREES_MAX = 256


def project_dir(named: str | None, cwd: str) -> str:
    """The resolved folder that the host named, else the working directory."""
    return os.path.realpath(named or cwd or os.curdir)


def project_root(directory: str) -> str:
    """The git work tree's root above `directory`, or `directory` itself without one."""
    start = os.path.realpath(directory)
    at = start
    while True:
        if os.path.lexists(os.path.join(at, ".git")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return start
        at = above


def project_key(directory: str) -> str:
    """First 12 hex digits of SHA-256 of `remote:<origin-url>`, or `root:<root>` without a remote.

    A work tree that `git worktree` made has the root of its main one.
    """
    import hashlib

    root = project_root(directory)
    origin = _origin_url(root)
    name = f"remote:{origin}" if origin else f"root:{main_root(root) or root}"
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def main_root(directory: str) -> str:
    """The main work tree of the one that `directory` lies in; empty where it lies in no other, or in a bare one's."""
    dot_git = os.path.join(project_root(directory), ".git")
    if not os.path.isfile(dot_git):
        return ""
    folder, name = os.path.split(os.path.realpath(common_git_dir(dot_git)))
    # A submodule's leads into `modules`, and has no work trees of its own there.
    return folder if name == ".git" else ""


def _origin_url(root: str) -> str | None:
    text = read_bounded(os.path.join(common_git_dir(os.path.join(root, ".git")), "config"))
    in_origin = False
    for line in text.splitlines():
        section = re.match(_SECTION, line)
        if section:
            in_origin = section[1].lower() == "remote" and section[2] == "origin"
        elif in_origin and (url := re.match(_URL, line)):
            return url[1].strip('"') or None
    return None


def common_git_dir(dot_git: str) -> str:
    """What the work trees of a repository share."""
    own = git_dir(dot_git)
    common = "" if own == dot_git else read_bounded(os.path.join(own, "commondir")).strip()
    return os.path.join(own, common) if common else own


def git_dir(dot_git: str) -> str:
    """A worktree's or submodule's `.git` is a file that points elsewhere."""
    if os.path.isdir(dot_git):
        return dot_git
    pointer = read_bounded(dot_git).strip()
    if not pointer.startswith("gitdir:"):
        return dot_git
    return os.path.join(os.path.dirname(dot_git), pointer.removeprefix("gitdir:").strip())


def read_bounded(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_CONFIG_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise_want(error)
        return ""


def work_trees(directory: str) -> tuple[str, ...]:
    """The root of every work tree that stands, the main one first; empty without a repository of git.

    `worktrees/NAME/gitdir` names the `.git` file of one.
    """
    main = main_root(directory) or project_root(directory)
    folder = os.path.join(main, ".git", "worktrees")
    if not os.path.isdir(os.path.dirname(folder)):
        return ()
    try:
        names = sorted(os.listdir(folder))[:TREES_MAX]
    except OSError as error:
        raise_want(error)
        names = []
    named = (read_bounded(os.path.join(folder, name, "gitdir")).strip() for name in names)
    found = (os.path.realpath(os.path.dirname(path)) for path in named if os.path.isabs(path))
    return tuple(dict.fromkeys((main, *(path for path in found if os.path.isdir(path)))))


_KEY = r"[0-9a-f]{12}"
_RECORD_BYTES = 64 * 1024
TOLD = "told"
"""Beside the records: the sessions in which the person was told that the settings are lost."""
_DEFAULT = "default"
"""Recorded for an ONLOOKER_DIR that was not set."""


def recorded_key(state: str, directory: str) -> str:
    """The key that this folder, or its git root, was recorded under; else the one that its remote gives."""
    for folder in _record_places(directory):
        found = _read_place_record(state, folder)
        if found is not None and re.fullmatch(_KEY, found):
            return found
    return project_key(directory)


def was_set_up(state: str, home: str, directory: str) -> bool:
    """Whether either record names this folder, its git root or its main work tree."""
    bases = state, config_dir(home)
    paths = (_place_record_path(base, folder) for base in bases for folder in _record_places(directory))
    return any(map(os.path.exists, paths))


def recorded_onlooker_dir(home: str, directory: str) -> str | None:
    """The ONLOOKER_DIR that stood in the user's shell when this folder was set up, if it was not the default."""
    found = (_read_place_record(config_dir(home), folder) for folder in _record_places(directory))
    return next((path for path in found if path and os.path.isabs(path)), None)


def record_project(env: Mapping[str, str], home: str, directory: str) -> None:
    """Record the key in force, and ONLOOKER_DIR. Raises OSError if the state cannot be written, the home may be."""
    state = state_dir(env, home)
    key = recorded_key(state, directory)
    at = onlooker_dir(env, home)
    away = at if at != onlooker_dir({}, home) else _DEFAULT
    for folder in _own_record_places(directory):
        _write_place_record(state, folder, key)
        with suppress(OSError):
            _write_place_record(config_dir(home), folder, away)


def record_if_set_up(env: Mapping[str, str], home: str, directory: str) -> None:
    """Records at a session's start that the gate is on in this project: that must still be found at its end."""
    state = state_dir(env, home)
    if os.path.exists(os.path.join(state, recorded_key(state, directory), "settings.json")):
        record_project(env, home, directory)


def forget_project(
    env: Mapping[str, str], home: str, directory: str, kept: frozenset[str] = frozenset()
) -> None:
    """Take out what `record_project` recorded; `kept` are folders that others still need. Raises OSError."""
    for folder in _own_record_places(directory):
        if folder in kept:
            continue
        for base in (state_dir(env, home), config_dir(home)):
            with suppress(FileNotFoundError, NotADirectoryError):
                os.unlink(_place_record_path(base, folder))
    emptied = [os.path.join(base, "projects") for base in (state_dir(env, home), config_dir(home))]
    with suppress(OSError):
        if not os.listdir(emptied[-1]):
            os.unlink(os.path.join(config_dir(home), TOLD))
    for folder in (*emptied, config_dir(home)):
        with suppress(OSError):
            os.rmdir(folder)


def _record_places(directory: str) -> Iterator[str]:
    """The folders whose record holds for this one, nearest first; the last is looked for only if it is asked for."""
    yield from _own_record_places(directory)
    main = main_root(directory)
    if main:
        yield main


def _own_record_places(directory: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((os.path.realpath(directory), project_root(directory))))


def _place_record_path(base: str, folder: str) -> str:
    import hashlib

    name = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(base, "projects", name)


def _read_place_record(base: str, folder: str) -> str | None:
    """The value recorded for exactly this folder."""
    try:
        with open(_place_record_path(base, folder), encoding="utf-8", errors="surrogatepass") as file:
            text = file.read(_RECORD_BYTES)
    except (OSError, ValueError) as error:
        raise_want(error)
        return None
    head, _, value = text.removesuffix("\n").rpartition("\n")
    return value if head == folder else None


def _write_place_record(base: str, folder: str, value: str) -> None:
    """Whole or not at all: sessions of one project start at once. What stands already is left alone."""
    if _read_place_record(base, folder) == value or "\n" in value:
        return
    replace_private(_place_record_path(base, folder), f"{folder}\n{value}\n")
