"""What the commands change is what a check is shown: by real hooks, over the same database."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from running.remembered import FILES, Project

from compass.api.host import ProgramHost
from compass.composition.gate import wire
from evaluator.precedents import Precedent
from evaluator.settings.keys import build
from evaluator.text import ulid
from hooks.registry import HOSTS, host_of

REQUEST = "Speed up the reader."
LINE = '"the reader" meant "src/report/reader.py"'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def settled(project: Project) -> Precedent:
    at = time.time() - 3600
    return Precedent(
        ulid(at, bytes(10)), project.key, str(project.folder), "s", "", at, "clarified",
        "the reader", "the one of the report", "", FILES[0], "one_file", False,
    )  # fmt: skip


def run(project: Project, *words: str, stdin: bytes = b"") -> str:
    done = project.machine.place.command(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return str(done.stdout.decode())


def told(project: Project) -> list[str]:
    """The lines of precedents that a check of a new session is shown."""
    talk = project.session()
    talk.user(REQUEST)
    talk.edits(FILES[0])
    evidence = json.loads(run(project, "explain", "--json"))["evidence"]
    return list(evidence.get("precedents", []))


def test_explain_tells_what_a_check_was_shown_and_what_is_forgotten_or_edited_is_shown_no_more(
    project: Project,
) -> None:
    one = settled(project)
    project.keep(one)
    (line,) = told(project)
    assert LINE in line and '"the one of the report"' in line
    assert f"settled before {line}" in " ".join(run(project, "explain").split())
    assert line in run(project, "explain", "--egress")
    run(project, "memory", "edit", one.precedent_id, "--target", FILES[1])
    (line,) = told(project)
    assert '"the reader" meant "src/billing/reader.py"' in line
    run(project, "memory", "forget", one.precedent_id)
    assert told(project) == []
    assert "settled before" not in run(project, "explain")


def test_a_work_tree_shares_what_its_main_one_settled(project: Project, tmp_path: Path) -> None:
    project.keep(settled(project))
    other = tmp_path / "other"
    other.mkdir()
    git = project.folder / ".git" / "worktrees" / "other"
    git.mkdir(parents=True)
    (git / "commondir").write_text("../..\n")
    (git / "HEAD").write_text("ref: refs/heads/fix\n")
    (other / ".git").write_text(f"gitdir: {git}\n")
    project.machine.place.env["CLAUDE_PROJECT_DIR"] = str(other)
    found = json.loads(run(project, "memory", "list", "--json"))
    assert (found["checkout"], len(found["precedents"])) == (str(project.folder), 1)


@pytest.mark.parametrize("name", [*sorted(HOSTS), "a program"])
def test_answers_count_at_hosts_whose_row_says_so(tmp_path: Path, name: str) -> None:
    host = host_of(name) if name in HOSTS else ProgramHost(str(tmp_path))
    env = {"ONLOOKER_DIR": str(tmp_path / "state")}
    wired = wire(env, str(tmp_path), str(tmp_path), settings=build({}), host=host)
    memory = wired.parts.memory
    assert memory is not None
    assert memory.serves() == (name in HOSTS and host.setup().PROMISES.answers_count)
    wired.close()
