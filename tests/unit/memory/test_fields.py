"""Targets as they are kept: relative to the work tree, wherever in it one works."""

from __future__ import annotations

from pathlib import Path

import pytest

from compass.project_precedents import Stated, tidied


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("src/reader.py", "packages/b/src/reader.py"),
        ("packages/b/src/reader.py", "packages/b/src/reader.py"),
        ("README.md", "README.md"),
        ("src/nowhere.py", "src/nowhere.py"),
    ],
)
def test_a_path_below_the_folder_that_one_works_in_is_the_work_trees(
    tmp_path: Path, target: str, kept: str
) -> None:
    package = tmp_path / "packages" / "b"
    (package / "src").mkdir(parents=True)
    (package / "src" / "reader.py").touch()
    for folder in (tmp_path, package):
        (folder / "README.md").touch()
    folders = (str(tmp_path), str(package))
    assert tidied(Stated("the reader", "", "fix", target, "one_file"), folders).target == kept
