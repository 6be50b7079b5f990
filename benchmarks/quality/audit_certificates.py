"""The cuts that `compass audit` certifies, against a known truth: how often are promises broken, what do they catch?

    python benchmarks/quality/audit_certificates.py [--seeds 4000] [--json]

Traffic is that of `audit_simulation.py`, with a score for each write: the mean of five readers, which rises with the
odds that the write was right to run, blocked ones below 0.65 and others from there on. Two worlds more: large sessions
in which verdicts are wrong more often, and readers that were ended early for two writes in five, which leaves two
scores of five unknown. Each world is audited twice: 80 answers about 60 sessions, which may do for a block cut, and
800 about 200, which may do for both.

True rates are those of 40,000 sessions, weighed as the promise is: by the chance that a session has a write in the
even sample. *Broken*: audits in which a certified cut has a true rate above its aim of 10 %, of all audits, with the
one-sided 95 % bound (at most 5 % together is promised). *Detection*: of what should be held, the share under the block
cut, over the audits that certified one; beside it the true false blocks, by that weight and per check.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
from audit_simulation import SEED, TRUTH_SESSIONS, WORLDS, Traffic, World, traffic

from calibration.audit.certified import SCORE, certified_sides
from calibration.audit.even import least_chance
from calibration.audit.plan import AuditPlan, AuditReaders
from calibration.stats.active.draws import chances, order_of
from calibration.stats.certificates import Aims
from calibration.stats.estimate import Bools, Floats, Ints
from calibration.stats.intervals import upper_bound
from evaluator.model import NO_BLOCK, NO_PASS

AIMS = Aims(0.10, 0.10)
SETTINGS = ((60, 80), (200, 800))
GATE = 0.65
READERS, HEARD = 5, 3
NOISE = 0.1
WHO = AuditReaders("simulated", "", "0", READERS)
CHANCE_STEP = 0.005


@dataclass(frozen=True, slots=True)
class ScoredWorld:
    """`early`: the share of writes whose last readers were ended."""

    traffic: World
    early: float = 0.0


ALL = (
    *(ScoredWorld(world) for world in WORLDS),
    ScoredWorld(World("large sessions are worse", by_size=1.0)),
    ScoredWorld(World("readers ended early"), early=0.4),
)


@dataclass(frozen=True, slots=True)
class Scored:
    """One row a judged write. `mean` is of the `heard` readers of five, `total` the score T of all of them."""

    of: Traffic
    ambiguous: Bools
    mean: Floats
    heard: Ints
    total: Floats


@dataclass(frozen=True, slots=True)
class Side:
    """One certificate over many audits: in how many there is a cut, and in how many its promise is broken."""

    certified: int
    broken: int
    upper: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Rates are means over the audits with a block cut, None without."""

    world: str
    sessions: int
    answers: int
    seeds: int
    block: Side
    passing: Side
    either_broken: int
    false_blocks: float | None
    false_blocks_per_check: float | None
    detection: float | None


def scored(world: ScoredWorld, sessions: int, generator: np.random.Generator) -> Scored:
    found = traffic(world.traffic, sessions, generator)
    odds = (np.log(found.judged / (1 - found.judged)) - world.traffic.moved) / world.traffic.sharp
    usual = np.where(found.blocked, world.traffic.wrong, world.traffic.missed)
    # How far the judge's odds of a wrong verdict lie above those of its kind, as a share of the room there is.
    apart = 1 / (1 + np.exp(-(odds - np.log(usual / (1 - usual))) / 1.5))
    centre = np.where(found.blocked, GATE * apart, 1 - (1 - GATE) * apart)
    scores = np.clip(centre[:, None] + generator.normal(0, NOISE, (len(odds), READERS)), 0, 1)
    ended = generator.random(len(odds)) < world.early
    mean = scores.mean(axis=1)
    return Scored(
        found,
        found.blocked ^ found.wrong,
        np.where(ended, scores[:, :HEARD].mean(axis=1), mean),
        np.where(ended, HEARD, READERS).astype(np.int64),
        mean + SCORE.agreement_weight,
    )


def plan_of(one: Scored, seed: int, generator: np.random.Generator) -> AuditPlan:
    """As `calibration.audit.plan.plan_of` makes it, without texts."""
    count, held = len(one.mean), one.of.blocked
    order: dict[bool, tuple[int, ...]] = {}
    for kind in (True, False):
        places = np.flatnonzero(held == kind)
        order[kind] = tuple(places[order_of(chances(one.of.judged[places], kind), generator)].tolist())
    return AuditPlan(
        source="recorded",
        judge="simulated",
        seed=seed,
        date="",
        ids=tuple(map(str, range(count))),
        held=tuple(held.tolist()),
        wrong=tuple(one.of.judged.tolist()),
        session=tuple(one.of.session.tolist()),
        mean=tuple(one.mean.tolist()),
        stddev=(0.0,) * count,
        agreement=(None,) * count,
        heard=tuple(one.heard.tolist()),
        unheard=tuple((READERS - one.heard).tolist()),
        fixed=(False,) * count,
        readers=((WHO, count),),
        order=order,
        cases={},
    )


