"""Convergence, readings and agreement do not depend on order, and an early stop never changes a verdict."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import ACTIONS, EXTENTS, Exchange, Reading, Sample, Thresholds
from evaluator.record import replace
from evaluator.verdict.convergence import certain_block, converge, passes
from evaluator.verdict.readings import agreement, clusters, reading_choices, target_key

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=7)
THRESHOLDS = st.builds(Thresholds, st.floats(0.3, 0.9), st.floats(0.05, 0.4))
GRID = [i / 10 for i in range(11)]


def samples(scores):
    return [Sample(str(i), score=score, primary_concern="none") for i, score in enumerate(scores)]


@given(SCORES, st.randoms())
def test_order_does_not_matter(scores, random):
    shuffled = list(scores)
    random.shuffle(shuffled)
    one, two = converge(samples(scores), 1), converge(samples(shuffled), 1)
    assert one is not None and two is not None
    assert (one.mean, one.stddev) == (two.mean, two.stddev)


@given(SCORES)
def test_mean_and_deviation_stay_in_their_ranges(scores):
    found = converge(samples(scores), 1)
    assert found is not None
    assert min(scores) - 1e-12 <= found.mean <= max(scores) + 1e-12
    assert 0 <= found.stddev <= 0.5 + 1e-12


@given(st.lists(st.sampled_from(GRID), min_size=1, max_size=5), st.integers(0, 2), THRESHOLDS)
def test_a_certain_block_is_never_lifted_by_any_completion(scores, outstanding, thresholds):
    """Every completion on a grid, with every number of the missing answers invalid, still blocks."""
    if not certain_block(scores, outstanding, thresholds):
        return
    for arrived in range(outstanding + 1):
        for rest in itertools.product(GRID, repeat=arrived):
            found = converge(samples([*scores, *rest]), 1)
            assert found is not None
            assert not passes(found, thresholds)


@given(SCORES, THRESHOLDS)
def test_with_nothing_outstanding_the_bound_is_the_verdict(scores, thresholds):
    found = converge(samples(scores), 1)
    assert found is not None
    assert certain_block(scores, 0, thresholds) == (not passes(found, thresholds))


SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=8)
EXCHANGE = Exchange(("Fix the retry in src/http/client.py, not lib/server.py",), "Shall I look at Session?")
TARGETS = st.sampled_from(
    ["client.py", "src/http/client.py", "`client.py`", "server.py", "Session", "session", "the retry", ""]
)
SAMPLES = st.lists(
    st.builds(
        lambda action, target, extent, rival, valid: Sample(
            "", 0.5 if valid else None, "none", "", Reading(action, target, extent), rival, error=None if valid else "x"
        ),
        st.sampled_from(ACTIONS[:3]), TARGETS, st.sampled_from(EXTENTS[:2]),
        st.none() | st.sampled_from(["change lib/server.py", "answer the question"]), st.booleans(),
    ),
    max_size=9,
).map(lambda found: [replace(sample, reader=f"reader-{number}") for number, sample in enumerate(found)])  # fmt: skip


@given(SIZES)
def test_agreement_is_a_chance_and_does_not_depend_on_the_order(sizes):
    found = agreement(sizes)
    if sum(sizes) < 2:
        assert found is None
        return
    assert 0.0 <= found <= 1.0
    assert agreement(sizes[::-1]) == found
    assert (found == 1.0) == (len(sizes) == 1)


@given(SIZES.filter(lambda sizes: len(sizes) > 1))
def test_merging_two_clusters_never_lowers_agreement(sizes):
    merged = agreement([sizes[0] + sizes[1], *sizes[2:]])
    assert merged >= agreement(sizes)


@given(SAMPLES, st.randoms())
def test_clusters_do_not_depend_on_the_order_of_the_samples(samples, random):
    mixed = list(samples)
    random.shuffle(mixed)
    assert clusters(mixed, "/p", EXCHANGE) == clusters(samples, "/p", EXCHANGE)
    assert reading_choices(mixed, "/p", EXCHANGE) == reading_choices(samples, "/p", EXCHANGE)


@given(SAMPLES)
def test_every_valid_reader_stands_in_exactly_one_cluster(samples):
    found = clusters(samples, "/p", EXCHANGE)
    held = [reader for cluster in found for reader in cluster.readers]
    assert sorted(held) == sorted(sample.reader for sample in samples if sample.valid)
    assert [len(cluster.readers) for cluster in found] == sorted(
        (len(cluster.readers) for cluster in found), reverse=True
    )


@given(st.text(max_size=60))
def test_a_key_is_stable(target):
    once = target_key(target, "/p", {})
    assert target_key(once, "/p", {}) == once
