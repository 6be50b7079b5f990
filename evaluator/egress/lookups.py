"""Lines that name a target of a write, from what the agent looked up before it: which, in what order, how much of them.

Pure. Nothing here decides what a line means: it is data, whoever wrote it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from evaluator.egress.excerpt import MARK
from evaluator.egress.targets import (
    LOOSE,
    TargetNames,
    cut_at_word,
    label_of,
    names_one_of,
    pattern_of,
    rank_of,
    reads_files,
    strings_in,
)
from evaluator.model import Lookup
from evaluator.record import Record
from evaluator.text import width
from evaluator.trigger.exemptions import relative_to

REACH_LINES = 40
"""How far the fields of an object are looked for."""
FIELDS_MAX = 6
FOLLOWING_MAX = 4
OBJECT_CHARS_MAX = 300
HEADER_CHARS_MAX = 120
HEADER_SOURCE_MAX = 400

_KEYED = re.compile(
    r"""\s*(?:-\s+)?(?P<key>"[^"\n]{1,80}"|'[^'\n]{1,80}'|[\w./@-]{1,80})\s*(?::(?:\s+|$)|\s=\s)(?P<value>.*)"""
)
_OPENS = re.compile(r"[\[{]\s*$|[|>][-+]?\s*$")
_HEADING = re.compile(r"^(?:==>.*<==|commit [0-9a-f]{7,}\b.*|.*:)\s*$")
_FILE_NAME = re.compile(r"^==>.*<==$")
_RULE = frozenset(" \t+|=-")
_SEPARATORS = (",", "\t", "|")


def around(lines: Sequence[str], index: int, *, joins: bool) -> str:
    """The line at `index`, joined with what belongs to it, by single spaces; bounded in lines, not in characters.

    `joins` False: only the name of a file is joined, with how the file begins.
    """
    line = lines[index]
    found = _KEYED.match(line) if joins else None
    if found is not None:
        chosen = _children(lines, index) if not found["value"].strip() or _OPENS.search(line) else []
        chosen = chosen or _siblings(lines, index)
        return " ".join(lines[at].strip() for at in sorted({index, *chosen}))
    if (_HEADING if joins else _FILE_NAME).match(line.strip()):
        following: list[str] = []
        for next_line in map(str.strip, lines[index + 1 : index + 1 + 3 * FOLLOWING_MAX]):
            if _HEADING.match(next_line) or len(following) == FOLLOWING_MAX:
                break
            if re.search(r"\w", next_line) and not _OPENS.search(next_line):
                following.append(next_line)
        return " ".join((line.strip(), *following))
    return line.strip()


def object_in(line: str, start: int, end: int) -> str:
    """The JSON object that holds a found name, so that a minified line is quoted by its entry: the innermost braces
    around `start` to `end`, if they are short. Else the line itself."""
    opened = line.rfind("{", max(0, start - OBJECT_CHARS_MAX), start)
    closed = line.find("}", end, end + OBJECT_CHARS_MAX)
    return line[opened : closed + 1] if 0 <= opened < closed <= opened + OBJECT_CHARS_MAX else line


def header_of(lines: Sequence[str]) -> str:
    """The names of the columns of a table, empty where the first line is none."""
    shown = [line for line in lines[:4] if line.strip()]
    if len(shown) < 2:
        return ""
    first, second = shown[0].strip()[:HEADER_SOURCE_MAX], shown[1].strip()
    words = first.split()
    ruled = "--" in second and set(second) <= _RULE
    columns = len(words) > 1 and first.upper() == first and any(word.isalpha() for word in words)
    titled = len(re.split(r"\s{2,}", first)) > 2 and all(
        word[0].isupper() and not any(map(str.isdigit, word)) for word in words
    )
    if not (ruled or columns or titled or any(_is_named_by(first, mark) for mark in _SEPARATORS)):
        return ""
    return first[:HEADER_CHARS_MAX]


def is_row(header: str, line: str) -> bool:
    """Whether the columns are those of this line: of values between separators there are as many."""
    mark = next((mark for mark in _SEPARATORS if _is_named_by(header, mark)), "")
    return line.strip() != header and (not mark or line.count(mark) == header.count(mark))


def _is_named_by(header: str, mark: str) -> bool:
    cells = header.split(mark)
    return len(cells) > 1 and all(re.fullmatch(r"\s*[A-Za-z_][A-Za-z_ .()*]{0,40}", cell) for cell in cells)


