"""Answers a hook in its own process: the one place where a fault becomes an answer by policy."""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections.abc import Callable, Mapping

from compass.surroundings import adopt, home_of
from compass.wiring import Wired, wire
from evaluator import config
from evaluator.environment import CleanEnvironment
from evaluator.errors import CompassError
from evaluator.project import project_dir
from evaluator.settings import Settings
from evaluator.stages.effect import text_of
from evaluator.state.faults import FaultLog
from hooks.client import complain
from hooks.hosts import claude_code as host


def judge(event: str, payload: bytes, answer: Callable[[bytes], None]) -> bytes:
    """The bytes to print. Never raises; at the deadline it answers by policy and ends the process."""
    env = dict(os.environ)
    policy = Policy(event, env)
    watch = threading.Timer(policy.settings.deadline_seconds, policy.expire, [answer])
    watch.daemon = True
    try:
        policy.insist()
        watch.start()
        result = _handle(event, payload, policy)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the boundary: nothing may escape, or the write would run unchecked
        result = policy.answer(error)
    return result if policy.close() else b""


class Policy:
    """What the hook says when Compass itself fails: decided from the settings before any other work."""

    def __init__(self, event: str, env: Mapping[str, str]) -> None:
        self.event = event
        self._raw = env
        self._lock = threading.Lock()
        self._answered = False
        self.directory = self._cwd = ""
        self.problem: Exception | None = None
        # Until settings are read, the closed defaults stand.
        clean = CleanEnvironment(env, home_of(env))
        self.loaded = config.Loaded(Settings(enabled=True), {}, (), clean=clean)
        try:
            self.use_project(_cwd())
        except Exception as error:  # noqa: BLE001 - the closed defaults stand; the first thing to do tells it again
            self.problem = error

    def insist(self) -> None:
        """Raises what kept the settings from being read."""
        if self.problem is not None:
            raise self.problem

    def use_project(self, cwd: str) -> None:
        """Read the settings of the project of a working directory, and the environment that they leave."""
        directory = project_dir(self._raw.get("CLAUDE_PROJECT_DIR"), cwd)
        if (directory, cwd) != (self.directory, self._cwd):
            self.loaded = config.load(self._raw, home_of(self._raw), directory, cwd)
            self.directory, self._cwd = directory, cwd

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
        cause = _cause_of(error)
        self.log(cause, error)
        if not self.blocks:
            return b""
        return host.deny(
            f"Compass could not check this call, and its error policy is {self.settings.error_policy}: {cause}\n"
            "Nothing was written. This is not a judgement of the request; `compass doctor` shows the cause, "
            "and `compass init --uninstall` takes the gate out."
        )

    def log(self, cause: str, error: BaseException) -> None:
        complain(f"compass: {self.event}: {cause}")
        frame = traceback.extract_tb(error.__traceback__)[-1:] if error.__traceback__ else []
        where = f" at {os.path.basename(frame[0].filename)}:{frame[0].lineno}" if frame else ""
        FaultLog(config.state_dir(self.env, self.home), time.time).note(self.event, f"{cause}{where}")

    def close(self) -> bool:
        """True for the first caller: either the result or the deadline answers, never both."""
        with self._lock:
            first = not self._answered
            self._answered = True
            return first

    def expire(self, answer: Callable[[bytes], None]) -> None:
        if self.close():
            answer(self.answer(TimeoutError(f"no verdict within {self.settings.deadline_seconds:g} s")))
            os._exit(0)


def _handle(event: str, raw: bytes, policy: Policy) -> bytes:
    if event not in host.EVENTS:
        complain(f"compass: unknown hook event {event[:60]!r}; one of {', '.join(host.EVENTS)}")
        return b""
    payload = host.parse(raw)
    policy.use_project(text_of(payload, "cwd") or _cwd())
    adopt(policy.loaded.clean)
    if not policy.settings.enabled or _is_second_wiring(policy):
        return b""
    wired = wire(policy.env, policy.home, policy.directory, policy.loaded)
    try:
        if event == "pre-tool-use":
            return _pre_tool_use(payload, wired)
        from compass.notes import note

        return note(event, payload, wired, time.time())
    finally:
        wired.close()


def _is_second_wiring(policy: Policy) -> bool:
    """The plugin stays silent where the settings already call the hook: one call is judged once."""
    if not policy.env.get("COMPASS_VIA_PLUGIN"):
        return False
    from compass.host_settings import is_second_wiring

    return is_second_wiring(policy.home, policy.directory, host.EVENTS[policy.event])


def _pre_tool_use(payload: Mapping[str, object], wired: Wired) -> bytes:
    from evaluator import pipeline

    found = pipeline.check(wired.parts, host.pending_write(payload, wired.env))
    return host.deny(found.detail, ends_turn=found.ends_turn) if found.decision == "deny" else b""


def _cause_of(error: BaseException) -> str:
    name = error.__class__.__name__
    try:
        text = str(error) if isinstance(error, CompassError) else f"{name}: {error}"
    except Exception:  # noqa: BLE001 - an exception that cannot even be shown
        text = name
    return " ".join(text.split())[:300]


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
