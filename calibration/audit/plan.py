"""What an audit asks: the judged writes as they stood when it began, in the order drawn. Pure records and their JSON.

The population is frozen with the plan: an audit that goes on tomorrow estimates the rates of the same traffic.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
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
    wrong: Sequence[float]
    session: Sequence[int]
    mean: Sequence[float]
    stddev: Sequence[float]
    agreement: tuple[float | None, ...]
    heard: tuple[int, ...]
    unheard: tuple[int, ...]
    fixed: tuple[bool, ...]
    readers: tuple[tuple[AuditReaders, int], ...]
    order: Mapping[bool, Sequence[int]]
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
        return dict(self._members())

    def pieces(self) -> Iterator[str]:
        """`as_json` as `json.dumps` writes it, a member at a time: there may be many writes."""
        before = "{"
        for name, value in self._members():
            yield f"{before}{json.dumps(name)}: {json.dumps(value)}"
            before = ", "
        yield "}"

    def _members(self) -> Iterator[tuple[str, object]]:
        for name in (one.name for one in fields(self)):
            value: object = getattr(self, name)
            if name == "order":
                value = {"blocked": list(self.order[True]), "passed": list(self.order[False])}
            elif name == "cases":
                value = {key: asdict(case) for key, case in self.cases.items()}
            elif name == "readers":
                value = [[asdict(who), count] for who, count in self.readers]
            yield name, list(cast(Sequence[object], value)) if isinstance(value, (array, tuple)) else value
        yield "version", FORM


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
    columns = _Columns()
    for one in writes:
        columns.add(one)
    ids = columns.ids
    if len(set(ids)) < len(ids):
        raise ValueError("two judged writes of one id")
    generator = np.random.default_rng(seed)
    held, wrong = np.array(columns.held), np.array(columns.wrong)
    order: dict[bool, Sequence[int]] = {}
    cases: dict[str, AuditCase] = {}
    for kind in (True, False):
        places: Ints = np.flatnonzero(held == kind)
        drawn = places[order_of(chances(wrong[places], kind), generator)]
        order[kind] = array("q", drawn.tolist())
        for place in order[kind][: KEPT_TIMES * answers]:
            cases[ids[place]] = writes[place].case
    return AuditPlan(
        source=source,
        judge=judge,
        seed=seed,
        date=date,
        ids=tuple(ids),
        held=tuple(columns.held),
        wrong=columns.wrong,
        session=array("q", codes(columns.session, len(ids)).tolist()),
        mean=columns.mean,
        stddev=columns.stddev,
        agreement=tuple(columns.agreement),
        heard=tuple(columns.heard),
        unheard=tuple(columns.unheard),
        fixed=tuple(columns.fixed),
        readers=tuple(columns.readers.most_common()),
        order=order,
        cases=cases,
        left_out=left_out,
    )


class _Columns:
    """What a plan holds of each write, gathered in one go: they may lie in a file. Equal words are one."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.held: list[bool] = []
        self.session: list[str] = []
        self.wrong, self.mean, self.stddev = array("d"), array("d"), array("d")
        self.agreement: list[float | None] = []
        self.heard: list[int] = []
        self.unheard: list[int] = []
        self.fixed: list[bool] = []
        self.readers = Counter[AuditReaders]()
        self._sessions: dict[str, str] = {}
        self._agreements: dict[float | None, float | None] = {}

    def add(self, one: JudgedWrite) -> None:
        self.ids.append(one.case.id)
        self.held.append(one.held)
        self.session.append(self._sessions.setdefault(one.session, one.session))
        self.wrong.append(one.wrong)
        self.mean.append(one.mean)
        self.stddev.append(one.stddev)
        self.agreement.append(self._agreements.setdefault(one.agreement, one.agreement))
        self.heard.append(one.heard)
        self.unheard.append(one.unheard)
        self.fixed.append(one.fixed)
        self.readers[one.readers] += 1


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
            session=array("q", map(int, _numbers(document, "session"))),
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
            order={
                True: array("q", map(int, order["blocked"])),
                False: array("q", map(int, order["passed"])),
            },
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


def _numbers(document: Mapping[str, object], name: str) -> array[float]:
    return array("d", (float(cast(float, one)) for one in _column(document, name)))


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
