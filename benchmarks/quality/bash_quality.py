"""How well shell commands are told apart: `python benchmarks/quality/bash_quality.py CORPUS.jsonl... [--misses]`

Side by side: the classifier, and a plain list of regular expressions for the usual write verbs. Reported per corpus:

- write targets found: of the targets that the labels name, those that the answer names too;
- changing commands gated: of the commands labelled write or unknown, those not read as read-only;
- false gates: of the commands labelled read-only, those gated;
- evasions read as read-only; and rows whose verdict, operation, class and targets all agree.

Each with n and its 95 % Clopper-Pearson interval. Targets of one command are not independent: read their interval as
a lower bound of the uncertainty.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from pathlib import Path
from typing import cast

from compass.composition.effects import classify

CWD = "/repo"
LEVEL = 0.05

VERBS = re.compile(
    r"(?:^|[\s;&|(`])(?:sudo\s+)?(?:rm|rmdir|mv|cp|tee|touch|mkdir|ln|chmod|chown|chgrp|dd|truncate|install|rsync|shred|unlink|patch|unzip)\b"
    r"|\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i|\btar\s+-?\w*x|\bawk\s+-i\s+inplace|-delete\b"
    r"|\bgit\s+(?:add|commit|push|pull|fetch|merge|rebase|reset|checkout|switch|restore|clean|stash|tag|branch|apply|am|cherry-pick|revert|mv|rm|worktree)\b"
    r"|\b(?:pip3?|npm|yarn|pnpm|cargo|go|brew|apt|apt-get|gem|poetry|uv)\s+(?:install|add|remove|uninstall|update|upgrade|ci|get|i)\b"
    r"|\bcurl\b.*\s(?:-o|-O|-X|-d|--data|-T|-F)\b|\bwget\b|\bscp\b|\bssh\b"
    r"|\bkubectl\s+(?:apply|delete|create|scale|patch)|\bterraform\s+(?:apply|destroy)|\bdocker\s+(?:run|rm|push|exec|compose)"
    r"|\b(?:eval|base64)\b|\|\s*(?:ba|z)?sh\b|(?i:\b(?:drop|delete\s+from|insert\s+into|update\s+\w+\s+set|truncate)\b)"
)
REDIRECTION = re.compile(r"(?<![0-9&<>=-])(?:&|\d)?>{1,2}\|?\s*(?!&|/dev/null)([^\s;&|<>()]+)")
OPERANDS = re.compile(
    r"(?:^|[;&|]\s*|\bsudo\s+)(?:rm|rmdir|mv|touch|mkdir|tee|chmod|chown|truncate|shred|unlink|cp|ln)\b((?:\s+[^\s;&|<>]+)+)"
)
LAST_ONLY = re.compile(r"(?:^|[;&|]\s*|\bsudo\s+)(?:cp|ln)\b")


@dataclass(frozen=True, slots=True)
class Answer:
    """`label` is the exact one where the method gives operation and class too."""

    gated: bool
    targets: frozenset[str]
    label: tuple[object, ...] | None = None


def by_classifier(command: str) -> Answer:
    found = classify(command, CWD)
    reading = found.verdict == "read_only"
    targets = tuple(sorted(shown(target) for target in found.targets))
    kind = (None, None) if reading else (found.operation, found.operation_class)
    return Answer(not reading, frozenset(targets), (found.verdict, *kind, targets))


def by_regex(command: str) -> Answer:
    """What a gate without a parser does: verbs anywhere, the word behind `>`, the operands of file commands."""
    targets = {found.group(1).strip("'\"") for found in REDIRECTION.finditer(command)}
    for found in OPERANDS.finditer(command):
        words = [word.strip("'\"") for word in found.group(1).split() if not word.startswith("-")]
        targets.update(words[-1:] if LAST_ONLY.match(found.group()) else words)
    gated = bool(targets) or VERBS.search(command) is not None
    return Answer(gated, frozenset(shown(posixpath.join(CWD, target)) for target in targets))


def shown(target: str) -> str:
    """As the labels name targets: relative inside of the working directory."""
    target = posixpath.normpath(target) if "$" not in target and "`" not in target else target
    if target == CWD:
        return "."
    return target[len(CWD) + 1 :] if target.startswith(CWD + "/") else target


def interval(hits: int, n: int) -> tuple[float, float]:
    """Clopper-Pearson by bisection of the binomial tail; (0, 1) for n = 0."""
    if n == 0:
        return (0.0, 1.0)
    low = 0.0 if hits == 0 else _solve(lambda p: 1 - _at_most(hits - 1, n, p), LEVEL / 2)
    high = 1.0 if hits == n else _solve(lambda p: 1 - _at_most(hits, n, p), 1 - LEVEL / 2)
    return (low, high)


def _at_most(hits: int, n: int, p: float) -> float:
    if not 0 < p < 1:
        return 1.0 if p <= 0 or hits >= n else 0.0
    # In logarithms: the binomial coefficients of a thousand rows do not fit a float.
    whole = lgamma(n + 1)
    logs = (
        whole - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p) for k in range(hits + 1)
    )
    return sum(map(exp, logs))


def _solve(rising: Callable[[float], float], level: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < level else (low, middle)
    return (low + high) / 2


def share(name: str, hits: int, n: int) -> str:
    low, high = interval(hits, n)
    rate = hits / n if n else float("nan")
    return f"  {name:34} {100 * rate:6.2f} %  [{100 * low:6.2f}, {100 * high:6.2f}]  {hits}/{n}"


def report(rows: Sequence[dict[str, object]], method: Callable[[str], Answer], misses: bool) -> list[str]:
    found = [(row, method(str(row["command"]))) for row in rows]
    wanted = [(row, answer, _targets(row)) for row, answer in found]
    reading = [(row, answer) for row, answer in found if row["verdict"] == "read_only"]
    changing = [(row, answer) for row, answer in found if row["verdict"] != "read_only"]
    evasions = [(row, answer) for row, answer in changing if "evasi" in str(row["family"])]
    lines = [
        share(
            "write targets found",
            sum(len(t & a.targets) for _, a, t in wanted),
            sum(len(t) for *_, t in wanted),
        ),
        share("changing commands gated", sum(a.gated for _, a in changing), len(changing)),
        share("false gates of read-only", sum(a.gated for _, a in reading), len(reading)),
        share("evasions read as read-only", sum(not a.gated for _, a in evasions), len(evasions)),
    ]
    exact = [(row, answer) for row, answer in found if answer.label is not None]
    if exact:
        lines.append(share("whole label agrees", sum(a.label == _label(row) for row, a in exact), len(exact)))
    if misses:
        for row, answer, targets in wanted:
            lost = sorted(targets - answer.targets)
            if lost or answer.gated != (row["verdict"] != "read_only"):
                lines.append(f"    {row['id']}: {row['command']!r} lost {lost} gated {answer.gated}")
            elif answer.label is not None and answer.label != _label(row):
                lines.append(f"    {row['id']}: {row['command']!r} label {_label(row)} got {answer.label}")
    return lines


def _targets(row: dict[str, object]) -> frozenset[str]:
    targets = row["targets"]
    assert isinstance(targets, list)
    return frozenset(str(target) for target in cast(list[object], targets))


def _label(row: dict[str, object]) -> tuple[object, ...]:
    return (row["verdict"], row["operation"], row["class"], tuple(sorted(_targets(row))))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true", help="name the rows that differ")
    args = parser.parse_args(argv)
    for path in args.corpus:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        print(f"{path.name}: {len(rows)} commands")
        for name, method in (("classifier", by_classifier), ("regex list", by_regex)):
            print(f" {name}")
            print("\n".join(report(rows, method, args.misses and name == "classifier")))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
