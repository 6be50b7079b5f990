"""Settings from their layers: files, then the environment. Says where each value came from.

A layer that the repository owns may only move a key in its tighter direction; keys without a direction
are the user's alone. What is wrong is named and ignored, never fatal.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from evaluator.project import project_key
from evaluator.settings import KEYS, Key, Settings, build

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
ENV_PREFIX = "COMPASS_"
RESERVED_ENV = frozenset({"COMPASS_NESTED", "COMPASS_VIA_PLUGIN"})


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of values. `values` is the raw `compass` object; `trusted` False marks the repository's."""

    name: str
    values: Mapping[str, object]
    trusted: bool = True


@dataclass(frozen=True, slots=True)
class Loaded:
    """`origins` tells per dotted key which layer set it; keys at their default are absent."""

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[str, ...]
    values: Mapping[str, object] = field(default_factory=lambda: cast(dict[str, object], {}))


def onlooker_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.abspath(env.get("ONLOOKER_DIR") or os.path.join(home, ".onlooker"))


def state_dir(env: Mapping[str, str], home: str) -> str:
    return os.path.join(onlooker_dir(env, home), "compass")


def events_path(env: Mapping[str, str], home: str) -> str:
    chosen = env.get("ONLOOKER_EVENTS_LOG")
    return chosen or os.path.join(onlooker_dir(env, home), "logs", "onlooker-events.jsonl")


def user_project_file(env: Mapping[str, str], home: str, project_dir: str) -> str:
    """The user's own settings for this project, written by `init` and `calibrate`."""
    return os.path.join(state_dir(env, home), project_key(project_dir), "settings.json")


def load(env: Mapping[str, str], home: str, project_dir: str) -> Loaded:
    """Read every layer. Never raises: an unreadable file is a problem, not a failure."""
    problems: list[str] = []
    files = (
        (os.path.join(home, ".claude", "settings.json"), "compass", True),
        (os.path.join(home, ".claude", "settings.local.json"), "compass", True),
        (user_project_file(env, home, project_dir), None, True),
        (os.path.join(project_dir, ".claude", "settings.json"), "compass", False),
        (os.path.join(project_dir, ".claude", "settings.local.json"), "compass", False),
    )
    layers: list[Layer] = []
    seen: set[str] = set()
    for path, section, trusted in files:
        real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        values = _read_section(path, section, problems)
        if values:
            layers.append(Layer(path, values, trusted))
    layers.append(env_layer(env, problems))
    return resolve(layers, problems)


def resolve(layers: Sequence[Layer], problems: list[str] | None = None) -> Loaded:
    """Merge in order, latest wins; pure but for `problems`, to which it appends."""
    found = problems if problems is not None else []
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        flat: dict[str, object] = {}
        _flatten(layer.values, "", flat, layer.name, found)
        for path, raw in flat.items():
            _apply(layer, KEYS[path], raw, values, origins, found)
    return Loaded(build(values), origins, tuple(found), values)


def _apply(
    layer: Layer,
    key: Key,
    raw: object,
    values: dict[str, object],
    origins: dict[str, str],
    problems: list[str],
) -> None:
    value, wrong = parse(key, raw)
    if wrong:
        problems.append(f"{layer.name}: {key.path}: {wrong}; the value below it stands")
        return
    before = values.get(key.path, key.default)
    if not layer.trusted:
        if key.tighter is None:
            problems.append(f"{layer.name}: {key.path}: only the user may set this key; ignored")
            return
        if not is_tighter(key, before, value):
            if value != before:
                problems.append(f"{layer.name}: {key.path}: a project may only tighten this key; ignored")
            return
    values[key.path] = value
    origins[key.path] = layer.name


def is_tighter(key: Key, before: object, after: object) -> bool:
    """Whether `after` is at least as tight as `before` in the key's own direction."""
    rules: dict[str, Callable[[], bool]] = {
        "up": lambda: cast(float, after) >= cast(float, before),
        "down": lambda: cast(float, after) <= cast(float, before),
        "true": lambda: after is True,
        "false": lambda: after is False,
        "subset": lambda: set(cast(tuple[str, ...], after)) <= set(cast(tuple[str, ...], before)),
        "superset": lambda: set(cast(tuple[str, ...], after)) >= set(cast(tuple[str, ...], before)),
        "ranked": lambda: key.choices.index(cast(str, after)) >= key.choices.index(cast(str, before)),
    }
    return key.tighter is not None and rules[key.tighter]()


