"""What a program does, as data: a call reads only if its row knows every option and the role of every operand.

What a row does not know makes the call unlisted, which never reads.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from evaluator.model import Operation, OperationClass
from evaluator.shell.call import (
    Call,
    Handler,
    Options,
    Outcome,
    Style,
    dynamic,
    matches,
    read_options,
    reads,
    unlisted,
    writes,
)
from evaluator.shell.words import Word
from evaluator.text import NONE, names


def copied(sources: Sequence[str], destination: str) -> tuple[str, ...]:
    """Where a copy lands: in the destination if it looks like a folder or takes several sources, else on it."""
    if len(sources) <= 1 and not is_folder(destination):
        return (destination,)
    return tuple(dict.fromkeys(landing(source, destination) for source in sources))


def edited(files: Sequence[str], suffix: str) -> tuple[str, ...]:
    """Files that are edited in place, and the backups that a suffix asks for; `*` in it stands for the file's name."""
    backups: list[str] = []
    for file in files if suffix else ():
        folder, _, name = file.rpartition("/")
        backup = suffix.replace("*", name) if "*" in suffix else name + suffix
        backups.append(f"{folder}/{backup}" if folder and "/" not in suffix else backup)
    return (*files, *backups)


def landing(source: str, folder: str) -> str:
    name = posixpath.basename(source.rstrip("/"))
    return folder if name in ("", ".", "..") else f"{folder.rstrip('/') or ''}/{name}"


def is_folder(path: str) -> bool:
    return path.endswith(("/", "/.", "/..")) or path in (".", "..", "~")


Targets = Literal["none", "operands", "first", "last", "rest", "second", "copy", "edited", "unnamed"]
TAKEN: dict[str, slice] = {
    "none": slice(0), "operands": slice(None), "unnamed": slice(None), "first": slice(1), "last": slice(-1, None),
    "rest": slice(1, None), "second": slice(1, 2),
}  # fmt: skip
"""The operands that are targets."""
HELP = names("--help --version")
OFF = frozenset(("", "f", "false", "none", "no", "off", "0"))
NUMBER = "-#"
"""Stands in `flags` for `-5`, `-20` and the like."""
OPERANDS = "*"
"""Stands in `places` for all operands."""
Remote = Literal["", "words", "addresses", "made"]
# Compiled at the first use: most calls name no place.
ADDRESS = r"\w+://|[\w.-]+@[\w.-]+:|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}(?::\d+)?/"
TEMPORARY = r"/?(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)(?:/|\Z)|\$\{?TE?MP(?:DIR)?\b"
"""Folders that anybody may have filled."""
SUBSTITUTED = r"\$\(|`|<\("
FROM_HERE = r"\$\(\s*gh (?:pr|issue|run|release|workflow|repo) (?:list|view)\b[^$`;&|<>()]*\)"
"""What the forge itself said, mostly a number."""
LEADS = r"\w+://|[\w-]+\.[\w.-]+/"
"""A word that names a host."""
PLAIN_WORD = r"[A-Za-z][\w,-]*\Z"
PATH_WORDS_MAX = 3
"""How many words name a subcommand (`gh pr view`)."""


