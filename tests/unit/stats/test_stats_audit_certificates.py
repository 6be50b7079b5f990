"""A small run of `benchmarks/quality/audit_certificates.py`: its bounds are wide, the full run is the evidence."""

import numpy as np
import pytest
from audit_certificates import ALL, SETTINGS, Outcome, scored, simulate, truths_of

from evaluator.model import NO_BLOCK

SEEDS = 40


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [simulate(world, SEEDS, *setting) for setting in SETTINGS for world in ALL]


@pytest.mark.full
def test_promises_of_an_audits_cuts_are_kept_in_every_world(outcomes: list[Outcome]) -> None:
    # Five in a hundred are promised; of 40, eight or more would come in under one run of a thousand.
    assert all(one.either_broken <= 7 for one in outcomes)
    assert sum(one.either_broken for one in outcomes) <= 0.05 * SEEDS * len(outcomes)
    assert all(max(one.block.broken, one.passing.broken) <= one.either_broken for one in outcomes)


def test_eighty_answers_mostly_certify_a_block_cut_and_eight_hundred_both(outcomes: list[Outcome]) -> None:
    few, many = outcomes[: len(ALL)], outcomes[len(ALL) :]
    assert all(one.block.certified >= 0.5 * SEEDS and one.passing.certified == 0 for one in few)
    assert all(one.block.certified == SEEDS for one in many)
    assert sum(one.passing.certified >= 0.7 * SEEDS for one in many) >= len(many) - 2
    for one, other in zip(few, many, strict=True):
        assert one.detection is not None and other.detection is not None
        assert one.detection < other.detection


def test_a_truth_is_the_share_under_a_cut_by_the_chance_of_sessions() -> None:
    clear, ambiguous = truths_of(ALL[0])
    assert clear.under(NO_BLOCK, 0.05) == 0 and clear.under(9.0, 0.05) == pytest.approx(1)
    cut = 0.65 + 0.25
    assert clear.under(cut, None) < ambiguous.under(cut, None)
    # With each write in the sample, every session counts once; with hardly any, every write does.
    one = scored(ALL[0], 40_000, np.random.default_rng([20_250_301, 1]))
    under = (one.total < cut - 1e-9)[~one.ambiguous]
    session = one.of.session[~one.ambiguous]
    sizes = np.bincount(session)
    shares = np.bincount(session, weights=under)[sizes > 0] / sizes[sizes > 0]
    assert clear.under(cut, 1.0) == pytest.approx(shares.mean())
    assert clear.under(cut, 1e-6) == pytest.approx(under.mean(), abs=1e-4)
