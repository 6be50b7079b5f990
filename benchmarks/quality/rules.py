"""What rules hold, on written cases: `python benchmarks/quality/rules.py [--misses] [FOLDER]`, one table.

Each row is a call with what was said before it; its effects are told by the very parts that gate. Intervals are
Clopper-Pearson, 95 %.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.stats.estimates import clopper_pearson
from compass.composition.effects import classify
from evaluator.egress.evidence import build_evidence
from evaluator.model import Effects, Exchange, PendingWrite, Subject
from evaluator.record import replace
from evaluator.rules.clauses import lines_in
from evaluator.rules.losses import objection_of
from evaluator.settings.keys import Settings
from evaluator.trigger.calls import effects_of, with_stakes

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "rules"
PROJECT = "/repo"


class Place:
    """`evaluator.trigger.calls.Ground` of a row: what is tracked, what is ignored; all else stands there."""

    root = PROJECT

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._told = "tracked" in row
        """Without a word on it, what a Write names is new."""
        self._tracked = [os.path.join(PROJECT, one) for one in row.get("tracked", ())]
        self._ignored = [one.strip("/") for one in row.get("ignored", ())]

    def exists(self, path: str) -> bool:
        return self._told

    def is_held(self, path: str) -> bool:
        return any(one == path or one.startswith(f"{path.rstrip('/')}/") for one in self._tracked)

    def is_unchanged(self, path: str) -> bool:
        return path in self._tracked

    def is_ignored(self, path: str) -> bool:
        parts = path.removeprefix(f"{PROJECT}/").split("/")
        return any("/".join(parts[: one.count("/") + 1]) == one or one in parts for one in self._ignored)


def subject_of(row: Mapping[str, Any]) -> Subject | None:
    call = dict(row["call"])
    tool = str(call.pop("tool"))
    pending = PendingWrite("claude-code", "s", tool, call, PROJECT, PROJECT)
    place = Place(row)
    effects: Effects | None = effects_of(
        pending,
        classify=lambda command, cwd: classify(command, cwd, Settings().bash, pending.host),
        mcp_tools=(),
        exists=place.exists,
        resolve=os.path.normpath,
    )
    if effects is None or not effects.each:
        return None
    effects = with_stakes(effects, place)
    made = [os.path.join(PROJECT, one) for one in row.get("session_made", ())]
    each = tuple(
        replace(one, stakes="own")
        if any(one.target == it or one.target.startswith(f"{it.rstrip('/')}/") for it in made)
        else one
        for one in effects.each
    )
    exchange = Exchange((str(row["request"]),), str(row.get("prior_assistant_turn", "")))
    effects = replace(effects, each=each)
    return Subject(pending, effects, exchange, build_evidence(pending, effects, exchange, Settings()))


def is_held(row: Mapping[str, Any]) -> bool:
    subject = subject_of(row)
    said = [str(one["user"]) for one in row.get("history", ())]
    lines = [("AGENTS.md", line) for line in lines_in(str(row.get("instructions", "")))]
    return subject is not None and objection_of(subject, said, instructions=lines) is not None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument(
        "--misses", action="store_true", help="name each row that is judged otherwise than labelled"
    )
    args = parser.parse_args(arguments)
    print(f"{'set':22}{'rows':24}{'held':>12}   95 %")
    for file in sorted(args.folder.glob("*.jsonl")):
        counts: dict[bool, list[bool]] = defaultdict(list)
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            held = is_held(row)
            counts[row["held"]].append(held)
            if args.misses and held != row["held"]:
                print(
                    "  ",
                    row["id"],
                    "MISSED" if row["held"] else "NEEDLESS",
                    row["request"][:120],
                    row["call"],
                    row.get("note", ""),
                )
        for wanted in (True, False):
            found = counts[wanted]
            low, high = clopper_pearson(sum(found), len(found))
            name = "to be held" if wanted else "to be let through"
            print(
                f"{file.stem:22}{name:24}{sum(found):5} of {len(found):4}   {100 * low:.1f} to {100 * high:.1f} %"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
