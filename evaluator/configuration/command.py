"""The command that changes a setting, as every message spells it. Imports nothing: messages are made on any path."""

from __future__ import annotations


def set_by(key: str, value: str) -> str:
    """`value` as it is typed, or in capitals what it stands for: `set_by("error_policy", "open")`."""
    return f"`compass config set {key} {value}`"
