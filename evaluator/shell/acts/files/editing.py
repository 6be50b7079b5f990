"""Programs that edit text: streams, files in place, and the editors that take commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.model import Operation
from evaluator.shell.acts.known import after, options_of
from evaluator.shell.call import Call, Handler
from evaluator.shell.code.awk import scan_awk
from evaluator.shell.code.sed import scan_sed
from evaluator.shell.options import Options, names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.rows.landing import edited
from evaluator.shell.rows.row import HELP, row, rows
from evaluator.shell.scope import ITEM
from evaluator.shell.words import Word

SED_IN_PLACE = names("-i --in-place")
SED = row(
    "text",
    flags="-n -E -r -s -u -z -a -i -I --quiet --silent --regexp-extended --separate --unbuffered --null-data "
    "--posix --debug --sandbox --follow-symlinks --in-place",
    valued="-e --expression --line-length",
    loads="-f --file",
)
SED_SUFFIX = re.compile(r"(-[nErsuza]*[iI])(.+)\Z", re.DOTALL)
AWK = row(
    "text",
    flags="-V -b -c -C -g -M -n -N -O -P -r -s -S -t -h -k --characters-as-bytes --traditional --copyright "
    "--gen-pot --bignum --non-decimal-data --use-lc-numeric --optimize --posix --re-interval --no-optimize "
    "--sandbox --lint-old --csv",
    valued="-F -v -e -i --field-separator --assign --source --include",
    loads="-f --file -E --exec -l --load",
)
# A number by the way it is made: counted lines, or the line numbers that grep puts in front.
COUNTS = re.compile(
    r"\$\(\s*(?:wc\s+-[lcmw]\s*<\s*[\w./$\"{}-]+|grep\s+-[A-Za-z]*c[A-Za-z]*\s[^|;&<>`$()]*|[^;&<>`()]*\|\s*wc\s+-[lcmw]"
    r"|grep\s+-(?![A-Za-z]*[rRH])[A-Za-z]*n[A-Za-z]*\s[^;&<>`()]*\|\s*cut\s+(?:-d\s*['\"]?:['\"]?\s+-f\s*1|-f\s*1\s+-d\s*['\"]?:['\"]?)"
    r"(?:\s*\|\s*(?:head|tail)\s+-(?:n\s*)?\d+)?)\s*\)"
)
ARITHMETIC = re.compile(r"\$\(\([^()`]*\)\)")
MADE = re.compile(rf"\$\(|`|\$\{{?[A-Za-z_]|{ITEM}")

# `:w! FILE` and its like; a `!` that does not force is a command of the shell.
EX_WRITES = re.compile(
    r"\s*:?\s*(?:%|[\d,$.]+)?\s*(?:w|wr\w*|wq|x|xit|sav\w*|up\w*)!?\s+(?![!>])(\S[^|]*?)\s*\Z"
)
EX_SAVES = re.compile(r"\s*:?\s*(?:w|wq|wa|wqa|x|xa|xit|up\w*|wall)!?\s*\Z")
EX_FORCED = re.compile(
    r"(?<![A-Za-z])(?:w|wr\w*|wq|wqa|wa|x|xa|q|qa|e|edit|quit|qall|sav\w*|up\w*|bd|n|norm\w*)!(?!\w)"
)
EX_RUNS = re.compile(r"!|\bsystem\w*\(|\b(?:py\w*|perl|ruby|lua|so|source|call|exe\w*|terminal|job_start)\b")


WHOLE = re.compile(r"\s*[$`][{(]?[A-Za-z_(]")
FIELD = re.compile(r"\$(?:NF|NR|i\b|[0-9]+|\((?!\())")


def _sed_words(words: Sequence[Word]) -> Sequence[Word]:
    """`-i.bak` as `-i`: the suffix stands in the same word."""
    return [
        replace(word, text=found.group(1)) if (found := SED_SUFFIX.match(word.text)) else word
        for word in words
    ]


def _sed(call: Call) -> list[Outcome]:
    words = _sed_words(call.args)
    options = options_of(SED, words)
    in_place = options.may_have(SED_IN_PLACE) or options.has(names("-I"))
    # A count is no option; and of an edit in place, names that are only found at run time are targets.
    asked = [word for word in words if not word.may_be_option or not (in_place or _numbers_alone(word.text))]
    told = SED(replace(call, args=tuple(asked)))
    if any(word.decoded for word in call.args) or (told == [reads("text")] and options.has(HELP)):
        return told
    scripts = options.values(names("-e --expression"))
    files = list(options.operands)
    if not scripts and not options.values(names("-f --file")) and files:
        if in_place and files[0].text == "":
            files.pop(0)  # the empty suffix of the BSD form: -i ''
        scripts = files[:1]
        files = files[1:]
    found = [one for one in told if one.verdict != "read_only"]
    if in_place:
        found.append(writes("overwrite", edited([word.text for word in files], _suffix(call.args)), "text"))
    for script in scripts:
        call.hide_code(script)
    if scripts:
        # Together, as sed reads them: one may go on where the other ends.
        text = _counted("\n".join(script.text for script in scripts))
        scanned = scan_sed(text, dynamic=any(script.dynamic for script in scripts))
        found += scanned.outcomes(call.shell, "text")
        if not in_place and any(script.made and not _numbers_alone(script.text) for script in scripts):
            found.append(unlisted("text"))
    return [one for one in found if one.verdict != "read_only"] or [reads("text")]


def _suffix(words: Sequence[Word]) -> str:
    long = read_options(words, names("-e --expression --line-length -f --file"))
    named = next((value.text for name, value in long.flags if name.startswith("--in") and value), "")
    return named or next((found.group(2) for one in words if (found := SED_SUFFIX.match(one.text))), "")


def _numbers_alone(text: str) -> bool:
    """Whether all that is worked out at run time is a count, a line number or arithmetic."""
    return MADE.search(_counted(text)) is None


def _counted(text: str) -> str:
    return ARITHMETIC.sub("1", COUNTS.sub("1", text))


def _awk(call: Call) -> list[Outcome]:
    if any(word.decoded for word in call.args):
        return [dynamic("text")]
    valued = AWK.valued | AWK.loads
    options = read_options(call.args, valued, stop=True)
    rest = list(options.rest)
    own = call.args[: len(call.args) - len(rest)]
    told = AWK(replace(call, args=own))
    found = [one for one in told if one.verdict != "read_only"]
    if not found and options.has(HELP | {"-V"}):
        return told
    includes = [value.text for value in options.values(names("-i --include"))]
    scripts = [*options.values(names("-e --source"))]
    if not scripts and not options.values(AWK.loads) and rest:
        scripts = [rest.pop(0)]
    if "inplace" in includes:
        found.append(writes("overwrite", [word.text for word in rest if "=" not in word.text], "text"))
    if any(name != "inplace" for name in includes):
        found.append(unlisted("script"))
    for script in scripts:
        call.hide_code(script)
        if script.dynamic and (script.bare or WHOLE.match(script.text)):
            return [dynamic("text")]
        found += scan_awk(script.text).outcomes(call.shell, "text")
        if script.made and not _numbers_alone(_without_fields(script.text)):
            found.append(unlisted("text"))
    return [one for one in found if one.verdict != "read_only"] or [reads("text")]


def _without_fields(text: str) -> str:
    return FIELD.sub("1", text)


def _tee(call: Call, options: Options) -> list[Outcome]:
    operation: Operation = "append" if options.may_have(names("-a --append")) else "overwrite"
    files = [text for text in options.texts() if text != "-"]
    call.shell.hide(call.stdin.spans, f"[text: {len(call.stdin.text)} chars]")
    return [writes(operation, files, "text")] if files else []


def _patch(call: Call, options: Options) -> list[Outcome]:
    if options.has(names("--dry-run -C --check")):
        return []
    folder = next((value.text for value in options.values(names("-d --directory"))), "")
    outputs = [value.text for value in options.values(names("-o --output"))]
    targets = outputs or options.texts()[:1] or _patched(call.stdin.text)
    return [writes("overwrite", targets, "text").within(folder)]


def _patched(diff: str) -> list[str]:
    """The files that a diff in a heredoc names, without the first path component of git's a/ and b/."""
    found: list[str] = []
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = line[4:].split("\t")[0].strip()
            found.append(name[2:] if name.startswith(("a/", "b/")) else name)
    return [name for name in found if name != "/dev/null"]


