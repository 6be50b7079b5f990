"""What a shell knows at one point of a script: folder, variables, functions. No file system, no environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from evaluator.shell.hazards import Steering, Weight, heavier, steering
from evaluator.shell.hosts import names_a_folder
from evaluator.shell.parse.lexed import Unreadable

VALUE_MAX = 4096
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
    and whatever stands behind them (`blank`). `span` is where it was assigned, in bytes.
    """

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
        return replace(
            self, values=None, dash=dash, blank=self.blanks() or (other is not None and other.blanks())
        )


@dataclass(slots=True)
class Scope:
    cwd: str
    previous: str | None = None
    variables: dict[str, Binding] = field(default_factory=dict[str, Binding])
    functions: dict[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])
    aliases: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    """Functions and variables that what is started from here knows too; `*` stands for all that are defined."""
    hazard: Weight = ""
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
        if values is not None and sum(map(len, values)) > VALUE_MAX:
            values = None
        self.variables[name] = Binding(values, span, array, dash, blank)

    def give(self, name: str, value: str, *, given: bool = False) -> Steering:
        """What a new value makes of all that follows. `given`: programs get it, though it was not exported before."""
        if name == "IFS":
            self.splitting = False
        steers = steering(name, value, self.cwd, given=given or not self.exported.isdisjoint((name, "*")))
        self.hazard = heavier(self.hazard, steers.weight)
        return steers

    def forget(self, names: Mapping[str, bool]) -> None:
        """At the start of a loop: what is assigned in it may have been assigned before; true for names and numbers."""
        self.last = None
        for name, told in names.items():
            known = self.variables.get(name)
            if known is not None:
                self.variables[name] = (
                    known.forgotten() if told else replace(known, values=None, dash=True, blank=True)
                )

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
            self.hazard = heavier(self.hazard, branch.hazard)
            self.last = self.last if self.last == branch.last else None
            self.splitting = self.splitting and branch.splitting
            if branch.cwd != self.cwd:
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
                whole[: -len("/.")] if whole.endswith("/.") else whole.replace("/./", "/").rstrip("/") or "/"
            )
        whole = os.path.normpath(whole)
        whole = whole[1:] if whole.startswith("//") else whole
        return "" if NOT_FILES.match(whole) else whole
