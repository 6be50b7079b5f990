"""Properties of convergence: independent of order, and the early stop never changes a verdict."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Sample, Thresholds
from evaluator.verdict.convergence import certain_block, converge, passes

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
