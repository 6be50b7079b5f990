"""Files of NAME=value that a host puts into the environment of its hooks, read as its `dotenv` package does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from evaluator.exhaustion import raise_want

BYTES_MAX = 1024 * 1024
_LINE = re.compile(
    r"^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)"
    r"(\s*'(?:\\'|[^'])*'|\s*\"(?:\\\"|[^\"])*\"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$",
    re.MULTILINE | re.ASCII,
)


def variables(path: str) -> Mapping[str, str]:
    """What the file sets; nothing for one that cannot be read. Raises OSError for want of descriptors alone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise_want(error)
        return {}
    try:
        with open(descriptor, "rb") as file:
            raw = file.read(BYTES_MAX) or b""
    except OSError:
        return {}
    return parsed(raw.decode("utf-8", "replace"))


def parsed(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _LINE.finditer(re.sub(r"\r\n?", "\n", text)):
        value = (line[2] or "").strip()
        quote = value[:1]
        value = re.sub(r"^(['\"`])([\s\S]*)\1$", r"\2", value)
        if quote == '"':
            value = value.replace("\\n", "\n").replace("\\r", "\r")
        found[line[1]] = value
    return found


def files_above(folder: str, names: tuple[str, ...], home: str) -> Iterator[str]:
    """Those that may set variables for an agent that works in `folder`, but for the user's own, in the home."""
    at = os.path.realpath(folder)
    own = os.path.realpath(home)
    while True:
        if at != own:
            yield from (path for name in names if os.path.lexists(path := os.path.join(at, name)))
        above = os.path.dirname(at)
        if above == at:
            return
        at = above
