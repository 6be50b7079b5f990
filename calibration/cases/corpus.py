"""Where the shipped cases are: beside this file in a wheel, `fixtures/` in a checkout."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import calibration

CaseRow = Mapping[str, object]


def corpus_dir() -> Path:
    installed = Path(calibration.__file__).parent / "corpus"
    return installed if installed.is_dir() else Path(calibration.__file__).parent.parent / "fixtures"


def rows(path: Path) -> Iterator[CaseRow]:
    """The objects of a JSONL file. Raises ValueError naming file and line for anything else."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    found = cast(object, json.loads(line))
                except ValueError as error:
                    raise ValueError(f"{path}:{number}: {error}") from None
                if not isinstance(found, dict):
                    raise ValueError(f"{path}:{number}: not a JSON object")
                yield cast(CaseRow, found)
