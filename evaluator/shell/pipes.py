"""What a command hands on in a pipeline, as far as it is known before it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.call import Stdin, joined, read_options
from evaluator.shell.parse.lexed import decode_escapes
from evaluator.shell.plain_output import told_on
from evaluator.shell.words import Word
from evaluator.tables import names

LISTING = frozenset(("ls", "fd", "fdfind"))
PASSING = frozenset(("sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "tac", "tee", "shuf", "xargs"))
VALUED = names("-e -f -m -A -B -C")

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
    if program in LISTING or (program == "git" and args and args[0].text == "ls-files"):
        operands = [word for word in args if not word.text.startswith("-")]
        if program == "git":
            listed = [replace(word, text=f"./{word.text}") if word.glob else word for word in operands[1:]]
            return Stdin("names", words=tuple(listed), told="all")
        return Stdin("names", words=tuple(operands))
    if (
        program in PASSING
        and stdin.kind == "names"
        and not (program.endswith("grep") and len(read_options(args, VALUED).operands) > 1)
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
    if program == "printf":
        if len(texts) > 1 and "%" in texts[0]:
            said = "\n".join(texts[1:])
            if texts[0].replace("%s", "").strip():
                return Stdin("pipe")
        elif "%" in texts[0]:
            return Stdin("pipe")
        else:
            said = texts[0]
        return Stdin("text", said, tuple(words[1:]) if len(words) > 1 else tuple(words), spans)
    return Stdin("text", " ".join(texts), tuple(words), spans)


def found_names(args: Sequence[Word]) -> tuple[Word, ...]:
    """`find src -name '*.pyc'` -> `src/*.pyc`; without a name test the folders that are searched."""
    starts: list[Word] = []
    for word in args:
        if word.text.startswith(("-", "(", "!")):
            break
        starts.append(word)
    names = [args[at + 1] for at, word in enumerate(args[:-1]) if word.text in ("-name", "-iname")]
    roots = [word.text for word in starts] or ["."]
    if names:
        return tuple(
            Word(joined(root, name.text), name.dynamic, True, spans=name.spans)
            for root in roots
            for name in names
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
