"""What becomes of the calls of recorded sessions before anybody reads them.

    python benchmarks/quality/real_shell.py [SESSIONS] [--sample N [--seed S]]

SESSIONS is a folder of Claude Code's session files, `$COMPASS_SESSIONS` where none is named. Each shell command, and
each call of any tool, is *silent* (it reads, or no tool that writes), *unlisted* (only programs that nobody listed: it
passes unread), *judged* (readers would be asked, were nothing excused), or *denied* by self-protection, with the
project where the call stood and the home above it. Nothing of the sessions is run.

--sample prints N distinct shell commands drawn from those that are unlisted or judged, a JSON object a line, for
labelling by hand.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compass.composition.effects import classify
from compass.composition.protection import Guard
from evaluator.effects import is_unlisted
from evaluator.model import PendingWrite
from evaluator.trigger.calls import effects_of

KINDS = ("silent", "unlisted", "judged", "denied")


def calls_of(folder: Path) -> Iterator[PendingWrite]:
    """Every tool call of the session files below `folder`, in order, each once."""
    seen: set[str] = set()
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row: Any = json.loads(line)
                except ValueError:
                    continue
                if not isinstance(row, dict) or row.get("type") != "assistant":
                    continue
                for block in (row.get("message") or {}).get("content") or ():
                    if (
                        isinstance(block, dict)
                        and block.get("type") == "tool_use"
                        and block["id"] not in seen
                    ):
                        seen.add(block["id"])
                        where = str(row.get("cwd") or "/repo")
                        yield PendingWrite(
                            "claude-code", path.stem, block["name"], block["input"], where, where
                        )


def kind_of(pending: PendingWrite, guards: dict[str, Guard]) -> str:
    """One of KINDS."""
    effects = effects_of(
        pending, classify=classify, mcp_tools=(), exists=lambda _: False, resolve=os.path.normpath
    )
    home = "/".join(pending.cwd.split("/")[:3])
    guard = guards.setdefault(home, Guard({}, home))
    if guard(pending, effects):
        return "denied"
    if effects is None or effects.verdict == "read_only":
        return "silent"
    return "unlisted" if all(map(is_unlisted, effects.each)) else "judged"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sessions", nargs="?", type=Path, default=os.environ.get("COMPASS_SESSIONS"))
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.sessions is None:
        parser.error("name a folder of sessions, or set COMPASS_SESSIONS")
    counted: dict[str, Counter[str]] = {
        "shell commands": Counter(),
        "distinct": Counter(),
        "all calls": Counter(),
    }
    known: dict[tuple[str, str], str] = {}
    guards: dict[str, Guard] = {}
    for pending in calls_of(args.sessions):
        command = str(pending.tool_input.get("command", "")) if pending.tool_name == "Bash" else ""
        place = (command, pending.cwd)
        kind = known[place] if command and place in known else kind_of(pending, guards)
        counted["all calls"][kind] += 1
        if command:
            counted["shell commands"][kind] += 1
            counted["distinct"][kind] += place not in known
            known[place] = kind
    if args.sample:
        gated = sorted(place for place, kind in known.items() if kind in ("unlisted", "judged"))
        for command, cwd in random.Random(args.seed).sample(gated, min(args.sample, len(gated))):
            print(json.dumps({"command": command, "cwd": cwd}))
        return 0
    for name, counts in counted.items():
        total = sum(counts.values())
        shares = "  ".join(
            f"{kind} {counts[kind]} ({100 * counts[kind] / (total or 1):.1f} %)" for kind in KINDS
        )
        print(f"{name:15} {total:6}  {shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
