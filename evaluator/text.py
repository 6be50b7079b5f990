"""Words and texts: the tables of words that the package holds, and texts in the form in which they are compared, shown
or kept. Words are folded, so that two spellings of one are equal; lines that were pasted are told apart, and messages
that ask for nothing new; what a terminal may print; moments, and the ULIDs of checks (https://github.com/ulid/spec).

Pure but for the tables. TOML is their source; an installation has JSON in its place: `json.loads` takes 0.2 ms for a
table of 200 rows, `tomllib` 20 to 30 ms. `hatch_build.py` writes the JSON: into the wheel, and in a checkout beside the
source, where it counts until the source is edited.
"""

from __future__ import annotations

import math
import os
import re
import time
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import cast

PACKAGE = os.path.dirname(__file__)
INDEX = "index"
NONE: frozenset[str] = frozenset()
"""No words."""


@cache
def table(name: str, package: str = PACKAGE) -> dict[str, object]:
    """The file of this name below a package's folder, without its suffix: `egress/shapes`. It must not be changed."""
    source, built = (os.path.join(package, name + suffix) for suffix in (".toml", ".json"))
    # Neither parser is loaded before a text is looked at.
    if _is_built_table_current(built, source):
        import json

        with open(built, encoding="utf-8") as file:
            return cast(dict[str, object], json.load(file))
    import tomllib

    with open(source, "rb") as file:
        return tomllib.load(file)


@cache
def index(folder: str) -> dict[str, str]:
    """{program: the name of the file that has its table} for a folder of tables. It must not be changed."""
    place = os.path.join(PACKAGE, folder)
    files = (
        os.path.splitext(name) for name in os.listdir(place)
    )  # among them folders of an older version's bytecode
    names = sorted({name for name, suffix in files if suffix in (".toml", ".json")} - {INDEX})
    built = os.path.join(place, f"{INDEX}.json")
    if all(_is_built_table_current(built, os.path.join(place, f"{name}.toml")) for name in names):
        return cast(dict[str, str], table(f"{folder}/{INDEX}"))
    found: dict[str, str] = {}
    for name in names:
        for key in cast(dict[str, object], table(f"{folder}/{name}")["programs"]):
            found.update(dict.fromkeys(key.split(", "), name))
    return found


def names(text: str) -> frozenset[str]:
    """The words of a text, between blanks."""
    return frozenset(text.split())


class Vocabulary:
    """Words of a file, or of one section of it, each list under a key."""

    def __init__(self, name: str, section: str = "") -> None:
        found = table(name)
        self._lists = cast(dict[str, object], found[section] if section else found)

    def words(self, key: str) -> frozenset[str]:
        return names(cast(str, self._lists[key]))

    def either(self, key: str) -> str:
        """The words as alternatives of one pattern."""
        return "|".join(cast(str, self._lists[key]).split())

    def texts(self, key: str) -> dict[str, str]:
        """A text by each name; names that share one stand between commas."""
        texts = cast(dict[str, str], self._lists[key])
        return {name: text for names, text in texts.items() for name in names.split(", ")}

    def sets(self, key: str) -> dict[str, frozenset[str]]:
        return {name: names(text) for name, text in self.texts(key).items()}


def _is_built_table_current(built: str, source: str) -> bool:
    try:
        written = os.stat(built).st_mtime_ns
    except FileNotFoundError:
        return False
    try:
        return os.stat(source).st_mtime_ns <= written
    except FileNotFoundError:
        return True


# Presentation selectors, the keycap and zero-width characters.
_UNSEEN = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u20e3\u200b\u200c\u200d\u2060\ufeff"))
_SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "ё": "е"})


def alternatives(words: Iterable[str]) -> str:
    """A pattern of one of the words, the longest tried first."""
    return "|".join(re.escape(one) for one in sorted(words, key=lambda one: (-len(one), one)))


def fold(text: str) -> str:
    """NFKC, casefolded, with plain quotes and single spaces."""
    plain = unicodedata.normalize("NFKC", text.translate(_UNSEEN)).casefold().translate(_SAME)
    return " ".join(plain.split())


def phrases(data: str) -> tuple[str, ...]:
    """The folded entries of a comma-separated list."""
    return tuple(fold(one) for one in data.split(",") if one.strip())


def is_unspaced(char: str) -> bool:
    """Whether the character's script writes words without spaces, or joins endings to them."""
    return (
        "\u3005" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or "\uac00" <= char <= "\ud7a3"
        or "\uf900" <= char <= "\ufaff"
    )