def _indent(line: str) -> int:
    """Where the key stands: behind the dash of a list."""
    bare = line.lstrip()
    dash = re.match(r"-\s+", bare)
    return len(line) - len(bare) + (dash.end() if dash else 0)


def _siblings(lines: Sequence[str], index: int) -> list[int]:
    """Lines of the scalar fields of the same object, the nearest, without those that repeat a key; where there is room
    also of objects in it; and the key above it.
    """
    own, keys = _indent(lines[index]), {_key(lines[index])}
    places = [range(index + 1, min(len(lines), index + 1 + REACH_LINES))]
    if not _is_item(lines[index]):
        places.append(range(index - 1, max(-1, index - 1 - REACH_LINES), -1))
    found = [at for one in places for at in _run(lines, one, own, keys)]
    found.sort(key=lambda at: (_indent(lines[at]) != own, abs(at - index)))
    return [*found[:FIELDS_MAX], *_above(lines, index, own)]


def _run(lines: Sequence[str], places: range, own: int, keys: set[str]) -> list[int]:
    found: list[int] = []
    for at in places:
        line = lines[at]
        indent, item = _indent(line), _is_item(line)
        if not line.strip() or indent < own or (item and indent == own and places.step > 0):
            break
        field = _KEYED.match(line)
        if field is not None and indent == own and _key(line) in keys:
            break
        if field is not None and field["value"].strip() and not _OPENS.search(line):
            found.append(at)
            if indent == own:
                keys.add(_key(line))
        if item and indent == own:
            break
    return found


def _above(lines: Sequence[str], index: int, own: int) -> list[int]:
    """The line of the key that holds the object."""
    for at in range(index - 1, max(-1, index - 1 - REACH_LINES), -1):
        found = _KEYED.match(lines[at])
        if not lines[at].strip():
            break
        if _indent(lines[at]) < own:
            named = found is not None and (not found["value"].strip() or _OPENS.search(lines[at]))
            return [at] if named else []
    return []


def _children(lines: Sequence[str], index: int) -> list[int]:
    """Lines of the scalar fields directly below a key."""
    own, inner = _indent(lines[index]), -1
    found: list[int] = []
    for at in range(index + 1, min(len(lines), index + 1 + REACH_LINES)):
        line = lines[at]
        if not line.strip() or _indent(line) <= own or len(found) == FIELDS_MAX:
            break
        inner = _indent(line) if inner < 0 else inner
        if _indent(line) == inner and not _OPENS.search(line):
            found.append(at)
    return found


def _is_item(line: str) -> bool:
    return re.match(r"\s*-\s", line) is not None


def _key(line: str) -> str:
    found = _KEYED.match(line)
    return found["key"].strip("\"'") if found else line.strip()


TOTAL_CHARS_MAX = 600
"""All lines of a check together."""
LINE_CHARS_MAX = 240
LINES_PER_CALL = 5
LINES_PER_NAME = 3
"""Of one call."""
CANDIDATES_PER_CALL = 200
ANSWER_LINES = 3
"""Of a call that names the target itself and whose answer does not repeat it."""
ANSWER_OF_LINES_MAX = 40
SOURCE_CHARS_MAX = 4000
"""Of one line that is looked at; a longer one is known by what stands around the name."""
_LEAST_CHARS = 40
"""Room below which a further line says nothing."""
_SANITIZED_MAX = 40

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NUMBERED = re.compile(r"^\s*\d+[→\t]", re.MULTILINE)
_DATA_FILES = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf")
_SECRET_FILES = re.compile(
    r"\.env(?:rc)?(?!\w)|\.(?:netrc|pgpass|npmrc|pypirc|git-credentials)\b"
    r"|\.(?:pem|key|p12|pfx|jks|kdbx)(?![\w.-])|\bid_(?:rsa|dsa|ed25519|ecdsa)\b"
)
_PREFIX = re.compile(r"[^\s:=]{0,400}")
"""Where a search says of what file a line is."""
_FILE_BEGINS = re.compile(r"==> .* <==\s*$|diff --(?:git|cc|combined) ")
_SECRETIVE = re.compile(
    r"secret|passw|token|credential|vault|keychain|printenv|(?:^|[\s|;&])(?:env|set|pass|op|security)(?:\s|$)",
    re.IGNORECASE,
)
"""In a call whose answer may be a secret and nothing else: then only lines that name a target are shown, each alone."""