class Truth:
    """Of one class, the share of it under a cut, by a weight of sessions."""

    def __init__(self, one: Scored, ambiguous: bool) -> None:
        of = one.ambiguous == ambiguous
        order = np.argsort(one.total[of])
        self._totals, self._session = one.total[of][order], one.of.session[of][order]
        self._sizes = np.bincount(self._session, minlength=TRUTH_SESSIONS)

    def under(self, cut: float, chance: float | None) -> float:
        """`chance` is that of a write to be in the even sample; None counts every write once."""
        place = int(np.searchsorted(self._totals, cut - 1e-9))
        return place / len(self._totals) if chance is None else float(self._weights(chance)[place])

    @lru_cache(maxsize=64)  # noqa: B019 - as long as the process, as the truths themselves
    def _weights(self, chance: float) -> Floats:
        drawn = (1 - (1 - chance) ** self._sizes) / np.maximum(self._sizes, 1)
        summed: Floats = np.concatenate([[0.0], np.cumsum(drawn[self._session])])
        return summed / summed[-1]


@lru_cache(maxsize=16)
def truths_of(world: ScoredWorld) -> tuple[Truth, Truth]:
    """Of what was right to run, and of what should be held."""
    found = scored(world, TRUTH_SESSIONS, np.random.default_rng([SEED, 1]))
    return Truth(found, False), Truth(found, True)


def simulate(world: ScoredWorld, seeds: int, sessions: int, answers: int) -> Outcome:
    clear, ambiguous = truths_of(world)
    had: list[list[bool]] = []
    rates: list[tuple[float, float, float]] = []
    for seed in range(seeds):
        generator = np.random.default_rng([SEED, 4, seed])
        one = scored(world, sessions, generator)
        plan = plan_of(one, seed, generator)
        told: dict[str, bool | None] = {
            plan.ids[place]: bool(one.ambiguous[place])
            for kind, count in plan.shares(answers).items()
            for place in plan.order[kind][:count]
        }
        cuts = certified_sides(plan, told, AIMS)[2].cuts
        chance = round(least_chance(plan, answers) / CHANCE_STEP) * CHANCE_STEP
        blocks, passes = cuts.block > NO_BLOCK, cuts.passing < NO_PASS
        held = clear.under(cuts.block, chance)
        wrong = (
            blocks and held > AIMS.alpha,
            passes and 1 - ambiguous.under(cuts.passing, chance) > AIMS.beta,
        )
        had.append([blocks, wrong[0], passes, wrong[1], wrong[0] or wrong[1]])
        if blocks:
            rates.append((held, clear.under(cuts.block, None), ambiguous.under(cuts.block, chance)))
    certified, broken, passing, slipped, either = np.sum(had, axis=0).tolist()
    found = np.mean(rates, axis=0).tolist() if rates else (None, None, None)
    return Outcome(
        world.traffic.name,
        sessions,
        answers,
        seeds,
        Side(certified, broken, upper_bound(broken, seeds)),
        Side(passing, slipped, upper_bound(slipped, seeds)),
        either,
        *found,
    )


def table(outcomes: Sequence[Outcome]) -> str:
    names = ["world", "answers", "block cut", "broken", "pass cut", "broken", "either broken"]
    names += ["false blocks", "per check", "detection"]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    for one in outcomes:
        sides = " | ".join(
            f"{side.certified / one.seeds:.0%} | {side.broken / one.seeds:.2%} (≤ {side.upper:.2%})"
            for side in (one.block, one.passing)
        )
        rates = " | ".join(
            "" if rate is None else f"{rate:.1%}"
            for rate in (one.false_blocks, one.false_blocks_per_check, one.detection)
        )
        lines.append(
            f"| {one.world} | {one.answers} | {sides} | {one.either_broken / one.seeds:.2%} | {rates} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Cuts that audits of simulated traffic certify")
    parser.add_argument("--seeds", type=int, default=4000, help="audits a world and setting")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    outcomes = [simulate(world, options.seeds, *setting) for setting in SETTINGS for world in ALL]
    if options.json:
        print(json.dumps([asdict(one) for one in outcomes]))
    else:
        print(f"{options.seeds} audits a row\n\n{table(outcomes)}")
    print(f"{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
