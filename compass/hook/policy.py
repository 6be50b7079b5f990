"""A hook call's settings and its error policy: what the host is answered where no check can be had."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from evaluator.errors import CompassError
from evaluator.files import FaultLog, replace_private
from evaluator.settings import layers
from evaluator.settings.environment import CleanEnvironment
from evaluator.settings.keys import Settings
from evaluator.settings.places import (
    TOLD,
    VARIABLE,
    config_dir,
    home_of,
    read_bounded,
    set_by,
    state_dir,
    user_file,
)
from hooks import registry

if TYPE_CHECKING:
    from hooks.host import Host


SESSIONS_KEPT = 32
"""That were told that the settings are lost."""
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
        self.host = host or registry.calling_host(env.get(VARIABLE, "").encode())
        self.directory = ""
        self.problem: Exception | None = None
        """What kept the project's settings from being read."""
        self._raw = env
        self.cwd: str = ""
        self.say = say
        self._load = load or self._read_policy_settings
        self.loaded: layers.Loaded
        try:
            self.use_project(cwd)
        except Exception as error:  # noqa: BLE001 - the closed defaults stand; the first thing to do tells it again
            self.problem = error
            clean = CleanEnvironment(env, home_of(env))
            self.loaded = layers.Loaded(Settings(enabled=True), {}, (), clean=clean)

    def use_project(self, cwd: str) -> None:
        """Read the settings of the project of a working directory, and the environment that they leave."""
        if self.directory and cwd == self.cwd:
            return
        self.loaded, self.directory = self._load(self._raw, cwd)
        self.cwd = cwd

    def _read_policy_settings(self, env: Mapping[str, str], cwd: str) -> tuple[layers.Loaded, str]:
        directory = self.host.project_of(env, cwd)
        return layers.load(env, home_of(env), directory, cwd, at=self.host.FILES), directory

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
        cause = error_cause(error)
        self._log_hook_fault(cause, error)
        if not self.blocks:
            return b""
        return self.host.deny(
            f"{unchecked_reason(self.settings, cause)}; `compass init --uninstall` removes the gate."
        )

    def _log_hook_fault(self, cause: str, error: BaseException) -> None:
        self.say(f"compass: {self.event}: {cause}")
        import traceback

        frame = traceback.extract_tb(error.__traceback__)[-1:] if error.__traceback__ else []
        where = f" at {os.path.basename(frame[0].filename)}:{frame[0].lineno}" if frame else ""
        FaultLog(state_dir(self.env, self.home), time.time).note(self.event, f"{cause}{where}")


def unchecked_reason(settings: Settings, cause: str) -> str:
    """What the agent is told of a call that nobody could judge; without a full stop."""
    return (
        f"Compass could not check this call, and its error policy is {settings.error_policy}: {cause}\n"
        "Nothing was written. This is not a judgement of the request. `compass doctor` shows the cause; "
        f"{set_by('error_policy', 'open')} lets such calls run"
    )


def error_cause(error: BaseException) -> str:
    """An error in one line of at most 300 characters."""
    name = error.__class__.__name__
    try:
        text = str(error) if isinstance(error, CompassError) else f"{name}: {error}"
    except Exception:  # noqa: BLE001 - an exception that cannot even be shown
        text = name
    return " ".join(text.split())[:300]


def lost_settings_explanation(policy: ErrorPolicy) -> str:
    """Why the settings are lost, and every way out, in words."""
    lost = policy.loaded.lost
    common = lost.startswith(user_file(policy.env, policy.home))
    whose = "may be turned on for every project" if common else "was turned on for this project"
    return (
        f"It {whose}, and the settings that say so are lost: {lost}. In a terminal: restore that file, or delete it "
        "and run `compass init` in the project to set it up again; `compass init --uninstall` removes the gate; "
        "`compass doctor` shows more."
    )


def first_in_session(home: str, session: str) -> bool:
    """Whether the person was not yet told in this session that settings are lost. Kept beside the records of projects:
    the state may be gone."""
    import hashlib

    name = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    path = os.path.join(config_dir(home), TOLD)
    told = read_bounded(path).split()
    if name in told:
        return False
    with suppress(OSError):
        # Told again at the next call where that fails, which is better than never.
        replace_private(path, "\n".join((*told, name)[-SESSIONS_KEPT:]))
    return True
