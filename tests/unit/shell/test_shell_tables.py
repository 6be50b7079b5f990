"""The tables of programs can be built whole and say what they may say; a command reads no table and imports no handler
but its own."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import get_args

from corpora import corpus
from repository import ROOT

import hatch_build
from evaluator import text
from evaluator.model import Operation
from evaluator.shell.handlers.system import Governs
from evaluator.shell.rows import tables as rows
from evaluator.shell.rows.row import Row, Tree
from evaluator.shell.rows.tables import FOLDER, Commands, Made, field_of

FILES = sorted(Path(ROOT, "evaluator", FOLDER).glob("*.toml"))
TABLES = {path.stem: tomllib.loads(path.read_text()) for path in FILES}


def built(handler: object) -> list[object]:
    """The handler and all that it is made of."""
    inside: list[object] = []
    if isinstance(handler, Made):
        function, own, given = handler.parts()
        inspect.signature(function).bind(None, *own, **given)
        inside = [*own, *(part for part in given.values() if not isinstance(part, (str, int)))]
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
    text = Path(ROOT, "evaluator", FOLDER, f"{field}.toml").read_text()
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


LOADED = """
import sys
from evaluator import text
read = text.table
def seen(name):
    if name.rpartition("/")[2] != "index":
        print(name.rpartition("/")[2])
    return read(name)
from evaluator.shell.rows import tables as rows
rows.table = seen
from evaluator.shell.bash import classify
classify(sys.argv[1], "/p")
for name in sys.modules:
    if name.startswith("evaluator.shell.handlers."):
        print(name.removeprefix("evaluator.shell."))
"""


def loaded(command: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_build_writes_the_index_that_a_checkout_makes_of_its_tables(tmp_path: Path) -> None:
    hatch_build.write_tables(ROOT, tmp_path)
    built = json.loads((tmp_path / "evaluator" / FOLDER / "index.json").read_text())
    assert built == text.index(FOLDER)
    assert set(built.values()) == set(TABLES)


def test_what_no_table_lists_has_no_handler() -> None:
    assert rows.handler_of("frobnicate") is None
    assert not rows.is_listed("frobnicate")
    assert not rows.is_known_anywhere("frobnicate")
    assert rows.is_known_anywhere("claude")
    assert not rows.is_known_anywhere("ls")


def test_a_command_loads_only_what_it_needs() -> None:
    assert loaded("frobnicate x") == set()
    assert loaded("sort a | uniq -c") == {"text", "handlers.text", "handlers.common"}
    assert loaded("gh pr view 1") == {"forges"}
    assert loaded("gh api user") == {"forges", "git", "handlers.git", "handlers.common"}
    assert "forges" not in loaded("git status && npm test")
