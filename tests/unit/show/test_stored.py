"""A stored check is the check that it was; one of another version is shown as far as it goes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from corpora import corpus
from samples.sample_checks import CHECK, record_of

from compass.show.check import check_document
from compass.show.log_line import check_of
from evaluator.errors import StateError
from evaluator.model import Cluster, Effect, Reading
from evaluator.record import replace
from evaluator.state.checks import RECORD_TEXT_CHARS_MAX, text_of_record

WHOLE = replace(
    CHECK,
    pending=replace(CHECK.pending, tool_input={}),
    effects=replace(CHECK.effects, each=(Effect("edit", "modifying", "/p/auth.py", excusable=True),)),
    clusters=(Cluster(("literal",), Reading("refactor", "auth", "folder")),),
)


def stored(store_evidence: bool = True) -> dict[str, Any]:
    return record_of(WHOLE, None, store_evidence=store_evidence)


@corpus("store_evidence", [True, False])
@corpus("size", [RECORD_TEXT_CHARS_MAX, RECORD_TEXT_CHARS_MAX + 1])
@corpus("letter", ["x", "\ud800"])
def test_what_is_written_is_the_record_long_texts_cut(store_evidence: bool, size: int, letter: str) -> None:
    check = replace(WHOLE, detail=letter * size)
    text = text_of_record(check, None, store_evidence=store_evidence)
    assert ("[cut: 1 characters]" in text) is (size > RECORD_TEXT_CHARS_MAX)
    assert json.loads(text)["detail"].startswith(letter * min(size, RECORD_TEXT_CHARS_MAX))


def test_what_was_kept_comes_back_as_it_was() -> None:
    assert check_of(stored()) == WHOLE
    bare = check_of(stored(store_evidence=False))
    assert (bare.exchange, bare.evidence, bare.resolved) == (None, None, WHOLE.resolved)


def test_an_older_record_lacks_fields_and_a_newer_one_has_more() -> None:
    record = stored()
    for name in ("clusters", "mode", "notes", "thresholds"):
        del record[name]
    record["of_tomorrow"] = record["samples"][0]["of_tomorrow"] = {"x": 1}
    found = check_of(record)
    assert (found.clusters, found.mode, found.thresholds) == ((), "enforce", None)
    assert found.samples == WHOLE.samples
    assert check_document(found)["targets"] == ["/p/auth.py"]


@corpus(
    ("path", "value"),
    [
        (("samples",), {}),
        (("samples",), [3]),
        (("thresholds", "deviation"), None),
        (("effect", "targets"), "/p/auth.py"),
        (("detail",), 7),
    ],
)
def test_a_broken_record_names_the_check(path: tuple[str, ...], value: object) -> None:
    record = stored()
    holder = record
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = value
    with pytest.raises(StateError, match=f"check {CHECK.check_id} cannot be shown: "):
        check_of(record)
