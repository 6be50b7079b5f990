"""The files of a patch: the envelope of apply_patch (`*** Begin Patch`), or a unified diff. Pure.

What applies a patch may read it more leniently than its grammar says, so a line that could be a header is taken for
one, and whatever does not fit makes the patch not `whole`: then somebody may see more in it than stands here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Literal

from evaluator.effects import PATCH_TOOL, text_of
from evaluator.record import Record

PatchOperation = Literal["write", "edit", "delete", "move"]
"""`write` creates the file, or overwrites it."""

FIELD = "input"
"""Of a call of apply_patch: where the patch stands."""
CHARS_MAX = 2_000_000
FILES_MAX = 500
BEGIN, END = "*** Begin Patch", "*** End Patch"
ENDS_FILE, MOVES = "*** End of File", "*** Move to:"
_HEADER = re.compile(r"\*\*\* (?P<verb>Add|Update|Delete) File:(?P<path>.*)\Z", re.DOTALL)
_ANYWHERE = re.compile(
    r"^[^\S\n]*\*\*\* (?P<verb>Add File|Update File|Delete File|Move to):[^\S\n]*(?P<path>[^\n]+?)[^\S\n]*$"
    r"|^--- (?P<old>\S[^\t\r\n]*).*\n\+\+\+ (?P<new>\S[^\t\r\n]*)",
    re.MULTILINE,
)
_DOES: dict[str, PatchOperation] = {"Add": "write", "Update": "edit", "Delete": "delete"}
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What Unicode calls white space; `str.strip` takes some separators besides, which belong to a path."""
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1\Z")


class PatchedFile(Record):
    """One file. `to`: where a moved one goes. `parts` are its (old, new) texts, of lines that end in a newline.

    `size` is the size of the change in lines, None where the patch does not tell.
    """

    does: PatchOperation
    path: str
    to: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    size: int | None = None


class Patch(Record):
    """`whole`: all of it was understood, and `files` are all that it touches."""

    files: tuple[PatchedFile, ...]
    whole: bool

    @property
    def named(self) -> list[tuple[PatchOperation, str]]:
        """(operation, path) of each file; a move is one of either path."""
        found: list[tuple[PatchOperation, str]] = []
        for file in self.files:
            found.append((file.does, file.path))
            if file.to:
                found.append(("move", file.to))
        return found

    @property
    def size(self) -> int | None:
        """The whole change in lines; None where a file does not tell."""
        sizes = [file.size for file in self.files]
        return None if None in sizes or not self.whole else sum(size or 0 for size in sizes)


def patch_of(tool_name: str, given: Mapping[str, object]) -> Patch | None:
    """The patch of a call of apply_patch, None for a call of another tool."""
    return parsed(text_of(given, FIELD) or text_of(given, "patch")) if tool_name == PATCH_TOOL else None


def parsed(text: str) -> Patch:
    """The files of a patch. Raises nothing. Without a file that it names, a patch is not whole."""
    kept = text[:CHARS_MAX]
    lines = kept.strip(_SPACE).split("\n")
    # The heredoc in which some models put a patch that no shell reads.
    opened = _HEREDOC.match(lines[0].strip(_SPACE))
    if opened and len(lines) > 1 and lines[-1].strip(_SPACE) == opened[2]:
        lines = lines[1:-1]
    if any(line.strip(_SPACE) == BEGIN for line in lines):
        found = _parse_patch_envelope(lines)
    else:
        unified = tuple(_find_patched_files(kept, unified=True))
        found = Patch(unified, bool(unified))
    whole = found.whole and len(text) <= CHARS_MAX and 0 < len(found.files) <= FILES_MAX
    # What else looks like a header, in whatever form.
    known = {path for _, path in found.named}
    more = [] if whole else [file for file in _find_patched_files(kept) if file.path not in known]
    return Patch((*found.files, *more)[:FILES_MAX], whole)


class _File:
    """A file whose lines are still being read."""

    def __init__(self, does: PatchOperation, path: str) -> None:
        self.does: PatchOperation = does
        self.path, self.to = path, ""
        self.parts: list[tuple[list[str], list[str]]] = []
        self.size = 0
        self._signs = [0, 0]

    def part(self) -> None:
        self.size += max(self._signs)
        self._signs = [0, 0]
        self.parts.append(([], []))

    def line(self, sign: str, text: str) -> None:
        if not self.parts:
            self.part()
        old, new = self.parts[-1]
        if sign != "+":
            old.append(text)
            self._signs[0] += sign == "-"
        if sign != "-":
            new.append(text)
            self._signs[1] += sign == "+"

    def done(self) -> PatchedFile:
        parts = tuple((_join_patch_lines(old), _join_patch_lines(new)) for old, new in self.parts)
        size = None if self.does == "delete" else self.size + max(self._signs)
        does: PatchOperation = "move" if self.to else self.does
        return PatchedFile(does, self.path, self.to, parts, size)


def _join_patch_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _parse_patch_envelope(lines: list[str]) -> Patch:
    files: list[_File] = []
    whole, ended = lines[0].strip(_SPACE) == BEGIN, False
    for raw in lines[1:] if whole else lines:
        line = raw.removesuffix("\r")
        plain = line.strip(_SPACE)
        header = _HEADER.match(plain)
        if header:
            files.append(_File(_DOES[header["verb"]], header["path"].strip(_SPACE)))
            whole = whole and not ended and bool(files[-1].path)
        elif plain == END:
            ended = True
        elif ended or not files:
            whole = whole and not plain
        else:
            whole = _read_patch_line(files[-1], line, plain) and whole
    return Patch(tuple(file.done() for file in files), whole and ended)


def _read_patch_line(file: _File, line: str, plain: str) -> bool:
    """Whether a line below its header belongs to the file."""
    if file.does == "edit":
        if plain.startswith(MOVES):
            fits = not file.to and not file.parts
            file.to = plain.removeprefix(MOVES).strip(_SPACE)
            return fits and bool(file.to)
        if line.startswith("@@"):
            file.part()
            return True
        if line[:1] in ("+", "-", " ") and line:
            file.line(line[0], line[1:])
            return True
        if not plain and file.parts:
            file.line(" ", "")
        return plain in ("", ENDS_FILE)
    if file.does == "write" and line.startswith("+"):
        file.line("+", line[1:])
        return True
    return not plain


def _find_patched_files(text: str, *, unified: bool = False) -> Iterator[PatchedFile]:
    for match in _ANYWHERE.finditer(text):
        verb = match["verb"]
        if verb and not unified:
            does: PatchOperation = "move" if verb == "Move to" else _DOES[verb.split()[0]]
            yield PatchedFile(does, match["path"].strip(_SPACE))
        elif not verb:
            old, new = _patch_side_path(match["old"]), _patch_side_path(match["new"])
            if new == os.devnull:
                yield PatchedFile("delete", old)
            else:
                yield PatchedFile("write" if old == os.devnull else "edit", new)


def _patch_side_path(path: str) -> str:
    path = path.strip().strip('"')
    return path if path == os.devnull else re.sub(r"^[abciwo]/", "", path)
