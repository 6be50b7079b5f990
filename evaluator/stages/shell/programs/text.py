"""Programs that edit text: streams, files in place, and the editors."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.code.awk import scan_awk
from evaluator.stages.shell.code.sed import scan_sed
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.spec import HELP, Spec, edited, programs

SED_VALUED = names("-e --expression -f --file -l --line-length")
SED_IN_PLACE = names("-i --in-place")
AWK_VALUED = names(
    "-F -v -f --field-separator --assign --file -i --include -E --exec -e --source -l --load -L -o -p -d -D --include"
)


# `:w! FILE` and its like; a `!` that does not force is a command of the shell.
EX_WRITES = re.compile(
    r"\s*:?\s*(?:%|[\d,$.]+)?\s*(?:w|wr\w*|wq|x|xit|sav\w*|up\w*)!?\s+(?![!>])(\S[^|]*?)\s*\Z"
)
EX_SAVES = re.compile(r"\s*:?\s*(?:w|wq|wa|wqa|x|xa|xit|up\w*|wall)!?\s*\Z")
EX_FORCED = re.compile(
    r"(?<![A-Za-z])(?:w|wr\w*|wq|wqa|wa|x|xa|q|qa|e|edit|quit|qall|sav\w*|up\w*|bd|n|norm\w*)!(?!\w)"
)
EX_RUNS = re.compile(r"!|\bsystem\w*\(|\b(?:py\w*|perl|ruby|lua|so|source|call|exe\w*|terminal|job_start)\b")


def _sed(call: Call) -> list[Outcome]:
    options = read_options(call.args, SED_VALUED, attached=names("-i -I"))
    if options.has(HELP):
        return [reads("text")]
    if any(word.decoded for word in call.args):
        return [dynamic("text")]
    in_place = options.may_have(SED_IN_PLACE) or options.has(names("-I"))
    scripts = options.values(names("-e --expression"))
    files = list(options.operands)
    from_file = bool(options.values(names("-f --file")))
    if not scripts and not from_file and files:
        if in_place and files[0].text == "":
            files.pop(0)  # the empty suffix of the BSD form: -i ''
        scripts = files[:1]
        files = files[1:]
    found: list[Outcome] = []
    for script in scripts:
        call.hide_code(script)
        found += scan_sed(script.text, dynamic=script.dynamic).outcomes(call.shell, "text")
    found = [one for one in found if one.verdict != "read_only"]
    if from_file:
        found.append(unlisted("script"))
    if in_place:
        suffix = next((value.text for value in options.values(SED_IN_PLACE | {"-I"})), "")
        found.insert(0, writes("overwrite", edited([word.text for word in files], suffix), "text"))
    return found or [reads("text")]


def _awk(call: Call) -> list[Outcome]:
    options = read_options(call.args, AWK_VALUED, stop=True)
    if options.has(HELP | {"-V"}):
        return [reads("text")]
    if any(word.decoded for word in call.args):
        return [dynamic("text")]
    rest = list(options.rest)
    pairs = [value.text.partition("=") for value in options.values(names("-v --assign")) if value.plain]
    given = {name: text for name, equals, text in pairs if equals}
    includes = [value.text for value in options.values(names("-i --include"))]
    programs_given = [*options.values(names("-e --source"))]
    from_file = options.values(names("-f --file -E --exec -l --load"))
    if not programs_given and not from_file and rest:
        programs_given = [rest.pop(0)]
    found: list[Outcome] = []
    for program in programs_given:
        call.hide_code(program)
        if program.dynamic and program.bare:
            return [dynamic("text")]
        found += scan_awk(program.text, given).outcomes(call.shell, "text")
    found = [one for one in found if one.verdict != "read_only"]
    if from_file or any(name != "inplace" for name in includes):
        found.append(unlisted("script"))
    if "inplace" in includes:
        found.insert(0, writes("overwrite", [word.text for word in rest if "=" not in word.text], "text"))
    return found or [reads("text")]


def _tee(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    operation: Operation = "append" if options.may_have(names("-a --append")) else "overwrite"
    files = [text for text in options.texts() if text != "-"]
    call.shell.hide(call.stdin.spans, f"[text: {len(call.stdin.text)} chars]")
    return [writes(operation, files, "text")] if files else [reads("text")]


def _patch(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-p --strip -i --input -d --directory -o --output -r --reject-file -B -z -F -D -V -Y"),
    )
    if options.has(names("--dry-run -C --check")):
        return [reads("text")]
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


def _ed(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-p"))
    code = call.stdin.text
    if "!" in code or call.stdin.kind == "pipe":
        return [dynamic("text")]
    return [writes("overwrite", options.texts(), "text")]


def _vi(call: Call) -> list[Outcome]:
    """Not interactive use names its commands; they may do anything, but usually they write the file."""
    options = read_options(call.args, names("-c --cmd -S -u -t -r -w -W -T -i"))
    if options.has(HELP) or call.texts == ["-v"]:
        return [reads("text")]
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


def _split(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-a -b -C -l -n -t --suffix-length --bytes --lines --number --additional-suffix")
    )
    if options.may_have(names("--filter")):
        return [dynamic("text")]
    given = options.texts()
    prefix = given[1] if len(given) > 1 else "x"
    return [writes("create", (f"{prefix}*",), "text")]


def _yq(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-o -p -I --output-format --input-format --indent -s --split-exp --from-file")
    )
    if call.texts[:1] in (["w"], ["d"], ["write"], ["delete"]) and options.may_have(names("-i --inplace")):
        return [writes("overwrite", options.texts()[1:2], "text")]
    given = [word for word in options.operands if word.text not in ("eval", "e", "ea", "eval-all")]
    if not options.may_have(names("-i --inplace --in-place")):
        return (
            [writes("create", (), "text")] if options.may_have(names("-s --split-exp")) else [reads("text")]
        )
    files = [word.text for word in given[1:]] or [word.text for word in given]
    return [writes("overwrite", files, "text")]


def _dasel(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-f --file -p --parser -r --read -w --write -v --value -t --type -s -o --out")
    )
    verb = options.texts()[:1]
    if verb not in (["put"], ["delete"]):
        return [reads("text")]
    files = [value.text for value in options.values(names("-o --out"))] or [
        value.text for value in options.values(names("-f --file"))
    ]
    return [writes("overwrite", [file for file in files if file not in ("-", "stdout")], "text")]


SORT = Spec(
    "text",
    valued=names(
        "-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel --batch-size "
        "--files0-from"
    ),
    outputs={"-o": "overwrite", "--output": "overwrite"},
    runs=names("--compress-program"),
)


def _exiftool(call: Call) -> list[Outcome]:
    if not any("=" in text for text in call.texts if text.startswith("-")):
        return [reads("text")]
    return [writes("overwrite", [text for text in call.texts if not text.startswith("-")], "text")]


PROGRAMS: dict[str, Handler] = {
    **programs("sed gsed ssed", _sed),
    **programs("awk gawk mawk nawk", _awk),
    **programs("tee gtee", _tee),
    **programs("sponge", Spec("text", "overwrite", "operands", changes={"-a": "append"})),
    **programs("sort gsort", SORT),
    **programs("patch", _patch),
    **programs("ed red", _ed),
    **programs("vi vim nvim ex view vimdiff", _vi),
    **programs(
        "nano pico emacs emacsclient micro helix hx joe mcedit kate gedit code subl",
        Spec("text", "overwrite", "operands", milder=names("--list-extensions --status --show-versions")),
    ),
    **programs("split csplit", _split),
    **programs(
        "dos2unix unix2dos mac2unix", Spec("text", "overwrite", "operands", milder=names("-i --info"))
    ),
    **programs("yq", _yq),
    **programs("dasel", _dasel),
    **programs("sd", Spec("text", "overwrite", "operands", skip=2, milder=names("-p --preview"))),
    **programs("exiftool", _exiftool),
}
