"""Builds and tests: cargo, go, dotnet, the compilers, and the test runners of each language."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import row, rows, tree

CARGO_FLAGS = (
    "-q --quiet -v -vv --verbose --workspace --all --all-targets --lib --bins --examples --tests --benches "
    "--release -r --all-features --no-default-features --frozen --locked --offline --no-run --no-fail-fast "
    "--keep-going --doc --ignore-rust-version --no-deps --document-private-items --future-incompat-report "
    "--timings --list --message-format --no-fail-fast --run-ignored --no-tests --no-capture --nocapture -#"
)
CARGO_VALUED = (
    "-p --package --exclude --bin --example --test --bench --features -F --profile --target -j --jobs "
    "--message-format --color --manifest-path --partition --retries -E --filter-expr --test-threads"
)
CARGO_BUILD = row(
    "build",
    flags=CARGO_FLAGS,
    valued=CARGO_VALUED,
    outputs="--target-dir --artifact-dir --out-dir",
    loads="--config -Z",
)
LIBTEST = row(
    "build",
    flags="--nocapture --no-capture --ignored --include-ignored --exact --list -q --quiet --show-output --test "
    "--bench",
    valued="--test-threads --skip --format --color --baseline --sample-size",
    outputs="--logfile",
)
LINTS = row("build", valued="-D -W -A -F --deny --warn --allow --forbid", outputs="-o --out-dir", most=0)
CARGO_READS = row(
    "packages",
    flags=f"{CARGO_FLAGS} -i --invert -d --duplicates --no-dedupe --no-indent -e --edges --depth --format-version "
    "--prefix",
    valued="-p --package --features -F --target --color --manifest-path --format-version --depth -e --edges "
    "--prefix --limit --format -f --prune --filter-platform --charset --registry -i --invert",
    loads="--config -Z",
)
CARGO_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{CARGO_FLAGS} -D --dev --build --optional --no-optional -f --force --rename --debug --recursive "
    "--breaking --precise --verbose -y --no-confirm --incompatible --compatible --pinned",
    valued=f"{CARGO_VALUED} --version --vers --git --branch --tag --rev --path --root --registry --rename "
    "--precise --index",
    tells="--dry-run -n",
    loads="--config -Z",
)
CARGO_LISTED: dict[str, Handler] = {
    **rows(
        "build, b, check, c, doc, d, nextest run, nextest list, llvm-cov nextest, miri test, hack check",
        CARGO_BUILD,
    ),
    "llvm-cov": row(
        "build",
        flags=f"{CARGO_FLAGS} --summary-only --json --lcov --text --html --cobertura",
        valued=CARGO_VALUED,
        outputs="--output-path --output-dir",
    ),
    **rows(
        "tree, metadata, search, locate-project, pkgid, verify-project, version, help, read-manifest, info, "
        "outdated, audit, deny check, machete, udeps, bloat, expand",
        CARGO_READS,
    ),
    **rows("add, remove, rm, uninstall, update, fetch, upgrade, vendor, binstall", CARGO_INSTALLS),
    "install": row(
        "packages",
        does="install",
        flags=f"{CARGO_FLAGS.replace('--list ', '')} -f --force --debug --no-track",
        valued=f"{CARGO_VALUED} --version --vers --git --branch --tag --rev --path --root --registry --index",
        tells="--list",
        loads="--config -Z",
    ),
    "publish": row(
        "packages",
        does="network",
        flags=f"{CARGO_FLAGS} --allow-dirty --no-verify",
        valued=f"{CARGO_VALUED} --token --registry --index",
        tells="--dry-run -n",
        loads="--config -Z",
    ),
    **rows(
        "yank, login, logout",
        "packages",
        does="network",
        flags="--undo -q",
        valued="--version --vers --registry --token",
    ),
    "owner": row(
        "packages",
        flags="-l --list -q",
        valued="--registry --token",
        changes={"-a": "network", "--add": "network", "-r": "network", "--remove": "network"},
        most=1,
    ),
    "package": row(
        "build",
        flags=f"{CARGO_FLAGS} -l --allow-dirty --no-verify --no-metadata",
        valued=CARGO_VALUED,
        outputs="--target-dir",
        loads="--config -Z",
    ),
    "fix": row(
        "build",
        does="overwrite",
        flags=f"{CARGO_FLAGS} --allow-dirty --allow-staged --allow-no-vcs --edition --edition-idioms --broken-code",
        valued=CARGO_VALUED,
        loads="--config -Z",
    ),
    "clean": row(
        "build",
        does="delete",
        flags=CARGO_FLAGS,
        valued=CARGO_VALUED,
        tells="--dry-run -n",
        loads="--config -Z --target-dir",
    ),
    **rows(
        "new, init",
        "build",
        does="create",
        targets="operands",
        flags="--lib --bin -q --quiet -v",
        valued="--name --edition --vcs --registry --color",
    ),
}
GO_FLAGS = "-v -x -a -race -msan -asan -cover -trimpath -work -linkshared -modcacherw -buildvcs -json -n"
GO_VALUED = "-p -tags -mod -buildmode -covermode -coverpkg -gcflags -compiler -pgo -installsuffix"
GO_RUNS = "-toolexec"
GO_BUILD = row(
    "build",
    flags=GO_FLAGS.replace(" -n", ""),
    valued=GO_VALUED.replace("-compiler ", "").replace("-gcflags ", ""),
    outputs="-o -pkgdir",
    runs=GO_RUNS,
    base="-C",
    loads="-overlay -modfile -ldflags -gccgoflags",
    tells="-n",
    style="single",
)
GO_TEST = row(
    "build",
    flags=f"{GO_FLAGS} -short -failfast -benchmem -fullpath -artifacts",
    valued="-p -tags -mod -covermode -coverpkg -run -skip -count -bench -benchtime -cpu -parallel -timeout -list "
    "-shuffle -vet -fuzztime",
    outputs="-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir "
    "-test.gocoverdir -pkgdir",
    changes={"-c": "create"},
    runs=f"{GO_RUNS} -exec",
    base="-C",
    loads="-overlay -modfile -ldflags -vettool",
    style="single",
)
GO_READS = row(
    "build",
    flags=f"{GO_FLAGS} -m -u -deps -test -e -versions -find -compiled -export -retracted -all -src -short -c -cmd "
    "-changed -why -vendor",
    valued="-f -mod -tags -reuse -p",
    loads="-overlay -modfile -http -toolexec",
    style="single",
)
GO_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{GO_FLAGS} -u -t -d -e -r -use -go -compat -diff",
    valued="-tags -mod -p -o",
    runs=GO_RUNS,
    loads="-overlay -modfile -ldflags",
    tells="-n -diff",
    style="single",
)
GO = tree(
    "build",
    {
        "build": GO_BUILD,
        "test": GO_TEST,
        "vet": row(
            "build",
            flags=f"{GO_FLAGS} -c",
            valued="-p -tags -mod",
            changes="-fix",
            runs=GO_RUNS,
            loads="-vettool -overlay -modfile",
            style="single",
        ),
        **rows("list, version, doc, help, mod graph, mod why, mod verify", GO_READS),
        "env": row("build", flags="-json -changed", changes="-w -u", style="single"),
        **rows(
            "get, install, mod tidy, mod download, mod vendor, work init, work use, work sync, work edit, work "
            "vendor",
            GO_INSTALLS,
        ),
        "mod edit": row(
            "build",
            flags="-json -print -go -module",
            changes="-require -droprequire -replace -dropreplace -exclude -dropexclude -retract -dropretract -fmt "
            "-toolchain -tool -godebug",
            style="single",
            most=0,
        ),
        "tool cover": row("build", valued="-func -mode -var", outputs="-o", style="single"),
        "fmt": row("format", does="overwrite", flags="-x", tells="-n", style="single", loads="-mod"),
        "clean": row(
            "build",
            does="delete",
            flags="-i -r -cache -testcache -modcache -fuzzcache -x",
            tells="-n",
            style="single",
        ),
        "fix": row("build", does="overwrite", flags="-v", tells="-diff", style="single"),
    },
    valued="",
    loads="-C",
    style="single",
)
DOTNET_FLAGS = (
    "-nologo --nologo --no-restore --no-incremental --no-build --force --list-tests -t --no-dependencies "
    "--interactive --blame -h --help --disable-build-servers"
)
DOTNET_VALUED = (
    "-c --configuration -v --verbosity -f --framework -r --runtime --os -a --arch --filter --logger --tl "
    "--collect"
)
DOTNET_LISTED: dict[str, Handler] = {
    **rows(
        "build, test",
        "build",
        flags=DOTNET_FLAGS,
        valued=DOTNET_VALUED,
        outputs="-o --output --artifacts-path --results-directory -d --diag -bl",
        loads="--test-adapter-path --property -p --environment -e",
        style="single",
        most=1,
    ),
    **rows(
        "list, nuget list, sln list, tool list, workload list, package list, reference list, package search, sdk "
        "check, workload search",
        "packages",
        flags="package reference --outdated --vulnerable --deprecated --include-transitive --highest-minor "
        "--highest-patch -g --global --local --highest-version",
        valued="--format --framework -f --verbosity -v --take",
        style="single",
    ),
    **rows(
        "add, remove, restore, tool install, tool update, tool uninstall, tool restore, workload install, nuget "
        "add, sln add, sln remove, package add, package remove, reference add, package update",
        "packages",
        does="install",
        flags="package reference -n --no-restore -g --global --local --prerelease --nologo -nologo --force "
        "--no-cache --locked-mode --in-root",
        valued="-v --version -f --framework --verbosity -s --source --tool-path --configfile -r --runtime "
        "--package-directory",
        style="single",
    ),
    "new": row(
        "build",
        does="create",
        flags="--force --no-restore --list --search --use-program-main",
        valued="-n --name -f --framework -lang --language",
        outputs={"-o": "create", "--output": "create"},
        tells="--dry-run",
        style="single",
    ),
    "format": row(
        "format",
        does="overwrite",
        flags="--no-restore style whitespace analyzers --include-generated",
        valued="--include --exclude --severity -v --verbosity --diagnostics",
        outputs="--report --binarylog",
        tells="--verify-no-changes",
        style="single",
    ),
    "nuget push": row(
        "packages",
        does="network",
        valued="-k --api-key -s --source",
        flags="--skip-duplicate",
        style="single",
    ),
    "clean": row(
        "build",
        does="delete",
        flags=DOTNET_FLAGS,
        valued="-c --configuration -v --verbosity -f --framework",
        style="single",
        most=1,
    ),
}
PYTEST = row(
    "build",
    flags="-q --quiet -v --verbose -x --exitfirst -s -l --showlocals --lf --last-failed --ff --failed-first --nf "
    "--new-first --sw --stepwise --sw-skip --stepwise-skip --co --collect-only --no-header --no-summary "
    "--strict-markers --strict-config --strict --fixtures --fixtures-per-test --markers --setup-show --setup-only "
    "--setup-plan --disable-warnings --disable-pytest-warnings --cov --cov-branch --cov-append --no-cov "
    "--no-cov-on-fail --runxfail --doctest-modules --full-trace --trace-config --benchmark-only "
    "--benchmark-disable --benchmark-skip --forked --cache-show --cache-clear --pyargs "
    "--continue-on-collection-errors --hypothesis-show-statistics --random-order --no-fold-skipped --noconftest -h "
    "--version -V --show-capture --force-sugar --reruns --xfail-tb --doctest-continue-on-failure",
    valued="-r -n --numprocesses --dist --maxfail --durations --durations-min --tb --color -k -m -W "
    "--pythonwarnings --timeout --capture --ignore --ignore-glob --deselect --cov-report --cov-fail-under "
    "--import-mode --log-level --log-cli-level --show-capture --asyncio-mode --hypothesis-seed "
    "--last-failed-no-failures --lfnf --maxprocesses --reruns --verbosity --code-highlight -p --randomly-seed "
    "--maxschedchunk --timeout-method --doctest-glob --junit-prefix",
    outputs={
        "--junitxml": "overwrite",
        "--junit-xml": "overwrite",
        "--basetemp": "delete",
        "--log-file": "overwrite",
        "--report-log": "overwrite",
        "--html": "overwrite",
        "--json-report-file": "overwrite",
        "--result-log": "overwrite",
        "--benchmark-json": "overwrite",
        "--csv": "overwrite",
        "--alluredir": "overwrite",
        "--debug": "overwrite",
    },
    changes="--snapshot-update --inline-snapshot --force-regen --regen-all",
)
UNITTEST = row(
    "build",
    flags="-v --verbose -q --quiet -f --failfast -b --buffer -c --catch --locals",
    valued="-k -s --start-directory -p --pattern -t --top-level-directory --durations",
)
JEST = row(
    "build",
    flags="--coverage --runInBand -i --watch --watchAll --ci --silent --verbose --bail -b --passWithNoTests "
    "--no-coverage --no-cache --onlyChanged -o --onlyFailures -f --lastCommit --findRelatedTests --listTests "
    "--detectOpenHandles --forceExit --colors --no-colors --color --json --expand -e --logHeapUsage "
    "--errorOnDeprecated --showConfig --cache --randomize --no-watchman --runTestsByPath --noStackTrace --debug",
    valued="-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --maxWorkers -w "
    "--shard --testTimeout --selectProjects --ignoreProjects --collectCoverageFrom --changedSince "
    "--coverageReporters --seed --maxConcurrency --openHandlesTimeout",
    outputs="--outputFile",
    changes={
        "-u": "overwrite",
        "--updateSnapshot": "overwrite",
        "--init": "create",
        "--clearCache": "delete",
    },
    loads="--setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --testEnvironment "
    "--reporters--testRunner --transform --resolver --preset --rootDir --roots --globals --testResultsProcessor "
    "--testSequencer --snapshotSerializers --projects --filter",
)
VITEST = row(
    "build",
    flags="run --run --coverage --watch -w --no-watch --silent --passWithNoTests --no-coverage --changed --bail "
    "--no-color --color --isolate --no-isolate --typecheck --allowOnly --dangerouslyIgnoreUnhandledErrors "
    "--hideSkippedTests --expandSnapshotDiff --no-file-parallelism --coverage.enabled --logHeapUsage --clearScreen "
    "--disableConsoleIntercept --printConsoleTrace",
    valued="-t --testNamePattern --reporter --project --shard --retry --testTimeout --pool --maxWorkers "
    "--minWorkers --exclude --coverage.include --coverage.exclude --coverage.reporter --hookTimeout "
    "--maxConcurrency --slowTestThreshold --sequence.seed --changed --mode",
    outputs="--outputFile",
    changes="-u --update",
    loads="--globalSetup --environment --api --ui --browser --dir --execArgv --open --inspect "
    "--inspect-brk--standalone --attachmentsDir --sequence.sequencer --diff",
)
PLAYWRIGHT = tree(
    "build",
    {
        "test": row(
            "build",
            flags="--headed --list -x --last-failed --forbid-only --fully-parallel --pass-with-no-tests --quiet "
            "--only-changed --no-deps --fail-on-flaky-tests",
            valued="-g --grep --grep-invert --project --workers -j --reporter --retries --repeat-each --shard "
            "--timeout --max-failures --global-timeout --trace --browser --tsconfig",
            outputs={"--output": "delete"},
            changes="-u --update-snapshots",
            loads="--ui --ui-host --ui-port --debug",
        ),
        **rows(
            "install, install-deps, uninstall",
            "packages",
            does="install",
            flags="--with-deps --force --all --only-shell --no-shell",
            tells="--dry-run --list",
        ),
    },
    flags="-V",
)
MOCHA = row(
    "build",
    flags="--recursive -b --bail --exit --check-leaks --forbid-only --forbid-pending -c --color --colors "
    "--no-color -i --invert -p --parallel --list-files --dry-run --full-trace -A --async-only --sort -S --watch -w "
    "--no-exit --fail-zero",
    valued="-g --grep -f --fgrep -t --timeout -s --slow -R --reporter --spec --ignore --extension -j --jobs "
    "--retries -u --ui",
    outputs="--reporter-option --reporter-options -O",
    loads="-r --require --package --import --loader --node-option -n --opts",
)
TSC = row(
    "build",
    flags="--noEmit --pretty --strict --skipLibCheck -w --watch --listFiles --listFilesOnly --showConfig "
    "--incremental --noErrorTruncation --esModuleInterop --allowJs --checkJs --noImplicitAny --strictNullChecks "
    "--resolveJsonModule --isolatedModules --traceResolution --extendedDiagnostics --diagnostics --explainFiles "
    "--noUnusedLocals --noUnusedParameters --preserveWatchOutput -b --build --verbose -d --dry -f --force --force "
    "--all -h -v --emitDeclarationOnly --declaration --sourceMap --noEmitOnError",
    valued="-p --project --target -t --module -m --moduleResolution --lib --jsx --types --locale --customConditions",
    outputs="--outDir --outFile --out --tsBuildInfoFile --generateTrace --generateCpuProfile --rootDir",
    changes={"--clean": "delete"},
)
RSPEC = row(
    "build",
    flags="--fail-fast --no-fail-fast -w --warnings -b --backtrace -c --color --no-color --force-color "
    "--no-profile --profile --only-failures -n --next-failure --dry-run --order --force-colour",
    valued="-e --example -E --example-matches -t --tag -f --format --seed --order -P --pattern --exclude-pattern -p",
    outputs="-o --out",
    loads="-r --require -I -O --options --default-path --bisect --init",
)
PHPUNIT = row(
    "build",
    flags="--testdox --stop-on-failure --stop-on-error --colors --no-coverage --list-tests --list-suites "
    "--list-groups --debug -v --verbose --fail-on-warning --display-warnings --display-deprecations --no-progress "
    "--compact --parallel --order-by --dirty --retry --bail --ci --profile --no-output",
    valued="--filter --group --exclude-group --testsuite --colors --order-by --min --exclude-testsuite",
    outputs="--log-junit --log-teamcity --coverage-clover --coverage-html --coverage-xml "
    "--coverage-text--coverage-php --coverage-cobertura --cache-directory",
    changes={
        "--update-snapshots": "overwrite",
        "--generate-configuration": "create",
        "--migrate-configuration": "overwrite",
    },
    loads="--bootstrap --extension --prepend --printer -d --include-path",
)
CTEST = row(
    "build",
    flags="-V -VV --verbose --output-on-failure -N --show-only -Q --quiet --rerun-failed --stop-on-failure "
    "--progress --no-tests -#",
    valued="--test-dir -R --tests-regex -E --exclude-regex -L --label-regex -LE -j --parallel -C --build-config "
    "--timeout --repeat --preset --schedule-random -I",
    outputs="-O --output-log --output-junit",
    loads="-S --script --dashboard -T -M --build-and-test -SP",
)
NEXT = tree(
    "build",
    {
        **rows(
            "build, lint",
            "build",
            flags="--no-lint --strict --quiet --profile --debug -d --turbo --turbopack --webpack --no-cache "
            "--no-mangling",
            valued="--dir -d --max-warnings --format -f",
            outputs="-o --output-file",
            changes="--fix",
            loads="--rulesdir --resolve-plugins-relative-to",
        ),
        "info": row("build"),
        "typegen": row("build"),
    },
    flags="-v",
)
VITE = tree(
    "build",
    {
        "build": row(
            "build",
            flags="--minify --sourcemap --ssr --emptyOutDir --manifest --debug -d --profile --app -w --watch",
            valued="-m --mode --target --base -l --logLevel",
            outputs="--outDir",
            loads="--configLoader",
            most=0,
        )
    },
    flags="-v",
)
WEBPACK = tree(
    "build",
    rows(
        "build, bundle, b, version, info",
        "build",
        flags="--watch -w --progress --color --no-color --json --analyze --stats",
        valued="--mode --devtool -d -t --target --env",
        outputs="-o --output-path",
        loads="--config-name -r --require --entry",
        most=0,
    ),
    flags="--progress --color --no-color -v",
    valued="--mode",
    bare=None,
)
COMPILED_ONLY_TOLD = row(
    "build", flags="-V -v -version -vV", valued="--explain", outputs="-o -d", most=0, style="single"
)
PROTOC = row(
    "build",
    flags="--version --experimental_allow_proto3_optional --include_imports --include_source_info --fatal_warnings",
    valued="-I --proto_path --error_format",
    outputs="--python_out --pyi_out --cpp_out --java_out --kotlin_out --go_out --go-grpc_out --js_out --ts_out "
    "--grpc_out --grpc_python_out--csharp_out --ruby_out --php_out --rust_out --objc_out --dart_out --swift_out "
    "--mypy_out --doc_out --grpc-web_out --grpc-gateway_out --openapiv2_out --validate_out -o --descriptor_set_out "
    "--dependency_out",
    loads="--plugin",
)
HUGO_BUILD = row(
    "build",
    flags="-D --buildDrafts -F --buildFuture -E --buildExpired --minify --quiet --printPathWarnings "
    "--printUnusedTemplates --logLevel --panicOnWarning --templateMetrics -v --ignoreCache --printI18nWarnings "
    "--enableGitInfo",
    valued="-b --baseURL -e --environment --logLevel",
    outputs="-d --destination --cacheDir",
    loads="--configDir --source -t --theme --themesDir --gc --cleanDestinationDir --renderToMemory",
    most=0,
)
HUGO = tree(
    "build",
    {
        "build": HUGO_BUILD,
        **rows(
            "version, env, config, list all, list drafts, list future, list expired, list published, help",
            "build",
            flags="--format",
        ),
        "new": row(
            "build", does="create", targets="last", flags="-f --force", valued="--kind -k --format", skip=1
        ),
    },
    flags="-D --buildDrafts -F --buildFuture -E --buildExpired --minify --quiet -v",
    bare=HUGO_BUILD,
)
PROGRAMS: dict[str, Handler] = {
    "go": GO,
    "unittest": UNITTEST,
    "jest": JEST,
    "playwright": PLAYWRIGHT,
    "svelte-check": row(
        "build",
        flags="--watch --fail-on-warnings --no-tsconfig",
        valued="--tsconfig --threshold --output --workspace --ignore --compiler-warnings --diagnostic-sources",
    ),
    "rspec": RSPEC,
    **rows("phpunit pest", PHPUNIT),
    "ctest": CTEST,
    "next": NEXT,
    "vite": VITE,
    "webpack": WEBPACK,
    **rows("rustc javac kotlinc swiftc ghc nim", COMPILED_ONLY_TOLD),
    "hugo": HUGO,
    "mkdocs": tree(
        "build",
        {
            "build": row(
                "build",
                flags="-c --clean --dirty -s --strict -q --quiet -v --verbose",
                valued="-t --theme",
                outputs="-d --site-dir",
                most=0,
            ),
            "new": row("build", does="create", targets="operands"),
            "gh-deploy": row(
                "build", does="network", flags="-c --clean --force --strict -q", valued="-m --message -b -r"
            ),
        },
        flags="-q --quiet -v --verbose -V",
    ),
    "sphinx-build": row(
        "build",
        does="overwrite",
        targets="second",
        flags="-q -Q -W -n -a -E -v --keep-going -T --fail-on-warning --nitpicky",
        valued="-b -j -t",
    ),
    "doctest": row("build", flags="-v --verbose -f --fail-fast", valued="-o --option"),
    "ninja": row(
        "build", flags="-v --verbose --quiet -n -#", valued="-j -k -l", base="-C", loads="-t -d", most=0
    ),
    "meson": tree(
        "build",
        {
            "compile": row("build", flags="-v --verbose", valued="-C -j --jobs", most=0),
            "test": row(
                "build",
                flags="-v --verbose -q --list --no-rebuild --print-errorlogs --num-processes --repeat",
                valued="-C --suite --no-suite -t --timeout-multiplier -j",
                loads="--wrapper --wrap --gdb --setup",
            ),
            "introspect": row(
                "build",
                flags="--all --targets --tests --buildoptions --dependencies -i --indent --installed --projectinfo -a",
            ),
            "setup": row(
                "build",
                does="create",
                targets="first",
                flags="--reconfigure --wipe",
                valued="--buildtype -D --prefix",
            ),
            "install": row(
                "packages",
                does="install",
                flags="--no-rebuild --quiet",
                valued="-C --tags --destdir",
                tells="-n --dry-run",
            ),
        },
    ),
    **rows(
        "bazel bazelisk",
        tree(
            "build",
            {
                **rows(
                    "build, test, coverage",
                    "build",
                    flags="-k --keep_going --nocache_test_results --verbose_failures -s --subcommands --nobuild "
                    "--sandbox_debug --test_verbose_timeout_warnings --nokeep_going",
                    valued="-c --compilation_mode -j --jobs --test_output --test_filter --test_tag_filters "
                    "--build_tag_filters --runs_per_test --test_timeout --color --curses --show_progress",
                    loads="--run_under --strategy --override_repository --extra_toolchains --host_jvm_args "
                    "--remote_cache --remote_executor --spawn_strategy",
                    outputs="--symlink_prefix --build_event_json_file --profile",
                ),
                **rows(
                    "query, cquery, aquery",
                    "build",
                    flags="--noimplicit_deps --notool_deps --keep_going -k --nohost_deps",
                    valued="--output --universe_scope --order_output",
                    outputs="--output_file",
                    loads="--query_file --override_repository",
                ),
                **rows("info, version, help", "build", flags="--show_make_env", most=1),
                "clean": row("build", does="delete", flags="--expunge --async"),
            },
        ),
    ),
    "pants": tree(
        "build",
        {
            **rows(
                "test, lint, check, list, dependencies, dependents, roots, peek, filedeps, paths, count-loc",
                "build",
                flags="--transitive --closed",
                valued="--changed-since --output-file",
                outputs="--output",
            ),
            "package": row("build"),
        },
    ),
    "swift": tree(
        "build",
        {
            **rows(
                "build, test",
                "build",
                flags="-v --verbose -q --quiet --build-tests --parallel --skip-build --enable-code-coverage -l "
                "--list-tests --no-parallel --show-bin-path",
                valued="-c --configuration --target --product --filter --skip -j --jobs --arch --triple",
                outputs="--build-path --scratch-path --xunit-output",
                loads="-Xswiftc -Xcc -Xlinker -Xcxx --package-path --toolchain --sdk --disable-sandbox",
            ),
            **rows(
                "package describe, package show-dependencies, package dump-package, package tools-version",
                "packages",
                valued="--type --format",
            ),
            **rows("package update, package resolve", "packages", does="install", flags="-v"),
        },
    ),
    "flutter": tree(
        "build",
        {
            **rows(
                "test, analyze, doctor, devices, emulators, pub outdated, pub deps, channel",
                "build",
                flags="--coverage -v --verbose --no-pub --pub --fatal-infos --no-fatal-infos --fatal-warnings "
                "--no-fatal-warnings --machine --style",
                valued="--name --plain-name -j --concurrency -r --reporter --timeout -t --tags -x --exclude-tags "
                "--device-timeout",
                outputs="--write --file-reporter",
                changes="--update-goldens",
                loads="-d --device-id",
            ),
            **rows(
                "build apk, build appbundle, build web, build ios, build macos, build linux, build windows, build "
                "ipa",
                "build",
                flags="--release --debug --profile --no-pub --no-codesign --split-per-abi --obfuscate",
                valued="--flavor -t --target --target-platform --build-name --build-number --dart-define",
                outputs="--split-debug-info -o --output",
                most=0,
            ),
            **rows(
                "pub get, pub add, pub upgrade, pub remove, upgrade, precache",
                "packages",
                does="install",
                flags="-v --dev --offline --major-versions",
                milder="--dry-run",
            ),
            "clean": row("build", does="delete"),
            "create": row(
                "build",
                does="create",
                targets="operands",
                valued="--org --template -t --platforms --project-name",
            ),
        },
        flags="-v",
    ),
    "rebar3": tree(
        "build",
        {
            **rows(
                "compile, ct, eunit, dialyzer, xref, tree, deps, as test",
                "build",
                flags="-v --verbose -c --cover",
                valued="--suite --case --module -m --app",
            ),
            **rows("get-deps, update, upgrade", "packages", does="install"),
        },
    ),
}
