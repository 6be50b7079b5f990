"""The loss: does a text drop what nobody spoke of? Pure. Calls that destroy are for the hold (`destruction`)."""

from __future__ import annotations

import re

from evaluator.language import words
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.rules.rule import Example, Objection, Rule, Rules, short

DROP = re.compile(
    r"\b(?:drop\s+(?:table|column|constraint|index|database|schema|view|type)|truncate(?:\s+table)?)\s+"
    r"(?:if\s+exists\s+)?[\"'`\[]?([\w.]+)"
    r"|\b(?:(?:drop|remove)_?(?:table|column|constraint|index|field)|DeleteModel)\(\s*(?:model_name\s*=\s*)?[\"':]?(\w+)?",
    re.IGNORECASE,
)
"""What drops a part of a database, as it is spelled in a written text; and its name."""
PROSE = (".md", ".rst", ".txt")


def dropped(case: Case) -> Objection | None:
    """A written text that drops what nobody spoke of. Reversing its own creations is fine."""
    change, known = case.change, case.known
    path = change.targets[0].path if change.targets else ""
    if path.endswith(PROSE) or (change.targets and change.targets[0].is_test):
        return None
    for match in DROP.finditer(change.new):
        gone = (match.group(1) or match.group(2) or "").lower()
        made = gone and re.search(rf"(?i)(?:create|add)[\w ]*[\s(\"'`:]+{re.escape(gone)}\b", change.new)
        spoken = not gone or any(words.stem(piece) in known.stems for piece in words.split(gone))
        if match.group() not in change.old and not made and not ("delete" in known.actions and spoken):
            return Objection(
                "destructive", f"the change holds `{short(match.group(), 40)}`; nobody mentioned it"
            )
    return None


def _support(case: Case) -> float:
    return 0.5


RULES = Rules((
    Rule("dropping text", "loss", "the written text drops a part of a database that nobody spoke of",
         Example("", "Rename the `User` model to `Account`", "migrations/0042_rename.sql",
                 new="ALTER TABLE accounts DROP CONSTRAINT users_key;"), 4, 4, dropped),
), _support)  # fmt: skip
