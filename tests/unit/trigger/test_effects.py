"""What a call of the file tools does, and what of everyday work runs unread or is held."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attacks
import pytest
from corpora import corpus
from repository import FIXTURES

from evaluator.effects import strings_of
from evaluator.model import Effect, Effects, PendingWrite
from evaluator.shell.bash import classify
from evaluator.trigger.call_effects import effects_of


def effects(tool, given, *, existing=(), mcp=()):
    pending = PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p")
    return effects_of(
        pending,
        classify=classify,
        mcp_tools=mcp,
        exists=lambda path: path in existing,
        resolve=lambda path: path,
    )


def test_a_write_of_a_new_file_is_additive_and_of_an_existing_one_modifying():
    new = effects("Write", {"file_path": "/p/a.py", "content": "a\nb\n"})
    old = effects("Write", {"file_path": "/p/a.py", "content": "a"}, existing={"/p/a.py"})
    created = Effect("create", "additive", "/p/a.py", excusable=True)
    overwritten = Effect("overwrite", "modifying", "/p/a.py", excusable=True)
    assert new == Effects("write", "create", "additive", ("/p/a.py",), "", 2, (created,))
    assert old == Effects("write", "overwrite", "modifying", ("/p/a.py",), "", 1, (overwritten,))


def test_relative_targets_are_taken_from_the_working_directory_and_a_notebook_may_delete():
    found = effects("Edit", {"file_path": "src/a.py", "old_string": "x", "new_string": "y\nz"})
    assert (found.targets, found.lines) == (("/p/src/a.py",), 2)
    cell = effects("NotebookEdit", {"notebook_path": "/p/n.ipynb", "new_source": "", "edit_mode": "delete"})
    assert (cell.operation, cell.operation_class, cell.targets) == ("delete", "destructive", ("/p/n.ipynb",))


@corpus("tool", ["Read", "Grep", "Glob", "WebFetch", "mcp__x__lookup", "", "write"])
def test_other_tools_are_not_write_class(tool):
    assert effects(tool, {"file_path": "/p/a"}) is None


def test_a_configured_mcp_tool_is_write_class_with_its_target_field():
    found = effects("mcp__fs__put", {"where": "a.txt"}, mcp=(("mcp__fs__put", "where"),))
    assert found is not None
    assert (found.targets, found.operation_class) == (("/p/a.txt",), "modifying")


@pytest.mark.parametrize(
    "given", [{}, {"file_path": None}, {"file_path": 3, "content": []}, {"edits": [1, None]}]
)
def test_input_of_the_wrong_type_is_a_write_without_a_target(given):
    found = effects("MultiEdit", given)
    assert found is not None
    assert found.targets == ()


# Excuses and releases are of an act: attacks on them are read or denied, and ordinary work is not asked about.


def rows_of(name: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / "attacks" / "excuses" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@corpus("row", rows_of("attacks"), ids=lambda row: row["id"])
def test_no_excuse_covers_another_act(row: dict[str, Any], tmp_path: Path) -> None:
    assert not attacks.play(row, tmp_path).ran_unread, row["why"]


@corpus("row", rows_of("everyday"), ids=lambda row: row["id"])
def test_ordinary_work_asks_no_reader(row: dict[str, Any], tmp_path: Path) -> None:
    found = attacks.play(row, tmp_path)
    assert found.ran_unread, (found.check.reason, found.check.detail)


def test_the_strings_of_an_input_come_in_its_order_with_whole_numbers_where_asked():
    given = {"a": ["x", {"b": 2}], "c": True, "d": [0.5, None, "y"]}
    assert strings_of(given) == ["x", "y"]
    assert strings_of(given, numbers=True) == ["x", "2", "y"]
