"""Where labelled cases come from: the user's files, and the shipped fixtures. Other sources make rows of that form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from calibration.cases.corpus import CaseRow, corpus_dir
from calibration.cases.labelled import LabelledCase, labelled
from calibration.cases.subjects import Classify

SHIPPED = ("tune.jsonl", "test.jsonl")
LINE_CHARS_MAX = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Collected:
    """Cases in order, their ids unique; `undecided` rows were left out."""

    cases: tuple[LabelledCase, ...] = ()
    undecided: int = 0
    notes: tuple[str, ...] = ()

    def joined(self, other: Collected) -> Collected:
        cases, repeated = _unique((*self.cases, *other.cases))
        notes = (*self.notes, *other.notes)
        if repeated:
            notes = (*notes, f"{repeated} ids occurred more than once; later cases were given a number")
        return Collected(cases, self.undecided + other.undecided, notes)


def from_file(path: Path, classify: Classify, source: str = "") -> Collected:
    """A JSONL file in the fixtures' form. Raises ValueError naming file and line, OSError."""
    return from_rows(numbered(path), classify, source or path.stem)


def shipped(classify: Classify) -> Collected:
    """Both halves of the shipped cases."""
    found = Collected()
    for name in SHIPPED:
        found = found.joined(from_file(corpus_dir() / "cases" / name, classify, "fixtures"))
    return found


def from_rows(rows: Iterable[tuple[str, CaseRow]], classify: Classify, source: str) -> Collected:
    """`rows` come with where each was found. Raises ValueError that begins with that."""
    cases: list[LabelledCase] = []
    undecided = 0
    for where, row in rows:
        try:
            case = labelled(row, classify, source=source, name=f"{source}:{where.rpartition(':')[2]}")
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if isinstance(case, LabelledCase):
            cases.append(case)
        else:
            undecided += 1
    return Collected().joined(Collected(tuple(cases), undecided))


def numbered(path: Path) -> Iterator[tuple[str, CaseRow]]:
    """The objects of a JSONL file, each with `file:line`. Raises ValueError naming that for anything else."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            if len(line) > LINE_CHARS_MAX:
                raise ValueError(f"{where}: longer than {LINE_CHARS_MAX} characters")
            try:
                found = cast(object, json.loads(line))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{where}: not JSON: {str(error)[:100]}") from None
            if not isinstance(found, dict):
                raise ValueError(f"{where}: not a JSON object")  # noqa: TRY004 - a value of the file
            yield where, cast(CaseRow, found)


def _unique(cases: Sequence[LabelledCase]) -> tuple[tuple[LabelledCase, ...], int]:
    seen: dict[str, int] = {}
    found: list[LabelledCase] = []
    taken = {case.id for case in cases}
    repeated = 0
    for case in cases:
        count = seen[case.id] = seen.get(case.id, 0) + 1
        if count == 1:
            found.append(case)
            continue
        repeated += 1
        name = f"{case.id}#{count}"
        while name in taken:
            count += 1
            name = f"{case.id}#{count}"
        seen[case.id] = count
        taken.add(name)
        found.append(replace(case, id=name))
    return tuple(found), repeated
