"""What is promised on each host: the same words in the table, at `init` and in the doctor."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running.hookrun import command

from hooks import registry
from hooks.setup import FAILURES, Promises

DOCS = Path(__file__).parents[3] / "docs"
ROWS = {host.TITLE: host.setup().PROMISES for host in registry.every()}


def listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def row_of(title: str, row: Promises) -> str:
    failing = f"by {listed(row.closed_on)}" + (f"; not by {listed(row.open_on)}" if row.open_on else "")
    cells = (
        title, row.tried or "documentation only", "writes, shell" + (f"; not {row.ungated}" if row.ungated else ""),
        failing, row.shows_person, "request, prior turn", "yes" if row.answers_count else "no",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


@corpus("title", ROWS)
def test_the_documents_hold_the_row(title: str) -> None:
    row = ROWS[title]
    assert row_of(title, row) in (DOCS / "hosts.md").read_text(encoding="utf-8").splitlines()


def test_each_host_has_its_page() -> None:
    pages = {path.stem for path in (DOCS / "hosts").glob("*.md")}
    assert pages == set(registry.HOSTS)
    told = (DOCS / "hosts.md").read_text(encoding="utf-8")
    assert [name for name in pages if f"hosts/{name}.md" not in told] == []


@corpus("title", ROWS)
def test_a_row_is_whole(title: str) -> None:
    row = ROWS[title]
    assert sorted((*row.closed_on, *row.open_on)) == sorted(FAILURES)
    assert row.shows_person
    assert all(note == note.strip() and not note.endswith(".") for note in row.notes), row.notes


def test_what_fails_open_is_said_and_what_holds_is_not() -> None:
    assert Promises("1", FAILURES, "whole", True).warnings("X") == []
    told = Promises("", ("crash",), "whole", False, "input", ("It is loud",)).warnings("X")
    assert "not tried" in told[0]
    assert told[1].startswith(
        "X runs the tool when the hook fails (exit code, missing program, timeout or bad"
    )
    assert told[2:] == [
        "X does not ask any hook about input",
        "X cannot prove who typed a prompt: digits and `compass: ...` release nothing there",
        "It is loud",
    ]


@pytest.mark.spread(1)
@pytest.mark.parametrize("name", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_init_says_it_and_doctor_repeats_it(name: str, tmp_path: Path) -> None:
    """In a home of its own, by the command as users run it."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    env = {"HOME": str(home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}

    def run(what: str, *words: str) -> Any:
        return json.loads(command((what, "--host", name, "--json", *words), env=env, cwd=project).stdout)

    host = registry.host_of(name)
    told = host.setup().PROMISES.warnings(host.TITLE)
    notes = run("init", "--backend", "embedded", "--yes")["notes"]
    assert [line for line in told if line not in notes] == []
    rows = {row["name"]: row for row in run("doctor")}
    for what in ("hooks wired", "hook runs", "hook fails by policy"):
        assert rows[what]["ok"], rows[what]
    assert rows["promises"]["warns"] is bool(told)
    assert run("init", "--yes")["changed"] == []
    assert run("init", "--uninstall", "--yes")["changed"]
    assert [path for path in home.rglob("*") if path.is_file() and ".onlooker" not in path.parts] == []
