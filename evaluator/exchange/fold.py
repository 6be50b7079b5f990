"""One form for words and labels, so that two spellings of a phrase compare equal. Depends on nothing."""

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
