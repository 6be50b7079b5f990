"""Settings with the value in force, their default, where they come from, what they are for, and what was ignored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import cast

from compass.show.terminal import say
from evaluator.settings.environment import COMPASS
from evaluator.settings.keys import KEYS, Key
from evaluator.settings.layers import ENV_BLOCK, UNANSWERED, Ignored, Loaded
from evaluator.text import safe

DEFAULT = "default"
VALUE_CHARS = 36
"""Of a value in a row; `compass config get` prints it whole."""
USES = {
    "The gate": ("enabled", "mode", "deadline_seconds", "error_policy", "gate", "bash"),
    "Thresholds": (
        "confidence_threshold", "confidence_by_stakes", "stddev_threshold", "threshold_calibration_note", "convergence",
    ),
    "Readers": ("evaluator", "sampling"),
    "Budgets and skips": (
        "max_checks_per_turn", "on_exhausted", "evaluator.daily_budget_usd", "min_context_chars", "coverage",
        "cooldown", "skip_globs", "skip_patterns", "skip_sentinel",
    ),
    "What readers see, and what is kept": (
        "context_chars_max", "transcript", "evidence", "include_file_contents", "data_egress", "sanitization",
        "memory", "hindsight", "store_evidence", "retention_days",
    ),
    "Held writes and failing readers": ("intervention", "circuit_breaker"),
    "Service": ("service",),
}  # fmt: skip
"""Settings, or sections of them, by what they are for."""
WITHOUT_EFFECT = {
    "transcript.transcript_max_age_seconds": "accepted, but no longer has any effect: the current turn is "
    "now found by following the chain of lines, not by age"
}


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """`origin` is file and key, or variable, or `default`. What stands under no key (an unknown one, a file that is
    wrong, a variable) is an entry with nothing but `ignored`."""

    key: str
    value: object
    default: object
    origin: str
    ignored: tuple[str, ...]


def entries(loaded: Loaded) -> list[ShownSetting]:
    """One for each key, in the order of the settings; then what was ignored besides."""
    ignored: dict[str, list[str]] = {}
    told = (_show_ignored_setting(item, loaded) for item in (*loaded.ignored, *loaded.refused))
    for name, text in dict.fromkeys(told):
        ignored.setdefault(name, []).append(text)
    found = [entry_of(key, loaded, ignored.pop(key.path, ())) for key in KEYS.values()]
    return found + [ShownSetting(name, None, None, "", tuple(texts)) for name, texts in ignored.items()]


def plain(key: Key, value: object) -> object:
    """A setting's value as it stands in JSON."""
    if not isinstance(value, tuple):
        return value
    items = cast(tuple[object, ...], value)
    return dict(cast(tuple[tuple[str, str], ...], items)) if key.kind == "table" else list(items)


def origin_of(path: str, layer: str, loaded: Loaded) -> str:
    """Where in a layer the key stands."""
    if layer == UNANSWERED.name:
        return f"{layer}: `compass init` asks about it"
    variable = COMPASS + path.upper().replace(".", "__")
    if layer == "environment":
        return f"environment: {variable}"
    if layer.endswith(ENV_BLOCK):
        return f"{layer.removesuffix(ENV_BLOCK)}: env.{variable}"
    return f"{layer}: {'compass.' if layer in loaded.hosted else ''}{path}"


def entry_of(key: Key, loaded: Loaded, ignored: Sequence[str] = ()) -> ShownSetting:
    """A key with its value in force; `ignored` says what of it has no effect."""
    layer = loaded.origins.get(key.path)
    if layer is not None and key.path in WITHOUT_EFFECT:
        ignored = [*ignored, WITHOUT_EFFECT[key.path]]
    return ShownSetting(
        key.path,
        plain(key, loaded.values.get(key.path, key.default)),
        plain(key, key.default),
        DEFAULT if layer is None else origin_of(key.path, layer, loaded),
        tuple(ignored),
    )