@dataclass(frozen=True, slots=True)
class Row:
    """A program, or one of its subcommands. It reads unless something here says otherwise.

    `does`: what it does to its `targets` in any case; `unnamed` are its operands unless an output is named. `flags`
    take no value, or one behind `=`, and change only what is read and shown; `valued` take one that is read.
    `outputs`: options whose value is a file that is written. `changes`: options that make it do this to its targets.
    `milder`: options with which it only tells, and what takes each back. `runs`: options whose value is a command line,
    which is read in turn. `loads`: options whose value is code in a file, or that start what cannot be seen. `skip`
    operands are no targets; more than `most` operands are not known. `base`: options that name the folder of relative
    targets. `helps`: `--help` only tells. `anything`: every word is an operand that is only printed or tested.
    `remote`: what it asks goes over the network, and may hold nothing that is not literal: none of its words, none
    that is an address, or none that is `made` of a command's output or leads to another host. `places`: options whose
    value, or operands that, are settings or code: what runs is known only where nobody else may have put them there.
    `worded`: options that take a plain word; anything else (`./x.js`, `json:FILE`) names code or a file.
    """

    family: str
    does: Operation | None = None
    severity: OperationClass | None = None
    targets: Targets = "none"
    flags: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    outputs: Mapping[str, Operation] = field(default_factory=dict[str, Operation])
    changes: Mapping[str, Operation] = field(default_factory=dict[str, Operation])
    milder: Mapping[str, str] = field(default_factory=dict[str, str])
    runs: frozenset[str] = NONE
    loads: frozenset[str] = NONE
    base: frozenset[str] = NONE
    skip: int = 0
    most: int | None = None
    style: Style = "gnu"
    helps: bool = True
    anything: bool = False
    remote: Remote = ""
    places: frozenset[str] = NONE
    worded: frozenset[str] = NONE
    doing: frozenset[str] = field(init=False, repr=False)
    """The options with which it does more than it would without."""
    takes: frozenset[str] = field(init=False, repr=False)
    """Those that take a value."""
    known: frozenset[str] = field(init=False, repr=False)
    full: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Each call of a program asks for these sets.
        doing = frozenset((*self.outputs, *self.changes, *self.runs, *self.loads))
        valued = self.valued | self.places | self.worded
        takes = valued | self.runs | self.base | self.loads | frozenset(self.outputs)
        mild = self.flags | valued | self.base | frozenset((*self.milder, *self.milder.values())) | HELP
        sets = {"doing": doing, "takes": takes, "known": mild | doing, "full": (mild - doing) | takes}
        for name, words in sets.items():
            object.__setattr__(self, name, words)

    def __call__(self, call: Call) -> list[Outcome]:
        if self.anything:
            return [reads(self.family)]
        options = read_options(call.args, self.takes, style=self.style)
        # What is spelled in full is short for nothing else.
        options.known = self.full
        if (self.does or self.doing) and any(word.decoded for word in call.args):
            return [dynamic(self.family)]
        found = self._row_unlisted_outcomes(options, call.args)
        if options.flags:
            if not found and self.helps and asks_help(options):
                return [reads(self.family)]
            found += self._row_option_outcomes(options, call)
        if not self.only_tells(options):
            found += self._row_change_outcomes(options)
        for word in options.values(self.base)[:1]:
            found = [one.within(word.text) for one in found]
        if (options.flags and (self.places or self.worded)) or OPERANDS in self.places:
            given = [*options.values(self.places), *(options.operands if OPERANDS in self.places else ())]
            foreign = any(is_foreign(word.text, call.shell.cwd) for word in given)
            worded = all(re.match(PLAIN_WORD, word.text) for word in options.values(self.worded))
            found += [unlisted(self.family)] if foreign or not worded else []
        if self.remote:
            found += self._row_leak_outcomes(call.args)
        return found or [reads(self.family)]

    def _row_leak_outcomes(self, words: Sequence[Word]) -> list[Outcome]:
        """A request with words that are not literal may carry out what they hold."""
        computed = [word for word in words if word.dynamic]
        if self.remote == "addresses":
            computed = [word for word in computed if re.search(ADDRESS, word.text)]
        elif self.remote == "made":
            computed = [
                word
                for word in computed
                if re.match(LEADS, word.text)
                or (
                    word.made and not re.fullmatch(FROM_HERE, word.text) and re.search(SUBSTITUTED, word.text)
                )
            ]
        return [dynamic(self.family)] if computed else []

    def _row_option_outcomes(self, options: Options, call: Call) -> list[Outcome]:
        """What its options load, run and write."""
        found = [dynamic(self.family)] if options.may_have(self.loads) else []
        for word in options.values(self.runs):
            call.hide_code(word)
            found += [dynamic(self.family)] if word.dynamic else call.shell.run_code(word.text)
        for option, operation in self.outputs.items():
            for value in options.values(frozenset((option,))):
                if value.text not in ("-", "/dev/null"):
                    found.append(writes(operation, (value.text,), self.family))
        return found

    def _row_unlisted_outcomes(self, options: Options, words: Sequence[Word]) -> list[Outcome]:
        """An abbreviation is known only where it does more: what it is short for cannot be proven to read."""
        doing, known = self.doing, self.known
        for name, value in options.flags:
            if name in known and (value is not None or name not in self.valued):
                continue
            if not ((name[1:].isdigit() and NUMBER in self.flags) or matches(name, doing)):
                return [unlisted(self.family)]
        too_many = self.most is not None and len(options.operands) > self.most
        if too_many or (doing and any(word.may_be_option for word in before_dashes(words))):
            return [unlisted(self.family)]
        return []

    def only_tells(self, options: Options) -> bool:
        """Whether the last word on it is that it only tells what it would do."""
        told = False
        back = frozenset(filter(None, self.milder.values())) if options.flags else NONE
        for name, value in options.flags if self.milder else ():
            if name in self.milder:
                told = value is None or not (value.dynamic or value.text.casefold() in OFF)
            elif matches(name, back):
                told = False
        return told

    def _row_change_outcomes(self, options: Options) -> list[Outcome]:
        asked: list[Operation] = (
            [one for name, one in self.changes.items() if self._is_row_option_on(options, name)]
            if options.flags
            else []
        )
        does: Operation | None = asked[-1] if asked else self.does
        if does is None or does == "unknown":
            return [dynamic(self.family)] if does else []
        return [writes(does, self._row_change_targets(options), self.family, self.severity)]

    def _is_row_option_on(self, options: Options, name: str) -> bool:
        if not options.may_have(frozenset((name,))):
            return False
        last = next((value for flag, value in reversed(options.flags) if flag == name), None)
        off = last is not None and last.text == "false" and name.startswith("--") and self.targets != "edited"
        return not off

    def _row_change_targets(self, options: Options) -> tuple[str, ...]:
        given = options.texts()[self.skip :]
        if self.targets == "copy":
            return copied(given[:-1], given[-1]) if len(given) > 1 else ()
        if self.targets == "edited":
            suffix = next((value.text for value in options.values(frozenset(self.changes))), "")
            return edited(given, suffix)
        if self.targets == "unnamed" and options.values(frozenset(self.outputs)):
            return ()
        return tuple(given[TAKEN[self.targets]])


