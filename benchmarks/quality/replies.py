"""Replies to held writes: what is understood as its author labelled it, and what ran that must not.

`python benchmarks/quality/replies.py [CASES.jsonl] [--json] [--list]` plays each case as a session through the gate:
once with readers who hold whatever they are asked (what passes then was released by the answer alone), once with rules.
Intervals: Clopper and Pearson, 95 %; `situations` counts the different held writes behind the cases.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "tests" / name) for name in ("support", "")]

from played.replied import CASES, Seen, cases, play_reply  # noqa: E402

from calibration.stats.estimates import clopper_pearson  # noqa: E402

CHOSEN = ("reading", "all")
"""After such a reply the rules judge whether the write fits; of other words they understand too little."""
READ = ("clarification",)
"""What goes on to the readers; all else resolves without one."""


def as_labelled(case: dict[str, Any], seen: Seen) -> bool:
    """Whether the answer was understood as its label says, whatever a reader then thought of the write."""
    label, readings = case["label"], case["readings"]
    chosen = any(text in readings for text in seen.resolved)
    heard = any(case["answer"] in said for said in seen.asked)
    if case.get("context", {}).get("origin") == "machine":
        return not seen.allowed and not chosen
    match label:
        case "reading":
            return seen.chose([readings[case["reading"] - 1]])
        case "all":
            return seen.chose(readings)
        case "near_miss":
            return seen.stopped and not seen.asked and not seen.allowed
        case "proceed" | "proceed_all" | "bare":
            return (seen.reason == "released") is case["releases"]
        case "cancel":
            return seen.reason == "cancelled"
        case "bare_not" | "refusal":
            return not (seen.allowed or seen.stopped or chosen)
        case "new_request" | "project_name":
            joined = any(case["request"] in said for said in seen.asked)
            return not (seen.stopped or chosen or joined)
        case _:
            return heard and not (chosen or seen.stopped or seen.allowed)


def measured(path: Path) -> list[tuple[dict[str, Any], Seen, Seen]]:
    """(case, with readers who hold everything, with the rules) for each case."""
    found: list[tuple[dict[str, Any], Seen, Seen]] = []
    for case in cases(path):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            found.append((case, play_reply(case, Path(one)), play_reply(case, Path(other), rules=True)))
    return found


def figures(found: list[tuple[dict[str, Any], Seen, Seen]]) -> dict[str, Any]:
    """{what: {k, n, low, high}}; rates are shares of n."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for case, held, ruled in found:
        good = as_labelled(case, held)
        counts["understood with a reader" if case["label"] in READ else "understood without a reader"].append(
            good
        )
        counts[f"label {case['label']}"].append(good)
        counts[f"language {case['language']}"].append(good)
        if case["wrong_release"]:
            counts["ran though nobody may have judged it"].append(held.allowed)
        if case["label"] in CHOSEN:
            ran = "ran as it should, by rules" if case["releases"] else "ran though it does not fit, by rules"
            counts[ran].append(ruled.allowed)
    told: dict[str, Any] = {}
    for name, marks in counts.items():
        low, high = clopper_pearson(sum(marks), len(marks))
        told[name] = {"k": sum(marks), "n": len(marks), "low": round(low, 4), "high": round(high, 4)}
    return told


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="?", default=str(CASES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="the cases that were understood otherwise")
    args = parser.parse_args()
    played = measured(Path(args.cases))
    # Where the first call is not held there is nothing to reply to.
    found = [one for one in played if one[1].first == "deny" and one[1].issued_as(one[0])]
    told = figures(found)
    situations = len({(case["request"], json.dumps(case["held"])) for case, _, _ in found})
    if args.json:
        print(json.dumps({"situations": situations, "not held": len(played) - len(found), **told}, indent=1))
        return 0
    print(
        f"{len(found)} cases, {situations} situations; {len(played) - len(found)} whose first call is not held so"
    )
    for name, one in sorted(told.items()):
        print(
            f"{name:<42} {one['k']:>4} of {one['n']:<4} [{100 * one['low']:.1f}, {100 * one['high']:.1f}] %"
        )
    for case, held, ruled in found if args.list else ():
        wrong = case["wrong_release"] and held.allowed
        if case["label"] in CHOSEN:
            wrong = wrong or ruled.allowed is not case["releases"]
        if wrong or not as_labelled(case, held):
            print(f"{case['id']} {case['label']:<13} {case['answer']!r}: {held.reason}; rules {ruled.reason}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