def parse(key: Key, raw: object) -> tuple[object, str]:
    """(value, "") or (None, what is wrong)."""
    if raw is None:
        return (None, "") if key.optional else (None, f"must be {_wanted(key)}, not null")
    if key.kind == "bool":
        return (raw, "") if isinstance(raw, bool) else (None, _wrong(key, raw))
    if key.kind in ("int", "float"):
        return _parse_number(key, raw)
    if key.kind == "str":
        if not isinstance(raw, str):
            return None, _wrong(key, raw)
        if key.choices and raw not in key.choices:
            return None, f"must be one of {', '.join(key.choices)}, not {raw[:60]!r}"
        return raw, ""
    if key.kind == "strs":
        if not isinstance(raw, list):
            return None, _wrong(key, raw)
        if not all(isinstance(item, str) for item in cast(list[object], raw)):
            return None, f"must be {_wanted(key)}"
        return tuple(item for item in cast(list[str], raw) if item), ""
    # An empty list is the documented spelling of no entries.
    if not isinstance(raw, dict):
        return ((), "") if raw == [] else (None, _wrong(key, raw))
    table = cast(dict[object, object], raw)
    if not all(isinstance(item, str) for pair in table.items() for item in pair):
        return None, f"must be {_wanted(key)}"
    return tuple(sorted(cast(dict[str, str], table).items())), ""


def _parse_number(key: Key, raw: object) -> tuple[object, str]:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        return None, _wrong(key, raw)
    if key.kind == "int" and raw != int(raw):
        return None, _wrong(key, raw)
    if (key.low is not None and raw < key.low) or (key.high is not None and raw > key.high):
        return None, f"must be between {key.low:g} and {key.high or math.inf:g}, not {raw:g}"
    return (int(raw) if key.kind == "int" else float(raw)), ""


def _wanted(key: Key) -> str:
    words = {
        "bool": "true or false",
        "int": "a whole number",
        "float": "a number",
        "str": "a string",
        "strs": "a list of strings",
        "table": "an object of strings",
    }
    return words[key.kind]


def _wrong(key: Key, raw: object) -> str:
    return f"must be {_wanted(key)}, not {str(raw)[:60]!r}"


def _flatten(
    values: Mapping[str, object], prefix: str, flat: dict[str, object], name: str, problems: list[str]
) -> None:
    for word, raw in values.items():
        path = prefix + word
        if path in KEYS:
            flat[path] = raw
        elif not any(known.startswith(path + ".") for known in KEYS):
            problems.append(f"{name}: {path}: unknown key")
        elif isinstance(raw, dict):
            _flatten(cast(Mapping[str, object], raw), path + ".", flat, name, problems)
        else:
            problems.append(f"{name}: {path}: must be an object, not {str(raw)[:60]!r}")


def env_layer(env: Mapping[str, str], problems: list[str]) -> Layer:
    """COMPASS_EVALUATOR__N=7 sets evaluator.n; lists and tables are JSON, or words with commas."""
    values: dict[str, object] = {}
    for name, text in env.items():
        if not name.startswith(ENV_PREFIX) or name in RESERVED_ENV:
            continue
        path = name[len(ENV_PREFIX) :].lower().replace("__", ".")
        if path in KEYS:
            values[path] = _from_text(KEYS[path], text)
        else:
            problems.append(f"environment: {name}: no such key")
    return Layer("environment", values)


def _from_text(key: Key, text: str) -> object:
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
    except ValueError:
        return text


def _read_section(path: str, section: str | None, problems: list[str]) -> Mapping[str, object]:
    import json

    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_SETTINGS_BYTES + 1)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        problems.append(f"{path}: cannot be read ({error.__class__.__name__}); ignored")
        return {}
    if len(raw) > MAX_SETTINGS_BYTES:
        problems.append(f"{path}: larger than {MAX_SETTINGS_BYTES} bytes; ignored")
        return {}
    try:
        whole = cast(object, json.loads(raw.decode("utf-8-sig") if raw.strip() else "{}"))
    except (ValueError, RecursionError) as error:
        problems.append(f"{path}: not valid JSON ({str(error)[:120]}); ignored")
        return {}
    if not isinstance(whole, dict):
        problems.append(f"{path}: must hold a JSON object; ignored")
        return {}
    found = cast(dict[str, object], whole)
    if section is not None:
        inner = found.get(section, {})
        if not isinstance(inner, dict):
            problems.append(f"{path}: {section}: must be an object; ignored")
            return {}
        found = cast(dict[str, object], inner)
    return found
