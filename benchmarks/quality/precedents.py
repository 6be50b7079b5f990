"""What precedents change in written sessions where a term comes back: `fixtures/precedents`, played through the gate.

    python benchmarks/quality/precedents.py [SESSIONS.jsonl...] [--list] [--json]
    python benchmarks/quality/precedents.py [SESSIONS.jsonl...] --prompts FOLDER [--share N] [--seed N] [--missing]
    python benchmarks/quality/precedents.py [SESSIONS.jsonl...] --answers FOLDER [--record]

Every occasion is judged twice by rules, with what is remembered and with `memory.enabled` off, and by language-model
readers from what they answered (`precedent_readers.py`: `--answers`, by default what was recorded in
`fixtures/readers/precedents.jsonl`). An occasion whose two authors' labels differ is left out and counted. Intervals:
Clopper and Pearson, 95 %; the occasions of one session share its settlement, which these do not account for.
`--list` prints each settlement and each occasion with its outcome, a JSON line each.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "tests" / name) for name in ("support", "")]

import precedent_readers as by_readers  # noqa: E402
from played.precedents import FOLDER, Occasion, Played, Settling, play, sessions  # noqa: E402
from rates import rate  # noqa: E402

SETS = tuple(FOLDER / f"{name}.jsonl" for name in ("sessions-e", "sessions-f", "poison-3"))
"""The last round, which the figures are of; the others were used to mend."""
POISONED = "poisoned"
Told = dict[str, dict[str, float]]


def played(paths: Iterable[Path], *, rules: bool = True) -> Played:
    """All sessions of the files, one after the other."""
    found = Played()
    for path in paths:
        for session in sessions(path):
            with tempfile.TemporaryDirectory() as root:
                one = play(session, Path(root), rules=rules)
            found.settlings += one.settlings
            found.occasions += one.occasions
    return found


def by_rules(occasions: Sequence[Occasion]) -> Told:
    """Of occasions on which the labels agree; `used wrongly` and `held wrongly` are what memory alone did."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for one in occasions:
        settled, right = one.label["settled"], one.label["right"]
        memory, without = one.memory.passed, one.without.passed
        if one.label["kind"] == POISONED:
            continue
        if settled and right == "pass":
            marks["asked again, without memory"].append(not without)
            marks["asked again, with memory"].append(not memory)
        if not settled and right == "hold":
            marks["used wrongly"].append(memory and not without)
            marks["counts for the old meaning, wrongly"].append(one.memory.counts)
        if right == "pass":
            marks["held wrongly by memory"].append(without and not memory)
        group = "settled" if settled else "not settled"
        marks[f"precedent shown, {group}"].append(bool(one.memory.precedents))
        marks[f"precedent counts for rules, {group}"].append(one.memory.counts)
    return _rates(marks)


def by_kind(occasions: Sequence[Occasion]) -> dict[str, Told]:
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in occasions:
        marks = found[f"{one.label['kind']}, {one.label['right']}"]
        marks["passed without"].append(one.without.passed)
        marks["passed with"].append(one.memory.passed)
        marks["shown"].append(bool(one.memory.precedents))
        marks["counts"].append(one.memory.counts)
    return {kind: _rates(marks) for kind, marks in sorted(found.items())}


def of_settlings(settlings: Sequence[Settling]) -> Told:
    """`held`: what is to be settled was held with its readings, without which nothing else can be told."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for one in settlings:
        marks["held"].append(one.held)
        marks[f"kept as meant, {one.how}"].append(one.as_meant)
        if one.kept:
            marks["kept under the author's words"].append(one.in_words_of_author)
        marks["kept for another target"].append(any(kept.target != one.means["target"] for kept in one.kept))
    return _rates(marks)


def of_poison(found: Played) -> Told:
    """Sessions that left what they must not, and verdicts that memory turned to pass."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for settling in found.settlings:
        marks["kept what it must not"].append(bool(settling.poisoned))
    for one in found.occasions:
        marks["turned to pass"].append(one.memory.passed and not one.without.passed)
        marks["a precedent shown"].append(bool(one.memory.precedents))
        marks["a precedent counts for rules"].append(one.memory.counts)
    return _rates(marks)


def _rates(marks: Mapping[str, Sequence[bool]]) -> Told:
    return {
        name: {key: round(value, 4) for key, value in rate(sum(each), len(each)).items()}
        for name, each in marks.items()
    }


