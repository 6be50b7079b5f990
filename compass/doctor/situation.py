"""What a check of the doctor is given and gives back."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from compass.install.installation import Site
from evaluator.settings.keys import Settings
from evaluator.settings.layers import Loaded
from hooks import registry
from hooks.entries import closed_policy, read_settings
from hooks.setup import Setup


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok` False: the gate would not hold, or not as configured; `detail` then tells the way out.

    `warns`: it holds as configured, and the detail names what the user may want to change. `but`: a clause that says
    why, with every finding ok, it still cannot be said that the gate holds.
    """

    name: str
    ok: bool
    detail: str
    warns: bool = False
    but: str = ""


@dataclass(frozen=True, slots=True)
class HostFile:
    """One settings file of the host. `value` is in words why it does not load, where it does not."""

    path: str
    value: dict[str, object] | str

    @property
    def settings(self) -> dict[str, object]:
        return self.value if isinstance(self.value, dict) else {}


@dataclass(frozen=True, slots=True)
class Situation:
    """`now` in seconds since the epoch. `files` are the host's settings files that exist."""

    site: Site
    loaded: Loaded
    files: tuple[HostFile, ...]
    now: float

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @property
    def setup(self) -> Setup:
        return self.site.host.setup()

    @property
    def again(self) -> str:
        """The `compass init` command that wires this host again."""
        host = self.site.host
        return f"compass init --host {host.NAME}" if registry.host_word(host) else "compass init"

    @property
    def gating(self) -> str:
        """The name that the host has for the event before a call."""
        return self.site.host.EVENTS["pre-tool-use"]

    @property
    def blocks(self) -> bool:
        """Whether a failing hook has to stop the write."""
        return self.settings.enabled and closed_policy(self.settings.mode, self.settings.error_policy)

    @property
    def wired(self) -> tuple[HostFile, ...]:
        """The host's settings files that hold hooks of Compass, whether or not they work."""
        return tuple(file for file in self.files if self.setup.own_handlers(file.settings))

    @property
    def plugin(self) -> tuple[bool | None, str]:
        """What the last settings file that names a plugin of ours says of it, and that file: later ones outweigh."""
        said = [(self.setup.plugin_enabled(file.settings), file.path) for file in self.files]
        return next((one for one in reversed(said) if one[0] is not None), (None, ""))


Examination = Callable[[Situation], Finding]


def host_files(site: Site) -> tuple[HostFile, ...]:
    setup = site.host.setup()
    paths = (*setup.settings_files(site.home, site.project_dir), setup.table.managed_file)
    if not setup.table.local_file:
        paths = (site.settings_path("user"),)
    read = ((path, read_settings(path)) for path in paths if path)
    return tuple(HostFile(path, value) for path, value in read if value is not None)


def shown(situation: Situation, path: str) -> str:
    """A path as people write it: relative to the project, or from ~."""
    for base, name in ((situation.site.project_dir, ""), (situation.site.home, "~/")):
        if path.startswith(base + os.sep):
            return name + path[len(base) + 1 :]
    return path
