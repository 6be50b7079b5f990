"""Whether a call that ended did what it was to do, by what Gemini CLI tells of its result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from evaluator.effects import text_of

_CLOSING = re.compile(r"(?:Exit Code|Signal|Background PIDs|Process Group PGID): .*|</untrusted_context>|\s*")
_STOPPED = ("Command was cancelled by user", "Command was automatically cancelled")
_OPENING = "<untrusted_context>"


def failed(tool: str, response: object) -> bool:
    """A tool's own error stands in `error`; that of a command alone in the last lines of what the model is told."""
    if not isinstance(response, dict):
        return False
    found = cast(Mapping[str, object], response)
    if found.get("error") is not None:
        return True
    return tool == "Bash" and _command_failed(text_of(found, "llmContent"))


def _command_failed(told: str) -> bool:
    if told.removeprefix(_OPENING).lstrip().startswith(_STOPPED):
        return True
    for line in reversed(told.split("\n")):
        if line.startswith(("Exit Code: ", "Signal: ")):
            return True
        if not _CLOSING.fullmatch(line):
            return False
    return False
