"""The tables of programs can be built whole, and say what they may say."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from corpora import corpus
from repository import ROOT

from evaluator.model import Operation
from evaluator.shell import registry
from evaluator.shell.rows.row import Governs, Row, Tree
from evaluator.shell.rows.tables import Commands, Made, field_of, named

FILES = sorted(Path(ROOT, "evaluator", registry.FOLDER).glob("*.toml"))
TABLES = {path.stem: tomllib.loads(path.read_text()) for path in FILES}


def built(handler: object) -> list[object]:
    """The handler and all that it is made of."""
    inside: list[object] = []
    if isinstance(handler, Made):
        handler.make()
        inside = [part for part in handler.parts() if not isinstance(part, (str, int))]
    elif isinstance(handler, Commands):
        inside = list(handler.values())
    elif isinstance(handler, Tree):
        inside = [*handler.table.values(), handler.bare]
    elif isinstance(handler, Governs):
        inside = [handler.otherwise]
    return [handler, *(part for one in inside if one is not None for part in built(one))]


@corpus("field", TABLES)
def test_each_program_of_a_field_can_be_built(field: str) -> None:
    rows = [
        part
        for handler in field_of(field).programs.values()
        for part in built(handler)
        if isinstance(part, Row)
    ]
    does = {one for row in rows for one in (row.does, *row.changes.values(), *row.outputs.values()) if one}
    assert does <= {*get_args(Operation), "unknown"}


@corpus("field", TABLES)
def test_what_rows_share_is_named_and_used(field: str) -> None:
    data = TABLES[field]
    text = Path(ROOT, "evaluator", registry.FOLDER, f"{field}.toml").read_text()
    handlers = "".join(path.read_text() for path in Path(ROOT, "evaluator/shell").rglob("*.py"))
    for name in data.get("groups", ()):
        assert text.count(f"@{name}") > 0, name
    for name in data.get("shared", ()):
        used = (f'"{field}", "{name}"', f"{field.upper()}.{name}", f'{field.upper()}.commands("{name}")')
        assert f'like = "{name}"' in text or any(one in handlers for one in used), name


@corpus("field", TABLES)
def test_a_subcommand_is_named_once(field: str) -> None:
    def walk(spec: object) -> None:
        if isinstance(spec, dict):
            for name, value in spec.items():
                if name in ("commands", "programs"):
                    counts = Counter(one for key in value for one in key.split(", "))
                    assert {one for one, count in counts.items() if count > 1} == set()
                walk(value)

    walk(TABLES[field])


@pytest.mark.parametrize(
    ("text", "words"),
    [("-a --b", ["-a", "--b"]), ("a b, c d,", ["a b", "c d"]), ("a b,", ["a b"]), ("", [])],
)
def test_words_stand_between_spaces_or_commas(text: str, words: list[str]) -> None:
    assert named(text) == words
