"""Lines that name a target of a write, from what the agent looked up before it: which, in what order, how much of them.

Pure. Nothing here decides what a line means: it is data, whoever wrote it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from itertools import islice, takewhile

from evaluator.effects import strings_of
from evaluator.egress.excerpt import excerpt
from evaluator.egress.targets import LOOSE, TargetNames, call_label, names_one_of, reads_files, target_pattern
from evaluator.model import Lookup
from evaluator.record import Record
from evaluator.text import width
from evaluator.trigger.calls import relative_to

FOLLOWING_MAX = 6
HEADER_CHARS_MAX = 120

_FIELD = re.compile(
    r"""(?P<indent>\s*)(?P<dash>-\s+)?(?:"[^"\n]{1,80}"|'[^'\n]{1,80}'|[\w./@-]{1,80})\s*(?::(?:\s|$)|=\s)"""
)
_FILE_NAME = re.compile(r"\s*==>.*<==\s*$")
_COLUMN = re.compile(r"\s*[A-Za-z_][A-Za-z_ .()*]{0,40}")
_BETWEEN_COLUMNS = re.compile(r"\s*[,\t|]\s*|\s{2,}")


def around(lines: Sequence[str], index: int) -> str:
    """The line at `index`, by single spaces with what says more of it: of a field of an object the fields that follow,
    of the name of a file how the file begins."""
    field = _FIELD.match(lines[index])
    following = lines[index + 1 : index + 1 + FOLLOWING_MAX]
    if field is not None:
        own = len(field["indent"]) + len(field["dash"] or "")
        fields = ((line, _FIELD.match(line)) for line in following)
        inner = takewhile(lambda one: one[1] is not None and len(one[1]["indent"]) >= own, fields)
        more = [line for line, _ in inner]
    elif _FILE_NAME.match(lines[index]):
        more = list(takewhile(lambda line: line.strip() and not _FILE_NAME.match(line), following))
    else:
        more = []
    return " ".join(line.strip() for line in (lines[index], *more))


def header_of(lines: Sequence[str]) -> str:
    """The names of the columns of a table, empty where the first line is none."""
    first = next((line.strip() for line in lines[:4] if line.strip()), "")[: 3 * HEADER_CHARS_MAX]
    columns = _BETWEEN_COLUMNS.split(first)
    table = len(columns) > 2 or (len(columns) == 2 and (first.isupper() or "|" in first))
    named = table and all(map(_COLUMN.fullmatch, columns))
    return " ".join(first.split())[:HEADER_CHARS_MAX] if named else ""


TOTAL_CHARS_MAX = 600
"""All lines of a check together."""
LINE_CHARS_MAX = 240
LINES_PER_CALL = 5
CANDIDATES_PER_CALL = 200
HITS_MAX = 20
"""Of one line."""
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
_PREFIX_ENDS = re.compile(r"[\s:=]")
PREFIX_CHARS_MAX = 400
"""In which a search says of what file a line is."""
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
    """Lines that name one of `names`, surest and newest first, each with its call.

    `calls` are reading calls, newest first. What they say of files that the agent itself has `written` in this turn
    (absolute paths) or repeat of their own words is no finding, and files of secrets are left out whole.
    `clean(text, limit)` sanitizes. At most TOTAL_CHARS_MAX wide together.
    """
    known = {name.casefold(): rank for name, rank in names.ranks.items()}
    found = [
        one
        for age, call in enumerate(calls)
        for one in _lines_of_lookup(call, age, names, known, project_dir, written)
    ]
    shown: dict[str, None] = {}
    room = TOTAL_CHARS_MAX
    found.sort(key=lambda one: (one.rank, one.age, one.place))
    for one in found[:_SANITIZED_MAX]:
        # The label and as much of the text as fits, around the name if it stands there.
        most, label = min(room, LINE_CHARS_MAX), " ".join(clean(one.label, None).split())
        left = most - width(label) - 2
        text = " ".join(excerpt(clean(one.text, None), left, (one.name,)).split())
        line = clean(f"{label}: {text}", most).strip() if left >= _LEAST_CHARS // 2 else ""
        if line and line not in shown and width(line) <= room:
            shown[line] = None
            room -= width(line)
        if room < _LEAST_CHARS:
            break
    return tuple(shown)


