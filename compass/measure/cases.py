"""The cases that the arguments ask for, from every source that is named."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from calibration.cases.history import History
from calibration.cases.sources import Collected, from_file, shipped
from compass.joining.packages import enable
from compass.joining.shell import classify
from evaluator.configuration.project import project_root

LABELS = "hindsight.jsonl"


def cases_of(args: argparse.Namespace, project_dir: str, folder: str) -> Collected:
    """`folder` has the project's labels of hindsight. Raises ValueError naming file and line of a row, OSError."""
    enable()
    found = Collected()
    for name in args.cases or ():
        found = found.joined(from_file(_file(name), classify))
    if args.from_git:
        from calibration.cases.git import from_git

        found = found.joined(from_git(project_dir, args.from_git, classify))
    if args.from_sessions:
        from calibration.cases.sessions import from_sessions
        from calibration.hindsight.turns import TurnLabel, read_labels

        labels = read_labels(os.path.join(folder, LABELS), TurnLabel)
        found = found.joined(from_sessions(_folder(args.from_sessions), classify, labels, args.host))
    if args.shipped or not (args.cases or args.from_git or args.from_sessions):
        found = found.joined(shipped(classify))
    return found


def history_of(state_dir: str, project_dir: str) -> History:
    from calibration.cases.history import history_from
    from evaluator.state.recorded import checks

    root = project_root(project_dir)
    return history_from(record for record in checks(state_dir) if _project_of(record) == root)


def _project_of(record: Mapping[str, object]) -> str:
    pending = cast(Mapping[str, object], record.get("pending") or {})
    return project_root(str(pending.get("project_dir")))


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise ValueError(f"{name}: no such file")
    return path


def _folder(name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_dir():
        raise ValueError(f"{name}: no such folder")
    return path
