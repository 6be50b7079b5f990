"""Whatever a model writes, parsing it ends in a sample that is safe to show and to average."""

from __future__ import annotations

import json
import math

from apis.loopback_api import answer
from hypothesis import given
from hypothesis import strategies as st

from evaluator.egress.reader_answer import parse_answer

VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted(json.loads(answer())))


def assert_sound(text: str) -> None:
    sample = parse_answer(text, "reader-1")
    assert sample.valid == (sample.error is None)
    if sample.valid:
        assert sample.score is not None
        assert math.isfinite(sample.score)
        assert 0.0 <= sample.score <= 1.0
        assert sample.reading is not None
        shown = [sample.rationale, sample.reading.target, sample.rival or ""]
    else:
        assert sample.score is None
        shown = [sample.error or ""]
    assert all(line == "" or (line.isprintable() and len(line) <= 240) for line in shown)
    assert len(sample.rationale.split()) <= 20


@given(st.text() | st.text(alphabet='{}[]":,0123456789.eE-NaInfity \n`'))
def test_any_text_parses_to_a_sound_sample(text: str) -> None:
    assert_sound(text)


@given(KEYS, VALUES, st.text(max_size=20), st.text(max_size=20))
def test_an_answer_with_any_value_in_any_field_parses_to_a_sound_sample(
    key: str, value: object, before: str, after: str
) -> None:
    fields = {**json.loads(answer()), key: value}
    assert_sound(before + json.dumps(fields) + after)


@given(st.floats().filter(lambda score: not 0.0 <= score <= 1.0))
def test_a_score_out_of_range_is_never_clamped(score: float) -> None:
    assert not parse_answer(answer(score), "reader-1").valid
