"""Self-protection: what an agent may not do to the gate itself. Pure; files are read through a function.

A gate that its agent can switch off is none, so these calls are denied in every mode, whatever would excuse
them. Other keys of the host's settings, such as permissions, are ordinary writes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from evaluator.model import Effect, PendingWrite
from evaluator.stages.effect import edits_of, text_of

GUARDED_KEYS = ("hooks", "disableAllHooks", "env", "compass")
_CONTROL = re.compile(
    r"""(?:^|[\s;&|(){}`'"=/])compass(?:-gate)?['"]?\s+(?:-\S+\s+)*(?:init|trust|hook|serve|calibrate)\b"""
    r"""|-m\s+compass\b|compass/__main__\.py|compass\.(?:entry|inprocess|cli)\b|hooks/plugin\.sh"""
)
_HOST = re.compile(r"""(?:^|[\s;&|(){}`'"=/])claude['"]?(?=\s|$)(?P<words>[^;&|\n]*)""")
_RESUMES = re.compile(
    r"""(?:^|\s)['"]?(?:-c|-r|--continue|--resume|--fork-session|--session-id)(?:['"]?(?:\s|=|$))"""
)

Read = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Protected:
    """Absolute paths with links resolved: `folders` are guarded whole, `settings` by `GUARDED_KEYS`.

    `words` are names of those places as a command would write them.
    """

    folders: tuple[str, ...]
    settings: tuple[str, ...]
    words: tuple[str, ...]
    home: str


def offence(pending: PendingWrite, effect: Effect, protected: Protected, read: Read) -> str:
    """What the call would do to the gate, in words that follow "it"; empty for every other call."""
    if pending.tool_name == "Bash":
        return _by_command(text_of(pending.tool_input, "command"), effect, protected)
    for target in effect.targets:
        if _inside(target, protected):
            return "changes Compass's own files"
        if target in protected.settings and _changes_guarded(pending, target, read):
            return f"changes the keys {', '.join(GUARDED_KEYS)} of {os.path.basename(target)}"
    return ""


def _by_command(command: str, effect: Effect, protected: Protected) -> str:
    if effect.verdict == "read_only":
        return ""
    if _CONTROL.search(command):
        return "runs a control command of Compass"
    if any(_RESUMES.search(found["words"]) for found in _HOST.finditer(command)):
        return "resumes or names a session of the host"
    for target in effect.targets:
        path = os.path.normpath(_expanded(target, protected.home))
        if _inside(path, protected):
            return "changes Compass's own files"
        if path in protected.settings:
            return f"writes {os.path.basename(path)} of the host by a command"
        if effect.operation_class == "destructive" and _above(path, protected):
            return "removes or moves a folder that holds Compass's files or the host's settings"
    # A command whose targets are not known must not name these places at all.
    vague = effect.verdict == "unknown" or not effect.targets
    if vague and any(word in command for word in protected.words):
        return "names Compass's files or the host's settings in a command that cannot be read"
    return ""


def _expanded(target: str, home: str) -> str:
    return home + target[1:] if target == "~" or target.startswith("~/") else target


def _inside(path: str, protected: Protected) -> bool:
    return any(path == folder or path.startswith(folder + os.sep) for folder in protected.folders)


def _above(path: str, protected: Protected) -> bool:
    places = (*protected.folders, *protected.settings)
    return any(place.startswith(path.rstrip(os.sep) + os.sep) for place in places)


def _changes_guarded(pending: PendingWrite, target: str, read: Read) -> bool:
    """Whether the file would hold other values under the guarded keys; a result that is no JSON counts."""
    before = read(target)
    after = _result(pending, before)
    old, new = _guarded(before or "{}"), _guarded(after)
    return new is None or new != (old or {})


def _result(pending: PendingWrite, before: str | None) -> str:
    given = pending.tool_input
    if pending.tool_name == "Write":
        return text_of(given, "content")
    text = before or ""
    for old, new in edits_of(given):
        text = text.replace(old, new) if given.get("replace_all") is True else text.replace(old, new, 1)
    return text


def _guarded(text: str) -> dict[str, object] | None:
    import json

    try:
        found = cast(object, json.loads(text.strip() or "{}"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    values = cast(dict[str, object], found)
    return {key: values[key] for key in GUARDED_KEYS if key in values}
