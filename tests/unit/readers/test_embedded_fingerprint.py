"""A calibration of the embedded readers holds for one state of their code: every module that a score can come from."""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path

import pytest

from compass.joining.thresholds import standing_of
from evaluator.configuration.settings import Settings
from evaluator.readers.kinds.embedded import PARTS, ROOT, fingerprint

MODULES = sorted(str(path.relative_to(ROOT)) for part in PARTS for path in Path(ROOT, part).rglob("*.py"))
READING = Path("readers", "embedded", "reading.py")
TYPES_ALONE = {"evaluator.model", "evaluator.record", "evaluator.effects"}
"""Types, names of tools and how a field of an input is read: no score comes from these."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for part in PARTS:
        shutil.copytree(Path(ROOT, part), tmp_path / part)
    return tmp_path


def test_it_is_what_a_calibration_is_compared_with(copy: Path) -> None:
    assert standing_of(Settings(), "embedded").prompt == fingerprint() == fingerprint(str(copy))


@pytest.mark.parametrize("module", MODULES)
def test_a_change_of_any_module_changes_it(copy: Path, module: str) -> None:
    before = fingerprint(str(copy))
    file = copy / module
    text = file.read_text()
    file.write_text(text + "\nCHANGED = 1\n")
    assert fingerprint(str(copy)) != before
    file.write_text(text)
    assert fingerprint(str(copy)) == before


def test_a_module_that_comes_goes_or_moves_changes_it(copy: Path) -> None:
    seen = {fingerprint(str(copy))}
    (copy / "language" / "more.py").write_text("WORDS = ()\n")
    seen.add(fingerprint(str(copy)))
    os.rename(copy / "language" / "more.py", copy / "exchange" / "more.py")
    seen.add(fingerprint(str(copy)))
    (copy / READING).unlink()
    seen.add(fingerprint(str(copy)))
    assert len(seen) == 4


def test_what_is_no_module_and_when_it_was_written_do_not_count(copy: Path) -> None:
    before = fingerprint(str(copy))
    (copy / "language" / "__pycache__").mkdir(exist_ok=True)
    (copy / "language" / "__pycache__" / "words.cpython-311.pyc").write_bytes(b"x")
    os.utime(copy / READING, (1, 1))
    assert fingerprint(str(copy)) == before


def test_files_are_read_again_only_after_a_change(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(str(copy))
    with monkeypatch.context() as reading:
        reading.setattr("builtins.open", lambda *_, **__: pytest.fail("a file was read again"))
        assert fingerprint(str(copy)) == before


def test_no_score_comes_from_outside_of_what_it_covers() -> None:
    outside = {
        name
        for module in MODULES
        for name in imported(Path(ROOT, module))
        if name.startswith(("evaluator", "compass", "calibration", "hooks"))
        and not name.startswith(tuple(f"evaluator.{part.replace(os.sep, '.')}" for part in PARTS))
    }
    assert outside == TYPES_ALONE


def imported(path: Path) -> set[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found
