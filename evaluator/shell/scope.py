"""What a shell knows at one point of a script: folder, variables, functions. No file system, no environment.

What a variable does to the programs that get it: the harmless ones are listed; behind any other nothing reads. Those
that decide which program a name means, what runs besides it or what the shell itself evaluates are listed too: behind
them nothing is known at all. What hosts know of variables stands in the hosts' packages, and is joined before the first
command is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from evaluator.record import Record
from evaluator.shell.parse.grammar import Unreadable
from evaluator.text import Vocabulary, names

VOCABULARY = Vocabulary("shell/hazards")

Hazard = Literal["", "unlisted", "unknown"]
"""What it makes of the commands that see it: nothing, that they may do what no row says, that nobody can tell."""


@dataclass(frozen=True, slots=True)
class VariableSteering:
    """`file` is what programs that see the variable write."""

    weight: Hazard = ""
    file: str = ""


NOTHING = VariableSteering()
UNLISTED = VariableSteering("unlisted")
UNKNOWN = VariableSteering("unknown")

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


def variable_steering(name: str, value: str, cwd: str = "", *, given: bool = True) -> VariableSteering:
    """What setting the variable (`NAME[...]` for a part of it) does to the commands that see it. `given` is false for
    one that stays in the shell, unless the environment holds it already."""
    name, index, _ = name.partition("[")
    if name in HARMLESS or HARMLESS_FAMILIES.match(name) or _is_harmless_in_scope(name, value, cwd):
        return NOTHING
    if name in TABLES:
        return UNKNOWN if index else UNLISTED if name == "path" and "." not in value else NOTHING
    listed = name in RUNS or name in EVALUATED or name.startswith(FAMILIES)
    if not value and (listed or name in VALUES or name in POINTS or name in FILES):
        return NOTHING
    if name in FILES or (name.startswith("GIT_TRACE") and value[:1] in ("/", "~")):
        return VariableSteering("", value)
    if name in POINTS:
        return UNLISTED
    if listed or name == "PATH" or name in VALUES or name.endswith(("_PAGER", "_EDITOR")):
        return UNKNOWN
    return UNLISTED if given else NOTHING


def _is_harmless_in_scope(name: str, value: str, cwd: str) -> bool:
    """Whether a variable that could steer does nothing with this value."""
    if name == "PATH":
        entries = value.split(":")
        known = [index for index, entry in enumerate(entries) if entry in ("$PATH", "${PATH}")]
        inside = tuple(f"{cwd}/{folder}" for folder in ("node_modules/.bin", ".venv/bin", "venv/bin"))
        # What stands behind the old path shadows nothing; before it only folders where tools are installed.
        before = entries[: known[0]] if known else ["."]
        return all(TOOL_FOLDER.match(entry) or entry in inside for entry in before)
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


def worse_hazard(one: Hazard, other: Hazard) -> Hazard:
    return "unknown" if "unknown" in (one, other) else one or other


class HostPrograms(Record):
    """`variables` hold the absolute path of a folder by custom. `types_on`: the agent can type into a program that
    runs, and no hook hears of it."""

    variables: tuple[str, ...] = ()
    types_on: bool = False


_LOADERS: dict[str, Callable[[], HostPrograms]] = {}


def join_host(host: str, load: Callable[[], HostPrograms]) -> None:
    """Add a host's programs, which `load` gives at the first look-up. Joined again, nothing changes."""
    if host not in _LOADERS:
        _LOADERS[host] = load
        joined_hosts.cache_clear()


def known_hosts() -> tuple[str, ...]:
    """The names of those that joined."""
    return tuple(_LOADERS)


@lru_cache(maxsize=1)
def joined_hosts() -> tuple[HostPrograms, ...]:
    return tuple(load() for load in tuple(_LOADERS.values()))


def types_on(host: str) -> bool:
    """Whether the agent of a host that joined can type into a program that runs, unheard."""
    load = _LOADERS.get(host)
    return load is not None and load().types_on


def names_a_folder(variable: str) -> bool:
    return any(variable in host.variables for host in joined_hosts())


def joined(folder: str, target: str) -> str:
    """The target as seen from the folder; one that begins at the root or at a home stays."""
    if not folder or target.startswith(("/", "~")):
        return target
    return f"{folder.rstrip('/') or '/'}/{target}" if folder != "/" else f"/{target}"


VALUES_MAX = 4096
"""Longer values are treated as not known, so that doubling a variable cannot grow without bound."""
BLANK = re.compile(r"\s")
PATH_MAX = 4096
"""Characters of the folder that is followed."""
NOT_FILES = re.compile(r"/dev/(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd/\d+|ptmx)\Z|[<>]\(")
LEADING_VARIABLE = re.compile(r"\$\{?(\w+)")
ABSOLUTE_BY_CUSTOM = re.compile(r"HOME|TMPDIR|TMP|TEMP|OLDPWD|XDG_\w+|RUNNER_TEMP|GITHUB_\w+|VIRTUAL_ENV")
NOT_PLAIN_PATH = re.compile(r"[$`]")
ITEM = "\ue000item"
"""Stands for a word that arrives at run time (`xargs`); never a target by itself."""


