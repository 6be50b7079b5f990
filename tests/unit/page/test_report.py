"""A stored calibration is shown from its figures: nothing of a stored page is."""

import json

import pytest
from corpora import corpus
from repository import ROOT
from samples.reportresults import empty, result

from calibration.measurement.result import result_of_json
from calibration.report.page import part, render


@pytest.mark.parametrize("made", [result, lambda: result(7), empty])
def test_what_was_kept_tells_what_was_measured(made):
    found = made()
    html = part(result_of_json(json.dumps(found.as_json())))
    assert html == part(found) and html in render(found)
    assert "False blocks" in html and "The noise floor" in html and "built-in" not in html


@corpus("text", ["", "[]", "{}", "{", "7", '{"floor": []}', '{"floor": {"clear": 1}}'])
def test_what_is_no_result_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        result_of_json(text)


def test_a_result_of_another_version_is_refused():
    (kept,) = ROOT.glob("fixtures/upgrade/home/**/calibration.json")
    with pytest.raises(ValueError, match=r"validation error"):
        result_of_json(kept.read_text())
