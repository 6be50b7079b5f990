"""Cases in a temporary file, and the document that is written in pieces."""

from __future__ import annotations

import json
import os
import pickle
from dataclasses import dataclass, replace

import pytest
from corpora import corpus

from calibration.cases.spooled import Packed, Spooled
from calibration.measurement.written import indented
from tests.support.samples.reportresults import result


def test_what_is_spooled_comes_back_in_order_whole_or_in_part():
    given = [("é\udcff", number) for number in range(50)]
    found = Spooled(iter(given))
    assert list(found) == given and len(found) == 50
    assert found[-1] == given[-1] and found[7] == given[7]
    assert list(found[10:20][3:]) == given[13:20] and list(found[::-7]) == given[::-7]
    assert not found[50:] and not Spooled()
    with pytest.raises(IndexError):
        found[10:20][10]


def test_the_file_is_open_as_long_as_a_view_of_it_is():
    before = len(os.listdir("/proc/self/fd"))
    view = Spooled(range(9))[4:]
    assert list(view) == [4, 5, 6, 7, 8]
    del view
    assert len(os.listdir("/proc/self/fd")) == before


def test_reading_ahead_finds_items_of_any_size():
    given = [
        bytes([number % 251]) * size for number, size in enumerate((1, 70_000, 0, 65_536, 200_000, 3) * 9)
    ]
    found = Spooled(given)
    assert list(found) == given and list(found[5:40]) == given[5:40]


@dataclass(frozen=True, slots=True)
class Two(Packed):
    first: int
    then: tuple[Two, ...] = ()


def test_what_is_packed_comes_back_equal():
    given = Two(1, (Two(2), Two(3)))
    assert pickle.loads(pickle.dumps(given)) == given
    assert list(Spooled([given])) == [given]


@corpus("value", ['é\n"\\', 1.0, 1e-07, 7, True, None, [], {}, {"a": [{"b": ()}, {}], "c": (1.5, None)}])
@corpus("indent", [1, 3])
def test_indented_json_is_that_of_the_standard_library(value: object, indent: int):
    assert indented(value, "\n", indent * " ") == json.dumps(value, indent=indent)


@corpus("indent", [None, 1, 2])
@corpus("pairs", [0, 1, 12])
def test_the_pieces_of_a_result_are_its_json(indent: int | None, pairs: int):
    found = result(pairs, text=' "\n\\ ü')
    assert "".join(found.pieces(indent)) == json.dumps(found.as_json(), indent=indent)
    assert "".join(replace(found, cases=()).pieces(indent)).count('"cases": []') == 1
