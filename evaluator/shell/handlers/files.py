"""Copies, moves, links, modes, searches and converters: what they touch depends on the form of their operands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.model import Operation
from evaluator.patches import parsed
from evaluator.shell.call import Call, Options, Outcome, dynamic, filled, found_names, reads, unlisted, writes
from evaluator.shell.handlers.common import changing, options_of
from evaluator.shell.rows.row import copied, is_folder, landing
from evaluator.shell.rows.tables import Shared
from evaluator.shell.scope import ITEM
from evaluator.shell.words import Word
from evaluator.text import Vocabulary, names

FILES = Shared("files")
VOCABULARY = Vocabulary("shell/programs/files", "words")
MAKES_LINKS = VOCABULARY.words("makes-links")
"""Options with which a copy makes links, or takes along those that lie in a folder."""
INTO = names("-t --target-directory")
MODE = re.compile(r"-[rwxXstugoa,=+-]+\Z")
RENAME_CODE = re.compile(r"(?:s|y|tr)[/|,#{].*|.*\$_.*", re.DOTALL)


def copy(call: Call, options: Options) -> list[Outcome]:
    keeps = options.has(names("-n --no-clobber")) or any(
        value.text.startswith("none") for value in options.values(names("--update"))
    )
    family = "links" if options.may_have(MAKES_LINKS) else "files"
    copies = writes("create" if keeps else "overwrite", _copied_file_targets(options), family)
    return [copies] if call.args else []


def _copied_file_targets(options: Options) -> tuple[str, ...]:
    given = options.texts()
    into = options.values(INTO)
    if into:
        return tuple(landing(source, into[0].text) for source in given)
    if len(given) < 2 or options.has(names("-T --no-target-directory")):
        return tuple(given[1:][-1:])
    return copied(given[:-1], given[-1])


def move(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    sources = given if options.values(INTO) else given[:-1]
    return [writes("move", (*sources, *_copied_file_targets(options)), "files")]


def install(call: Call, options: Options) -> list[Outcome]:
    if options.may_have(names("-d --directory")):
        return [writes("create", options.texts(), "files")]
    return [writes("overwrite", _copied_file_targets(options), "files")]


def link(call: Call, options: Options) -> list[Outcome]:
    forced = options.may_have(names("-f --force"))
    given, into = options.texts(), options.values(INTO)
    if into:
        places: tuple[str, ...] = tuple(landing(source, into[0].text) for source in given)
    elif len(given) == 1:
        places = (landing(given[0], "."),)
    else:
        folder = given[-1:] and is_folder(given[-1]) and not options.has(names("-n --no-dereference -T"))
        places = copied(given[:-1], given[-1]) if folder or len(given) > 2 else tuple(given[-1:])
    return [writes("overwrite" if forced else "create", places, "links")]


def permissions(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    by_reference = bool(options.values(names("--reference")))
    return [writes("permissions", given if by_reference else given[1:], "files")]


def mode_first(words: Sequence[Word]) -> Sequence[Word]:
    """`chmod -w FILE`: the mode begins with a dash, and is no option."""
    for at, word in enumerate(words):
        if word.text == "--":
            break
        if MODE.match(word.text) and not word.text.startswith("--"):
            return [*words[:at], Word("=" + word.text[1:]), *words[at + 1 :]]
        if not word.text.startswith("-"):
            break
    return words


def mktemp(call: Call, options: Options) -> list[Outcome]:
    if options.has(names("-u --dry-run")):
        return []
    folder = next((value.text for value in options.values(names("-p --tmpdir"))), "")
    if options.operands:
        return [writes("create", options.texts(), "files").within(folder)]
    return [writes("create", [folder] if folder else [], "files")]


def dd(call: Call, options: Options) -> list[Outcome]:
    operands = {name: value for name, _, value in (text.partition("=") for text in call.texts)}
    if any(name not in DD for name in operands):
        return [unlisted("files")]
    if "of" not in operands:
        return []
    appending = "append" in operands.get("oflag", "")
    return [writes("append" if appending else "overwrite", (operands["of"],), "files")]


def rename(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    perl = bool(given) and RENAME_CODE.match(given[0]) is not None
    moves = writes("move", given[1:] if perl else given[2:], "files")
    return [] if options.has(names("-n --no-act --nono")) else [moves]


DD = names("if of bs ibs obs cbs count skip seek iseek oseek iflag oflag conv status speed")
RUNS = names("-exec -execdir -ok -okdir")
WRITES = names("-fprint -fprint0 -fls -fprintf")
TESTS = VOCABULARY.words("tests")
VALUED = VOCABULARY.words("valued")
NEWER = re.compile(r"-newer[aBcmt]{2}\Z")
LEVEL = re.compile(r"-O\d\Z")
FD_CLUSTER = re.compile(r"-[HIuasipFlLg0q1]*[xX]\Z")


def find(call: Call) -> list[Outcome]:
    args = call.args
    if any(word.decoded for word in args):
        return [dynamic("files")]
    found: list[Outcome] = []
    places = found_names(_drop_pruned_file_names(args))
    at = 0
    while at < len(args):
        word = args[at]
        text = word.text
        at += 1
        if text in RUNS:
            end = at
            while end < len(args) and (args[end].text, args[end - 1].text) != ("+", "{}"):
                if args[end].text == ";":
                    break
                end += 1
            command, at = args[at:end], end + 1
            # What it found is the program itself.
            itself = any("{}" in one.text for one in command[:1])
            found += [dynamic("files")] if itself else call.shell.run_words(filled(command, places))
        elif text == "-delete":
            found.append(writes("delete", [word.text for word in places], "files"))
        elif text in WRITES and at < len(args):
            found.append(writes("overwrite", (args[at].text,), "files"))
            at += 2 if text == "-fprintf" else 1
        elif text in VALUED or NEWER.match(text):
            if at >= len(args) or (args[at].bare and args[at].made):
                found.append(unlisted("files"))
            at += 1
        elif (
            word.may_be_option
            or (word.bare and word.made)
            or (text[:1] == "-" and text not in TESTS and not LEVEL.match(text))
        ):
            found.append(unlisted("files"))
    return changing(found) or [reads("files")]


def _drop_pruned_file_names(args: Sequence[Word]) -> list[Word]:
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


def fd(call: Call) -> list[Outcome]:
    """The command behind `-x` and `-X` ends at `;` or with the line; the letter may end a cluster (`-Hx`)."""
    args = call.args
    own = args
    found: list[Outcome] = []
    for at, word in enumerate(args):
        if word.text == "--":
            break
        if word.text in ("--exec", "--exec-batch") or FD_CLUSTER.match(word.text):
            end = next((one for one in range(at + 1, len(args)) if args[one].text == ";"), len(args))
            before = Word(word.text[:-1]) if len(word.text) > 2 and not word.text.startswith("--") else None
            own = (*args[:at], *([before] if before else ()), *args[end + 1 :])
            extension = options_of(FILES.fd, args[:at]).values(names("-e --extension"))
            place = Word(f"*.{extension[0].text}", glob=True) if extension else Word(ITEM, dynamic=True)
            command = list(args[at + 1 : end])
            if not any("{" in one.text for one in command):
                command.append(place)
            itself = any("{" in one.text for one in command[:1])
            words = filled(command, [place]) if extension else command
            found += [dynamic("files")] if itself else call.shell.run_words(words)
            break
    told = FILES.fd(replace(call, args=own))
    return changing([*told, *found]) or [reads("files")]


NOT_FILES = names("- null: info: txt: txt:- json: json:- pipe: pipe:1 /dev/null NUL")
FILTERS = names("-vf -af -filter:v -filter:a -filter_complex")
# A prefix of an image's name may run a script, ask an address or delete a file.
CODER = re.compile(r"[A-Za-z][\w-]*:")


def _media_file_outcomes(targets: list[str]) -> list[Outcome]:
    files = [text for text in targets if text not in NOT_FILES]
    return [writes("overwrite", files, "media")] if files else []


def film(call: Call, options: Options) -> list[Outcome]:
    """Every operand is an output. A filter may write a file of its own."""
    remote = any("://" in text for text in call.texts) or options.has(FILTERS)
    return _media_file_outcomes(options.texts()) or ([unlisted("media")] if remote else [])


def last(call: Call, options: Options) -> list[Outcome]:
    """Two operands or more: the last one is written."""
    given = options.texts()
    return _media_file_outcomes(given[-1:]) if len(given) > 1 else []


def image(call: Call, options: Options) -> list[Outcome]:
    odd = any(CODER.match(text) and text not in NOT_FILES for text in options.texts())
    return [*([unlisted("media")] if odd else []), *last(call, options)]


def apply_patch(call: Call) -> list[Outcome]:
    if len(call.args) == 1:
        word = call.args[0]
        call.shell.hide(word.spans, f"[patch: {len(word.text)} chars]")
        patch, made = parsed("" if word.decoded else word.text), word.dynamic
    elif call.args or call.stdin.kind != "text":
        return [dynamic("text")]
    else:
        call.hide_input("patch")
        patch, made = parsed(call.stdin.text), call.stdin.made
    found: list[Outcome] = []
    for file in patch.files:
        does: Operation = "overwrite" if file.does == "write" else file.does
        found.append(writes(does, (file.path, file.to) if file.to else (file.path,), "text"))
    # What is put in at run time may be further files.
    return found if patch.whole and not made else [*found, dynamic("text")]
