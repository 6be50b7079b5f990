"""Converters, which write the file they name last, and what else computes its target."""

from __future__ import annotations

import re

from evaluator.shell.acts.known import after
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, names
from evaluator.shell.outcome import Outcome, unlisted, writes
from evaluator.shell.rows.row import row, rows

NOT_FILES = ("-", "null:", "info:", "txt:", "txt:-", "json:", "json:-", "pipe:1", "pipe:", "/dev/null", "NUL")
FILTERS = names("-vf -af -filter:v -filter:a -filter_complex")
# A prefix of an image's name may run a script, ask an address or delete a file.
CODER = re.compile(r"[A-Za-z][\w-]*:")


def _written(targets: list[str]) -> list[Outcome]:
    files = [text for text in targets if text not in NOT_FILES]
    return [writes("overwrite", files, "media")] if files else []


def _ffmpeg(call: Call, options: Options) -> list[Outcome]:
    """Every operand is an output. A filter may write a file of its own."""
    remote = any("://" in word.text for word in call.args) or options.has(FILTERS)
    written = _written(options.texts())
    return written or ([unlisted("media")] if remote else [])


def _ffprobe(call: Call, options: Options) -> list[Outcome]:
    return [unlisted("media")] if any(word.dynamic and "://" in word.text for word in call.args) else []


def _last(call: Call, options: Options) -> list[Outcome]:
    """Two operands or more: the last one is written."""
    given = options.texts()
    return _written(given[-1:]) if len(given) > 1 else []


