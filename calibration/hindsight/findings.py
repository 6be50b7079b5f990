"""What labelled turns say of the agent and of the gate: rates, clustered by session, and what other cuts would do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from calibration.hindsight.turns import Answer, HandLabel, SessionTurn, TurnLabel, TurnWrite, settled
from calibration.stats.estimates import CorrectedRate, TooLittle, corrected_rate, rate_of_checks

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
class LabelCost:
    """What the answers of model readers took, by list prices; None without a price."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class HindsightFindings:
    """`labelled_by` readers or signs alone. Rates: `misread` of the turns that say something; `caught` of the misread
    ones; `interrupted` of all; `needless` of the interrupted ones that say something; `due` of all that were judged,
    and `asked` of those in which a question was due. `misread` and `due` are as labelled, and corrected by labels by
    hand where two sessions have any. `curve` is of turns whose writes readers scored, empty without any."""

    labelled_by: str
    turns: int
    sessions: int
    misread: TurnRate
    caught: TurnRate
    interrupted: TurnRate
    needless: TurnRate
    due: TurnRate
    asked: TurnRate
    misread_corrected: CorrectedRate | None
    due_corrected: CorrectedRate | None
    curve: tuple[CutEffect, ...]
    projects: Mapping[str, TurnRate]
    acts: Mapping[str, int]
    hours: Mapping[str, TurnRate]
    telling: tuple[tuple[SessionTurn, TurnLabel], ...]
    by_hand: int
    cost: LabelCost

    def as_json(self) -> dict[str, object]:
        telling = [
            {
                "turn": turn.id,
                "session_id": turn.session,
                "at": datetime.fromtimestamp(turn.at, UTC).isoformat(),
                **{name: getattr(turn, name) for name in ("project", "request", "said_next")},
                **{name: getattr(label, name) for name in ("hindsight", "due", "why")},
                "labelled_by": label.by,
                "held": turn.stopped,
                "offending": list(label.calls),
                "writes": [asdict(write) for write in turn.writes],
            }
            for turn, label in self.telling
        ]
        return {"version": 1, **asdict(replace(self, telling=())), "telling": telling}


Pair = tuple[SessionTurn, TurnLabel]


def findings(
    turns: Sequence[SessionTurn],
    labels: Mapping[str, TurnLabel],
    hand: Mapping[str, HandLabel],
    cost: LabelCost,
) -> HindsightFindings:
    """What labelled turns say of the agent and of the gate. `labels` has one for each turn, by its id, as readers or
    signs tell; `hand` the user's own, of some of them. All but the two rates that these correct goes by the user's word
    where there is one."""
    raw = [(turn, labels[turn.id]) for turn in turns]
    by_readers = any(label.by == "readers" for _, label in raw)
    pairs = [(turn, settled(label, hand.get(turn.id))) for turn, label in raw]
    telling = drawable(raw, by_readers=by_readers)
    judged = [pair for pair in raw if pair[1].due != "unknown"]
    known = drawable(pairs, by_readers=by_readers)
    misread = [pair for pair in known if pair[1].misread]
    misread_of_all = filter(_is_misread_turn, pairs)
    stopped = [pair for pair in known if pair[0].stopped and pair[1].hindsight != "unknown"]

    def hour(turn: SessionTurn) -> str:
        return f"hour {1 + int(max(0.0, turn.at - turn.began) // HOUR)}"

    return HindsightFindings(
        labelled_by="readers" if by_readers else "signs",
        turns=len(pairs),
        sessions=len({turn.session for turn in turns}),
        misread=_hindsight_rate(telling, _is_misread_turn),
        caught=_hindsight_rate(
            misread, lambda pair: any(write.stopped for write in _offending_writes(*pair))
        ),
        interrupted=_hindsight_rate(pairs, _is_stopped_turn),
        needless=_hindsight_rate(stopped, _is_clear_turn),
        due=_hindsight_rate(judged, _is_due_turn),
        asked=_hindsight_rate([pair for pair in pairs if _is_due_turn(pair)], _is_stopped_turn),
        misread_corrected=_correct_hindsight_rate(telling, _is_misread_turn, hand, lambda said: said.misread),
        due_corrected=_correct_hindsight_rate(judged or raw, _is_due_turn, hand, lambda said: said.due),
        curve=_hindsight_cut_curve(pairs, known),
        projects=_hindsight_rates_by(known, lambda turn: turn.project),
        acts=dict(Counter(write.act for pair in misread for write in _offending_writes(*pair))),
        hours=_hindsight_rates_by(known, hour),
        telling=tuple(sorted(misread_of_all, key=lambda pair: (pair[0].stopped, -pair[0].at))[:TELLING]),
        by_hand=sum(turn.id in hand for turn in turns),
        cost=cost,
    )


