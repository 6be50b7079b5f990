"""What an audit asks: the judged writes as they stood when it began, in the order drawn. Pure records and their JSON.

The population is frozen with the plan: an audit that goes on tomorrow estimates the rates of the same traffic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final, Literal, cast

import numpy as np

from calibration.stats.active.draws import chances, order_of, shares
from calibration.stats.estimate import Ints, codes

FORM: Final = 2
"""How writes are drawn is part of it: answers are weighed by that."""
DEFAULT_ANSWERS: Final = 80
KEPT_TIMES: Final = 4
"""Texts are kept for that many times the answers asked for: half as wide an interval takes four times as many."""

Source = Literal["recorded", "replayed"]


@dataclass(frozen=True, slots=True)
class AuditCase:
    """A judged write as a person is shown it. Texts are as they were said; who shows them makes them safe."""

    id: str
    at: float
    request: str
    prior_assistant_turn: str
    delegated_task: str
    write: str
    command: str


@dataclass(frozen=True, slots=True)
class AuditReaders:
    """Who judged: what a certificate of their scores would hold for. `prompt` is empty where nobody kept which it was.

    `asked` readers a check, those included that were ended early or failed.
    """

    backend: str
    model: str
    prompt: str
    asked: int


@dataclass(frozen=True, slots=True)
class JudgedWrite:
    """`held`: what the gate decided (or would have, while observing); `should`: how likely it should have been held.

    `heard` readers gave the scores, and `unheard` were ended before they did, since the verdict was settled. `fixed`: a
    reader held the call whatever the scores are, so no threshold decides about it.
    """

    case: AuditCase
    session: str
    held: bool
    should: float
    mean: float
    stddev: float
    agreement: float | None = None
    readers: AuditReaders = AuditReaders("", "", "", 0)
    heard: int = 1
    unheard: int = 0
    fixed: bool = False

    @property
    def wrong(self) -> float:
        """The judge's probability that the verdict was wrong."""
        return 1 - self.should if self.held else self.should


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """Columns of all writes, and the texts of those that may come to be asked about.

    `ids`, `held`, `wrong`, `session` and what the readers gave (`mean`, `stddev`, `agreement`, `heard`, `unheard`,
    `fixed`) have one value a write; `readers` says how many writes were judged by whom, the most first. `order` holds
    all places, blocked and passed apart, first drawn first.
    """

    source: Source
    judge: str
    seed: int
    date: str
    ids: tuple[str, ...]
    held: tuple[bool, ...]
    wrong: tuple[float, ...]
    session: tuple[int, ...]
    mean: tuple[float, ...]
    stddev: tuple[float, ...]
    agreement: tuple[float | None, ...]
    heard: tuple[int, ...]
    unheard: tuple[int, ...]
    fixed: tuple[bool, ...]
    readers: tuple[tuple[AuditReaders, int], ...]
    order: Mapping[bool, tuple[int, ...]]
    cases: Mapping[str, AuditCase]
    left_out: int = 0

    def shares(self, answers: int) -> dict[bool, int]:
        """How many answers of blocked (True) and of passed writes are wanted."""
        blocked = sum(self.held)
        of_blocked, of_passed = shares(blocked, len(self.held) - blocked, answers)
        return {True: of_blocked, False: of_passed}

    def queue(self, answers: int, told: Mapping[str, bool | None]) -> list[str]:
        """The ids to ask about, in turn, so that `answers` are had: one that nobody could tell brings the next.

        Both kinds are mixed evenly, so whoever stops early has a sample of each.
        """
        placed: list[tuple[float, bool, str]] = []
        for held, wanted in self.shares(answers).items():
            count = 0
            for place in self.order[held]:
                one = self.ids[place]
                if count >= wanted or one not in self.cases:
                    break
                placed.append(((count + 0.5) / max(1, wanted), held, one))
                count += told.get(one, False) is not None
        return [one for _, _, one in sorted(placed, key=lambda each: each[:2])]

    def as_json(self) -> dict[str, object]:
        found = asdict(self)
        found["version"] = FORM
        found["order"] = {"blocked": self.order[True], "passed": self.order[False]}
        return found