def _image(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    odd = any(CODER.match(text) and text not in NOT_FILES for text in given)
    return [*([unlisted("media")] if odd else []), *_last(call, options)]


def _identify(call: Call, options: Options) -> list[Outcome]:
    odd = any(CODER.match(text) and text not in NOT_FILES for text in options.texts())
    return [unlisted("media")] if odd else []


def _magick(call: Call) -> list[Outcome]:
    """ImageMagick 7: the first word may name an older program."""
    verb, rest = (call.texts[0], call.args[1:]) if call.args else ("", ())
    handler = {"identify": IDENTIFY, "mogrify": MOGRIFY}.get(verb, CONVERT)
    older = verb in ("convert", "montage", "composite", "identify", "mogrify")
    return handler(Call(verb, rest if older else call.args, call.stdin, call.shell))


def _stripped(call: Call, options: Options) -> list[Outcome]:
    outputs = [value.text for value in options.values(names("-o"))]
    return _written(outputs or options.texts())


def _objcopy(call: Call, options: Options) -> list[Outcome]:
    return _written(options.texts()[-1:])


def _dot(call: Call, options: Options) -> list[Outcome]:
    outputs = [value.text for value in options.values(names("-o"))]
    if outputs:
        return _written(outputs)
    return [writes("overwrite", (), "media")] if options.has(names("-O")) else []


def _ctags(call: Call, options: Options) -> list[Outcome]:
    outputs = [value.text for value in options.values(names("-f -o"))]
    if not outputs and options.has(names("-x --list-languages --list-kinds --list-maps")):
        return []
    return _written(outputs or ["tags"])


IMAGE_OPTIONS = (
    "-alpha -annotate -append +append -auto-orient -background -blur -border -bordercolor -brightness-contrast "
    "-channel -coalesce -colors -colorspace -compose -composite -compress -contrast -crop -define -delay -density "
    "-depth -despeckle -dispose -dither -draw -extent -fill -filter -flatten -flip -flop -font -format -frame "
    "-fuzz -gamma -geometry -gravity -interlace -label -layers -level -loop -mattecolor -modulate -monochrome "
    "-negate -normalize -opaque -page -pointsize -quality -quiet -resize -rotate -sample -scale -sharpen -shave "
    "-size -splice -stroke -strip -strokewidth -thumbnail -tile -transparent -trim -type -units -unsharp -verbose"
)
IMAGE_FLAGS = names(
    "-append +append -auto-orient -coalesce -composite -contrast -despeckle -flatten -flip -flop -monochrome "
    "-negate -normalize -quiet -strip -trim -verbose"
)
CONVERT: Handler = after(
    row(
        "media",
        flags=" ".join(IMAGE_FLAGS | names("-version")),
        valued=" ".join((names(IMAGE_OPTIONS) - IMAGE_FLAGS) | names("-list")),
        style="single",
    ),
    _image,
)
MOGRIFY: Handler = row(
    "media",
    does="overwrite",
    targets="operands",
    flags=" ".join(IMAGE_FLAGS),
    valued=" ".join(names(IMAGE_OPTIONS) - IMAGE_FLAGS),
    outputs="-path",
    style="single",
)
IDENTIFY: Handler = after(
    row(
        "media",
        flags="-verbose -ping -quiet -version -regard-warnings",
        valued="-format -units -density",
        style="single",
    ),
    _identify,
)
FFMPEG = row(
    "media",
    flags="-y -n -an -vn -sn -dn -hide_banner -nostdin -stats -nostats -shortest -copyts -re -version -formats "
    "-codecs -encoders -decoders -filters -pix_fmts -protocols -hwaccels -L -h -buildconf -muxers -demuxers "
    "-devices -bsfs -layouts -sample_fmts -colors -shortest",
    valued="-i -c -c:v -c:a -c:s -codec -codec:v -codec:a -vcodec -acodec -b -b:v -b:a -r -s -t -to -ss -sseof -f "
    "-vf -af -filter:v -filter:a -filter_complex -map -map_metadata -metadata -crf -preset -tune -profile:v -level "
    "-pix_fmt -ar -ac -vol -q -q:v -q:a -qscale -qscale:v -frames:v -vframes -loglevel -v -threads -movflags -loop "
    "-stream_loop -aspect -framerate -start_number -maxrate -bufsize -g -bf -safe -vsync -fps_mode -async "
    "-itsoffset -update -disposition -hwaccel -ab -vb -y4m",
    style="single",
)
PROGRAMS: dict[str, Handler] = {
    "ffmpeg": after(FFMPEG, _ffmpeg),
    "ffprobe": after(
        row(
            "media",
            flags="-hide_banner -show_format -show_streams -show_chapters -show_frames -show_packets "
            "-show_programs -show_error -count_frames -count_packets -pretty -sexagesimal -unit -prefix -version "
            "-private -show_data",
            valued="-v -loglevel -of -print_format -output_format -show_entries -select_streams -i -read_intervals "
            "-threads",
            outputs="-o",
            style="single",
        ),
        _ffprobe,
    ),
    "magick": _magick,
    **rows("convert", CONVERT),
    "mogrify": MOGRIFY,
    "identify": IDENTIFY,
    **rows(
        "pdftoppm",
        after(
            row(
                "media",
                flags="-png -jpeg -tiff -pdf -svg -ps -eps -mono -gray -singlefile -cropbox -q -v -o -e",
                valued="-f -l -r -rx -ry -scale-to -scale-to-x -scale-to-y -x -y -W -H -opw -upw -jpegopt",
                style="single",
            ),
            _last,
        ),
    ),
    "objcopy": after(
        row(
            "media",
            flags="-S -g -x -X -p --strip-all --strip-debug --strip-unneeded --only-keep-debug",
            valued="-O -I -B -j -R -F -N -K --input-target --output-target --only-section --remove-section "
            "--add-section --rename-section --add-gnu-debuglink",
        ),
        _objcopy,
    ),
    "strip": after(
        row(
            "media",
            flags="-s -g -S -d -x -X -p -v -D -u -r --strip-all --strip-debug --strip-unneeded --only-keep-debug "
            "--discard-all --preserve-dates --verbose",
            valued="-o -K -N -R --keep-symbol --strip-symbol --remove-section",
        ),
        _stripped,
    ),
    **rows(
        "dot",
        after(row("media", flags="-O -v -V -q -x -n -y -#", valued="-o -K -G -N -E -s -T"), _dot),
    ),
    "ctags": after(
        row(
            "media",
            flags="-R -a -e -x -u -n -N -V --recurse --append --links --filter --list-languages --list-kinds "
            "--list-maps --totals --sort --languages --fields --extras --exclude --output-format --tag-relative "
            "--c-kinds --python-kinds --kinds-all --langmap",
            valued="-f -o -L -I -h",
            loads="--options --_echo",
        ),
        _ctags,
    ),
}
