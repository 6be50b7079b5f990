"""What runs another command: where that command begins, and which options before it are known.

The inner command decides. An option that the row does not know makes the call unlisted, and whatever may then be the
inner command is read too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evaluator.shell.call import (
    Call,
    Handler,
    Options,
    Outcome,
    Style,
    dynamic,
    filled,
    read_options,
    reads,
    unlisted,
    writes,
)
from evaluator.shell.rows.row import HELP, NUMBER
from evaluator.shell.rows.tables import Shared
from evaluator.shell.scope import ITEM, Hazard, variable_steering, worse_hazard
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

FAMILY = "wrapper"
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
    without a command."""

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
                return [unlisted(FAMILY), *self._try_wrapped_commands(call, args)]
            args = args[1:]
        options = self._read_wrapper_options(args)
        if any(word.decoded for word in args[: len(args) - len(options.rest)]):
            return [dynamic(FAMILY)]
        if options.has(HELP) and not options.rest and not options.operands:
            return [reads(FAMILY)]
        if not self._knows_wrapper_options(options, args):
            return [unlisted(FAMILY), *self._try_wrapped_commands(call, args)]
        # What is written is a file, or the program behind a bar that gets it.
        found = [
            one
            for word in options.values(self.outputs)
            for one in (
                call.shell.run_code(word.text[1:])
                if word.text[:1] in ("|", "!")
                else [writes("overwrite", (word.text,), FAMILY)]
            )
        ]
        found += [one for word in options.values(self.runs) for one in _run_wrapped_code(call, word)]
        folder = next((word.text for word in options.values(self.base)), "")
        inner = self._run_wrapped_command(call, self._wrapped_command(options), folder)
        if inner is None:
            alone = [] if options.values(self.runs) else self.alone(call) if self.alone else [reads(FAMILY)]
            return [*found, *alone]
        locked = [word.text for word in options.rest[:1] if not word.text.isdigit()] if self.lock else []
        found += [writes("create", locked, FAMILY)] if locked else []
        if self.beyond:
            inner = [unlisted(FAMILY) if one.verdict == "read_only" else one for one in inner]
        return [*inner, *found]

    @property
    def _wrapper_valued_options(self) -> frozenset[str]:
        return self.valued | self.outputs | self.runs | self.base

    def _read_wrapper_options(self, words: Sequence[Word], more: frozenset[str] = NONE) -> Options:
        stop = self.form not in ("lines", "scripts")
        return read_options(words, self._wrapper_valued_options | more, stop=stop, style=self.style)

    def _knows_wrapper_options(self, options: Options, words: Sequence[Word]) -> bool:
        takes = self._wrapper_valued_options
        for name, value in options.flags:
            number = name[1:].isdigit() and NUMBER in self.flags
            known = name in takes if value is not None else name in self.flags
            if not (known or number):
                return False
        own = words[: len(words) - len(options.rest)] if options.rest else words
        if self.dashes and not any(word.text == "--" for word in own):
            return not options.rest
        return not any(word.may_be_option for word in own)

    def _wrapped_command(self, options: Options) -> list[Word]:
        words = list(options.rest or options.operands)[self.skip :]
        words = words[1:] if words and words[0].text in self.heads else words
        return words[1:] if words and words[0].text == "--" else words

    def _try_wrapped_commands(self, call: Call, words: Sequence[Word]) -> list[Outcome]:
        """What may be the command if its unknown options take values, and if they do not."""
        plain = self._read_wrapper_options(words)
        known = self.flags | self._wrapper_valued_options
        unknown = {name for name, _ in plain.flags if name not in known}
        ways = [plain]
        for _ in range(TRIES_MAX):
            way = self._read_wrapper_options(words, frozenset(unknown))
            ways.append(way)
            more = {name for name, _ in way.flags if name not in known}
            if more <= unknown:
                break
            unknown |= more
        starts = {len(way.rest): way for way in ways if way.rest or way.operands}
        found: list[Outcome] = []
        for command in map(self._wrapped_command, starts.values()):
            while command and (
                command[0].text == "--" or (self.assigns and ASSIGNMENT.match(command[0].text))
            ):
                command.pop(0)
            found += self._run_wrapped_command(call, command, "") or []
        # Behind `--` no option is left that may have taken an assignment as its value.
        behind = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
        found += self._run_wrapped_command(call, list(words[behind + 1 :]), "") or []
        return [one for one in dict.fromkeys(found) if one.verdict != "read_only"]

    def _run_wrapped_command(self, call: Call, words: list[Word], folder: str) -> list[Outcome] | None:
        """None where there is no command."""
        if not words:
            return None
        if self.form == "words":
            if self.assigns:
                return assigned(call, words, folder)
            return call.shell.run_words(words, call.stdin, folder)
        if self.form == "lines":
            return [one for word in words for one in _run_wrapped_code(call, word)]
        call.hide_code(*words)
        if self.form == "line":
            line = " ".join(word.text for word in words)
            return [dynamic(FAMILY)] if any(word.opaque for word in words) else call.shell.run_code(line)
        npm = [Word("npm"), Word("run")]
        return [one for word in words for one in call.shell.run_words([*npm, word])]


