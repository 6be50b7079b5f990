"""Archives and compression: where they unpack to, which file they make."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import Options, names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, joined, reads, writes
from evaluator.stages.shell.spec import HELP, programs
from evaluator.stages.shell.words import Word

TAR_VALUED = names(
    "-f --file -C --directory -T --files-from -X --exclude-from --exclude -b --blocking-factor -I "
    "--use-compress-program --strip-components "
    "--transform --xform -g --listed-incremental -N --newer --owner --group --mode --mtime -V --label -K "
    "--to-command "
    "--checkpoint-action --info-script -F --new-volume-script --rsh-command --rmt-command --one-top-level "
    "--index-file"
)
TAR_RUNS = names(
    "--to-command --checkpoint-action --info-script --new-volume-script -F --rsh-command --rmt-command"
)
PLAIN_FILTERS = frozenset(
    ("gzip", "pigz", "bzip2", "pbzip2", "xz", "zstd", "lz4", "brotli", "zstdmt", "lzma")
)
SUFFIXES = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "zstd": ".zst",
    "lz4": ".lz4",
    "lzma": ".lzma",
    "compress": ".Z",
    "pigz": ".gz",
    "brotli": ".br",
}


def _tar(call: Call) -> list[Outcome]:
    words = _dashed(call.args)
    options = read_options(words, TAR_VALUED)
    if options.has(HELP):
        return [reads("archive")]
    filters = options.values(names("-I --use-compress-program"))
    if options.may_have(TAR_RUNS) or any(one.text.split(" ")[0] not in PLAIN_FILTERS for one in filters):
        # What goes to a command is not unpacked.
        return [dynamic("archive", () if options.may_have(names("--to-command")) else _touched(options))]
    return _tarred(options)


def _touched(options: Options) -> list[str]:
    return [target for one in _tarred(options) for target in one.targets]


def _tarred(options: Options) -> list[Outcome]:
    flags = {flag for flag, _ in options.flags}
    folder = next((value.text for value in options.values(names("-C --directory"))), "")
    archive = [value.text for value in options.values(names("-f --file")) if value.text != "-"]
    if flags & {"-t", "--list", "-d", "--diff", "--compare"}:
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


def _dashed(args: tuple[Word, ...]) -> list[Word]:
    """The old style `tar xzf FILE` as `tar -x -z -f FILE`: letters that take a value take the next words in order."""
    if not args or args[0].text.startswith("-") or not args[0].plain:
        return list(args)
    out: list[Word] = []
    rest = list(args[1:])
    for letter in args[0].text:
        out.append(Word("-" + letter))
        if "-" + letter in TAR_VALUED and rest:
            out.append(rest.pop(0))
    return out + rest


def _unzip(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-d -P -x -O -I"))
    if options.may_have(names("-l -t -p -v -Z -c -z")) and not options.has(names("-d")):
        return [reads("archive")]
    folder = next((value.text for value in options.values(names("-d"))), "")
    members = options.texts()[1:]
    return [writes("overwrite", [joined(folder, text) for text in members] or [folder or "."], "archive")]


def _zip(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-b -i -x -n -t -tt -P -s -TT --temp-path --include --exclude -O --output-file")
    )
    if options.may_have(names("-TT --unzip-command")):
        return [dynamic("archive")]
    if (
        any(text in ("-sf", "-T", "--show-files", "-h2", "-L", "-v") for text in call.texts[:1])
        and len(call.args) < 3
    ):
        return [reads("archive")]
    given = [text for text in options.texts() if text != "-"]
    outputs = [value.text for value in options.values(names("-O --output-file"))]
    found = [writes("overwrite", outputs or given[:1], "archive")] if given else []
    if options.has(names("-m --move")):
        found.append(writes("delete", given[1:], "archive"))
    return found or [reads("archive")]


def _compress(call: Call) -> list[Outcome]:
    name = call.name
    options = read_options(
        call.args,
        names("-S --suffix -T --threads -b --blocksize --format -o -M --memlimit -D")
        if name not in ("gzip", "gunzip")
        else names("-S --suffix -b"),
    )
    if options.may_have(names("-c --stdout --to-stdout -l --list -t --test")) or not options.operands:
        return [reads("archive")]
    keeps = options.has(names("-k --keep")) or name in ("zstd", "unzstd", "brotli", "lz4")
    unpacks = (
        name.startswith("un")
        or name in ("gunzip", "bunzip2")
        or options.may_have(names("-d --decompress --uncompress"))
    )
    suffix = SUFFIXES.get(name, "")
    outputs = [value.text for value in options.values(names("-o"))]
    targets: list[str] = []
    for text in options.texts():
        other = text.rsplit(".", 1)[0] if unpacks and "." in text else text + suffix
        targets += ([] if keeps else [text]) + (outputs or [other])
    return [writes("overwrite", targets, "archive")]


def _seven(call: Call) -> list[Outcome]:
    texts = call.texts
    verb = texts[0] if texts else ""
    given = [text for text in texts[1:] if not text.startswith("-")]
    if verb in ("x", "e"):
        folder = next((text[2:] for text in texts if text.startswith("-o") and len(text) > 2), ".")
        return [reads("archive")] if "-so" in texts else [writes("overwrite", [folder], "archive")]
    if verb in ("a", "u", "d", "rn"):
        return [writes("overwrite", given[:1], "archive")]
    return [reads("archive")]


def _rar(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else ""
    given = [text for text in call.texts[1:] if not text.startswith("-")]
    if verb in ("x", "e"):
        return [writes("overwrite", given[1:2] or ["."], "archive")]
    return (
        [writes("overwrite", given[:1], "archive")]
        if verb[:1] in ("a", "u", "d", "m", "f")
        else [reads("archive")]
    )


def _unar(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o -output-directory -p -password -e -E"), style="single")
    if not options.operands:
        return [reads("archive")]
    folder = next((value.text for value in options.values(names("-o -output-directory"))), ".")
    return [writes("overwrite", [folder], "archive")]


def _cpio(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-D --directory -F --file -E --pattern-file -R -H --format -O -I")
    )
    if options.has(names("-t --list")):
        return [reads("archive")]
    folder = next((value.text for value in options.values(names("-D --directory"))), ".")
    if options.may_have(names("-i --extract")):
        return [writes("overwrite", [folder], "archive")]
    if options.may_have(names("-p --pass-through")):
        return [writes("overwrite", options.texts()[-1:], "archive")]
    return (
        [writes("overwrite", [v.text for v in options.values(names("-O -F --file"))], "archive")]
        if options.values(names("-O -F --file"))
        else [reads("archive")]
    )


def _jar(call: Call) -> list[Outcome]:
    texts = call.texts
    mode = texts[0].lstrip("-") if texts else ""
    if mode.startswith("x") or "--extract" in texts:
        return [writes("overwrite", ["."], "archive")]
    if mode.startswith(("c", "u")):
        return [writes("overwrite", texts[1:2], "archive")]
    return [reads("archive")]


def _ar(call: Call) -> list[Outcome]:
    texts = call.texts
    looking = not texts or texts[0].lstrip("-")[:1] in ("t", "p")
    return [reads("archive")] if looking else [writes("overwrite", texts[1:2], "archive")]


PROGRAMS: dict[str, Handler] = {
    **programs("tar gtar bsdtar", _tar),
    **programs("unzip", _unzip),
    **programs("zip", _zip),
    **programs(
        "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 unlz4 lzma unlzma compress uncompress pigz unpigz brotli",
        _compress,
    ),
    **programs("7z 7za 7zr 7zz", _seven),
    **programs("unrar rar", _rar),
    **programs("unar", _unar),
    **programs("cpio", _cpio),
    **programs("jar", _jar),
    **programs("ar", _ar),
}
