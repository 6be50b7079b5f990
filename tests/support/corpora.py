"""A corpus as one test: every row is tried, and the test fails with a list of those that missed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SHOWN = 20
LETTERS = 600
"""Misses that are told, and how much of each; of the others the count."""

Test = Callable[..., None]
Ids = Sequence[str] | Callable[[Any], object] | None
Makers = Mapping[str, Callable[[Path], Any]]


def corpus(
    names: str | Sequence[str], rows: Iterable[Any], *, ids: Ids = None, each: Makers | None = None
) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but for one test over all rows; stacked, over all pairs of rows.

    Each row has a `tmp_path` and a `monkeypatch` of its own; all other fixtures are made once,
    but for those of `each`, which are made of the row's `tmp_path`.
    """
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_values(row, len(split)) for row in rows]
    assert table, f"a corpus of {names} without rows tries nothing"
    labels = [_label(values, ids, at) for at, values in enumerate(table)]

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def over_all(**fixtures: Any) -> None:
            missed: list[tuple[str, BaseException]] = []
            for at, (label, values) in enumerate(zip(labels, table, strict=True)):
                try:
                    with _own(fixtures, at, each or {}, signature.parameters) as own:
                        test(**own, **dict(zip(split, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a row raises is its miss
                    missed.append((label, error))
            if missed:
                told = "\n".join(
                    f"[{label}] {type(error).__name__}: {str(error)[:LETTERS]}"
                    for label, error in missed[:SHOWN]
                )
                raise AssertionError(f"{len(missed)} of {len(table)} rows missed:\n{told}") from missed[0][1]

        kept = [one for name, one in signature.parameters.items() if name not in {*split, *(each or {})}]
        if each and "tmp_path" not in signature.parameters:
            kept.append(inspect.Parameter("tmp_path", inspect.Parameter.KEYWORD_ONLY))
        over_all.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return over_all

    return decorate


@contextmanager
def _own(
    fixtures: dict[str, Any], at: int, each: Makers, wanted: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The fixtures of one row."""
    with pytest.MonkeyPatch.context() as patch:
        own = dict(fixtures)
        if "monkeypatch" in own:
            own["monkeypatch"] = patch
        if "tmp_path" in own:
            own["tmp_path"] = own["tmp_path"] / str(at)
            own["tmp_path"].mkdir()
        own.update((name, make(own["tmp_path"])) for name, make in each.items())
        yield {name: value for name, value in own.items() if name in wanted}


def _values(row: Any, count: int) -> tuple[Any, ...]:
    if hasattr(row, "values") and hasattr(row, "marks"):  # a `pytest.param`
        assert not row.marks, "a row of a corpus has no mark of its own"
        return tuple(row.values)
    return (row,) if count == 1 else tuple(row)


def _label(values: tuple[Any, ...], ids: Ids, at: int) -> str:
    if ids is not None and not callable(ids):
        return str(list(ids)[at])
    shown = [ids(value) if ids else value for value in values]
    return "-".join(str(one) for one in shown)[:200]
