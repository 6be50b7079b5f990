"""Self-protection: what an agent may not do to the gate itself. Pure; files are read through a function.

A gate that its agent can switch off is none, so these calls are denied in every mode, whatever would excuse
them. Other keys of the host's settings, such as permissions, are ordinary writes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import cast

from evaluator import wire
from evaluator.effects import FILE_TOOLS, ROUGHLY, edits_of, strings_of, text_of
from evaluator.model import Effects, PendingWrite
from evaluator.protection.places import Disk, Places, Protected, inside
from evaluator.text import speaks_to_compass

_SPELLED = re.compile(r"%[0-9A-Fa-f]{2}|\\u00")
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})")
PATH_MAX = 4096
DEPTH_MAX = 6
LISTED_MAX = 1000
OWN_VARIABLES = ("COMPASS_", "ONLOOKER_")

Read = Callable[[str], str | None]


def offence(pending: PendingWrite, effects: Effects | None, protected: Protected, disk: Disk) -> str:
    """What the call would do to the gate, in words that follow "it"; empty for every other call.

    `effects` is None for a tool of which it is not known whether it writes.
    """
    if any(map(_is_page_secret_offence, _offence_input_texts(pending.tool_input))):
        return "contains a link to Compass's page, or the page's token"
    if pending.tool_name == "Bash":
        if effects is not None and effects.verdict == "read_only":
            return ""
        from evaluator.protection.commands import offence_of_command

        return offence_of_command(text_of(pending.tool_input, "command"), pending.cwd, protected, disk)
    places = Places(protected, disk)
    if effects is None or pending.tool_name not in FILE_TOOLS:
        from evaluator.trigger.tool_names import plainly_reads

        if plainly_reads(pending.tool_name, pending.tool_input):
            return _target_offence(pending, effects, places)
    if cause := _environment_offence(pending, effects, protected, disk.read):
        return cause
    if effects is None or pending.tool_name not in FILE_TOOLS:
        said = _input_text_offence(pending, effects, protected)
        return said or _target_offence(pending, effects, places) or _unknown_tool_offence(pending, places)
    for target in effects.targets:
        path = places.canonical(target)
        if places.holds(path):
            return "changes Compass's own files"
        if path in protected.settings:
            keys, toml, before = protected.keys_of(path), target.endswith(".toml"), disk.read(target)
            # A result that cannot be read counts as another.
            new = _read_protected_keys(_protected_file_after(pending, before), keys, toml=toml)
            if new is None or new != (_read_protected_keys(before or "", keys, toml=toml) or {}):
                return f"changes the keys {', '.join(keys)} in {os.path.basename(path)}"
    return ""


def _environment_offence(
    pending: PendingWrite, effects: Effects | None, protected: Protected, read: Read
) -> str:
    """A file that gives variables to shells or sessions, and a text that names one which decides on the gate."""
    texts = list(_offence_input_texts(pending.tool_input))
    targets = effects.targets if effects else [text for text in texts if len(text) < PATH_MAX]
    hidden = [target for target in targets if "/." in target] if effects else []
    held = {target: read(target) or "" for target in hidden}
    heads = (*OWN_VARIABLES, *protected.moving)
    if not any(head in text for text in (*texts, *held.values()) for head in heads):
        return ""
    from evaluator.protection import indirect

    for target in filter(indirect.is_given, targets):
        before = held.get(target, "")
        of_file = pending.tool_name in FILE_TOOLS
        after = _protected_file_after(pending, before) if of_file else "\n".join(texts)
        if indirect.changes(before, after, protected.moving):
            return indirect.GIVES
    return ""


def _is_page_secret_offence(text: str) -> bool:
    """Whether a text holds a secret of the page: as it stands, or as a URL or JSON may spell it."""
    if wire.PAGE_SECRET not in text:
        if len(text) > PATH_MAX or not _SPELLED.search(text):
            return False
        from urllib.parse import unquote

        text = unquote(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), text))
    from evaluator.protection.indirect import PAGE_SECRET

    return PAGE_SECRET.search(text) is not None


def _input_text_offence(pending: PendingWrite, effects: Effects | None, protected: Protected) -> str:
    """A tool that runs, types or schedules what cannot be seen: by the texts of its input."""
    from evaluator.protection.indirect import CONTROL, bare, mentions

    if effects is None or effects.verdict != "unknown":
        begins = re.compile(rf"(?:^|[;&|(]|-c)[\s\"']*(?:\S*/)?(?:{CONTROL.pattern})")
        runs = any(map(begins.search, _offence_input_texts(pending.tool_input)))
        return "runs a Compass control command" if runs else ""
    texts = strings_of(pending.tool_input)
    if any(map(speaks_to_compass, texts)):
        return "types or schedules text that Compass would mistake for the user's own"
    programs = "|".join(map(re.escape, protected.programs))
    resumes = re.compile(rf"\b(?:{programs})\b.*--(?:continue|resume)\b", re.DOTALL)
    if any(mentions(protected).search(bare(text)) or resumes.search(text) for text in texts):
        return "runs or types hidden text that mentions Compass or the host"
    return ""


def _target_offence(pending: PendingWrite, effects: Effects | None, places: Places) -> str:
    named = [one for one in effects.each if one.target] if effects else []
    harms = (places.harm(one.target, pending.cwd, one.operation, one.operation_class) for one in named)
    return next(filter(None, harms), "")


def _unknown_tool_offence(pending: PendingWrite, places: Places) -> str:
    """A tool of a server: by the texts of its input that are paths."""
    protected = places.protected
    for text in _offence_input_texts(pending.tool_input):
        if len(text) > PATH_MAX or "\n" in text:
            continue
        for path in places.forms(text.removeprefix("file://"), pending.cwd):
            if places.holds(path) or path in protected.settings or inside(path, protected.named):
                return "passes Compass's files or the host's settings to a tool that may write"
    return ""


def _offence_input_texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < DEPTH_MAX and isinstance(value, Mapping):
        for name, one in cast(Mapping[str, object], value).items():
            yield name
            yield from _offence_input_texts(one, depth + 1)
    elif depth < DEPTH_MAX and isinstance(value, list):
        for one in cast(list[object], value)[:LISTED_MAX]:
            yield from _offence_input_texts(one, depth + 1)


UNKNOWN = "?"
"""A text that is neither JSON nor TOML, where nobody can tell what a file would hold."""


def _protected_file_after(pending: PendingWrite, before: str | None) -> str:
    given = pending.tool_input
    if pending.tool_name == "Write":
        return text_of(given, "content")
    text = before or ""
    for old, new in edits_of(given):
        if given.get(ROUGHLY) is True and (not old or old not in text):
            return UNKNOWN
        text = text.replace(old, new) if given.get("replace_all") is True else text.replace(old, new, 1)
    return text


def _read_protected_keys(text: str, keys: Sequence[str], *, toml: bool) -> dict[str, object] | None:
    loads = import_module("tomllib" if toml else "json").loads
    try:
        found = loads(text if toml else text.strip() or "{}")
    except (ValueError, RecursionError):
        return None
    values = cast(dict[str, object], found)
    return {key: values[key] for key in keys if key in values} if isinstance(found, dict) else None
