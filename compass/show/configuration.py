"""Every setting with the value in force, its default, where it comes from, and what was ignored: a table."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import cast

from compass.show.terminal import console_of, is_terminal, wrapped
from evaluator.settings.environment import COMPASS
from evaluator.settings.files import shown
from evaluator.settings.keys import KEYS, Key
from evaluator.settings.layers import ENV_BLOCK, UNANSWERED, Ignored, Loaded
from evaluator.terminal import safe

DEFAULT = "default"
WITHOUT_EFFECT = {
    "transcript.transcript_max_age_seconds": "accepted, and no longer decides: the running turn is found by "
    "its chain, not by age",
}


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """`origin` is file and key, or variable, or `default`.

    What stands under no key (an unknown one, a file that is wrong, a variable) is an entry with nothing but
    `ignored`.
    """

    key: str
    value: object
    default: object
    origin: str
    ignored: tuple[str, ...]


def entries(loaded: Loaded) -> list[ShownSetting]:
    """One for each key, in the order of the settings; then what was ignored besides."""
    ignored: dict[str, list[str]] = {}
    told = (_told(item, loaded) for item in (*loaded.ignored, *loaded.refused))
    for name, text in dict.fromkeys(told):
        ignored.setdefault(name, []).append(text)
    found = [_entry(key, loaded, ignored.pop(key.path, [])) for key in KEYS.values()]
    return found + [ShownSetting(name, None, None, "", tuple(texts)) for name, texts in ignored.items()]


def plain(key: Key, value: object) -> object:
    """As it stands in JSON."""
    if not isinstance(value, tuple):
        return value
    items = cast(tuple[object, ...], value)
    return dict(cast(tuple[tuple[str, str], ...], items)) if key.kind == "table" else list(items)


def origin_of(path: str, layer: str, loaded: Loaded) -> str:
    """Where in a layer the key stands."""
    if layer == UNANSWERED.name:
        return f"{layer}: `compass init` asks"
    variable = COMPASS + path.upper().replace(".", "__")
    if layer == "environment":
        return f"environment: {variable}"
    if layer.endswith(ENV_BLOCK):
        return f"{layer.removesuffix(ENV_BLOCK)}: env.{variable}"
    return f"{layer}: {'compass.' if layer in loaded.hosted else ''}{path}"


def _entry(key: Key, loaded: Loaded, ignored: list[str]) -> ShownSetting:
    layer = loaded.origins.get(key.path)
    if layer is not None and key.path in WITHOUT_EFFECT:
        ignored = [*ignored, WITHOUT_EFFECT[key.path]]
    return ShownSetting(
        key.path,
        shown(key, plain(key, loaded.values.get(key.path, key.default))),
        plain(key, key.default),
        DEFAULT if layer is None else origin_of(key.path, layer, loaded),
        tuple(ignored),
    )


def _told(item: Ignored, loaded: Loaded) -> tuple[str, str]:
    """(key or file, text). Values of variables may be secret and are not shown."""
    if not item.key:
        return item.origin, item.why
    if item.key not in KEYS:
        return item.key, f"{item.origin}: {item.why}"
    value = str(shown(KEYS[item.key], item.value))[:60]
    return item.key, f"{origin_of(item.key, item.origin, loaded)} says {value!r}: {item.why}"


TABLE_COLUMNS = 110
"""What a table of keys, values and files needs; narrower, or in a pipe, it is a line each."""


def show_config(loaded: Loaded, *, as_json: bool) -> int:
    """Exit code 0: to be told is not to be judged."""
    show_entries(entries(loaded), as_json=as_json)
    if loaded.clean.trusted and not as_json:
        print("\nThis project's settings are trusted and count as your own.")
    return 0


def show_entries(found: list[ShownSetting], *, as_json: bool) -> int:
    """As `show_config`, some of them."""
    if as_json:
        print(json.dumps([asdict(entry) for entry in found], indent=2))
        return 0
    from rich.table import Table
    from rich.text import Text

    console = console_of()
    known = [entry for entry in found if entry.origin]
    if is_terminal() and console.width >= TABLE_COLUMNS:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for name in ("setting", "value", "origin"):
            table.add_column(name, overflow="fold")
        for entry in known:
            style = "" if entry.origin == DEFAULT else "bold"
            table.add_row(Text(entry.key, style), Text(_value(entry), style), Text(_origin(entry), style))
        console.print(table)
    else:
        for entry in known:
            origin = "" if entry.origin == DEFAULT else f"  # {_origin(entry)}"
            print("\n".join(wrapped(f"{entry.key} = {_value(entry)}{origin}", console.width, 4, 0)))
    _show_ignored(found)
    return 0


def _show_ignored(found: list[ShownSetting]) -> None:
    # Keys and values of a project are a stranger's.
    lines = [f"  {safe(entry.key)}: {safe(text)}" for entry in found for text in entry.ignored]
    if lines:
        print("\nWithout effect:")
        print("\n".join(part for line in lines for part in wrapped(line, console_of().width, 2, 0)))


def _value(entry: ShownSetting) -> str:
    text = json.dumps(entry.value)
    return text if len(text) <= 60 else text[:57] + "..."


def _origin(entry: ShownSetting) -> str:
    if entry.origin == DEFAULT:
        return DEFAULT
    default = json.dumps(entry.default)
    return f"{safe(entry.origin)} (default {default if len(default) <= 40 else default[:37] + '...'})"
