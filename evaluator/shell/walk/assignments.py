"""Variables that are set: in front of a command, in the shell itself, by a declaration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evaluator.shell.hazards import Steering, Weight, steering
from evaluator.shell.outcome import Outcome, dynamic, unlisted, writes
from evaluator.shell.parse.evaluated import RUNS_IN_INDEX
from evaluator.shell.ran import Ran
from evaluator.shell.words import Word

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaluator.shell.walk.walker import ShellWalker

QUOTED_INDEX = re.compile(r"['\"\\]")
CODE = frozenset(("PROMPT_COMMAND", "PS0", "PS1", "PS4"))
"""Variables whose value the shell itself runs."""
NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
WRITES_TO = re.compile(r"TRACE|LOG|OUT|HIST|DUMP|REPORT|PROF|COVERAGE|_FILE\Z")
"""Variables by which programs are told where to write."""


def extents(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    """Byte extents of words: the grammar sometimes cuts one word into nodes that touch."""
    found: list[tuple[int, int]] = []
    for node in nodes:
        start, end = node.start_byte, node.end_byte
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def before(walker: ShellWalker, node: Node) -> tuple[Weight, list[Outcome]]:
    """What an assignment in front of a command makes of it, and the file that it names."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return "", []
    text = walker.reader().value(value.start_byte, node.end_byte).text if value is not None else ""
    _note_value(walker, walker.text(name), text)
    steers = steering(walker.text(name).split("[")[0], text, walker.scope.cwd)
    return steers.weight, _told_file(walker, steers.file)


def _told_file(walker: ShellWalker, file: str) -> list[Outcome]:
    """What a variable tells programs to write."""
    path = walker.scope.path(file)
    return [writes("append", (path,), "environment")] if path else []


def assign(walker: ShellWalker, node: Node, *, given: bool = False) -> None:
    """`NAME=value` in the shell itself. The substitutions in it were walked already. `given`: it is exported."""
    named, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if named is None:
        return
    scope, name = walker.scope, walker.text(named)
    span = (value.start_byte, node.end_byte) if walker.root and value is not None else None
    if named.type == "subscript":
        scope.bind(name.split("[")[0], None, span)
        scope.steer(steering(name.split("[")[0], walker.text(node)))
        # Outside of quotes a substitution runs here, and was looked at.
        if QUOTED_INDEX.search(name):
            _refuse_code(walker, walker.text(node), node)
        return
    append = any(child.type == "+=" for child in node.children)
    reader = walker.reader()
    array = value is not None and value.type == "array"
    if value is None:
        values: tuple[str, ...] | None = ("",)
    elif array:
        words = [word for one in extents(value.named_children) for word in reader.words(*one)]
        values = None if any(word.dynamic for word in words) else tuple(word.text for word in words)
    else:
        word = reader.value(value.start_byte, node.end_byte)
        values = None if word.dynamic else (word.text,)
        set_variable(walker, name, word.text, node, given=given)
        if not word.dynamic:
            _refuse_code(walker, word.text, node)
    if append:
        values = _appended(scope.variables[name].values if name in scope.variables else None, values, array)
    if name == "IFS":
        scope.splitting = False
    for text in values or (walker.text(node),):
        _note_value(walker, name, text)
    scope.bind(name, values, span, array)


def set_variable(
    walker: ShellWalker, name: str, value: str, node: Node | None = None, *, given: bool = True
) -> None:
    """What the value makes of all that follows; a variable that holds code for the shell is code itself."""
    steers = steering(name, value, walker.scope.cwd, given=given)
    walker.scope.steer(steers)
    text = walker.text(node) if node is not None else f"{name}={value}"
    walker.add(_told_file(walker, steers.file), text)
    if name in CODE and steers.weight:
        walker.add([dynamic("shell")], text)


def _refuse_code(walker: ShellWalker, text: str, node: Node) -> None:
    """A text with a command in an index runs it wherever it is taken for a number or a name."""
    if RUNS_IN_INDEX.search(text):
        walker.add([dynamic("shell")], walker.text(node))


def _note_value(walker: ShellWalker, name: str, value: str) -> None:
    walker.run.values.append(value)
    if WRITES_TO.search(name) and value:
        walker.run.ran.append(Ran(("export", value), walker.scope.cwd, (unlisted("environment"),)))


def _appended(
    before: tuple[str, ...] | None, values: tuple[str, ...] | None, array: bool
) -> tuple[str, ...] | None:
    if before is None or values is None:
        return None
    return (*before, *values) if array else (before[0] + values[0],) if before else values


def declare(walker: ShellWalker, node: Node) -> None:
    """`export`, `declare`, `local`, `readonly`, `typeset`."""
    program = walker.text(node.children[0])
    reader = walker.reader()
    words: list[Word] = []
    parts = [child for child in node.named_children if child.type not in ("comment", "file_redirect")]
    for child in parts:
        if child.type != "variable_assignment":
            words += reader.words(child.start_byte, child.end_byte)
    flags = "".join(word.text[1:] for word in words if word.text[:1] in ("-", "+"))
    for child in parts:
        if child.type == "variable_assignment":
            assign(walker, child, given=program == "export" or "x" in flags)
            if "n" in flags and program != "export":
                _another_name(walker, *walker.text(child).partition("=")[::2])
        elif child.type != "variable_name":
            # The shell evaluates `'a[$(x)]=1'` once more.
            walker.run.values += (word.text for word in reader.words(child.start_byte, child.end_byte))
    declared(walker, program, words, node)


def declared(walker: ShellWalker, program: str, words: Sequence[Word], node: Node | None = None) -> None:
    """The words of a declaration that are no plain assignments: flags, names, and texts that are evaluated."""
    flags = "".join(word.text[1:] for word in words if word.text[:1] in ("-", "+"))
    exports = program == "export" or "x" in flags
    scope = walker.scope
    for word in words:
        name, equals, value = word.text.partition("=")
        if RUNS_IN_INDEX.search(word.text) or word.decoded:
            walker.add([dynamic("shell")], word.text)
        elif "n" in flags and program != "export" and equals:
            _another_name(walker, name, value)
        elif equals and NAME.match(name.rstrip("+")):
            scope.bind(name.rstrip("+"), None if word.dynamic or name.endswith("+") else (value,), None)
            set_variable(walker, name.rstrip("+"), value, node, given=exports)
        elif word.dynamic and word.text[:1] in ("$", "`"):
            # `export $(cat .env)` may set any variable.
            scope.steer(Steering("unlisted"))
        elif exports and "f" in flags and NAME.match(word.text):
            scope.exported |= {word.text}


def _another_name(walker: ShellWalker, name: str, other: str) -> None:
    """`declare -n NAME=OTHER`: what is assigned to one is assigned to the other."""
    walker.scope.steer(steering(other.strip("\"'"), "$"))
    walker.scope.bind(name, None, None)
