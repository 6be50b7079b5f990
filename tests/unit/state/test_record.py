"""Records are frozen dataclasses to whoever uses them."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from corpora import corpus
from pydantic import TypeAdapter, ValidationError

from evaluator.record import Record, replace, values_of


class Point(Record):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


class Other(Record):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


def test_fields_are_given_in_order_or_by_name_and_defaults_fill_the_rest() -> None:
    assert Point(1, tags=("a",)) == Point(x=1, y=0, tags=("a",))
    assert values_of(Point(1)) == {"x": 1, "y": 0, "tags": ()}
    assert repr(Point(1, 2)) == "Point(x=1, y=2, tags=())"


@corpus(("given", "named"), [((), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((1, 2, (), 3), {})])
def test_wrong_fields_are_refused(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="Point takes x, y, tags"):
        Point(*given, **named)


def test_a_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del point.x
    assert point == Point(1)


def test_equality_is_of_the_class_and_of_every_field() -> None:
    assert Point(1) != Other(1)
    assert Point(1) != Point(1, 2)
    assert {Point(1), Point(1), Point(2)} == {Point(1), Point(2)}


def test_the_standard_library_takes_it_for_a_dataclass() -> None:
    nested = Other(1, tags=(Point(2),))  # type: ignore[arg-type]
    assert dataclasses.replace(Point(1), y=3) == replace(Point(1), y=3) == Point(1, 3)
    assert dataclasses.asdict(nested) == {"x": 1, "y": 0, "tags": ({"x": 2, "y": 0, "tags": ()},)}
    assert copy.deepcopy(nested) == pickle.loads(pickle.dumps(nested)) == nested


class Line(Record):
    ends: tuple[Point, ...]


def test_pydantic_reads_records_within_records() -> None:
    adapter = TypeAdapter(Line)
    assert adapter.validate_json('{"ends": [{"x": 1}, {"x": 2, "y": 3}]}') == Line((Point(1), Point(2, 3)))
    with pytest.raises(ValidationError, match="ends"):
        adapter.validate_python({"ends": [{"y": 1}]})
