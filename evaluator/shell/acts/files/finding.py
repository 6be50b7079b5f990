"""`find` and `fd`: what they delete, write, or run on what they find. A test that is not listed here is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.acts.known import options_of
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.pipes import found_names
from evaluator.shell.rows.row import row, rows
from evaluator.shell.scope import ITEM
from evaluator.shell.words import Word

RUNS = names("-exec -execdir -ok -okdir")
WRITES = names("-fprint -fprint0 -fls -fprintf")
TESTS = names(
    "-H -L -P -E -X -d -s -x -a -and -o -or -not -true -false -prune -quit -print -print0 -ls -depth -mount -xdev "
    "-daystart -follow -noleaf -empty -executable -readable -writable -nouser -nogroup -warn -nowarn "
    "-ignore_readdir_race -noignore_readdir_race"
)
VALUED = names(
    "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype "
    "-maxdepth -mindepth -size -perm -user -group -uid -gid -links -inum -samefile -mtime -atime -ctime -mmin "
    "-amin -cmin -newer -anewer -cnewer -used -fstype -printf -context -D -flags -f -files0-from"
)
NEWER = re.compile(r"-newer[aBcmt]{2}\Z")
LEVEL = re.compile(r"-O\d\Z")
FD_CLUSTER = re.compile(r"-[HIuasipFlLg0q1]*[xX]\Z")
FD = row(
    "files",
    flags="-H -I -u -s -i -F -g -a -l -L -p -0 -1 -q -V --hidden --no-ignore --no-ignore-vcs --no-ignore-parent "
    "--unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details "
    "--follow --full-path --print0 --quiet --has-results --prune --one-file-system --show-errors "
    "--strip-cwd-prefix --no-follow --no-hidden --ignore --relative-path --no-global-ignore-file --no-require-git "
    "--hyperlink",
    valued="-d -t -e -E -S -o -c -j --max-depth --min-depth --exact-depth --type --extension --exclude --size "
    "--owner --color --threads --max-results --base-directory --path-separator --search-path --ignore-file "
    "--changed-within --changed-before --newer --older --and --format --max-buffer-time",
    loads="-x -X --exec --exec-batch",
)
PATTERN_MAX = 8


def _find(call: Call) -> list[Outcome]:
    args = call.args
    if any(word.decoded for word in args):
        return [dynamic("files")]
    found: list[Outcome] = []
    places = found_names(_without_pruned(args))
    at = 0
    while at < len(args):
        word = args[at]
        text = word.text
        at += 1
        if text in RUNS:
            end = at
            while end < len(args) and not _ends(args, end):
                end += 1
            # What it found is the program itself.
            program = args[at].text if at < end else ""
            found += (
                [dynamic("files")] if "{}" in program else call.shell.run_words(filled(args[at:end], places))
            )
            at = end + 1
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
    return [one for one in found if one.verdict != "read_only"] or [reads("files")]


def _ends(args: Sequence[Word], at: int) -> bool:
    """`;`, or `+` right behind `{}`."""
    return args[at].text == ";" or (args[at].text == "+" and args[at - 1].text == "{}")


def _without_pruned(args: Sequence[Word]) -> list[Word]:
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


def filled(words: Sequence[Word], places: Sequence[Word], mark: str = "{}") -> list[Word]:
    """The command with the mark replaced by what stands for the found files; several stand for one alone."""
    out: list[Word] = []
    for word in words:
        if word.text == mark:
            out += places[:PATTERN_MAX]
        elif mark in word.text and places and len(word.text) < 2000:
            text = word.text.replace(mark, places[0].text)
            out.append(
                Word(
                    text,
                    word.dynamic or places[0].dynamic,
                    True,
                    word.bare,
                    word.decoded,
                    word.assigned,
                    word.spans,
                )
            )
        else:
            out.append(word)
    return out


def _fd(call: Call) -> list[Outcome]:
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
            extension = options_of(FD, args[:at]).values(names("-e --extension"))
            place = Word(f"*.{extension[0].text}", glob=True) if extension else Word(ITEM, dynamic=True)
            command = list(args[at + 1 : end])
            if not any("{" in one.text for one in command):
                command.append(place)
            found += (
                [dynamic("files")]
                if any("{" in one.text for one in command[:1])
                else call.shell.run_words(filled(command, [place]) if extension else command)
            )
            break
    told = FD(replace(call, args=own))
    return [one for one in (*told, *found) if one.verdict != "read_only"] or [reads("files")]


PROGRAMS: dict[str, Handler] = {**rows("find gfind", _find), **rows("fd fdfind", _fd)}
