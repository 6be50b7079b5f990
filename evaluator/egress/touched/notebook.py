"""The cell of a notebook that a call edits: its language and its source. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from evaluator.effects import text_of
from evaluator.egress.touched.languages import PYTHON, Language
from evaluator.record import Record


class Cell(Record):
    """`source` before the call, empty for a new one. `language` None: prose, or no language that is known."""

    source: str
    language: Language | None


def cell_of(given: Mapping[str, object], on_disk: str | None) -> Cell | None:
    """None where the notebook, or the cell in it, is not known."""
    notebook = _object(_loaded(on_disk or ""))
    if not notebook:
        return None
    python = _text_at(notebook, "metadata", "kernelspec", "language") in ("", "python") and _text_at(
        notebook, "metadata", "language_info", "name"
    ) in ("", "python")
    kind, source = text_of(given, "cell_type"), ""
    if given.get("edit_mode") != "insert":
        cell = _cell(notebook, text_of(given, "cell_id"))
        if cell is None:
            return None
        kind, source = kind or text_of(cell, "cell_type"), _source(cell)
    code = python and kind == "code" and not _has_magic(source + "\n" + text_of(given, "new_source"))
    return Cell(source, PYTHON if code else None)


def _loaded(text: str) -> object:
    try:
        return cast(object, json.loads(text)) if text else None
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _text_at(value: Mapping[str, object], *path: str) -> str:
    for name in path[:-1]:
        value = _object(value.get(name))
    return text_of(value, path[-1])


def _cell(notebook: Mapping[str, object], name: str) -> Mapping[str, object] | None:
    """By its id, or by `cell-N`, which hosts call the N-th that has none."""
    listed = notebook.get("cells")
    cells = [_object(one) for one in cast(list[object], listed)] if isinstance(listed, list) else []
    for at, cell in enumerate(cells):
        if name and name in (cell.get("id"), f"cell-{at}"):
            return cell
    return None


def _source(cell: Mapping[str, object]) -> str:
    held = cell.get("source")
    if isinstance(held, list):
        return "".join(line for line in cast(list[object], held) if isinstance(line, str))
    return held if isinstance(held, str) else ""


def _has_magic(source: str) -> bool:
    """Lines for the shell or the kernel, which are no Python; a cell magic may make prose of all the rest."""
    return any(line.lstrip().startswith(("%", "!")) for line in source.split("\n"))
