"""Results of calibrations for tests of the report: real figures of seeded, made-up readers."""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import fmean, pstdev

from calibration.cases.case import LabelledCase, labelled
from calibration.cases.past_blocks import BlockHistory
from calibration.measurement.measure import MeasuredReaders, result_of
from calibration.measurement.result import Result
from calibration.measurement.runner import CaseOutcome, Measurement, SymbolicView
from calibration.stats.estimates import rate_of_units
from evaluator.gate.run import Rule
from evaluator.model import Effects, Thresholds

GATE = Rule(Thresholds(0.65, 0.20), Thresholds(0.65, 0.20))


@cache
def result(
    pairs: int = 80,
    *,
    seed: int = 1,
    clear: float = 0.72,
    ambiguous: float = 0.5,
    text: str = "",
    history: bool = True,
    spread: float = 0.1,
    gate: Rule = GATE,
) -> Result:
    """`pairs` of a clear and an ambiguous case, two checks each, five readers who scatter by `spread` around these
    means.

    `text` is put into everything that a case says.
    """
    random = Random(seed)
    measured: list[Measurement] = []
    for number in range(pairs):
        for label, around in (("clear", clear), ("ambiguous", ambiguous)):
            case = _case(random, number, label, text)
            level = around + random.gauss(0, 0.1)
            outcomes = tuple(_outcome(random, level, spread) for _ in range(2))
            seen = SymbolicView(label == "clear" and number % 7 == 0, number % 5 == 0)
            measured.append(Measurement(case, outcomes, True, seen))
    readers = MeasuredReaders("anthropic", "claude-haiku-4-5-20251001", "fp", 5, exchangeable=True)
    past = BlockHistory(9, 4, 1, 2, 2, rate_of_units([1.0, 0.0, 1.0, 1.0, 0.0], ["a", "b", "c", "d", "e"]))
    return result_of(
        measured, readers, gate, 0.10, date="2026-11-21T20:00:00Z", repeats=2,
        history=past if history else None, notes=("3 cases on whose label people disagreed were left out",),
    )  # fmt: skip


def empty() -> Result:
    return result(0, history=False)


def _case(random: Random, number: int, label: str, text: str) -> LabelledCase:
    name = random.choice(("session", "billing", "importer", "a_rather_long_module_name_for_a_phone"))
    clear = f"Add a timeout of 30 seconds to fetch() in src/{name}.py"
    row = {
        "id": f"{label}-{number}{text}", "pair": f"p{number}", "label": label,
        "generated": label == "ambiguous" and number % 2 == 0,
        "user_message": (clear if label == "clear" else "Add a timeout to it, as we discussed") + text,
        "tool_name": "Edit", "file_path": f"src/{name}.py{text}", "operation": "edit",
    }  # fmt: skip
    return labelled(row, lambda *_: Effects("write", "run", "modifying"), source=f"git{text}", name="x")


def _outcome(random: Random, level: float, spread: float) -> CaseOutcome:
    scores = tuple(min(1.0, max(0.0, round(level + random.gauss(0, spread), 2))) for _ in range(5))
    tokens = {"input_tokens": 3000, "output_tokens": 600}
    return CaseOutcome(scores, fmean(scores), pstdev(scores), calls=5, usd=0.006, **tokens)
