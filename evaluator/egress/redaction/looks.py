"""Whether a run of characters looks drawn by chance. Pure."""

from __future__ import annotations

import binascii
import itertools

from evaluator.egress.redaction.patterns import compiled

_CHUNK_MIN = 8
_HEX_MIN = 16
_CHANGES_MIN = 0.28
"""Least share of neighbours of unlike kind (lower, upper, digit) in a random run: camel case of English words has
about 0.25, random base62 0.6, base36 0.4."""
_WORDS_MAX = 0.6
_WORDS_MAX_LOWER = 0.75
"""Share of the characters that runs of at least three lower-case letters may hold: 0.2 in random base62, 0.6 in
base36, nearly 1 in identifiers."""

_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEX = r"(?=[a-f]*+[0-9])(?=[0-9]*+[a-f])[0-9a-f]+|(?=[A-F]*+[0-9])(?=[0-9]*+[A-F])[0-9A-F]+"
_LETTERS = r"[A-Z]?[a-z]{3,}"
_BREAK = r"[-_./+:~,=%]"


def is_random(value: str, least: int) -> bool:
    """Whether a value of at least `least` characters is a UUID, hex, or has a chunk that looks random."""
    core = value.strip("=")
    if len(core) < least:
        return False
    if compiled(_UUID).fullmatch(core) or compiled(_HEX).fullmatch(core):
        return True
    chunks = compiled(_BREAK).split(core)
    if any(len(chunk) >= _CHUNK_MIN and is_mixed(chunk) for chunk in chunks):
        return True
    joined = "".join(chunks)
    return all(sum(map(kind, joined)) >= 2 for kind in (str.isdigit, str.isupper, str.islower)) and is_mixed(
        joined
    )


def is_mixed(chunk: str) -> bool:
    if len(chunk) >= _HEX_MIN and compiled(_HEX).fullmatch(chunk):
        return True
    if not chunk.isalnum() or chunk.isdigit():
        return False
    words_max = _WORDS_MAX_LOWER if chunk.islower() else _WORDS_MAX
    if sum(map(len, compiled(_LETTERS).findall(chunk))) >= words_max * len(chunk):
        return False
    kinds = [0 if char.islower() else 1 if char.isupper() else 2 for char in chunk]
    changes = sum(one != other for one, other in itertools.pairwise(kinds))
    return changes >= max(3, _CHANGES_MIN * (len(chunk) - 1))


def is_user_and_password(value: str) -> bool:
    """Whether this is the base64 of `user:password` (RFC 7617)."""
    return ":" in _decoded(value)[1:]


def is_text(value: str) -> bool:
    """Whether this is the base64 of words."""
    return " " in _decoded(value)


def _decoded(value: str) -> str:
    """What printable text it is the base64 of; empty where of none."""
    if not value.isascii() or len(value) < _CHUNK_MIN:
        return ""
    try:
        found = binascii.a2b_base64(value[: len(value) // 4 * 4])
    except binascii.Error:
        return ""
    return found.decode("ascii") if all(32 <= byte < 127 for byte in found) else ""
