"""Editors, pagers, readers and formatters that write or run by a value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evaluator.model import Operation
from evaluator.shell.call import Call, Options, Outcome, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.code.scripts import scan_awk, scan_sed
from evaluator.shell.handlers.common import changing, options_of
from evaluator.shell.rows.row import HELP, Row, edited
from evaluator.shell.rows.tables import Shared
from evaluator.shell.scope import HARMLESS_PAGERS, ITEM
from evaluator.shell.words import Word
from evaluator.text import NONE, names

TEXT = Shared("text")
SED_IN_PLACE = names("-i --in-place")
SED_SUFFIX = re.compile(r"(-[nErsuza]*[iI])(.+)\Z", re.DOTALL)
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


def sed(call: Call) -> list[Outcome]:
    # `-i.bak` as `-i`: the suffix stands in the same word.
    suffixes = [(word, SED_SUFFIX.match(word.text)) for word in call.args]
    words = [replace(word, text=found.group(1)) if found else word for word, found in suffixes]
    options = options_of(TEXT.sed, words)
    in_place = options.may_have(SED_IN_PLACE) or options.has(names("-I"))
    # A count is no option; and of an edit in place, names that are only found at run time are targets.
    asked = [
        word
        for word in words
        if not word.may_be_option or not (in_place or _text_adds_only_numbers(word.text))
    ]
    told = TEXT.sed(replace(call, args=tuple(asked)))
    if any(word.decoded for word in call.args) or (told == [reads("text")] and options.has(HELP)):
        return told
    scripts = options.values(names("-e --expression"))
    files = list(options.operands)
    if not scripts and not options.values(names("-f --file")) and files:
        if in_place and files[0].text == "":
            files.pop(0)  # the empty suffix of the BSD form: -i ''
        scripts = files[:1]
        files = files[1:]
    doing = changing(told)
    if in_place:
        long = read_options(call.args, names("-e --expression --line-length -f --file")).flags
        named = (value.text for name, value in long if name.startswith("--in") and value)
        suffix = next(filter(None, (*named, *(found.group(2) for _, found in suffixes if found))), "")
        doing.append(writes("overwrite", edited([word.text for word in files], suffix), "text"))
    call.hide_code(*scripts)
    if scripts:
        # Together, as sed reads them: one may go on where the other ends.
        text = _replace_text_counts("\n".join(script.text for script in scripts))
        scanned = scan_sed(text, dynamic=any(script.dynamic for script in scripts))
        doing += scanned.outcomes(call.shell, "text")
        if not in_place and any(
            script.made and not _text_adds_only_numbers(script.text) for script in scripts
        ):
            doing.append(unlisted("text"))
    return changing(doing) or [reads("text")]


def _text_adds_only_numbers(text: str) -> bool:
    """Whether all that is worked out at run time is a count, a line number or arithmetic."""
    return MADE.search(_replace_text_counts(text)) is None


def _replace_text_counts(text: str) -> str:
    return ARITHMETIC.sub("1", COUNTS.sub("1", text))


def awk(call: Call) -> list[Outcome]:
    if any(word.decoded for word in call.args):
        return [dynamic("text")]
    options = read_options(call.args, TEXT.awk.valued | TEXT.awk.loads, stop=True)
    rest = list(options.rest)
    told = TEXT.awk(replace(call, args=call.args[: len(call.args) - len(rest)]))
    found = changing(told)
    if not found and options.has(HELP | {"-V"}):
        return told
    includes = [value.text for value in options.values(names("-i --include"))]
    scripts = [*options.values(names("-e --source"))]
    if not scripts and not options.values(TEXT.awk.loads) and rest:
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
        if script.made and not _text_adds_only_numbers(FIELD.sub("1", script.text)):
            found.append(unlisted("text"))
    return changing(found) or [reads("text")]


def tee(call: Call, options: Options) -> list[Outcome]:
    operation: Operation = "append" if options.may_have(names("-a --append")) else "overwrite"
    files = [text for text in options.texts() if text != "-"]
    call.hide_input("text")
    return [writes(operation, files, "text")] if files else []


def patch(call: Call, options: Options) -> list[Outcome]:
    if options.has(names("--dry-run -C --check")):
        return []
    folder = next((value.text for value in options.values(names("-d --directory"))), "")
    outputs = [value.text for value in options.values(names("-o --output"))]
    # The files that a diff in a heredoc names, without the first path component of git's a/ and b/.
    named = [line[4:].split("\t")[0].strip() for line in call.stdin.text.splitlines() if line[:4] == "+++ "]
    patched = [re.sub(r"\A[ab]/", "", name) for name in named if name != "/dev/null"]
    return [writes("overwrite", outputs or options.texts()[:1] or patched, "text").within(folder)]


def ed(call: Call, options: Options) -> list[Outcome]:
    if "!" in call.stdin.text or call.stdin.kind == "pipe":
        return [dynamic("text")]
    return [writes("overwrite", options.texts(), "text")]


def vi(call: Call, options: Options) -> list[Outcome]:
    """Not interactive use names its commands; they may do anything, but usually they write the file."""
    settings = [one.text for one in options.values(names("-u -i"))]
    scripted = call.name != "ex" and options.has(names("-s")) and not options.has(names("-e -E"))
    if scripted or any(one not in ("NONE", "NORC", "DEFAULTS") for one in settings):
        return [dynamic("text", options.texts())]
    commands = options.values(names("-c --cmd"))
    call.hide_code(*commands, *(word for word in options.operands if word.text.startswith("+")))
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


def split(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    prefix = given[1] if len(given) > 1 else "x"
    return [writes("create", (f"{prefix}*",), "text")]


def yq(call: Call, options: Options) -> list[Outcome]:
    """The option `-s` splits into files in one program of this name, and only reads in another."""
    if not options.may_have(names("-i --inplace --in-place")):
        return [writes("create", (), "text")] if options.may_have(names("-s --split-exp")) else []
    if call.texts[:1] in (["w"], ["d"], ["write"], ["delete"]):
        return [writes("overwrite", options.texts()[1:2], "text")]
    given = [word for word in options.operands if word.text not in ("eval", "e", "ea", "eval-all")]
    files = [word.text for word in given[1:]] or [word.text for word in given]
    return [writes("overwrite", files, "text")]


STARTS_AT = re.compile(r"\+(?:\d*[GgFp%]?|/[^\n\r]*)\Z")


def pager(call: Call, options: Options) -> list[Outcome]:
    """`+COMMAND` is typed at its start: it may save, edit or run."""
    typed = [text for text in options.texts() if text.startswith("+")]
    patterns = options.values(names("-p --pattern"))
    runs = any(not STARTS_AT.match(text) for text in typed) or any("\n" in one.text for one in patterns)
    return [dynamic("read")] if runs else []


def paged(call: Call, options: Options) -> list[Outcome]:
    """What its pager runs is known for a few pagers alone."""
    pagers = options.values(names("--pager") | (names("-P") if call.name == "man" else NONE))
    return [dynamic("read")] if any(one.text not in HARMLESS_PAGERS for one in pagers) else []


SHOWS_DATE = re.compile(r"-I\w+\Z")
MOVES_DATE = re.compile(r"-v[-+]?\w+\Z")
LISTS_FILES = re.compile(r"(-[abKlnNoOPQRtUVX]*[is])[\w@.:,^-]+\Z")
RUNS_LUA = re.compile(r"\.lua\b")
MILLER_ACTS = re.compile(r"\b(?:tee|emit\w*|print\w*|dump)\b[^;]*[>|]|\b(?:system|exec|hostname_to)\b")


def date(call: Call, options: Options) -> list[Outcome]:
    if options.may_have(names("-s --set")):
        return [dynamic("system")]
    shown = options.has(names("-j"))
    sets = [word for word in options.operands if not word.text.startswith("+") and not shown]
    return [dynamic("system")] if sets else []


def spelled_out(words: Sequence[Word]) -> Sequence[Word]:
    return [
        Word("-I") if SHOWS_DATE.match(one.text) else Word("-j") if MOVES_DATE.match(one.text) else one
        for one in words
    ]


def without_places(words: Sequence[Word]) -> Sequence[Word]:
    """`-ti:3000` as `-ti`, `+D src` as `src`: what is listed is never written."""
    short = [
        Word(found.group(1)) if one.plain and (found := LISTS_FILES.match(one.text)) else one for one in words
    ]
    return [one for one in short if one.text not in ("+D", "+d", "+c", "+L1", "+w")]


def second(call: Call, options: Options) -> list[Outcome]:
    """`uniq IN OUT`: a second operand is written."""
    if any(word.glob or (word.bare and word.made) for word in options.operands):
        return [unlisted("text")]
    files = [text for text in options.texts()[1:2] if text != "-"]
    return [writes("overwrite", files, "text")] if files else []


def beside(call: Call, options: Options) -> list[Outcome]:
    """`pdftotext FILE.pdf` writes FILE.txt unless a second operand, or `-`, says where."""
    given = options.texts()
    if len(given) == 1 and given[0] != "-":
        return [writes("overwrite", (re.sub(r"\.pdf\Z", "", given[0]) + ".txt",), "text")]
    return second(call, options)


def miller(call: Call) -> list[Outcome]:
    """Its verbs can write and run."""
    leads = ("put", "filter", "-q", "-S", "-e")
    call.hide_code(*(word for before, word in pairwise(call.args) if before.text in leads))
    acts = any(text in ("tee", "split") or MILLER_ACTS.search(text) for text in call.texts)
    return [dynamic("text") if acts else unlisted("text")]


def ast_grep(call: Call, options: Options) -> list[Outcome]:
    """Rules are named by `scan`, and by a pattern otherwise."""
    given = options.texts()
    if given[:1] != ["scan"] and not options.values(names("-p --pattern")):
        return [unlisted("text")]
    places = given[1:] if given[:1] in (["run"], ["scan"]) else given
    rewrites = options.may_have(names("-U --update-all -i --interactive"))
    return [writes("overwrite", places or ["."], "text")] if rewrites else []


def pandoc(call: Call, options: Options) -> list[Outcome]:
    formats = options.values(names("-f -t -r -w --from --to --read --write"))
    runs = any(RUNS_LUA.search(word.text) for word in formats)
    return [dynamic("text")] if runs else addresses(call, options)


def addresses(call: Call, options: Options) -> list[Outcome]:
    """An operand may be an address, which reads only where it is known."""
    return [unlisted("read")] if any(word.dynamic and "://" in word.text for word in call.args) else []


INPUTS = names("- /dev/stdin")


def filters(
    call: Call, own: Row, mode: str = "", telling: str = "", bare: bool = False, code: str = ""
) -> list[Outcome]:
    """`own` overwrites its operands. It only tells where `-` is its operand, or where the last value of the option
    `mode` is one of `telling`; with `bare`, also where it has an input and no operand. What stands in an option of
    `code` is formatted to the output."""
    options = options_of(own, call.args)
    given = options.texts()
    streams = all(text in INPUTS for text in given) if given else bare and call.stdin.kind != "none"
    values = options.values(names(mode))
    inline = options.values(names(code))
    call.hide_code(*inline)
    tells = streams or inline or (values and values[-1].text in names(telling))
    return replace(own, does=None)(call) if tells else own(call)
