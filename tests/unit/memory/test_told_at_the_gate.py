"""What the commands change is what a check is shown: by real hooks, over the same database."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from corpora import corpus
from running.remembered import FILES, Project

from compass.api.host import ProgramHost
from compass.composition.gate import wire
from evaluator.effects import effect, folded
from evaluator.gate import precedents
from evaluator.precedents import Precedent, RequestPlace
from evaluator.settings.keys import build
from evaluator.text import ulid
from hooks.registry import HOSTS, host_of


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def settled(project: Project) -> Precedent:
    at = time.time() - 3600
    return Precedent(
        ulid(at, bytes(10)), project.key, str(project.folder), "s", "", at, "clarified",
        "the reader", "the one of the report", "", FILES[0], "one_file", False,
    )  # fmt: skip


def run(project: Project, *words: str) -> str:
    done = project.machine.place.command(*words)
    assert done.returncode == 0, done.stderr
    return str(done.stdout.decode())


def told(project: Project) -> list[str]:
    """The lines of precedents that a check of a new session is shown."""
    talk = project.session()
    talk.user("Speed up the reader.")
    talk.edits(FILES[0])
    return list(json.loads(run(project, "explain", "--json"))["evidence"].get("precedents", []))


def test_explain_tells_what_a_check_was_shown_and_what_is_edited_or_gone_is_not(project: Project) -> None:
    one = settled(project)
    project.keep(one)
    (line,) = told(project)
    assert '"the reader" meant "src/report/reader.py"' in line and '"the one of the report"' in line
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


CHOSEN = "edit src/report/reader.py"
TYPED = "the one in the report folder"


@corpus(
    ("operation", "heard", "chosen", "said"),
    [
        ("edit", (CHOSEN,), (CHOSEN,), ""),
        ("edit", (CHOSEN, "the first"), (CHOSEN,), "the first"),
        ("edit", (TYPED,), (), TYPED),
        ("create", (TYPED,), (), None),
        ("create", (f"reader.py, {TYPED}",), (), f"reader.py, {TYPED}"),
    ],
    ids=["clicked", "typed beside it", "explained", "a new file nobody named", "a new file they named"],
)
def test_what_settles_is_what_the_user_typed_of_a_target_that_is_known(
    monkeypatch, operation, heard, chosen, said
):
    """A reading that was clicked is the readers' words, and is not kept as the user's."""
    kept = []
    monkeypatch.setattr(precedents, "_may_settle_precedent", lambda *_: True)
    monkeypatch.setattr(
        precedents, "_keep_precedent", lambda _run, _memory, _place, made, *_: kept.append(made)
    )
    run: Any = SimpleNamespace(
        parts=SimpleNamespace(
            memory=SimpleNamespace(
                serves=lambda: True, project=lambda _: "key", place=lambda *_: RequestPlace("key", "/p", "/p")
            )
        ),
        answered=SimpleNamespace(heard=heard, chosen=chosen, answers=(), request=("Fix it",), denials=()),
        pending=None,
        known_effects=folded((effect(operation, "/p/src/report/reader.py"),)),
    )
    found: Any = SimpleNamespace(clusters=())
    precedents.settle_precedent(run, found)
    assert [one.said for one in kept] == ([] if said is None else [said])
