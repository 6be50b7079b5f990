"""What governs a machine: services, processes, disks, devices, terminals and schedules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.shell.call import Call, Handler, Outcome, Style, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.rows.row import HELP
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

SYSTEM = Shared("system")
VOCABULARY = Vocabulary("shell/programs/system", "words")
SIGNAL = re.compile(r"-(?:\d+|[A-Z]+\d?)")
OWN = re.compile(r"0|%[\w%+-]*|\$!|\$\{!\}")
"""The shell's own group and jobs."""


def kill(call: Call) -> list[Outcome]:
    """Signal 0 asks whether a process lives; `-l` lists signals; a line may end its own jobs."""
    texts = call.texts
    asks = texts[:1] == ["-0"] or texts[:2] == ["-s", "0"]
    lists = call.name in ("kill", "killall") and texts[:1] in (["-l"], ["-L"], ["--list"])
    # Of `kill` only the first option is a signal; what follows it names processes.
    known = call.name == "kill" or not any(word.may_be_option for word in call.args)
    operands = texts[1:] if texts and SIGNAL.fullmatch(texts[0]) else texts
    own = call.name == "kill" and bool(operands) and all(map(OWN.fullmatch, operands))
    return [reads("system")] if ((asks or lists) and known) or own else [dynamic("system")]


KEYBOARD = "keyboard"
TMUX_READS = VOCABULARY.words("tmux-reads")
TMUX_ARRANGES = VOCABULARY.words("tmux-arranges")
SCREEN_OWN = names("-d -D -m -S -h -t -L -U -A -q")
TYPES_IN_CODE = re.compile(VOCABULARY.either("types-in-code"))
"""Names by which code puts characters into a terminal's input."""


def typed(_: Call | None = None) -> list[Outcome]:
    return [dynamic(KEYBOARD)]


def types_in_code(code: str) -> list[Outcome]:
    """Inline code that types; empty for any other."""
    return typed() if TYPES_IN_CODE.search(code) else []


def reading(call: Call, words: str, but: str = "", dashed: str = "") -> list[Outcome]:
    """Types, unless the first operand is in `words` and none of `but` is there, or the first word is in `dashed`."""
    given = read_options(call.args).operands[:1]
    looks = given and given[0].plain and given[0].text in names(words) and names(but).isdisjoint(call.texts)
    tells = call.texts[:1] and call.texts[0] in names(dashed)
    return [reads(KEYBOARD)] if looks or tells else typed()


def tmux(call: Call) -> list[Outcome]:
    """Several commands may stand in one call, separated by `;`. `#(...)` in a format runs a shell."""
    hidden = any("#(" in word.text or (word.dynamic and word.bare) or word.decoded for word in call.args)
    options = read_options(call.args, names("-S -L -f -c -T"), stop=True)
    if hidden or options.values(names("-f -c")):
        return typed()
    if not options.rest:
        return [reads(KEYBOARD)] if options.has(names("-V")) else [unlisted(KEYBOARD)]
    parts: list[list[Word]] = [[]]
    for word in options.rest:
        text = word.text
        parts[-1] += [replace(word, text=text.rstrip(";"))] if text.rstrip(";") else []
        if text.endswith(";"):
            parts.append([])
    return [one for part in parts if part for one in _tmux_command_outcomes(call, part)]


def _tmux_command_outcomes(call: Call, words: list[Word]) -> list[Outcome]:
    name = words[0].text
    if name in TMUX_READS:
        last = words[-1].text
        saves = name in ("save-buffer", "saveb") and last != "-"
        return [writes("overwrite", (last,), KEYBOARD) if saves else reads(KEYBOARD)]
    if name in TMUX_ARRANGES:
        return [unlisted(KEYBOARD)]
    if name in ("new-session", "new", "new-window", "neww", "split-window", "splitw"):
        options = read_options(words[1:], names("-c -e -f -F -n -s -t -x -y -l"), stop=True)
        return _run_in_system_terminal(call, options.rest)
    return typed()


def _run_in_system_terminal(call: Call, words: Sequence[Word]) -> list[Outcome]:
    """A command in a terminal of its own; without one it is the user's shell, which waits for a person."""
    if not words or any(word.dynamic for word in words):
        return typed() if words else [unlisted(KEYBOARD)]
    call.hide_code(*words)
    ran = call.shell.run_code(words[0].text) if len(words) == 1 else call.shell.run_words(words)
    return [unlisted("wrapper"), *ran]