def assigned(call: Call, words: Sequence[Word], folder: str = "") -> list[Outcome] | None:
    """`NAME=value ... COMMAND`, as sudo and env take it; None where no command follows."""
    rest = list(words)
    weight: Hazard = ""
    files: list[Outcome] = []
    while rest and (found := ASSIGNMENT.match(rest[0].text)):
        steers = variable_steering(found.group(1), found.group(2), call.shell.cwd)
        weight = worse_hazard(weight, steers.weight)
        files += [writes("append", (steers.file,), FAMILY)] if steers.file else []
        rest.pop(0)
    if not rest:
        return None
    inner = call.shell.run_words(rest, call.stdin, folder)
    if weight == "unlisted":
        inner = [
            unlisted("hazard").named(one.program)
            if one.verdict == "read_only" and one.family != "configured"
            else one
            for one in inner
        ]
    return [*inner, *files, *([dynamic(FAMILY)] if weight == "unknown" else [])]


def _run_wrapped_code(call: Call, word: Word) -> list[Outcome]:
    call.hide_code(word)
    return [dynamic(FAMILY)] if word.opaque else call.shell.run_code(word.text)


VOCABULARY = Vocabulary("shell/programs/wrappers", "words")
WRAPPERS = Shared("wrappers")
LISTS = names("-l --list -n --non-interactive -v --validate -V --version -K --remove-timestamp")
XARGS_FLAGS = VOCABULARY.words("xargs-flags")
XARGS_VALUED = VOCABULARY.words("xargs-valued")
XARGS_CUTS = names("-0 --null -d --delimiter -a --arg-file -E -e")
XARGS_PORTIONS = names("-n -L -s -l --max-args --max-lines --max-chars")
XARGS_QUOTES = re.compile(r"['\"\\]")
PARALLEL_FLAGS = VOCABULARY.words("parallel-flags")
PARALLEL_VALUED = VOCABULARY.words("parallel-valued")
PARALLEL_OUTPUTS = names("--joblog --results")
SCRIPT_FLAGS = names("-q -a -e -f -F --quiet --append --return --flush")
SCRIPT_VALUED = names("-E --echo -m --logging-format -o --output-limit")
SCRIPT_OUTPUTS = names("-O --log-out -I --log-in -B --log-io -T --log-timing")


