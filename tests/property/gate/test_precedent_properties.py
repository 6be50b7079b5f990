"""Whatever was settled, no destructive call passes by it, and nothing goes further than what was settled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from samples.precedents import HERE, READER, precedent

from evaluator.effects import effect, folded
from evaluator.language.noun_occurrences import occurrences
from evaluator.language.nouns import nouns_of, term_of
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Sample, Subject
from evaluator.precedents.bearing import Asked, Bearing, bearing
from evaluator.precedents.place import Tree
from evaluator.precedents.precedent import Precedent
from evaluator.precedents.settling import Answered, settled
from evaluator.precedents.turning import led_to
from evaluator.readers.embedded import EmbeddedReaders, judge_fallback
from evaluator.record import replace

PROJECT = "/p"
PATHS = st.sampled_from([READER, "src/billing/reader.py", "src/report", "src/*.py", "../out.py", "a/b.md"])
TERMS = st.sampled_from(
    ["the parser", "the report parser", "parser", "it", "パーサー", "l'analyseur", "delete_user"]
)
REQUESTS = st.one_of(
    st.sampled_from(["Fix the parser", "Delete the parser", "drop it", "rewrite the parser", "パーサーを消して"]),
    st.lists(st.sampled_from(["the", "parser", "delete", "not", "src/a.py", "all", ",", "?", "billing"]), max_size=8)
    .map(" ".join),
    st.text(max_size=40),
)  # fmt: skip
PRECEDENTS = st.builds(
    lambda term, target, extent, tightens: precedent(term, target, extent=extent, tightens=tightens),
    TERMS,
    PATHS,
    st.sampled_from(["", "one_place", "one_file", "folder", "project", "beyond"]),
    st.booleans(),
)
OPERATIONS = ["create", "append", "edit", "overwrite", "permissions", "delete", "move", "unknown"]
EFFECTS = st.lists(st.tuples(st.sampled_from(OPERATIONS), PATHS), min_size=1, max_size=3).map(
    lambda each: folded([effect(operation, f"{PROJECT}/{path}") for operation, path in each])
)
TOOLS = st.sampled_from(["Edit", "Write", "Bash", "MultiEdit"])


def subject(effects: Effects, tool: str, request: str, led: tuple[str, ...]) -> Subject:
    evidence = Evidence(tool, effects.operation, effects.operation_class, effects.targets, request)
    given = {"command": "rm x"} if tool == "Bash" else {"old_string": "a", "new_string": "b"}
    pending = PendingWrite("claude-code", "s", tool, given, PROJECT, PROJECT)
    return Subject(pending, effects, Exchange((request,)), evidence, led_to=led)


def told(samples: tuple[Sample, ...]) -> list[Sample]:
    return [replace(one, latency_ms=0) for one in samples]


@given(EFFECTS, TOOLS, REQUESTS)
def test_no_destructive_call_is_read_otherwise_whatever_led_to_its_targets(
    effects: Effects, tool: str, request: str
) -> None:
    plain, led = subject(effects, tool, request, ()), subject(effects, tool, request, effects.targets)
    if effects.operation_class == "destructive":
        assert told(EmbeddedReaders().collect(plain, 5.0)) == told(EmbeddedReaders().collect(led, 5.0))
        assert judge_fallback(plain).decision == judge_fallback(led).decision


@given(st.lists(st.builds(Bearing, PRECEDENTS, st.booleans()), max_size=4), EFFECTS, TOOLS)
def test_only_one_edit_of_the_very_file_is_led_to(found: list[Bearing], effects: Effects, tool: str) -> None:
    pending = subject(effects, tool, "", ()).pending
    targets = led_to(found, pending, effects, PROJECT)
    if not targets:
        return
    (one,) = effects.each
    assert targets == (one.target,) and one.operation in ("edit", "append") and "*" not in one.target
    path = one.target.removeprefix(f"{PROJECT}/")
    settled_for = [each.precedent for each in found if each.counts and not each.precedent.tightens]
    assert any(
        each.target == path or (each.extent in ("folder", "project") and path.startswith(f"{each.target}/"))
        for each in settled_for
    )


@given(st.lists(PRECEDENTS, max_size=6), REQUESTS, REQUESTS, st.lists(PATHS, max_size=2), PATHS)
def test_whatever_is_said_at_most_three_bear_and_none_that_tightens_counts(
    found: list[Precedent], request: str, prior: str, written: list[str], folder: str
) -> None:
    asked = Asked(request, prior, tuple(written), folder, HERE)
    bears = bearing(found, asked, exists=lambda _: True, tree=lambda _: Tree(("billing",), ("reader.py",)))
    assert len(bears) <= 3
    assert [one.counts for one in bears] == sorted((one.counts for one in bears), reverse=True)
    assert not any(one.counts and one.precedent.tightens for one in bears)


@given(st.text(max_size=120), st.text(max_size=20))
def test_any_text_has_nouns_terms_and_occurrences(text: str, other: str) -> None:
    for one in nouns_of(text):
        assert one.text and one.head
    term = term_of(other)
    if term is not None:
        occurrences(text, term.head, term.modifiers)


@given(st.text(max_size=60), st.text(max_size=250), st.lists(PATHS, max_size=3))
def test_what_is_kept_is_short_typed_and_a_target_of_the_write(
    request: str, said: str, targets: list[str]
) -> None:
    found = settled(Answered((request,), said), targets, None)
    if found is not None:
        assert found.target in targets and found.said == said.strip() and found.said in said
        assert max(map(len, (found.term, found.said, found.target))) <= 200
        assert not found.tightens and found.extent == "one_file"
