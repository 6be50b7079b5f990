"""Convergence, readings and calibration: order does not matter, bounds hold, an early stop changes no verdict."""

import itertools
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.stats.checks import (
    DELTA,
    CheckColumns,
    Measured,
    Recommendation,
    auc_interval,
    blocked,
    columns,
    learn,
    rates_at,
)
from calibration.stats.drift import CaseChecks, compare
from calibration.stats.estimates import Estimate, TooLittle, binomial_at_most, clopper_pearson, mean_of_units
from evaluator.model import ACTIONS, EXTENTS, Exchange, Reading, Sample, Thresholds
from evaluator.record import replace
from evaluator.verdict.convergence import certain_block, chance_of_change, converge, may_stop, passes
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
    assert (one.mean, one.stddev) == (two.mean, two.stddev)


@given(SCORES)
def test_mean_and_deviation_stay_in_their_ranges(scores):
    found = converge(samples(scores), 1)
    assert min(scores) - 1e-12 <= found.mean <= max(scores) + 1e-12
    assert 0 <= found.stddev <= 0.5 + 1e-12


@given(st.lists(st.sampled_from(GRID), min_size=1, max_size=5), st.integers(0, 2), THRESHOLDS)
def test_a_certain_block_is_never_lifted_by_any_completion(scores, outstanding, thresholds):
    """Every completion on a grid, with every number of the missing answers invalid, still blocks."""
    if not certain_block(scores, outstanding, thresholds):
        return
    for arrived in range(outstanding + 1):
        for rest in itertools.product(GRID, repeat=arrived):
            assert not passes(converge(samples([*scores, *rest]), 1), thresholds)


@given(SCORES, THRESHOLDS)
def test_with_nothing_outstanding_the_bound_is_the_verdict(scores, thresholds):
    found = converge(samples(scores), 1)
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
    assert agreement([sizes[0] + sizes[1], *sizes[2:]]) >= agreement(sizes)


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
    counts = [len(cluster.readers) for cluster in found]
    assert counts == sorted(counts, reverse=True)


@given(st.text(max_size=60))
def test_a_key_is_stable(target):
    once = target_key(target, "/p", {})
    assert target_key(once, "/p", {}) == once


SCORE = st.integers(0, 20).map(lambda step: step / 20)
CHECKS = st.lists(
    st.builds(
        Measured,
        case=st.integers(0, 9).map(str),
        unit=st.integers(0, 5).map(str),
        ambiguous=st.booleans(),
        scores=st.lists(SCORE, min_size=1, max_size=5).map(tuple),
    ),
    max_size=40,
)
PAIRS = st.builds(Thresholds, st.floats(0, 1), st.floats(0, 0.5))


def close(one, other):
    if isinstance(one, Estimate) and isinstance(other, Estimate):
        ends = ((e.value, e.low, e.high, e.n, e.units) for e in (one, other))
        return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(*ends, strict=True))
    return one == other


@given(CHECKS, st.randoms(use_true_random=False))
def test_the_order_of_checks_does_not_matter(checks, random):
    shuffled = list(checks)
    random.shuffle(shuffled)
    one, other = columns(checks), columns(shuffled)
    at = Thresholds(0.6, 0.2)
    assert all(map(close, rates_at(one, at), rates_at(other, at)))
    assert close(mean_of_units(one.mean, one.unit), mean_of_units(other.mean, other.unit))
    auc, again = (auc_interval(each.mean, each.ambiguous, each.unit) for each in (one, other))
    assert close(auc, again)


@given(CHECKS)
def test_intervals_hold_their_value_and_stay_in_range(checks):
    table = columns(checks)
    auc = auc_interval(table.mean, table.ambiguous, table.unit)
    for one in (auc, *rates_at(table, Thresholds(0.6, 0.2))):
        if isinstance(one, Estimate):
            assert 0 <= one.low <= one.value + 1e-12
            assert one.value - 1e-12 <= one.high <= 1
            assert one.units >= 1
        else:
            assert isinstance(one, TooLittle) and one.units < one.needed


@given(st.integers(0, 60), st.integers(1, 60))
def test_clopper_pearson_covers_the_rate_narrows_with_n_and_mirrors(successes, n):
    successes = min(successes, n)
    low, high = clopper_pearson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert math.isclose(low, 1 - clopper_pearson(n - successes, n)[1], abs_tol=1e-9)
    wide, narrow = high - low, np.subtract(*clopper_pearson(2 * successes, 2 * n)[::-1])
    assert narrow < wide


@settings(max_examples=50)
@given(st.lists(SCORE, min_size=29, max_size=90), st.sampled_from([0.05, 0.1, 0.2]), st.integers(0, 9))
def test_what_is_recommended_is_certified_and_a_stricter_target_never_gives_stricter_thresholds(
    means, target, seed
):
    column = np.array(means)
    codes = np.arange(len(column))
    none, alike = np.zeros(len(column)), np.ones(len(column))
    table = CheckColumns(column, none, np.zeros(len(column), dtype=bool), codes, codes, alike, none > 0)
    found = learn(table, target, np.random.default_rng(seed))
    if isinstance(found, TooLittle):
        assert len(column) < found.needed
        return
    assert binomial_at_most(found.false_blocks, found.units, target) <= DELTA
    assert int(blocked(table, found.thresholds).sum()) == found.false_blocks
    milder = learn(table, 2 * target, np.random.default_rng(seed))
    assert isinstance(milder, Recommendation)
    assert milder.thresholds.confidence >= found.thresholds.confidence


@given(st.lists(st.tuples(SCORE, SCORE), min_size=16, max_size=40), st.floats(-0.5, 0.5))
def test_drift_is_the_same_in_both_directions_and_blind_to_a_common_shift(pairs, shift):
    def run(values):
        return [CaseChecks(str(i), str(i), False, (value,), (0.1,), (0.0,)) for i, value in enumerate(values)]

    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    there, back = compare(run(second), run(first)), compare(run(first), run(second))
    moved = compare(run([value + shift for value in second]), run([value + shift for value in first]))
    assert there.alarm == back.alarm
    assert math.isclose(there.shifts[0].p, back.shifts[0].p, abs_tol=1e-9)
    assert math.isclose(there.shifts[0].change.value, moved.shifts[0].change.value, abs_tol=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.lists(SCORE, min_size=1, max_size=7), st.integers(1, 3), PAIRS, st.randoms(use_true_random=False))
def test_a_check_ends_early_only_by_bounds_or_under_its_risk_whatever_the_order(
    scores, outstanding, thresholds, random
):
    n = len(scores) + outstanding
    chance = chance_of_change(scores, outstanding, thresholds)
    assert 0 < chance <= 1
    assert chance == chance_of_change(random.sample(scores, len(scores)), outstanding, thresholds)
    certain = certain_block(scores, outstanding, thresholds)
    assert may_stop(scores, n, thresholds) == certain
    assert may_stop(scores, n, thresholds, 0.01) == (certain or chance <= 0.01)
    assert may_stop(scores, n, Thresholds(thresholds.confidence, thresholds.deviation, 0.5), 1.0) == certain