def screen(call: Call) -> list[Outcome]:
    texts = call.texts
    options = read_options(call.args, names("-S -h -t"), stop=True)
    if options.rest and options.has(names("-m")) and all(name in SCREEN_OWN for name, _ in options.flags):
        return _run_in_system_terminal(call, options.rest)
    if texts and texts[0] in ("-ls", "-list", "-v", "--version", "-wipe"):
        return [reads(KEYBOARD)]
    if "-X" in texts:
        rest = texts[texts.index("-X") + 1 :]
        quiet = rest[:1] in (["quit"], ["kill"], ["detach"], ["title"], ["sessionname"])
        return [unlisted(KEYBOARD)] if quiet else typed()
    attaches = texts and all(text.startswith("-") or not index for index, text in enumerate(reversed(texts)))
    attaches = attaches and any(text in ("-r", "-x", "-d", "-R") for text in texts)
    return [unlisted(KEYBOARD)] if attaches else typed()


def crontab(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-u"))
    if options.has(names("-l")) and not options.operands and not options.may_have(names("-e -r")):
        return [reads(KEYBOARD)]
    return [writes("delete", (), KEYBOARD)] if options.has(names("-r")) else typed()


def at(call: Call) -> list[Outcome]:
    verb = "".join(call.texts[:1])
    if verb in names("-l -c -V -d -r"):
        return [writes("delete", (), KEYBOARD) if verb in names("-d -r") else reads(KEYBOARD)]
    known = call.shell.run_code(call.stdin.text) if call.stdin.kind == "text" else []
    return [dynamic(KEYBOARD, [target for one in known for target in one.targets])]


def launchctl(call: Call) -> list[Outcome]:
    """Its jobs run later; what only looks stands in the row of services."""
    found = SYSTEM.launchctl(call)
    return [one if one.verdict == "read_only" else replace(one, family=KEYBOARD) for one in found]


def wiped(call: Call) -> list[Outcome]:
    targets = [text for text in call.texts if text.startswith("/dev/")]
    return [writes("overwrite", targets, "system", "destructive")]


WAY_MAX = 2
"""How many words name what is asked (`route show`)."""


@dataclass(frozen=True, slots=True)
class Governs:
    """A program that governs services, power, networks, processes or users: it looks only where its row says so.

    `looks`: the operand at place `at` that only looks, whatever follows. `pairs`: the same of its first two operands.
    `ways` and `alone`: one set of words for each operand, the first ones or all; words may be cut short behind their
    bar (`r|oute` is r, ro, rou, rout and route). `asks`: options that make it look. `mild` and `valued`: options,
    without and with a value, that change nothing about that; any other option governs. `bare`: whether it looks
    without operands. `free`: how many operands it may have and look whatever they are, if none of them holds `=`.
    `otherwise`: what it does else. `remote`: it asks over the network, which takes literal words.
    """

    family: str = "system"
    looks: frozenset[str] = NONE
    pairs: frozenset[str] = NONE
    ways: tuple[tuple[str, ...], ...] = ()
    alone: tuple[tuple[str, ...], ...] = ()
    asks: frozenset[str] = NONE
    mild: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    at: int = 0
    bare: bool = False
    free: int = 0
    style: Style = "gnu"
    otherwise: Handler | None = None
    remote: bool = False

    def __call__(self, call: Call) -> list[Outcome]:
        if self._is_system_query(call):
            return [reads(self.family)]
        return self.otherwise(call) if self.otherwise else [dynamic(self.family)]

    def _is_system_query(self, call: Call) -> bool:
        options = read_options(call.args, self.valued, style=self.style)
        known = self.asks | self.mild | self.valued
        if any(flag not in known for flag, _ in options.flags):
            return len(options.flags) == 1 and not options.operands and options.has(HELP)
        if any(word.may_be_option or (self.remote and word.dynamic) for word in call.args):
            return False
        words, given = options.operands, options.texts()
        if not given:
            return self.bare or self.free > 0 or options.has(self.asks)
        if options.has(self.asks) or len(given) <= self.free:
            return not any("=" in text for text in given)
        # A word that is not known is a name, unless it stands where the verb does or may be several words before it.
        verb = self.at
        if any(word.bare for word in words[:verb]) or not all(word.plain for word in words[verb : verb + 1]):
            return False
        if len(given) > verb and given[verb] in self.looks:
            return True
        if not all(word.plain for word in words[:WAY_MAX]):
            return False
        return (
            " ".join(given[:2]) in self.pairs
            or any(_is_system_subcommand(way, given) for way in self.ways)
            or any(len(way) == len(given) and _is_system_subcommand(way, given) for way in self.alone)
        )


def _is_system_subcommand(way: tuple[str, ...], given: list[str]) -> bool:
    forms = [[one.partition("|") for one in step.split()] for step in way]
    return len(given) >= len(way) and all(
        any(text.startswith(stem) and (stem + rest).startswith(text) for stem, _, rest in form)
        for form, text in zip(forms, given, strict=False)
    )