@dataclass(frozen=True, slots=True)
class Binding:
    """`values` is None where the value is not known before running: it may begin with a dash (`dash`), or hold blanks
    and whatever stands behind them (`blank`). `span` is where it was assigned, in bytes."""

    values: tuple[str, ...] | None
    span: tuple[int, int] | None = None
    array: bool = False
    dash: bool = True
    blank: bool = True

    @property
    def loose(self) -> bool:
        """Whether its value may be more than names and numbers."""
        return self.values is None and (self.dash or self.blank)

    def dashed(self) -> bool:
        return self.dash if self.values is None else any(value.startswith("-") for value in self.values)

    def blanks(self) -> bool:
        return self.blank if self.values is None else any(BLANK.search(value) for value in self.values)

    def forgotten(self, other: Binding | None = None) -> Binding:
        """With a value that is not known any more: its own, or the other's."""
        dash = self.dashed() or (other is not None and other.dashed())
        blank = self.blanks() or (other is not None and other.blanks())
        return replace(self, values=None, dash=dash, blank=blank)


@dataclass(slots=True)
class Scope:
    cwd: str
    previous: str | None = None
    variables: dict[str, Binding] = field(default_factory=dict[str, Binding])
    functions: dict[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])
    aliases: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    """Functions and variables that what is started from here knows too; `*` stands for all that are defined."""
    hazard: Hazard = ""
    """Set once something decides what later words mean or which program they name (`PATH`, `LD_PRELOAD`)."""
    splitting: bool = True
    """False once IFS was changed: unquoted values then split in a way that is not followed."""
    arguments: tuple[str, ...] | None = None
    last: str | None = None
    """`$_`: the last word of the command before."""
    zero: str | None = None
    """`$0`, where a string of code was given one."""
    stack: tuple[int, ...] = ()
    """The bodies of functions that are being followed: a name may mean another one by the time it is called again."""

    def copy(self) -> Scope:
        """For a subshell: nothing that it does reaches the outer scope."""
        return Scope(
            self.cwd, self.previous, dict(self.variables), dict(self.functions), self.aliases, self.exported,
            self.hazard, self.splitting, self.arguments, self.last, self.zero, self.stack,
        )  # fmt: skip

    def bind(
        self,
        name: str,
        values: tuple[str, ...] | None,
        span: tuple[int, int] | None = None,
        array: bool = False,
        *,
        dash: bool = True,
        blank: bool = True,
    ) -> None:
        if values is not None and sum(map(len, values)) > VALUES_MAX:
            values = None
        self.variables[name] = Binding(values, span, array, dash, blank)

    def give(self, name: str, value: str, *, given: bool = False) -> VariableSteering:
        """What a new value makes of all that follows. `given`: programs get it, though it was not exported before."""
        if name == "IFS":
            self.splitting = False
        given = given or not self.exported.isdisjoint((name, "*"))
        steers = variable_steering(name, value, self.cwd, given=given)
        self.hazard = worse_hazard(self.hazard, steers.weight)
        return steers

    def forget(self, names: Mapping[str, bool]) -> None:
        """At the start of a loop: what is assigned in it may have been assigned before; true for names and numbers."""
        self.last = None
        for name, told in names.items():
            if known := self.variables.get(name):
                loose = replace(known, values=None, dash=True, blank=True)
                self.variables[name] = known.forgotten() if told else loose

    def merge(self, branches: list[Scope]) -> None:
        """After alternatives: what they do not agree on is not known; the last folder that was entered holds."""
        for branch in branches:
            for name, bound in branch.variables.items():
                mine = self.variables.get(name)
                if mine is None or mine.values != bound.values or bound.values is None:
                    self.variables[name] = bound.forgotten(mine)
            self.functions.update(branch.functions)
            self.aliases |= branch.aliases
            self.exported |= branch.exported
            self.hazard = worse_hazard(self.hazard, branch.hazard)
            self.last = self.last if self.last == branch.last else None
            self.splitting = self.splitting and branch.splitting
            self.cwd = branch.cwd

    def enter(self, folder: str) -> None:
        entered = self.path(folder) or self.cwd
        if len(entered) > PATH_MAX:
            raise Unreadable("a folder whose name is too long")
        self.previous, self.cwd = self.cwd, entered

    def path(self, target: str) -> str:
        """The target as an absolute, normalised path or pattern; empty for what is no file."""
        if not target or ITEM in target or NOT_FILES.match(target):
            return ""
        custom = LEADING_VARIABLE.match(target)
        if target.startswith("~") or (
            custom and (ABSOLUTE_BY_CUSTOM.fullmatch(custom[1]) or names_a_folder(custom[1]))
        ):
            return target if NOT_PLAIN_PATH.search(target, 1) else os.path.normpath(target)
        whole = os.path.join(self.cwd, target)
        if NOT_PLAIN_PATH.search(whole):
            return (
                whole.removesuffix("/.")
                if whole.endswith("/.")
                else whole.replace("/./", "/").rstrip("/") or "/"
            )
        whole = os.path.normpath(whole)
        whole = whole[1:] if whole.startswith("//") else whole
        return "" if NOT_FILES.match(whole) else whole