def plan_of(
    writes: Sequence[JudgedWrite],
    source: Source,
    judge: str,
    date: str,
    seed: int,
    answers: int = DEFAULT_ANSWERS,
    left_out: int = 0,
) -> AuditPlan:
    """Raises ValueError where there is no judged write, or an id stands twice."""
    if not writes:
        raise ValueError("no judged write to ask about")
    ids = tuple(one.case.id for one in writes)
    if len(set(ids)) < len(ids):
        raise ValueError("two judged writes of one id")
    generator = np.random.default_rng(seed)
    held = np.array([one.held for one in writes])
    wrong = np.array([one.wrong for one in writes])
    order: dict[bool, tuple[int, ...]] = {}
    cases: dict[str, AuditCase] = {}
    for kind in (True, False):
        places: Ints = np.flatnonzero(held == kind)
        drawn = places[order_of(chances(wrong[places], kind), generator)]
        order[kind] = tuple(int(place) for place in drawn)
        for place in order[kind][: KEPT_TIMES * answers]:
            cases[ids[place]] = writes[place].case
    return AuditPlan(
        source=source,
        judge=judge,
        seed=seed,
        date=date,
        ids=ids,
        held=tuple(one.held for one in writes),
        wrong=tuple(float(value) for value in wrong),
        session=tuple(int(code) for code in codes([one.session for one in writes], len(writes))),
        mean=tuple(one.mean for one in writes),
        stddev=tuple(one.stddev for one in writes),
        agreement=tuple(one.agreement for one in writes),
        heard=tuple(one.heard for one in writes),
        unheard=tuple(one.unheard for one in writes),
        fixed=tuple(one.fixed for one in writes),
        readers=tuple(Counter(one.readers for one in writes).most_common()),
        order=order,
        cases=cases,
        left_out=left_out,
    )


def plan_of_json(found: object) -> AuditPlan:
    """Raises ValueError for a document that is none, or of another version."""
    document = cast(Mapping[str, object], found if isinstance(found, dict) else {})
    if document.get("version") != FORM:
        raise ValueError(f"a plan of version {document.get('version')!r}, and this program reads {FORM}")
    try:
        order = cast(Mapping[str, Sequence[int]], document["order"])
        plan = AuditPlan(
            source=cast(Source, str(document["source"])),
            judge=str(document["judge"]),
            seed=int(cast(int, document["seed"])),
            date=str(document["date"]),
            ids=tuple(map(str, _column(document, "ids"))),
            held=tuple(map(bool, _column(document, "held"))),
            wrong=_numbers(document, "wrong"),
            session=tuple(map(int, _numbers(document, "session"))),
            mean=_numbers(document, "mean"),
            stddev=_numbers(document, "stddev"),
            agreement=tuple(
                None if one is None else float(cast(float, one)) for one in _column(document, "agreement")
            ),
            heard=tuple(map(int, _numbers(document, "heard"))),
            unheard=tuple(map(int, _numbers(document, "unheard"))),
            fixed=tuple(map(bool, _column(document, "fixed"))),
            readers=tuple(
                (_readers(who), int(count))
                for who, count in cast("Sequence[tuple[Mapping[str, object], int]]", document["readers"])
            ),
            order={True: tuple(map(int, order["blocked"])), False: tuple(map(int, order["passed"]))},
            cases={
                key: _case(cast(Mapping[str, object], case))
                for key, case in cast(Mapping[str, object], document["cases"]).items()
            },
            left_out=int(cast(int, document.get("left_out") or 0)),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the plan of an audit: {error}") from None
    columns = (
        plan.ids, plan.held, plan.wrong, plan.session, plan.mean, plan.stddev, plan.agreement, plan.heard,
        plan.unheard, plan.fixed,
    )  # fmt: skip
    places = sorted((*plan.order[True], *plan.order[False]))
    if any(len(one) != len(other) for one, other in pairwise(columns)) or places != list(
        range(len(plan.ids))
    ):
        raise ValueError("not the plan of an audit: its columns do not fit each other")
    return plan


def _column(document: Mapping[str, object], name: str) -> Sequence[object]:
    return cast(Sequence[object], document[name])


def _numbers(document: Mapping[str, object], name: str) -> tuple[float, ...]:
    return tuple(float(cast(float, one)) for one in _column(document, name))


def _readers(found: Mapping[str, object]) -> AuditReaders:
    return AuditReaders(
        str(found["backend"]), str(found["model"]), str(found["prompt"]), int(cast(int, found["asked"]))
    )


def _case(found: Mapping[str, object]) -> AuditCase:
    return AuditCase(
        id=str(found["id"]),
        at=float(cast(float, found["at"])),
        request=str(found["request"]),
        prior_assistant_turn=str(found["prior_assistant_turn"]),
        delegated_task=str(found["delegated_task"]),
        write=str(found["write"]),
        command=str(found["command"]),
    )