def figures(found: Played, shown: Played | None, answers: by_readers.Answers) -> dict[str, Any]:
    """`found` by rules, `shown` as language-model readers see it, None where nobody answered."""
    poison = {one.session for one in found.occasions if one.label["kind"] == POISONED}
    apart = Played(
        [one for one in found.settlings if one.session in poison],
        [one for one in found.occasions if one.session in poison],
    )
    own = [one for one in found.settlings if one.session not in poison]
    told: dict[str, Any] = {
        "labels differ": [one.name for one in found.occasions if not one.agreed],
        "settlements": of_settlings(own),
        "rules": by_rules([one for one in found.occasions if one.agreed]),
        "rules, by kind": by_kind([one for one in found.occasions if one.agreed]),
        "poison, rules": of_poison(apart),
    }
    if shown is not None:
        told |= by_readers.figures([one for one in shown.occasions if one.agreed], answers)
    return told


def listed(found: Played, shown: Played | None, answers: by_readers.Answers) -> Iterable[dict[str, Any]]:
    """Each step and what became of it."""
    seen = {one.name: one for one in shown.occasions} if shown is not None else {}
    steps: list[tuple[str, int, dict[str, Any]]] = []
    for one in found.settlings:
        kept = [
            {"term": kept.term, "target": kept.target, "extent": kept.extent, "tightens": kept.tightens}
            for kept in one.kept
        ]
        row = {"how": one.how, "held": one.held, "ran": one.ran, "means": one.means, "kept": kept}
        steps.append((one.session, one.step, row))
    for each in found.occasions:
        row = {
            **each.label, "agreed": each.agreed,
            "without": _ending(each.without.passed), "with": _ending(each.memory.passed),
            "reason": [each.without.reason, each.memory.reason], "counts": each.memory.counts,
            "shown": list(each.memory.precedents),
        }  # fmt: skip
        if each.name in seen:
            row["readers"] = by_readers.endings(seen[each.name], answers)
        steps.append((each.session, each.step, row))
    order = {session: place for place, session in enumerate(dict.fromkeys(name for name, _, _ in steps))}
    for session, step, row in sorted(steps, key=lambda one: (order[one[0]], one[1])):
        yield {"case": f"{session}/{step}", **row}


def _ending(passed: bool) -> str:
    return "pass" if passed else "hold"


def report(told: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(told, indent=1))
        return
    for name, part in told.items():
        if isinstance(part, list):
            print(f"{name}: {len(part)}")
        elif not isinstance(part, dict):
            print(f"{name}: {part}")
        elif name.endswith("by kind"):
            print(f"\n{name}, of n: passed without, passed with, a precedent shown, it counts for rules")
            for kind, each in part.items():
                counts = [f"{each[key]['k']:>5}" for key in each]
                print(f"  {kind:<24} {next(iter(each.values()))['n']:>4}{''.join(counts)}")
        else:
            print(f"\n{name}")
            for what, one in part.items():
                low, high = 100 * one["low"], 100 * one["high"]
                print(f"  {what:<56} {one['k']:>4} of {one['n']:<4} [{low:.1f}, {high:.1f}] %")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sessions", nargs="*", type=Path, default=SETS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="each step's outcome, as JSON lines")
    parser.add_argument("--prompts", type=Path, metavar="FOLDER", help="write prompts for readers there")
    parser.add_argument("--share", type=int, default=6, metavar="N", help="files that a reader's cases share")
    parser.add_argument("--missing", action="store_true", help="only prompts without a recorded answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--key", type=Path, help="which case is which; by default beside FOLDER, not in it")
    parser.add_argument("--answers", type=Path, metavar="FOLDER", help="what readers answered: *.jsonl")
    parser.add_argument(
        "--record", action="store_true", help="print the answers as rows for fixtures/readers"
    )
    args = parser.parse_args()
    folder = args.prompts or args.answers
    key = args.key or (folder.parent / f"{folder.name}.key.jsonl" if folder else None)
    paths = list(args.sessions)
    if args.prompts:
        shown = [one for one in played(paths, rules=False).occasions if one.agreed]
        answered = by_readers.Answers.of(by_readers.kept()).verdicts if args.missing else ()
        told = by_readers.write_prompts(
            shown, args.prompts, key, seed=args.seed, share=args.share, answered=answered
        )
        print(told)
        return 0
    rows = by_readers.recorded(key, args.answers) if args.answers else by_readers.kept()
    if args.record:
        print("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), end="")
        return 0
    answers = by_readers.Answers.of(rows)
    shown_to = played(paths, rules=False) if rows else None
    found = played(paths)
    if args.list:
        for row in listed(found, shown_to, answers):
            print(json.dumps(row, ensure_ascii=False))
        return 0
    report(figures(found, shown_to, answers), as_json=args.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
