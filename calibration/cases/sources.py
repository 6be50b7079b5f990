"""Where labelled cases come from: the user's files, and the shipped fixtures. Other sources make rows of that form.

The fixtures lie beside this package in a wheel, in `fixtures/` in a checkout.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import calibration
from calibration.cases.case import UNDECIDED, Classify, LabelledCase, labelled, units_of

SHIPPED = ("test.jsonl", "test-2.jsonl")
"""The halves that no rule and no weight was fitted on."""
SHIPPED_SOURCE = "fixtures"
LINE_CHARS_MAX = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Collected:
    """Cases in order, their ids unique, their units those of the whole. They come from `sources`."""

    cases: Sequence[LabelledCase] = ()
    notes: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()

    def joined(self, other: Collected) -> Collected:
        return collected([*self.cases, *other.cases], self.notes + other.notes)


def collected(cases: Sequence[LabelledCase], notes: tuple[str, ...] = ()) -> Collected:
    """All cases of a measurement."""
    seen, named = Counter[str](), list[LabelledCase]()
    for case, unit in zip(cases, units_of(cases), strict=True):
        seen[case.id] += 1
        # Later ones of a name have a number.
        own = case.id if seen[case.id] == 1 else f"{case.id}#{seen[case.id]}"
        named.append(replace(case, id=own, unit=unit))
    return Collected(named, notes, frozenset(case.source for case in cases))


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
    """Labelled cases from `rows`, each with where it was found. Raises ValueError that begins with that."""
    found: list[LabelledCase] = []
    undecided = 0
    for where, row in rows:
        if row.get("label") in UNDECIDED:
            undecided += 1
            continue
        try:
            found.append(labelled(row, classify, source=source, name=f"{source}:{where.rpartition(':')[2]}"))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    if undecided:
        notes = (*notes, f"{undecided} rows of {source} are left out: their labellers disagreed")
    return collected(found, notes)


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


CaseRow = Mapping[str, object]


def corpus_dir() -> Path:
    installed = Path(calibration.__file__).parent / "corpus"
    return installed if installed.is_dir() else installed.parent.parent / "fixtures"


def case_rows(path: Path) -> Iterator[CaseRow]:
    """The objects of a JSONL file."""
    return (row for _, row in numbered(path))