def _blank_secret_lookups(lines: Sequence[str]) -> list[str]:
    """Searches, diffs and heads of many files show lines of some that the call did not name: these are empty."""
    kept: list[str] = []
    hidden = False
    for line in lines:
        if _FILE_BEGINS.match(line):
            hidden = _SECRET_FILES.search(line) is not None
        of_secret_file = _SECRET_FILES.search(_PREFIX_ENDS.split(line[:PREFIX_CHARS_MAX], maxsplit=1)[0])
        kept.append("" if hidden or of_secret_file else line)
    return kept


def _lines_of_lookup(
    call: Lookup,
    age: int,
    names: TargetNames,
    known: dict[str, int],
    project_dir: str,
    written: Collection[str],
) -> list[_Found]:
    said = " ".join(strings_of(call.tool_input, numbers=True))
    if _SECRET_FILES.search(said) or (reads_files(call) and names_one_of(call, written, project_dir)):
        return []
    label = call_label(call, project_dir)
    bare = _ANSI.sub("", call.text)
    # Of the names that stand in the text at all: few of many do, and each is tried at each place.
    folded = f"{bare}\n{said}".casefold()
    here = frozenset(name for name in names.ranks if name.casefold() in folded)
    pattern = target_pattern(here, names.stems & here)
    if pattern is None:
        return []
    lines = _blank_secret_lookups(
        (_NUMBERED.sub("", bare) if call.tool_name == "Read" else bare).splitlines()
    )
    secretive = _SECRETIVE.search(said) is not None
    joins = not secretive and _joins_lookup_lines(call)
    own, header = _squeeze_lookup_text(said), header_of(lines) if joins else ""
    written_here = tuple(f"{relative_to(path, project_dir) or path}:" for path in written)
    found: list[_Found] = []
    for place, line in enumerate(lines):
        hits = list(islice(pattern.finditer(line), HITS_MAX))
        if not hits or line.lstrip("./").startswith(written_here):
            continue
        if " " in (words := _squeeze_lookup_text(line)) and words in own:
            continue  # The call's own words, repeated: the agent's, and no finding.
        ranks = [known.get(hit[0].casefold(), LOOSE) for hit in hits]
        surest = hits[ranks.index(min(ranks))]
        text = (
            _lookup_line_excerpt(line, surest)
            if len(line) > LINE_CHARS_MAX
            else around(lines, place)
            if joins
            else line.strip()
        )
        if header and text != header:
            text = f"{header} | {text}"
        name, shown = surest[0].casefold(), " ".join(text.split())[:SOURCE_CHARS_MAX]
        found.append(_Found(min(ranks), name, age, place, label, shown))
        if len(found) == CANDIDATES_PER_CALL:
            break
    best = sorted(found, key=lambda one: (one.rank, one.place))
    # Where a call names the target itself, what only shares its stem is another thing.
    sure = [one for one in best if one.rank < LOOSE]
    unlike: dict[str, _Found] = {}
    for one in sure or best:
        unlike.setdefault(one.text, one)
    return list(unlike.values())[:LINES_PER_CALL]


def _joins_lookup_lines(call: Lookup) -> bool:
    """Whether lines that stand beside each other belong together: output and data, not the text of other files."""
    if not reads_files(call):
        return True
    if call.tool_name in ("Grep", "Glob", "LS"):
        return False
    return any(
        os.path.splitext(word)[1] in _DATA_FILES
        for text in strings_of(call.tool_input, numbers=True)
        for word in text.split()
    )


def _lookup_line_excerpt(line: str, hit: re.Match[str]) -> str:
    """Of a long line what stands around the name, cut between words: half a secret would not be recognised."""
    if len(line) <= SOURCE_CHARS_MAX:
        return line
    half = SOURCE_CHARS_MAX // 2
    start, end = max(0, hit.start() - half), min(len(line), hit.end() + half)
    piece = line[start:end]
    if start:
        piece = re.sub(r"^[^\s,]*", "", piece)
    return piece[: max(piece.rfind(" "), piece.rfind(","))] if end < len(line) else piece


def _squeeze_lookup_text(text: str) -> str:
    return " ".join(re.sub(r"[\"'\\]", "", text).split()).casefold()
