"""What the service keeps between calls, and what a call to it means over the socket and over HTTP alike."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from compass.composition.effects import prepare_hosts
from compass.composition.gate import Wired, wire
from compass.composition.process import Aside
from compass.composition.settings import load
from compass.hook.dispatch import MAIN, ErrorPolicy, Journey
from evaluator.effects import text_of
from evaluator.errors import AbandonedError
from evaluator.files import FaultLog, is_want
from evaluator.readers.event_loop import ReaderLoop
from evaluator.record import replace
from evaluator.rules.bans import compile_words
from evaluator.service.server import HookReply, Request, environment
from evaluator.settings import layers
from evaluator.settings.environment import settings_paths_of
from evaluator.settings.files import policy_path
from evaluator.settings.places import config_dir, home_of, project_file, project_root, state_dir, user_file
from evaluator.shell.rows.tables import read_all
from evaluator.state.store import OpenedStore, open_store
from evaluator.wire import BUSY, OTHER, wired_in
from hooks import registry
from hooks.host import Host

KEPT = 64
PREPARED = (
    "evaluator.gate.evaluation",
    "evaluator.gate.verdicts",
    "evaluator.gate.holds",
    "evaluator.egress.evidence",
    "compass.composition.thresholds",
    "evaluator.rules.bans",
    "evaluator.rules.losses",
    "evaluator.protection.commands",
    "evaluator.shell.bash",
    "evaluator.readers.sampling",
)
PREPARED_LAST = ("evaluator.readers.anthropic_api",)
PREPARE_SECONDS = 10.0
FRESH_SECONDS = 5.0
"""Settings are read again after this time even if no stamp tells of a change."""

T = TypeVar("T")
Stamp = tuple[tuple[int, int, int, int] | None, ...]
NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Read by the model SDK from the process itself, so a call that has others cannot be served here."""
_SPELLED = tuple((name.lower(), name) for name in NETWORK)
LABEL_SECONDS = 300.0
"""The longest that the labels of one turn may take."""
PROMPT_SECONDS, SETTLE_SECONDS = 5.0, 0.5
AT_ONCE_SECONDS = 0.25
"""A call that waited no longer for its worker has its whole deadline."""


class Newest(Generic[T]):
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
    loaded: layers.Loaded
    files: tuple[str, ...]
    stamp: Stamp
    read_at: float
    wired: Wired | None = None


def sources(loaded: layers.Loaded, directory: str, cwd: str, host: Host) -> tuple[str, ...]:
    """Every file that `layers.load` and the project's key depend on; missing ones too."""
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
                layers.user_project_file(env, home, directory),
                layers.thresholds_file(env, home, directory),
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
            seen = os.stat(path) if os.path.exists(path) else None
        except (OSError, ValueError):
            seen = None
        found.append(seen and (seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_mode))
    return tuple(found)


class Warm:
    """Projects, stores and readers of the calls so far."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._projects: Newest[Project] = Newest()
        self._stores: Newest[OpenedStore] = Newest()
        self._opening = threading.Lock()
        self._readers = ReaderLoop()
        self.aside = Aside()
        self._prepared = threading.Event()
        self._prepared.set()

    def project(self, variables: bytes, cwd: str) -> Project:
        """The project that a call's environment and working folder mean."""
        found = self._projects.get((variables, cwd))
        fresh = found is not None and self._clock() - found.read_at < FRESH_SECONDS
        if found is not None and fresh and stamp_of(found.files) == found.stamp:
            return found
        env, host = environment(variables), registry.calling_host(wired_in(variables))
        directory = host.project_of(env, cwd)
        loaded = load(env, home_of(env), directory, cwd, host=host)
        files = sources(loaded, directory, cwd, host)
        found = Project(env, host, directory, loaded, files, stamp_of(files), self._clock())
        self._projects.put((variables, cwd), found)
        return found

    def last(self, variables: bytes, cwd: str) -> Project | None:
        """The project as it was last read, which may be out of date."""
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
        """Begins to import what a service's first check would wait for."""
        import importlib

        def import_all() -> None:
            try:
                for name in PREPARED:
                    importlib.import_module(name)
                read_all()
                prepare_hosts()
            finally:
                self._prepared.set()
            compile_words()
            for name in PREPARED_LAST:
                importlib.import_module(name)

        self._prepared.clear()
        threading.Thread(target=import_all, name="warm-up", daemon=True).start()

    def close(self) -> None:
        self._readers.close()
        for opened in self._stores.values():
            opened.store.close()


