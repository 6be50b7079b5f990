"""What the service keeps between calls: settings until their files change, stores, backends with open connections."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from compass.joining.aside import Aside
from compass.joining.gate import Wired, wire
from compass.joining.hosts import prepare_hosts
from compass.joining.surroundings import home_of, load
from evaluator.configuration import loading
from evaluator.configuration.environment import settings_paths_of
from evaluator.configuration.places import config_dir, project_file, state_dir, user_file
from evaluator.configuration.project import project_root
from evaluator.configuration.team import policy_path
from evaluator.files import is_there
from evaluator.readers.warm import ReaderLoop
from evaluator.shell.registry import read_all
from evaluator.state.store import OpenedStore, open_store
from evaluator.wire import wired_in
from hooks import registry
from hooks.host import Host

KEPT = 64
PREPARED = (
    "evaluator.gate.judging",
    "evaluator.gate.verdicts",
    "evaluator.gate.consulting",
    "evaluator.gate.asking",
    "evaluator.exchange",
    "evaluator.egress.evidence",
    "compass.joining.thresholds",
    "evaluator.rules.bans",
    "evaluator.rules.losses",
    "evaluator.protection.commands",
    "evaluator.shell.analysis",
    "evaluator.readers.sampling",
)
PREPARED_LAST = ("evaluator.readers.anthropic_api",)
PREPARE_SECONDS = 10.0
FRESH_SECONDS = 5.0
"""Settings are read again after this time even if no stamp tells of a change."""

T = TypeVar("T")
Stamp = tuple[tuple[int, int, int, int] | None, ...]


class Kept(Generic[T]):
    """The newest `KEPT` values by key. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: OrderedDict[object, T] = OrderedDict()

    def get(self, key: object) -> T | None:
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
            return found

    def put(self, key: object, value: T) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > KEPT:
                self._values.popitem(last=False)

    def values(self) -> list[T]:
        with self._lock:
            return list(self._values.values())


@dataclass(slots=True)
class Project:
    """A project as one environment sees it, with what its settings were read from."""

    env: Mapping[str, str]
    """As the client has it, with whatever the project's settings put into it."""

    host: Host
    directory: str
    loaded: loading.Loaded
    files: tuple[str, ...]
    stamp: Stamp
    read_at: float
    wired: Wired | None = None


def sources(loaded: loading.Loaded, directory: str, cwd: str, host: Host) -> tuple[str, ...]:
    """Every file that `loading.load` and the project's key depend on; missing ones too."""
    env, home = loaded.clean.env, loaded.clean.home
    folders = (directory, project_root(directory), cwd, project_root(cwd))
    return tuple(
        dict.fromkeys(
            (
                user_file(env, home),
                policy_path(state_dir(env, home)),
                *host.FILES.of_user(home),
                project_file(directory),
                *(path for folder in (directory, cwd) for path in settings_paths_of(folder, host.FILES)),
                loading.user_project_file(env, home, directory),
                loading.thresholds_file(env, home, directory),
                loaded.clean.trust_file,
                os.path.join(state_dir(env, home), "projects"),
                os.path.join(config_dir(home), "projects"),
                *(os.path.join(folder, ".git") for folder in folders),
                *(os.path.join(folder, ".git", "config") for folder in folders),
            )
        )
    )


def stamp_of(files: tuple[str, ...]) -> Stamp:
    found: list[tuple[int, int, int, int] | None] = []
    for path in files:
        try:
            seen = os.stat(path) if is_there(path) else None
        except (OSError, ValueError):
            seen = None
        found.append(seen and (seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_mode))
    return tuple(found)


class Warm:
    """Projects, stores and readers of the calls so far."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._projects: Kept[Project] = Kept()
        self._stores: Kept[OpenedStore] = Kept()
        self._opening = threading.Lock()
        self._readers = ReaderLoop()
        self.aside = Aside()
        self._prepared = threading.Event()
        self._prepared.set()

    def project(self, variables: bytes, cwd: str) -> Project:
        """The project that a call's environment and working folder mean."""
        found = self._projects.get((variables, cwd))
        if found is not None and self._holds(found):
            return found
        env, host = environment(variables), registry.caller(wired_in(variables))
        directory = host.project_of(env, cwd)
        loaded = load(env, home_of(env), directory, cwd, host=host)
        files = sources(loaded, directory, cwd, host)
        found = Project(env, host, directory, loaded, files, stamp_of(files), self._clock())
        self._projects.put((variables, cwd), found)
        return found

    def last(self, variables: bytes, cwd: str) -> Project | None:
        """The same as it was last read, which may be out of date."""
        return self._projects.get((variables, cwd))

    def wired(self, found: Project) -> Wired:
        """The gate of that project; closing it releases nothing.

        Waits for what is being imported: two threads that import packages of modules at once can fail both.
        """
        self._prepared.wait(PREPARE_SECONDS)
        if found.wired is None:
            clean = found.loaded.clean
            store = self.store(state_dir(clean.env, clean.home))
            found.wired = wire(
                clean.env,
                clean.home,
                found.directory,
                found.loaded,
                host=found.host,
                store=store,
                warm=self._readers,
                aside=self.aside,
            )
        return found.wired

    def store(self, folder: str) -> OpenedStore:
        """One store a folder. One that had to do without its database is tried again at each call."""
        found = self._stores.get(folder)
        if found is not None:
            return found
        with self._opening:
            found = self._stores.get(folder) or open_store(folder, now=time.time())
            if found.fault is None:
                self._stores.put(folder, found)
            return found

    def prepare(self) -> None:
        """Begin to import what the first check would wait for."""
        self._prepared.clear()
        threading.Thread(target=self._import, name="warm-up", daemon=True).start()

    def _import(self) -> None:
        import importlib

        try:
            for name in PREPARED:
                importlib.import_module(name)
            read_all()
            prepare_hosts()
        finally:
            self._prepared.set()
        for name in PREPARED_LAST:
            importlib.import_module(name)

    def _holds(self, found: Project) -> bool:
        fresh = self._clock() - found.read_at < FRESH_SECONDS
        return fresh and stamp_of(found.files) == found.stamp

    def close(self) -> None:
        self._readers.close()
        for opened in self._stores.values():
            opened.store.close()


def environment(variables: bytes) -> dict[str, str]:
    """The environment of a client, from NAME=value with a NUL between."""
    pairs = (os.fsdecode(pair).partition("=") for pair in variables.split(b"\0") if pair)
    return {name: value for name, _, value in pairs}
