"""What a call does to the variables that govern agents and hosts: they may turn the gate off from outside. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.protection.command_text import assignments, bare

if TYPE_CHECKING:
    from evaluator.shell.analysis import Analysis

# Files that give variables to shells and to sessions of a host.
_FILES = re.compile(
    r"(?:^|/)(?:\.(?:bash(?:rc|_profile|_login|_aliases|_logout)|zsh(?:rc|env)|zprofile|zlogin|profile|k?shrc|mkshrc"
    r"|t?cshrc|login|xsession(?:rc)?|xprofile|xinitrc|pam_environment|tmux\.conf|envrc(?:\.\w+)?|env(?:\.local)?)"
    r"|environment|etc/(?:profile|bash\.bashrc|bashrc|zsh(?:rc|env|/\w+)|zprofile|launchd\.conf)"
    r"|etc/profile\.d/[^/]+|environment\.d/[^/]+|fish/(?:config\.fish|fish_variables|conf\.d/[^/]+)|nushell/\w+\.nu"
    r"|systemd/(?:[^/]+/)*[^/]+\.(?:service|conf|socket|timer|target)|Launch(?:Agents|Daemons)/[^/]+\.plist"
    r"|\.ssh/(?:environment|rc)|\.?mise(?:\.local)?\.toml|mise/config\.toml|tmux/tmux\.conf|\.?devcontainer\.json"
    r"|\.vscode/\w+\.json|Code(?: - Insiders)?/User/settings\.json|[^/]+\.code-workspace"
    r"|\.vscode-server/(?:[^/]+/)*settings\.json)\Z"
)
_SETTERS = re.compile(
    r"\blaunchctl\s+(?:setenv|config)|\bsystemctl\b[^;&|\n]*\s(?:set|unset|import)-environment|\bset-?env(?:ironment)?\b"
    r"|\bdbus-update-activation-environment\b|\bset\s+(?:-\w+\s+)*(?:-\w*U|--universal)|\bsetx\b"
)
_COMMENT = re.compile(r"\s*(?:#|//)")
GIVES = "sets variables that control the gate for later shells or sessions"
UNDER_OTHER_RULES = "starts another agent with variables that control its hooks, settings or permissions"

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


def is_given(path: str) -> bool:
    """Whether shells or sessions take variables from a file of that name."""
    return _FILES.search(path) is not None


def changes(before: str, after: str, moving: Sequence[str]) -> bool:
    """Whether other lines than before name a variable that decides on the gate."""
    return _lines(before, moving) != _lines(after, moving)


def _lines(text: str, moving: Sequence[str]) -> Counter[str]:
    names = assignments(tuple(moving))
    return Counter(line for line in text.split("\n") if names.search(line) and not _COMMENT.match(line))


def sets_by_command(command: str, targets: Sequence[str], moving: Sequence[str]) -> bool:
    """Whether a command sets such a variable for later sessions, or writes one into such a file."""
    text = bare(command)
    if not assignments(tuple(moving)).search(text):
        return False
    return _SETTERS.search(text) is not None or any(map(is_given, targets))
