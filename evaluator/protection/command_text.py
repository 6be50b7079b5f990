"""What the text of a command spells, whatever a parse makes of it: without its quoting, and decoded. And what it does
to the variables that govern agents and hosts, which may turn the gate off from outside. Pure.
"""

from __future__ import annotations

import binascii
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from evaluator import wire
from evaluator.protection.places import Protected
from evaluator.shell.parse.grammar import decode_escapes

if TYPE_CHECKING:
    from evaluator.shell.bash import Analysis

CONTROL_COMMANDS = (
    "init", "trust", "hook", "serve", "calibrate", "hindsight", "config", "statusline", "mcp", "ui", "team", "memory",
    "forget",
)  # fmt: skip
READING_BELOW = {
    "config": ("get", "list"),
    "memory": ("list",),
}
"""What follows the name of a control command that only reads."""
OWN_PROGRAMS = ("compass", "compass-gate")
PAGE_SECRET = re.compile(rf"{wire.PAGE_SECRET}[\w-]{{20}}", re.ASCII)
OWN_BY_NAME = re.compile(r"\b\w+=(?:\S*/)?compass(?:-gate)?(?![\w/.-])")
"""A variable, or an alias, that stands for Compass's program."""
_READING = "|".join(rf"{verb}\s+(?:{'|'.join(below)})\b" for verb, below in READING_BELOW.items())
CONTROL = re.compile(
    rf"(?<![\w.@-])(?:{'|'.join(OWN_PROGRAMS)})[\s,()\[\]]+(?:--json\s+)?"
    rf"(?!{_READING}|serve\s+--status)(?:{'|'.join(CONTROL_COMMANDS)})\b(?!\s+(?:--help|-h)\b)"
    r"|\b(?:killall|pkill)\b[^;&|\n]*\bcompass\b|\bbin/compass(?:-gate)?(?![\w/.-])"
)
API = re.compile(
    rf"compass/__main__\.py|hooks/plugin\.sh|/v1/hooks/|/page/link\b|COMPASS_HTTP_TOKEN|{PAGE_SECRET.pattern}"
)
"""Scripts of Compass, its HTTP API's own way in for hooks, the variable that opens it, and what opens the page."""
MODULE = re.compile(
    r"-m\s*compass\b|\bcompass[./](?:entry|cli|hook|commands|composition|configuration|service|install|page)\b|\bhooks[./]client\b"
    r"|\bfrom\s+(?:hooks|compass)\s+import\b"
)
"""What of Compass a Python program would load."""
_QUOTING = re.compile(r"\\\n|[\"'\\]")
_CODED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_STEPS = re.compile(r"/(?:\.?/)+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
_ESCAPE = re.compile(r"\\(?:x|u|0?[0-7]{2})")
TEXT_MAX = 128 * 1024
DECODED_MAX = 40
"""Words of a command that are tried in each code."""


def bare(text: str) -> str:
    """A command without quotes, escapes and line continuations, `$'...'` decoded, and no empty step in a path."""
    if "$'" in text:
        text = _CODED.sub(lambda found: decode_escapes(found[1]), text)
    return _STEPS.sub("/", _QUOTING.sub("", text))


@lru_cache(maxsize=16)
def mentions(protected: Protected) -> re.Pattern[str]:
    """A protected path, key or variable, or a control command, in a text without its quoting."""
    words = "|".join(map(re.escape, sorted({*protected.words, *protected.rare})))
    return re.compile("|".join(filter(None, (words, CONTROL.pattern, assignments(()).pattern))))


@lru_cache(maxsize=4)
def assignments(moving: Sequence[str]) -> re.Pattern[str]:
    """The name of a variable that decides on the gate, or where it is looked for, unless its value is only read."""
    names = "|".join((r"(?:COMPASS|ONLOOKER)_[A-Z]\w*", *map(re.escape, moving)))
    return re.compile(rf"(?<![\w$])(?<!\$\{{)(?:{names})\b")


def hidden_texts(command: str) -> Iterator[str]:
    """What the words of the command may be decoded to: base64, hex, escapes, backwards, rot13."""
    text = command[:TEXT_MAX]
    for found in islice(_BASE64.finditer(text), DECODED_MAX):
        plain = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield binascii.a2b_base64(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
        except ValueError:
            continue
    for found in islice(_HEX.finditer(text), DECODED_MAX):
        yield bytes.fromhex(found.group()).decode("utf-8", "replace")
    if _ESCAPE.search(text):
        yield bare(decode_escapes(text))
    yield text[::-1]
    if "tr " in text or "rot13" in text:
        import codecs

        yield codecs.encode(text, "rot13")


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
def _variable_change_pattern(hosts: tuple[str, ...]) -> re.Pattern[str]:
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
    found = _variable_change_pattern(variables).search(text) or _EMPTIES.search(text) or _DYNAMIC.search(text)
    return UNDER_OTHER_RULES if found else ""


def is_given(path: str) -> bool:
    """Whether shells or sessions take variables from a file of that name."""
    return _FILES.search(path) is not None


def changes(before: str, after: str, moving: Sequence[str]) -> bool:
    """Whether other lines than before name a variable that decides on the gate."""
    return _count_assignment_lines(before, moving) != _count_assignment_lines(after, moving)


def _count_assignment_lines(text: str, moving: Sequence[str]) -> Counter[str]:
    names = assignments(tuple(moving))
    return Counter(line for line in text.split("\n") if names.search(line) and not _COMMENT.match(line))


def sets_by_command(command: str, targets: Sequence[str], moving: Sequence[str]) -> bool:
    """Whether a command sets such a variable for later sessions, or writes one into such a file."""
    text = bare(command)
    if not assignments(tuple(moving)).search(text):
        return False
    return _SETTERS.search(text) is not None or any(map(is_given, targets))