class Judge:
    """Answers requests in worker threads. Never raises: a fault is answered by the policy of its project."""

    def __init__(self, warm: Warm, env: Mapping[str, str]) -> None:
        """`env`: the environment of this process, from which its connections take proxies and certificates."""
        self.warm = warm
        self.labelling = Aside()
        self._labels = threading.Lock()
        self.network = _service_network_env(env)

    def __call__(self, request: Request) -> HookReply:
        try:
            return self._service_reply(request)
        except AbandonedError:
            return HookReply()
        except OSError as error:
            if not is_want(error):
                raise
            # The client's own process has descriptors of its own.
            return HookReply(refused=BUSY)

    def late(self, request: Request, cwd: str, seconds: float) -> HookReply:
        """The policy's answer to a call that got no verdict in that time."""
        journey, said = self._service_journey(request, cwd)
        return HookReply(journey.late(f"no verdict within {seconds:g} s"), "\n".join(said))

    def _service_reply(self, request: Request) -> HookReply:
        cwd = os.fsdecode(request.cwd)
        journey, said = self._service_journey(request, cwd)
        if request.gone.done():
            return HookReply()
        if _service_network_env(journey.policy.env) != self.network:
            return HookReply(refused=OTHER)
        left = journey.left()
        if left <= 0:
            return HookReply(
                journey.late(f"no worker was free within {journey.deadline:g} s"), "\n".join(said)
            )
        request.accept(left)

        def passes(error: BaseException) -> bool:
            """What no policy answers."""
            return isinstance(error, AbandonedError) or is_want(error)

        reply = HookReply(journey.end(cwd, passes=passes), "\n".join(said))
        policy = journey.policy
        if request.event == "user-prompt-submit" and policy.settings.hindsight.live:
            self.labelling.start(lambda: self._label_turn_in_service(request, policy))
        return reply

    def _label_turn_in_service(self, request: Request, policy: ErrorPolicy) -> None:
        """One turn after the other, of whatever session, each in a process of its own."""
        path, began = text_of(policy.host.parse(request.payload), "transcript_path"), time.time()
        if not path:
            return
        with self._labels:
            try:
                # The client writes a prompt into its session only once the hook has answered.
                latest = time.monotonic() + PROMPT_SECONDS
                while os.stat(path).st_mtime < began and time.monotonic() < latest:
                    time.sleep(0.2)
                time.sleep(SETTLE_SECONDS)
                done = subprocess.run(  # noqa: S603 - this very program
                    [sys.executable, "-I", MAIN, "hindsight", "--live", path],
                    env=environment(request.variables), cwd=policy.directory, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LABEL_SECONDS, check=False,
                )  # fmt: skip
                fault = done.stderr.decode(errors="replace").strip() if done.returncode else ""
            except (OSError, subprocess.TimeoutExpired) as error:
                fault = str(error)
        if fault:
            FaultLog(state_dir(policy.env, policy.home), time.time).note("hindsight.live", fault)

    def _service_journey(self, request: Request, cwd: str) -> tuple[Journey, list[str]]:
        """The journey, and what is said on its way."""
        said: list[str] = []
        found = self.warm.last(request.variables, cwd)
        env = found.env if found is not None else environment(request.variables)

        def load(_env: Mapping[str, str], at: str) -> tuple[layers.Loaded, str]:
            nonlocal found
            found = self.warm.project(request.variables, at)
            return found.loaded, found.directory

        def gate() -> Wired:
            assert found is not None, "settings are read before a gate is requested"
            wired = self.warm.wired(found)
            return replace(wired, parts=replace(wired.parts, gone=request.gone))

        def spent() -> float:
            """The deadline runs while a call waits for a worker, too."""
            waited = time.monotonic() - request.arrived
            return waited if waited > AT_ONCE_SECONDS else 0.0

        policy = ErrorPolicy(request.event, env, cwd, said.append, load)
        return Journey(request.event, request.payload, policy, gate, spent), said


def _service_network_env(env: Mapping[str, str]) -> tuple[str, ...]:
    """What decides how a process reaches the network; lower case wins, also an empty one, as in urllib and httpx."""
    return tuple([env.get(lower, env.get(name, "")) for lower, name in _SPELLED])
