"""Build tools whose targets and values decide: make, cmake, Gradle, Maven, task runners, compilers, test wrappers."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.stages.shell.acts.inner import barring, changing, handing, on_file, split, takes, wraps
from evaluator.stages.shell.acts.tasks import HANDED, builds, goals, task_effect
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.programs.building import PROTOC
from evaluator.stages.shell.programs.bundling import TSC
from evaluator.stages.shell.programs.checks import MYPY
from evaluator.stages.shell.programs.dotnet import DOTNET_LISTED
from evaluator.stages.shell.programs.rust import (
    CARGO_BUILD,
    CARGO_FLAGS,
    CARGO_LISTED,
    CARGO_VALUED,
    LIBTEST,
    LINTS,
)
from evaluator.stages.shell.programs.testing import MOCHA, PYTEST, VITEST
from evaluator.stages.shell.row import row, rows, tree
from evaluator.stages.shell.words import Word

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
    options = read_options(call.args, takes(MAKE) | MAKE_FILES)
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


JVM_PROGRAMS = {
    "gradle": row(
        "build",
        flags="-q --quiet -i --info -d --debug -s --stacktrace -S --full-stacktrace --offline --parallel "
        "--no-parallel --no-daemon --daemon --build-cache --no-build-cache --rerun-tasks --continue --continuous "
        "-t --scan --no-scan --refresh-dependencies --warning-mode --console --configuration-cache "
        "--no-configuration-cache --profile -v --status --rerun --all --no-rebuild -a --stop -w --warn",
        valued="-x --exclude-task --tests --console --warning-mode --max-workers -p --project-dir --configuration "
        "--dependency",
        tells="-m --dry-run",
        loads="-I --init-script -b --build-file --settings-file --include-build -g --gradle-user-home ",
        outputs="--project-cache-dir",
    ),
    "mvn": row(
        "build",
        flags="-q --quiet -o --offline -B --batch-mode -U --update-snapshots -e --errors -X --debug -ntp "
        "--no-transfer-progress -am --also-make -amd -fae --fail-at-end -ff --fail-fast -fn --fail-never -nsu -v "
        "-V --show-version -DskipTests -DskipITs -Dmaven.test.skip -Dtest -Dit.test "
        "-Dsurefire.failIfNoSpecifiedTests -DfailIfNoTests -Dstyle.color -Dverbose -Dincludes -Dsurefire.useFile "
        "-DtrimStackTrace -Dgroups",
        valued="-pl --projects -P --activate-profiles -T --threads -rf --resume-from --color",
        outputs="-l --log-file",
        loads="-gs --global-settings -t --toolchains -Dexec.executable -Dexec.args -b",
        style="single",
    ),
    "sbt": row("build", flags="-batch -no-colors --batch -v --no-colors --error", style="single"),
    "lein": row("build"),
    "rake": row(
        "build",
        flags="-T --tasks -A --all -s --silent -q --quiet -t --trace -v -m -D --describe -P --prereqs -W",
        valued="-j --jobs",
        tells="-n --dry-run",
        loads="--rakefile -e --execute -E -p -r --require -I --libdir -R -g -G",
    ),
    "gulp": row(
        "build",
        flags="--silent -S --color --no-color --series --continue -L -T --tasks --tasks-simple",
        loads="--gulpfile --cwd --preload -r --require",
    ),
    "grunt": row(
        "build",
        flags="--no-color --verbose -v --stack --debug -d",
        loads="-b --base --gruntfile -t --tasks --npm",
    ),
}
LOOKS = {
    "gradle": names(
        "tasks projects properties dependencies dependencyInsight buildEnvironment components outgoingVariants "
        "help assemble classes testClasses jar check"
    ),
    "mvn": names(
        "validate compile test-compile test package verify integration-test dependency:tree dependency:analyze "
        "dependency:list help:effective-pom help:effective-settings help:describe "
        "versions:display-dependency-updates versions:display-plugin-updates checkstyle:check spotless:check "
        "pmd:check spotbugs:check enforcer:enforce jacoco:report surefire:test failsafe:verify"
    ),
    "rake": names("db:version db:migrate:status db:check stats notes routes about middleware"),
    "sbt": names("reload update dependencyTree about projects scalafmtCheck scalafmtCheckAll"),
    "lein": names("deps :tree check classpath"),
}


def _tasks(call: Call) -> list[Outcome]:
    """Gradle, Maven, rake and their like: the tasks decide; cleaning before a build is part of it."""
    name = next((one for one in JVM_PROGRAMS if call.name.startswith(one)), "gulp")
    own = JVM_PROGRAMS[name]
    found = own(call)
    options = read_options(call.args, takes(own), style=own.style)
    if (
        changing(found)
        or options.has(names("--help --version -T --tasks -v -D --describe -P --prereqs"))
        or options.has(frozenset(own.milder))
    ):
        return found
    given = [word.text.rsplit(":", 1)[-1] if name == "gradle" else word.text for word in options.operands]
    cleaning = [text for text in given if text in ("clean", "cleanTest")]
    rest = [text for text in given if text not in cleaning]
    own_install = name == "mvn" and "install" in rest
    known = all(
        text in LOOKS.get(name, frozenset()) or (own_install and text == "install") or _one_builds(name, text)
        for text in rest
    )
    return [reads("build")] if known and (rest or not cleaning) else [unlisted("build")]


def _one_builds(name: str, text: str) -> bool:
    if name == "rake" and text.startswith("db:"):
        return False
    return builds(text.partition("[")[0]) and not text.startswith("exec")


CMAKE = row(
    "build",
    flags="-j -# -v --verbose --fresh -N -L -LA -LAH --no-warn-unused-cli -Wno-dev -Wdev -A --clean-first "
    "--list-presets --trace -Wno-deprecated --log-level --system-information",
    valued="-S -G -T -A --build --preset --config --parallel -j",
    outputs={"-B": "create", "--graphviz": "overwrite", "--profiling-output": "overwrite"},
    loads="-C --toolchain --install-prefix --debugger --find-package --open",
)
CMAKE_TARGETS = names("--target -t")
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
    options = read_options(call.args, takes(CMAKE) | CMAKE_TARGETS)
    targets = options.values(CMAKE_TARGETS)
    left = tuple(
        word
        for word in call.args
        if word.text not in CMAKE_TARGETS and word not in targets and not CMAKE_DEFINED.match(word.text)
    )
    found = changing(CMAKE(replace(call, args=left)))
    known = all(builds(target.text) or target.text in ("all", "ALL_BUILD") for target in targets)
    return found or ([reads("build")] if known else [unlisted("build")])


RUNNER = row(
    "build",
    flags="--all --parallel --verbose --skip-nx-cache --nxBail --prod --production --watch --coverage --no-cache "
    "--force --continue --dry --dry-run --affected --no-color --ci --codeCoverage --skipNxCache --output-logs "
    "--log-order --summarize --stream --since --json -l --long -a",
    valued="-t --target --targets --filter -F -p --projects --project --base --head --exclude --configuration -c "
    "--concurrency --output-logs --parallel --scope --ignore --only --env-mode --cache",
    outputs="--graph --file --profile --log-dir --cache-dir",
    loads="--cwd --api --token --team --root-turbo-json --script-shell",
)
RUNNER_LOOKS = names(
    "graph list show report ls print-affected changed diff info projects query config --help help"
)


def _runner(call: Call) -> list[Outcome]:
    """Task runners of JavaScript monorepos: `nx test app`, `turbo run build test`."""
    found = handing(RUNNER, HANDED)(call)
    options = read_options(call.args, takes(RUNNER))
    given = [word.text for word in options.operands if word.text not in ("run", "run-many", "affected")]
    targets = [
        one for value in options.values(names("-t --target --targets")) for one in value.text.split(",")
    ]
    if changing(found) or (given and given[0] in RUNNER_LOOKS):
        return [unlisted("build")] if given[:1] == ["graph"] and "run" in call.texts else found
    if call.name == "nx" and not targets:
        targets = [given[0].split(":")[1] if ":" in given[0] else given[0]] if given else []
    elif not targets:
        targets = [text.rsplit(":", 1)[-1] if "#" in text else text for text in given]
    effects = [task_effect(target.rsplit("#", 1)[-1]) for target in targets]
    return changing(effects) or ([reads("build")] if effects or not given else [unlisted("build")])


JUST = row(
    "build",
    flags="-l --list --summary --dump --list-all -a -u --unsorted --groups --variables -q --quiet -v --verbose "
    "--no-color --color --silent -s",
    valued="--show --list-heading",
    tells="-n --dry-run --dry",
    loads="--justfile -d --working-directory --set -t --taskfile --shell --shell-arg --command --choose --edit -e "
    "--evaluate --dir -g --global",
)
JUST_SHOWS = names("-l --list --summary --dump --list-all -a --show --variables --groups -n --dry-run --dry")


def _just(call: Call) -> list[Outcome]:
    options = read_options(call.args, takes(JUST))
    if options.may_have(JUST.loads):
        return [unlisted("build")]
    found = JUST(call)
    if changing(found) or options.has(JUST_SHOWS | names("--help --version")):
        return found
    given = options.texts()
    if not given:
        return [unlisted("build")]
    first = task_effect(given[0])
    return [first] if first.verdict != "read_only" else goals(given[1:])


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


REPORTS = names("term term-missing html xml json lcov annotate")


def _pytest(call: Call) -> list[Outcome]:
    """Plug-ins are code, unless they are only left out; a report may name its file behind a colon."""
    found = PYTEST(call)
    options = read_options(call.args, takes(PYTEST))
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


TOX = row(
    "build",
    flags="-q --quiet -v -vv --verbose -r --recreate -l --listenvs -a --listenvs-all -p "
    "--skip-missing-interpreters --no-provision --notest --skip-pkg-install --showconfig -s -R",
    valued="-e --env -m -j",
    loads="--conf --workdir -x --override --installpkg --result-json --parallel",
    style="gnu",
)
NOX = row(
    "build",
    flags="-l --list -R -r --reuse-existing-virtualenvs -N --no-install -x --stop-on-first-error --no-color "
    "--list-sessions --verbose -v",
    valued="-s --session --sessions -e -p --python --pythons -k --keywords -t --tags --reuse-venv",
    loads="--noxfile --envdir --report -db --extra-pythons --force-python",
)
ENVIRONMENT = re.compile(r"(?:py|pypy)[\w.]*(?:-[\w.]+)*\Z", re.ASCII)


def _environments(own: Handler, named: str) -> Handler:
    """tox and nox: the environments that are named build or test."""

    def handle(call: Call) -> list[Outcome]:
        found = handing(own, HANDED)(call)
        at = call.texts.index("--") if "--" in call.texts else len(call.args)
        options = read_options(call.args[:at], names(f"{named} -m -j -p -k -t --python --keywords --tags"))
        wanted = [one for value in options.values(names(named)) for one in value.text.split(",")]
        rest = [
            word.text
            for word in options.operands
            if word.text not in ("run", "r", "list", "l", "run-parallel", "p", "config")
        ]
        sessions = rest if call.name == "nox" else []
        known = all(
            ENVIRONMENT.match(one)
            or one in ("ALL", "all")
            or builds(re.split(r"[-(]", one)[0] if call.name == "nox" else one)
            for one in [*wanted, *sessions]
        ) and (call.name == "nox" or not rest)
        return found if known else [unlisted("build"), *changing(found)]

    return handle


RAILS = row(
    "build",
    flags="-v --verbose -d -b --backtrace --fail-fast -f -c --color --expanded -g -u --unused",
    valued="-n --name -e --environment -s --seed -c --controller -g --grep",
)
RAILS_LOOKS = names(
    "test spec routes about stats notes middleware version help zeitwerk:check db:version db:migrate:status server "
    "s test:system test:all test:models test:controllers test:integration test:units"
)


def _rails(call: Call) -> list[Outcome]:
    """`rails routes` looks; generators, migrations and the console may do anything."""
    given = read_options(call.args, RAILS.valued, stop=False).texts()
    if given and given[0] not in RAILS_LOOKS:
        return [unlisted("build")]
    return RAILS(call)


def _zig(call: Call) -> list[Outcome]:
    verb, rest = (call.texts[0] if call.args else "", replace(call, args=call.args[1:]))
    if verb == "fmt":
        return row(
            "format", does="overwrite", targets="operands", valued="--exclude", tells="--check --stdin"
        )(rest)
    if verb == "build":
        options = read_options(rest.args)
        found = changing(
            row(
                "build",
                flags="--summary -j --verbose --release -Doptimize -Dtarget -#",
                valued="--color",
                style="single",
            )(rest)
        )
        return found or (goals(options.texts()) if options.operands else [reads("build")])
    if verb == "test":
        return row(
            "build",
            flags="-OReleaseSafe -ODebug -OReleaseFast -lc",
            valued="--test-filter -target",
            style="single",
        )(rest)
    return (
        [reads("build")]
        if verb in ("version", "env", "targets", "zen", "libc", "ast-check", "help") and not rest.args[1:]
        else [unlisted("build")]
    )


def _dart_format(call: Call) -> list[Outcome]:
    outputs = [
        value.text
        for value in read_options(call.args, names("-o --output -l --line-length --page-width")).values(
            names("-o --output")
        )
    ]
    only_looks = bool(outputs) and outputs[-1] in ("none", "show", "json")
    own = row(
        "format",
        does=None if only_looks else "overwrite",
        targets="operands",
        flags="--set-exit-if-changed --fix",
        valued="-o --output -l --line-length --page-width --show --summary",
    )
    return own(call)


FIXES = row("build", does="overwrite", flags="--apply", tells="--dry-run -n")
DART = tree(
    "build",
    {
        "format": _dart_format,
        **rows(
            "analyze, test, info, pub outdated, pub deps, doc",
            "build",
            flags="--fatal-infos --fatal-warnings --chain-stack-traces",
            valued="-n --name -N --plain-name -j --concurrency -r --reporter -p --platform -t --tags -x --timeout",
            outputs="--coverage --file-reporter -o --output",
        ),
        **rows(
            "pub get, pub add, pub upgrade, pub remove, pub global activate",
            "packages",
            does="install",
            flags="--dev --offline --major-versions",
            tells="--dry-run -n",
        ),
        "fix": FIXES,
        "create": row("build", does="create", targets="operands", valued="-t --template"),
        "pub publish": row("packages", does="network", flags="-f --force", tells="--dry-run -n"),
    },
)
MIX = tree(
    "build",
    {
        **rows(
            "compile, test, credo, dialyzer, xref graph, deps, deps.tree, app.tree, hex.info, hex.outdated, "
            "hex.audit, phx.routes, help, deps.audit, sobelow, docs",
            "build",
            flags="--warnings-as-errors --force --trace --stale --failed --cover --slowest --all --strict "
            "--no-start --no-compile --all-warnings --max-failures -#",
            valued="--only --exclude --include --seed --max-failures --format --files-included --label --timeout "
            "--partitions --sink --source",
            outputs="--output -o --export-coverage",
            changes="--fix",
        ),
        **rows(
            "deps.get, deps.update, deps.unlock, local.hex, local.rebar, archive.install, escript.install",
            "packages",
            does="install",
            flags="--all --force --if-missing --only --unused",
            valued="--only",
        ),
        "format": row(
            "format",
            does="overwrite",
            targets="operands",
            flags="--force --no-compile --check-equivalent",
            tells="--check-formatted --dry-run",
            loads="--dot-formatter --stdin-filename",
        ),
        "new": row(
            "build", does="create", targets="operands", flags="--sup --umbrella", valued="--app --module"
        ),
        "clean": row("build", does="delete", flags="--deps"),
        "phx.new": row(
            "build", does="create", targets="operands", flags="--no-ecto --no-html --live --umbrella"
        ),
    },
    flags="-v",
)


def _cargo_fmt(call: Call) -> list[Outcome]:
    checks = "--check" in call.texts
    own = row(
        "format",
        does=None if checks else "overwrite",
        flags="--all -q --quiet -v --verbose --check -l --files-with-diff --",
        valued="-p --package --manifest-path --message-format --edition --config",
        targets="none",
    )
    return handing(own, own)(call)


CLIPPY = handing(
    row(
        "build",
        flags=CARGO_FLAGS,
        valued=CARGO_VALUED,
        outputs="--target-dir",
        changes="--fix",
        loads="--config -Z",
    ),
    LINTS,
)
CARGO = tree(
    "build",
    {
        **CARGO_LISTED,
        **rows("test, t, bench, nextest run", handing(CARGO_BUILD, LIBTEST)),
        "clippy": CLIPPY,
        "fmt": _cargo_fmt,
        "generate-lockfile": on_file(
            row("build", flags=CARGO_FLAGS, valued="--manifest-path"), "overwrite", "Cargo.lock"
        ),
    },
    flags="-q --quiet -v --verbose -V --list --frozen --locked --offline",
    valued="--color",
    loads="--config -Z -C",
)


def _cargo(call: Call) -> list[Outcome]:
    """The toolchain stands before the subcommand (`cargo +nightly build`)."""
    plus = call.texts[:1] and call.texts[0].startswith("+")
    return CARGO(replace(call, args=call.args[1:]) if plus else call)


DOTNET = tree("build", DOTNET_LISTED, flags="--info --list-sdks --list-runtimes --nologo", style="single")


def _dotnet(call: Call) -> list[Outcome]:
    """An operand may be a property, and a property a command."""
    loggers = read_options(call.args, names("--logger")).values(names("--logger"))
    if any(re.match(r"/[A-Za-z]+(?::|\Z)", text) for text in call.texts[1:]) or any(
        not value.text.startswith("console") for value in loggers
    ):
        return [unlisted("build")]
    return DOTNET(call)


COVERAGE_OWN = row(
    "build",
    flags="--branch -p --parallel-mode -a --append --timid -L --pylib",
    valued="--source --include --omit --concurrency --context",
    outputs="--data-file --save-signal",
    loads="--rcfile",
)
COVERAGE_READS = row(
    "build",
    flags="-m --show-missing --skip-covered --skip-empty -i --ignore-errors --no-skip-covered",
    valued="--include --omit --fail-under --sort --precision --format --contexts",
    loads="--rcfile --data-file",
)
MODULE = names("-m --module")


def _coverage_run(call: Call) -> list[Outcome]:
    leading, rest = split(
        call,
        row(
            "build",
            flags="-m --module --branch -p --parallel-mode -a --append --timid",
            valued="--source --include --omit --concurrency --context --data-file --rcfile",
        ),
    )
    own = tuple(word for word in leading.args if word.text not in MODULE)
    found = changing(COVERAGE_OWN(replace(call, args=own)))
    if len(own) < len(leading.args):
        return [*found, *call.shell.run_words([Word("python"), Word("-m"), *rest], call.stdin)]
    return (
        [*found, *call.shell.run_words([Word("python"), *rest], call.stdin)]
        if rest
        else [*found, unlisted("build")]
    )


COVERAGE = tree(
    "build",
    {
        "run": _coverage_run,
        **rows("report, debug sys, debug config, debug data, help", COVERAGE_READS),
        **{
            kind: on_file(
                row(
                    "build",
                    flags="-q --skip-covered --skip-empty -i --pretty-print --show-contexts",
                    valued="--include --omit --fail-under --precision --title",
                    outputs="-o -d --directory",
                    loads="--rcfile --data-file",
                ),
                "overwrite",
                file,
            )
            for kind, file in (
                ("html", "htmlcov"),
                ("xml", "coverage.xml"),
                ("json", "coverage.json"),
                ("lcov", "coverage.lcov"),
            )
        },
        "combine": row(
            "build", does="overwrite", flags="-a --append --keep -q", loads="--rcfile --data-file"
        ),
        "erase": row("build", does="delete", loads="--rcfile --data-file"),
    },
)
NODE_COVERAGE = row(
    "build",
    flags="--all -a --check-coverage --per-file --silent -s --skip-full --clean --no-clean --lines --branches "
    "--cache",
    valued="-r --reporter -x --exclude -n --include -e --extension --lines --branches --functions --statements",
    outputs="-o --reports-dir --report-dir --temp-directory -t --temp-dir",
    loads="--require -i --nycrc-path --cwd --import --src --resolve",
)


def _node_coverage(call: Call) -> list[Outcome]:
    """c8 and nyc: `report` tells, anything else is the command that is measured."""
    leading, rest = split(call, NODE_COVERAGE)
    if rest and rest[0].text in ("report", "check-coverage"):
        return NODE_COVERAGE(replace(call, args=(*leading.args, *rest[1:])))
    if rest and rest[0].text in ("merge", "instrument"):
        return [unlisted("build")]
    return wraps(NODE_COVERAGE)(call)


VALGRIND = wraps(
    row(
        "build",
        flags="-q --quiet -v --verbose --leak-check --show-leak-kinds --track-origins --error-exitcode "
        "--trace-children --num-callers --gen-suppressions --tool --show-reachable --track-fds "
        "--undef-value-errors --log-fd",
        outputs="--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file --dhat-out-file",
        loads="--suppressions --db-command",
        style="gnu",
    )
)
STACK_OWN = row(
    "build", flags="--no-ghc-package-path --no-stack-exe --cwd --silent --verbose", valued="--package"
)
STACK = tree(
    "build",
    {
        "build": row(
            "build",
            flags="--test --pedantic --fast --coverage --no-run-tests --haddock --dry-run --only-dependencies "
            "--only-snapshot --silent --bench --no-run-benchmarks",
            valued="-j --jobs --flag --ta --test-arguments",
            outputs="--local-bin-path",
            changes={"--copy-bins": "install"},
            loads="--exec --stack-yaml --ghc-options",
        ),
        "test": row(
            "build",
            flags="--coverage --no-run-tests --fast --pedantic",
            valued="--ta --test-arguments -j",
            loads="--exec --stack-yaml --ghc-options",
        ),
        **rows(
            "ls dependencies, path, query, ide packages, ide targets",
            "build",
            flags="--tree --separator --local-bin --stack-root --snapshot-install-root",
            valued="--depth",
        ),
        **rows(
            "install, upgrade, update, setup",
            "packages",
            does="install",
            flags="--fast --force",
            valued="--resolver --local-bin-path",
        ),
        "exec": wraps(STACK_OWN),
        **rows("new, init", "build", does="create", targets="first"),
        **rows("clean, purge", "build", does="delete", flags="--full"),
    },
    flags="--silent -v --verbose --no-terminal",
    loads="--stack-yaml --resolver --docker --nix",
)
CABAL = tree(
    "build",
    {
        **rows(
            "build, test, check, list, info, outdated, bench, haddock, list-bin, path",
            "build",
            flags="-v --verbose --enable-tests --enable-coverage --dry-run --only-dependencies --installed "
            "--simple-output --keep-going -v0 -v1",
            valued="-j --jobs --test-show-details --flags -f",
            outputs="--builddir",
            loads="--ghc-options --with-compiler -w --project-file --test-wrapper --prog-option",
        ),
        **rows(
            "install, update, fetch, get, unpack, user-config",
            "packages",
            does="install",
            flags="--lib --overwrite-policy --only-dependencies -v0",
            valued="--installdir -j",
        ),
        "exec": wraps(row("build", flags="-v0 -v1")),
        "init": row("build", does="create", flags="-n --non-interactive --lib --exe"),
        "clean": row("build", does="delete"),
        "upload": row("packages", does="network", flags="--publish"),
    },
    flags="-v",
)
NG = tree(
    "build",
    {
        **rows(
            "build, b, test, t, lint, e2e, version, v",
            "build",
            flags="--prod --watch --no-watch --browsers --code-coverage --source-map --aot --progress "
            "--no-progress --stats-json --verbose --headless",
            valued="-c --configuration --project --browsers --include --base-href",
            outputs="--output-path --ts-config",
            changes="--fix",
            loads="--karma-config --main --polyfills --custom-webpack-config",
            most=1,
        ),
        **rows(
            "add, update",
            "packages",
            does="install",
            flags="--force --allow-dirty --skip-confirmation --all --migrate-only",
        ),
        "serve": row(
            "build",
            flags="-o --open --watch --hmr --no-hmr",
            valued="--port -c --configuration --project",
            loads="--host --proxy-config --ssl-key --ssl-cert",
            most=1,
        ),
    },
)
PROGRAMS: dict[str, Handler] = {
    **rows("make gmake bmake", _make),
    **rows("gradle gradlew mvn mvnw sbt lein rake gulp grunt", _tasks),
    "cmake": _cmake,
    "cargo": _cargo,
    "dotnet": _dotnet,
    "mix": MIX,
    "dart": DART,
    "zig": _zig,
    "rails": _rails,
    **rows("nx turbo lerna", _runner),
    **rows("just task", _just),
    **rows("pytest py.test", barring(_pytest, takes(PYTEST))),
    **rows("tsc vue-tsc", barring(TSC, takes(TSC), "false")),
    "mypy": barring(MYPY, takes(MYPY)),
    "protoc": barring(PROTOC, takes(PROTOC)),
    "mocha": barring(MOCHA, takes(MOCHA), "init inspect"),
    "vitest": barring(VITEST, takes(VITEST), "init typecheck list --merge-reports"),
    "tox": _environments(TOX, "-e --env"),
    "nox": _environments(NOX, "-s --session --sessions -e"),
    **rows("gcc cc g++ c++ clang clang++", _compiler),
    "coverage": COVERAGE,
    **rows("c8 nyc", _node_coverage),
    "valgrind": VALGRIND,
    "stack": STACK,
    "cabal": CABAL,
    "ng": NG,
}