def _ed(call: Call, options: Options) -> list[Outcome]:
    if "!" in call.stdin.text or call.stdin.kind == "pipe":
        return [dynamic("text")]
    return [writes("overwrite", options.texts(), "text")]


def _vi(call: Call, options: Options) -> list[Outcome]:
    """Not interactive use names its commands; they may do anything, but usually they write the file."""
    settings = [one.text for one in options.values(names("-u -i"))]
    scripted = call.name != "ex" and options.has(names("-s")) and not options.has(names("-e -E"))
    if scripted or any(one not in ("NONE", "NORC", "DEFAULTS") for one in settings):
        return [dynamic("text", options.texts())]
    commands = options.values(names("-c --cmd"))
    for command in commands:
        call.hide_code(command)
    for word in options.operands:
        if word.text.startswith("+"):
            call.hide_code(word)
    given = [text for text in options.texts() if text != "-"]
    codes = [one.text for one in commands] + [text[1:] for text in given if text.startswith("+")]
    files = [text for text in given if not text.startswith("+")]
    if call.stdin.kind == "text" and (call.name == "ex" or options.has(names("-e -E -s -es"))):
        codes.append(call.stdin.text)
    parts = [part for code in codes for part in re.split(r"[|\n]", code)]
    named = [found.group(1) for part in parts if (found := EX_WRITES.match(part)) and found.group(1)]
    runs = any(EX_RUNS.search(EX_FORCED.sub("", code)) for code in codes)
    if options.may_have(names("-S")) or runs or any(one.dynamic for one in commands):
        return [dynamic("text", named)]
    # Where it says what it writes, and leaves without saving the rest, that is all.
    leaves = any(re.match(r"\s*:?\s*(?:q|qa|qall|quit)!?\s*\Z", part) for part in parts)
    keeps = named and leaves and not any(EX_SAVES.match(part) for part in parts)
    return [writes("overwrite", named if keeps else [*files, *named], "text")]


