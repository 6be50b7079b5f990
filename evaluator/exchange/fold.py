"""One form for words and labels, so that two spellings of a phrase compare equal; which lines of a message were pasted.

Pure; depends on nothing.
"""

from __future__ import annotations

import re
import unicodedata

# Presentation selectors, the keycap and zero-width characters.
_UNSEEN = re.compile("[\ufe0e\ufe0f\u20e3\u200b-\u200d\u2060\ufeff]")
_SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "ё": "е"})


def fold(text: str) -> str:
    """NFKC, casefolded, with plain quotes and single spaces."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold().translate(_SAME)
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
    return _in_word(left) and _in_word(right)


def _in_word(char: str) -> bool:
    return (char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")) and not is_unspaced(
        char
    )


PLACE = r"at \S+[.(]|(?!\S*\d\d:\d\d:\d\d)\S+:\d+:\d+"
PASTE = re.compile(
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR|\[?(?i:error|warning|fatal"
    r"|panic|remote|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:|[\w.]*[A-Z]\w*(?:Error|Exception)\b"
    r"|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |[|]|::|\w+=#|@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
FENCE = re.compile(r"```.*?(?:```|$)", re.DOTALL)


def lines_of(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, and of each whether it was pasted. A single line is the writer's own, but for a fence."""
    fenced = FENCE.sub(lambda one: "\n" + one.group().replace("```", "").replace("\n", "\n> ") + "\n", text)
    found: list[tuple[str, bool]] = []
    below = False
    for line in fenced.split("\n"):
        below = PASTE.match(line) is not None or (below and line[:1].isspace() and line.strip() != "")
        found.append((line, below and (fenced != text or "\n" in text.strip())))
    return found


def parted(text: str) -> tuple[str, str]:
    """The user's own lines, and those that were pasted."""
    found = lines_of(text)
    own, pasted = (
        "\n".join(line for line, is_pasted in found if is_pasted is each) for each in (False, True)
    )
    return own, pasted