def sudo(call: Call) -> list[Outcome]:
    other = names("-U --other-user")
    asked = read_options(call.args, WRAPPERS.sudo.valued | WRAPPERS.sudo.base | other, stop=True)
    if call.name == "sudoedit" or asked.has(names("-e --edit")):
        return [writes("overwrite", [word.text for word in asked.rest], FAMILY)]
    if asked.has(names("-i -s --login --shell")):
        if not asked.rest and call.stdin.kind == "text":
            return call.shell.run_code(call.stdin.text)
        ran = call.shell.run_words(asked.rest, call.stdin) if asked.rest else []
        return [*ran, dynamic(FAMILY)]
    lists = asked.flags and not asked.rest and all(flag in LISTS | other for flag, _ in asked.flags)
    return [reads(FAMILY)] if lists else WRAPPERS.sudo(call)


def env(call: Call) -> list[Outcome]:
    args = list(call.args)
    if args and args[0].text == "-":
        args[0] = Word("-i")
    splits = names("-S --split-string")
    asked = read_options(args, WRAPPERS.env.valued | WRAPPERS.env.base | splits, stop=True)
    split = asked.values(splits)
    if not split:
        return WRAPPERS.env(replace(call, args=tuple(args)))
    if any(word.dynamic for word in (*split, *asked.rest)):
        return [dynamic(FAMILY)]
    ran = call.shell.run_code(" ".join(["env", *(word.text for word in (*split, *asked.rest))]))
    return ran if len(asked.flags) == 1 else [*ran, unlisted(FAMILY)]


def flock(call: Call) -> list[Outcome]:
    """The lock file is made where there is none; a number is a descriptor that is open already."""
    options = read_options(call.args, WRAPPERS.flock.valued, stop=True)
    rest = options.rest
    made = [writes("create", (word.text,), FAMILY) for word in rest[:1] if not word.text.isdigit()]
    if len(rest) > 2 and rest[1].text in ("-c", "--command"):
        odd = len(rest) > 3 or _check_wrapper_options(options, WRAPPERS.flock.flags | WRAPPERS.flock.valued)
        return [*made, *_run_wrapped_code(call, rest[2]), *([unlisted(FAMILY)] if odd else [])]
    return WRAPPERS.flock(call) if len(rest) > 1 else [*made, *WRAPPERS.flock(call)]


def su(call: Call) -> list[Outcome]:
    valued = names("-c --command -s --shell -g --group -G --supp-group -u --user")
    options = read_options(call.args, valued, stop=call.name == "runuser")
    codes = options.values(names("-c --command"))
    known = names("- -l --login -m -p --preserve-environment -c --command")
    found = [one for word in codes for one in _run_wrapped_code(call, word)]
    if call.name == "runuser" and options.rest and not codes:
        found += call.shell.run_words(options.rest, call.stdin)
    return [*found, *_check_wrapper_options(options, known)] or [dynamic("shell")]


def _check_wrapper_options(options: Options, known: frozenset[str]) -> list[Outcome]:
    return [unlisted(FAMILY)] if any(flag not in known for flag, _ in options.flags) else []


def xargs(call: Call) -> list[Outcome]:
    options = read_options(call.args, XARGS_VALUED, attached=names("-i -e -l"), stop=True)
    beside = _check_wrapper_options(options, XARGS_FLAGS | XARGS_VALUED)
    marks = [value.text for value in options.values(names("-I -J"))]
    mark = marks[0] if marks else "{}" if options.has(names("-i --replace")) else ""
    known = _read_xargs_items(call, options, mark)
    told = call.stdin.told == "all"
    item = Word("", dynamic=True, bare=True, made=True, dash=not told, blank=not told)
    command = list(options.rest)
    if not command:
        return beside or [reads(FAMILY)]
    if not mark:
        return [*call.shell.run_words([*command, *(known or [replace(item, text=ITEM)])]), *beside]
    # The command's own name is not replaced; where it holds the mark, what runs is not known.
    if mark in command[0].text:
        return [dynamic(FAMILY)]
    found: list[Outcome] = []
    for one in known[:8] or [replace(item, text=mark)]:
        found += call.shell.run_words(
            [command[0], *(_fill_wrapped_word(word, mark, one) for word in command[1:])]
        )
    return [*found, *beside]


