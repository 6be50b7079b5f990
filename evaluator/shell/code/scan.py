"""What a scan found, and how it becomes outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluator.model import Operation
from evaluator.shell.call import Shell, Stdin
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.words import Word

OF_THEIR_OWN = ("agent", "keyboard")
"""Families whose rules hold whatever starts them."""


@dataclass(slots=True)
class Scan:
    """`unlisted` if something in the code is not known; `unknown` if it writes or runs what cannot be told."""

    written: list[tuple[Operation, tuple[str, ...]]] = field(
        default_factory=list[tuple[Operation, tuple[str, ...]]]
    )
    commands: list[str] = field(default_factory=list[str])
    programs: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    unlisted: bool = False
    unknown: bool = False

    def write(self, operation: Operation, *targets: str) -> None:
        self.written.append((operation, targets))

    def outcomes(self, shell: Shell, family: str = "code") -> list[Outcome]:
        """What awk and sed run is read. Code of a language that starts a process may do anything with it: that is
        unknown, with the targets that the process plainly has."""
        found = [writes(operation, targets, family) for operation, targets in self.written]
        ran = [one for command in self.commands for one in shell.run_code(command, (), Stdin("pipe"))]
        ran += [one for argv in self.programs for one in shell.run_words([Word(text) for text in argv])]
        if family == "text":
            found += ran
        elif ran:
            found.append(dynamic(family, [target for one in ran for target in one.targets]))
            found += [one for one in ran if one.family in OF_THEIR_OWN or one.offence]
        if self.unknown:
            found.append(dynamic(family))
        elif self.unlisted:
            found.append(unlisted(family))
        return found or [reads(family)]


def unknown() -> Scan:
    return Scan(unknown=True)
