"""A corpus as one test: every row is tried, and the test fails with a list of those that missed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

SHOWN = 20
"""Misses that are told in full; of the others the count."""

Test = Callable[..., None]


def corpus(
    names: str | Sequence[str],
    rows: Iterable[Any],
    *,
    ids: Sequence[str] | Callable[[Any], object] | None = None,
) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but for one test over all rows; stacked, over all pairs of rows.

    For tests without state between rows: fixtures are made once.
    """
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_values(row, len(split)) for row in rows]
    assert table, f"a corpus of {names} without rows tries nothing"
    labels = [_label(values, ids, at) for at, values in enumerate(table)]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def over_all(**fixtures: Any) -> None:
            missed: list[tuple[str, BaseException]] = []
            for label, values in zip(labels, table, strict=True):
                try:
                    test(**fixtures, **dict(zip(split, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a row raises is its miss
                    missed.append((label, error))
            if missed:
                told = "\n".join(
                    f"[{label}] {type(error).__name__}: {error}" for label, error in missed[:SHOWN]
                )
                raise AssertionError(f"{len(missed)} of {len(table)} rows missed:\n{told}") from missed[0][1]

        signature = inspect.signature(test)
        kept = [one for name, one in signature.parameters.items() if name not in split]
        over_all.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return over_all

    return decorate


def _values(row: Any, count: int) -> tuple[Any, ...]:
    if hasattr(row, "values") and hasattr(row, "marks"):  # a `pytest.param`
        assert not row.marks, "a row of a corpus has no mark of its own"
        return tuple(row.values)
    return (row,) if count == 1 else tuple(row)


def _label(values: tuple[Any, ...], ids: Sequence[str] | Callable[[Any], object] | None, at: int) -> str:
    if ids is not None and not callable(ids):
        return str(list(ids)[at])
    shown = [ids(value) if ids else value for value in values]
    return "-".join(str(one) for one in shown)[:200]
