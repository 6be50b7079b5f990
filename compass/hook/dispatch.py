"""One hook call, from its bytes to its answer: under its deadline, whatever raises or is late is answered by policy.

The same in the hook's own process, over the socket and over HTTP; each brings the settings, the gate and the seconds
that are gone.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

import compass
from compass.composition.gate import Wired, gate_in_session, wire
from evaluator.effects import text_of
from evaluator.errors import AnotherHost, CompassError
from evaluator.files import FaultLog, replace_private
from evaluator.model import AUTO, Check
from evaluator.record import Record, replace
from evaluator.settings import layers, places
from evaluator.settings.environment import CleanEnvironment, adopt
from evaluator.settings.keys import ServiceSettings, Settings
from evaluator.wire import LONGEST_SECONDS
from hooks import registry
from hooks.client import complain_on_stderr

if TYPE_CHECKING:
    from hooks.host import Host

UNJUDGED = ("sampler_error", "circuit_open")
"""Reasons of denials that ask the person nothing."""
SESSIONS_KEPT = 32
"""That were told that the settings are lost."""
Answer = Callable[[bytes], None]
Load = Callable[[Mapping[str, str], str], tuple[layers.Loaded, str]]
"""(raw environment, working folder) -> the settings there, and the project's folder."""
MAIN = os.path.join(os.path.dirname(os.path.abspath(compass.__file__)), "__main__.py")


class ErrorPolicy:
    """One call's settings, and its answer where no check can be had. `say` takes a line for the client's stderr.

    `load` None reads the settings each time; `host` None is the one that the wired entry names. Raises KeyError for
    one that nobody knows.
    """

    def __init__(
        self,
        event: str,
        env: Mapping[str, str],
        cwd: str,
        say: Callable[[str], None],
        load: Load | None = None,
        host: Host | None = None,
    ) -> None:
        self.event = event
        self.host = host or registry.calling_host(env.get(places.VARIABLE, "").encode())
        self.directory = ""
        self.problem: Exception | None = None
        """What kept the project's settings from being read."""
        self.cwd: str = ""
        self.say = say
        self._raw, self._load = env, load
        self.loaded: layers.Loaded
        try:
            self.use_project(cwd)
        except Exception as error:  # noqa: BLE001 - the closed defaults stand; the first thing to do tells it again
            self.problem = error
            clean = CleanEnvironment(env, places.home_of(env))
            self.loaded = layers.Loaded(Settings(enabled=True), {}, (), clean=clean)

    def use_project(self, cwd: str) -> None:
        """Read the settings of the project of a working directory, and the environment that they leave."""
        if self.directory and cwd == self.cwd:
            return
        if self._load is not None:
            self.loaded, self.directory = self._load(self._raw, cwd)
        else:
            directory = self.host.project_of(self._raw, cwd)
            self.loaded = layers.load(
                self._raw, places.home_of(self._raw), directory, cwd, at=self.host.FILES
            )
            self.directory = directory
        self.cwd = cwd

    @property
    def env(self) -> Mapping[str, str]:
        return self.loaded.clean.env

    @property
    def home(self) -> str:
        return self.loaded.clean.home

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @property
    def blocks(self) -> bool:
        settings = self.settings
        return (
            self.event == "pre-tool-use"
            and settings.enabled
            and settings.mode == "enforce"
            # Where Compass itself is at fault, the local evaluator cannot be trusted to have run either.
            and settings.error_policy != "open"
        )

    def answer(self, error: BaseException) -> bytes:
        """What the host is answered; the fault is said and logged."""
        cause = error_cause(error)
        self.say(f"compass: {self.event}: {cause}")
        import traceback

        frame = traceback.extract_tb(error.__traceback__)[-1:] if error.__traceback__ else []
        where = f" at {os.path.basename(frame[0].filename)}:{frame[0].lineno}" if frame else ""
        FaultLog(places.state_dir(self.env, self.home), time.time).note(self.event, f"{cause}{where}")
        if not self.blocks:
            return b""
        return self.host.deny(
            f"{unchecked_reason(self.settings, cause)}; `compass init --uninstall` removes the gate."
        )


def unchecked_reason(settings: Settings, cause: str) -> str:
    """What the agent is told of a call that nobody could judge; without a full stop."""
    return (
        f"Compass could not check this call, and its error policy is {settings.error_policy}: {cause}\n"
        "Nothing was written. This is not a judgement of the request. `compass doctor` shows the cause; "
        f"{places.set_by('error_policy', 'open')} lets such calls run"
    )


def error_cause(error: BaseException) -> str:
    """An error in one line of at most 300 characters."""
    name = error.__class__.__name__
    try:
        text = str(error) if isinstance(error, CompassError) else f"{name}: {error}"
    except Exception:  # noqa: BLE001 - an exception that cannot even be shown
        text = name
    return " ".join(text.split())[:300]


