"""Which table answers for a program. A table is read when the first of its programs is looked up."""

from __future__ import annotations

import re

from evaluator.shell.call import Handler
from evaluator.tables import index

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

FOLDER = "shell/programs"
HANDLERS: dict[str, Handler] = {}
"""What has been looked up."""


def program_of(word: str) -> str:
    """The program's plain name where its place can be trusted, else the word as written."""
    name = word
    if "/" in word:
        folder, _, base = word.rpartition("/")
        if TRUSTED_FOLDER.match(folder) or base in LOCAL_SCRIPTS:
            name = base
    found = VERSIONED.match(name) if name[-1:].isdigit() or name.endswith(".") else None
    return found.group(1) if found else name


def handler_of(program: str) -> Handler | None:
    found = HANDLERS.get(program)
    if found is None and program in index(FOLDER):
        from evaluator.shell.rows.tables import field_of

        found = HANDLERS[program] = field_of(index(FOLDER)[program]).programs[program]
    return found


def is_listed(program: str) -> bool:
    """Whether a table answers for the program; reads none."""
    return program in HANDLERS or program in index(FOLDER)


def is_known_anywhere(name: str) -> bool:
    if not is_listed(name):
        return False
    from evaluator.shell.handlers.agents import ANYWHERE

    return name in ANYWHERE


def read_all() -> None:
    """Read each table and import each handler, so that no command waits for one."""
    from importlib import import_module
    from pkgutil import iter_modules

    from evaluator.shell import handlers
    from evaluator.shell.rows.tables import field_of

    for field in set(index(FOLDER).values()):
        field_of(field)
    for module in iter_modules(handlers.__path__):
        import_module(f"{handlers.__name__}.{module.name}")
