"""What a program table is asked, one call of a program with its arguments and input, and what it answers.

What it hands on in a pipeline is told as far as it is known before it runs. Options and operands are told apart by the
conventions of GNU getopt or of single-dash long options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from evaluator.effects import CLASS_OF
from evaluator.model import Operation, OperationClass
from evaluator.shell.parse.grammar import decode_escapes
from evaluator.shell.plain_output import Told, told_on
from evaluator.shell.scope import joined
from evaluator.shell.words import Word
from evaluator.text import NONE, names

ShellVerdict = Literal["read_only", "write", "unknown"]


@dataclass(unsafe_hash=True, slots=True)
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
        return self if self.program else self.but(program=program)

    def within(self, folder: str) -> Outcome:
        """The same with its relative targets taken from `folder` (`git -C`, `tar -C`)."""
        return self.at(joined(folder, target) for target in self.targets) if folder else self

    def at(self, targets: Iterable[str]) -> Outcome:
        return self.but(targets=tuple(targets))

    def but(
        self, *, targets: tuple[str, ...] | None = None, program: str | None = None, does: str | None = None
    ) -> Outcome:
        """As `dataclasses.replace`, in a fraction of its time."""
        return Outcome(
            self.verdict, self.family, self.operation, self.operation_class,
            self.targets if targets is None else targets, self.program if program is None else program,
            self.does if does is None else does, self.offence,
        )  # fmt: skip


@dataclass(unsafe_hash=True, slots=True)
class Stdin:
    """What a command reads. `text`: known, from a heredoc, a here-string or a plain echo. `names`: the words that a
    pipeline hands to `xargs`. `pipe`: not known. `file`: a file that exists already. `made`: values that are only known
    at run time stand in the text. `told`: what of it is no option or code."""

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
        self,
        code: str,
        arguments: Sequence[Word] = ...,
        stdin: Stdin = ...,
        zero: Word | None = ...,
        *,
        here: bool = ...,
    ) -> list[Outcome]:
        """Shell code in a string, with its `$1`, `$2` ... and `$0`. In a copy of the scope unless `here`."""
        ...

    def hide(self, spans: Sequence[tuple[int, int]], mark: str) -> None:
        """These bytes are content: `mark` stands for them in what may leave the machine."""
        ...


@dataclass(unsafe_hash=True, slots=True)
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
    """What runs is not known before it runs; or it destroys by its own words, or governs services, power, networks,
    processes or users."""
    return Outcome("unknown", family, "unknown", "destructive", tuple(targets))


@dataclass(unsafe_hash=True, slots=True)
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


Style = Literal["gnu", "single"]


@dataclass(slots=True)
class Options:
    """`flags` in order with their value (None without one); `rest` is what follows the first operand if asked for."""

    flags: list[tuple[str, Word | None]]
    operands: list[Word]
    rest: tuple[Word, ...]
    known: frozenset[str]
    """Options that are spelled out in full; they stand for no longer one."""

    def has(self, wanted: frozenset[str]) -> bool:
        """Exactly spelled: for options that make a command milder."""
        return bool(self.flags) and any(flag in wanted for flag, _ in self.flags)

    def may_have(self, wanted: frozenset[str]) -> bool:
        """Abbreviations count as well (`--outp`): for options that make a command do more."""
        return bool(self.flags and wanted) and any(
            self._is_wanted_option(flag, wanted) for flag, _ in self.flags
        )

    def values(self, wanted: frozenset[str]) -> list[Word]:
        if not (self.flags and wanted):
            return []
        return [
            value for flag, value in self.flags if value is not None and self._is_wanted_option(flag, wanted)
        ]

    def _is_wanted_option(self, flag: str, wanted: frozenset[str]) -> bool:
        return flag in wanted or (flag not in self.known and matches(flag, wanted))

    def texts(self) -> list[str]:
        return [word.text for word in self.operands]


# Flags of their own in many programs, though options that take a value begin with them.
COMMON_FLAGS = names(
    "--fix --list --check --write --diff --test --force --delete --all --quiet --verbose --get --create"
    " --extract --append --update --format --file --output --dry-run --recursive --print --help --version --cached"
    " --staged --stat"
)


def matches(flag: str, wanted: frozenset[str]) -> bool:
    if flag in wanted:
        return True
    return len(flag) > 3 and flag.startswith("--") and any(name.startswith(flag) for name in wanted)


def read_options(
    words: Sequence[Word],
    valued: frozenset[str] = NONE,
    *,
    attached: frozenset[str] = NONE,
    style: Style = "gnu",
    stop: bool = False,
) -> Options:
    """`valued` options take the next word or the rest of theirs; `attached` ones only the rest of theirs.

    With `stop` reading ends at the first operand, as wrappers and subcommand programs do.
    """
    found = Options([], [], (), valued | attached if attached else valued)
    at = 0
    while at < len(words):
        word = words[at]
        text = word.text
        at += 1
        if text == "--":
            if stop:
                found.rest = tuple(words[at:])
            else:
                found.operands += words[at:]
            return found
        if len(text) < 2 or text[0] != "-":
            if stop:
                found.rest = tuple(words[at - 1 :])
                return found
            found.operands.append(word)
        elif text.startswith("--") or style == "single":
            name, equals, value = text.partition("=")
            if equals:
                found.flags.append((name, part_of(word, value)))
            elif name in valued and at < len(words):
                found.flags.append((name, words[at]))
                at += 1
            elif name not in COMMON_FLAGS and matches(name, valued) and at < len(words):
                # An abbreviation, or a flag of its own: what follows is its value, or may be another word.
                found.flags.append((name, words[at]))
                at += 1 if stop else 0
            else:
                found.flags.append((name, None))
        else:
            for index, letter in enumerate(text[1:], 2):
                name, rest = f"-{letter}", text[index:]
                if name in attached or (name in valued and rest):
                    found.flags.append((name, part_of(word, rest) if rest else None))
                    break
                if name in valued and at < len(words):
                    found.flags.append((name, words[at]))
                    at += 1
                    break
                found.flags.append((name, None))
    return found


def part_of(word: Word, text: str) -> Word:
    """A word that is a part of another: the value of `--name=value`."""
    dynamic = word.dynamic and ("$" in text or "`" in text)
    return Word(text, dynamic, word.glob, word.bare, word.decoded, word.assigned, word.spans, word.made)


LISTING = frozenset(("ls", "fd", "fdfind"))
PASSING = frozenset(("sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "tac", "tee", "shuf", "xargs"))
GREP_VALUED = names("-e -f -m -A -B -C")

# Characters by their number: what they say is for whoever decodes them.
CODED = re.compile(r"\\(?:x[0-9a-fA-F]|[0-7]{2}|[uU][0-9a-fA-F])")


def handed_on(program: str, args: Sequence[Word], stdin: Stdin) -> Stdin:
    """The next stage's input: literal text, names or patterns of files, or not known."""
    if program in ("echo", "printf"):
        return _said(program, args)
    if program == "cat" and all(word.text == "-" for word in args):
        return stdin
    if program == "find":
        return Stdin("names", words=found_names(args))
    operands = tuple(word for word in args if not word.text.startswith("-"))
    if program == "git" and args and args[0].text == "ls-files":
        listed = (replace(word, text=f"./{word.text}") if word.glob else word for word in operands[1:])
        return Stdin("names", words=tuple(listed), told="all")
    if program in LISTING:
        return Stdin("names", words=operands)
    if (
        program in PASSING
        and stdin.kind == "names"
        and not (program.endswith("grep") and len(read_options(args, GREP_VALUED).operands) > 1)
    ):
        return stdin
    return Stdin("pipe", told=told_on([program, *(word.text for word in args)], stdin.told))


