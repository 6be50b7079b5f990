"""`make bench`: a run as ratios, beside the saved baseline: `python benchmarks/compare.py RUN.json [--save]`.

A wall time says more of the machine than of the code, so each figure is a ratio to the reference that was measured in
turns with it (`beside` and `paced` in conftest.py). More than 25 % over the baseline fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

BASELINE = Path(__file__).parent / "baselines" / "ratios.json"
WORSE = 1.25


def ratios(run: dict[str, Any]) -> dict[str, float]:
    """{benchmark: median over that of the reference measured in turns with it}. Raises ValueError without one."""
    bare = [item["fullname"] for item in run["benchmarks"] if "ratio" not in item["extra_info"]]
    if bare:
        raise ValueError(f"no reference was measured beside {', '.join(bare)}")
    return {item["fullname"]: item["extra_info"]["ratio"] for item in run["benchmarks"]}


def table(found: dict[str, float], saved: dict[str, float], seconds: dict[str, float]) -> str:
    """Markdown: the median, the ratio, the baseline's ratio, and how much worse."""
    lines = ["| benchmark | median | ratio | baseline | change |", "|---|---|---|---|---|"]
    for name, ratio in found.items():
        before = saved.get(name)
        change = "new" if before is None else f"{(ratio / before - 1) * 100:+.0f} %"
        shown = "" if before is None else f"{before:.3g}"
        name_shown = name.removeprefix("benchmarks/").replace("::", " ")
        lines.append(f"| {name_shown} | {_time(seconds[name])} | {ratio:.3g} | {shown} | {change} |")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--save", action="store_true", help="make this run the baseline")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    run = json.loads(args.run.read_text())
    found = ratios(run)
    saved: dict[str, float] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    if args.save:
        BASELINE.parent.mkdir(exist_ok=True)
        BASELINE.write_text(json.dumps(saved | found, indent=1, sort_keys=True) + "\n")
    worse = {
        name: ratio / saved[name] for name, ratio in found.items() if ratio > WORSE * saved.get(name, ratio)
    }
    if args.json:
        print(json.dumps({"ratios": found, "baseline": saved, "worse": worse}, indent=1))
    else:
        seconds = {item["fullname"]: item["stats"]["median"] for item in run["benchmarks"]}
        print(table(found, saved, seconds))
    for name, factor in worse.items():
        print(f"{name} is {(factor - 1) * 100:.0f} % worse than the baseline", file=sys.stderr)
    return 1 if worse and not args.save else 0


if __name__ == "__main__":
    sys.exit(main())
