"""make, cmake and the compilers: targets and values decide."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.acts.building.tasks import builds
from evaluator.shell.acts.inner import barring, changing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.programs.building import PROTOC
from evaluator.shell.programs.bundling import TSC
from evaluator.shell.rows.row import row, rows
from evaluator.shell.words import Word

MAKE = row(
    "build",
    flags="-j -l -# --jobs -s --silent --quiet -k --keep-going -B --always-make -w --print-directory "
    "--no-print-directory -r --no-builtin-rules -R -S -i --ignore-errors -d --debug --trace "
    "--warn-undefined-variables -v -V --output-sync -O",
    valued="-C --directory",
    tells="-n --just-print --dry-run --recon -q --question",
    loads="--eval -E -I --include-dir -W -o",
)
MAKE_FILES = names("-f --file --makefile")
VARIABLE = re.compile(
    r"(?:V|VERBOSE|DEBUG|CI|TESTS?|T|K|FILTER|Q|QUIET|COLOR|RELEASE|JOBS|PKG|PACKAGE|COVERAGE|RACE|SHORT)=([\w./:,@+-]*)\Z",
    re.ASCII,
)
COUNTED = re.compile(r"-[jl]\$\((?:nproc|sysctl -n hw\.\w+|getconf _NPROCESSORS_ONLN)\)\Z")
ASSIGNED = re.compile(r"[\w.]+[:+?]{0,2}=", re.ASCII)
MADE = names("all compile_commands.json")


def _make(call: Call) -> list[Outcome]:
    options = read_options(call.args, MAKE.takes | MAKE_FILES)
    files = options.values(MAKE_FILES)
    if any(value.text in ("-", "/dev/stdin") or not value.plain for value in files):
        return [dynamic("build")]
    own = tuple(
        word
        for word in call.args
        if not COUNTED.match(word.text)
        and word.text not in MAKE_FILES
        and word.text not in {one.text for one in files}
    )
    found = MAKE(replace(call, args=own))
    outside = files or _outside(call, [value.text for value in options.values(names("-C --directory"))])
    given = [word.text for word in options.operands if not word.text.isdigit()]
    variables = [text for text in given if ASSIGNED.match(text)]
    if any(text.startswith(("SHELL", ".SHELLFLAGS", "MAKE")) for text in variables):
        return [dynamic("build")]
    wanted = [text for text in given if text not in variables and text not in MADE]
    if changing(found) or outside or not all(VARIABLE.match(text) for text in variables):
        return [*changing(found), unlisted("build")]
    if options.has(frozenset(MAKE.milder)):
        return found
    return [unlisted("build")] if any(not builds(text) for text in wanted) else [reads("build")]


def _outside(call: Call, folders: list[str]) -> bool:
    return any(
        folder.startswith(("/", "~")) and not f"{folder}/".startswith(call.shell.cwd.rstrip("/") + "/")
        for folder in folders
    )


CMAKE = row(
    "build",
    flags="-j -# -v --verbose --fresh -N -L -LA -LAH --no-warn-unused-cli -Wno-dev -Wdev -A --clean-first "
    "--list-presets --trace -Wno-deprecated --log-level --system-information",
    valued="-S -G -T -A --build --preset --config --parallel -j",
    outputs={"-B": "create", "--graphviz": "overwrite", "--profiling-output": "overwrite"},
    loads="-C --toolchain --install-prefix --debugger --find-package --open",
)
CMAKE_TARGETS = names("--target -t")
BUILD_FOLDER = re.compile(r"(?:\./)?(?:[\w-]+-)?build(?:[-_/][\w-]+)*/?\Z", re.ASCII)
"""Where a build leaves what it makes is part of the build."""
CMAKE_TOOLS = (
    "copy=cp copy_directory=cp remove=rm remove_directory=rm rm=rm rename=mv make_directory=mkdir touch=touch "
    "create_symlink=ln cat=cat echo=echo tar=tar env=env time=time sleep=sleep md5sum=md5sum"
)
CMAKE_DEFINED = re.compile(
    r"-D(?:CMAKE_BUILD_TYPE|CMAKE_EXPORT_COMPILE_COMMANDS|BUILD_TESTING|BUILD_SHARED_LIBS|CMAKE_CXX_STANDARD)(?::\w+)?=\w+\Z"
)


def _cmake(call: Call) -> list[Outcome]:
    texts = call.texts
    if "-E" in texts:
        same = {name: tool for name, _, tool in (pair.partition("=") for pair in CMAKE_TOOLS.split())}
        rest = call.args[texts.index("-E") + 1 :]
        if rest and rest[0].text in same:
            return call.shell.run_words([Word(same[rest[0].text]), *rest[1:]])
        return [unlisted("build")]
    if "-P" in texts:
        return [unlisted("script")]
    if "--install" in texts:
        return [writes("install", (), "build")]
    if "--" in texts:
        return [unlisted("build")]
    options = read_options(call.args, CMAKE.takes | CMAKE_TARGETS)
    targets = options.values(CMAKE_TARGETS)
    left = tuple(
        word
        for word in call.args
        if word.text not in CMAKE_TARGETS and word not in targets and not CMAKE_DEFINED.match(word.text)
    )
    found = changing(CMAKE(replace(call, args=left)))
    if all(BUILD_FOLDER.match(value.text) for value in options.values(names("-B"))):
        found = [one for one in found if one.operation != "create"]
    known = all(builds(target.text) or target.text in ("all", "ALL_BUILD") for target in targets)
    return found or ([reads("build")] if known else [unlisted("build")])


COMPILER_FLAGS = re.compile(
    r"-(?:O[0-3sgz]?|Ofast|g\d?|ggdb\d?|W(?![alp],)[\w=+-]*|w|std=[\w+:]+|f(?:PIC|PIE|pic|pie|syntax-only|no-[\w-]+|sanitize=[\w,-]+|openmp"
    r"|stack-protector[\w-]*|diagnostics-[\w=-]+|omit-frame-pointer|lto|visibility=\w+)|m[\w=.-]+|pthread|pedantic[\w-]*|ansi|shared|static"
    r"|pipe|nostdlib|[cSEvPM]|MM|\#\#\#|[IDUL].+|l[\w+.-]+|dumpversion|dumpmachine|print-[\w=.-]+|std|rdynamic|fsyntax-only)\Z",
    re.ASCII,
)
COMPILER_VALUED = names("-I -D -U -L -l -isystem -iquote -x -include -arch -target -framework -MT -MQ")
COMPILER_FILES = names("-o -MF -dumpdir")
COMPILER_LOOKS = names("-fsyntax-only -E -M -MM --version -dumpversion -dumpmachine -v --help")


def _compiler(call: Call) -> list[Outcome]:
    """gcc, clang and their like: options begin with one dash and some are stuck to their value."""
    files: list[str] = []
    sources: list[str] = []
    known, at, texts = True, 0, call.texts
    while at < len(texts):
        text = texts[at]
        at += 1
        if text in COMPILER_FILES or text in COMPILER_VALUED:
            files += texts[at : at + 1] if text in COMPILER_FILES else []
            at += 1
        elif text.startswith("-o") and len(text) > len("-o"):
            files.append(text[len("-o") :])
        elif text.startswith("-") and text != "-":
            known = known and (
                COMPILER_FLAGS.match(text) is not None
                or text in ("--version", "--help", "-MD", "-MMD", "-MP")
            )
        else:
            known = known and not text.startswith("@")
            sources.append(text)
    known = known and not any(word.decoded or word.may_be_option for word in call.args)
    found = [] if known else [unlisted("build")]
    kept = [file for file in files if file not in ("-", "/dev/null")]
    looks = not COMPILER_LOOKS.isdisjoint(texts) or any(text.startswith("-print-") for text in texts)
    if not files and sources and not looks:
        kept = (
            [f"{text.rpartition('/')[2].rpartition('.')[0]}.o" for text in sources]
            if "-c" in texts
            else ["a.out"]
        )
    if "-MD" in texts or "-MMD" in texts:
        found.append(unlisted("build"))
    if kept:
        found.append(writes("overwrite", kept, "build"))
    return found or [reads("build")]


PROGRAMS: dict[str, Handler] = {
    **rows("make gmake", _make),
    "cmake": _cmake,
    **rows("tsc vue-tsc", barring(TSC, "false")),
    "protoc": barring(PROTOC),
    **rows("gcc cc g++ c++ clang clang++", _compiler),
}
