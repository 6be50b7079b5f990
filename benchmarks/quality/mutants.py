"""Does `make test` notice a change of a single token? `python benchmarks/quality/mutants.py [--seed N] [--count 40]`.

Mutants are drawn by a seed, as many of each room, and written into a copy of the checkout. Each is tried with the tests
of its room first, then with those of the rooms that use it; it is killed by the first one that fails. Ends with 1 where
fewer than `--least` are killed. Survivors are printed as lines to look at: some change nothing that can be told.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEED = 20_261_128
SECONDS_MAX = 600
"""Of one run of tests: a mutant that never ends is killed, too."""

ROOMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "gate": (
        ("evaluator/gate/*.py",),
        ("tests/property/gate", "tests/unit/verdict", "tests/unit/hook/test_faults_everywhere.py"),
    ),
    "verdict": (("evaluator/verdict/*.py",), ("tests/unit/verdict", "tests/property/test_statistics_properties.py")),
    "protection": (("evaluator/protection/*.py",), ("tests/unit/protection", "tests/property/gate")),
    "sanitizer": (
        ("evaluator/egress/sanitizer.py",),
        ("tests/unit/egress/test_sanitizer.py", "tests/property/test_egress_properties.py"),
    ),
    "bans": (
        ("evaluator/exchange/orders.py", "evaluator/rules/*.py"),
        ("tests/unit/exchange", "tests/unit/rules", "tests/unit/readers"),
    ),
}  # fmt: skip
"""By room: its modules, and its own tests."""

AFTER = (
    "tests/unit/intervention",
    "tests/unit/trigger",
    "tests/unit/exchange",
    "tests/unit/hook",
    "tests/unit/egress",
)
"""What is asked of a mutant that the tests of its room let live."""

SWAPPED: dict[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
WRITTEN: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    room: str
    file: str
    line: int
    start: int
    end: int
    """Bytes of the line."""
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.room}: {self.file}:{self.line}: {self.before} -> {self.after}"


def mutants(room: str, file: Path) -> Iterator[Mutant]:
    """Every one of a module; bounds and tables of the module itself are data."""
    text = file.read_text(encoding="utf-8")
    name = file.relative_to(ROOT).as_posix()
    lines = [line.encode() for line in text.splitlines()]

    def between(left: ast.expr, right: ast.expr, before: str, after: str) -> Iterator[Mutant]:
        assert left.end_lineno is not None and left.end_col_offset is not None
        if left.end_lineno != right.lineno:
            return
        gap = lines[right.lineno - 1][left.end_col_offset : right.col_offset]
        at = gap.find(f" {before} ".encode())
        if at >= 0:
            start = left.end_col_offset + at + 1
            yield Mutant(room, name, right.lineno, start, start + len(before), before, after)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            for left, operator, right in zip(
                [node.left, *node.comparators], node.ops, node.comparators, strict=False
            ):
                yield from between(left, right, WRITTEN[type(operator)], SWAPPED[type(operator)])
        elif isinstance(node, ast.BoolOp):
            before, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from between(left, right, before, after)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            at = node.col_offset
            yield Mutant(room, name, node.lineno, at, at + 4, "not ", "")
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int) and node.col_offset:
            value = node.value
            before, after = repr(value), repr(not value if isinstance(value, bool) else int(str(value)) + 1)
            start, end = node.col_offset, node.end_col_offset or 0
            if (
                lines[node.lineno - 1].startswith(b" ")
                and lines[node.lineno - 1][start:end] == before.encode()
            ):
                yield Mutant(room, name, node.lineno, start, end, before, after)


def drawn(count: int, seed: int) -> list[Mutant]:
    """Of the rooms in turn, so that a large one has no more than a small one."""
    rand = random.Random(seed)
    of_rooms: list[list[Mutant]] = []
    for room, (globs, _) in ROOMS.items():
        files = sorted({path for glob in globs for path in ROOT.glob(glob)})
        assert files, f"no module of {room}: {globs}"
        found = [mutant for file in files for mutant in mutants(room, file)]
        rand.shuffle(found)
        of_rooms.append(found)
    picked = [found[turn] for turn in range(count) for found in of_rooms if turn < len(found)]
    return picked[:count]


def fails(copy: Path, tests: Sequence[str]) -> bool:
    options = ("-q", "-x", "--no-header", "-p", "no:cacheprovider", "-n", "0")
    command = [str(copy / ".venv/bin/python"), "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, timeout=SECONDS_MAX, check=False)
    except subprocess.TimeoutExpired:
        return True
    assert done.returncode in (0, 1, 2), done.stdout.decode()[-2000:]
    return done.returncode != 0


def furnish(copy: Path) -> None:
    """An environment that imports the copy, in the processes that tests start, too; all else from this one."""
    made = copy / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made)], check=True)
    (packages,) = made.glob("lib/python*/site-packages")
    (packages / "checkout.pth").write_text(f"{copy}\n{sysconfig.get_path('purelib')}\n")


def killed(copy: Path, mutant: Mutant) -> bool:
    """The copy is as before afterwards."""
    file = copy / mutant.file
    whole = file.read_bytes()
    lines = whole.split(b"\n")
    line = lines[mutant.line - 1]
    lines[mutant.line - 1] = line[: mutant.start] + mutant.after.encode() + line[mutant.end :]
    file.write_bytes(b"\n".join(lines))
    try:
        return any(fails(copy, tests) for tests in (ROOMS[mutant.room][1], AFTER))
    finally:
        file.write_bytes(whole)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--least", type=int, default=38)
    parser.add_argument("--list", action="store_true", help="only print what would be tried")
    args = parser.parse_args()
    chosen = drawn(args.count, args.seed)
    if args.list:
        print("\n".join(map(str, chosen)))
        return 0
    alive: list[Mutant] = []
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        copy = Path(folder) / "checkout"
        left_out = shutil.ignore_patterns(
            ".venv", ".git", "build", "dist", "__pycache__", ".client*", ".hosts"
        )
        shutil.copytree(ROOT, copy, ignore=left_out)
        furnish(copy)
        for number, mutant in enumerate(chosen, 1):
            dead = killed(copy, mutant)
            print(f"{number}/{len(chosen)} {'killed' if dead else 'ALIVE '} {mutant}", flush=True)
            alive += [] if dead else [mutant]
    print(f"{len(chosen) - len(alive)} of {len(chosen)} killed, {args.least} wanted; seed {args.seed}")
    return int(len(chosen) - len(alive) < args.least)


if __name__ == "__main__":
    sys.exit(main())
