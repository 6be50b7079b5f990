"""Reads settings files as leniently as a host does, and the values in them. Says where it could not.

A file that the host can read and Compass cannot would hide what it sets: such a file is `opaque`.
"""

from __future__ import annotations

import errno
import math
import os
import re
import stat
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from evaluator.files import raise_want
from evaluator.model import NamedReaders
from evaluator.record import Record
from evaluator.settings.keys import Key, KeyKind

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
_UTF16_MARK = b"\xff\xfe"
EMPTY: Mapping[str, object] = MappingProxyType({})
ENTRIES_MAX = 1000
"""Of a list or table: what is looked up for each command or text must not grow with a repository's file."""
NO_ADDRESS = "must be an http or https address, such as http://127.0.0.1:8080"
_ADDRESS = r"(?i:https?)://(?:[^\s/?#@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@:\[\]\\]+)(?::(?P<port>\d{1,5}))?(?:/[^\s?#]*)?"
POLICY_FILE = "team-policy.json"
TEAM_LAYER = "your team's policy"
"""As the origin of a value."""


class SettingsFile(Record):
    """One file's object; empty for a file that is missing or that `problem` is wrong with.

    `opaque`: the host may make more of this file than Compass can. `missing`: there is none.
    """

    path: str
    value: Mapping[str, object] = EMPTY
    problem: str = ""
    opaque: bool = False
    missing: bool = False

    def section(self, name: str) -> Mapping[str, object] | None:
        """The object under `name`, empty where there is none; None if it is something else."""
        found = self.value.get(name, {})
        return cast(dict[str, object], found) if isinstance(found, dict) else None


NO_FILE = SettingsFile("", missing=True)


def read_settings(path: str) -> SettingsFile:
    """What is wrong is said in `problem`. Raises OSError for want of descriptors or memory alone."""
    try:
        raw = bytes_of(path, MAX_SETTINGS_BYTES + 1)
    except FileNotFoundError:
        return SettingsFile(path, missing=True)
    except OSError as error:
        raise_want(error)
        missing = isinstance(error, NotADirectoryError)
        return SettingsFile(path, problem=f"cannot be read ({error.__class__.__name__})", missing=missing)
    except ValueError:
        return SettingsFile(path, problem="cannot be read (ValueError)")
    if raw is None:
        return SettingsFile(path, problem="not a regular file", opaque=True)
    if len(raw) > MAX_SETTINGS_BYTES:
        return SettingsFile(path, problem=f"larger than {MAX_SETTINGS_BYTES} bytes", opaque=True)
    try:
        # As JavaScript reads a file: either byte order mark is taken, a wrong byte becomes U+FFFD.
        wide = raw.startswith(_UTF16_MARK)
        text = raw[2:].decode("utf-16-le", "replace") if wide else raw.decode("utf-8", "replace")
        whole = _parse_settings_json(text if wide else text.removeprefix("\ufeff"))
    except RecursionError:
        return SettingsFile(path, problem="not valid JSON (nested too deeply)", opaque=True)
    except ValueError as error:
        return SettingsFile(path, problem=f"not valid JSON ({str(error)[:120]})")
    if not isinstance(whole, dict):
        return SettingsFile(path, problem="must contain a JSON object")
    return SettingsFile(path, cast(dict[str, object], whole))


def bytes_of(path: str, most: int) -> bytes | None:
    """The first `most` bytes of a file; None for pipes (they block), devices (no end). Raises OSError, ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder", path)
        if not stat.S_ISREG(mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(descriptor)


def _parse_settings_json(text: str) -> object:
    import json

    if not text.strip():
        return {}
    try:
        return cast(object, json.loads(text))
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses whole numbers of thousands of digits; JavaScript rounds them.
        return cast(object, json.loads(text, parse_int=float))


class KeptPolicy(Record):
    """What a team pushes to its members' gates: settings that only tighten.

    The file is what `compass team login` set up. It is this user's own, so it binds agents and projects, not the user.
    `problem`: why the file does not count. `readers` are not pushed: they are kept beside it, None where they are not
    known.
    """

    settings: Mapping[str, object] = EMPTY
    digest: str = ""
    address: str = ""
    problem: str = ""
    readers: NamedReaders | None = None


def policy_path(state_dir: str) -> str:
    return os.path.join(state_dir, POLICY_FILE)


def kept_policy(state_dir: str) -> KeptPolicy:
    """An empty one where nothing is kept. Raises OSError for want of descriptors or memory alone."""
    file = read_settings(policy_path(state_dir))
    if file.problem:
        return KeptPolicy(problem=f"{file.problem}; ignored: `compass team login` fetches it again")
    settings = file.section("settings")
    return KeptPolicy(
        settings=EMPTY if settings is None else settings,
        digest=str(file.value.get("digest") or ""),
        address=str(file.value.get("address") or ""),
        readers=_readers_named_in_file(file.section("readers")),
    )


def _readers_named_in_file(kept: Mapping[str, object] | None) -> NamedReaders | None:
    if kept is None:
        return None
    n = kept.get("n")
    backend, model, prompt = (kept.get(name) for name in ("backend", "model", "prompt"))
    texts = isinstance(backend, str) and isinstance(model, str) and isinstance(prompt, str)
    if not texts or not isinstance(n, int) or n < 1:
        return None
    return NamedReaders(str(backend), str(model), str(prompt), n)


def is_tighter(key: Key, before: object, after: object) -> bool:
    """Whether `after` is at least as tight as `before` in the key's own direction; any number is tighter than none."""
    if key.optional and key.kind == "float" and (before is None or after is None):
        return key.tighter is not None and (after is not None or before is None)
    words = cast(tuple[str, ...], before), cast(tuple[str, ...], after)
    rules: dict[str, Callable[[], bool]] = {
        "up": lambda: cast(float, after) >= cast(float, before),
        "down": lambda: cast(float, after) <= cast(float, before),
        "true": lambda: after is True,
        "false": lambda: after is False,
        # A glob with `!` takes back what an earlier one excuses: to leave it out, or to move it, would excuse more.
        "subset": lambda: after == tuple(one for one in words[0] if one in words[1] or one.startswith("!")),
        "superset": lambda: set(words[1]) >= set(words[0]),
        "ranked": lambda: key.choices.index(cast(str, after)) >= key.choices.index(cast(str, before)),
    }
    return key.tighter is not None and rules[key.tighter]()


