"""Self-protection's part about other agents and about Compass's own commands. Pure; words only."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.protection.text import bare

if TYPE_CHECKING:
    from evaluator.shell.analysis import Analysis

UNDER_OTHER_RULES = "starts another agent with variables that decide on its hooks, settings or permissions"

_AGENTS = (
    r"AI_AGENT|CODEX_\w+"
    r"|GEMINI_\w+|QWEN_\w+|COPILOT_\w+|OPENCODE_\w+|CURSOR_\w+|GOOSE_\w+|AIDER_\w+|AMP_\w+|CLINE_\w+|CRUSH_\w+"
)
_PLACES = r"HOME|ONLOOKER_\w+|XDG_\w+_(?:HOME|DIR)"
_KEYS = r"(?:CODEX|GEMINI|QWEN|COPILOT|OPENCODE|CURSOR|AMP|AIDER|CLINE|CRUSH|GOOSE)_(?:API_KEY|MODEL|PROVIDER\w*)\b"
_EMPTIES = re.compile(r"\benv\s+(?:-\S+\s+)*(?:-i|-|--ignore-\w+|-\w*i\w*)(?=\s)|\bexec\s+-\w*c")
_DYNAMIC = re.compile(
    r"\b(?:export|declare|typeset|readonly|env|printf\s+-v)\s+(?:-\w+\s+)*(?:\w*[\"']*[$`{]|\w*\{)"
)


@lru_cache(maxsize=4)
def _sets(hosts: tuple[str, ...]) -> re.Pattern[str]:
    """What sets or takes away a variable of an agent, of a place or of Compass; `hosts` are regexes of theirs."""
    names = "|".join((*hosts, _AGENTS, _PLACES))
    return re.compile(
        rf"(?<![$\w{{])(?!{_KEYS})(?:(?:{names})\+?=|COMPASS_(?!HTTP_TOKEN\b))"
        rf"|(?:\bunset|\s-u|\s--unset[=\s]|\bexport\s+-n)\s*[^;&|]*\b(?:{names})\b"
    )


def offence_of(command: str, analysis: Analysis, variables: tuple[str, ...]) -> str:
    """What a command does to the gate through an agent or a command of Compass, in words that follow "it".

    `variables`: regexes of the names of those by which a host decides on its hooks, settings or session.
    """
    if analysis.offence:
        return analysis.offence
    if all(one.kind != "agent" for one in analysis.effects.each):
        return ""
    text = bare(command)
    found = _sets(variables).search(text) or _EMPTIES.search(text) or _DYNAMIC.search(text)
    return UNDER_OTHER_RULES if found else ""
