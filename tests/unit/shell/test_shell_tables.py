"""The tables of the shell: each program stands in one of them, once."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import get_args

from corpora import corpus
from samples.indexed import tables

from evaluator.model import Operation
from evaluator.shell import acts, programs
from evaluator.shell.rows.row import Row, Tree

TABLES = tuple(tables().values())
MODULES = [
    import_module(f"{package.__name__}.{found.name}")
    for package in (programs, acts)
    for found in iter_modules(package.__path__)
]


def named(value: ast.expr) -> list[str]:
    """The names of `rows("a b", ...)`; none of any other call."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "rows"):
        return []
    text = ast.literal_eval(value.args[0]) if isinstance(value.args[0], ast.Constant) else ""
    found = text.split(",") if "," in text else text.split()
    return [" ".join(name.split()) for name in found if name.strip()]


def twice(source: str) -> set[str]:
    """Keys that one dict display names twice."""
    found = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            keys += [
                name
                for key, value in zip(node.keys, node.values, strict=True)
                if key is None
                for name in named(value)
            ]
            found |= {key for key, count in Counter(keys).items() if count > 1}
    return found


def test_a_program_stands_in_one_table():
    counts = Counter(name for table in TABLES for name in table)
    assert {name for name, count in counts.items() if count > 1} == set()


@corpus("module", MODULES, ids=lambda module: module.__name__.removeprefix("evaluator.shell."))
def test_a_table_names_a_program_and_a_subcommand_once(module):
    assert twice(Path(module.__file__).read_text()) == set()


def test_a_name_that_stands_twice_is_found():
    assert twice('A = {"x": 1, **rows("y x", 2)}\nB = {**rows("a b, c", 1), "a b": 2}') == {"x", "a b"}


def test_a_row_does_what_an_operation_is_called():
    found = list[Row]()

    def walk(handler: object) -> None:
        if isinstance(handler, Row):
            found.append(handler)
        elif isinstance(handler, Tree):
            for one in handler.table.values():
                walk(one)

    for table in TABLES:
        for handler in table.values():
            walk(handler)
    does = {one for row in found for one in (row.does, *row.changes.values(), *row.outputs.values()) if one}
    assert len(found) > 1000
    assert does <= {*get_args(Operation), "unknown"}