def parse(key: Key, raw: object) -> tuple[object, str]:
    """A setting's raw value checked by its key: (value, "") or (None, what is wrong)."""
    if raw is None:
        return (None, "") if key.optional else (None, f"must be {WANTED[key.kind]}, not null")
    if key.kind == "bool":
        return (raw, "") if isinstance(raw, bool) else (None, _wrong_setting_message(key, raw))
    if key.kind in ("int", "float"):
        return _parse_number_setting(key, raw)
    if key.kind == "str":
        return _parse_text_setting(key, raw)
    if key.kind == "table" and raw == []:
        return (), ""  # the documented spelling of no entries
    if not isinstance(raw, list if key.kind == "strs" else dict):
        return None, _wrong_setting_message(key, raw)
    table = cast(dict[str, str], raw) if isinstance(raw, dict) else {}
    items: list[object] = [*cast(list[object], raw), *table.values()]
    if len(cast(list[object], raw)) > ENTRIES_MAX or not all(isinstance(item, str) for item in items):
        return None, f"must be {WANTED[key.kind]} with at most {ENTRIES_MAX} entries"
    return tuple(sorted(table.items())) if key.kind == "table" else tuple(filter(None, items)), ""


def is_address(text: str) -> bool:
    """Whether a value is an http or https address of a host, perhaps with a user, a port and a path."""
    found = re.fullmatch(_ADDRESS, text)
    return found is not None and text.isprintable() and int(found["port"] or 0) < 65_536


def merged_tables(below: object, above: object) -> tuple[tuple[str, str], ...]:
    """The entries of both; what stands above counts where both name one."""
    rows = cast(tuple[tuple[str, str], ...], below), cast(tuple[tuple[str, str], ...], above)
    return tuple(sorted({**dict(rows[0]), **dict(rows[1])}.items()))


def _parse_text_setting(key: Key, raw: object) -> tuple[object, str]:
    if not isinstance(raw, str):
        return None, _wrong_setting_message(key, raw)
    if key.choices and raw not in key.choices:
        return None, f"must be one of {', '.join(key.choices)}, not {raw[:60]!r}"
    if not key.address:
        return raw, ""
    address = raw.strip()
    return (address or None, "") if not address or is_address(address) else (None, NO_ADDRESS)


def _parse_number_setting(key: Key, raw: object) -> tuple[object, str]:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        return None, _wrong_setting_message(key, raw)
    if key.kind == "int" and raw != int(raw):
        return None, _wrong_setting_message(key, raw)
    if (key.low is not None and raw < key.low) or (key.high is not None and raw > key.high):
        return None, f"must be between {key.low:g} and {key.high or math.inf:g}, not {raw:g}"
    return (int(raw) if key.kind == "int" else float(raw)), ""


WANTED: dict[KeyKind, str] = {
    "bool": "true or false", "int": "a whole number", "float": "a number", "str": "a string",
    "strs": "a list of strings", "table": "an object of strings",
}  # fmt: skip


def _wrong_setting_message(key: Key, raw: object) -> str:
    return f"must be {WANTED[key.kind]}, not {str(raw)[:60]!r}"


def from_text(key: Key, text: str) -> object:
    """The JSON value that the text means for this key; text that means none is kept, to be named as wrong."""
    import json

    word = text.strip()
    if key.kind == "bool":
        return {"true": True, "1": True, "false": False, "0": False}.get(word.lower(), text)
    if key.optional and word.lower() in ("", "none", "null"):
        return None
    if key.kind == "str":
        return text
    if key.kind == "strs" and not word.startswith("["):
        return [part.strip() for part in word.split(",") if part.strip()]
    try:
        return cast(object, json.loads(word))
    except (ValueError, RecursionError):
        return text