def _read_xargs_items(call: Call, options: Options, mark: str) -> list[Word]:
    """What is known of the words that it reads; nothing where they are cut apart in another way."""
    if call.stdin.kind == "names":
        return list(call.stdin.words)
    text = call.stdin.text
    if options.has(XARGS_CUTS) or XARGS_QUOTES.search(text):
        return []
    found = [Word(item) for item in (map(str.strip, text.splitlines()) if mark else text.split()) if item]
    return [] if any(one.text.startswith("-") for one in found) and options.has(XARGS_PORTIONS) else found


def _fill_wrapped_word(word: Word, mark: str, value: Word) -> Word:
    if mark not in word.text:
        return word
    text = word.text.replace(mark, value.text)[:4000]
    # Where the word is code, what replaces the mark is read as code too: `bare` says that it may be anything.
    return Word(
        text, word.dynamic or value.dynamic, word.glob or value.glob, value.dynamic, word.decoded, False, word.spans,
        word.made or value.made, word.dash or (word.text.startswith(mark) and value.dash),
    )  # fmt: skip


def parallel(call: Call) -> list[Outcome]:
    """`--dry-run` stands before the command."""
    options = read_options(call.args, PARALLEL_VALUED | PARALLEL_OUTPUTS, stop=True)
    beside = _check_wrapper_options(options, PARALLEL_FLAGS | PARALLEL_VALUED | PARALLEL_OUTPUTS)
    beside += [writes("overwrite", (value.text,), FAMILY) for value in options.values(PARALLEL_OUTPUTS)]
    if options.has(names("--dry-run --dryrun --version")):
        return beside or [reads(FAMILY)]
    words = list(options.rest)
    texts = [word.text for word in words]
    cut = next((at for at, text in enumerate(texts) if text in (":::", "::::", ":::+", "::::+")), len(words))
    command, given = words[:cut], [word for word in words[cut + 1 :] if not word.text.startswith(":::")]
    listed = cut < len(words) and texts[cut] != "::::"
    places: Sequence[Word] = given if listed else call.stdin.words
    if not command:
        known = bool(places) and cut < len(words)
        ran = [one for word in places for one in call.shell.run_code(word.text)]
        return [*ran, *beside] if known else [dynamic(FAMILY)]
    if len(command) == 1 and " " in command[0].text:
        call.hide_code(command[0])
        shown = places or [Word("{}", dynamic=True)]
        codes = [filled([command[0]], [place])[0].text for place in shown[:8]]
        return [*(one for code in codes for one in call.shell.run_code(code)), *beside]
    stands = places or [Word(ITEM, dynamic=True, bare=True, made=True, dash=True)]
    if not any("{" in word.text for word in command):
        return [*call.shell.run_words([*command, *stands]), *beside]
    ran = [one for place in stands[:8] for one in call.shell.run_words(filled(command, [place]))]
    return [*ran, *beside]


def script(call: Call) -> list[Outcome]:
    """One operand is the file; on some systems a command follows it."""
    valued = names("-c --command") | SCRIPT_VALUED | SCRIPT_OUTPUTS
    options = read_options(call.args, valued, stop=True)
    codes = options.values(names("-c --command"))
    files = [word.text for word in options.rest[:1]]
    files += [value.text for value in options.values(SCRIPT_OUTPUTS)]
    ran = [one for word in codes for one in _run_wrapped_code(call, word)]
    rest = options.rest[1:]
    if rest[:1] and rest[0].text in ("-c", "--command") and len(rest) > 1:
        ran += _run_wrapped_code(call, rest[1])
    elif rest:
        ran += call.shell.run_words(rest, call.stdin)
    beside = _check_wrapper_options(options, SCRIPT_FLAGS | valued)
    return [*(ran or [dynamic(FAMILY)]), writes("overwrite", files or ["typescript"], FAMILY), *beside]
