"""Copies, moves, links and modes: which places they touch depends on the form of their operands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.model import Operation
from evaluator.shell.acts.known import after
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, names
from evaluator.shell.outcome import Outcome, unlisted, writes
from evaluator.shell.rows.landing import copied, is_folder, landing
from evaluator.shell.rows.row import row, rows
from evaluator.shell.words import Word

MAKES_LINKS = names(
    "-l --link -s --symbolic-link -a --archive -d -P --no-dereference -r -R --recursive --preserve"
)
"""Options with which a copy makes links, or takes along those that lie in a folder."""
INTO = names("-t --target-directory")
MODE = re.compile(r"-[rwxXstugoa,=+-]+\Z")
RENAME_CODE = re.compile(r"(?:s|y|tr)[/|,#{].*|.*\$_.*", re.DOTALL)


def _copy(call: Call, options: Options) -> list[Outcome]:
    keeps = options.has(names("-n --no-clobber")) or any(
        value.text.startswith("none") for value in options.values(names("--update"))
    )
    operation: Operation = "create" if keeps else "overwrite"
    if not call.args:
        return []
    return [
        writes(operation, _landing_places(options), "links" if options.may_have(MAKES_LINKS) else "files")
    ]


def _landing_places(options: Options) -> tuple[str, ...]:
    given = options.texts()
    into = options.values(INTO)
    if into:
        return tuple(landing(source, into[0].text) for source in given)
    if len(given) < 2:
        return ()
    if options.has(names("-T --no-target-directory")):
        return (given[-1],)
    return copied(given[:-1], given[-1])


def _move(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    sources = given if options.values(INTO) else given[:-1]
    return [writes("move", (*sources, *_landing_places(options)), "files")]


def _install(call: Call, options: Options) -> list[Outcome]:
    if options.may_have(names("-d --directory")):
        return [writes("create", options.texts(), "files")]
    return [writes("overwrite", _landing_places(options), "files")]


def _link(call: Call, options: Options) -> list[Outcome]:
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


def _permissions(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    by_reference = bool(options.values(names("--reference")))
    return [writes("permissions", given if by_reference else given[1:], "files")]


def _mode_first(words: Sequence[Word]) -> Sequence[Word]:
    """`chmod -w FILE`: the mode begins with a dash, and is no option."""
    for at, word in enumerate(words):
        if word.text == "--":
            break
        if MODE.match(word.text) and not word.text.startswith("--"):
            return [*words[:at], Word("=" + word.text[1:]), *words[at + 1 :]]
        if not word.text.startswith("-"):
            break
    return words


def _mktemp(call: Call, options: Options) -> list[Outcome]:
    if options.has(names("-u --dry-run")):
        return []
    folder = next((value.text for value in options.values(names("-p --tmpdir"))), "")
    return [
        writes("create", options.texts() or ([folder] if folder else []), "files").within(
            folder if options.operands else ""
        )
    ]


def _dd(call: Call, options: Options) -> list[Outcome]:
    operands = {name: value for name, _, value in (text.partition("=") for text in call.texts)}
    if any(name not in DD for name in operands):
        return [unlisted("files")]
    if "of" not in operands:
        return []
    appending = "append" in operands.get("oflag", "")
    return [writes("append" if appending else "overwrite", (operands["of"],), "files")]


def _rename(call: Call, options: Options) -> list[Outcome]:
    given = options.texts()
    if options.has(names("-n --no-act --nono")):
        return []
    perl = bool(given) and RENAME_CODE.match(given[0]) is not None
    return [writes("move", given[1:] if perl else given[2:], "files")]


DD = names("if of bs ibs obs cbs count skip seek iseek oseek iflag oflag conv status speed")
CHANGED = row(
    "files",
    flags="-R -v -c -f -h -H -L -P --recursive --verbose --changes --silent --quiet --no-dereference --dereference "
    "--preserve-root --no-preserve-root",
    valued="--reference --from",
)
PROGRAMS: dict[str, Handler] = {
    **rows(
        "cp gcp",
        after(
            row(
                "files",
                flags="-a -b -c -d -f -H -i -l -L -n -p -P -r -R -s -T -u -v -x -X --archive --attributes-only "
                "--backup --copy-contents --force --interactive --link --dereference --no-clobber --no-dereference "
                "--preserve --no-preserve --parents --recursive --reflink --remove-destination "
                "--strip-trailing-slashes --symbolic-link --no-target-directory --update --verbose "
                "--one-file-system --context --debug",
                valued="-t --target-directory -S --suffix --sparse",
            ),
            _copy,
        ),
    ),
    **rows(
        "mv gmv",
        after(
            row(
                "files",
                flags="-b -f -h -i -n -T -u -v -Z --backup --force --interactive --no-clobber "
                "--strip-trailing-slashes --no-target-directory --update --verbose --context --debug --exchange",
                valued="-t --target-directory -S --suffix",
            ),
            _move,
        ),
    ),
    **rows(
        "install",
        after(
            row(
                "files",
                flags="-b -c -C -d -D -p -T -v -U --backup --compare --directory --preserve-timestamps "
                "--no-target-directory --verbose --preserve-context",
                valued="-t --target-directory -S --suffix -m --mode -o --owner -g --group -Z --context",
                loads="-s --strip --strip-program",
            ),
            _install,
        ),
    ),
    **rows(
        "ln",
        after(
            row(
                "files",
                flags="-b -d -F -f -h -i -L -n -P -r -s -T -v --backup --directory --force --interactive --logical "
                "--no-dereference --physical --relative --symbolic --no-target-directory --verbose",
                valued="-t --target-directory -S --suffix",
            ),
            _link,
        ),
    ),
    **rows("chmod", after(CHANGED, _permissions, _mode_first)),
    **rows("chown chgrp chflags", after(CHANGED, _permissions)),
    "mktemp": after(
        row("files", flags="-d -u -q -t --directory --dry-run --quiet", valued="-p --tmpdir --suffix"),
        _mktemp,
    ),
    "dd": after(row("files"), _dd),
    **rows(
        "rename",
        after(
            row(
                "files",
                flags="-n -v -f -s -o -i -d -u -0 -a -l --no-act --nono --verbose --force --no-overwrite --symlink "
                "--interactive --filename",
                loads="-e",
            ),
            _rename,
        ),
    ),
}
