"""What a change touches, without its text: the names of definitions and identifiers, and its size in lines.

Names are found by the program's grammar (tree-sitter, imported at the first parse): it knows which definition a line
stands in, and it tells where it failed. Behind the first failure nothing is believed, for there a comment or a string
that is not closed would read as code. No key of a file of settings and no heading can be taken for a name.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from evaluator.effects import FILE_TOOLS, edits_of, text_of
from evaluator.patches import patch_of
from evaluator.record import Record
from evaluator.shell.parse.byte_patterns import TO_ASCII
from evaluator.shell.parse.grammar import compiled
from evaluator.text import table

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class Language(Record):
    """A row of the table, which says what the fields mean."""

    package: str
    function: str = "language"
    block_comments: bool = True
    forks: str = ""
    ascii_only: bool = False


_TABLE = table("egress/grammars")
IDENTIFIERS, DEFINITIONS, ONLY_WITH_BODY, FUNCTIONS = (
    frozenset(cast(str, _TABLE[kind]).split())
    for kind in ("identifiers", "definitions", "only_with_body", "functions")
)
BY_SUFFIX = {
    suffix: Language(**{name: value for name, value in row.items() if name != "suffixes"})
    for row in cast(list[dict[str, Any]], _TABLE["languages"])
    for suffix in row["suffixes"].split()
}

TEXTS = ("comment", "heredoc", "jsx_text", "regex", "string", "template_literal")
"""A node whose type has one of these in its name is text, whatever stands in it."""

SAY_NOTHING = frozenset(("cls", "self", "super", "this"))


def language_of(path: str) -> Language | None:
    """The grammar for a file, by the end of its name; None for what is no program, and for settings that a program
    reads as one."""
    if os.path.basename(path).startswith(".env"):
        return None
    return BY_SUFFIX.get(os.path.splitext(path)[1].lower())


FORKS_MAX = 1500
"""C# at `a<a<a<`: at this many 60 MB, at ten times as many 900 MB and four seconds that nothing stops."""
NODES_MAX = 20_000
"""More syntax nodes than this are not looked at."""
TEXT_CHARS_MAX = 100_000
"""A longer text is not looked at."""
PART_BYTES = 4096
_STEPS_TO_NAME = 32
_NAME = re.compile(r"[^\W\d]\w+[?!]?")


class DefinedNames(Record):
    """Each once, in the order of the text. `definitions` hold the lines or stand on them, outer ones first."""

    definitions: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def names_on(
    text: str, rows: Sequence[int], language: Language, stop: Callable[[], bool] = lambda: False
) -> DefinedNames:
    """The names of definitions and identifiers on some lines of a program. `rows` count from 0, in order. No names once
    `stop` says so while the text is parsed."""
    if not rows or (language.forks and text.count(language.forks) > FORKS_MAX):
        return DefinedNames()
    source, parser = text.encode("utf-8", "replace"), _build_definition_parser(language)
    if parser is None:
        return DefinedNames()
    given = source.translate(TO_ASCII) if language.ascii_only else source
    try:
        root = parser.parse(
            lambda at, _: given[at : at + PART_BYTES], progress_callback=lambda _at, _failed: stop()
        ).root_node
    except ValueError:
        # Stopped. The parser would go on with the old text at its next one.
        parser.reset()
        return DefinedNames()
    return _Walk(source, rows, _trusted_definitions_end(root, source, language)).names(root)


