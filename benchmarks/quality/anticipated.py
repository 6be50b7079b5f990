"""Prompts read ahead of their writes: what two recorded blind readings pass, cover and ask, and what it takes in calls.

`python benchmarks/quality/anticipated.py [--readings fixtures/readers/blind.jsonl] [CASES.jsonl...]` joins recordings,
one JSON row a case (`{"case": ID, "prompt": FINGERPRINT, "answers": [answer, answer]}`, answers as a reader gives them
who was shown no write), with the labelled cases, by default all shipped ones. Rows of another prompt are left out and
counted. On ambiguous cases every write that passes is a miss; on clear ones every question is one too many. Intervals
are Clopper-Pearson, 95 %.

`--sessions` needs no recordings. Over the shipped sessions it counts how many of the checks that readers would make are
of a shape that a reading can cover at all, which is the most that two perfect readers would, and the calls a prompt
takes then.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from rates import rate

from calibration.cases.corpus import corpus_dir, rows
from calibration.cases.subjects import subject_of
from compass.joining.shell import classify
from evaluator.configuration.settings import Settings
from evaluator.egress import answer, prompt
from evaluator.exchange.replies import is_continuation
from evaluator.intervention.control import parse_control
from evaluator.model import Exchange, PendingWrite, Reading, Sample, Subject, Thresholds
from evaluator.trigger.calls import effects_of
from evaluator.verdict.anticipation import FITTING, Anticipation, covers, may_cover, open_readings

SETTINGS = Settings()
THRESHOLDS = Thresholds(SETTINGS.confidence_threshold, SETTINGS.stddev_threshold)
CHECK = SETTINGS.evaluator.n
AHEAD = 2
PROJECT = "/project"
TOKEN = re.compile(r"[\w.@+/-]+")


@dataclass(frozen=True, slots=True)
class Read:
    """A case as two blind readers read it: whether its write passes unread, whether one of its shape may, and whether
    the agent is told to ask first."""

    ambiguous: bool
    passes: bool
    coverable: bool
    asks: bool
    whole: bool


def recorded(path: Path) -> tuple[dict[str, tuple[Sample, ...]], int]:
    """The samples of each case by its id, and how many rows answered another prompt. Raises ValueError."""
    found: dict[str, tuple[Sample, ...]] = {}
    stale = 0
    for row in rows(path):
        given = row.get("answers")
        if not isinstance(given, list) or len(cast(list[object], given)) != AHEAD:
            raise ValueError(f"{path}: case {row.get('case')}: answers must be {AHEAD}")
        if row.get("prompt") != prompt.fingerprint():
            stale += 1
            continue
        texts = [one if isinstance(one, str) else json.dumps(one) for one in cast(list[object], given)]
        found[str(row.get("case"))] = tuple(
            answer.parse(text, f"reader-{number}", blind=True) for number, text in enumerate(texts, 1)
        )
    return found, stale


def read(row: Mapping[str, object], samples: tuple[Sample, ...]) -> Read:
    subject: Subject = subject_of(row, classify)
    found = Anticipation(0, "", samples, "recorded", "")
    project = subject.pending.project_dir
    return Read(
        ambiguous=row.get("label") == "ambiguous",
        passes=covers(found, subject.effects, subject.exchange, project, THRESHOLDS),
        coverable=may_cover(subject.effects),
        asks=bool(open_readings(found, subject.exchange, project, THRESHOLDS)),
        whole=found.whole,
    )


def of_cases(readings: Path, paths: Sequence[Path]) -> dict[str, object]:
    known, stale = recorded(readings)
    cases = {str(row.get("id")): row for path in paths for row in rows(path) if "id" in row}
    judged = [
        read(cases[name], samples)
        for name, samples in known.items()
        if name in cases and cases[name].get("label") in ("clear", "ambiguous")
    ]
    found: dict[str, object] = {
        "readings": len(known),
        "of another prompt": stale,
        "without a labelled case": len(known) - len(judged),
        "one answer of two was not valid": sum(not one.whole for one in judged),
    }
    for label, ambiguous in (("ambiguous", True), ("clear", False)):
        here = [one for one in judged if one.ambiguous is ambiguous]
        shaped = [one for one in here if one.coverable]
        found[f"{label}: passed unread" if ambiguous else f"{label}: covered"] = rate(
            sum(one.passes for one in here), len(here)
        )
        found[f"{label}: the same, of one write of one file"] = rate(
            sum(one.passes for one in shaped), len(shaped)
        )
        found[f"{label}: asked before the write"] = rate(sum(one.asks for one in here), len(here))
    return found


def of_sessions(folder: Path) -> dict[str, object]:
    prompts = checks = shaped = coverable = 0
    for path in sorted(folder.glob("*.jsonl")):
        for spoken, first in _turns(path):
            prompts += spoken
            checks += len(first)
            alone = [one for one in first if may_cover(one[1].effects)]
            shaped += len(alone)
            # A reading serves once.
            coverable += any(_nameable(exchange, subject) for exchange, subject in alone)
    today = CHECK * checks
    return {
        "prompts that are read": prompts,
        "checks by readers": checks,
        "of one write of one file": rate(shaped, checks),
        "coverable at most": rate(coverable, checks),
        "calls a prompt, as ever": today / prompts,
        "calls a prompt, if none is covered": (today + AHEAD * prompts) / prompts,
        "calls a prompt, if all of these are": (today + AHEAD * prompts - CHECK * coverable) / prompts,
    }


Turn = tuple[int, list[tuple[Exchange, Subject]]]


def _turns(path: Path) -> Iterator[Turn]:
    """Of each prompt: 1 if it is read ahead, and the writes of its turn that readers would check."""
    lines = [cast("dict[str, object]", json.loads(text)) for text in path.read_text("utf-8").splitlines()[1:]]
    prior, exchange, spoken = "", Exchange(), 0
    first: list[tuple[Exchange, Subject]] = []
    for line in lines:
        said = line.get("user") or line.get("queued") or line.get("slash")
        if isinstance(said, str):
            yield spoken, first
            first = []
            spoken = int(parse_control(said) is None and not is_continuation(said))
            exchange = Exchange((said,), prior)
        elif isinstance(line.get("agent"), str):
            prior = str(line["agent"])
        elif "ask" in line or "plan" in line:
            yield spoken, first
            spoken, first = 0, []  # An answer makes the reading void: what follows is checked as ever.
        for call in _calls(line):
            given = cast("dict[str, object]", call["input"])
            if "agent_id" in call or not _is_checked(line):
                continue
            pending = PendingWrite("case", "s", str(call["tool"]), given, PROJECT, PROJECT)
            effects = effects_of(
                pending, classify=classify, mcp_tools=(), exists=lambda _: True, resolve=lambda one: one
            )
            if effects is not None:
                evidence = subject_of({"user_message": "x", "file_path": "x"}, classify).evidence
                first.append((exchange, Subject(pending, effects, exchange, evidence)))
    yield spoken, first


def _calls(line: Mapping[str, object]) -> list[dict[str, object]]:
    found = line.get("parallel") or ([line["call"]] if "call" in line else [])
    calls = cast("list[dict[str, object]]", found)
    return [cast("dict[str, object]", one.get("call", one)) for one in calls]


def _is_checked(line: Mapping[str, object]) -> bool:
    wanted = cast("dict[str, object]", line.get("expect", {})).get("reader_calls")
    counts = cast("list[object]", wanted) if isinstance(wanted, list) else [wanted]
    return CHECK in counts


def _nameable(exchange: Exchange, subject: Subject) -> bool:
    """Whether two sure readers who name a file as the exchange does would cover the write."""
    said = " ".join((*exchange.request, exchange.prior_assistant_turn))
    action = min(FITTING[subject.effects.each[0].operation])
    for token in dict.fromkeys(one.strip(".") for one in TOKEN.findall(said)):
        one = Sample("reader", 1.0, "none", "", Reading(action, token, "one_file"), blind=True)
        found = Anticipation(0, "", (one, one), "", "")
        if covers(found, subject.effects, exchange, PROJECT, THRESHOLDS):
            return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("cases", nargs="*", type=Path)
    parser.add_argument("--readings", type=Path, default=corpus_dir() / "readers" / "blind.jsonl")
    parser.add_argument("--sessions", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.sessions:
        found = of_sessions(corpus_dir() / "sessions")
    elif not args.readings.is_file():
        print(f"{args.readings}: no recordings there", file=sys.stderr)
        return 1
    else:
        cases = args.cases or sorted((corpus_dir() / "cases").rglob("*.jsonl"))
        found = of_cases(args.readings, cases)
    if args.json:
        print(json.dumps(found, indent=1))
        return 0
    for name, value in found.items():
        if isinstance(value, dict):
            held = cast("dict[str, float]", value)
            print(f"{name}: {held['k']} of {held['n']} [{held['low']:.3f}, {held['high']:.3f}]")
        else:
            print(f"{name}: {value:.2f}" if isinstance(value, float) else f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
