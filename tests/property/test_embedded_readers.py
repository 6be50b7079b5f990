"""For whatever subject: five valid samples, equal ones for equal subjects, in bounded time."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import (
    CONCERNS,
    AnsweredQuestion,
    Effects,
    Evidence,
    Exchange,
    PendingWrite,
    Plan,
    ResolvedOption,
    Sample,
    Subject,
)  # fmt: skip
from evaluator.readers.embedded import EmbeddedReaders, judge_fallback

PIECES = [
    "delete",
    "it",
    "src/auth.py",
    "`User`",
    "1. ",
    "2) ",
    "\n",
    "?",
    "don't touch",
    "only",
    "删除",
    "を",
    "or",
    "'",
    '"',
    "```",
    "../",
]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
keys = (
    st.sampled_from(["file_path", "content", "old_string", "new_string", "edits", "command", "new_source"])
    | texts
)
operations = st.sampled_from(
    [("edit", "modifying"), ("delete", "destructive"), ("unknown", "destructive"), ("create", "additive")]
)


@st.composite
def subjects(draw: st.DrawFn) -> Subject:
    tool = draw(st.sampled_from(["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "mcp__x__y"]))
    operation, operation_class = draw(operations)
    exchange = Exchange(
        tuple(draw(st.lists(texts, max_size=3))), draw(texts),
        tuple(AnsweredQuestion(q, (q, "b"), ("b",)) for q in draw(st.lists(texts, max_size=2))),
        tuple(Plan(text, True) for text in draw(st.lists(texts, max_size=2))), draw(texts),
    )  # fmt: skip
    pending = PendingWrite(
        "h",
        "s",
        tool,
        draw(st.dictionaries(keys, junk, max_size=4)),
        "/p",
        draw(st.sampled_from(["/p", "", "/"])),
    )
    effects = Effects(
        "write",
        operation,
        operation_class,
        tuple(draw(st.lists(texts, max_size=3))),
        draw(texts),
        draw(st.none() | st.integers(0, 9**9)),
    )
    resolved = draw(st.none() | st.builds(ResolvedOption, st.tuples(texts), st.tuples(texts)))
    return Subject(pending, effects, exchange, Evidence(tool, operation, operation_class, (), ""), resolved)


def check(samples: tuple[Sample, ...]) -> None:
    assert len(samples) == 5
    for sample in samples:
        assert sample.valid and sample.score is not None and 0.0 <= sample.score <= 1.0
        assert sample.primary_concern in CONCERNS
        assert len(sample.rationale.split()) <= 20


@given(subjects())
def test_any_subject_gets_five_valid_samples_and_the_same_ones_again(subject: Subject) -> None:
    first = EmbeddedReaders().collect(subject, 1.0)
    check(first)
    again = EmbeddedReaders().collect(subject, 1.0)
    assert [replace(sample, latency_ms=0) for sample in again] == [
        replace(sample, latency_ms=0) for sample in first
    ]
    judged = judge_fallback(subject)
    assert judged.decision in ("block", "pass", "abstain")
    check(judged.samples)


MEGABYTE = 1_000_000
HUGE = [
    "a",
    "a/",
    "a.",
    "aB",
    "a_",
    "`",
    "'",
    "é",
    "删除",
    "1. a?\n",
    "1,2.3 ",
    "- ",
    "(",
    "drop table x ",
    "fix it in a.py or b.py? ",
]


@pytest.mark.parametrize("piece", HUGE)
def test_a_megabyte_anywhere_takes_bounded_time(piece: str) -> None:
    text = (piece * MEGABYTE)[:MEGABYTE]
    pending = PendingWrite(
        "h", "s", "Edit", {"file_path": text, "old_string": text, "new_string": text}, "/p", "/p"
    )
    exchange = Exchange((text,), text, (AnsweredQuestion(text, (text,), (text,)),), (Plan(text, True),), text)
    effects = Effects("write", "edit", "modifying", (f"/p/{text}",), text)
    subject = Subject(
        pending,
        effects,
        exchange,
        Evidence("Edit", "edit", "modifying", (), ""),
        ResolvedOption((text,), (text,)),
    )
    begun = time.process_time()
    check(EmbeddedReaders().collect(subject, 1.0))
    assert time.process_time() - begun < 5.0