@lru_cache(maxsize=32)
def _build_definition_parser(language: Language) -> Parser | None:
    """None where its grammar is not installed: most come with the extra `languages`."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    try:
        return Parser(Grammar(compiled(language.package, language.function)))
    except ModuleNotFoundError:
        return None


def _trusted_definitions_end(root: Node, source: bytes, language: Language) -> int:
    """Up to which byte the tree is believed."""
    failed = len(source)
    if root.has_error:
        # Where the first node that the grammar did not expect begins; at worst where the text does.
        node = root
        while not (node.is_error or node.is_missing):
            inner = [one for one in node.children if one.has_error or one.is_error or one.is_missing]
            if not inner:
                break
            node = inner[0]
        failed = node.start_byte
    at = source.find(b"/*") if language.block_comments else -1
    while 0 <= at < failed:
        there = root.descendant_for_byte_range(at, at + 2)
        if there is not None and there.child_count and not _is_text_node(there):
            # Two operators to the grammar: a comment without an end.
            return at
        at = source.find(b"/*", at + 2)
    return failed


def _is_text_node(node: Node) -> bool:
    kind = node.type
    return any(word in kind for word in TEXTS)


class _Walk:
    def __init__(self, source: bytes, rows: Sequence[int], end: int) -> None:
        self._source, self._rows, self._end = source, rows, end
        self._definitions: list[tuple[int, int, str]] = []
        self._others: dict[str, None] = {}

    def names(self, root: Node) -> DefinedNames:
        stack, seen = [(root, 0)], 0
        while stack and seen < NODES_MAX:
            node, depth = stack.pop()
            seen += 1
            depth += self._take_definition(node, depth)
            stack += [(child, depth) for child in reversed(node.children) if self._may_hold_definition(child)]
        defined = dict.fromkeys(name for _, _, name in sorted(self._definitions))
        return DefinedNames(tuple(defined), tuple(self._others))

    def _may_hold_definition(self, node: Node) -> bool:
        if node.start_byte >= self._end or node.is_error or not node.is_named or _is_text_node(node):
            return False
        at = bisect_left(self._rows, node.start_point[0])
        return at < len(self._rows) and self._rows[at] <= node.end_point[0]

    def _take_definition(self, node: Node, depth: int) -> int:
        """1 where the node is a definition, so that what it holds is one deeper."""
        kind = node.type
        if kind in IDENTIFIERS and not node.child_count:
            if name := self._read_definition_name(node):
                self._others[name] = None
        elif kind in DEFINITIONS and (defined := _definition_name_node(node)) is not None:
            if name := self._read_definition_name(defined):
                self._definitions.append((depth, node.start_byte, name))
            return 1
        return 0

    def _read_definition_name(self, node: Node) -> str:
        if node.end_byte > self._end:
            return ""
        text = self._source[node.start_byte : node.end_byte].decode("utf-8", "replace").lstrip("@#$")
        return text if _NAME.fullmatch(text) and text not in SAY_NOTHING else ""


def _definition_name_node(node: Node) -> Node | None:
    """The name of a definition; None where the node only uses one."""
    if node.type == "variable_declarator":
        value = node.child_by_field_name("value")
        if value is None or value.type not in FUNCTIONS:
            return None
    if node.type in ONLY_WITH_BODY and node.child_by_field_name("body") is None:
        return None
    leaf = _field(node, "name", "declarator", "type")
    # What a path of names comes to: the `c` of `a.b.c`, the `f` of `int *f(int x)`.
    for _ in range(_STEPS_TO_NAME):
        if leaf is None or not leaf.named_children:
            break
        leaf = _field(leaf, "declarator", "name", "function") or leaf.named_children[-1]
    return leaf if leaf is not None and leaf.type in (*IDENTIFIERS, "word") else None


def _field(node: Node, *fields: str) -> Node | None:
    found = (node.child_by_field_name(field) for field in fields)
    return next((one for one in found if one is not None), None)


class Change(Record):
    """One file. `whole`: both are the file's whole text, else only the parts that the call gives."""

    before: str
    after: str
    whole: bool


class ChangedLines(Record):
    """Rows, from 0, of lines that only one side has, in order. A line that only moved counts on neither side."""

    removed: tuple[int, ...]
    added: tuple[int, ...]


def changes_of(tool: str, given: Mapping[str, object], on_disk: str | None) -> tuple[Change, ...]:
    """The changes that a call makes to its target's text. `on_disk` is the text of the target, empty for a file that is
    yet to be created; None: it is not known.

    Empty where what is replaced is not known, or a text is too long.
    """
    edits, after = edits_of(given), None
    if on_disk is not None:
        after = text_of(given, "content") if tool == "Write" else _apply_change_edits(on_disk, edits, given)
    found: tuple[Change, ...] = ()
    if on_disk is not None and after is not None:
        found = (Change(on_disk, after, whole=True),)
    elif tool != "Write":
        found = tuple(Change(old, new, whole=False) for old, new in edits)
    if any(len(text) > TEXT_CHARS_MAX for one in found for text in (one.before, one.after)):
        return ()
    return tuple(
        Change(one.before.replace("\r\n", "\n"), one.after.replace("\r\n", "\n"), one.whole) for one in found
    )