def _split(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    prefix = given[1] if len(given) > 1 else "x"
    return [writes("create", (f"{prefix}*",), "text")]


def _csplit(call: Call, options: Options) -> list[Outcome]:
    prefix = next((value.text for value in options.values(names("-f --prefix"))), "xx")
    return [writes("create", (f"{prefix}*",), "text")]


def _yq(call: Call, options: Options) -> list[Outcome]:
    """The option `-s` splits into files in one program of this name, and only reads in another."""
    if not options.may_have(names("-i --inplace --in-place")):
        splits = options.may_have(names("-s --split-exp"))
        return [writes("create", (), "text")] if splits else []
    if call.texts[:1] in (["w"], ["d"], ["write"], ["delete"]):
        return [writes("overwrite", options.texts()[1:2], "text")]
    given = [word for word in options.operands if word.text not in ("eval", "e", "ea", "eval-all")]
    files = [word.text for word in given[1:]] or [word.text for word in given]
    return [writes("overwrite", files, "text")]


def _exiftool(call: Call, options: Options) -> list[Outcome]:
    if not any("=" in text for text in call.texts if text.startswith("-")):
        return []
    return [writes("overwrite", [text for text in call.texts if not text.startswith("-")], "text")]


PROGRAMS: dict[str, Handler] = {
    **rows("sed gsed", _sed),
    **rows("awk gawk mawk nawk", _awk),
    **rows("tee", after(row("text", flags="-a -i -p --append --ignore-interrupts --output-error"), _tee)),
    "patch": after(
        row(
            "text",
            flags="-l -c -e -n -u -N -R -E -Z -T -b -t -f -s -C --ignore-whitespace --context --normal --unified "
            "--forward --reverse --merge --remove-empty-files --set-utc --set-time --backup --backup-if-mismatch "
            "--no-backup-if-mismatch --batch --force --quiet --silent --verbose --dry-run --posix --binary --check",
            valued="-p -F -i -D -V -B -Y -z -d -o --strip --fuzz --input --ifdef --version-control --prefix "
            "--suffix --basename-prefix --directory --reject-format --output",
            outputs="-r --reject-file",
        ),
        _patch,
    ),
    **rows("ed", after(row("text", flags="-s -G -E -r -v -l", valued="-p"), _ed)),
    **rows(
        "vi vim nvim ex view vimdiff",
        after(
            row(
                "text",
                flags="-e -E -s -n -N -R -M -m -b -d -u -o -O -p -l -Z -v --clean --not-a-term --noplugin "
                "--headless --embed --literal",
                valued="-c --cmd -u -i",
                loads="-S -t -w -W -q -r",
            ),
            _vi,
        ),
    ),
    **rows(
        "split",
        after(
            row(
                "text",
                flags="-d -x -e -u -# --numeric-suffixes --hex-suffixes --elide-empty-files --unbuffered --verbose",
                valued="-a -b -C -l -n -t -p --suffix-length --bytes --line-bytes --lines --number --separator "
                "--additional-suffix",
                loads="--filter",
            ),
            _split,
        ),
    ),
    "csplit": after(
        row(
            "text",
            flags="-k -s -q -z --keep-files --quiet --silent --elide-empty-files --suppress-matched",
            valued="-b -f -n --suffix-format --prefix --digits",
        ),
        _csplit,
    ),
    "yq": after(
        row(
            "text",
            flags="-i -s -r -c -e -n -N -j -C -M -P -S -y -Y -R -0 -v --inplace --in-place --split-exp "
            "--raw-output --compact-output --exit-status --null-input --no-doc --tojson --colors --no-colors "
            "--prettyPrint --sort-keys --yaml-output --yml-output --yaml-roundtrip --unwrapScalar --slurp "
            "--indentless-lists --verbose --nul-output --header-preprocess --xml-strict-mode --string-interpolation",
            valued="-o -p -I -w --output-format --input-format --indent --arg --argjson --from-file --expression "
            "--width --xml-attribute-prefix --xml-content-name --csv-separator --properties-separator "
            "--front-matter",
        ),
        _yq,
    ),
    "exiftool": after(
        row(
            "text",
            flags="-a -b -e -f -g -G -G1 -h -H -j -json -l -m -n -q -r -s -s2 -s3 -S -t -T -u -U -x -X -csv -ver "
            "-list -fast -fast2 -all -All -Model -Make -Orientation -ImageSize -ImageWidth -ImageHeight "
            "-DateTimeOriginal -CreateDate -ModifyDate -GPSPosition -GPSLatitude -GPSLongitude -FileType -MIMEType "
            "-Duration -Title -Author -Comment -Artist -Copyright -Software -LensModel -ISO -Keywords -Description "
            "-FileSize -overwrite_original -P",
            valued="-d -c -ext",
            style="single",
        ),
        _exiftool,
    ),
}
