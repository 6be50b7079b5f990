"""Self-protection: what an agent may not do to the gate itself. Pure; files are read through a function.

A gate that its agent can switch off is none, so these calls are denied in every mode, whatever would excuse
them. Other keys of the host's settings, such as permissions, are ordinary writes.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Sequence
from typing import cast

from evaluator.model import Effects, PendingWrite
from evaluator.record import Record
from evaluator.stages.bash import explain
from evaluator.stages.effects import edits_of, text_of

GUARDED_KEYS = ("hooks", "disableAllHooks", "env", "compass")
CONTROL_COMMANDS = ("init", "trust", "hook", "serve", "calibrate")
_OWN = frozenset(("compass", "compass-gate"))
_MODULE = r"-m\s*compass\b|compass[./](?:entry|inprocess|cli)\b"
_SCRIPT = r"compass/__main__\.py|hooks/plugin\.sh"
_API = r"/v1/hooks/|COMPASS_HTTP_TOKEN"
"""The HTTP API's own way in for hooks, and the variable that opens it."""
_NAMES = r"\b(?:compass|claude)\b"
_QUOTING = r"\\\n|[\"'\\]"

Read = Callable[[str], str | None]


class Protected(Record):
    """Absolute paths with links resolved: `folders` are guarded whole, `settings` by `GUARDED_KEYS`.

    `words` are names of those places as a command would write them, `variables` what `~`, `$HOME` and the
    like stand for.
    """

    folders: tuple[str, ...]
    settings: tuple[str, ...]
    words: tuple[str, ...]
    variables: tuple[tuple[str, str], ...] = ()


def offence(pending: PendingWrite, effects: Effects, protected: Protected, read: Read) -> str:
    """What the call would do to the gate, in words that follow "it"; empty for every other call."""
    if pending.tool_name == "Bash":
        return _by_command(text_of(pending.tool_input, "command"), pending.cwd, effects, protected)
    for target in effects.targets:
        if _inside(target, protected.folders):
            return "changes Compass's own files"
        if target in protected.settings and _changes_guarded(pending, target, read):
            return f"changes the keys {', '.join(GUARDED_KEYS)} of {os.path.basename(target)}"
    return ""


def _by_command(command: str, cwd: str, effects: Effects, protected: Protected) -> str:
    if effects.verdict == "read_only":
        return ""
    bare = re.sub(_QUOTING, "", command)
    analysis = explain(command, cwd)
    from evaluator.stages.agents import offence_of

    if cause := offence_of(command, analysis):
        return cause
    for segment in analysis.segments:
        if cause := _runs(segment.program, re.sub(_QUOTING, "", segment.text)):
            return cause
    if effects.verdict == "unknown" and re.search(_NAMES, bare):
        return "names Compass or the host in a command that cannot be read"
    for target in effects.targets:
        if cause := _touches(target, effects, protected):
            return cause
    # A command whose targets are not known must not name these places at all.
    vague = (
        effects.verdict == "unknown"
        or not effects.targets
        or any("$" in one or "`" in one for one in effects.targets)
    )
    if vague and any(word in bare for word in protected.words):
        return "names Compass's files or the host's settings in a command that cannot be read"
    return ""


def _runs(program: str, text: str) -> str:
    """`program` is the one that runs behind all wrappers, `text` the segment without its quoting."""
    words = text.split()
    own = program in _OWN and any(word in CONTROL_COMMANDS for word in words)
    module = program.startswith(("python", "pypy")) and re.search(_MODULE, text)
    if own or module or (program != "git" and re.search(f"{_SCRIPT}|{_API}", text)):
        return "runs a control command of Compass"
    return ""


def _touches(target: str, effects: Effects, protected: Protected) -> str:
    path = os.path.normpath(_expanded(target, protected.variables))
    if any(_matches(path, place) for place in protected.folders) or _inside(path, protected.folders):
        return "changes Compass's own files"
    if any(fnmatch.fnmatchcase(place, path) for place in protected.settings):
        return f"writes {os.path.basename(path)} of the host by a command"
    if effects.operation_class == "destructive":
        if _inside_any(protected.folders + protected.settings, path):
            return "removes or moves a folder that holds Compass's files or the host's settings"
    elif effects.operation != "create" and _inside_any(protected.folders, path):
        return "writes over a folder that holds Compass's files"
    return ""


def _matches(pattern: str, place: str) -> bool:
    """Whether a pattern takes the place itself, or a folder above it."""
    if not any(mark in pattern for mark in "*?["):
        return False
    at = place
    while at not in ("", os.sep):
        if fnmatch.fnmatchcase(at, pattern):
            return True
        at = os.path.dirname(at)
    return False


def _expanded(target: str, variables: Sequence[tuple[str, str]]) -> str:
    """The target with a leading `~` or known variable replaced, also after the folder that it was joined to."""
    for word, value in variables:
        at = target.find(word)
        if at >= 0 and (at == 0 or (word != "~" and target[at - 1] == os.sep)):
            rest = target[at + len(word) :]
            if not rest or rest.startswith(os.sep):
                return value + rest
    return target


def _inside_any(places: Sequence[str], folder: str) -> bool:
    above = folder.rstrip(os.sep) + os.sep
    return any(place == folder or place.startswith(above) for place in places)


def _inside(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


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
