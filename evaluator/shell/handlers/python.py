"""Python: code in an option or on the input is scanned, and what a module does is known of some."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from evaluator.shell.call import Call, Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.shell.code.python import scan_python
from evaluator.shell.handlers.code import FAMILY, code_of, code_on_input, script_file
from evaluator.shell.options import names, part_of, read_options
from evaluator.shell.rows.combined import changing
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.tables import Vocabulary

PYTHON = Shared("python")
LOOKING = PYTHON.commands("looking")
SPECIAL = PYTHON.commands("special")

VOCABULARY = Vocabulary("shell/programs/python", "words")

MODULES_AS_PROGRAMS = VOCABULARY.words("modules-as-programs")
MODULE_NAMES = {"pre_commit": "pre-commit"}
SWITCHES = frozenset("bBdEIOPqsSuvx")
WARNS = re.compile(r"(?:ignore|default|error|always|module|once)(?:::\w+)?")
SETS = re.compile(
    r"(?:importtime|utf8|dev|faulthandler|tracemalloc|frozen_modules|no_debug_ranges|int_max_str_digits|showrefcount"
    r"|warn_default_encoding|gil)(?:=\w+)?"
)


def python(call: Call) -> list[Outcome]:
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
        return manage(Call("manage.py", tuple(args), call.stdin, call.shell))
    if word.text.startswith("<(") or word.decoded:
        return [dynamic(FAMILY)]
    return script_file(call, word, args)


def manage(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else "help"
    if verb == "flush" or (verb == "migrate" and "zero" in call.texts):
        return [governs("script")]
    if verb == "migrate":
        tells = {"--plan", "--check"} & set(call.texts)
        rest = Call("migrate", call.args[1:], call.stdin, call.shell)
        return PYTHON.manage_migrate(rest) if tells else [unlisted("script")]
    if verb == "makemigrations" and not {"--check", "--dry-run"} & set(call.texts):
        return [unlisted("script")]
    return PYTHON.manage(call)


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


def json_tool(call: Call) -> list[Outcome]:
    found = PYTHON.json_tool(call)
    out = read_options(call.args, PYTHON.json_tool.valued).texts()[1:2]
    doing = changing(found)
    return [writes("overwrite", out, FAMILY), *doing] if out else found


def archive(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else ""
    if verb in ("-e", "--extract"):
        return [writes("overwrite", call.texts[2:3] or ["."], "archive")]
    if verb in ("-c", "--create"):
        return [writes("overwrite", call.texts[1:2], "archive")]
    looks = verb in ("-l", "--list", "-t", "--test", "-h", "--help") and len(call.args) <= 2
    return [reads("archive")] if looks else [unlisted("archive")]


def timeit(call: Call) -> list[Outcome]:
    valued = names("-n --number -r --repeat -s --setup -u --unit")
    timed = read_options(call.args, valued)
    codes = [*timed.values(names("-s --setup")), *timed.operands]
    found = [one for word in codes for one in code_of(call, word, _scanned(call))]
    known = all(flag in valued | names("-v -p --verbose --process") for flag, _ in timed.flags)
    return [*found, *([] if known else [unlisted("script")])] or [reads(FAMILY)]
