"""Where OpenCode keeps what decides on its hooks: what it loads at its start. Data: each cold call reads it."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

FILES = HostFiles(user=(), project=(), env_blocks=False)
"""Its own configuration refuses keys that it does not know, so none holds Compass's."""
PREFIXES: tuple[str, ...] = ("OPENCODE_",)
FOLDER: str = "opencode"
"""Below XDG_CONFIG_HOME."""
PLUGIN: str = "plugin/compass.js"
PROTECTED = HostProtected(
    within=(".opencode/plugin", ".opencode/plugins"),
    homes=(("XDG_CONFIG_HOME", ".config"),),
    placed=(".config/opencode/plugin", ".config/opencode/plugins"),
    words=("opencode/plugin",),
    programs=("opencode",),
    variables=(r"OPENCODE_\w+",),
    moving=("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT", "OPENCODE_PURE"),
)
