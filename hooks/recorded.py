"""What the recorded sessions of every host share: which files are meant, what an answer holds, an exchange as turns."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast

from evaluator.errors import PayloadError
from evaluator.model import Exchange

HELD = re.compile(r"Compass (?:held back|still holds back|could not check)")
"""How the reason of a denial of this gate begins, as the agent was told it (`evaluator.intervention.telling`)."""
HELD_CHARS = 200
OPENING = "Hello, I need help with this project."


def files_named(names: Sequence[str], belongs: Callable[[str], bool]) -> list[str]:
    """The files named, and those below the folders named that `belongs` takes, by path; each once, in order.

    Raises PayloadError for a name that is neither.
    """
    found: dict[str, None] = {}
    for name in names:
        path = os.path.realpath(os.path.expanduser(name))
        if os.path.isdir(path):
            below = (os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files)
            found |= dict.fromkeys(sorted(filter(belongs, below)))
        elif os.path.isfile(path):
            found[path] = None
        else:
            raise PayloadError(f"{name}: no such transcript")
    return list(found)


def answered(answer: bytes) -> dict[str, object]:
    """The object of a hook's answer, empty for one without any. Raises ValueError for what is no JSON object."""
    if not answer.strip():
        return {}
    found = cast(object, json.loads(answer))
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - a value of the answer
    return cast(dict[str, object], found)


def turns_of(exchange: Exchange) -> Iterator[tuple[Literal["user", "agent"], str, bool]]:
    """(who, words, whether it is of the request) in order: the prior turn behind a prompt that opened it, then the
    request.
    """
    if exchange.prior_assistant_turn:
        yield "user", OPENING, False
        yield "agent", exchange.prior_assistant_turn, False
    for message in exchange.request:
        yield "user", message, True
