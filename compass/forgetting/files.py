"""Files of the state that hold what was said, beside the database: labels and answers of
hindsight, audits of older versions, measurements that were cut short, faults."""

from __future__ import annotations

import glob
import os

from evaluator.errors import StateError
from evaluator.state.faults import FILE_NAME as FAULTS
from evaluator.state.store import FILE_NAME as DATABASE

OF_A_PROJECT = (
    "glossary.json",
    "hindsight.*",
    "audit.json",
    "audit.json.before-*",
    "audit.answers.jsonl*",
    "*.unfinished.jsonl",
)
KEY = "[0-9a-f]" * 12


def of_project(state_dir: str, key: str) -> list[str]:
    return _found(os.path.join(glob.escape(state_dir), key), OF_A_PROJECT)


def of_person(state_dir: str) -> list[str]:
    """Of every project, and what names no project: faults, and databases that were set aside as damaged."""
    folder = glob.escape(state_dir)
    return [*_found(os.path.join(folder, KEY), OF_A_PROJECT), *_found(folder, (FAULTS,)), *damaged(state_dir)]


def damaged(state_dir: str) -> list[str]:
    """Databases that were set aside, with their logs: nobody can take single rows out of them."""
    return _found(glob.escape(state_dir), (f"{DATABASE}.corrupt-*", f"{DATABASE}-*.corrupt-*"))


def delete(paths: list[str]) -> None:
    """Raises StateError."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StateError(f"{path}: cannot be deleted: {error.strerror}") from None


def _found(folder: str, patterns: tuple[str, ...]) -> list[str]:
    return sorted({path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern))})
