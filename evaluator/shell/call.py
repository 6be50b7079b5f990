"""What a program table is asked, one call of a program with its arguments and input, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

from evaluator.effects import CLASS_OF
from evaluator.model import Operation, OperationClass
from evaluator.shell.frozen import dataclass
from evaluator.shell.plain_output import Told
from evaluator.shell.words import Word

ShellVerdict = Literal["read_only", "write", "unknown"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`targets` are as the program names them until the walker makes them absolute.

    A reading outcome has operation `read` and class `additive`, which carry no meaning.
    """

    verdict: ShellVerdict
    family: str
    operation: Operation = "read"
    operation_class: OperationClass = "additive"
    targets: tuple[str, ...] = ()
    program: str = ""
    does: str = ""
    """What runs, in its words, for an outcome without a target; empty where only the whole line tells."""
    offence: str = ""
    """What it does to the gate, in words that follow "it"; self-protection denies it."""

    def named(self, program: str) -> Outcome:
        return self if self.program else self._with(program=program)

    def within(self, folder: str) -> Outcome:
        """The same with its relative targets taken from `folder` (`git -C`, `tar -C`)."""
        return self.at(joined(folder, target) for target in self.targets) if folder else self

    def at(self, targets: Iterable[str]) -> Outcome:
        return self._with(targets=tuple(targets))

    def known_by(self, does: str) -> Outcome:
        return self._with(does=does)

    def _with(
        self, *, targets: tuple[str, ...] | None = None, program: str | None = None, does: str | None = None
    ) -> Outcome:
        return Outcome(
            self.verdict, self.family, self.operation, self.operation_class,
            self.targets if targets is None else targets, self.program if program is None else program,
            self.does if does is None else does, self.offence,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stdin:
    """What a command reads. `text`: known, from a heredoc, a here-string or a plain echo. `names`: the words that a
    pipeline hands to `xargs`. `pipe`: not known. `file`: a file that exists already. `made`: values that are only known
    at run time stand in the text. `told`: what of it is no option or code.
    """

    kind: Literal["none", "text", "names", "pipe", "file"] = "none"
    text: str = ""
    words: tuple[Word, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    made: bool = False
    told: Told = ""


class Shell(Protocol):
    """What a table may ask of the walker. Both ways of running are bounded in depth and number."""

    @property
    def cwd(self) -> str: ...

    def knows(self, word: str) -> bool:
        """Whether a table answers for the program that the word names."""
        ...

    def run_words(self, words: Sequence[Word], stdin: Stdin = ..., folder: str = ...) -> list[Outcome]:
        """A command given as words, as a wrapper runs it, in `folder` if one is named."""
        ...

    def run_code(
        self, code: str, arguments: Sequence[Word] = ..., stdin: Stdin = ..., zero: Word | None = ...
    ) -> list[Outcome]:
        """Shell code in a string, with its `$1`, `$2` ... and `$0`. It is read in a copy of the scope."""
        ...

    def hide(self, spans: Sequence[tuple[int, int]], mark: str) -> None:
        """These bytes are content: `mark` stands for them in what may leave the machine."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    args: tuple[Word, ...]
    stdin: Stdin
    shell: Shell

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.args]

    def hide_code(self, *words: Word) -> None:
        for word in words:
            self.shell.hide(word.spans, f"[code: {len(word.text)} chars]")

    def hide_input(self, kind: str = "code") -> None:
        self.shell.hide(self.stdin.spans, f"[{kind}: {len(self.stdin.text)} chars]")


Handler = Callable[[Call], list[Outcome]]


def reads(family: str = "read") -> Outcome:
    return Outcome("read_only", family)


def writes(
    operation: Operation,
    targets: Iterable[str] = (),
    family: str = "files",
    severity: OperationClass | None = None,
) -> Outcome:
    return Outcome("write", family, operation, severity or CLASS_OF[operation], tuple(targets))


def unlisted(family: str = "unlisted", targets: Iterable[str] = ()) -> Outcome:
    """A program or script that no table knows: it may do anything that a program does."""
    return Outcome("write", family, "unknown", "modifying", tuple(targets))


def dynamic(family: str = "dynamic", targets: Iterable[str] = ()) -> Outcome:
    """What runs is not known before it runs."""
    return Outcome("unknown", family, "unknown", "destructive", tuple(targets))


def governs(family: str, targets: Iterable[str] = ()) -> Outcome:
    """What destroys by its own words, or governs services, power, networks, processes or users."""
    return Outcome("unknown", family, "unknown", "destructive", tuple(targets))


def joined(folder: str, target: str) -> str:
    if not folder or target.startswith(("/", "~")):
        return target
    return f"{folder.rstrip('/') or '/'}/{target}" if folder != "/" else f"/{target}"


@dataclass(frozen=True, slots=True)
class Ran:
    """One command as it runs: its words after expansion, the folder it runs in and what it does.

    `inner`: so many of the commands recorded just before it are those that it runs itself. `text` is its input, where
    that is known. A redirection is a command of its own: its sign and its file. So is a variable that tells programs
    where to write. `opened`: nothing was redirected or piped into it, so its input is whoever started the line.
    """

    words: tuple[str, ...]
    cwd: str
    outcomes: tuple[Outcome, ...]
    inner: int = 0
    text: str = ""
    opened: bool = False