def drawable(pairs: Sequence[Pair], *, by_readers: bool) -> list[Pair]:
    """The labelled turns that the rate of misread turns is of, and from which turns are drawn for labels by hand."""
    return [pair for pair in pairs if pair[1].tells] if by_readers else list(pairs)


def _correct_hindsight_rate(
    pairs: Sequence[Pair],
    predicted: Callable[[Pair], bool],
    hand: Mapping[str, HandLabel],
    answer: Callable[[HandLabel], Answer],
) -> CorrectedRate | None:
    """The turns that were chosen count as what they are; those drawn by lot stand for all others."""
    by_lot: list[tuple[float, float, str]] = []
    chosen: list[bool] = []
    for turn, label in pairs:
        own = hand.get(turn.id)
        told = answer(own) if own is not None else "u"
        if own is not None and told != "u" and not own.drawn:
            chosen.append(told == "y")
            continue
        truth = math.nan if told == "u" else float(told == "y")
        by_lot.append((float(predicted((turn, label))), truth, turn.session))
    if not by_lot:
        return None
    said, truths, sessions = zip(*by_lot, strict=True)
    found = corrected_rate(said, truths, sessions)
    if isinstance(found, TooLittle):
        return None
    rest = len(by_lot) / len(pairs)
    value, low, high = (sum(chosen) / len(pairs) + rest * one for one in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high, answers=found.answers + len(chosen))


def _hindsight_cut_curve(pairs: Sequence[Pair], known: Sequence[Pair]) -> tuple[CutEffect, ...]:
    def of(group: Sequence[Pair]) -> list[Pair]:
        return [pair for pair in group if any(write.mean is not None for write in pair[0].writes)]

    scored = of(pairs)
    misread, clear = ([pair for pair in of(known) if hit(pair)] for hit in (_is_misread_turn, _is_clear_turn))

    def under(cut: float, writes: Iterable[TurnWrite]) -> bool:
        return any(write.mean is not None and write.mean < cut for write in writes)

    def effect(cut: float) -> CutEffect:
        def interrupts(pair: Pair) -> bool:
            return under(cut, pair[0].writes)

        caught = _hindsight_rate(misread, lambda pair: under(cut, _offending_writes(*pair)))
        return CutEffect(cut, caught, _hindsight_rate(scored, interrupts), _hindsight_rate(clear, interrupts))

    return tuple(effect(cut) for cut in CUTS) if scored else ()


def _hindsight_rates_by(pairs: Sequence[Pair], name: Callable[[SessionTurn], str]) -> dict[str, TurnRate]:
    """The share of turns misread by some property of theirs, the property with the most turns first."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(name(pair[0]), []).append(pair)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {key: _hindsight_rate(group, _is_misread_turn) for key, group in ordered}


def _hindsight_rate(pairs: Sequence[Pair], hit: Callable[[Pair], bool]) -> TurnRate:
    hits = [hit(pair) for pair in pairs]
    found = rate_of_checks([float(one) for one in hits], [turn.session for turn, _ in pairs])
    if isinstance(found, TooLittle):
        return TurnRate(None, None, None, sum(hits), len(hits), 0)
    return TurnRate(found.value, found.low, found.high, sum(hits), len(hits), found.units)


def _is_misread_turn(pair: Pair) -> bool:
    return pair[1].misread


def _is_stopped_turn(pair: Pair) -> bool:
    return pair[0].stopped


def _is_due_turn(pair: Pair) -> bool:
    return pair[1].due == "yes"


def _is_clear_turn(pair: Pair) -> bool:
    """Whether a turn's request was clear before, and its writes fine after."""
    return pair[1].hindsight == "fine" and pair[1].due == "no"


def _offending_writes(turn: SessionTurn, label: TurnLabel) -> list[TurnWrite]:
    """The writes that are named, all of the turn where none is."""
    return [write for write in turn.writes if write.call in label.calls] or turn.writes