def _said(program: str, args: Sequence[Word]) -> Stdin:
    words = list(args)
    escapes = program == "printf"
    while program == "echo" and words and words[0].text in ("-n", "-e", "-ne", "-en", "-E"):
        escapes = escapes or "e" in words.pop(0).text
    if not words and program == "echo":
        return Stdin("text", "\n")
    if not words or any(word.bare or word.dynamic for word in words):
        return Stdin("pipe")
    spans = tuple(span for word in words for span in word.spans)
    if escapes and any(CODED.search(word.text) for word in words):
        return Stdin("pipe")
    texts = [decode_escapes(word.text) if escapes else word.text for word in words]
    if program == "echo":
        return Stdin("text", " ".join(texts), tuple(words), spans)
    if "%" in texts[0] and (len(texts) == 1 or texts[0].replace("%s", "").strip()):
        return Stdin("pipe")
    said = "\n".join(texts[1:]) if "%" in texts[0] else texts[0]
    return Stdin("text", said, tuple(words[1:] or words), spans)


def found_names(args: Sequence[Word]) -> tuple[Word, ...]:
    """`find src -name '*.pyc'` -> `src/*.pyc`; without a name test the folders that are searched."""
    starts: list[Word] = []
    for word in args:
        if word.text.startswith(("-", "(", "!")):
            break
        starts.append(word)
    patterns = [args[at + 1] for at, word in enumerate(args[:-1]) if word.text in ("-name", "-iname")]
    roots = [word.text for word in starts] or ["."]
    if patterns:
        return tuple(
            Word(joined(root, name.text), name.dynamic, True, spans=name.spans)
            for root in roots
            for name in patterns
        )
    return tuple(starts) or (Word("."),)


PATTERN_MAX = 8


def filled(words: Sequence[Word], places: Sequence[Word], mark: str = "{}") -> list[Word]:
    """The command with the mark replaced by what stands for the found files; several stand for one alone."""
    out: list[Word] = []
    for word in words:
        if word.text == mark:
            out += places[:PATTERN_MAX]
        elif mark in word.text and places and len(word.text) < 2000:
            text = word.text.replace(mark, places[0].text)
            dynamic = word.dynamic or places[0].dynamic
            out.append(replace(word, text=text, dynamic=dynamic, glob=True))
        else:
            out.append(word)
    return out
