"""Builds, tests and tasks, whose targets, scripts and names decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from evaluator.shell.call import Call, Handler, Outcome, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.handlers.common import changing, handing, options_of, split
from evaluator.shell.rows.destructive_words import named_so
from evaluator.shell.rows.row import HELP, Row
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

BUILDING = Shared("building")
JVM_PROGRAMS = BUILDING.commands("jvm_programs")
VOCABULARY = Vocabulary("shell/programs/building", "words")


def go(call: Call) -> list[Outcome]:
    """A module file is kept as it is unless `-mod` lets it change; a test that is built to nowhere leaves nothing."""
    if call.texts == ["clean", "-testcache"]:
        # What the tool keeps for itself; the next run makes it anew.
        return [reads("build")]
    options = read_options(call.args, BUILDING.go_test.takes, style="single")
    nowhere = [value.text for value in options.values(names("-o"))] == ["/dev/null"]
    built = call.texts[:1] == ["test"] and nowhere
    kept = tuple(word for word in call.args if not (built and word.text == "-c"))
    found = BUILDING.go(replace(call, args=kept))
    changes = any(value.text not in ("vendor", "readonly") for value in options.values(names("-mod")))
    return [unlisted("build"), *changing(found)] if changes else found


SERVES = names("dev start serve watch preview storybook")
TESTS = VOCABULARY.words("tests")
LINTS = VOCABULARY.words("lints")
BUILDS = VOCABULARY.words("builds")
VERBS = SERVES | TESTS | LINTS | BUILDS
BEFORE = VOCABULARY.words("before")
"""What may stand before the verb of a name (`format:check`, `web:build`)."""
SUFFIXES = VOCABULARY.words("suffixes")
"""What may stand behind it (`test:unit`, `build:dev`); any other word may be what the task changes (`build:s3`)."""
FORMATS = names("format fmt prettier")
OWN: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (BUILDS, names("prod production")),
    (LINTS, FORMATS | names("sort import imports")),
    (TESTS, names("run")),
)
"""What may stand behind verbs of one kind only."""
SPLIT = re.compile(r"[:_./-]+|(?<=[a-z])(?=[A-Z])")
NAMED = re.compile(r"[A-Za-z][\w:./-]*\Z", re.ASCII)
PATH = re.compile(r"(?!-)[\w@./-]*[./][\w@./-]*\Z", re.ASCII)


def builds(name: str) -> bool:
    """Whether a name says that it builds, tests or serves, and nothing else."""
    if not NAMED.match(name) or named_so(name):
        return False
    parts = [part.lower() for part in SPLIT.split(name) if part]
    at = next((at for at, part in enumerate(parts) if part in VERBS), None)
    if at is None or any(part not in BEFORE for part in parts[:at]):
        return False
    verb, after = parts[at], parts[at + 1 :]
    known = (BEFORE - FORMATS) | VERBS
    for verbs, suffixes in OWN:
        known |= suffixes | SUFFIXES if verb in verbs else NONE
    return all(part in known or part.isdigit() for part in after)


def task_effect(name: str) -> Outcome:
    return reads("build") if builds(name) else unlisted("script")


def of_any_language(call: Call) -> list[Outcome]:
    """What a runner that serves every language hands on: go's options have one dash."""
    found = BUILDING.handed(call)
    known = all(one.verdict == "read_only" for one in BUILDING.go_handed(call))
    return [reads("build")] if known else found


def task(call: Call, name: Word, args: Sequence[Word], tool: Handler = BUILDING.handed) -> list[Outcome]:
    """The task `name` of a project with what is handed on to it."""
    effect = task_effect(name.text) if name.plain else unlisted("script")
    if effect.verdict != "read_only":
        return [effect]
    handed = list(args[1:] if args and args[0].text == "--" else args)
    parts = {part.lower() for part in SPLIT.split(name.text)}
    if parts.isdisjoint(TESTS | LINTS) and any(
        not word.text.startswith("-") and not (at and handed[at - 1].text in BUILDING.handed.takes)
        for at, word in enumerate(handed)
    ):
        return [unlisted("script")]
    return tool(replace(call, args=tuple(handed)))


def goals(words: Sequence[str]) -> list[Outcome]:
    """Several tasks in one call (`make lint test`): paths among them are what they are given."""
    found = [task_effect(word) for word in words if not PATH.match(word) or builds(word)]
    return changing(found) or [reads("build")]


