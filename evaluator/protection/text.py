"""What the text of a command spells that cannot be read: without its quoting, decoded, or put together from pieces."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence

QUOTING = re.compile(r"\\\n|[\"'\\]")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
CODED = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{2,3})|u00([0-9a-fA-F]{2}))")
NUMBERS = re.compile(r"(?:\b\d{2,3}\b[\s,]+){4,}\d{2,3}")
LITERAL = re.compile(r"'([^'\n]{1,300})'|\"([^\"\n]{1,300})\"")
TOKEN = re.compile(r"[\w./~-]+")
TEXT_MAX = 128 * 1024
DECODED_MAX = 40
"""Words of a command that are tried in each code."""
TOKENS_MAX = 2000
PIECE_MIN = 2


def quoting_removed(text: str) -> str:
    return QUOTING.sub("", text)


def literals(code: str) -> Iterator[str]:
    for found in LITERAL.finditer(code[:TEXT_MAX]):
        yield found.group(1) or found.group(2) or ""


def hidden_texts(command: str) -> Iterator[str]:
    """What the words of the command may be decoded to: base64, hex, escapes, codes of characters, backwards, rot13."""
    text = command[:TEXT_MAX]
    for number, found in enumerate(BASE64.finditer(text)):
        if number >= DECODED_MAX:
            break
        plain = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield binascii.a2b_base64(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
        except ValueError:
            continue
    for number, found in enumerate(HEX.finditer(text)):
        if number >= DECODED_MAX:
            break
        yield bytes.fromhex(found.group()).decode("utf-8", "replace")
    if CODED.search(text):
        yield quoting_removed(CODED.sub(_decoded, text))
    for number, found in enumerate(NUMBERS.finditer(text)):
        if number >= DECODED_MAX:
            break
        yield "".join(chr(int(code)) for code in re.findall(r"\d+", found.group()))
    yield text[::-1]
    if "tr " in text or "rot13" in text:
        import codecs

        yield codecs.encode(text, "rot13")


def _decoded(found: re.Match[str]) -> str:
    first, second, third = found.groups()
    return chr(int(second, 8) if second else int(first or third, 16))


def pieced_together(text: str, names: Sequence[str]) -> bool:
    """Whether pieces that stand apart in the text can be put together to one of the names."""
    tokens = list(dict.fromkeys(TOKEN.findall(text[:TEXT_MAX])))[:TOKENS_MAX]
    short = {token for token in tokens if len(token) >= PIECE_MIN}
    return any(_from_pieces(name, short) for name in names if PIECE_MIN * 2 <= len(name) <= 64)


def _from_pieces(name: str, tokens: set[str]) -> bool:
    ends: set[int] = set()
    for token in tokens:
        for size in range(PIECE_MIN, min(len(token), len(name) - PIECE_MIN) + 1):
            if token.endswith(name[:size]):
                ends.add(size)
    pending, tried = list(ends), set(ends)
    while pending:
        at = pending.pop()
        rest = name[at:]
        for token in tokens:
            if token.startswith(rest):
                return True
            if rest.startswith(token) and at + len(token) not in tried:
                tried.add(at + len(token))
                pending.append(at + len(token))
    return False
