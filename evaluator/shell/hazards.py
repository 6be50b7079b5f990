"""What a variable does to the programs that get it. The harmless ones are listed; behind any other nothing reads.

Those that decide which program a name means, what runs besides it or what the shell itself evaluates are listed too:
behind them nothing is known at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evaluator.tables import Vocabulary

VOCABULARY = Vocabulary("shell/hazards")

Weight = Literal["", "unlisted", "unknown"]
"""What it makes of the commands that see it: nothing, that they may do what no row says, that nobody can tell."""


@dataclass(frozen=True, slots=True)
class Steering:
    """`file` is what programs that see the variable write."""

    weight: Weight = ""
    file: str = ""


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOTHING = Steering()
UNLISTED = Steering("unlisted")
UNKNOWN = Steering("unknown")

HARMLESS_PAGERS = names("cat less more bat") | {"", "less -R", "less -FRX", "less -F", "less -X", "cat -v"}
HARMLESS_EDITORS = names("true cat : echo /bin/true") | {""}
TOOL_FOLDER = re.compile(
    r"(?:\$\{?PATH\}?|(?:/usr|/opt|/snap|/bin|/sbin|/nix)(?:/[\w.+-]+)*/?"
    r"|(?:~|\$\{?HOME\}?|/root|/home/\w+)(?:/[\w.+-]+)*/s?bin|(?:\$\{?\w+\}?|\.)?/?(?:node_modules/\.bin|\.?venv/bin)"
    r"|\$\{?(?:GOPATH|CARGO_HOME|JAVA_HOME|PYENV_ROOT|NVM_DIR|BUN_INSTALL|PNPM_HOME|GOROOT|ANDROID_HOME|VIRTUAL_ENV)\}?"
    r"(?:/[\w.+-]+)*|\$\([a-z]+ (?:env GOPATH|bin(?: -g)?|prefix -g|root|--prefix)\)(?:/\.?bin)?)\Z"
)

# Variables by which others decide what runs.
RUNS = VOCABULARY.words("runs")
FAMILIES = tuple(VOCABULARY.words("families"))
"""Of which the most decide what runs."""
POINTS = VOCABULARY.words("points")
"""They name another configuration, host or store, and stand in the environment of most shells already."""
FILES = VOCABULARY.words("files")
"""They name a file or folder that is written."""
PROMPTS = names("PS0 PS1 PS2 PS4 PROMPT RPROMPT PROMPT2 RPROMPT2 PROMPT3 PROMPT4")
EVALUATED = PROMPTS | VOCABULARY.words("evaluated")
"""The shell itself runs or writes what they say, without any command."""
TABLES = names("functions commands aliases galiases saliases dis_functions dis_aliases path fpath")
"""In zsh their entries are what names mean; other shells know them as plain variables."""
HARMLESS = VOCABULARY.words("harmless")
HARMLESS_FAMILIES = re.compile(VOCABULARY.either("harmless-families"))


VALUE_MAX = 1000
"""A longer value is not matched."""
VALUES: dict[str, str] = {
    **dict.fromkeys(("PAGER", "MANPAGER"), "|".join(map(re.escape, sorted(HARMLESS_PAGERS)))),
    **dict.fromkeys(("EDITOR", "VISUAL"), "|".join(map(re.escape, sorted(HARMLESS_EDITORS)))),
    **dict.fromkeys(PROMPTS, r"(?:[^$`\\]|\\[a-zA-Z@!#$\[\]]|\$\{?\w++\}?)*+"),
    **{
        name: rf"\s*(?:(?:{'|'.join(tokens.split())})(?:\s+|\Z))*"
        for name, tokens in VOCABULARY.texts("tokens").items()
    },
    **VOCABULARY.texts("values"),
}
"""Variables that steer, and as patterns the values with which they do not. Compiled when one is met."""
PLAIN_VALUES: dict[str, str] = VOCABULARY.texts("plain-values")
"""The same for those with which no value does more than the program's own options could."""
CLUSTERS = re.compile(r"(?:(?:~|\$\{?HOME\}?)/\.kube|/etc)(?:/[\w.-]+)+\Z")
INSIDE = re.compile(r"(?:\$\{?(?:PYTHONPATH(?::-)?|PWD)\}?|(?:\$\{?PWD\}?/|\./)?(?:\w[\w.-]*/?)*|\.)\Z")
TRACES = re.compile(r"(?:[0-9]|true|false|yes|no|on|off)?\Z", re.IGNORECASE)


def steering(name: str, value: str, cwd: str = "", *, given: bool = True) -> Steering:
    """What setting the variable (`NAME[...]` for a part of it) does to the commands that see it. `given` is false for
    one that stays in the shell, unless the environment holds it already."""
    name, index, _ = name.partition("[")
    if name in HARMLESS or HARMLESS_FAMILIES.match(name) or _harmless(name, value, cwd):
        return NOTHING
    if name in TABLES:
        return UNKNOWN if index else UNLISTED if name == "path" and "." not in value else NOTHING
    listed = name in RUNS or name in EVALUATED or name.startswith(FAMILIES)
    if not value and (listed or name in VALUES or name in POINTS or name in FILES):
        return NOTHING
    if name in FILES or (name.startswith("GIT_TRACE") and value[:1] in ("/", "~")):
        return Steering("", value)
    if name in POINTS:
        return UNLISTED
    if listed or name == "PATH" or name in VALUES or name.endswith(("_PAGER", "_EDITOR")):
        return UNKNOWN
    return UNLISTED if given else NOTHING


def _harmless(name: str, value: str, cwd: str) -> bool:
    """Whether a variable that could steer does nothing with this value."""
    if name == "PATH":
        return _extends_path(value, cwd)
    if name == "PYTHONPATH":
        return all(INSIDE.fullmatch(entry.removeprefix(f"{cwd}/")) for entry in value.split(":"))
    if name == "KUBECONFIG":
        return CLUSTERS.match(value) is not None
    if name.endswith(("_PAGER", "_EDITOR")):
        return value in HARMLESS_PAGERS or value in HARMLESS_EDITORS
    if name.startswith("GIT_TRACE") and TRACES.match(value):
        return True
    pattern = VALUES.get(name) or PLAIN_VALUES.get(name)
    return pattern is not None and len(value) <= VALUE_MAX and re.fullmatch(pattern, value) is not None


def heavier(one: Weight, other: Weight) -> Weight:
    return "unknown" if "unknown" in (one, other) else one or other


def _extends_path(value: str, cwd: str) -> bool:
    """What stands behind the old path shadows nothing; before it only folders where tools are installed."""
    entries = value.split(":")
    known = [index for index, entry in enumerate(entries) if entry in ("$PATH", "${PATH}")]
    if not known:
        return False
    inside = tuple(f"{cwd}/{folder}" for folder in ("node_modules/.bin", ".venv/bin", "venv/bin"))
    return all(TOOL_FOLDER.match(entry) or entry in inside for entry in entries[: known[0]])
