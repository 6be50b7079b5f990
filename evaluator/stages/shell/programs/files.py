"""Programs that make, copy, move, remove and guard files."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, writes
from evaluator.stages.shell.spec import HELP, Spec, copied, is_folder, landing, programs

COPY_VALUED = names(
    "-t --target-directory -S --suffix -Z --context --sparse --reflink --backup-dir -m --mode -o --owner -g --group"
)
MAKES_LINKS = names(
    "-l --link -s --symbolic-link -a --archive -d -P --no-dereference -r -R --recursive --preserve"
)
"""Options with which a copy makes links, or takes along those that lie in a folder."""
INTO = names("-t --target-directory")
MODE = re.compile(r"(?:[0-7]{1,5}|[-+=]?[ugoa]*(?:[-+=][rwxXstugo0-7]*)+(?:,[ugoa]*[-+=][rwxXstugo]*)*)\Z")
RENAME_CODE = re.compile(r"(?:s|y|tr)[/|,#{].*|.*\$_.*", re.DOTALL)


def _copy(call: Call) -> list[Outcome]:
    operation: Operation = "create" if call.name == "cp" and _keeps(call) else "overwrite"
    if not call.args:
        return [reads("files")]
    linking = read_options(call.args, COPY_VALUED).may_have(MAKES_LINKS)
    return [writes(operation, _landing_places(call), "links" if linking else "files")]


def _keeps(call: Call) -> bool:
    options = read_options(call.args, COPY_VALUED)
    return options.has(names("-n --no-clobber")) or any(
        value.text.startswith("none") for value in options.values(names("--update"))
    )


def _landing_places(call: Call) -> tuple[str, ...]:
    options = read_options(call.args, COPY_VALUED)
    given = options.texts()
    into = options.values(INTO)
    if into:
        return tuple(landing(source, into[0].text) for source in given)
    if len(given) < 2:
        return ()
    if options.has(names("-T --no-target-directory")):
        return (given[-1],)
    return copied(given[:-1], given[-1])


def _move(call: Call) -> list[Outcome]:
    options = read_options(call.args, COPY_VALUED)
    given = options.texts()
    sources = given if options.values(INTO) else given[:-1]
    return [writes("move", (*sources, *_landing_places(call)), "files")]


def _install(call: Call) -> list[Outcome]:
    options = read_options(call.args, COPY_VALUED)
    if options.may_have(names("-d --directory")):
        return [writes("create", options.texts(), "files")]
    return [writes("overwrite", _landing_places(call), "files")]


def _link(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-t --target-directory -S --suffix"))
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


def _permissions(call: Call) -> list[Outcome]:
    words: list[str] = []
    reference = False
    for text in call.texts:
        if text in HELP:
            return [reads("files")]
        if text.startswith("--"):
            reference = reference or text.startswith("--ref")
        elif not text.startswith("-") or (call.name == "chmod" and not words and _is_mode(text)):
            words.append(text)
    return [writes("permissions", words if reference else words[1:], "files")]


def _is_mode(text: str) -> bool:
    return MODE.match(text) is not None and text not in ("-R", "-v", "-c", "-f", "-h")


def _mktemp(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-p --tmpdir --suffix"))
    if options.has(names("-u --dry-run")):
        return [reads("files")]
    folder = next((value.text for value in options.values(names("-p --tmpdir"))), "")
    return [
        writes("create", options.texts() or ([folder] if folder else []), "files").within(
            folder if options.operands else ""
        )
    ]


def _dd(call: Call) -> list[Outcome]:
    operands = {name: value for name, _, value in (text.partition("=") for text in call.texts)}
    if "of" not in operands:
        return [reads("files")]
    appending = "append" in operands.get("oflag", "")
    return [writes("append" if appending else "overwrite", (operands["of"],), "files")]


def _rename(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-e"))
    given = options.texts()
    if options.has(names("-n --no-act --nono")):
        return [reads("files")]
    perl = bool(given) and RENAME_CODE.match(given[0]) is not None
    return [writes("move", given[1:] if perl else given[2:], "files")]


def _touch(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-r --reference -d --date -t -A"))
    return [writes("create", options.texts(), "files")]


PROGRAMS: dict[str, Handler] = {
    **programs(
        "rm rmdir unlink srm wipe trash trash-put gio-trash rimraf del-cli",
        Spec("files", "delete", "operands"),
    ),
    **programs(
        "shred",
        Spec("files", "delete", "operands", valued=names("-n --iterations -s --size --random-source")),
    ),
    **programs("cp gcp", _copy),
    **programs("mv gmv", _move),
    **programs("install", _install),
    **programs("ln", _link),
    **programs("link", Spec("files", "create", "last")),
    **programs("touch", _touch),
    **programs("mkdir mkfifo", Spec("files", "create", "operands", valued=names("-m --mode -Z --context"))),
    **programs("mknod", Spec("files", "create", "first", valued=names("-m --mode"))),
    **programs("mktemp", _mktemp),
    **programs("truncate", Spec("files", "overwrite", "operands", valued=names("-s --size -r --reference"))),
    **programs("fallocate", Spec("files", "overwrite", "operands", valued=names("-o --offset -l --length"))),
    **programs("dd", _dd),
    **programs("chmod chown chgrp chflags", _permissions),
    **programs(
        "setfacl",
        Spec(
            "files",
            "permissions",
            "operands",
            valued=names("-m --modify -x --remove -M -X --set --set-file --restore"),
        ),
    ),
    **programs("chattr", Spec("files", "permissions", "rest")),
    **programs("rename prename file-rename", _rename),
    **programs("sync", Spec("files")),
}
