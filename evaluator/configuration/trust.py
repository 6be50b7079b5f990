"""Whether the user trusts what a project's settings files hold now. Reads the pin; `compass trust` writes it.

What is pinned is content: the sections `compass` and `env` of every settings file of the project, and the real
path of its folder, since clones share a key. Any change of them ends the trust. The pin lies in the user's own
state, at the place that holds without the project's `env` block.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.configuration.files import SettingsFile
from evaluator.configuration.record import key_of
from evaluator.exhaustion import raise_want

SECTIONS = ("compass", "env")


def trust_path(state: str, directory: str) -> str:
    return os.path.join(state, key_of(state, directory), "trust.json")


def pinned_content(directory: str, files: Sequence[SettingsFile]) -> Mapping[str, Mapping[str, object]]:
    """{path relative to the project: {section: what stands there}}, without files that hold neither."""
    found: dict[str, dict[str, object]] = {}
    for file in files:
        held = {name: file.value[name] for name in SECTIONS if file.value.get(name) not in (None, {})}
        if held:
            found[os.path.relpath(file.path, directory)] = held
    return found


def digest_of(directory: str, files: Sequence[SettingsFile]) -> str | None:
    """SHA-256 of the canonical JSON of what is pinned.

    None where there is nothing to trust, and where a file cannot be read whole, so that nobody can know it.
    """
    content = pinned_content(directory, files)
    if not content or any(file.opaque for file in files):
        return None
    import hashlib

    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def is_trusted(path: str, directory: str, files: Sequence[SettingsFile]) -> bool:
    """`path` of the pins. Costs nothing where the files hold nothing of the kind."""
    digest = digest_of(directory, files)
    return digest is not None and read_pins(path).get(directory) == digest


def read_pins(path: str) -> dict[str, str]:
    """{real path of a project folder: digest}; empty for a file that is missing or not ours to understand."""
    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
    except (OSError, ValueError, RecursionError) as error:
        raise_want(error)
        return {}
    pins = cast(dict[str, object], whole).get("trusted") if isinstance(whole, dict) else None
    if not isinstance(pins, dict):
        return {}
    return {name: pin for name, pin in cast(dict[str, object], pins).items() if isinstance(pin, str)}
