"""The place that precedents are kept for, from the disk; and hosts where none are."""

from __future__ import annotations

from pathlib import Path

import pytest

from compass.composition.gate import wire
from evaluator.model import PendingWrite
from evaluator.settings.keys import build
from hooks.registry import HOSTS, host_of


def pending(root: Path) -> PendingWrite:
    return PendingWrite("claude-code", "s", "Edit", {}, str(root), str(root))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src" / "report").mkdir(parents=True)
    (root / "src" / "billing").mkdir()
    (root / "src" / "report" / "reader.py").touch()
    (root / ".git" / "refs" / "heads").mkdir(parents=True)
    return root


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_a_host_serves_where_its_row_says_so(tmp_path: Path, project: Path, name: str) -> None:
    host = host_of(name)
    wired = wire(
        {"ONLOOKER_DIR": str(tmp_path / "state")}, str(tmp_path), str(project), settings=build({}), host=host
    )
    memory, row = wired.parts.memory, host.setup().PROMISES
    assert memory is not None and memory.serves() == row.answers_count
    wired.close()


def test_a_program_keeps_none(tmp_path: Path, project: Path) -> None:
    from compass.api.host import ProgramHost

    wired = wire(
        {"ONLOOKER_DIR": str(tmp_path / "state")},
        str(tmp_path),
        str(project),
        settings=build({}),
        host=ProgramHost(str(project)),
    )
    memory = wired.parts.memory
    assert memory is not None and not memory.serves()
    wired.close()


def test_without_state_there_is_no_memory(tmp_path: Path, project: Path) -> None:
    off = build({"memory.enabled": False})
    for settings, keep in ((build({}), False), (off, True)):
        env = {"ONLOOKER_DIR": str(tmp_path / "state")}
        wired = wire(env, str(tmp_path), str(project), settings=settings, keep=keep)
        assert wired.parts.memory is None
        wired.close()
