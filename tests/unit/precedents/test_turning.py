"""What counts for rules: a single edit of the settled file, within the settled extent, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from samples.precedents import READER, precedent

from evaluator.effects import effect, folded
from evaluator.model import Effects, Operation, PendingWrite
from evaluator.precedents.bearing import Bearing
from evaluator.precedents.turning import goes_beyond, led_to

PROJECT = "/srv/shop"
AT = f"{PROJECT}/{READER}"
ONE_EDIT = {"file_path": AT, "old_string": "a", "new_string": "b"}


def led(
    *targets: str,
    operation: Operation = "edit",
    tool: str = "Edit",
    given: dict[str, Any] | None = None,
    counts: bool = True,
    **changes: Any,
) -> tuple[str, ...]:
    pending = PendingWrite("claude-code", "s", tool, given or ONE_EDIT, PROJECT, PROJECT)
    effects = folded([effect(operation, target) for target in targets or (AT,)])
    return led_to([Bearing(precedent(**changes), counts)], pending, effects, PROJECT)


@pytest.mark.parametrize("extent", ["", "one_place", "one_file"])
def test_one_edit_of_the_settled_file_is_led_to(extent: str) -> None:
    assert led(extent=extent) == (AT,)


@pytest.mark.parametrize(
    "how",
    [
        {"counts": False}, {"tightens": True}, {"extent": "beyond"}, {"operation": "overwrite", "tool": "Write"},
        {"operation": "create", "tool": "Write"}, {"operation": "delete", "tool": "Bash"},
        {"operation": "move", "tool": "Bash"}, {"operation": "permissions", "tool": "Bash"},
        {"target": "src/report/other.py"}, {"target": "src/report"}, {"target": ""},
        {"extent": "one_place", "given": {**ONE_EDIT, "replace_all": True}},
        {"extent": "one_place", "tool": "MultiEdit",
         "given": {"edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}},
        {"extent": "one_place", "tool": "Bash", "given": {"command": f"sed -i s/a/b/ {AT}"}},
    ],
)  # fmt: skip
def test_what_goes_beyond_it_is_not(how: dict[str, Any]) -> None:
    assert led(**how) == ()


@pytest.mark.parametrize(
    "targets",
    [
        (AT, f"{PROJECT}/src/report/rows.py"),
        (f"{PROJECT}/src/*/reader.py",),
        ("/elsewhere/src/report/reader.py",),
    ],
)
def test_several_targets_patterns_and_other_places_are_not(targets: tuple[str, ...]) -> None:
    assert led(*targets) == ()


def test_a_settled_folder_leads_to_a_file_in_it_where_the_extent_is_a_folder() -> None:
    assert led(target="src/report", extent="folder") == (AT,)
    assert led(target="src/rep", extent="folder") == ()


def test_an_unknown_effect_is_never_led_to() -> None:
    pending = PendingWrite("claude-code", "s", "Bash", {"command": "x"}, PROJECT, PROJECT)
    unknown = Effects("unknown", "unknown", "destructive", (AT,))
    assert led_to([Bearing(precedent(), counts=True)], pending, unknown, PROJECT) == ()


@pytest.mark.parametrize(
    ("operation", "targets", "extent", "beyond"),
    [
        ("edit", (AT,), "one_place", False),
        ("append", (AT,), "one_file", False),
        ("overwrite", (AT,), "one_place", True),
        ("overwrite", (AT,), "one_file", True),
        ("edit", (AT, f"{PROJECT}/src/ledger.py"), "one_file", True),
        ("overwrite", (f"{PROJECT}/src/ledger.py",), "one_file", False),
        ("overwrite", (AT,), "folder", True),
        ("edit", (AT,), "beyond", False),
    ],
)
def test_what_does_more_to_the_settled_file_than_edit_it_is_shown_no_precedent(
    operation: Operation, targets: tuple[str, ...], extent: str, beyond: bool
) -> None:
    effects = folded([effect(operation, target) for target in targets])
    assert goes_beyond(precedent(extent=extent), effects, PROJECT) is beyond


@pytest.mark.parametrize(("target", "beyond"), [("src/report", True), ("src/billing", False)])
def test_nor_is_what_writes_a_whole_file_of_a_settled_folder(target: str, beyond: bool) -> None:
    settled = precedent(target=target, extent="folder")
    assert goes_beyond(settled, folded([effect("overwrite", AT)]), PROJECT) is beyond
    assert not goes_beyond(settled, folded([effect("create", AT)]), PROJECT)
