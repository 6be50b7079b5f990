"""Test runners of each language."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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
    places="*",
)
UNITTEST = row(
    "build",
    flags="-v --verbose -q --quiet -f --failfast -b --buffer -c --catch --locals",
    valued="-k -p --pattern --durations",
    places="-s --start-directory -t --top-level-directory *",
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
    "--reporters --testRunner --transform --resolver --preset --rootDir --roots --globals --testResultsProcessor "
    "--testSequencer --snapshotSerializers --projects --filter",
)
VITEST = row(
    "build",
    flags="run --run --coverage --watch -w --no-watch --silent --passWithNoTests --no-coverage --changed --bail "
    "--no-color --color --isolate --no-isolate --typecheck --allowOnly --dangerouslyIgnoreUnhandledErrors "
    "--hideSkippedTests --expandSnapshotDiff --no-file-parallelism --coverage.enabled --logHeapUsage --clearScreen "
    "--disableConsoleIntercept --printConsoleTrace",
    worded="--reporter",
    valued="-t --testNamePattern --project --shard --retry --testTimeout --pool --maxWorkers "
    "--minWorkers --exclude --coverage.include --coverage.exclude --coverage.reporter --hookTimeout "
    "--maxConcurrency --slowTestThreshold --sequence.seed --changed --mode",
    outputs="--outputFile",
    changes="-u --update",
    loads="--globalSetup --environment --api --ui --browser --dir --execArgv --open --inspect "
    "--inspect-brk --standalone --attachmentsDir --sequence.sequencer --diff",
)
PLAYWRIGHT = tree(
    "build",
    {
        "test": row(
            "build",
            flags="--headed --list -x --last-failed --forbid-only --fully-parallel --pass-with-no-tests --quiet "
            "--only-changed --no-deps --fail-on-flaky-tests",
            worded="--reporter",
            valued="-g --grep --grep-invert --project --workers -j --retries --repeat-each --shard "
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
    worded="-R --reporter",
    places="*",
    valued="-g --grep -f --fgrep -t --timeout -s --slow --spec --ignore --extension -j --jobs "
    "--retries -u --ui",
    outputs="--reporter-option --reporter-options -O",
    loads="-r --require --package --import --loader --node-option -n --opts",
)
RSPEC = row(
    "build",
    flags="--fail-fast --no-fail-fast -w --warnings -b --backtrace -c --color --no-color --force-color "
    "--no-profile --profile --only-failures -n --next-failure --dry-run --order --force-colour",
    valued="-e --example -E --example-matches -t --tag -f --format --seed --order -P --pattern --exclude-pattern -p",
    outputs="-o --out",
    places="*",
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
    places="*",
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


PROGRAMS: dict[str, Handler] = {
    "unittest": UNITTEST,
    "jest": JEST,
    "playwright": PLAYWRIGHT,
    "rspec": RSPEC,
    **rows("phpunit pest", PHPUNIT),
    "ctest": CTEST,
}
