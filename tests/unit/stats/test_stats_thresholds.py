"""Thresholds by learn-then-test."""

import numpy as np

from calibration.stats.checks import CheckColumns, blocked, columns_of
from calibration.stats.estimates import TooLittle
from calibration.stats.thresholds import Recommendation, learn, minimum_units, one_of_each
from evaluator.model import Thresholds


def clear(means, units=None) -> CheckColumns:
    column = np.array(means, dtype=np.float64)
    of = np.arange(len(column)) if units is None else np.array(units)
    return columns_of(column[:, None], np.zeros(len(column), dtype=bool), of, np.arange(len(column)))


def test_the_least_numbers_of_clear_units_are_those_of_the_specification():
    assert [minimum_units(target) for target in (0.10, 0.05, 0.02)] == [29, 59, 149]


def test_one_unit_short_there_is_no_recommendation():
    rng = np.random.default_rng(1)
    assert learn(clear([0.9] * 28), 0.10, rng) == TooLittle("clear units", 28, 29)
    assert isinstance(learn(clear([0.9] * 29), 0.10, rng), Recommendation)
    assert learn(clear([]), 0.10, rng) == TooLittle("clear units", 0, 29)


def test_repeats_are_no_substitute_for_units():
    found = learn(clear([0.9] * 100, [0, 1, 2, 3] * 25), 0.10, np.random.default_rng(1))
    assert found == TooLittle("clear units", 4, 29)


def test_the_recommendation_is_the_last_cut_that_the_exact_test_certifies():
    """Fifty units at 10 %: one false block is certified (p 0.034), two are not (p 0.112)."""
    means = [0.305, 0.405, *([0.805] * 48)]
    found = learn(clear(means), 0.10, np.random.default_rng(1))
    assert isinstance(found, Recommendation)
    assert found.thresholds.confidence == 0.40
    assert (found.false_blocks, found.units, found.blocks_nothing) == (1, 50, False)


def test_where_nothing_can_be_certified_the_recommendation_says_that_it_blocks_nothing():
    found = learn(clear([0.0] * 30), 0.10, np.random.default_rng(1))
    assert isinstance(found, Recommendation)
    assert found.blocks_nothing
    assert not blocked(clear([0.0]), found.thresholds).any()


def test_one_check_of_each_unit_is_drawn_evenly():
    units = np.array([0] * 3 + [1])
    drawn = [one_of_each(units, np.random.default_rng(seed)) for seed in range(600)]
    assert all(sorted(units[one].tolist()) == [0, 1] for one in drawn)
    counts = np.bincount([place for one in drawn for place in one.tolist() if place < 3], minlength=3)
    assert counts.sum() == 600
    assert counts.min() > 150


def test_ambiguous_checks_play_no_part():
    means = np.concatenate([np.full(40, 0.8), np.full(40, 0.3)])
    labels = np.arange(80) >= 40
    both = columns_of(means[:, None], labels, np.arange(80), np.arange(80))
    one, other = (learn(table, 0.10, np.random.default_rng(1)) for table in (both, clear(means[:40])))
    assert one == other


def test_what_agreement_blocks_is_tested_with_every_cut():
    """Fifty units that score alike, ten of which readers read differently: held to that, nothing can be certified."""
    agreement = np.array([0.4] * 10 + [1.0] * 40)
    none = np.zeros(50, dtype=bool)
    table = columns_of(np.full((50, 5), 0.9), none, np.arange(50), np.arange(50), agreement)
    free = learn(table, 0.10, np.random.default_rng(1))
    held = learn(table, 0.10, np.random.default_rng(1), agreement=0.5)
    assert isinstance(free, Recommendation) and isinstance(held, Recommendation)
    assert (free.false_blocks, free.blocks_nothing, free.thresholds.confidence) == (0, False, 0.9)
    assert held.blocks_nothing
    milder = learn(table, 0.10, np.random.default_rng(1), agreement=0.4)
    assert isinstance(milder, Recommendation)
    assert milder.thresholds == Thresholds(0.9, 1.0, 0.4)


def test_the_certificate_of_cuts_that_hold_to_agreement_is_kept_where_agreement_alone_blocks_wrongly():
    """Of clear units 12 % are blocked for their readings: at a target of 10 %, at most a twentieth of seeds certify."""
    broken = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        agreement = np.where(rng.random(100) < 0.12, 0.4, 1.0)
        scores = np.clip(rng.normal(0.85, 0.05, (100, 5)), 0, 1)
        table = columns_of(scores, np.zeros(100, dtype=bool), np.arange(100), np.arange(100), agreement)
        found = learn(table, 0.10, rng, agreement=0.5)
        broken += isinstance(found, Recommendation) and not found.blocks_nothing
    assert broken <= 10
