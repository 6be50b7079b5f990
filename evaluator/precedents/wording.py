"""The lines in which readers are shown precedents: one fact a line, each text in quotes. Pure."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from evaluator.precedents.bearing import Bearing
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Precedent

Clean = Callable[[str, int], str]
EXTENTS = {
    "one_place": "in one place",
    "one_file": "in one file",
    "folder": "in the folder",
    "project": "in the project",
    "beyond": "beyond the project",
}


def line(found: Bearing, clean: Clean, clean_path: Clean, here: str) -> str:
    """`clean` sanitizes to a number of characters; `here` is the branch of the request."""
    one = found.precedent

    def quoted(text: str) -> str:
        return json.dumps(" ".join(clean(text, TEXT_CHARS_MAX).split()), ensure_ascii=False)

    target = json.dumps(clean_path(one.target, TEXT_CHARS_MAX), ensure_ascii=False)
    said = f", in the user's words: {quoted(one.said)}" if _tells(one.said) else ""
    meant = "did not mean" if one.tightens else "meant"
    how = ", ".join(filter(None, (one.action, EXTENTS.get(one.extent, ""))))
    return (
        f"{_when(one, quoted, here)}: {quoted(one.term)} {meant} {target}{f' ({how})' if how else ''}{said}"
    )


def _tells(said: str) -> bool:
    """A number or a letter that chose from a list says nothing of the thing."""
    return re.fullmatch(r"\W*(?:\d+|[a-z])?\W*", said.casefold()) is None


def _when(one: Precedent, quoted: Callable[[str], str], here: str) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(one.at))
    return day if one.branch == here else f"{day}, on branch {quoted(one.branch)}"
