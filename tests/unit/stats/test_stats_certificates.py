"""The two certificates along one score, against the walk that they stand for."""

import numpy as np
import pytest
from corpora import corpus

from calibration.measurement.certified import certified_rule
from calibration.stats.certificates import (
    STEP,
    Aims,
    CertifiedSide,
    block_cuts,
    certify,
    meeting,
    most_errors,
    pass_cuts,
    reach,
)
from calibration.stats.checks import Measured, columns
from calibration.stats.estimate import TooLittle
from calibration.stats.learned_score import CANDIDATES, SHIPPED, fitted, fitting_units
from calibration.stats.looks import BARRED, look_columns, play
from calibration.stats.special import binomial_at_most
from evaluator.model import NO_BLOCK, NO_PASS, Certified, Convergence, Cuts, Score, Thresholds
from evaluator.record import replace
from evaluator.verdict.decision import judge
from evaluator.verdict.score import total

TOLERANCE = 1e-9


def check(unit, ambiguous, scores, readings=(), *, destructive=False):
    return Measured(f"{unit}-{ambiguous}", str(unit), ambiguous, tuple(scores), tuple(readings), destructive)


def apart(units, *, clear=0.9, ambiguous=0.3, destructive=False, start=0):
    """Units of a clear and an ambiguous check, five readers who all say the same."""
    return [
        check(start + unit, label, [level] * 5, destructive=destructive)
        for unit in range(units)
        for label, level in ((False, clear), (True, ambiguous))
    ]


@pytest.mark.parametrize(("aim", "least"), [(0.10, 36), (0.05, 72), (0.02, 183)])
def test_the_least_units_for_both_are_those_of_the_specification(aim, least):
    both = reach(least, least, Aims(aim, aim))
    assert (both.block_delta, both.pass_delta) == (0.025, 0.025)
    assert (both.needed_clear, both.needed_ambiguous) == (least, least)
    for clear, ambiguous in ((least - 1, least), (least, least - 1)):
        assert reach(clear, ambiguous, Aims(aim, aim)).pass_delta == 0


def test_where_both_cannot_be_had_false_blocks_have_all_of_delta_from_29_units_on():
    assert (reach(29, 100, Aims(0.10)).block_delta, reach(28, 100, Aims(0.10)).block_delta) == (0.05, 0.0)


@corpus("seed", range(20))
def test_the_cuts_are_the_last_of_each_sequence_before_the_first_that_is_not_rejected(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0.8, 0.2, 40 + 7 * seed), 3)
    most = most_errors(len(values), 0.1, 0.025)
    sequence = np.round(np.arange(-200, 2001) * STEP, 6)

    def rejected(wrong: int) -> bool:
        return binomial_at_most(wrong, len(values), 0.1) <= 0.025

    block = sequence[0]
    for cut in sequence:
        if not rejected(int((values < cut - TOLERANCE).sum())):
            break
        block = cut
    passing = sequence[-1]
    for cut in sequence[::-1]:
        if not rejected(int((values >= cut - TOLERANCE).sum())):
            break
        passing = cut
    assert float(block_cuts(values, most)) == pytest.approx(block, abs=1e-12)
    assert float(pass_cuts(values, most)) == pytest.approx(passing, abs=1e-12)


def test_cuts_that_cross_meet_in_the_middle_and_both_certificates_still_hold():
    table = look_columns(apart(60), SHIPPED, 5)
    found = certify(table, SHIPPED, Aims(0.10), "fixed", np.random.default_rng(1))
    assert found.crossed
    assert found.cuts.block == found.cuts.passing == pytest.approx((0.9 + 0.3) / 2 + 0.25, abs=2 * STEP)
    assert isinstance(found.block, CertifiedSide) and isinstance(found.passing, CertifiedSide)
    assert (found.block.errors, found.passing.errors) == (0, 0)
    assert meeting(np.array([0.4]), np.array([0.6])) == (np.array([0.4]), np.array([0.6]))