class Journey(Record):
    """`gate` gives the gate of the project that `policy` stands on; `spent` the seconds that are gone."""

    event: str
    payload: bytes
    policy: ErrorPolicy
    gate: Callable[[], Wired]
    spent: Callable[[], float]

    @property
    def deadline(self) -> float:
        """Seconds that the call has in all, by the settings that were found."""
        return min(self.policy.settings.deadline_seconds, LONGEST_SECONDS)

    def left(self) -> float:
        return self.deadline - self.spent()

    def end(
        self,
        cwd: str,
        *,
        first: Callable[[], object] = lambda: None,
        passes: Callable[[BaseException], bool] = lambda _: False,
    ) -> bytes:
        """What the host is answered, whatever happens. Raises KeyboardInterrupt and what `passes` names, alone.

        `cwd` counts where the payload names no folder. `first` is done before anything else, inside the boundary.
        """
        try:
            first()
            return handle(self.event, self.payload, self.policy, cwd, self._gate_with_hook_time)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # The boundary: nothing else may escape, or the write would run unchecked.
            if passes(error):
                raise
            return self.policy.answer(error)

    def late(self, why: str) -> bytes:
        """The answer to a call that can no longer be judged."""
        return self.policy.answer(TimeoutError(why))

    def _gate_with_hook_time(self) -> Wired:
        """The gate, with the time that this call has left."""
        gate, seconds = self.gate(), self.left()
        if seconds >= gate.settings.deadline_seconds:
            return gate
        settings = replace(gate.settings, deadline_seconds=max(0.0, seconds))
        return replace(gate, parts=replace(gate.parts, settings=settings))


def start_service(env: Mapping[str, str], settings: ServiceSettings) -> None:
    """Start a service that outlives this process and holds none of its streams. Raises OSError.

    Costs a spawn and no wait: of several that start at once, all but one end at the lock.
    """
    if not settings.enabled:
        return
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    words = [sys.executable, "-I", MAIN, "serve", "--detached"]
    try:
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet, setsid=True)
    except NotImplementedError:
        # Not every C library can make a session here; the service does it by itself.
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet)


def decide(event: str, payload: bytes, answer: Answer, *, late: str, wake: bool, spent: float = 0.0) -> bytes:
    """One hook call: the bytes to print. Never raises; at the deadline it answers by policy and ends the process.

    `late`: why a check is no longer possible, which policy answers. `wake`: start a service for the next call.
    `spent`: seconds of the deadline that are gone, such as on a service that was killed in mid-check.
    """
    cwd, began = working_dir(), monotonic() - spent
    policy = ErrorPolicy(event, dict(os.environ), cwd, complain_on_stderr)

    def gate() -> Wired:
        adopt(policy.loaded.clean)
        return wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host)

    journey = Journey(event, payload, policy, gate, lambda: monotonic() - began)
    if late:
        return journey.late(late)
    # Taken once, by the result or by the deadline: either answers, never both.
    answers = threading.Lock()

    def expire() -> None:
        if answers.acquire(blocking=False):
            answer(journey.late(f"no verdict within {journey.deadline:g} s"))
            os._exit(0)

    watch = threading.Timer(max(0.0, journey.left()), expire)
    watch.daemon = True
    result = journey.end(cwd, first=watch.start)
    if wake and policy.settings.enabled:
        try:
            start_service(policy.env, policy.settings.service)
        except OSError as error:
            complain_on_stderr(f"compass: the service could not be started: {error}")
    return result if answers.acquire(blocking=False) else b""


def working_dir() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def handle(event: str, raw: bytes, policy: ErrorPolicy, cwd: str, wired: Callable[[], Wired]) -> bytes:
    """Handles one event of a host; what the host is answered. Raises what goes wrong: the caller answers by `policy`.

    `wired` gives the gate of the project that the policy stands on when it is called.
    """
    host = policy.host
    if event not in host.EVENTS:
        policy.say(f"compass: unknown hook event {event[:60]!r}; expected one of {', '.join(host.EVENTS)}")
        return b""
    try:
        payload = host.parse(raw)
    except AnotherHost:
        return b""
    if policy.problem is not None:
        raise policy.problem
    if not text_of(payload, "cwd"):
        payload = {**payload, "cwd": cwd}
    policy.use_project(text_of(payload, "cwd"))
    if not policy.settings.enabled or _is_judged_elsewhere(policy, text_of(payload, "tool_name")):
        return b""
    if policy.loaded.lost:
        return _dispatch_lost_settings(event, payload, policy, wired)
    return answered(event, payload, wired())


