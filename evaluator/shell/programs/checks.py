"""Type checkers and linters: they tell, unless an option makes them write."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

MYPY = row(
    "build",
    flags="--strict --pretty --no-error-summary --ignore-missing-imports --show-error-codes --hide-error-codes "
    "--no-color-output --show-column-numbers --show-error-context --check-untyped-defs --disallow-untyped-defs "
    "--disallow-incomplete-defs --no-implicit-optional --warn-unused-ignores --warn-return-any --warn-unreachable "
    "--no-incremental --namespace-packages --explicit-package-bases --no-site-packages --no-namespace-packages "
    "--show-absolute-path -v --verbose --strict-equality --strict-optional --warn-redundant-casts "
    "--warn-unused-configs --error-summary --show-error-end --scripts-are-modules --no-strict-optional "
    "--allow-untyped-defs --allow-untyped-calls --implicit-optional --no-warn-no-return -V --non-interactive "
    "--disallow-any-generics --disallow-untyped-calls --disallow-untyped-decorators --disallow-subclassing-any "
    "--skip-version-check --incremental --no-sqlite-cache --color-output --disallow-any-explicit "
    "--disallow-any-expr --local-partial-types",
    valued="-p --package -m --module -c --command --python-version --platform --follow-imports --exclude "
    "--disable-error-code --enable-error-code --output -O --always-true --always-false --num-workers",
    outputs="--cache-dir --junit-xml --html-report --txt-report --xml-report --any-exprs-report --linecount-report "
    "--linecoverage-report--lineprecision-report --cobertura-xml-report --xslt-html-report --xslt-txt-report "
    "--memory-xml-report --timing-stats --line-checking-stats",
    changes={"--install-types": "install"},
    places="--config-file",
    loads="--python-executable --custom-typeshed-dir --shadow-file --find-occurrences --pdb",
)
PYRIGHT = row(
    "build",
    flags="--outputjson --stats --verbose --warnings --skipunannotated --dependencies -w --watch",
    valued="-p --project --pythonversion --pythonplatform --level --threads --verifytypes",
    changes={"--createstub": "create", "--writebaseline": "overwrite"},
    loads="--pythonpath -v --venvpath --typeshedpath -t --typeshed-path --venv-path",
)
PYLINT = row(
    "build",
    flags="-E --errors-only -q --verbose -v --list-msgs --list-msgs-enabled --exit-zero -r --list-groups "
    "--list-extensions --recursive --list-conf-levels --persistent --long-help",
    valued="--disable -d --enable -e -j --jobs --fail-under --ignore --ignore-paths "
    "--ignore-patterns --msg-template --max-line-length -s --score --fail-on --confidence --reports --recursive "
    "--py-version",
    outputs="--output",
    places="--rcfile",
    worded="-f --output-format",
    changes={"--generate-rcfile": "unknown", "--generate-toml-config": "unknown"},
    loads="--init-hook --load-plugins --source-roots --clear-cache-post-run",
)
FLAKE8 = row(
    "build",
    flags="-q --quiet -v --verbose --count --statistics --show-source --benchmark --exit-zero --no-show-source "
    "--disable-noqa --isolated --doctests --show-pep8 --first --bug-report --diff",
    valued="--max-line-length --max-complexity --select --ignore --extend-ignore --extend-select --exclude "
    "--extend-exclude --format -j --jobs --per-file-ignores --filename --stdin-display-name --color "
    "--max-doc-length --convention --match --indent-size",
    outputs="--output-file --tee",
    loads="--append-config --enable-extensions",
)
BANDIT = row(
    "build",
    flags="-r --recursive -q --quiet -v --verbose -l -ll -lll -i -ii -iii --exit-zero -n -a --ignore-nosec "
    "--severity-level --confidence-level",
    valued="-x --exclude -s --skip -t --tests -f --format -b --baseline --severity-level --confidence-level -p "
    "--profile -n --number --msg-template -a --aggregate",
    outputs="-o --output",
    loads="--ini",
)
SHELLCHECK = row(
    "build",
    flags="-x --external-sources -a --check-sourced --norc --list-optional -V -w",
    valued="-s --shell -S --severity -e --exclude -i --include -f --format -o --enable -C --color -P --source-path "
    "-W --wiki-link-count --rcfile",
)


PROGRAMS: dict[str, Handler] = {
    **rows("pyright basedpyright", PYRIGHT),
    "pylint": PYLINT,
    "flake8": FLAKE8,
    "pyflakes": row("build"),
    "bandit": BANDIT,
    "shellcheck": SHELLCHECK,
    "yamllint": row(
        "build",
        flags="-s --strict --no-warnings --list-files",
        valued="-f --format -c --config-file -d --config-data",
    ),
    "actionlint": row(
        "build",
        flags="-color -no-color -verbose -oneline -debug -version",
        valued="-format -ignore",
        loads="-shellcheck -pyflakes -config-file -init-config",
        style="single",
    ),
    **rows(
        "markdownlint markdownlint-cli2",
        "build",
        flags="-q --quiet -j --json -s --stdin --dot -d",
        valued="-i --ignore --disable --enable -p --ignore-path",
        outputs="-o --output",
        changes="-f --fix",
        targets="operands",
        loads="--configPointer",
    ),
    "codespell": row(
        "build",
        flags="-q -c -f --check-filenames --check-hidden -s --summary --count --stdin-single-line -x "
        "--disable-colors -d --enable-colors -H",
        valued="-q --quiet-level -S --skip -L --ignore-words-list -A -B -C --context --builtin --ignore-regex -x "
        "--exclude-file -I --ignore-words --uri-ignore-words-list -r --regex",
        changes="-w --write-changes -i --interactive",
        targets="operands",
        loads="--dictionary --toml",
    ),
    "typos": row(
        "build",
        flags="--hidden --no-ignore --files --identifiers --words --diff --dump-config -q --quiet -v --verbose "
        "--sort --isolated --no-unicode",
        valued="--format --exclude --color --locale -t --type --type-list -j --threads",
        changes="-w --write-changes",
        targets="operands",
    ),
    "golangci-lint": tree(
        "build",
        {
            "run": row(
                "build",
                flags="-v --verbose --fast --new --tests --allow-parallel-runners --show-stats "
                "--print-issued-lines --disable-all --enable-all --fast-only --no-config",
                places="-c --config",
                valued="-E --enable -D --disable --timeout -p --presets -j --concurrency --max-issues-per-linter "
                "--max-same-issues --new-from-rev --build-tags --enable-only --default --color --new-from-patch "
                "--new-from-merge-base",
                worded="--out-format",
                outputs="--output.json.path --output.text.path --output.html.path --output.sarif.path "
                "--output.junit-xml.path --cpu-profile-path --mem-profile-path --trace-path",
                changes="--fix",
                targets="operands",
                loads="--modules-download-mode --path-prefix",
            ),
            **rows(
                "linters, version, config path, config verify, cache status, help, formatters",
                "build",
                flags="-v --json --short --debug",
                worded="--format",
                most=1,
            ),
            "fmt": row(
                "format",
                does="overwrite",
                targets="operands",
                flags="-v",
                valued="-E --enable",
                tells="-d --diff",
            ),
        },
        flags="-v --version",
    ),
    "staticcheck": row(
        "build",
        flags="-tests -matrix -merge -show-ignored -debug.version -version -list-checks",
        valued="-checks -f -fail -go -tags -explain",
        style="single",
    ),
    "govulncheck": row(
        "build",
        flags="-test -json -version",
        valued="-mode -format -scan -show -tags -db",
        places="-C",
        style="single",
        remote="addresses",
    ),
    "gopls": tree("build", rows("check, version, stats, references, definition, symbols, help,", "build")),
    "phpstan": tree(
        "build",
        {
            **rows(
                "analyse, analyze",
                "build",
                flags="--no-progress -q -n --no-interaction --ansi --no-ansi -v -vv -vvv --debug",
                valued="-l --level --error-format --memory-limit",
                changes="-b --generate-baseline --fix",
                loads="-a --autoload-file --pro",
            ),
            "list": row("build"),
            "dump-parameters": row("build"),
        },
    ),
    "knip": row(
        "build",
        flags="--production --strict --no-progress --no-exit-code --dependencies --exports --files --debug "
        "--include-entry-exports --isolate-workspaces -n -p --cache -W",
        worded="--reporter",
        valued="-w --workspace --include --exclude --max-issues --tags -t --tsConfig --max-show-issues",
        changes={
            "--fix": "overwrite",
            "--fix-type": "overwrite",
            "--allow-remove-files": "delete",
            "--format": "overwrite",
        },
        loads="--preprocessor --directory --watch --reporter-options",
    ),
}
