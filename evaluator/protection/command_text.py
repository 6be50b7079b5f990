"""What the text of a command spells, whatever a parse makes of it: without its quoting, and decoded. Pure."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from evaluator import wire
from evaluator.protection.places import Protected
from evaluator.shell.parse.lexed import decode_escapes

CONTROL_COMMANDS = (
    "init", "trust", "hook", "serve", "calibrate", "hindsight", "config", "statusline", "mcp", "ui", "team", "memory",
    "forget",
)  # fmt: skip
READING_BELOW = {
    "config": ("get", "list"),
    "memory": ("list",),
}
"""What follows the name of a control command that only reads."""
OWN_PROGRAMS = ("compass", "compass-gate")
PAGE_SECRET = re.compile(rf"{wire.PAGE_SECRET}[\w-]{{20}}", re.ASCII)
OWN_BY_NAME = re.compile(r"\b\w+=(?:\S*/)?compass(?:-gate)?(?![\w/.-])")
"""A variable, or an alias, that stands for Compass's program."""
_READING = "|".join(rf"{verb}\s+(?:{'|'.join(below)})\b" for verb, below in READING_BELOW.items())
CONTROL = re.compile(
    rf"(?<![\w.@-])(?:{'|'.join(OWN_PROGRAMS)})[\s,()\[\]]+(?:--json\s+)?"
    rf"(?!{_READING}|serve\s+--status)(?:{'|'.join(CONTROL_COMMANDS)})\b(?!\s+(?:--help|-h)\b)"
    r"|\b(?:killall|pkill)\b[^;&|\n]*\bcompass\b|\bbin/compass(?:-gate)?(?![\w/.-])"
)
API = re.compile(
    rf"compass/__main__\.py|hooks/plugin\.sh|/v1/hooks/|/page/link\b|COMPASS_HTTP_TOKEN|{PAGE_SECRET.pattern}"
)
"""Scripts of Compass, its HTTP API's own way in for hooks, the variable that opens it, and what opens the page."""
MODULE = re.compile(
    r"-m\s*compass\b|\bcompass[./](?:entry|cli|hook|commands|composition|configuration|service|install|page)\b|\bhooks[./]client\b"
    r"|\bfrom\s+(?:hooks|compass)\s+import\b"
)
"""What of Compass a Python program would load."""
_QUOTING = re.compile(r"\\\n|[\"'\\]")
_CODED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_STEPS = re.compile(r"/(?:\.?/)+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
_ESCAPE = re.compile(r"\\(?:x|u|0?[0-7]{2})")
TEXT_MAX = 128 * 1024
DECODED_MAX = 40
"""Words of a command that are tried in each code."""


def bare(text: str) -> str:
    """A command without quotes, escapes and line continuations, `$'...'` decoded, and no empty step in a path."""
    if "$'" in text:
        text = _CODED.sub(lambda found: decode_escapes(found[1]), text)
    return _STEPS.sub("/", _QUOTING.sub("", text))


@lru_cache(maxsize=16)
def mentions(protected: Protected) -> re.Pattern[str]:
    """A protected path, key or variable, or a control command, in a text without its quoting."""
    words = "|".join(map(re.escape, sorted({*protected.words, *protected.rare})))
    return re.compile("|".join(filter(None, (words, CONTROL.pattern, assignments(()).pattern))))


@lru_cache(maxsize=4)
def assignments(moving: Sequence[str]) -> re.Pattern[str]:
    """The name of a variable that decides on the gate, or where it is looked for, unless its value is only read."""
    names = "|".join((r"(?:COMPASS|ONLOOKER)_[A-Z]\w*", *map(re.escape, moving)))
    return re.compile(rf"(?<![\w$])(?<!\$\{{)(?:{names})\b")


def hidden_texts(command: str) -> Iterator[str]:
    """What the words of the command may be decoded to: base64, hex, escapes, backwards, rot13."""
    text = command[:TEXT_MAX]
    for found in islice(_BASE64.finditer(text), DECODED_MAX):
        plain = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield binascii.a2b_base64(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
        except ValueError:
            continue
    for found in islice(_HEX.finditer(text), DECODED_MAX):
        yield bytes.fromhex(found.group()).decode("utf-8", "replace")
    if _ESCAPE.search(text):
        yield bare(decode_escapes(text))
    yield text[::-1]
    if "tr " in text or "rot13" in text:
        import codecs

        yield codecs.encode(text, "rot13")
