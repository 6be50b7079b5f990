"""From a hook's bytes to its answer: the project's settings and error policy, then the gate or another event."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import compass
from compass.composition.gate import Wired, in_session
from compass.composition.settings import home_of, load
from evaluator.backends import AUTO
from evaluator.effects import text_of
from evaluator.errors import AnotherHost, CompassError
from evaluator.files import private_folder
from evaluator.model import Check
from evaluator.settings import layers
from evaluator.settings.environment import CleanEnvironment
from evaluator.settings.keys import Settings
from evaluator.settings.places import (
    RECORDED,
    VARIABLE,
    config_dir,
    entry_words,
    set_by,
    state_dir,
    user_file,
    word_of,
)
from evaluator.settings.record import TOLD
from evaluator.state.database import FaultLog
from hooks import registry

if TYPE_CHECKING:
    from hooks.host import Host


SESSIONS_KEPT = 32
"""That were told that the settings are lost."""
_DIGEST_CHARS = 16
UNJUDGED = ("sampler_error", "circuit_open")
"""Reasons of denials that ask the person nothing."""
Load = Callable[[Mapping[str, str], str], tuple[layers.Loaded, str]]
"""(raw environment, working folder) -> the settings there, and the project's folder."""


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
        self.host = host or registry.caller(env.get(VARIABLE, "").encode())
        self.directory = ""
        self.problem: Exception | None = None
        self._raw = env
        self.cwd: str = ""
        self.say = say
        self._load = load or self._read
        self.loaded: layers.Loaded
        try:
            self.use_project(cwd)
        except Exception as error:  # noqa: BLE001 - the closed defaults stand; the first thing to do tells it again
            self.problem = error
            clean = CleanEnvironment(env, home_of(env))
            self.loaded = layers.Loaded(Settings(enabled=True), {}, (), clean=clean)

    def insist(self) -> None:
        """Raises what kept the settings from being read."""
        if self.problem is not None:
            raise self.problem

    def use_project(self, cwd: str) -> None:
        """Read the settings of the project of a working directory, and the environment that they leave."""
        if self.directory and cwd == self.cwd:
            return
        self.loaded, self.directory = self._load(self._raw, cwd)
        self.cwd = cwd

    def _read(self, env: Mapping[str, str], cwd: str) -> tuple[layers.Loaded, str]:
        directory = self.host.project_of(env, cwd)
        return load(env, home_of(env), directory, cwd, host=self.host), directory

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
        cause = cause_of(error)
        self._log(cause, error)
        if not self.blocks:
            return b""
        return self.host.deny(
            f"{unchecked(self.settings, cause)}, and `compass init --uninstall` takes the gate out."
        )

    def _log(self, cause: str, error: BaseException) -> None:
        self.say(f"compass: {self.event}: {cause}")
        import traceback

        frame = traceback.extract_tb(error.__traceback__)[-1:] if error.__traceback__ else []
        where = f" at {os.path.basename(frame[0].filename)}:{frame[0].lineno}" if frame else ""
        FaultLog(state_dir(self.env, self.home), time.time).note(self.event, f"{cause}{where}")


def unchecked(settings: Settings, cause: str) -> str:
    """What the agent is told of a call that nobody could judge; without a full stop."""
    return (
        f"Compass could not check this call, and its error policy is {settings.error_policy}: {cause}\n"
        "Nothing was written. This is not a judgement of the request; `compass doctor` shows the cause, "
        f"{set_by('error_policy', 'open')} lets such calls run"
    )


def cause_of(error: BaseException) -> str:
    name = error.__class__.__name__
    try:
        text = str(error) if isinstance(error, CompassError) else f"{name}: {error}"
    except Exception:  # noqa: BLE001 - an exception that cannot even be shown
        text = name
    return " ".join(text.split())[:300]


def handle(event: str, raw: bytes, policy: ErrorPolicy, cwd: str, wired: Callable[[], Wired]) -> bytes:
    """What the host is answered. Raises what goes wrong: the caller answers by `policy`.

    `wired` gives the gate of the project that the policy stands on when it is called.
    """
    host = policy.host
    if event not in host.EVENTS:
        policy.say(f"compass: unknown hook event {event[:60]!r}; one of {', '.join(host.EVENTS)}")
        return b""
    try:
        payload = host.parse(raw)
    except AnotherHost:
        return b""
    policy.insist()
    if not text_of(payload, "cwd"):
        payload = {**payload, "cwd": cwd}
    policy.use_project(text_of(payload, "cwd"))
    if not policy.settings.enabled or _is_judged_elsewhere(policy, text_of(payload, "tool_name")):
        return b""
    if policy.loaded.lost:
        return _lost_settings(event, payload, policy, wired)
    return answered(event, payload, wired())


