"""Wrappers, shells and interpreters: the inner command decides, and what their rows do not know never reads."""

from __future__ import annotations

import pytest
from corpora import corpus

from evaluator.shell.bash import explain
from evaluator.shell.handlers.wrappers import Wrapper
from evaluator.shell.rows import tables
from evaluator.shell.rows.row import Row
from evaluator.tables import names

WRAP = Wrapper(
    names("-q -#"),
    names("-n --number"),
    outputs=names("-o"),
    runs=names("--before"),
    base=names("-C"),
    skip=1,
    assigns=True,
    alone=Row("wrapper", does="unknown"),
)
AWAY = Wrapper(verbs=names("exec"), looks=names("status"), dashes=True, beyond=True)
LINE = Wrapper(names("-q"), form="line")


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, handler in {"wrap": WRAP, "away": AWAY, "line": LINE}.items():
        monkeypatch.setitem(tables.HANDLERS, name, handler)


def told(command: str) -> tuple[str, tuple[str, ...]]:
    effects = explain(command, "/p").effects
    return ("reads" if effects.verdict == "read_only" else effects.operation), effects.targets


@corpus(
    "command",
    [
        "wrap 5 ls", "wrap -q -3 -n 2 5 ls -la", "wrap --number=2 5 ls", "wrap 5 CI=1 ls", "wrap --help",
        "wrap --before ls 5 ls", "wrap -C src 5 ls", "away status", "line ls -la", "line -q 'ls | wc -l'",
    ],
)  # fmt: skip
def test_what_the_row_knows_reads_if_the_inner_command_does(command: str) -> None:
    assert told(command)[0] == "reads"


@corpus(
    ("command", "expected"),
    [
        ("wrap 5 rm x", ("delete", ("/p/x",))),
        ("wrap -C src 5 rm x", ("delete", ("/p/src/x",))),
        ("wrap -o F 5 ls", ("overwrite", ("/p/F",))),
        ("wrap -o '|touch x' 5 ls", ("create", ("/p/x",))),
        ("wrap --before 'rm x' 5 ls", ("delete", ("/p/x",))),
        ("wrap 5 GIT_DIR=x git status", ("unknown", ())),
        ("wrap 5", ("unknown", ())),
        ("wrap -x 5 ls", ("unknown", ())),
        ("away exec -- ls", ("unknown", ())),
        ("away exec -- rm x", ("delete", ("/p/x",))),
        ("away exec ls", ("unknown", ())),
        ("away delete x", ("unknown", ())),
        ("line ls '>' F", ("overwrite", ("/p/F",))),
        ("line rm x", ("delete", ("/p/x",))),
    ],
)
def test_what_runs_inside_or_is_not_known_is_told(
    command: str, expected: tuple[str, tuple[str, ...]]
) -> None:
    assert told(command) == expected


@pytest.mark.parametrize(
    "command", ["wrap -x 5 rm y", "wrap --zap 3 5 rm y", "wrap --zap=3 5 rm y", "away --zap -- rm y"]
)
def test_behind_an_unknown_option_the_inner_command_is_read_too(command: str) -> None:
    effects = explain(command, "/p").effects
    assert effects.verdict != "read_only"
    assert effects.operation_class == "destructive"
    assert effects.targets == ("/p/y",)
