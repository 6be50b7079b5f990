"""The shell's own commands that change its scope or run code in it. The harmless rest is in the program tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from evaluator.shell.call import Call, Outcome, Stdin, dynamic, read_options, reads, unlisted
from evaluator.shell.parse.grammar import RUNS_IN_INDEX, said
from evaluator.shell.rows.tables import handler_of
from evaluator.shell.walk.walker import ShellWalker, declared, set_variable
from evaluator.shell.words import ARITHMETIC_NAME, Word
from evaluator.text import names

Builtin = Callable[[ShellWalker, Sequence[Word], Stdin], list[Outcome]]

ACTIVATE = re.compile(r"(?:^|/)bin/activate(?:\.\w+)?\Z")
"""What an environment brings to set its variables."""
NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
SIGNAL = re.compile(
    r"(?i)\d+|(?:SIG)?(?:EXIT|ERR|DEBUG|RETURN|HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR[12]|SEGV|PIPE|ALRM|TERM|STKFLT|CHLD"
    r"|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|PWR|SYS|RT(?:MIN|MAX)(?:[+-]\d+)?)"
)


def _cd_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    given = [word.text for word in args if word.text not in ("-P", "-L", "-e", "-@", "--")] or ["~"]
    walker.scope.enter((walker.scope.previous or "$OLDPWD") if given[0] == "-" else given[0])
    return [reads("shell")]


def _pushd_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    named = next((word.text for word in read_options(args).operands[:1] if word.text[:1] != "+"), "")
    walker.scope.enter(named or walker.scope.previous or "$OLDPWD")
    return [reads("shell")]


def _eval_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    for word in args:
        walker.hide(word.spans, f"[code: {len(word.text)} chars]")
    if any(word.dynamic or word.decoded for word in args):
        return [dynamic("shell")]
    return walker.run_code(" ".join(word.text for word in args), stdin=stdin, here=True)


def _source_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    if not args:
        return [reads("shell")]
    word = args[0]
    if word.text.startswith("<(") or word.text in ("/dev/stdin", "-"):
        known = stdin.kind == "text" and word.text == "/dev/stdin"
        code = stdin.text if known else said(word.text)
        return [*(walker.run_code(code, here=True) if code else []), *([] if known else [dynamic("shell")])]
    if ACTIVATE.search(word.text) and word.plain and len(args) == 1:
        return [reads("shell")]
    return [dynamic("shell")] if word.text.startswith(("$(", "`")) else [unlisted("script")]


def _exec_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    rest = read_options(args, names("-a"), stop=True).rest
    return walker.run_words(rest, stdin) if rest else [reads("shell")]


def _command_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    options = read_options(args, stop=True)
    looks = options.has(names("-v -V")) or not options.rest
    return [reads("shell")] if looks else walker.run_words(options.rest, stdin)


def _trap_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    given = [word for word in args if word.text != "--"]
    if len(given) < 2 or given[0].text in ("-", "", "-p", "-l"):
        return [reads("shell")]
    walker.hide(given[0].spans, f"[code: {len(given[0].text)} chars]")
    # Words that a remote shell would have joined otherwise are no signals.
    signals = all(word.dynamic or SIGNAL.fullmatch(word.text) for word in given[1:])
    if not signals or (given[0].dynamic and given[0].text.startswith(("$", "`"))):
        return [dynamic("shell")]
    # It runs in this shell, but later: what it changes there is not seen by what stands in between.
    outer = walker.scope
    with walker.apart():
        found = walker.run_code(given[0].text, here=True)
        changes = walker.scope.variables != outer.variables or walker.scope.functions != outer.functions
    at_end = all(word.text in ("EXIT", "0", "SIGEXIT") for word in given[1:])
    return [*found, dynamic("shell")] if changes and not at_end else found


def _alias_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    walker.scope.aliases |= {word.text.split("=", 1)[0] for word in args if "=" in word.text}
    hidden = any(word.dynamic and "=" not in word.text for word in args)
    return [dynamic("alias")] if hidden else [reads("shell")]


def _read_builtin(valued: str, walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """The variables that get what is read."""
    options = read_options(args, names(valued))
    # mapfile runs what -C names for the lines that it reads.
    if any(RUNS_IN_INDEX.search(word.text) for word in args) or options.has(names("-C")):
        return [dynamic("shell")]
    values = [value.text for value in options.values(names("-a -A"))]
    for at, name in enumerate((*options.texts(), *values, "REPLY", "MAPFILE")):
        if NAME.match(name.partition("[")[0]):
            first = stdin.told == "first" and at == 0 and len(options.operands) > 1
            loose = stdin.told != "all" and not first
            walker.scope.bind(name, None, dash=loose, blank=loose)
            set_variable(walker, name, "$" if loose else ".")
        elif name.startswith(("$", "`")):
            return [dynamic("shell")]
    # A text that is read may be taken for a number later.
    return [dynamic("shell")] if RUNS_IN_INDEX.search(stdin.text) else [reads("shell")]


def _printf_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    if len(args) < 2 or args[0].text != "-v":
        return [reads("shell")]
    name, words = args[1], args[2:]
    if RUNS_IN_INDEX.search(name.text) or name.dynamic:
        return [dynamic("shell")]
    parts = words[0].text.split("%s") if words else ["%"]
    form, printed = "".join(parts), None
    if (
        all(word.plain for word in words)
        and "%" not in form
        and "\\" not in form
        and len(words) <= len(parts)
    ):
        # A format of `%s` alone, with words that are known.
        texts = [*(word.text for word in words[1:]), *[""] * (len(parts) + 1 - len(words))]
        printed = ("".join(one for pair in zip(parts, texts, strict=True) for one in pair),)
    set_variable(walker, name.text, printed[0] if printed else "$")
    walker.scope.bind(name.text, printed)
    return [reads("shell")]


def _set_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    texts = [word.text for word in args]
    if any(text[:1] in ("-", "+") and "A" in text for text in texts[:1]):
        # An array of zsh.
        return [dynamic("shell")]
    if "allexport" in texts or any(text[:1] == "-" and text[:2] != "--" and "a" in text for text in texts):
        walker.scope.exported |= {"*"}
    if "--" in texts:
        at = texts.index("--") + 1
        walker.scope.arguments = None if any(word.dynamic for word in args[at:]) else tuple(texts[at:])
    return [reads("shell")]


def _shift_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    known = walker.scope.arguments
    count = args[0].text if args else "1"
    walker.scope.arguments = known[int(count) :] if known and count.isdigit() and len(count) < 6 else None
    return [reads("shell")]


def _declare_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """Reached behind `command` or `builtin`, where the grammar sees ordinary words."""
    declared(walker, "export", args)
    return [reads("shell")]


def _time_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """The keyword, so that functions are known behind it; with options of the program it is in the tables."""
    rest = [word for word in args if word.text != "-p"]
    if rest and rest[0].text in ("{", "(", "!"):
        return [dynamic("shell")]
    if rest and rest[0].text in walker.scope.functions:
        return walker.call(rest[0].text, [word.text for word in rest[1:]], stdin)
    handler = handler_of("time")
    return handler(Call("time", tuple(args), stdin, walker)) if handler is not None else [unlisted("shell")]


def _hash_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """`hash -p FILE NAME` makes the name mean the file; so does `hash NAME=FILE` in zsh."""
    if any("=" in word.text or (word.text.startswith("-") and "p" in word.text) for word in args):
        walker.scope.hazard = "unknown"
        return [dynamic("shell")]
    return [reads("shell")]


def _evaluates(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """Commands that take their words for names with an index, in which substitutions run."""
    runs = any(RUNS_IN_INDEX.search(word.text) and not word.dynamic for word in args)
    return [dynamic("shell")] if runs else [reads("shell")]


def _let_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    """Takes its words for arithmetic."""
    bound = walker.scope.variables
    used = {name for word in args for name in ARITHMETIC_NAME.findall(word.text)}
    loose = any(word.made for word in args) or any(name in bound and bound[name].loose for name in used)
    return [dynamic("shell")] if loose else _evaluates(walker, args, stdin)


def _wait_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    for value in read_options(args, names("-p")).values(names("-p")):
        if RUNS_IN_INDEX.search(value.text) or not NAME.match(value.text):
            return [dynamic("shell")]
        set_variable(walker, value.text, "$")
    return [reads("shell")]


def _unset_builtin(walker: ShellWalker, args: Sequence[Word], stdin: Stdin) -> list[Outcome]:
    found = [reads("shell")]
    for word in args:
        if RUNS_IN_INDEX.search(word.text):
            walker.run.values.append(word.text)
            found = [dynamic("shell")]
        if word.text == "PATH" or word.dynamic:
            walker.scope.hazard = "unknown"
        walker.scope.variables.pop(word.text, None)
        walker.scope.functions.pop(word.text, None)
    return found


_NAMES: dict[str, Builtin] = {
    "cd chdir": _cd_builtin,
    "pushd": _pushd_builtin,
    "popd": lambda walker, args, stdin: _pushd_builtin(walker, (), stdin),
    "eval": _eval_builtin,
    "source .": _source_builtin,
    "exec": _exec_builtin,
    "command builtin": _command_builtin,
    "trap": _trap_builtin,
    "alias": _alias_builtin,
    "read getopts": partial(_read_builtin, "-d -n -N -p -t -u -i -a -A -k"),
    "mapfile readarray": partial(_read_builtin, "-d -n -O -s -u -C -c"),
    "printf": _printf_builtin,
    "set": _set_builtin,
    "shift": _shift_builtin,
    "export declare typeset local readonly": _declare_builtin,
    "time": _time_builtin,
    "history": lambda walker, args, stdin: [
        unlisted("shell") if args and args[0].text[:2] in ("-c", "-w", "-a", "-d") else reads("shell")
    ],
    "jobs": lambda walker, args, stdin: (
        walker.run_words(args[1:], stdin) if args and args[0].text == "-x" else [reads("shell")]
    ),
    # They may run anything that their words name. `coproc` is a keyword that the grammar does not know.
    "coproc enable bind compgen complete": lambda walker, args, stdin: [dynamic("shell")],
    "hash": _hash_builtin,
    "wait": _wait_builtin,
    "unset": _unset_builtin,
    "let": _let_builtin,
    "test [": _evaluates,
}
BUILTINS = {name: builtin for names_of, builtin in _NAMES.items() for name in names_of.split()}
