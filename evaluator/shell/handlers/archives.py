"""Archives: what is packed, unpacked and removed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.shell.call import NONE, Call, Options, Outcome, dynamic, joined, reads, unlisted, writes
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import Vocabulary, names

FILES = Shared("files")
VOCABULARY = Vocabulary("shell/programs/files", "words")
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
