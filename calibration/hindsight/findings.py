"""What labelled turns say of the agent and of the gate: rates, clustered by session, and what other cuts would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from calibration.hindsight.turns import Turn, TurnLabel, TurnWrite
from calibration.stats.estimate import TooLittle
from calibration.stats.intervals import rate_of_units

CUTS = tuple(round(0.05 * step, 2) for step in range(1, 20))
TELLING = 10
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class TurnRate:
    """Of `n` turns in `sessions`; every turn counts once. Value and interval are None where there is no turn."""

    value: float | None
    low: float | None
    high: float | None
    k: int
    n: int
    sessions: int


@dataclass(frozen=True, slots=True)
class CutEffect:
    """With this cut on the mean: of the misread turns, those in which an offending write would be held; of all, those
    interrupted; of those that were clear and fine, those interrupted for nothing."""

    cut: float
    caught: TurnRate
    interrupted: TurnRate
    needless: TurnRate


@dataclass(frozen=True, slots=True)
class HindsightFindings:
    """`by` readers or signs alone. Rates: `misread` of the turns that say something; `caught` of the misread ones;
    `interrupted` of all; `needless` of the interrupted ones that say something; `due` of all that were judged, and
    `asked` of those in which a question was due. `curve` is of turns whose writes readers scored, empty without any."""

    by: str
    turns: int
    sessions: int
    misread: TurnRate
    caught: TurnRate
    interrupted: TurnRate
    needless: TurnRate
    due: TurnRate
    asked: TurnRate
    curve: tuple[CutEffect, ...]
    projects: Mapping[str, TurnRate]
    acts: Mapping[str, int]
    hours: Mapping[str, TurnRate]
    telling: tuple[tuple[Turn, TurnLabel], ...]

    def as_json(self) -> dict[str, object]:
        rates = {
            name: asdict(getattr(self, name))
            for name in ("misread", "caught", "interrupted", "needless", "due", "asked")
        }
        return {
            "version": 1,
            "labelled_by": self.by,
            "turns": self.turns,
            "sessions": self.sessions,
            **rates,
            "curve": [asdict(one) for one in self.curve],
            "projects": {name: asdict(found) for name, found in self.projects.items()},
            "acts": dict(self.acts),
            "hours": {name: asdict(found) for name, found in self.hours.items()},
            "telling": [turn_json(turn, label) for turn, label in self.telling],
        }


def turn_json(turn: Turn, label: TurnLabel) -> dict[str, object]:
    return {
        "session_id": turn.session,
        "at": datetime.fromtimestamp(turn.at, UTC).isoformat(),
        "project": turn.project,
        "request": turn.request,
        "said_next": turn.said_next,
        "hindsight": label.hindsight,
        "due": label.due,
        "labelled_by": label.by,
        "why": label.why,
        "held": turn.stopped,
        "offending": list(label.calls),
        "writes": [asdict(write) for write in turn.writes],
    }


Pair = tuple[Turn, TurnLabel]


def findings(turns: Sequence[Turn], labels: Mapping[str, TurnLabel]) -> HindsightFindings:
    """`labels` has one for each turn, by its id."""
    pairs = [(turn, labels[turn.id]) for turn in turns]
    by_readers = any(label.by == "readers" for _, label in pairs)
    known = [pair for pair in pairs if pair[1].hindsight != "unknown"]
    misread = [pair for pair in pairs if pair[1].misread]
    stopped = [pair for pair in known if pair[0].stopped]
    judged = [pair for pair in pairs if pair[1].due != "unknown"]
    return HindsightFindings(
        by="readers" if by_readers else "signs",
        turns=len(pairs),
        sessions=len({turn.session for turn in turns}),
        # Signs tell of some turns that they were misread, and of none that it was not.
        misread=_rate(known if by_readers else pairs, _is_misread),
        caught=_rate(misread, _is_caught),
        interrupted=_rate(pairs, _is_stopped),
        needless=_rate(stopped, _is_clear),
        due=_rate(judged, _is_due),
        asked=_rate([pair for pair in judged if _is_due(pair)], _is_stopped),
        curve=_curve(pairs),
        projects=_by(known if by_readers else pairs, lambda turn: turn.project),
        acts=Counter(write.act for turn, label in misread for write in _offending(turn, label)),
        hours=_by(
            known if by_readers else pairs,
            lambda turn: f"hour {1 + int(max(0.0, turn.at - turn.began) // HOUR)}",
        ),
        telling=tuple(sorted(misread, key=lambda pair: (pair[0].stopped, -pair[0].at))[:TELLING]),
    )


def _curve(pairs: Sequence[Pair]) -> tuple[CutEffect, ...]:
    scored = [pair for pair in pairs if any(write.mean is not None for write in pair[0].writes)]
    misread = [pair for pair in scored if pair[1].misread]
    clear = [pair for pair in scored if _is_clear(pair)]

    def under(cut: float, writes: Iterable[TurnWrite]) -> bool:
        return any(write.mean is not None and write.mean < cut for write in writes)

    def effect(cut: float) -> CutEffect:
        def interrupts(pair: Pair) -> bool:
            return under(cut, pair[0].writes)

        caught = _rate(misread, lambda pair: under(cut, _offending(*pair)))
        return CutEffect(cut, caught, _rate(scored, interrupts), _rate(clear, interrupts))

    return tuple(effect(cut) for cut in CUTS) if scored else ()


def _by(pairs: Sequence[Pair], name: Callable[[Turn], str]) -> dict[str, TurnRate]:
    """The share misread, the most turns first."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(name(pair[0]), []).append(pair)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {key: _rate(group, _is_misread) for key, group in ordered}


def _rate(pairs: Sequence[Pair], hit: Callable[[Pair], bool]) -> TurnRate:
    hits = [hit(pair) for pair in pairs]
    found = rate_of_units([float(one) for one in hits], [turn.session for turn, _ in pairs])
    if isinstance(found, TooLittle) or found.per_check is None:
        return TurnRate(None, None, None, sum(hits), len(hits), 0)
    rate = found.per_check
    return TurnRate(rate.value, rate.low, rate.high, sum(hits), len(hits), found.units)


def _is_misread(pair: Pair) -> bool:
    return pair[1].misread


def _is_stopped(pair: Pair) -> bool:
    return pair[0].stopped


def _is_caught(pair: Pair) -> bool:
    return any(write.stopped for write in _offending(*pair))


def _is_due(pair: Pair) -> bool:
    return pair[1].due == "yes"


def _is_clear(pair: Pair) -> bool:
    """Clear before, and fine after."""
    return pair[1].hindsight == "fine" and pair[1].due == "no"


def _offending(turn: Turn, label: TurnLabel) -> list[TurnWrite]:
    """The writes that are named, all of the turn where none is."""
    return [write for write in turn.writes if write.call in label.calls] or turn.writes