class _Found(Record):
    """A line, what is shown before it, and how near it is: `rank` of its surest `name`, `age` in calls."""

    rank: int
    name: str
    age: int
    names: int
    place: int
    label: str
    text: str


def looked_up(
    calls: Sequence[Lookup],
    names: TargetNames,
    *,
    project_dir: str,
    written: Collection[str],
    clean: Callable[[str, int | None], str],
) -> tuple[str, ...]:
    """Lines that name one of `names`, or answer a call that does, surest and newest first, each with its call.

    `calls` are reading calls, newest first. What they say of files that the agent itself has `written` in this turn
    (absolute paths) or repeat of their own words is no finding, and files of secrets are left out whole.
    `clean(text, limit)` sanitizes. At most TOTAL_CHARS_MAX wide together.
    """
    known = {name.casefold(): rank for name, rank in names.ranks.items()}
    found = [
        one
        for age, call in enumerate(calls)
        if not _is_left_out(call, written, project_dir)
        for one in _of_call(call, age, names, known, project_dir, written)
    ]
    shown: dict[str, None] = {}
    room = TOTAL_CHARS_MAX
    found.sort(key=lambda one: (one.rank, one.age, -one.names, one.place))
    for one in _in_turn(found)[:_SANITIZED_MAX]:
        line = _cut(clean(one.label, None), clean(one.text, None), one.name, min(room, LINE_CHARS_MAX))
        line = clean(line, min(room, LINE_CHARS_MAX)).strip()
        if line and line not in shown and width(line) <= room:
            shown[line] = None
            room -= width(line)
        if room < _LEAST_CHARS:
            break
    return tuple(shown)


def _is_left_out(call: Lookup, written: Collection[str], project_dir: str) -> bool:
    said = " ".join(strings_in(call.tool_input))
    return _SECRET_FILES.search(said) is not None or (
        reads_files(call) and names_one_of(call, written, project_dir)
    )


def _without_secret_files(lines: Sequence[str]) -> list[str]:
    """Searches, diffs and heads of many files show lines of some that the call did not name: these are empty."""
    kept: list[str] = []
    hidden = False
    for line in lines:
        if _FILE_BEGINS.match(line):
            hidden = _SECRET_FILES.search(line) is not None
        kept.append("" if hidden or _is_of_secret_file(line) else line)
    return kept


def _is_of_secret_file(line: str) -> bool:
    prefix = _PREFIX.match(line)
    return prefix is not None and _SECRET_FILES.search(prefix[0]) is not None


def _of_call(
    call: Lookup,
    age: int,
    names: TargetNames,
    known: dict[str, int],
    project_dir: str,
    written: Collection[str],
) -> list[_Found]:
    label = label_of(call, project_dir)
    bare = _ANSI.sub("", call.text)
    said = " ".join(strings_in(call.tool_input))
    pattern = _pattern(names, f"{bare}\n{said}")
    if pattern is None:
        return []
    lines = _without_secret_files(
        (_NUMBERED.sub("", bare) if call.tool_name == "Read" else bare).splitlines()
    )
    secretive = _SECRETIVE.search(said) is not None
    own, header, joins = _squeezed(said), header_of(lines), not secretive and _joins(call)
    written_here = tuple(f"{relative_to(path, project_dir) or path}:" for path in written)
    found: list[_Found] = []
    for place, line in enumerate(lines):
        hits = list(_hits(pattern, line))
        if not hits or line.lstrip("./").startswith(written_here) or _repeats(line, own):
            continue
        ranks = [rank_of(hit[0], known) for hit in hits]
        surest = hits[ranks.index(min(ranks))]
        text = _source(line, surest) if len(line) > LINE_CHARS_MAX else around(lines, place, joins=joins)
        if header and place and is_row(header, line):
            text = f"{header} | {text}"
        count = len({hit[0].casefold() for hit in hits})
        name, shown = surest[0].casefold(), " ".join(text.split())[:SOURCE_CHARS_MAX]
        found.append(_Found(min(ranks), name, age, count, place, label, shown))
        if len(found) == CANDIDATES_PER_CALL:
            break
    best = sorted(found, key=lambda one: (one.rank, -one.names, one.place))
    # Where a call names the target itself, what only shares its stem is another thing.
    sure = [one for one in best if one.rank < LOOSE]
    if not (sure or secretive or reads_files(call)):
        best = [*_answer(said, age, label, lines, pattern, known, own), *best]
    unlike: dict[str, _Found] = {}
    for one in sure or best:
        unlike.setdefault(one.text, one)
    return _in_turn(list(unlike.values()), LINES_PER_NAME)[:LINES_PER_CALL]


