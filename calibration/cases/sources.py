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
from calibration.cases.units import units_of

SHIPPED = ("test.jsonl", "test-2.jsonl")
"""The halves that no rule and no weight was fitted on."""
SHIPPED_SOURCE = "fixtures"
LINE_CHARS_MAX = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Collected:
    """Cases in order, their ids unique, their units those of the whole.

    `disputed` are cases on whose label people did not agree: judged too, and reported apart.
    """

    cases: tuple[LabelledCase, ...] = ()
    disputed: tuple[LabelledCase, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> tuple[LabelledCase, ...]:
        return (*self.cases, *self.disputed)

    @property
    def uses_shipped(self) -> bool:
        """Whether any case is a shipped one, which is nothing of the user's."""
        return any(case.source == SHIPPED_SOURCE for case in self.judged)

    def joined(self, other: Collected) -> Collected:
        return collected(
            (*self.cases, *self.disputed, *other.cases, *other.disputed), self.notes + other.notes
        )


def collected(cases: Sequence[LabelledCase], notes: tuple[str, ...] = ()) -> Collected:
    """All cases of a measurement, whatever their labels."""
    units = units_of(cases)
    found, repeated = _unique([replace(case, unit=unit) for case, unit in zip(cases, units, strict=True)])
    if repeated:
        notes = (*notes, f"{repeated} ids occurred more than once; later cases were given a number")
    return Collected(
        tuple(case for case in found if case.label != "disputed"),
        tuple(case for case in found if case.label == "disputed"),
        notes,
    )


def from_file(path: Path, classify: Classify, source: str = "") -> Collected:
    """A JSONL file in the fixtures' form. Raises ValueError naming file and line, OSError."""
    return from_rows(numbered(path), classify, source or path.stem)


def shipped(classify: Classify) -> Collected:
    """The frozen halves of the shipped cases."""
    found = Collected()
    for name in SHIPPED:
        found = found.joined(from_file(corpus_dir() / "cases" / name, classify, SHIPPED_SOURCE))
    return found


def from_rows(
    rows: Iterable[tuple[str, CaseRow]], classify: Classify, source: str, notes: tuple[str, ...] = ()
) -> Collected:
    """`rows` come with where each was found. Raises ValueError that begins with that."""
    cases: list[LabelledCase] = []
    for where, row in rows:
        try:
            cases.append(labelled(row, classify, source=source, name=f"{source}:{where.rpartition(':')[2]}"))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return collected(cases, notes)


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