def _apply_change_edits(
    text: str, edits: Sequence[tuple[str, str]], given: Mapping[str, object]
) -> str | None:
    """The text with the edits applied; None where one does not fit."""
    listed = given.get("edits")
    items = cast(list[object], listed) if isinstance(listed, list) else [dict(given)]
    everywhere = [
        cast(dict[str, object], one).get("replace_all") is True for one in items if isinstance(one, dict)
    ]
    if len(everywhere) != len(edits):
        everywhere = [False] * len(edits)
    for (old, new), every in zip(edits, everywhere, strict=True):
        count = text.count(old) if old else int(not text)
        if not count or len(text) > TEXT_CHARS_MAX or len(text) + count * len(new) > 2 * TEXT_CHARS_MAX:
            return None
        text = text.replace(old, new, -1 if every else 1) if old else new
    return text


def lines_of(change: Change) -> ChangedLines:
    """Linear in the texts: what both begin and end with is left out, then how often each line stands is compared."""
    old, new = _split_change_lines(change.before), _split_change_lines(change.after)
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    return ChangedLines(_surplus_change_rows(old, new, start), _surplus_change_rows(new, old, start))


def _split_change_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _surplus_change_rows(lines: Sequence[str], others: Sequence[str], start: int) -> tuple[int, ...]:
    left = Counter(others)
    rows: list[int] = []
    for row, line in enumerate(lines, start):
        if left[line] > 0:
            left[line] -= 1
        else:
            rows.append(row)
    return tuple(rows)


NAMES_MAX = 20
PARSE_SECONDS = 0.3
"""For both texts. Ordinary ones of the greatest length take a tenth of it; some that were made to take a minute."""


class Touched(Record):
    """`names` as they stand in the text, the most telling first. Lines are None where they are not known."""

    names: tuple[str, ...] = ()
    added: int | None = None
    removed: int | None = None


def touched(
    tool: str, path: str, given: Mapping[str, object], on_disk: str | None, now: Callable[[], float]
) -> Touched:
    """The names and sizes of what a call changes. `path` is the resolved target and `on_disk` its text, as `changes_of`
    takes it; `now` in seconds, monotonic. Nothing of a notebook: what its cells held is not known.

    Of a patch of several files `on_disk` is empty if those that it writes are all new.
    """
    patch = patch_of(tool, given)
    if patch is not None:
        # Counts alone: of each file only the parts are known, and of what is overwritten or deleted nothing.
        parts = [part for file in patch.files for part in file.parts]
        if not patch.whole or sum(len(old) + len(new) for old, new in parts) > TEXT_CHARS_MAX:
            return Touched()
        rows = [lines_of(Change(old, new, whole=False)) for old, new in parts]
        gone = any(
            file.does == "delete" or (file.does == "write" and on_disk is None) for file in patch.files
        )
        taken = None if gone else sum(len(one.removed) for one in rows)
        return Touched((), sum(len(one.added) for one in rows), taken)
    if tool not in FILE_TOOLS or tool == "NotebookEdit":
        return Touched()
    language, changes = language_of(path), changes_of(tool, given, on_disk)
    if not changes:
        return Touched()
    each = [(change, lines_of(change)) for change in changes]
    added = sum(len(lines.added) for _, lines in each)
    removed = sum(len(lines.removed) for _, lines in each)
    if language is None or not changes[0].whole:
        return Touched((), added, removed)
    return Touched(_changed_names(*each[0], language, now), added, removed)


def _changed_names(
    change: Change, lines: ChangedLines, language: Language, now: Callable[[], float]
) -> tuple[str, ...]:
    until = now() + PARSE_SECONDS

    def stop() -> bool:
        return now() > until

    after = names_on(change.after, lines.added, language, stop)
    before = names_on(change.before, lines.removed, language, stop)
    # Definitions; then what stands on the changed lines of one side alone; then the rest.
    every, differ = (*after.others, *before.others), {*after.others} ^ {*before.others}
    ranked = (*after.definitions, *before.definitions, *(name for name in every if name in differ), *every)
    return tuple(dict.fromkeys(ranked))[:NAMES_MAX]
