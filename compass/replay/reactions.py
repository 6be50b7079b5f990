"""What a person thought of a request's writes, by signs alone: refused, interrupted, taken back by word or by deed.

Reads no meaning: "undo that" counts, "hmm, not quite" does not.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from evaluator.effects import text_of
from evaluator.intervention.control import parse_control
from evaluator.text import is_continuation
from hooks.sessions import Called, Spoken

UNDOING = re.compile(
    r"(?:^|[.!?,;:\n]\s*|\b(?:please|no|now|just|then|and|can you|could you|let'?s|let us|bitte)\s+)"
    r"(?:undo|revert|roll (?:it |that |this )?back|back (?:it|that|this) out|(?:take|put) (?:it|that|this|them) back"
    r"|mach(?:e)? (?:das|es) rückgängig|annule|deshaz|desfaz)\b",
    re.IGNORECASE,
)
UNDOING_CHARS = 400
"""So much of the next message is looked at: further on it rather tells of undoing than orders it."""
_BACK_TO_FILES = re.compile(r"\bgit\s+(?:checkout|restore)\b")
_BACK_TO_COMMITS = re.compile(r"\bgit\s+(?:revert|reset)\b")
_COMMITS = re.compile(r"\bgit\s+commit\b")

ANSWERS_NOTHING = ("status", "pause", "resume", "unknown")
"""Controls that settle nothing of what is held."""

Edit = tuple[str, str, str, str]
"""(call, file, old text, new text); a commit has no file."""


@dataclass(slots=True)
class RecordedRequest:
    """A person's message and what became of the writes that followed. `at` in seconds since the epoch; ids are those of
    calls. Filled in as the session goes on."""

    text: str = ""
    at: float = 0.0
    last_call: str = ""
    interrupted: bool = False
    undone_by: str = ""
    reverted: set[str] = field(default_factory=set[str])
    held: set[str] = field(default_factory=set[str])
    answer: str = ""
    followed_by: str = ""
    """What the person said next, to the agent."""

    def refused(self, call: str) -> bool:
        return self.interrupted and call == self.last_call

    def taken_back(self, call: str) -> bool:
        return bool(self.undone_by) or call in self.reverted


class RequestLog:
    """The running request of one session, and the one before."""

    def __init__(self) -> None:
        self.running = self._before = RecordedRequest()
        self._edits: list[Edit] = []
        self._edits_before: list[Edit] = []

    def said(self, spoken: Spoken) -> None:
        """A reply to the gate, or "continue", opens no request."""
        running = self.running
        if control := parse_control(spoken.text):
            if control.verb not in ANSWERS_NOTHING:
                running.answer = running.answer or spoken.text
            return
        if is_continuation(spoken.text):
            return
        if running.held and not running.answer:
            running.answer = spoken.text
        if UNDOING.search(spoken.text[:UNDOING_CHARS]):
            running.undone_by = spoken.text
        running.followed_by = spoken.text
        self._before, self.running = running, RecordedRequest(spoken.text, spoken.at)
        self._edits_before, self._edits = self._edits, []

    def called(self, called: Called) -> None:
        given, running = called.tool_input, self.running
        running.last_call = called.tool_use_id
        if called.fate == "held":
            running.held.add(called.tool_use_id)
        file, command = text_of(given, "file_path"), text_of(given, "command")
        old, new = text_of(given, "old_string"), text_of(given, "new_string")
        for call, earlier, before, after in self._edits_before:
            name = os.path.basename(earlier)
            undoes = file == earlier != "" and (old, new) == (after, before) and old != new
            to_file = name != "" and name in command and _BACK_TO_FILES.search(command)
            to_commit = not name and _BACK_TO_COMMITS.search(command)
            if undoes or to_file or to_commit:
                self._before.reverted.add(call)
        if file:
            self._edits.append((called.tool_use_id, file, old, new))
        elif _COMMITS.search(command):
            self._edits.append((called.tool_use_id, "", "", ""))

    def interrupted(self) -> None:
        self.running.interrupted = True