def _is_judged_elsewhere(policy: ErrorPolicy, tool: str) -> bool:
    """Whether another entry of the host's settings calls this very program: one call is judged once. The plugin is
    silent where any settings call the hook, the entry of all projects where the project's own do.

    Files of the user are believed. A project's may hold anything that looks like an entry, so only what `compass init`
    writes counts there, to the letter: program, places, matcher, time and what a failure does.
    """
    by_plugin = bool(policy.env.get("COMPASS_VIA_PLUGIN"))
    if not by_plugin and places.word_of(policy.env) != places.RECORDED:
        return False
    by_user = policy.host.FILES.of_user(policy.home)[:1] if by_plugin else ()
    files = [file.value for file in policy.loaded.clean.files if file.value.get("hooks")]
    if not files and not by_user:
        return False
    from hooks.entries import hook_command, read_settings

    setup, event = policy.host.setup(), policy.host.EVENTS[policy.event]
    if any(setup.wires(read_settings(path), event) for path in by_user):
        return True
    # What init writes for this project, with every policy, and what 0.1.0 wrote.
    host = registry.host_word(policy.host)
    said = [
        places.entry_words(policy.env, policy.home, of_project=True, blocks=blocks, host=host)
        for blocks in (True, False)
    ]
    commands = frozenset(hook_command(sys.executable, MAIN, policy.event, words) for words in (*said, ()))
    return any(setup.is_called(file, event, tool, commands) for file in files)


def answered(event: str, payload: Mapping[str, object], wired: Wired) -> bytes:
    try:
        if wired.settings.evaluator.backend == AUTO:
            wired = gate_in_session(wired, wired.host.session_of(payload))
        if event != "pre-tool-use":
            from compass.hook.events import note

            return note(event, payload, wired, time.time())
        from evaluator.gate import pipeline

        host = wired.host
        found = pipeline.check(wired.parts, host.pending_write(payload, wired.env))
        told = told_to_person(found, wired)
        if found.decision != "deny":
            return host.tell(told) if told else b""
        return host.deny(found.detail, ends_turn=found.ends_turn, message=told)
    finally:
        wired.close()


def told_to_person(found: Check, wired: Wired) -> str:
    """What the person is shown of a check: with a denial, also what is owed. What a subagent's call has its person told
    is shown to nobody, and owed."""
    session, denied = found.pending.session_id, found.decision == "deny"
    asks = denied and found.reason not in (*UNJUDGED, "self_protection")
    if found.pending.agent_id:
        if found.told:
            from evaluator.intervention.records import Owed

            wired.store.owe(session, Owed(found.told, found.detail if denied else "", asks))
        return found.told
    if not denied:
        return found.told
    owed = wired.take_owed(session, asked_since=bool(found.told) and asks)
    return "\n".join(text for text in (found.told, owed.person) if text)


def _dispatch_lost_settings(
    event: str, payload: Mapping[str, object], policy: ErrorPolicy, wired: Callable[[], Wired]
) -> bytes:
    """What the host is answered. Raises as `handle` does."""
    cause = policy.loaded.lost
    policy.say(f"compass: {event}: the gate was turned on here, but its settings are lost: {cause}")
    if event != "pre-tool-use":
        return answered(event, payload, wired())
    from evaluator.gate import pipeline

    gate, host = wired(), policy.host
    try:
        pending = host.pending_write(payload, gate.env)
        found = pipeline.guard(gate.parts, pending)
        if found is not None:
            return host.deny(found.detail) if found.decision == "deny" else b""
    finally:
        gate.close()
    FaultLog(places.state_dir(policy.env, policy.home), time.time).note(event, f"settings lost: {cause}")
    first, why = first_in_session(policy.home, pending.session_id), lost_settings_explanation(policy)
    if not policy.blocks:
        return host.tell(f"Compass checks nothing here. {why}") if first else b""
    reason = (
        f"Compass could not check this call. {why}\n"
        "Nothing was written, and this is not a judgement of the request."
    )
    return host.deny(reason, message=f"Compass blocks writes here. {why}" if first else "")


def lost_settings_explanation(policy: ErrorPolicy) -> str:
    """Why the settings are lost, and every way out, in words."""
    lost = policy.loaded.lost
    common = lost.startswith(places.user_file(policy.env, policy.home))
    whose = "may be turned on for every project" if common else "was turned on for this project"
    return (
        f"It {whose}, and the settings that say so are lost: {lost}. In a terminal: restore that file, or delete it "
        "and run `compass init` in the project to set it up again; `compass init --uninstall` removes the gate; "
        "`compass doctor` shows more."
    )


def first_in_session(home: str, session: str) -> bool:
    """Whether this session was not yet told that settings are lost. Kept beside records: the state may be gone."""
    import hashlib

    name = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    path = os.path.join(places.config_dir(home), places.TOLD)
    told = places.read_bounded(path).split()
    if name in told:
        return False
    with suppress(OSError):
        # Told again at the next call where that fails, which is better than never.
        replace_private(path, "\n".join((*told, name)[-SESSIONS_KEPT:]))
    return True
