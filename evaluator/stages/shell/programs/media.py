"""Pictures, sound, documents and object files: converters that write the file they name last."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Spec, always, programs

NOT_FILES = ("-", "null:", "info:", "txt:", "txt:-", "json:", "json:-", "pipe:1", "pipe:", "/dev/null", "NUL")


def _written(targets: list[str]) -> list[Outcome]:
    files = [text for text in targets if text not in NOT_FILES]
    return [writes("overwrite", files, "media")] if files else [reads("media")]


def _ffmpeg(call: Call) -> list[Outcome]:
    """The last word is the output, unless it is the value of `-i`."""
    texts = call.texts
    if (
        not texts
        or texts[-1].startswith("-")
        or (len(texts) > 1 and texts[-2] == "-i")
        or "-version" in texts
    ):
        return [reads("media")]
    return _written(texts[-1:])


def _last(reading: str, family_flags: str = "") -> Handler:
    """Two operands or more: the last one is written."""
    flags = names(reading)
    in_place = names(family_flags)

    def handle(call: Call) -> list[Outcome]:
        texts = call.texts
        if any(text in flags for text in texts):
            return [reads("media")]
        given = [text for text in texts if not text.startswith(("-", "+"))]
        if any(text in in_place for text in texts):
            return _written(given[:1])
        return _written(texts[-1:]) if len(given) > 1 and not texts[-1].startswith("-") else [reads("media")]

    return handle


def _magick(call: Call) -> list[Outcome]:
    """ImageMagick 7: the first word may name an older program."""
    verb, rest = (call.texts[0], call.args[1:]) if call.args else ("", ())
    if verb in ("identify", "compare"):
        return [reads("media")]
    if verb == "mogrify":
        return MOGRIFY(Call(verb, rest, call.stdin, call.shell))
    return CONVERT(
        Call("convert", rest if verb in ("convert", "montage") else call.args, call.stdin, call.shell)
    )


def _objcopy(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-O -I -B -j -R -F --input-target --output-target --only-section")
    )
    return _written(options.texts()[-1:])


def _strip(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o -K -N -R --keep-symbol --strip-symbol"))
    outputs = [value.text for value in options.values(names("-o"))]
    return _written(outputs or options.texts())


def _dot(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o -K -G -N -E -l -s"), attached=names("-T"))
    outputs = [value.text for value in options.values(names("-o"))]
    if outputs:
        return _written(outputs)
    return [writes("overwrite", (), "media")] if options.has(names("-O")) else [reads("media")]


def _ctags(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-f -o -L --exclude --options -I -h"))
    if options.has(names("-x --list-languages --list-kinds --list-maps")):
        return [reads("media")]
    outputs = [value.text for value in options.values(names("-f -o"))]
    return _written(outputs or ["tags"])


def _sips(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-s --setProperty -g --getProperty --out -z -Z --resampleWidth --resampleHeight -o"),
    )
    if options.has(names("-s --setProperty -z -Z --resampleWidth --resampleHeight --rotate")):
        return _written([value.text for value in options.values(names("--out -o"))] or options.texts())
    return [reads("media")]


CONVERT = _last("-version --version -list")
MOGRIFY = Spec("media", "overwrite", "operands", valued=names("-resize -format -quality -path -crop -rotate"))
PROGRAMS: dict[str, Handler] = {
    **programs("ffmpeg", _ffmpeg),
    **programs("magick", _magick),
    **programs("convert montage composite", CONVERT),
    **programs("mogrify", MOGRIFY),
    **programs(
        "sox lame opusenc cwebp dwebp gifsicle pdfunite pdfseparate pdftoppm ps2pdf gs2pdf",
        _last("--version --info --i"),
    ),
    **programs(
        "qpdf",
        _last(
            "--check --show-npages --show-encryption --show-object --show-pages --show-xref --json --version "
            "--list-attachments --requires-password",
            "--replace-input",
        ),
    ),
    **programs("objcopy", _objcopy),
    **programs("strip", _strip),
    **programs("dot neato fdp circo twopi sfdp", _dot),
    **programs("ctags", _ctags),
    **programs("sips", _sips),
    **programs(
        "rsvg-convert inkscape",
        Spec(
            "media",
            outputs={"-o": "overwrite", "--output": "overwrite", "--export-filename": "overwrite"},
            valued=names("-w -h -f -z --format"),
        ),
    ),
    **programs(
        "optipng jpegoptim pngquant",
        Spec("media", "overwrite", "operands", milder=names("--simulate -simulate -n --noaction")),
    ),
    **programs("hexyl chafa viu timg gping soxi mdls jpeginfo ", always("read", "media")),
    # Known by name, so that asking them for their version is no change; else they may do anything.
    **programs(
        "svgo sass tailwindcss lldb gdb perf tig ngrok watchman circleci blender gimp soffice libreoffice",
        lambda call: (
            [reads("media")]
            if call.texts[:1] in (["--version"], ["-v"], ["-V"], ["version"], ["help"])
            else [unlisted("media")]
        ),
    ),
}
