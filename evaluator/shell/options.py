"""Arguments -> options and operands, by the conventions of GNU getopt or of single-dash long options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.shell.words import Word

Style = Literal["gnu", "single"]
NONE: frozenset[str] = frozenset()


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


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
        return bool(self.flags and wanted) and any(self._means(flag, wanted) for flag, _ in self.flags)

    def values(self, wanted: frozenset[str]) -> list[Word]:
        if not (self.flags and wanted):
            return []
        return [value for flag, value in self.flags if value is not None and self._means(flag, wanted)]

    def _means(self, flag: str, wanted: frozenset[str]) -> bool:
        return flag in wanted or (flag not in self.known and matches(flag, wanted))

    def texts(self) -> list[str]:
        return [word.text for word in self.operands]


# Flags of their own in many programs, though options that take a value begin with them.
COMMON_FLAGS = names(
    "--fix --list --check --write --diff --test --force --delete --all --quiet --verbose --get --create "
    "--extract --append "
    "--update --format --file --output --dry-run --recursive --print --help --version --cached --staged --stat"
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
            at = _cluster(word, words, at, valued, attached, found)
    return found


def _cluster(
    word: Word,
    words: Sequence[Word],
    at: int,
    valued: frozenset[str],
    attached: frozenset[str],
    found: Options,
) -> int:
    text = word.text
    for index in range(1, len(text)):
        name = "-" + text[index]
        if name in valued or name in attached:
            rest = text[index + 1 :]
            if rest or name in attached:
                found.flags.append((name, part_of(word, rest) if rest else None))
                return at
            if at < len(words):
                found.flags.append((name, words[at]))
                return at + 1
        found.flags.append((name, None))
    return at


def part_of(word: Word, text: str) -> Word:
    """A word that is a part of another: the value of `--name=value`."""
    dynamic = word.dynamic and ("$" in text or "`" in text)
    return Word(
        text, dynamic, word.glob, word.bare, word.decoded, word.assigned, word.spans, word.made
    )  # fmt: skip