def _pattern(names: TargetNames, text: str) -> re.Pattern[str] | None:
    """Of the names that stand in the text at all: few of many do, and each is tried at each place."""
    folded = text.casefold()
    here = frozenset(name for name in names.ranks if name.casefold() in folded)
    return pattern_of(here, names.stems & here)


def _in_turn(found: Sequence[_Found], most: int = CANDIDATES_PER_CALL) -> list[_Found]:
    """Of each rank first one line of every name, then the second ones, as far as `most` of a name."""
    before: dict[tuple[int, str], int] = {}
    turns: list[tuple[int, int, _Found]] = []
    for one in found:
        turn = before[one.rank, one.name] = before.get((one.rank, one.name), -1) + 1
        if turn < most:
            turns.append((one.rank, turn, one))
    return [one for _, _, one in sorted(turns, key=lambda item: item[:2])]


def _answer(
    asking: str,
    age: int,
    label: str,
    lines: Sequence[str],
    pattern: re.Pattern[str],
    known: dict[str, int],
    own: str,
) -> list[_Found]:
    """The first lines of a call that itself names a target: `git log -1 --format=%an BRANCH` repeats no branch."""
    hits = _hits(pattern, asking)
    asked = [(rank_of(hit[0], known), hit[0].casefold()) for hit in hits]
    said = [line for line in lines if line.strip() and not _repeats(line, own)]
    if not asked or min(asked)[0] == LOOSE or not 0 < len(said) <= ANSWER_OF_LINES_MAX:
        return []
    rank, name = min(asked)
    text = " ".join(" ; ".join(line.strip()[:SOURCE_CHARS_MAX] for line in said[:ANSWER_LINES]).split())
    return [_Found(rank + 1, name, age, 0, 0, label, text)]


def _hits(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for number, hit in enumerate(pattern.finditer(text)):
        if number == 20:
            return
        yield hit


def _joins(call: Lookup) -> bool:
    """Whether lines that stand beside each other belong together: output and data, not the text of other files."""
    if not reads_files(call):
        return True
    if call.tool_name in ("Grep", "Glob", "LS"):
        return False
    return any(
        os.path.splitext(word)[1] in _DATA_FILES
        for text in strings_in(call.tool_input)
        for word in text.split()
    )


def _source(line: str, hit: re.Match[str]) -> str:
    """Of a long line what stands around the name, cut between words: half a secret would not be recognised."""
    within = object_in(line, *hit.span())
    if within is not line or len(line) <= SOURCE_CHARS_MAX:
        return within
    half = SOURCE_CHARS_MAX // 2
    start, end = max(0, hit.start() - half), min(len(line), hit.end() + half)
    piece = line[start:end]
    if start:
        piece = re.sub(r"^[^\s,]*", "", piece)
    return piece[: max(piece.rfind(" "), piece.rfind(","))] if end < len(line) else piece


def _repeats(line: str, own: str) -> bool:
    """Whether a line is what the call itself said: the agent's words, and no finding."""
    bare = _squeezed(line)
    return " " in bare and bare in own


def _squeezed(text: str) -> str:
    return " ".join(re.sub(r"[\"'\\]", "", text).split()).casefold()


def _cut(label: str, text: str, name: str, limit: int) -> str:
    """The label and as much of the text as fits, around the name if it stands there, cut between words."""
    label, text = " ".join(label.split()), " ".join(text.split())
    room = limit - width(label) - 2
    if room < _LEAST_CHARS // 2:
        return ""
    if width(text) <= room:
        return f"{label}: {text}"
    room -= 2 * (len(MARK) + 1)
    wide = 2 if width(text) > len(text) else 1
    place = max(0, text.casefold().find(name))
    size = max(room // wide, 1)
    start = max(0, min(place - size // 3, len(text) - size))
    if start:
        space = text.find(" ", start, start + size // 3 + 1)
        start = space + 1 if space >= 0 else start
    piece = cut_at_word(text[start:], size)
    before, after = f"{MARK} " if start else "", f" {MARK}" if start + len(piece) < len(text) else ""
    return f"{label}: {before}{piece}{after}"
