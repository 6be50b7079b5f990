"""Which table answers for a program. The tables are imported at the first look-up."""

from __future__ import annotations

import re
from functools import lru_cache

from evaluator.stages.shell.call import Handler

TRUSTED_FOLDER = re.compile(
    r"(?:/(?:usr/)?(?:local/)?s?bin|/opt/[\w./-]+/bin|/opt/homebrew/(?:opt/[\w@.-]+/)?bin|/snap/bin"
    r"|(?:~|\$\{?HOME\}?|/root|/home/\w+)/(?:\.local|\.cargo|go|\.bun|\.deno|\.volta|\.pyenv/shims)/?(?:bin)?"
    r"|(?:(?:\.{0,2}/)?(?:[\w.@-]+/)*)?(?:node_modules/\.bin|\.?v?env/bin|\.venv\w*/bin|vendor/bin))\Z"
)
LOCAL_SCRIPTS = frozenset(
    ("gradlew", "mvnw", "configure", "manage.py", "artisan", "rails", "rake", "rspec", "bazelw")
)
VERSIONED = re.compile(
    r"((?:python|pip|ruby|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|psql|go))-?[\d.]+\Z"
)


def program_of(word: str) -> str:
    """The program's plain name where its place can be trusted, else the word as written."""
    name = word
    if "/" in word:
        folder, _, base = word.rpartition("/")
        if TRUSTED_FOLDER.match(folder) or base in LOCAL_SCRIPTS:
            name = base
    found = VERSIONED.match(name)
    return found.group(1) if found else name


def handler_of(program: str) -> Handler | None:
    return _tables().get(program)


def is_known_anywhere(name: str) -> bool:
    from evaluator.stages.shell.programs.agents import ANYWHERE

    return name in ANYWHERE


@lru_cache(maxsize=1)
def _tables() -> dict[str, Handler]:
    from evaluator.stages.shell import acts
    from evaluator.stages.shell import programs as plain

    merged: dict[str, Handler] = {}
    for programs in (*plain.TABLES, *acts.TABLES):
        merged.update(programs)
    return merged