def test_a_side_without_units_is_absent_and_one_that_blocks_nothing_is_not_certified():
    few = [one for one in apart(40) if not one.ambiguous or int(one.unit) < 20]
    found = certify(look_columns(few, SHIPPED, 5), SHIPPED, Aims(0.10), "fixed", np.random.default_rng(1))
    assert found.passing == TooLittle("ambiguous units", 20, 36)
    assert (found.cuts.passing, found.cuts.beta, found.cuts.alpha) == (NO_PASS, 1.0, 0.10)
    lost = [check(unit, False, [0.0] * 5, range(5)) for unit in range(40)]
    nothing = certify(look_columns(lost, SHIPPED, 5), SHIPPED, Aims(0.10), "fixed", np.random.default_rng(1))
    assert not nothing.blocks
    assert (nothing.cuts.block, nothing.cuts.alpha) == (NO_BLOCK, 1.0)


def test_columns_have_the_score_of_the_gate_at_every_look():
    rng = np.random.default_rng(3)
    score = Score(0.3, 0.7, 0.1)
    checks = [
        check(unit, False, rng.random(count), rng.integers(-1, 3, count))
        for unit, count in enumerate([5, 3, 4, 5, 2])
    ]
    table = look_columns(checks, score, 5)
    for row, one in enumerate(checks):
        for place in range(4):
            look = min(place + 2, len(one.scores))
            seen = Measured("x", "x", False, one.scores[:look], one.readings[:look])
            expected = total(seen.mean, seen.stddev, seen.agreement, score)
            assert table.totals[row, place] == pytest.approx(expected, abs=1e-9)


def test_all_readers_at_once_end_as_the_gate_judges_them():
    rng = np.random.default_rng(9)
    checks = [
        check(unit, False, rng.random(5), rng.integers(-1, 3, 5), destructive=bool(unit % 2))
        for unit in range(300)
    ]
    plain = Thresholds(0.65, 0.2)
    for cuts in (Cuts(0.5, 0.8, 0.1, 0.1), Cuts(0.7, 0.7, 0.1, 0.1), Cuts(0.5, NO_PASS, 0.1, 1.0)):
        found = play(look_columns(checks, SHIPPED, 5, plain), cuts.block, cuts.passing, "fixed")
        held = replace(plain, certified=Certified(SHIPPED, cuts, 0.0, 1.0))
        for row, one in enumerate(checks):
            given = len([code for code in one.readings if code >= 0])
            agreed = one.agreement if given > 1 else None
            seen = Convergence(one.mean, one.stddev, 5, "none", "", agreement=agreed)
            verdict = judge(seen, held, destructive=one.destructive)[0]
            assert bool(found.blocked[row]) == (verdict == "failed")
        assert 0 < found.blocked.sum() < 300


def test_escalate_ends_at_a_cut_and_asks_on_between():
    def looked(scores, *, destructive=False):
        table = look_columns([check(1, False, scores, destructive=destructive)], SHIPPED, 5)
        found = play(table, 0.65, 0.95, "escalate")
        return bool(found.blocked[0]), bool(found.between[0]), int(found.calls[0])

    assert looked([0.9, 0.9, 0.1, 0.1, 0.1]) == (False, False, 2)
    assert looked([0.1, 0.1, 0.9, 0.9, 0.9]) == (True, False, 2)
    assert looked([0.5, 0.5, 1.0, 1.0, 1.0]) == (False, False, 4)
    assert looked([0.5] * 5) == (False, True, 5)
    assert looked([0.5] * 5, destructive=True) == (True, True, 5)
    # Two readers pass nothing that is destructive.
    assert looked([0.9] * 5, destructive=True) == (False, False, 3)


def test_without_a_pass_cut_the_rule_without_certificates_decides_about_destructive_checks():
    for scores, ends in (([0.7] * 5, False), ([0.6] * 5, True)):
        table = look_columns([check(1, False, scores, destructive=True)], SHIPPED, 5, Thresholds(0.65, 0.2))
        assert bool(play(table, 0.5, NO_PASS, "fixed").blocked[0]) == ends


