"""What the user tells Compass itself: `compass: proceed` and the like. Pure; built-ins only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, cast

from evaluator.exchange.replies import CONTROL_PREFIX
from evaluator.intervention.control_words import ALL, COMMANDS, SETTINGS, SLASH, VERB_OF
from evaluator.intervention.near_miss import near_miss
from evaluator.model import KeptPrompt
from evaluator.record import Record

Verb = Literal[
    "proceed", "proceed_all", "proceed_settings", "cancel", "pause", "resume", "status", "unknown", "shown"
]  # fmt: skip

PAUSE_MINUTES = 10.0
PAUSE_MINUTES_MAX = 24 * 60.0
_CHARS_MAX = 200

_MINUTES = r"^(?:for )?(\d{1,5})\s*(m|min|mins|minute|minutes|minuten|分|분|h|hour|hours|stunden)?$"
_LONGEST_FIRST = sorted(VERB_OF, key=len, reverse=True)


class Control(Record):
    """`minutes` is set for a pause alone, `meant` for a near miss: the right words, nearest first; of a slash command,
    whose verb is `shown`, it is its name.
    """

    verb: Verb
    minutes: float = 0.0
    meant: tuple[str, ...] = ()


def parse_control(text: str) -> Control | None:
    """What a prompt tells Compass; None for one that is for the agent.

    The whole message must be the control. A near miss is `unknown`, which does nothing and is answered. So is a slash
    command of the plugin, whatever stands behind its name: an agent or a project can bring one about.
    """
    shown = _slash_command(text)
    if shown:
        return Control("shown", meant=(shown,))
    if len(text) > _CHARS_MAX:
        return None
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    found = _exact(folded)
    if found is not None:
        return found
    meant = near_miss(folded)
    return Control("unknown", meant=meant) if meant else None


def is_control_reply(text: str) -> bool:
    """Whether a message is for Compass, a near miss included: it asks the agent for nothing."""
    return parse_control(text) is not None


class Pause(Record):
    """`prompt` asked for it; it lasts until `ends`, in seconds since the epoch."""

    prompt: KeptPrompt
    ends: float


def pause_in(prompts: Sequence[KeptPrompt], at: float) -> Pause | None:
    """The pause that lasts at a moment, by the newest word of a session's prompts on it."""
    for prompt in reversed(prompts):
        control = parse_control(prompt.text)
        if control is None or control.verb not in ("pause", "resume"):
            continue
        ends = prompt.at + control.minutes * 60
        return Pause(prompt, ends) if prompt.at <= at < ends else None
    return None


def _slash_command(text: str) -> str:
    """The name of the plugin's command that a prompt calls; empty for any other prompt."""
    head = text.lstrip()[:_CHARS_MAX]
    if not head.startswith("/"):
        return ""
    name = unicodedata.normalize("NFKC", head).casefold().split(maxsplit=1)[0].removeprefix(SLASH)
    return name if name in COMMANDS else ""


def _exact(folded: str) -> Control | None:
    if not folded.startswith(CONTROL_PREFIX):
        return None
    words = folded[len(CONTROL_PREFIX) :].strip().rstrip(".!。！").strip()
    for start in _LONGEST_FIRST:
        if words == start or words.startswith(start + " "):
            return _control(VERB_OF[start], words[len(start) :].strip())
    return None


def _control(verb: str, rest: str) -> Control | None:
    if verb == "proceed" and rest in ALL:
        return Control("proceed_all")
    if verb == "proceed" and rest in SETTINGS:
        return Control("proceed_settings")
    if verb == "pause" and rest:
        return _pause(rest)
    if rest:
        return None
    return Control("pause", PAUSE_MINUTES) if verb == "pause" else Control(cast(Verb, verb))


def _pause(span: str) -> Control | None:
    found = re.match(_MINUTES, span)
    if not found:
        return None
    hours = (found[2] or "").startswith(("h", "stunde"))
    return Control("pause", min(float(found[1]) * (60 if hours else 1), PAUSE_MINUTES_MAX))