def asks_help(options: Options) -> bool:
    return any(name in HELP and value is None for name, value in options.flags)


def before_dashes(words: Sequence[Word]) -> Sequence[Word]:
    """Those that may be options: what follows `--` is none."""
    return words[: next((at for at, word in enumerate(words) if word.text == "--"), len(words))]


def is_foreign(path: str, cwd: str) -> bool:
    """Whether it is fetched, or lies where anybody may have put it, and not below the folder that one stands in."""
    if re.match(ADDRESS, path):
        return True
    if path.startswith("$"):
        return re.match(TEMPORARY, path) is not None
    if path[:1] != "/" and ".." not in path:
        return False
    place = posixpath.normpath(posixpath.join(cwd, path))
    inside = f"{place}/".startswith(f"{cwd.rstrip('/')}/")
    return not inside and re.match(TEMPORARY, place) is not None


@dataclass(frozen=True, slots=True)
class Tree:
    """A program of subcommands: the longest known path of words decides. Options before it must be known too.

    `bare` is what it does without a subcommand. `loads` before the subcommand decide what runs; `places` as in a row.
    """

    family: str
    table: Mapping[str, Handler]
    flags: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    loads: frozenset[str] = NONE
    places: frozenset[str] = NONE
    bare: Handler | None = None
    style: Style = "gnu"

    def __call__(self, call: Call) -> list[Outcome]:
        options = read_options(call.args, self.valued | self.places | self.loads, stop=True, style=self.style)
        if any(word.decoded for word in call.args) or options.may_have(self.loads):
            return [dynamic(self.family)]
        known = self.flags | self.valued | self.places | HELP if options.flags else NONE
        if any(name not in known for name, _ in options.flags) or any(
            is_foreign(value.text, call.shell.cwd) for value in options.values(self.places)
        ):
            return [unlisted(self.family)]
        if not options.rest:
            return [reads(self.family)] if self.bare is None or options.has(HELP) else self.bare(call)
        path: list[str] = []
        for word in options.rest[:PATH_WORDS_MAX]:
            if not word.plain and not path:
                return [dynamic(self.family)]
            if word.text.startswith("-"):
                break
            path.append(word.text)
        for count in range(len(path), 0, -1):
            handler = self.table.get(" ".join(path[:count]))
            if handler is not None:
                return handler(Call(path[count - 1], options.rest[count:], call.stdin, call.shell))
        return [reads(self.family) if path[:1] == ["help"] else unlisted(self.family)]
