"""Cases in a temporary file, and the document that is written in pieces."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from calibration.cases.spooled import Spooled
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


@pytest.mark.parametrize("indent", [None, 1, 2])
@pytest.mark.parametrize("pairs", [0, 1, 12])
def test_the_pieces_of_a_result_are_its_json(indent: int | None, pairs: int):
    found = result(pairs, text=' "\n\\ ü')
    assert "".join(found.pieces(indent)) == json.dumps(found.as_json(), indent=indent)
    assert "".join(replace(found, cases=()).pieces(indent)).count('"cases": []') == 1
