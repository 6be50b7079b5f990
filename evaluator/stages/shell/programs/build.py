"""Builds, tests, type checkers and linters: their own family, not write-class unless the configuration says so."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.destroying import named_so
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.programs.node import script_effect
from evaluator.stages.shell.spec import Commands, Spec, by_words, programs, table
from evaluator.stages.shell.words import Word

BUILD = Spec("build")
NOT_A_BUILD = re.compile(
    r"(?:.*[:_./-])?(?:install\w*|uninstall|deploy\w*|publish\w*|release\w*|(?:dist|real|mr)?clean\w*|migrat\w*|seed|push|format|fmt|fix|up|down|destroy"
    r"|provision|bump\w*|tag|drop\w*|reset\w*|purge|nuke|rollback|upload\w*|restart|stop|start-prod)(?:[:_./-].*)?\Z",
    re.IGNORECASE,
)
CMAKE_TOOLS = (
    "copy=cp copy_directory=cp remove=rm remove_directory=rm rm=rm rename=mv make_directory=mkdir "
    "touch=touch "
    "create_symlink=ln "
    "cat=cat echo=echo tar=tar env=env time=time sleep=sleep md5sum=md5sum"
)
MAKE_VALUED = names("-C --directory -f --file --makefile -I --include-dir -j --jobs -l -o -W --eval -E")


def _make(call: Call) -> list[Outcome]:
    options = read_options(call.args, MAKE_VALUED - names("-j --jobs -l"), attached=names("-j -l"))
    if options.may_have(names("--eval -E")) or any(
        value.text == "-" for value in options.values(names("-f --file --makefile"))
    ):
        return [dynamic("build")]
    if options.has(
        names("-n --just-print --dry-run --recon -q --question -p --print-data-base --version -v")
    ):
        return [reads("build")]
    goals = [text for text in options.texts() if "=" not in text]
    if any(text.startswith(("SHELL=", ".SHELLFLAGS=", "MAKEFLAGS=", "MAKE=")) for text in options.texts()):
        return [dynamic("build")]
    return [unlisted("build")] if any(map(_is_no_build, goals)) else [reads("build")]


def _is_no_build(goal: str) -> bool:
    return NOT_A_BUILD.match(goal) is not None or named_so(goal)


def _tasks(call: Call) -> list[Outcome]:
    """Gradle, Maven, rake and their like: the tasks decide; cleaning before a build is part of it."""
    given = read_options(
        call.args,
        names("-f --file -pl --projects -P -p --project-dir -b -x --exclude-task -T --threads --tests -s"),
    ).texts()
    tasks = [text.rsplit(":", 1)[-1] if call.name.startswith("gradle") else text for text in given]
    changing = [
        task for task in tasks if _is_no_build(task) or (call.name == "rake" and _is_of_a_database(task))
    ]
    builds = [task for task in tasks if task not in changing]
    own_install = call.name.startswith("mvn") and "install" in changing
    harmless = all(
        task in ("clean", "cleanTest") or (own_install and task == "install") for task in changing
    ) and (builds or own_install)
    return [reads("build")] if not changing or harmless else [unlisted("build")]


def _is_of_a_database(task: str) -> bool:
    return task.startswith("db:") and task not in ("db:version", "db:migrate:status", "db:check")


def _cmake(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-S -B -G -D -T -A -P -C -E --build --install --preset -j --target -t --config")
    )
    if options.has(names("-P")):
        return [unlisted("script")]
    if options.has(names("--install")):
        return [writes("install", (), "build")]
    if options.has(names("-E")):
        return call.shell.run_words(_cmake_tool(call)) or [unlisted("build")]
    targets = [value.text for value in options.values(names("--target -t"))]
    return [unlisted("build")] if any(NOT_A_BUILD.match(target) for target in targets) else [reads("build")]


def _cmake_tool(call: Call) -> list[Word]:
    """The portable tools of `cmake -E` are those of the shell under other names."""
    same = {name: tool for name, _, tool in (pair.partition("=") for pair in CMAKE_TOOLS.split())}
    rest = call.args[call.texts.index("-E") + 1 :]
    return [Word(same[rest[0].text]), *rest[1:]] if rest and rest[0].text in same else []


def _tsc(call: Call) -> list[Outcome]:
    return [writes("create", ("tsconfig.json",), "build")] if "--init" in call.texts else [reads("build")]


def _runner(call: Call) -> list[Outcome]:
    """Task runners of JavaScript monorepos: `nx test app`, `turbo run build`."""
    given = [
        text
        for text in read_options(call.args, names("-t --target --filter -p --projects")).texts()
        if text not in ("run", "run-many", "affected", "exec")
    ]
    options = read_options(call.args, names("-t --target --filter -p --projects"))
    target = next((value.text for value in options.values(names("-t --target"))), given[0] if given else "")
    if target in ("graph", "list", "show", "report", "ls", "print-affected", "daemon", "changed", "diff"):
        return [reads("build")]
    return [script_effect(target.rsplit(":", 1)[-1])] if target else [reads("build")]


def _snapshots(call: Call) -> list[Outcome]:
    if call.name == "playwright" and call.texts[:1] in (["install"], ["install-deps"], ["uninstall"]):
        return [reads("build")] if "--dry-run" in call.texts else [writes("install", (), "build")]
    updating = read_options(call.args, names("-c --config -t")).may_have(
        names("-u --update --updateSnapshot --update-snapshots --snapshot-update")
    )
    return [writes("overwrite", (), "build")] if updating else [reads("build")]


def _just(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-f --justfile -d --working-directory --set -t --taskfile"))
    if options.has(names("-l --list --summary --show --dry-run -n --evaluate --dump --list-all -a")):
        return [reads("build")]
    given = options.texts()
    return [script_effect(given[0])] if given else [unlisted("build")]


CARGO = Commands(
    "build",
    {
        **table(
            "build, b, check, c, test, t, bench, doc, d, rustc, rustdoc, nextest, llvm-cov, miri, expand, "
            "tarpaulin, criterion, hack, udeps, machete, deny, fuzz",
            "build",
        ),
        **table(
            "tree, metadata, search, locate-project, pkgid, verify-project, outdated, audit, version, help, "
            "read-manifest, config, report, info, bloat, asm, package",
            "read",
        ),
        **table("add, remove, rm, install, uninstall, update, fetch, upgrade, vendor, binstall", "install"),
        **table("publish, yank, login, logout, owner", "network"),
        "clippy": by_words("--fix", "overwrite", "build", "build"),
        "fmt": by_words("--check", "build", "overwrite", "format"),
        "fix": "overwrite",
        "clean": "delete",
        "new": "create operands",
        "init": "create operands",
        "generate-lockfile": lambda call: [writes("overwrite", ("Cargo.lock",), "build")],
        "run": "unlisted",
        "r": "unlisted",
    },
    valued=names("--manifest-path --color --config -Z -C"),
    milder=names("--dry-run -n --list"),
)


def _formats(call: Call) -> list[Outcome]:
    """`mix format`, `dart format`, `swift format`: they rewrite unless they are asked only to look."""
    options = read_options(call.args, names("-o --output -l --line-length --page-width --configuration"))
    looks = options.has(names("--check-formatted --dry-run --set-exit-if-changed=only lint")) or any(
        value.text in ("none", "show", "json") for value in options.values(names("-o --output"))
    )
    given = options.texts()
    if looks or given[:1] == ["lint"] or given == ["-"]:
        return [reads("build")]
    return [writes("overwrite", given, "format")]


def _zig(call: Call) -> list[Outcome]:
    if call.texts[:1] != ["fmt"]:
        return [reads("build")] if call.texts[:1] != ["run"] else [unlisted("build")]
    options = read_options(call.args[1:], names("--exclude"))
    looks = options.has(names("--check --stdin"))
    return [reads("build")] if looks else [writes("overwrite", options.texts(), "format")]


def _rails(call: Call) -> list[Outcome]:
    """`rails routes` looks; generators, migrations and the console may do anything."""
    given = read_options(call.args, names("-e --environment -b -p")).texts()
    looking = names(
        "test spec routes about stats notes middleware version help zeitwerk:check db:version server s"
    )
    looks = not given or given[0] in looking or given[0].startswith(("test:", "db:migrate:status"))
    return [reads("build")] if looks else [unlisted("build")]


def _plus(call: Call) -> list[Outcome]:
    """`cargo +nightly build`: the toolchain stands before the subcommand."""
    args = call.args[1:] if call.texts[:1] and call.texts[0].startswith("+") else call.args
    return CARGO(Call(call.name, args, call.stdin, call.shell))


GO = Commands(
    "build",
    {
        **table("build, test, vet, tool, telemetry", "build"),
        **table("list, version, doc, help, bug, mod graph, mod why, mod verify", "read"),
        **table(
            "get, install, mod tidy, mod download, mod vendor, work init, work use, work sync, work edit",
            "install",
        ),
        "mod edit": by_words("-json -print", "read", "install", "build"),
        "mod init": lambda call: [writes("create", ("go.mod",), "build")],
        "env": by_words("-w -u", "unlisted", "read", "build"),
        "fmt": "overwrite",
        "fix": "overwrite",
        "clean": "delete",
        "run": "unlisted",
        "generate": "unlisted",
    },
    valued=names("-C"),
    style="single",
    milder=names("-n -diff"),
)
DOTNET = Commands(
    "build",
    {
        **table("build, test, msbuild, vstest, pack, watch, clean", "build"),
        **table(
            "list, --info, --version, --list-sdks, --list-runtimes, nuget list, sln list, tool list, "
            "workload "
            "list",
            "read",
        ),
        **table(
            "add, remove, restore, tool install, tool update, tool restore, workload install, nuget add, sln "
            "add",
            "install",
        ),
        "new": "create",
        "format": by_words("--verify-no-changes", "build", "overwrite", "format"),
        "nuget push": "network",
        "run": "unlisted",
        "publish": "build",
    },
)
SWIFT = Commands(
    "build",
    {
        **table(
            "build, test, package, doc, analyze, compile, run-tests, check, gen-l10n, precompile, ct, eunit, "
            "dialyzer, xref, edoc, hex.info, deps, deps.tree, help, hex.outdated, app.tree, xref graph, "
            "phx.routes, "
            "hex.audit, version, emulators, config, channel",
            "build",
        ),
        "format": _formats,
        "package update": "install",
        "package resolve": "install",
        "pub get": "install",
        "pub add": "install",
        "pub upgrade": "install",
        "pub outdated": "read",
        "pub deps": "read",
        "deps.get": "install",
        "deps.update": "install",
        "doctor": "read",
        "devices": "read",
        "--version": "read",
        "run": "unlisted",
        "clean": "delete",
        "create": "create operands",
        "new": "create operands",
        "fix": by_words("--dry-run", "build", "overwrite", "build"),
        "credo": "build",
    },
)
PROGRAMS: dict[str, Handler] = {
    **programs("make gmake bmake", _make),
    **programs(
        "ninja samu meson scons waf bazel bazelisk buck buck2 please pants b2 qmake autoconf automake "
        "autoreconf configure",
        BUILD,
    ),
    **programs("cmake", _cmake),
    **programs("gradle gradlew mvn mvnw ant sbt lein rake mill gulp grunt", _tasks),
    **programs("cargo", _plus),
    **programs("go", GO),
    **programs("dotnet", DOTNET),
    **programs("swift flutter mix dart fvm rebar3", SWIFT),
    **programs("zig", _zig),
    **programs("rails", _rails),
    **programs("tsc", _tsc),
    **programs("jest vitest playwright", _snapshots),
    **programs("nx turbo lerna wireit rush moon", _runner),
    **programs("just task", _just),
    **programs(
        "pytest py.test tox nox unittest nose2 nosetests behave robot mocha ava karma cypress jasmine tap "
        "tape "
        "c8 nyc webpack vite rollup esbuild swc parcel next nuxt "
        "astro vue-tsc svelte-check svelte-kit tsup tsd rspec cucumber minitest phpunit pest "
        "phpstan psalm phan mypy pyright basedpyright pyre pytype pylint flake8 "
        "pyflakes pycodestyle pydocstyle bandit vulture shellcheck hadolint yamllint markdownlint "
        "markdownlint-cli2 actionlint staticcheck gotestsum revive "
        "rustc gcc cc g++ c++ clang clang++ cl ld as nasm javac kotlinc scalac swiftc ghc cabal stack dune "
        "ocamlfind ocamlc elm nim crystal fpc gfortran "
        "xcodebuild msbuild ctest bats busted luacheck cppcheck valgrind coverage sphinx-build hugo jekyll "
        "tectonic latexmk pdflatex xelatex cython protoc thrift "
        "flatc wasm-pack emcc codespell typos lychee commitlint depcheck madge knip publint attw size-limit "
        "lighthouse semgrep trivy gitleaks "
        "snyk checkov tflint tfsec kubeval kubeconform conftest opa ansible-lint vale alex proselint "
        "swiftlint "
        "detekt checkstyle pmd spotbugs import-linter "
        "spectral cspell secretlint license-checker bundlesize envinfo jscpd dependency-cruiser depcruise "
        "ls-lint serve http-server live-server complexipy "
        "lint-imports deptry radon xenon interrogate compileall py_compile doctest perlcritic prove promtool "
        "solhint slither",
        BUILD,
    ),
    **programs(
        "ng",
        Commands(
            "build",
            {
                **table("build, test, lint, serve, e2e, b, t, s, version, analytics", "build"),
                "add": "install",
                "update": "install",
            },
        ),
    ),
    **programs(
        "mkdocs",
        Commands(
            "build", {**table("build, serve", "build"), "gh-deploy": "network", "new": "create operands"}
        ),
    ),
}