MAKE_FILES = names("-f --file --makefile")
VARIABLE = re.compile(rf"(?:{VOCABULARY.either('variables')})=([\w./:,@+-]*)\Z", re.ASCII)
COUNTED = re.compile(r"-[jl]\$\((?:nproc|sysctl -n hw\.\w+|getconf _NPROCESSORS_ONLN)\)\Z")
ASSIGNED = re.compile(r"[\w.]+[:+?]{0,2}=", re.ASCII)
MADE = names("all compile_commands.json")


def make(call: Call) -> list[Outcome]:
    options = options_of(BUILDING.make, call.args)
    files = options.values(MAKE_FILES)
    if any(value.text in ("-", "/dev/stdin") or not value.plain for value in files):
        return [dynamic("build")]
    own = tuple(word for word in call.args if not COUNTED.match(word.text))
    found = BUILDING.make(replace(call, args=own))
    inside = call.shell.cwd.rstrip("/") + "/"
    outside = files or any(
        value.text.startswith(("/", "~")) and not f"{value.text}/".startswith(inside)
        for value in options.values(names("-C --directory"))
    )
    given = [word.text for word in options.operands if not word.text.isdigit()]
    variables = [text for text in given if ASSIGNED.match(text)]
    if any(text.startswith(("SHELL", ".SHELLFLAGS", "MAKE")) for text in variables):
        return [dynamic("build")]
    wanted = [text for text in given if text not in variables and text not in MADE]
    if changing(found) or outside or not all(VARIABLE.match(text) for text in variables):
        return [*changing(found), unlisted("build")]
    if options.has(frozenset(BUILDING.make.milder)):
        return found
    return [unlisted("build")] if any(not builds(text) for text in wanted) else [reads("build")]


CMAKE_TOOLS = VOCABULARY.texts("cmake-tools")
CMAKE_TARGETS = names("--target -t")
BUILD_FOLDER = re.compile(r"(?:\./)?(?:[\w-]+-)?build(?:[-_/][\w-]+)*/?\Z", re.ASCII)
"""Where a build leaves what it makes is part of the build."""
CMAKE_DEFINED = re.compile(
    r"-D(?:CMAKE_BUILD_TYPE|CMAKE_EXPORT_COMPILE_COMMANDS|BUILD_TESTING|BUILD_SHARED_LIBS|CMAKE_CXX_STANDARD)(?::\w+)?=\w+\Z"
)


def cmake(call: Call) -> list[Outcome]:
    texts = call.texts
    if "-E" in texts:
        name, *rest = call.args[texts.index("-E") + 1 :] or (Word(""),)
        tool = CMAKE_TOOLS.get(name.text)
        return call.shell.run_words([Word(tool), *rest]) if tool else [unlisted("script")]
    if "-P" in texts:
        return [unlisted("script")]
    if "--install" in texts:
        return [writes("install", (), "build")]
    if "--" in texts:
        return [unlisted("build")]
    options = options_of(BUILDING.cmake, call.args)
    targets = options.values(CMAKE_TARGETS)
    left = tuple(word for word in call.args if not CMAKE_DEFINED.match(word.text))
    found = changing(BUILDING.cmake(replace(call, args=left)))
    if all(BUILD_FOLDER.match(value.text) for value in options.values(names("-B"))):
        found = [one for one in found if one.operation != "create"]
    known = all(builds(target.text) or target.text in ("all", "ALL_BUILD") for target in targets)
    return found or ([reads("build")] if known else [unlisted("build")])


COMPILER_FLAGS = re.compile(rf"-(?:{VOCABULARY.either('compiler-flags')})\Z", re.ASCII)
COMPILER_VALUED = names("-I -D -U -L -l -isystem -iquote -x -include -arch -target -framework -MT -MQ")
COMPILER_FILES = names("-o -MF -dumpdir")
COMPILER_LOOKS = names("-fsyntax-only -E -M -MM --version -dumpversion -dumpmachine -v --help")


def compiler(call: Call) -> list[Outcome]:
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
            told = text in ("--version", "--help", "-MD", "-MMD", "-MP")
            known = known and (told or COMPILER_FLAGS.match(text) is not None)
        else:
            known = known and not text.startswith("@")
            sources.append(text)
    known = known and not any(word.decoded or word.may_be_option for word in call.args)
    found = [] if known else [unlisted("build")]
    kept = [file for file in files if file not in ("-", "/dev/null")]
    looks = not COMPILER_LOOKS.isdisjoint(texts) or any(text.startswith("-print-") for text in texts)
    if not files and sources and not looks:
        objects = [f"{text.rpartition('/')[2].rpartition('.')[0]}.o" for text in sources]
        kept = objects if "-c" in texts else ["a.out"]
    found += [unlisted("build")] if "-MD" in texts or "-MMD" in texts else []
    found += [writes("overwrite", kept, "build")] if kept else []
    return found or [reads("build")]


