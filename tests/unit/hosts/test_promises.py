"""What is promised on each host: the same words in the table, at `init` and in the doctor."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from corpora import corpus

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
        title, row.tried or "documents only", "writes, shell" + (f"; not {row.ungated}" if row.ungated else ""),
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
        "X runs the tool where the hook fails by exit code, missing program, timeout or bad"
    )
    assert told[2:] == [
        "X asks no hook about input",
        "X cannot prove who typed a prompt: digits and `compass: ...` release nothing there",
        "It is loud",
    ]


@pytest.mark.spread(1)
@pytest.mark.parametrize("name", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_init_says_it_and_doctor_repeats_it(name: str, tmp_path: Path, compass_at) -> None:
    """In a home of its own, by the command as users run it."""
    (tmp_path / "home").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    host = registry.host_of(name)
    told = host.setup().PROMISES.warnings(host.TITLE)
    done = compass_at(
        tmp_path / "home", project, "init", "--host", name, "--backend", "embedded", "--json", "--yes"
    )
    notes = json.loads(done.stdout)["notes"]
    assert [line for line in told if line not in notes] == []
    found = compass_at(tmp_path / "home", project, "doctor", "--host", name, "--json")
    rows = {row["name"]: row for row in json.loads(found.stdout)}
    assert rows["hooks wired"]["ok"], rows["hooks wired"]
    assert rows["hook runs"]["ok"], rows["hook runs"]
    assert rows["hook fails by policy"]["ok"], rows["hook fails by policy"]
    assert rows["promises"]["warns"] is bool(told)
    again = compass_at(tmp_path / "home", project, "init", "--host", name, "--json", "--yes")
    assert json.loads(again.stdout)["changed"] == []
    gone = compass_at(tmp_path / "home", project, "init", "--host", name, "--uninstall", "--json", "--yes")
    assert json.loads(gone.stdout)["changed"]
    left = [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and ".onlooker" not in path.parts
    ]
    assert left == []
