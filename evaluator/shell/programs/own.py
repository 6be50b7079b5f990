"""Compass's own commands: those that read are the agent's as well, all others are the user's."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted
from evaluator.shell.rows.row import rows

CONTROLS = "runs a control command of Compass"
READING = names("doctor check explain replay bash demo try status log why completion")
"""What `compass.cli` declares to read; a test compares. A command that does not stand here does not read."""
READING_WITH = {"serve": ("--status",)}
READING_BELOW = {
    "config": names("get list"),
    "team": names("status"),
    "memory": names("list show export"),
}
"""The reading ones among the commands of a command."""
KEEPS = names("--record --yes --ask --backend")
"""Options with which a reading command keeps what it found, or spends."""


def _compass(call: Call) -> list[Outcome]:
    if any(word.decoded or (word.dynamic and word.bare) for word in call.args[:2]):
        return [replace(dynamic("system"), offence=CONTROLS)]
    texts = call.texts
    verb = texts[0] if texts else "--help"
    if verb in ("--version", "-V", "--help", "-h", "help") or (
        len(texts) == 2 and texts[1] in ("--help", "-h")
    ):
        return [reads("system")]
    options = read_options(call.args[1:])
    if verb in READING:
        return [unlisted("system")] if options.may_have(KEEPS) else [reads("system")]
    named = next((text for text in texts if not text.startswith("-")), "")
    if not re.fullmatch(r"[a-z][a-z-]*", named):
        return [unlisted("system")]
    asked = [text for text in texts[1:] if text != "--json"]
    if verb in READING_WITH and tuple(asked) == READING_WITH[verb]:
        return [reads("system")]
    if verb in READING_BELOW and asked and asked[0] in READING_BELOW[verb]:
        return [reads("system")]
    return [replace(unlisted("system"), offence=CONTROLS)]


PROGRAMS: dict[str, Handler] = rows("compass compass-gate", _compass)
