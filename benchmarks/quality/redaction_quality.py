"""What the sanitizer lets through and takes: `python benchmarks/quality/redaction_quality.py CORPUS.jsonl...`

Rows: `id`, `text`, `secrets` (substrings of which none may survive), `kind` (null: the text holds none), `family`,
and `either` (true: both answers are right, so the row is only counted). Every `⟂` is taken out of text and secrets
first: the corpus holds no token in one piece. What is measured is `sanitize`, as it stands before what is sent.
Intervals: Clopper-Pearson, 95 %. A secret of which more than half survives in one piece counts as caught, since
it does not survive; it is listed apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.stats.estimates import clopper_pearson
from evaluator.egress.sanitizer import sanitize
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES

SPLITTER = "⟂"
SHOWN_CHARS = 110


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    family: str
    text: str
    secrets: tuple[str, ...]
    either: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """`missed`: the secrets that survive; `halved`: those that survive by half. `taken`: anything was redacted."""

    row: Row
    shown: str
    missed: tuple[str, ...]
    halved: tuple[str, ...]
    taken: bool
    seconds: float


def rows(paths: Sequence[Path]) -> Iterator[Row]:
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                given = json.loads(line)
                secrets = given.get("secrets") or []
                yield Row(
                    id=str(given["id"]),
                    family=str(given.get("family") or given.get("kind") or "none"),
                    text=given["text"].replace(SPLITTER, ""),
                    secrets=tuple(secret.replace(SPLITTER, "") for secret in secrets),
                    either=bool(given.get("either")),
                )


def judge(row: Row) -> Outcome:
    begun = time.perf_counter()
    shown = sanitize(row.text, None, DEFAULT_STRIP_SEQUENCES)
    spent = time.perf_counter() - begun
    plain = sanitize(row.text, None, DEFAULT_STRIP_SEQUENCES, redact_secrets=False)
    missed = tuple(secret for secret in row.secrets if any(one in shown for one in forms(secret)))
    halved = tuple(
        secret
        for secret in row.secrets
        if secret not in missed and any(half in shown for one in forms(secret) for half in halves(one))
    )
    return Outcome(row, shown, missed, halved, shown != plain, spent)


def forms(secret: str) -> set[str]:
    """As it was written, and as the sanitizer normalises it."""
    return {secret, sanitize(secret, None, (), redact_secrets=False)} - {""}


def halves(secret: str) -> Iterator[str]:
    """Every piece of just more than half of the secret."""
    size = len(secret) // 2 + 1
    return (secret[start : start + size] for start in range(len(secret) - size + 1))


def rate(hits: int, n: int) -> str:
    if not n:
        return "no rows"
    low, high = clopper_pearson(hits, n)
    return f"{hits}/{n} = {hits / n:.3f} [{low:.3f}, {high:.3f}]"


def report(outcomes: Sequence[Outcome]) -> None:
    judged = [one for one in outcomes if not one.row.either]
    families: dict[str, list[Outcome]] = defaultdict(list)
    for one in judged:
        families[one.row.family].append(one)
    print(
        "family                          recall of secrets                  false redaction of texts without"
    )
    for name, members in [*sorted(families.items()), ("ALL", judged)]:
        secrets = sum(len(one.row.secrets) for one in members)
        caught = secrets - sum(len(one.missed) for one in members)
        clean = [one for one in members if not one.row.secrets]
        false = sum(one.taken for one in clean)
        print(f"{name:<30}  {rate(caught, secrets):<33}  {rate(false, len(clean))}")
    either = [one for one in outcomes if one.row.either]
    print(f"either is right: {sum(one.taken for one in either)} of {len(either)} redacted, in neither rate")
    print(f"slowest row: {max((one.seconds for one in outcomes), default=0) * 1000:.1f} ms")
    for one in judged:
        for secret in one.missed:
            print(f"MISSED {one.row.id} ({one.row.family}): {secret[:40]!r} in {one.shown[:SHOWN_CHARS]!r}")
        for secret in one.halved:
            print(f"HALF   {one.row.id} ({one.row.family}): {secret[:40]!r} in {one.shown[:SHOWN_CHARS]!r}")
        if one.taken and not one.row.secrets:
            print(
                f"FALSE  {one.row.id} ({one.row.family}): {one.row.text[:SHOWN_CHARS]!r} -> {one.shown[:SHOWN_CHARS]!r}"
            )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="+")
    report([judge(row) for row in rows(parser.parse_args(arguments).corpus)])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