TOLD = VOCABULARY.sets("told")
"""Options with which it only tells, whatever tasks stand there."""
LOOKS = VOCABULARY.sets("looks")


def tasks(call: Call) -> list[Outcome]:
    """Gradle, Maven, rake and their like: the tasks decide; cleaning before a build is part of it."""
    name = next((one for one in JVM_PROGRAMS if call.name.startswith(one)), "gulp")
    own = cast(Row, JVM_PROGRAMS[name])
    found = own(call)
    options = read_options(call.args, own.takes, style=own.style)
    if changing(found) or options.has(HELP | TOLD.get(name, NONE)) or options.has(frozenset(own.milder)):
        return found
    given = [word.text.rsplit(":", 1)[-1] if name == "gradle" else word.text for word in options.operands]
    cleaning = [text for text in given if text in ("clean", "cleanTest")]
    rest = [text for text in given if text not in cleaning]
    known = all(
        text in LOOKS.get(name, NONE)
        or (name == "mvn" and text == "install")
        or (
            builds(text.partition("[")[0])
            and not text.startswith("exec" if name != "rake" else ("exec", "db:"))
        )
        for text in rest
    )
    return [reads("build")] if known and (rest or not cleaning) else [unlisted("build")]


JUST_SHOWS = names("-l --list --summary --dump --list-all -a --show --variables --groups -n --dry-run --dry")


def just(call: Call) -> list[Outcome]:
    options = read_options(call.args, BUILDING.just.takes)
    if options.may_have(BUILDING.just.loads):
        return [unlisted("build")]
    found = BUILDING.just(call)
    if changing(found) or options.has(JUST_SHOWS | names("--help --version")):
        return found
    given = options.texts()
    first = task_effect(given[0]) if given else unlisted("build")
    return [first] if first.verdict != "read_only" else goals(given[1:])


REPORTS = names("term term-missing html xml json lcov annotate")


def pytest(call: Call) -> list[Outcome]:
    """Plug-ins are code, unless they are only left out; a report may name its file behind a colon."""
    found = BUILDING.pytest(call)
    options = read_options(call.args, BUILDING.pytest.takes)
    extra: list[Outcome] = []
    for name, value in options.flags:
        if value is None:
            continue
        kind, _, file = value.text.partition(":")
        if name == "--cov-report" and file and kind not in ("term", "term-missing"):
            extra.append(writes("overwrite", (file,), "build"))
        elif (name == "-p" and kind != "no") or (name == "--cov-report" and kind not in REPORTS):
            extra.append(unlisted("build"))
    return [*extra, *changing(found)] or found


MODULE = names("-m --module")


def coverage_run(call: Call) -> list[Outcome]:
    leading, rest = split(call, BUILDING.coverage_run)
    own = tuple(word for word in leading.args if word.text not in MODULE)
    found = changing(BUILDING.coverage_own(replace(call, args=own)))
    as_module = [Word("-m")] if len(own) < len(leading.args) else []
    if not rest and not as_module:
        return [*found, unlisted("build")]
    return [*found, *call.shell.run_words([Word("python"), *as_module, *rest], call.stdin)]


def cargo_fmt(call: Call) -> list[Outcome]:
    own = replace(BUILDING.cargo_fmt, does=None) if "--check" in call.texts else BUILDING.cargo_fmt
    return handing(call, own, own)


def cargo(call: Call) -> list[Outcome]:
    """The toolchain stands before the subcommand (`cargo +nightly build`)."""
    plus = call.texts[:1] and call.texts[0].startswith("+")
    return BUILDING.cargo(replace(call, args=call.args[1:]) if plus else call)


def dotnet(call: Call) -> list[Outcome]:
    """An operand may be a property, and a property a command."""
    loggers = read_options(call.args, names("--logger")).values(names("--logger"))
    if any(re.match(r"/[A-Za-z]+(?::|\Z)", text) for text in call.texts[1:]) or any(
        not value.text.startswith("console") for value in loggers
    ):
        return [unlisted("build")]
    return BUILDING.dotnet(call)
