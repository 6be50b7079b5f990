"""What of chibi self-protection guards, installed or not."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

FILES = HostFiles(user=(), project=(), env_blocks=False)
"""Its settings are TOML: none holds Compass's own."""
NAME: str = "chibi"
PREFIXES: tuple[str, ...] = ("CHIBI_",)
PLUGIN: str = ".chibi/plugins/compass"
"""Relative to the home."""
PROTECTED = HostProtected(
    homes=(("CHIBI_HOME", ".chibi"),),
    placed=(PLUGIN,),
    words=(PLUGIN,),
    programs=("chibi", "chibi-json"),
    variables=(r"CHIBI_\w+",),
    moving=("CHIBI_HOME",),
)
