"""Shells: code in an option or on the input is read; a script file may do anything."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluator.shell.call import Call, Handler
from evaluator.shell.hazards import names
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted
from evaluator.shell.parse.evaluated import said
from evaluator.shell.programs.agents import by_script
from evaluator.shell.rows.row import rows
from evaluator.shell.words import Word

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


def _options(call: Call) -> _Given:
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


def _shell(call: Call) -> list[Outcome]:
    """bash, sh, zsh and their like."""
    if call.texts[:1] in (["--version"], ["--help"]):
        return [reads("shell")]
    given = _options(call)
    if given.loads:
        return [dynamic("shell")]
    beside = [unlisted("shell")] if given.odd else []
    args = given.rest
    if "c" in given.letters:
        return [*_command_string(call, args), *beside]
    if given.letters & {"n"} and not beside and "s" not in given.letters:
        return [reads("build")]
    if "s" in given.letters or not args or args[0].text in ("/dev/stdin", "-"):
        return [*_from_input(call, args if "s" in given.letters else []), *beside]
    if args[0].text.startswith("<(") or args[0].decoded:
        code = said(args[0].text)
        return [*(call.shell.run_code(code) if code else []), dynamic("shell")]
    if agent := by_script(args[0].text):
        return call.shell.run_words([Word(agent), *args[1:]], call.stdin)
    return [unlisted("script")]


def _command_string(call: Call, args: list[Word]) -> list[Outcome]:
    if not args:
        return [dynamic("shell")]
    code = args[0]
    call.hide_code(code)
    if code.decoded or (code.dynamic and (code.bare or code.text.lstrip()[:1] in ("$", "`"))):
        return [dynamic("shell")]
    return call.shell.run_code(code.text, args[2:], call.stdin, args[1] if len(args) > 1 else None)


def _from_input(call: Call, arguments: list[Word]) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        return call.shell.run_code(call.stdin.text, arguments)
    return [dynamic("shell")] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


PROGRAMS: dict[str, Handler] = rows("bash sh zsh dash ksh ash fish mksh rbash", _shell)