def _show_ignored_setting(item: Ignored, loaded: Loaded) -> tuple[str, str]:
    """(key or file, text). Values of variables may be secret and are not shown."""
    if not item.key:
        return item.origin, item.why
    if item.key not in KEYS:
        return item.key, f"{item.origin}: {item.why}"
    return item.key, f"{origin_of(item.key, item.origin, loaded)} says {str(item.value)[:60]!r}: {item.why}"


def show_config(loaded: Loaded, *, as_json: bool, whole: bool) -> int:
    """What is not as by default, or `whole` all of it by use, with a line of help. Exit code 0: it judges nothing."""
    found = entries(loaded)
    if not whole:
        found = [entry for entry in found if entry.origin != DEFAULT or entry.ignored]
    if as_json or not whole:
        show_entries(found, as_json=as_json)
    else:
        by_use: dict[str, list[ShownSetting]] = {use: [] for use in USES}
        for entry in found:
            if entry.origin:
                by_use[used_for(entry.key)].append(entry)
        places = _shown_setting_places(found)
        for use, among in by_use.items():
            print(f"{use}:")
            for entry, row in zip(among, _shown_setting_rows(among, places), strict=True):
                print(f"  {row}")
                say(KEYS[entry.key].about, 6)
            print()
        _show_configuration_rest(places, found)
    if as_json:
        return 0
    if loaded.clean.trusted:
        print("\nThis project's settings are trusted and count as your own.")
    if not whole:
        if found:
            print()
        said = "" if found else "Every setting has its default value. "
        say(f"{said}`compass config list --all` shows them all.")
    return 0


def show_entries(found: list[ShownSetting], *, as_json: bool) -> int:
    """Prints some settings, as `show_config` prints them all."""
    if as_json:
        print(json.dumps([asdict(entry) for entry in found], indent=2))
        return 0
    places = _shown_setting_places(found)
    for row in _shown_setting_rows([entry for entry in found if entry.origin], places):
        print(row)
    _show_configuration_rest(places, found)
    return 0


def used_for(path: str) -> str:
    """The use whose word of the path is the longest."""
    stated = {word: use for use, words in USES.items() for word in words}
    return stated[max((word for word in stated if f"{path}.".startswith(f"{word}.")), key=len)]


def _shown_setting_places(found: list[ShownSetting]) -> list[str]:
    """Where the settings were set, each once: a row names its place by number."""
    places = (_shown_setting_place(entry) for entry in found if entry.origin not in ("", DEFAULT))
    return list(dict.fromkeys(places))


def _shown_setting_place(entry: ShownSetting) -> str:
    """The origin, without the key where that is the setting's own name."""
    place, _, name = entry.origin.rpartition(": ")
    return place if name in (entry.key, f"compass.{entry.key}") else entry.origin


def _shown_setting_rows(among: list[ShownSetting], places: list[str]) -> list[str]:
    """A line each: key, value, and of what is set also the default and the number of its place."""
    cells = [
        (entry.key, _short_setting_value(entry.value), f"default {_short_setting_value(entry.default)}")
        for entry in among
    ]
    is_set = [entry.origin != DEFAULT for entry in among]
    stated = [row for row, there in zip(cells, is_set, strict=True) if there]
    key = max(len(row[0]) for row in cells)
    value, default = (max((len(row[column]) for row in stated), default=0) for column in (1, 2))
    rows: list[str] = []
    for entry, row, there in zip(among, cells, is_set, strict=True):
        line = f"{row[0]:<{key}}  {row[1]}"
        if there:
            place = f"[{places.index(_shown_setting_place(entry)) + 1}]"
            line = f"{row[0]:<{key}}  {row[1]:<{value}}  {row[2]:<{default}}  {place}"
        rows.append(safe(line))
    return rows


def _show_configuration_rest(places: list[str], found: list[ShownSetting]) -> None:
    for number, place in enumerate(places, 1):
        print(safe(f"[{number}] {place}"))
    lines = [f"{entry.key}: {text}" for entry in found for text in entry.ignored]
    if lines:
        print("\nWithout effect:")
    for line in lines:
        say(line, 2, 2)


def _short_setting_value(value: object) -> str:
    text = "unset" if value is None else value if isinstance(value, str) and value else json.dumps(value)
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 3] + "..."
