"""Tasks of a project, by their names: which of them build or test, and what may stand behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import NONE, names
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.rows.destroying import named_so
from evaluator.shell.rows.row import row
from evaluator.shell.words import Word

SERVES = names("dev start serve watch preview storybook")
TESTS = names(
    "test tests testing spec specs e2e unit integration smoke jest vitest mocha cypress playwright pytest"
)
LINTS = names(
    "lint linting check checks typecheck types tsc typing verify validate eslint stylelint ruff mypy audit"
)
BUILDS = names(
    "build builds compile assemble bundle docs doc typedoc coverage cover cov bench benchmark benchmarks analyze "
    "ci help"
)
VERBS = SERVES | TESTS | LINTS | BUILDS
BEFORE = names(
    "type code js ts css py python rust go api app web www ui client server frontend backend core lib cli desktop "
    "mobile unit all fast quick full format fmt prettier style styles spell deps license licenses pre post ng nx "
    "storybook workspace packages package"
)
"""What may stand before the verb of a name (`format:check`, `web:build`)."""
SUFFIXES = names(
    "dev development debug release watch once changed staged related local browser browsers chrome firefox node "
    "headless headed windows win macos mac darwin linux arm64 amd64 x64 wasm esm cjs umd min native android ios "
    "java kotlin scala swift main src apps libs classes html json report verbose parallel serial slow race short "
    "perf a11y contract functional acceptance regression security component components system models services "
    "features links markdown md yaml yml sh shell workflows actions proto schema config no cache strict soft"
)
"""What may stand behind it (`test:unit`, `build:dev`); any other word may be what the task changes (`build:s3`)."""
FORMATS = names("format fmt prettier")
OWN: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (BUILDS, names("prod production")),
    (LINTS, FORMATS | names("sort import imports")),
    (TESTS, names("run")),
)
"""What may stand behind verbs of one kind only."""
SPLIT = re.compile(r"[:_./-]+|(?<=[a-z])(?=[A-Z])")
NAMED = re.compile(r"[A-Za-z][\w:./-]*\Z", re.ASCII)
PATH = re.compile(r"(?!-)[\w@./-]*[./][\w@./-]*\Z", re.ASCII)


def builds(name: str) -> bool:
    """Whether a name says that it builds, tests or serves, and nothing else."""
    if not NAMED.match(name) or named_so(name):
        return False
    parts = [part.lower() for part in SPLIT.split(name) if part]
    at = next((at for at, part in enumerate(parts) if part in VERBS), None)
    if at is None or any(part not in BEFORE for part in parts[:at]):
        return False
    verb, after = parts[at], parts[at + 1 :]
    if not after:
        return True
    known = (BEFORE - FORMATS) | VERBS
    for verbs, suffixes in OWN:
        known |= suffixes | SUFFIXES if verb in verbs else NONE
    return all(part in known or part.isdigit() for part in after)


def task_effect(name: str) -> Outcome:
    return reads("build") if builds(name) else unlisted("script")


HANDED = row(
    "build",
    flags="--run --coverage --watch --watchAll --no-watch --silent --verbose --ci --runInBand --bail -x -q --quiet "
    "--no-coverage --noEmit --passWithNoTests --no-cache --color --colors --no-color --list --headed --strict "
    "--check --prod --production --all --no-bail --forceExit --detectOpenHandles -v -vv",
    worded="--reporter",
    valued="--mode -t --testNamePattern --grep -g -k --testPathPattern --testPathPatterns --filter "
    "--max-warnings --shard --maxWorkers --testTimeout --maxfail --tb",
    outputs="--outputFile --output-file --output --outDir --out-dir --junitxml -o",
)
"""What is handed on to a tool of the project that is not known: only what means the same to all of them."""

GO_HANDED = row(
    "build",
    flags="-v -race -short -failfast -benchmem -cover",
    valued="-run -skip -count -timeout -bench -parallel -tags",
    style="single",
)


def of_any_language(call: Call) -> list[Outcome]:
    """What a runner that serves every language hands on: go's options have one dash."""
    found = HANDED(call)
    known = all(one.verdict == "read_only" for one in GO_HANDED(call))
    return [reads("build")] if known else found


def task(call: Call, name: Word, args: Sequence[Word], tool: Handler = HANDED) -> list[Outcome]:
    """The task `name` of a project with what is handed on to it."""
    effect = task_effect(name.text) if name.plain else unlisted("script")
    if effect.verdict != "read_only":
        return [effect]
    handed = list(args)
    if handed and handed[0].text == "--":
        handed = handed[1:]
    parts = {part.lower() for part in SPLIT.split(name.text)}
    if parts.isdisjoint(TESTS | LINTS) and any(
        not word.text.startswith("-") and not _is_value(handed, at) for at, word in enumerate(handed)
    ):
        return [unlisted("script")]
    return tool(replace(call, args=tuple(handed)))


def _is_value(words: Sequence[Word], at: int) -> bool:
    return at > 0 and words[at - 1].text in HANDED.takes


def goals(words: Sequence[str]) -> list[Outcome]:
    """Several tasks in one call (`make lint test`): paths among them are what they are given."""
    found = [task_effect(word) for word in words if not PATH.match(word) or builds(word)]
    return [one for one in found if one.verdict != "read_only"] or [reads("build")]
