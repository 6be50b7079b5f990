"""The language of the program tables: what a program does as data, and how a call is read against it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from evaluator.model import Operation
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.hazards import HARMLESS_PAGERS
from evaluator.stages.shell.options import NONE, Options, Style, names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.stages.shell.words import Word

Targets = Literal["none", "operands", "last", "copy", "first", "rest"]
HELP = names("--help --version")


@dataclass(frozen=True, slots=True)
class Spec:
    """A program: it reads unless `operation`, a flag of `changes` or an option of `outputs` says otherwise.

    `valued`: options that take a value. `outputs`: options whose value is a file that is written. `changes`: flags
    that make it write its operands. `milder`: flags that make it only read. `runs`: options whose value is a program
    that it runs, which is not looked into. `targets`: which operands are written; `skip` leading operands are none
    (`chmod MODE`). `base`: an option that names the folder of relative targets.
    """

    family: str
    operation: Operation | None = None
    targets: Targets = "none"
    valued: frozenset[str] = NONE
    attached: frozenset[str] = NONE
    outputs: Mapping[str, Operation] = field(default_factory=dict[str, Operation])
    changes: Mapping[str, Operation] = field(default_factory=dict[str, Operation])
    milder: frozenset[str] = NONE
    runs: frozenset[str] = NONE
    skip: int = 0
    base: frozenset[str] = NONE
    style: Style = "gnu"

    def options(self, words: Sequence[Word]) -> Options:
        valued = self.valued | self.runs | self.base | frozenset(self.outputs)
        return read_options(words, valued, attached=self.attached, style=self.style)

    def __call__(self, call: Call) -> list[Outcome]:
        options = self.options(call.args)
        if options.has(HELP) and not self.runs:
            return [reads(self.family)]
        if (self.outputs or self.changes or self.runs) and any(word.decoded for word in call.args):
            return [dynamic(self.family)]
        folder = next((word.text for word in options.values(self.base)), "")
        found: list[Outcome] = []
        if any(value.text not in HARMLESS_PAGERS for value in options.values(self.runs)) or any(
            value is None and flag in self.runs for flag, value in options.flags
        ):
            found.append(dynamic(self.family))
        for flag, operation in self.outputs.items():
            found += [
                writes(operation, (value.text,), self.family) for value in options.values(frozenset((flag,)))
            ]
        if not options.has(self.milder):
            changed: list[Operation] = [
                operation for flag, operation in self.changes.items() if options.may_have(frozenset((flag,)))
            ]
            does = changed[-1] if changed else self.operation
            if does == "unknown":
                found.append(unlisted(self.family))
            elif does is not None:
                found.append(writes(does, self._targets(options), self.family))
        return [one.within(folder) for one in found] or [reads(self.family)]

    def _targets(self, options: Options) -> tuple[str, ...]:
        given = options.texts()[self.skip :]
        if self.targets == "operands":
            return tuple(given)
        if self.targets == "last":
            return tuple(given[-1:])
        if self.targets == "first":
            return tuple(given[:1])
        if self.targets == "rest":
            return tuple(given[1:])
        if self.targets == "copy":
            return copied(given[:-1], given[-1]) if len(given) > 1 else ()
        return ()


def copied(sources: Sequence[str], destination: str) -> tuple[str, ...]:
    """Where a copy lands: in the destination if it looks like a folder or takes several sources, else on it."""
    folder = len(sources) > 1 or is_folder(destination)
    return (
        tuple(dict.fromkeys(landing(source, destination) for source in sources)) if folder else (destination,)
    )


def edited(files: Sequence[str], suffix: str) -> tuple[str, ...]:
    """Files that are edited in place, and the backups that a suffix asks for; `*` in it stands for the file's name."""
    if not suffix:
        return tuple(files)
    backups: list[str] = []
    for file in files:
        folder, _, name = file.rpartition("/")
        backup = suffix.replace("*", name) if "*" in suffix else name + suffix
        backups.append(f"{folder}/{backup}" if folder and "/" not in suffix else backup)
    return (*files, *backups)


def landing(source: str, folder: str) -> str:
    name = posixpath.basename(source.rstrip("/"))
    return folder if name in ("", ".", "..") else f"{folder.rstrip('/') or ''}/{name}"


def is_folder(path: str) -> bool:
    return path.endswith(("/", "/.", "/..")) or path in (".", "..", "~")


Rule = str | Handler
"""`read`, `build`, `unlisted`, `dynamic`, `governs`, or an operation, with `!` for work that is lost, and then which
operands are targets: `vcs! operands`. Or a function of the call."""


def apply_rule(rule: Rule, call: Call, family: str) -> list[Outcome]:
    if not isinstance(rule, str):
        return rule(call)
    kind, _, targets = rule.partition(" ")
    if kind == "read":
        return [reads(family)]
    if kind == "build":
        return [reads("build")]
    if kind == "unlisted":
        return [unlisted(family)]
    if kind == "dynamic":
        return [dynamic(family)]
    if kind == "governs":
        return [governs(family)]
    operation = cast(Operation, kind.rstrip("!"))
    found = Spec(family, operation, cast(Targets, targets or "none"))(call)
    if kind.endswith("!"):
        found = [
            writes(one.operation, one.targets, family, "destructive")
            for one in found
            if one.verdict == "write"
        ]
    return found


def programs(text: str, rule: Handler) -> dict[str, Handler]:
    return dict.fromkeys(text.split(), rule)


def always(rule: Rule, family: str) -> Handler:
    """A program that does the same whatever its arguments are."""

    def handle(call: Call) -> list[Outcome]:
        return apply_rule(rule, call, family)

    return handle
