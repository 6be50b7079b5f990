"""What runs another command, as data: where that command begins, and which options of its own are known.

The inner command decides. An option that the row does not know makes the call unlisted, and whatever may then be the
inner command is read too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.shell.call import Call, Handler, Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.hazards import Weight, heavier, steering
from evaluator.shell.options import NONE, Options, Style, names, read_options
from evaluator.shell.words import Word

FAMILY = "wrapper"
HELP = names("--help --version")
NUMBER = "-#"
TRIES_MAX = 6
"""How many unknown options are tried with and without a value."""
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
Form = Literal["words", "line", "lines", "scripts"]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`flags` take no value, `valued` take one; neither changes what runs. `outputs`: their value is a file that is
    written. `runs`: their value is a command line. `base`: their value is the folder in which the command runs.
    `verbs`: one of these words stands first (`exec`, `run`); `looks`: with one of these first it only reads.
    `heads`: one of these words may stand before the command, and is none.
    `skip`: so many operands of its own stand before the command; `lock`: the first of them is a file that it makes.
    `dashes`: the command stands behind `--` only. `assigns`: `NAME=value` may stand before it.
    `form`: `words` is a command with its arguments, `line` the words joined to a line of shell code, `lines` a line in
    each word, `scripts` the name of a script of the package in each word.
    `beyond`: what it runs is another system's, or sees what cannot be known: it does not read. `alone`: what it does
    without a command.
    """

    flags: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    outputs: frozenset[str] = NONE
    runs: frozenset[str] = NONE
    base: frozenset[str] = NONE
    verbs: frozenset[str] = NONE
    looks: frozenset[str] = NONE
    heads: frozenset[str] = NONE
    skip: int = 0
    lock: bool = False
    dashes: bool = False
    assigns: bool = False
    form: Form = "words"
    beyond: bool = False
    alone: Handler | None = None
    style: Style = "gnu"

    def __call__(self, call: Call) -> list[Outcome]:
        args = call.args
        if self.verbs or self.looks:
            verb = args[0].text if args else ""
            if verb in self.looks or (len(args) == 1 and verb in HELP):
                return [reads(FAMILY)]
            if verb not in self.verbs:
                return [unlisted(FAMILY), *self._tried(call, args)]
            args = args[1:]
        options = self._read(args)
        if any(word.decoded for word in args[: len(args) - len(options.rest)]):
            return [dynamic(FAMILY)]
        if options.flags and options.has(HELP) and not options.rest and not options.operands:
            return [reads(FAMILY)]
        if not self._knows(options, args):
            return [unlisted(FAMILY), *self._tried(call, args)]
        found = [one for word in options.values(self.outputs) for one in _written(call, word)]
        for word in options.values(self.runs):
            call.hide_code(word)
            found += _code(call, word)
        folder = next((word.text for word in options.values(self.base)), "")
        inner = self._inner(call, self._command(options), folder)
        if inner is None:
            if options.values(self.runs):
                return found
            return [*found, *(self.alone(call) if self.alone else [reads(FAMILY)])]
        if self.lock:
            found += [
                writes("create", (word.text,), FAMILY) for word in options.rest[:1] if not word.text.isdigit()
            ]
        if self.beyond:
            inner = [unlisted(FAMILY) if one.verdict == "read_only" else one for one in inner]
        return [*inner, *found]

    def _read(self, words: Sequence[Word], more: frozenset[str] = NONE) -> Options:
        valued = self.valued | self.outputs | self.runs | self.base | more
        return read_options(words, valued, stop=self.form not in ("lines", "scripts"), style=self.style)

    def _knows(self, options: Options, words: Sequence[Word]) -> bool:
        valued = self.valued | self.outputs | self.runs | self.base
        for name, value in options.flags:
            if name in valued and value is not None:
                continue
            number = name[1:].isdigit() and NUMBER in self.flags
            if not (number or (name in self.flags and value is None)):
                return False
        own = words[: len(words) - len(options.rest)] if options.rest else words
        if self.dashes and not any(word.text == "--" for word in own):
            return not options.rest
        return not any(word.may_be_option for word in own)

    def _command(self, options: Options) -> list[Word]:
        words = list(options.rest or options.operands)[self.skip :]
        if words and words[0].text in self.heads:
            words.pop(0)
        return words[1:] if words[:1] and words[0].text == "--" else words

    def _tried(self, call: Call, words: Sequence[Word]) -> list[Outcome]:
        """What may be the command if its unknown options take values, and if they do not."""
        plain = self._read(words)
        known = self.valued | self.outputs | self.runs | self.base
        unknown = {name for name, _ in plain.flags if name not in self.flags | known}
        ways = [plain]
        for _ in range(TRIES_MAX):
            way = self._read(words, frozenset(unknown))
            ways.append(way)
            more = {name for name, _ in way.flags if name not in self.flags | known}
            if more <= unknown:
                break
            unknown |= more
        starts = {len(way.rest): way for way in ways if way.rest or way.operands}
        found: list[Outcome] = []
        for way in starts.values():
            command = self._command(way)
            while command and (
                command[0].text == "--" or (self.assigns and ASSIGNMENT.match(command[0].text))
            ):
                command.pop(0)
            found += self._inner(call, command, "") or []
        behind = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
        found += self._inner(call, list(words[behind + 1 :]), "") or []
        return [one for one in dict.fromkeys(found) if one.verdict != "read_only"]

    def _inner(self, call: Call, words: list[Word], folder: str) -> list[Outcome] | None:
        """None where there is no command."""
        if not words:
            return None
        if self.form == "words":
            if self.assigns:
                return assigned(call, words, folder)
            return call.shell.run_words(words, call.stdin, folder)
        for word in words:
            call.hide_code(word)
        if self.form == "line":
            line = " ".join(word.text for word in words)
            return [dynamic(FAMILY)] if any(_opaque(word) for word in words) else call.shell.run_code(line)
        if self.form == "scripts":
            npm = [Word("npm"), Word("run")]
            return [one for word in words for one in call.shell.run_words([*npm, word])]
        return [one for word in words for one in _code(call, word)]


def assigned(call: Call, words: Sequence[Word], folder: str = "") -> list[Outcome] | None:
    """`NAME=value ... COMMAND`, as sudo and env take it; None where no command follows."""
    rest = list(words)
    weight: Weight = ""
    files: list[Outcome] = []
    while rest and (found := ASSIGNMENT.match(rest[0].text)):
        steers = steering(found.group(1), found.group(2), call.shell.cwd)
        weight = heavier(weight, steers.weight)
        files += [writes("append", (steers.file,), FAMILY)] if steers.file else []
        rest.pop(0)
    if not rest:
        return None
    inner = call.shell.run_words(rest, call.stdin, folder)
    if weight == "unlisted":
        inner = [_unproven(one) for one in inner]
    return [*inner, *files, *([dynamic(FAMILY)] if weight == "unknown" else [])]


def _unproven(outcome: Outcome) -> Outcome:
    if outcome.verdict != "read_only" or outcome.family == "configured":
        return outcome
    return unlisted("hazard").named(outcome.program)


def _written(call: Call, word: Word) -> list[Outcome]:
    """A file, or the program behind a bar that gets what would be written."""
    if word.text[:1] in ("|", "!"):
        return call.shell.run_code(word.text[1:])
    return [writes("overwrite", (word.text,), FAMILY)]


def _opaque(word: Word) -> bool:
    return word.decoded or (word.dynamic and (word.bare or word.text[:1] in ("$", "`")))


def _code(call: Call, word: Word) -> list[Outcome]:
    return [dynamic(FAMILY)] if _opaque(word) else call.shell.run_code(word.text)
