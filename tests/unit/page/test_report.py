"""A stored calibration is shown from its figures: nothing of a stored page is."""

import json
import re

import pytest
from corpora import corpus
from repository import ROOT
from samples.reportresults import empty, result

from calibration.measurement.result import result_of_json
from calibration.report.html import TEMPLATES
from calibration.report.page import part, render


@pytest.mark.parametrize("made", [result, lambda: result(7), empty])
def test_what_was_kept_tells_what_was_measured(made):
    found = made()
    html = part(result_of_json(json.dumps(found.as_json())))
    assert html == part(found) and html in render(found)
    assert "False blocks" in html and "The noise floor" in html and "built-in" not in html


def test_its_sheet_counts_in_a_document_and_in_a_tree_of_its_own():
    sheet = (TEMPLATES / "report.css").read_text()
    assert re.findall(r"(?m)^\s*(?::root|html|body)[^{]*(?<!:host) \{", sheet) == []
    assert sheet.count(":host {") >= 5


@corpus("text", ["", "[]", "{}", "{", "7", '{"floor": []}', '{"floor": {"clear": 1}}'])
def test_what_is_no_result_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        result_of_json(text)


def test_a_result_of_another_version_is_refused():
    (kept,) = ROOT.glob("fixtures/upgrade/home/**/calibration.json")
    with pytest.raises(ValueError, match=r"validation error"):
        result_of_json(kept.read_text())
