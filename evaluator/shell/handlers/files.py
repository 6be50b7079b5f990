"""Copies, moves, links, modes, searches, converters and archives: what they touch depends on their operands' form."""

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
from evaluator.shell.scope import ITEM, joined
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

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
    return changing([*FILES.fd(replace(call, args=own)), *found]) or [reads("files")]


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


PLAIN_FILTERS = VOCABULARY.words("plain-filters")
PLAIN_FILTER = re.compile(
    r"([a-z0-9]+)(?: +(?:-[0-9dckqvT]+|--fast|--best|--ultra|--long=\d+|--rsyncable|-T ?\d+))*\Z"
)
REMOTE = re.compile(r"[^/]+:")
SUFFIXES = VOCABULARY.texts("suffixes")


def tar(call: Call, options: Options) -> list[Outcome]:
    archives = [value.text for value in options.values(names("-f --file"))]
    remote = any(map(REMOTE.match, archives)) and not options.has(names("--force-local"))
    filters = map(
        PLAIN_FILTER.match, (one.text for one in options.values(names("-I --use-compress-program")))
    )
    # What goes to a command is not unpacked. A line of a list of files may be an option.
    found = [dynamic("archive") for one in filters if one is None or one.group(1) not in PLAIN_FILTERS]
    found += [unlisted("archive")] if remote or options.values(names("-T --files-from")) else []
    if options.may_have(names("--to-command")):
        return found
    return [*found, *_tar_archive_outcomes(options)]


def _tar_archive_outcomes(options: Options) -> list[Outcome]:
    flags = {flag for flag, _ in options.flags}
    folder = next((value.text for value in options.values(names("-C --directory"))), "")
    archive = [value.text for value in options.values(names("-f --file")) if value.text != "-"]
    makes = names("-x --extract --get -c --create -r --append -u --update -A --delete")
    if flags & {"-t", "--list", "-d", "--diff", "--compare"} and not flags & makes:
        return [reads("archive")]
    if flags & {"-x", "--extract", "--get"}:
        if flags & {"-O", "--to-stdout"}:
            return [reads("archive")]
        top = [value.text for value in options.values(names("--one-top-level"))]
        targets = [joined(folder, text) for text in options.texts()] or top or [folder or "."]
        return [writes("overwrite", targets, "archive")]
    found: list[Outcome] = []
    if archive:
        found.append(writes("append" if flags & {"-r", "--append"} else "overwrite", archive, "archive"))
    if flags & {"--remove-files"}:
        found.append(writes("delete", [joined(folder, text) for text in options.texts()], "archive"))
    return found or [reads("archive")]


def dashed(args: Sequence[Word]) -> list[Word]:
    """The old style `tar xzf FILE` as `tar -x -z -f FILE`: letters that take a value take the next words in order."""
    if not args or args[0].text.startswith("-") or not args[0].plain:
        return list(args)
    out: list[Word] = []
    rest = list(args[1:])
    for letter in args[0].text:
        out.append(Word("-" + letter))
        if "-" + letter in LETTERS and rest:
            out.append(rest.pop(0))
    return out + rest


LETTERS = FILES.tar.valued | FILES.tar.loads | frozenset(FILES.tar.outputs)


def unzip(call: Call, options: Options) -> list[Outcome]:
    looks = options.has(names("-l -t -p -v -Z -c -z")) and not options.has(names("-d"))
    if looks or not options.operands:
        return []
    folder = next((value.text for value in options.values(names("-d"))), "")
    members = options.texts()[1:]
    return [writes("overwrite", [joined(folder, text) for text in members] or [folder or "."], "archive")]


def zip(call: Call, options: Options) -> list[Outcome]:
    lists = options.has(names("-sf --show-files"))
    given = [text for text in options.texts() if text != "-"]
    if not given or lists or (len(call.args) == 2 and options.has(names("-T --test"))):
        return []
    outputs = [value.text for value in options.values(names("-O --output-file --out"))]
    found = [writes("overwrite", outputs or given[:1], "archive")]
    if options.has(names("-m --move")):
        found.append(writes("delete", given[1:], "archive"))
    return found


def zip_words(words: Sequence[Word]) -> Sequence[Word]:
    """`-rq` as `-r -q`: the options of zip may stand together, though some of them have two letters."""
    out: list[Word] = []
    for word in words:
        clustered = word.plain and ZIP_CLUSTER.match(word.text)
        out += [Word(f"-{letter}") for letter in word.text[1:]] if clustered else [word]
    return out


ZIP_CLUSTER = re.compile(r"-(?!.*(?:TT|FF))[rqjv0-9DXyuoTlmeF]{2,}\Z")


def compress(call: Call, options: Options) -> list[Outcome]:
    name = call.name
    outputs = [value.text for value in options.values(names("-o"))]
    # Of lz4 `-l` is a format.
    looks = names("-c --stdout --to-stdout --list -t --test") | (NONE if "lz4" in name else names("-l"))
    shown = options.has(looks) and not outputs and not options.may_have(names("--rm"))
    if shown or not options.operands:
        return []
    keeps = options.has(names("-k --keep")) or name in ("zstd", "unzstd", "brotli", "lz4", "unlz4")
    keeps = keeps and not options.may_have(names("--rm"))
    unpacks = name.startswith(("un", "gun", "bun")) or options.may_have(names("-d --decompress --uncompress"))
    suffix = next((one.text for one in options.values(names("-S --suffix"))), SUFFIXES.get(name, ""))
    targets: list[str] = []
    for text in options.texts():
        other = text.rsplit(".", 1)[0] if unpacks and "." in text else text + suffix
        targets += ([] if keeps else [text]) + (outputs or [other])
    return [writes("overwrite", targets, "archive")]


SEVEN_OPTION = re.compile(
    r"-(?:t\w+|p.*|o.+|mx(?:=\d)?|mmt\w*|m[0-9a-z]+=[\w:]+|y|r\d?|r-|so|si|slt|ba|bd|bb\d|bs[oep]\d|ao[astu]|x[r0-9!@].*|i[r0-9!@].*|scc\S+|scs\S+|ssc-?)\Z"
)


def seven(call: Call) -> list[Outcome]:
    texts = call.texts
    verb = texts[0] if texts else ""
    given = [text for text in texts[1:] if not text.startswith("-")]
    unsure = any(text.startswith("-") and not SEVEN_OPTION.match(text) for text in texts[1:])
    # `@FILE` lists names, and a pattern that is expanded may be an option.
    unsure = unsure or any(word.may_be_option for word in call.args)
    found: list[Outcome] = [unlisted("archive")] if unsure else []
    if verb in ("x", "e") and "-so" not in texts:
        folder = next((text[2:] for text in texts if text.startswith("-o") and len(text) > 2), ".")
        return [*found, writes("overwrite", [folder], "archive")]
    if verb in ("a", "u", "d", "rn"):
        return [*found, writes("overwrite", given[:1], "archive")]
    known = verb in ("x", "e", "l", "t", "h", "i", "b", "") or call.texts in (["--help"], ["-h"])
    return found or [reads("archive") if known else unlisted("archive")]
