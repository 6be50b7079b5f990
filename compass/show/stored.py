"""A stored check as the type that it was, whichever version kept it: read once, here."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from evaluator.errors import StateError
from evaluator.model import Check
from evaluator.record import Record
from evaluator.state.records import STORED_AS

EMPTY: Mapping[object, object] = {str: "", int: 0, float: 0.0, bool: False, tuple: (), Literal: ""}

R = TypeVar("R", bound=Record)


def check_of(record: Mapping[str, object]) -> Check:
    """Fields that the record lacks are empty, and those that nobody knows are left out.

    Raises StateError, naming the check and the field, for a value of another type.
    """
    try:
        return _record(Check, record)
    except ValueError as error:
        raise StateError(f"check {record.get('check_id')} cannot be shown: {error}") from None


def _record(kind: type[R], value: object) -> R:
    stored, hints = cast(Mapping[str, object], _typed(dict, value)), get_type_hints(kind)
    values: dict[str, object] = {}
    for name in kind.__match_args__:
        key = STORED_AS.get(name, name)
        try:
            if key in stored:
                values[name] = _value(hints[name], stored[key])
            elif name not in kind.__dict__:
                values[name] = _empty(hints[name])
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    return kind(**values)


def _value(kind: Any, value: object) -> object:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (wanted,) = (one for one in inner if one is not type(None))
        return None if value is None else _value(wanted, value)
    if origin is tuple:
        return tuple(_value(inner[0], item) for item in cast(list[object], _typed(list, value)))
    if origin is Literal:
        return _typed(str, value)
    if origin is not None:
        return _typed(dict, value)
    if issubclass(kind, Record):
        return _record(kind, value)
    return float(cast(float, _typed((int, float), value))) if kind is float else _typed(kind, value)


def _empty(kind: Any) -> object:
    origin = cast(object, get_origin(kind) or kind)
    if origin in EMPTY:
        return EMPTY[origin]
    return _record(kind, {}) if isinstance(kind, type) and issubclass(kind, Record) else {}


def _typed(kind: type | tuple[type, ...], value: object) -> object:
    if not isinstance(value, kind):
        raise ValueError(f"not a value of {kind!r}, but {value!r}"[:120])  # noqa: TRY004 - a value of the store
    return value
