"""`find` and `fd`: what they delete, write, or run on what they find."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, writes
from evaluator.stages.shell.pipes import found_names
from evaluator.stages.shell.scope import ITEM
from evaluator.stages.shell.spec import programs
from evaluator.stages.shell.words import Word

RUNS = names("-exec -execdir -ok -okdir")
WRITES = names("-fprint -fprint0 -fls -fprintf")
PATTERN_MAX = 8


def _find(call: Call) -> list[Outcome]:
    args = call.args
    if any(word.decoded for word in args):
        return [dynamic("files")]
    found: list[Outcome] = []
    places = found_names(_without_pruned(args))
    at = 0
    while at < len(args):
        text = args[at].text
        at += 1
        if text in RUNS:
            end = at
            while end < len(args) and args[end].text not in (";", "+"):
                end += 1
            found += call.shell.run_words(filled(args[at:end], places))
            at = end + 1
        elif text == "-delete":
            found.append(writes("delete", [word.text for word in places], "files"))
        elif text in WRITES and at < len(args):
            found.append(writes("overwrite", (args[at].text,), "files"))
            at += 1
    return found or [reads("files")]


def _without_pruned(args: Sequence[Word]) -> list[Word]:
    """A name that is negated or pruned is not among what is found."""
    kept: list[Word] = []
    for at, word in enumerate(args):
        named = at > 0 and args[at - 1].text in ("-name", "-iname")
        negated = named and at > 1 and args[at - 2].text in ("!", "-not")
        pruned = named and at + 1 < len(args) and args[at + 1].text == "-prune"
        if negated or pruned:
            kept.pop()
        else:
            kept.append(word)
    return kept


def filled(words: Sequence[Word], places: Sequence[Word], mark: str = "{}") -> list[Word]:
    """The command with the mark replaced by what stands for the found files; several stand for one alone."""
    out: list[Word] = []
    for word in words:
        if word.text == mark:
            out += places[:PATTERN_MAX]
        elif mark in word.text and places and len(word.text) < 2000:
            text = word.text.replace(mark, places[0].text)
            out.append(
                Word(
                    text,
                    word.dynamic or places[0].dynamic,
                    True,
                    word.bare,
                    word.decoded,
                    word.assigned,
                    word.spans,
                )
            )
        else:
            out.append(word)
    return out


def _fd(call: Call) -> list[Outcome]:
    args = call.args
    for at, word in enumerate(args):
        if word.text in ("-x", "-X", "--exec", "--exec-batch"):
            end = next((one for one in range(at + 1, len(args)) if args[one].text == ";"), len(args))
            extension = read_options(
                args[:at], names("-e --extension -t --type -d -E --exclude -g -S --size")
            ).values(names("-e --extension"))
            place = Word(f"*.{extension[0].text}", glob=True) if extension else Word(ITEM, dynamic=True)
            command = list(args[at + 1 : end])
            if not any("{}" in one.text for one in command):
                command.append(place)
            return call.shell.run_words(filled(command, [place]) if extension else command)
        if word.text.startswith(("-x", "-X", "--exec")) and not word.text.startswith("-xdev"):
            return [dynamic("files")]
    return [reads("files")]


PROGRAMS: dict[str, Handler] = {**programs("find gfind", _find), **programs("fd fdfind", _fd)}