def joins(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    return _is_text_word_char(left) and _is_text_word_char(right)


def _is_text_word_char(char: str) -> bool:
    return (char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")) and not is_unspaced(
        char
    )


PLACE = r"at \S+[.(]|(?!\S*\d\d:\d\d:\d\d)\S+:\d+:\d+"
PASTE = (
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR|\[?(?i:error|warning|fatal"
    r"|panic|remote|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:|[\w.]*[A-Z]\w*(?:Error|Exception)\b"
    r"|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |[|]|::|\w+=#|@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
FENCE = r"(?s:```.*?(?:```|$))"


def lines_of(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, and of each whether it was pasted. A single line is the writer's own, but for a fence."""
    fenced = re.sub(
        FENCE, lambda one: "\n" + one.group().replace("```", "").replace("\n", "\n> ") + "\n", text
    )
    found: list[tuple[str, bool]] = []
    below = False
    for line in fenced.split("\n"):
        below = re.match(PASTE, line) is not None or (below and line[:1].isspace() and line.strip() != "")
        found.append((line, below and (fenced != text or "\n" in text.strip())))
    return found


def parted(text: str) -> tuple[str, str]:
    """The user's own lines, and those that were pasted."""
    found = lines_of(text)
    own, pasted = (
        "\n".join(line for line, is_pasted in found if is_pasted is each) for each in (False, True)
    )
    return own, pasted


CONTROL_PREFIX = "compass:"

_CHARS_MAX = 64


def is_continuation(text: str) -> bool:
    """Whether the whole message only tells the agent to go on; case, spacing and end marks do not matter."""
    if len(text) > _CHARS_MAX:
        return False
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    # A question mark is none of the marks that do not matter: "continue?" asks.
    plain = "".join(" " if char in ".,!…;:~。、！，" else char for char in folded)
    return " ".join(plain.split()) in _continuation_texts()


@cache
def _continuation_texts() -> frozenset[str]:
    listed = cast(str, table("exchange/words")["continuations"])
    return frozenset(" ".join(one.split()) for one in listed.split(","))


def speaks_to_compass(text: str) -> bool:
    """Whether the beginning of a control reply, or the skip sentinel, stands anywhere in a text."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    seen = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return re.search(r"compass\s*:|\[\s*compass\s*:\s*skip", seen) is not None


TEXT_MAX = 400


def safe(text: str, mark: str = "?", *, keep: str = "") -> str:
    """`text` with `mark` for each character that cannot be printed, line ends too, but those of `keep`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else mark for char in text)


def width(text: str) -> int:
    """Length in characters; wide characters (Unicode East Asian Width W and F) count double."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def printable(found: str, most: int = TEXT_MAX) -> str:
    """One line without control or format characters (those that steer a terminal, or turn the writing direction)."""
    line = " ".join(safe(found, " ").split())
    return line if len(line) <= most else line[: most - 1] + "…"


def one_line(found: str, most: int) -> str:
    """As `printable`, with nothing for what cannot be seen: characters that join or hide keep no name from its like."""
    return printable("".join(char for char in found if char.isprintable() or char.isspace()), most)


def percent(share: float) -> str:
    """As it was stated: 0.025 is 2.5%."""
    return f"{100 * share:g}%"


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


DAY_SECONDS = 86_400.0
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, the last that RFC 3339 can write

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
LENGTH = 26
RANDOM_BYTES = 10
LAST_MILLISECOND = (1 << 48) - 1


def day_of(at: float) -> str:
    """YYYY-MM-DD in UTC of `at`, seconds since the epoch, as spending is counted."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def rfc3339(at: float) -> str:
    """`at` in seconds since the epoch as `2025-01-31T12:00:00.000Z` (RFC 3339, section 5.6).

    What cannot be written (not a number, before 1970, past 9999) becomes the nearest end of that range.
    """
    seconds = 0.0 if math.isnan(at) else min(max(at, 0.0), float(LAST_SECOND))
    whole, thousandths = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{thousandths:03d}Z"


def for_file_name(at: float) -> str:
    """The same moment without separators, `20250131T120000Z`."""
    return rfc3339(at)[:19].replace("-", "").replace(":", "") + "Z"


def ulid(now: float, randomness: bytes) -> str:
    """The ULID of `now` (seconds since the epoch, held within 48 bits of milliseconds) and 10 random bytes.

    Ids of one millisecond have no order among themselves. Raises ValueError for another number of bytes.
    """
    if len(randomness) != RANDOM_BYTES:
        raise ValueError(f"a ULID takes {RANDOM_BYTES} random bytes, not {len(randomness)}")
    milliseconds = min(max(int(now * 1000), 0), LAST_MILLISECOND)
    number = milliseconds << 80 | int.from_bytes(randomness, "big")
    return "".join([ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5)])


def local_minute(at: float) -> str:
    """As in 2026-11-21 14:05."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
