"""What the settings let leave the machine with each check, in a clause for people. Pure."""

from __future__ import annotations

from evaluator.egress.evidence import CONTENT_CHARS_MAX
from evaluator.settings.keys import Settings


def leaving(settings: Settings, *, names: bool) -> str:
    """To follow "sends". `names`: those that a write touches, unless no text of the exchange leaves either."""
    said, before = settings.context_chars_max > 0, settings.transcript.prior_turn_chars_max > 0
    found = ["what you asked for"] * said + ["what was said before it"] * before
    touched = " and the names of what it touches" if names and settings.sends_exchange else ""
    found.append(f"the write's targets{touched}")
    if settings.evidence.lookups != "off" and settings.sends_exchange:
        found.append("lines about them that the agent looked up")
    if settings.evidence.history and settings.sends_exchange:
        found += ["your earlier messages of the session"] * said + ["the calls of the turn so far"]
    if settings.sends_file_contents:
        return ", ".join(
            (*found, f"and of what would be written {CONTENT_CHARS_MAX:,} characters from each end")
        )
    return ", ".join((*found, "never file contents"))
