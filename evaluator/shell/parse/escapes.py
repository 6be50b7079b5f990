"""Backslash escapes of `$'...'`, `echo -e` and `printf`."""

from __future__ import annotations

import re

ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
SIMPLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}


def decode_escapes(text: str) -> str:
    return ESCAPE.sub(_one, text) if "\\" in text else text


def _one(found: re.Match[str]) -> str:
    byte, short, long, octal, control, plain = found.groups()
    digits = byte or short or long
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "?"
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control[0]) & 0x1F)
    return SIMPLE.get(plain, plain)