def test_what_escalate_blocks_or_passes_is_within_what_was_tested():
    rng = np.random.default_rng(5)
    checks = [
        check(unit, bool(unit % 2), rng.random(5), rng.integers(0, 3, 5), destructive=unit % 3 == 0)
        for unit in range(400)
    ]
    table = look_columns(checks, SHIPPED, 5)
    for block, passing in ((0.5, 0.5), (0.4, 0.8), (0.7, 0.9)):
        found = play(table, block, passing, "escalate")
        by_cut = found.blocked & ~found.between
        assert (table.lowest("escalate")[by_cut] < block - TOLERANCE).all()
        passed = ~found.blocked & ~found.between
        assert (table.highest("escalate")[passed] >= passing - TOLERANCE).all()


def test_what_agreement_blocks_beside_the_cuts_is_tested_with_them():
    """A fifth of the clear units is blocked for its readings alone: no cut can be certified."""
    checks = [
        check(unit, False, [0.9] * 5, [0, 0, 1, 1, 2] if unit % 5 == 0 else [0] * 5) for unit in range(100)
    ]
    held = Thresholds(0.65, 0.2, 0.5)
    assert (look_columns(checks, SHIPPED, 5, held).totals[:, -1] == BARRED).sum() == 20
    for plain, certified in ((held, False), (Thresholds(0.65, 0.2), True)):
        rule = certified_rule(checks, 5, Aims(0.10), np.random.default_rng(1), plain=plain, exchangeable=True)
        assert bool(rule.of(5, "fixed")) == certified
        assert bool(rule.why) != certified


def test_destructive_calls_have_cuts_of_their_own_where_their_units_suffice():
    others = apart(60, clear=0.95)
    for own in (35, 36):
        rule = certified_rule(
            [*others, *apart(own, clear=0.6, ambiguous=0.2, destructive=True, start=1000)],
            5,
            Aims(0.10),
            np.random.default_rng(1),
            plain=Thresholds(0.65, 0.2),
            exchangeable=True,
        )
        assert set(rule.of(5, "fixed")) == ({"", "destructive"} if own == 36 else {""})
        assert {row.population for row in rule.per_n[5]} == (
            {"others", "destructive"} if own == 36 else {"all"}
        )
    assert rule.of(5, "fixed")["destructive"].block < rule.of(5, "fixed")[""].block
    assert sorted(rule.per_n) == [3, 5]


def test_named_readers_have_cuts_for_all_of_them_alone():
    rule = certified_rule(
        apart(60), 5, Aims(0.10), np.random.default_rng(1), plain=Thresholds(0.65, 0.2), exchangeable=False
    )
    assert list(rule.per_n) == [5]
    assert rule.of(5, "fixed") and not rule.of(5, "escalate")


def split(units, rng):
    """Ambiguous checks whose mean is that of clear ones: only the deviation shows them."""
    noise = rng.normal(0, 0.01, (units, 2, 5))
    return [
        check(unit, label, np.clip(np.array(scores) + noise[unit, int(label)], 0, 1))
        for unit in range(units)
        for label, scores in ((False, [0.6] * 5), (True, [0.95, 0.95, 0.95, 0.1, 0.1]))
    ]


def test_learned_weights_take_up_the_deviation_and_are_certified_on_other_units():
    rng = np.random.default_rng(1)
    checks = split(150, rng)
    fitting = fitting_units(columns(checks).unit, rng)
    assert fitting.sum() == 100
    assert fitted(columns(checks), rng).deviation_weight > 0
    rule = certified_rule(
        checks, 5, Aims(0.10), rng, plain=Thresholds(0.65, 0.2), exchangeable=True, learn=True
    )
    assert (rule.fitted_units, rule.reach.clear, rule.reach.ambiguous) == (50, 100, 100)
    assert rule.score.deviation_weight > 0
    row = next(row for row in rule.per_n[5] if row.procedure == "fixed")
    assert not isinstance(row.detection_rate, TooLittle) and row.detection_rate.value == 1.0
    assert not isinstance(row.false_block_rate, TooLittle) and row.false_block_rate.units == 100


def test_shipped_weights_stay_where_nothing_is_gained_or_units_are_few():
    rng = np.random.default_rng(1)
    assert CANDIDATES[0] == SHIPPED == Score(0.25, 0.0, 0.20)
    assert fitted(columns(apart(50)), rng) == SHIPPED
    assert fitted(columns(split(9, rng)), rng) == SHIPPED
