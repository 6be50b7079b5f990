"""Files that give variables to shells and to sessions of a host: one line there can turn the gate off from outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from evaluator.protection.text import assignments, bare

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
GIVES = "gives variables that decide on the gate to later shells or sessions"


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
