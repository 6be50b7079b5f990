"""The settings in force, as a table or as one JSON document: `compass config list` and `compass doctor --config`."""

from __future__ import annotations

import json

from compass.show.configuration import DEFAULT, ShownSetting, entries
from compass.show.terminal import console_of, is_terminal
from compass.show.wrapping import wrapped
from evaluator.settings.layers import Loaded
from evaluator.terminal import safe

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
        print(json.dumps([entry.document() for entry in found], indent=2))
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