def _is_judged_elsewhere(policy: ErrorPolicy, tool: str) -> bool:
    """Whether another entry of the host's settings calls this very program: one call is judged once. The plugin is
    silent where any settings call the hook, the entry of all projects where the project's own do.

    Files of the user are believed. A project's may hold anything that looks like an entry, so only what `compass init`
    writes counts there, to the letter: program, places, matcher, time and what a failure does.
    """
    by_user: tuple[str, ...]
    if policy.env.get("COMPASS_VIA_PLUGIN"):
        by_user = policy.host.FILES.of_user(policy.home)[:1]
    elif word_of(policy.env) == RECORDED:
        by_user = ()
    else:
        return False
    files = [file.value for file in policy.loaded.clean.files if file.value.get("hooks")]
    if not files and not by_user:
        return False
    setup, event = policy.host.setup(), policy.host.EVENTS[policy.event]
    if any(setup.wires(setup.read_object(path), event) for path in by_user):
        return True
    script = os.path.join(os.path.dirname(os.path.abspath(compass.__file__)), "__main__.py")
    commands = expected_commands(
        policy.event, sys.executable, script, policy.env, policy.home, registry.named(policy.host)
    )
    return any(setup.is_called(file, event, tool, commands) for file in files)


def expected_commands(
    event: str, interpreter: str, script: str, env: Mapping[str, str], home: str, host: str = ""
) -> frozenset[str]:
    """What init writes for this project, with every policy, and what 0.1.0 wrote. `event` in Compass's word."""
    from hooks.entries import hook_command

    said = [entry_words(env, home, of_project=True, blocks=blocks, host=host) for blocks in (True, False)]
    return frozenset(hook_command(interpreter, script, event, words) for words in (*said, ()))


def answered(event: str, payload: Mapping[str, object], wired: Wired) -> bytes:
    try:
        if wired.settings.evaluator.backend == AUTO:
            wired = in_session(wired, wired.host.session_of(payload), time.time())
        if event != "pre-tool-use":
            from compass.hook.events import note

            return note(event, payload, wired, time.time())
        from evaluator.gate import pipeline

        host = wired.host
        pending = host.pending_write(payload, wired.env)
        found = pipeline.check(wired.parts, pending)
        told = told_of(found, wired)
        if found.decision != "deny":
            return host.tell(told) if told else b""
        return host.deny(found.detail, ends_turn=found.ends_turn, message=told)
    finally:
        wired.close()


def told_of(found: Check, wired: Wired) -> str:
    """What the person is shown of a check: with a denial, also what is owed. What a subagent's call has its person told
    is shown to nobody, and owed.
    """
    session, denied = found.pending.session_id, found.decision == "deny"
    asks = denied and found.reason not in UNJUDGED
    if found.pending.agent_id:
        if found.told:
            from evaluator.intervention.held import Owed

            wired.store.owe(session, Owed(found.told, found.detail if denied else "", asks))
        return found.told
    if not denied:
        return found.told
    owed = wired.take_owed(session, asked_since=bool(found.told) and asks)
    return "\n".join(text for text in (found.told, owed.person) if text)


def _lost_settings(
    event: str, payload: Mapping[str, object], policy: ErrorPolicy, wired: Callable[[], Wired]
) -> bytes:
    """What the host is answered. Raises as `handle` does."""
    cause = policy.loaded.lost
    policy.say(f"compass: {event}: the gate was turned on here, and its settings are lost: {cause}")
    if event != "pre-tool-use":
        return answered(event, payload, wired())
    from evaluator.gate import pipeline

    gate, host = wired(), policy.host
    try:
        pending = host.pending_write(payload, gate.env)
        found = pipeline.guard(gate.parts, pending)
    finally:
        gate.close()
    if found is not None:
        return host.deny(found.detail) if found.decision == "deny" else b""
    FaultLog(state_dir(policy.env, policy.home), time.time).note(event, f"settings lost: {cause}")
    first = _first_in_session(policy.home, pending.session_id)
    if not policy.blocks:
        return host.tell(f"Compass checks nothing here. {explanation(policy)}") if first else b""
    reason = (
        f"Compass could not check this call. {explanation(policy)}\n"
        "Nothing was written, and this is no judgement of the request."
    )
    return host.deny(reason, message=f"Compass blocks writes here. {explanation(policy)}" if first else "")


def explanation(policy: ErrorPolicy) -> str:
    """Why, and every way out."""
    lost = policy.loaded.lost
    common = lost.startswith(user_file(policy.env, policy.home))
    whose = "may be turned on for every project" if common else "was turned on for this project"
    return (
        f"It {whose}, and the settings that say so are lost: {lost}. "
        "In a terminal: restore that file, or delete it and run `compass init` in the project to set it up again; "
        "`compass init --uninstall` takes the gate out; `compass doctor` says more."
    )


def _first_in_session(home: str, session: str) -> bool:
    """Whether the person was not told in this session. Kept beside the records of projects: the state may be gone."""
    import hashlib

    name = hashlib.sha256(session.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGEST_CHARS]
    path = os.path.join(config_dir(home), TOLD)
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            told = file.read((SESSIONS_KEPT + 1) * (_DIGEST_CHARS + 1)).split()
    except OSError:
        told = []
    if name in told:
        return False
    try:
        private_folder(config_dir(home), repair=False)
        temporary = f"{path}.{os.getpid()}.tmp"
        with open(temporary, "w", encoding="ascii") as file:
            file.write("".join(f"{one}\n" for one in (*told, name)[-SESSIONS_KEPT:]))
        os.replace(temporary, path)
    except OSError:
        pass  # told again at the next call, which is better than never
    return True
