"""Shells, Python and other interpreters: code in an option or on the input is read, a script may do anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from evaluator.shell.call import Call, Outcome, dynamic, part_of, read_options, reads, unlisted, writes
from evaluator.shell.handlers.agents import by_script
from evaluator.shell.handlers.common import changing
from evaluator.shell.handlers.system import types_in_code
from evaluator.shell.parse.grammar import said
from evaluator.shell.rows.row import edited
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

CODE = Shared("code")
FAMILY = "code"
DESTROYS = re.compile(
    rf"\b(?:{Vocabulary('shell/programs/code', 'words').either('destroys')})\b"
    r"|\brename(?:Sync)?\s*\(?\s*[\"'`$]|\bFileUtils\.(?:mv|move)\b",
    re.IGNORECASE,
)
"""Words with which code of any language says that it destroys, or moves a file away."""


def unread(code: str) -> list[Outcome]:
    return [dynamic(FAMILY) if DESTROYS.search(code) else unlisted(FAMILY)]


def code_of(call: Call, word: Word, read: Callable[[str], list[Outcome]] = unread) -> list[Outcome]:
    call.hide_code(word)
    if word.opaque:
        return [dynamic(FAMILY)]
    return [*types_in_code(word.text), *read(word.text)]


def code_on_input(call: Call, read: Callable[[str], list[Outcome]] = unread) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.hide_input()
        return [*types_in_code(call.stdin.text), *read(call.stdin.text)]
    return [dynamic(FAMILY)] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


def script_file(call: Call, script: Word, args: Sequence[Word]) -> list[Outcome]:
    """A script file: an agent by where it lies, else nobody knows."""
    agent = by_script(script.text)
    return call.shell.run_words([Word(agent), *args], call.stdin) if agent else [unlisted("script")]


@dataclass(frozen=True, slots=True)
class Interpreter:
    """`codes`: options whose value is code; `valued` and `attached` ones take another value. `shows`: words that alone
    only tell; `checks`: options with which it reads the syntax of one file. `in_place`: the option with which it edits
    its files."""

    codes: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    attached: frozenset[str] = NONE
    shows: frozenset[str] = NONE
    checks: frozenset[str] = NONE
    in_place: frozenset[str] = NONE

    def __call__(self, call: Call) -> list[Outcome]:
        if len(call.args) == 1 and call.texts[0] in self.shows:
            return [reads(FAMILY)]
        attached = self.attached | self.in_place
        options = read_options(call.args, self.codes | self.valued, attached=attached, stop=True)
        rest = options.rest
        if any(word.decoded for word in call.args[: len(call.args) - len(rest)]):
            return [dynamic(FAMILY)]
        if len(options.flags) == 1 and options.has(self.checks) and len(rest) == 1:
            return [reads("build")]
        given = options.values(self.codes)
        if not given and rest and rest[0].text != "-":
            return script_file(call, rest[0], rest[1:])
        found = [one for word in given for one in code_of(call, word)] or code_on_input(call)
        if options.has(self.in_place):
            suffix = next((value.text for value in options.values(self.in_place)), "")
            found.insert(0, writes("overwrite", edited([word.text for word in rest], suffix), FAMILY))
        return found


def node(call: Call) -> list[Outcome]:
    first = call.texts[0] if call.args else ""
    if first == "--test":
        return CODE.tests(replace(call, args=call.args[1:]))
    return CODE.node(replace(call, args=(Word("-e"), *call.args[1:])) if first in ("-pe", "-ep") else call)


def perl(call: Call) -> list[Outcome]:
    """Its clusters end otherwise than those of others: only digits belong to `-l` and `-0`.

    Its `-c` runs what stands in BEGIN blocks.
    """
    args = list(call.args)
    apart: list[Word] = []
    while args and args[0].text[:1] == "-" and args[0].text[:2] not in ("-", "--"):
        word = args.pop(0)
        letters = re.findall(r"[0lC]\d*|[eEiMmFIDVxd].*|.", word.text[1:], re.DOTALL)
        apart += [part_of(word, f"-{one}") for one in letters]
        if letters and letters[-1] in ("e", "E") and args:
            apart.append(args.pop(0))
    return CODE.perl(replace(call, args=(*apart, *args)))


def php(call: Call) -> list[Outcome]:
    if call.texts[:1] != ["artisan"]:
        return CODE.php(call)
    if call.texts[1:2] == ["test"]:
        return CODE.artisan_test(replace(call, name="test", args=call.args[2:]))
    return CODE.artisan(replace(call, name="artisan", args=call.args[1:]))


def deno_eval(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("--ext"), stop=True).rest
    return code_of(call, given[0]) if given else [dynamic(FAMILY)]


LETTERS = frozenset("cseuxvlinrfhkmptabBCEHPTo")
"""Options of one letter; `o` and `O` take the name of another."""
FISH = frozenset("cnli")
LONG = names("--norc --noprofile --posix --login --noediting --restricted --verbose --no-rcs --no-globalrcs")
LOADS = names("--rcfile --init-file -C --init-command")


@dataclass(slots=True)
class _Given:
    """The options of a shell: `rest` is what follows them; `odd` if one is not known."""

    letters: set[str] = field(default_factory=set[str])
    rest: list[Word] = field(default_factory=list[Word])
    odd: bool = False
    loads: bool = False


def _read_shell_options(call: Call) -> _Given:
    given = _Given(rest=list(call.args))
    known = FISH if call.name == "fish" else LETTERS
    while given.rest and given.rest[0].text[:1] in ("-", "+") and given.rest[0].text not in ("-", "--"):
        word = given.rest.pop(0)
        text = word.text
        if text.startswith("--"):
            given.loads = given.loads or text.split("=")[0] in LOADS
            given.odd = given.odd or text not in LONG
            continue
        letters = text[1:]
        if text[0] == "-":
            given.letters |= set(letters)
        # `+n` takes back `-n`.
        taken_back = text[0] == "+" and not set(letters) <= set("exuOovhB")
        given.odd = given.odd or taken_back or not set(letters) <= known | {"O"} or word.dynamic
        for letter in letters:
            if letter in "oO" and given.rest:
                given.rest.pop(0)
    if given.rest and given.rest[0].text in ("-", "--"):
        given.rest.pop(0)
    return given


def shell(call: Call) -> list[Outcome]:
    """bash, sh, zsh and their like."""
    if call.texts[:1] in (["--version"], ["--help"]):
        return [reads("shell")]
    given = _read_shell_options(call)
    if given.loads:
        return [dynamic("shell")]
    beside = [unlisted("shell")] if given.odd else []
    args = given.rest
    if "c" in given.letters:
        call.hide_code(*args[:1])
        if not args or args[0].opaque:
            return [dynamic("shell"), *beside]
        zero = args[1] if len(args) > 1 else None
        return [*call.shell.run_code(args[0].text, args[2:], call.stdin, zero), *beside]
    if given.letters & {"n"} and not beside and "s" not in given.letters:
        return [reads("build")]
    if "s" in given.letters or not args or args[0].text in ("/dev/stdin", "-"):
        if call.stdin.kind != "text":
            return [dynamic("shell") if call.stdin.kind in ("pipe", "names") else unlisted("script"), *beside]
        call.hide_input()
        return [*call.shell.run_code(call.stdin.text, args if "s" in given.letters else []), *beside]
    if args[0].text.startswith("<(") or args[0].decoded:
        code = said(args[0].text)
        return [*(call.shell.run_code(code) if code else []), dynamic("shell")]
    if agent := by_script(args[0].text):
        return call.shell.run_words([Word(agent), *args[1:]], call.stdin)
    return [unlisted("script")]


PYTHON = Shared("python")
MODULES = PYTHON.commands("modules")
MODULE_NAMES = {"pre_commit": "pre-commit"}
SWITCHES = frozenset("bBdEIOPqsSuvx")
WARNS = r"(?:ignore|default|error|always|module|once)(?:::\w+)?"


@cache
def _python_code_vocabulary() -> Vocabulary:
    """That of Python, which other interpreters do not load."""
    return Vocabulary("shell/programs/python", "words")


def python(call: Call) -> list[Outcome]:
    args = list(call.args)
    beside: list[Outcome] = []
    if call.texts in (["-V"], ["-VV"], ["--version"], ["-h"], ["--help"], ["--help-all"]):
        return [reads(FAMILY)]
    while args:
        word = args.pop(0)
        text = word.text
        if text == "-":
            return [*code_on_input(call, _python_code_scanner(call, args)), *beside]
        if not text.startswith("-"):
            if word.text == "manage.py" or word.text.endswith("/manage.py"):
                return manage(replace(call, name="manage.py", args=tuple(args)))
            if word.text.startswith("<(") or word.decoded:
                return [dynamic(FAMILY)]
            return script_file(call, word, args)
        letters = text[1:]
        cut = next((at for at, letter in enumerate(letters) if letter in "cmWX"), len(letters))
        if text.startswith("--") or not set(letters[:cut]) <= SWITCHES or word.decoded:
            beside.append(unlisted("script"))
        if text.startswith("--") or cut == len(letters):
            continue
        inline, letter = letters[cut + 1 :], letters[cut]
        value = part_of(word, inline) if inline else args.pop(0) if args else Word("")
        if letter in "WX":
            settings = (
                WARNS if letter == "W" else rf"(?:{_python_code_vocabulary().either('settings')})(?:=\w+)?"
            )
            known = value.plain and re.fullmatch(settings, value.text)
            beside += [] if known else [unlisted("script")]
        elif letter == "m":
            return [*_code_module_outcomes(call, value, args), *beside]
        else:
            return [*code_of(call, value, _python_code_scanner(call, args)), *beside]
    return [*code_on_input(call, _python_code_scanner(call)), *beside]


def _python_code_scanner(call: Call, args: Sequence[Word] = ()) -> Callable[[str], list[Outcome]]:
    from evaluator.shell.code.python import scan_python

    return lambda code: scan_python(code, [one.text for one in args]).outcomes(call.shell)


def manage(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else "help"
    if verb == "flush" or (verb == "migrate" and "zero" in call.texts):
        return [dynamic("script")]
    if verb == "migrate" and {"--plan", "--check"} & set(call.texts):
        return PYTHON.manage_migrate(replace(call, name=verb, args=call.args[1:]))
    if verb == "migrate" or (verb == "makemigrations" and not {"--check", "--dry-run"} & set(call.texts)):
        return [unlisted("script")]
    return PYTHON.manage(call)


def _code_module_outcomes(call: Call, name: Word, args: list[Word]) -> list[Outcome]:
    module = name.text
    if not name.plain:
        return [dynamic(FAMILY)]
    if module in MODULES:
        return MODULES[module](replace(call, name=module, args=tuple(args)))
    if module in _python_code_vocabulary().words("modules-as-programs"):
        return call.shell.run_words([Word(MODULE_NAMES.get(module, module)), *args], call.stdin)
    return [unlisted("script")]


def json_tool(call: Call) -> list[Outcome]:
    found = PYTHON.json_tool(call)
    out = read_options(call.args, PYTHON.json_tool.valued).texts()[1:2]
    return [writes("overwrite", out, FAMILY), *changing(found)] if out else found


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
    found = [one for word in codes for one in code_of(call, word, _python_code_scanner(call))]
    known = all(flag in valued | names("-v -p --verbose --process") for flag, _ in timed.flags)
    return [*found, *([] if known else [unlisted("script")])] or [reads(FAMILY)]
