"""Python: code in an option or on the input is scanned, known modules are programs, a script may do anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from evaluator.shell.acts.code.interpreters import FAMILY, code_of, code_on_input, script_file
from evaluator.shell.call import Call, Handler
from evaluator.shell.code.python import scan_python
from evaluator.shell.hazards import names
from evaluator.shell.options import part_of, read_options
from evaluator.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

MODULES_AS_PROGRAMS = names(
    "pip pytest unittest mypy black isort ruff flake8 pylint coverage tox nox uv poetry twine yapf autopep8 bandit "
    "pyflakes pycodestyle pre_commit venv virtualenv compileall doctest pyright pydocstyle vulture "
    "autoflake pyupgrade pipx hatch pdm nose2 behave mkdocs pipdeptree codespell interrogate aider llm gptme "
    "compass"
)
MODULE_NAMES = {"pre_commit": "pre-commit"}
FILES = "-e -i -t -C -O -P -S -x --exact --specialized --show-caches --show-offsets --include-attributes "
"--no-type-comments"
LOOKING: dict[str, Handler] = {
    "this": row(FAMILY, most=0),
    "site": row(FAMILY, flags="--user-base --user-site", most=0),
    "sysconfig": row(FAMILY, most=0),
    "platform": row(FAMILY, flags="--terse --nonaliased", most=2),
    **rows(
        "dis ast tokenize",
        FAMILY,
        flags=FILES,
        valued="-m --mode -a --indent --feature-version --optimize",
        most=1,
    ),
    "calendar": row(
        FAMILY, flags="-w", valued="-l -s -m -t -L -e -f --type --locale --encoding --width --lines", most=2
    ),
    "base64": row(FAMILY, flags="-d -e -u", most=1),
    **rows("tabnanny symtable pyclbr", FAMILY, flags="-v -q"),
    "py_compile": row("build", flags="-q --quiet"),
}
"""Modules that print what they are asked, or only fill `__pycache__`. `inspect` and `pydoc` import what they show."""
SWITCHES = frozenset("bBdEIOPqsSuvx")
WARNS = re.compile(r"(?:ignore|default|error|always|module|once)(?:::\w+)?")
SETS = re.compile(
    r"(?:importtime|utf8|dev|faulthandler|tracemalloc|frozen_modules|no_debug_ranges|int_max_str_digits|showrefcount"
    r"|warn_default_encoding|gil)(?:=\w+)?"
)
DJANGO = "--no-color --force-color --traceback --skip-checks -v0 -v1 -v2"
LEVEL = "-v --verbosity"
MANAGE = tree(
    FAMILY,
    {
        "test": row(
            "build",
            flags=f"--keepdb --failfast --parallel --no-input --noinput --reverse {DJANGO}",
            valued=f"{LEVEL} -k --tag --exclude-tag --pattern -p --shuffle",
        ),
        "check": row(
            "build",
            flags=f"--deploy --list-tags {DJANGO}",
            valued=f"{LEVEL} -t --tag --fail-level --database",
        ),
        "runserver": row(
            "build", flags=f"--noreload --nothreading --nostatic -6 {DJANGO}", valued="-v", most=1
        ),
        "showmigrations": row(FAMILY, flags=f"-l -p --list --plan {DJANGO}", valued=f"{LEVEL} --database"),
        "diffsettings": row(FAMILY, flags=f"--all {DJANGO}", valued="--output"),
        **rows(
            "sqlmigrate sqlflush sqlsequencereset inspectdb",
            FAMILY,
            flags=f"--backwards --include-views --include-partitions {DJANGO}",
            valued="--database -v",
        ),
        "dumpdata": row(
            FAMILY,
            flags=f"-a --all --natural-foreign --natural-primary {DJANGO}",
            valued=f"{LEVEL} --format --indent --database -e --exclude --pks",
            outputs="-o --output",
        ),
        "makemigrations": row(
            "migrate",
            does="unknown",
            tells="--check --dry-run",
            flags=f"--merge {DJANGO}",
            valued=f"{LEVEL} -n --name",
        ),
    },
    flags="--version",
)


def _python(call: Call) -> list[Outcome]:
    args = list(call.args)
    beside: list[Outcome] = []
    if call.texts in (["-V"], ["-VV"], ["--version"], ["-h"], ["--help"], ["--help-all"]):
        return [reads(FAMILY)]
    while args:
        word = args.pop(0)
        text = word.text
        if text == "-":
            return [*code_on_input(call, _scanned(call, args)), *beside]
        if not text.startswith("-"):
            return _file(call, word, args)
        letters = text[1:]
        cut = next((at for at, letter in enumerate(letters) if letter in "cmWX"), len(letters))
        if text.startswith("--") or not set(letters[:cut]) <= SWITCHES or word.decoded:
            beside.append(unlisted("script"))
        if text.startswith("--") or cut == len(letters):
            continue
        inline, letter = letters[cut + 1 :], letters[cut]
        value = part_of(word, inline) if inline else args.pop(0) if args else Word("")
        if letter in "WX":
            known = value.plain and (WARNS if letter == "W" else SETS).fullmatch(value.text)
            beside += [] if known else [unlisted("script")]
        elif letter == "m":
            return [*_module(call, value, args), *beside]
        else:
            return [*code_of(call, value, _scanned(call, args)), *beside]
    return [*code_on_input(call, _scanned(call)), *beside]


def _scanned(call: Call, args: Sequence[Word] = ()) -> Callable[[str], list[Outcome]]:
    return lambda code: scan_python(code, [one.text for one in args]).outcomes(call.shell)


def _file(call: Call, word: Word, args: list[Word]) -> list[Outcome]:
    if word.text == "manage.py" or word.text.endswith("/manage.py"):
        return _manage(Call("manage.py", tuple(args), call.stdin, call.shell))
    if word.text.startswith("<(") or word.decoded:
        return [dynamic(FAMILY)]
    return script_file(call, word, args)


def _manage(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else "help"
    if verb == "flush" or (verb == "migrate" and "zero" in call.texts):
        return [governs("script")]
    if verb == "migrate":
        tells = {"--plan", "--check"} & set(call.texts)
        known = row("script", flags=f"--plan --check {DJANGO}", valued="--database -v --verbosity", most=2)
        rest = Call("migrate", call.args[1:], call.stdin, call.shell)
        return known(rest) if tells else [unlisted("script")]
    if verb == "makemigrations" and not {"--check", "--dry-run"} & set(call.texts):
        return [unlisted("script")]
    return MANAGE(call)


def _module(call: Call, name: Word, args: list[Word]) -> list[Outcome]:
    module = name.text
    if not name.plain:
        return [dynamic(FAMILY)]
    inner = Call(module, tuple(args), call.stdin, call.shell)
    if module in SPECIAL:
        return SPECIAL[module](inner)
    if module in LOOKING:
        return LOOKING[module](inner)
    if module in MODULES_AS_PROGRAMS:
        return call.shell.run_words([Word(MODULE_NAMES.get(module, module)), *args], call.stdin)
    return [unlisted("script")]


JSON_TOOL = row(
    FAMILY,
    flags="--sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact",
    valued="--indent",
    most=2,
)


def _json_tool(call: Call) -> list[Outcome]:
    found = JSON_TOOL(call)
    out = read_options(call.args, JSON_TOOL.valued).texts()[1:2]
    return (
        [writes("overwrite", out, FAMILY), *(one for one in found if one.verdict != "read_only")]
        if out
        else found
    )


def _archive(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else ""
    if verb in ("-e", "--extract"):
        return [writes("overwrite", call.texts[2:3] or ["."], "archive")]
    if verb in ("-c", "--create"):
        return [writes("overwrite", call.texts[1:2], "archive")]
    looks = verb in ("-l", "--list", "-t", "--test", "-h", "--help") and len(call.args) <= 2
    return [reads("archive")] if looks else [unlisted("archive")]


def _timeit(call: Call) -> list[Outcome]:
    valued = names("-n --number -r --repeat -s --setup -u --unit")
    timed = read_options(call.args, valued)
    codes = [*timed.values(names("-s --setup")), *timed.operands]
    found = [one for word in codes for one in code_of(call, word, _scanned(call))]
    known = all(flag in valued | names("-v -p --verbose --process") for flag, _ in timed.flags)
    return [*found, *([] if known else [unlisted("script")])] or [reads(FAMILY)]


SPECIAL: dict[str, Handler] = {
    "json.tool": _json_tool,
    **rows("zipfile tarfile", _archive),
    "timeit": _timeit,
    "ensurepip": row("packages", does="install"),
    "build": row(
        "build",
        flags="-s -w -n -x -v --sdist --wheel --no-isolation --skip-dependency-check",
        valued="-C",
        outputs="-o --outdir",
        most=1,
    ),
}

PROGRAMS: dict[str, Handler] = {**rows("python pypy", _python), "manage.py": _manage}
