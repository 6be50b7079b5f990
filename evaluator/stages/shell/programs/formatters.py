"""Formatters and fixing linters: with and without the mode that only checks."""

from __future__ import annotations

from evaluator.model import Operation
from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import row, rows, tree

BLACK = row(
    "format",
    does="overwrite",
    targets="operands",
    flags="-q --quiet -v --verbose -S --skip-string-normalization -C --skip-magic-trailing-comma --preview "
    "--unstable --fast --safe --no-cache --color --no-color --pyi --ipynb --include --line-ranges -x "
    "--skip-source-first-line",
    valued="-l --line-length -t --target-version --exclude --extend-exclude --force-exclude --include -W --workers "
    "--config --stdin-filename --required-version --line-ranges --enable-unstable-feature --python-cell-magics -c "
    "--code",
    tells="--check --diff",
)
ISORT = row(
    "format",
    does="overwrite",
    targets="operands",
    flags="-q --quiet -v --verbose --atomic --filter-files --color --ac -m --tc --trailing-comma "
    "--force-sort-within-sections --combine-as --float-to-top --overwrite-in-place -j --ca --fgw --fss --sl "
    "--force-single-line-imports --use-parentheses --only-modified",
    valued="--profile -l --line-length --line-width -w --lines-after-imports --skip -s --skip-glob --extend-skip "
    "--known-first-party -p --project -o --thirdparty --src --settings-path --sp --settings-file --multi-line --py "
    "--python-version --filename --extend-skip-glob --only-sections",
    tells="--check --check-only -c --diff -d --show-files --show-settings --stdout",
)
RUSTFMT = row(
    "format",
    does="overwrite",
    targets="operands",
    flags="-l --files-with-diff -q --quiet -v --verbose --backup --skip-children --unstable-features",
    valued="--edition --style-edition --color --emit",
    tells="--check --print-config",
    loads="--file-lines",
)
PRETTIER = row(
    "format",
    targets="operands",
    flags="-c --check -l --list-different --no-config --no-editorconfig --no-color --cache --no-cache "
    "--single-quote --no-semi --semi --use-tabs --jsx-single-quote --no-bracket-spacing --bracket-same-line -u "
    "--ignore-unknown --no-error-on-unmatched-pattern --error-on-unmatched-pattern --insert-pragma "
    "--require-pragma --support-info --debug-check --single-attribute-per-line --experimental-ternaries "
    "--with-node-modules --color --vue-indent-script-and-style --check-ignore-pragma",
    valued="--parser --tab-width --print-width --ignore-path --log-level --loglevel --trailing-comma --end-of-line "
    "--arrow-parens --quote-props --prose-wrap --html-whitespace-sensitivity --stdin-filepath "
    "--embedded-language-formatting --object-wrap --cache-strategy --file-info --find-config-path "
    "--config-precedence --experimental-operator-position",
    changes="--write -w",
    loads="--plugin --plugin-search-dir",
)
ESLINT = row(
    "format",
    targets="operands",
    flags="--quiet --no-eslintrc --no-config-lookup --cache --no-cache --no-inline-config "
    "--report-unused-disable-directives --color --no-color --stdin --no-error-on-unmatched-pattern "
    "--pass-on-no-patterns --no-ignore --debug --exit-on-fatal-error --no-warn-ignored --env-info "
    "--inspect-config-no --stats --report-unused-inline-configs --fix-dry-run",
    valued="--ext --max-warnings --rule --ignore-pattern --ignore-path --env --global --parser-options "
    "--stdin-filename -f --format --fix-type --cache-strategy --report-unused-disable-directives-severity "
    "--print-config --concurrency",
    changes={
        "--fix": "overwrite",
        "--init": "create",
        "--suppress-all": "overwrite",
        "--suppress-rule": "overwrite",
        "--prune-suppressions": "overwrite",
    },
    outputs="-o --output-file --suppressions-location",
    loads="--rulesdir --resolve-plugins-relative-to --parser --plugin --inspect-config --mcp --flag",
)
STYLELINT = row(
    "format",
    targets="operands",
    flags="-q --quiet --cache --color --no-color --aei --allow-empty-input --di --disable-default-ignores --rd "
    "--risd --rdd --stdin --ignore-disables --id --no-validate",
    valued="-f --formatter --mw --max-warnings --ip --ignore-pattern -i --ignore-path --stdin-filename",
    changes="--fix",
    outputs="-o --output-file",
    loads="--custom-formatter --custom-syntax --print-config",
)
BIOME_FLAGS = (
    "--verbose --skip-parse-errors --no-errors-on-unmatched --error-on-warnings --json-parse-allow-comments "
    "--staged --changed --formatter-enabled --linter-enabled --organize-imports-enabled"
)
BIOME_VALUED = (
    "--max-diagnostics --colors --reporter --diagnostic-level --since --indent-style --indent-width --line-width "
    "--quote-style --only --skip --log-level --files-max-size --stdin-file-path --log-kind --semicolons"
)
BIOME_CHECK = row(
    "format",
    targets="operands",
    flags=BIOME_FLAGS,
    valued=BIOME_VALUED,
    changes="--write --fix --apply --apply-unsafe --unsafe --suppress",
    outputs="--log-path --reporter-file",
    loads="--vcs-root --use-server",
)
BIOME = tree(
    "format",
    {
        **rows("check, lint, format", BIOME_CHECK),
        "ci": row("format", flags=BIOME_FLAGS, valued=BIOME_VALUED, loads="--vcs-root"),
        **rows("rage, version, explain", "format"),
    },
)
RUFF_FLAGS = (
    "-q --quiet -v --verbose -s --silent --isolated --preview --no-preview --no-cache -n -e --exit-zero --no-fix "
    "--unsafe-fixes --no-unsafe-fixes --show-fixes --statistics --show-files --show-settings --respect-gitignore "
    "--no-respect-gitignore --force-exclude --exit-non-zero-on-fix --ignore-noqa -w --watch --ecosystem-ci "
    "--no-show-fixes --exit-non-zero-on-format"
)
RUFF_VALUED = (
    "--select --ignore --extend-select --extend-ignore --per-file-ignores --extend-per-file-ignores --fixable "
    "--unfixable --extend-fixable --exclude --extend-exclude --target-version --line-length --output-format "
    "--stdin-filename --color --range --extension"
)
RUFF = tree(
    "format",
    {
        **rows(
            "check, lint",
            "format",
            targets="operands",
            flags=RUFF_FLAGS,
            valued=RUFF_VALUED,
            changes="--fix --fix-only --add-noqa",
            tells="--diff",
            outputs="-o --output-file --cache-dir",
        ),
        **rows(
            "rule, config, linter, version, analyze graph",
            "format",
            flags="--all --preview",
            valued="--output-format --direction --python",
            most=1,
        ),
        "clean": row("format", does="delete"),
    },
    flags="-q --quiet -v --verbose -s --silent --isolated -V",
    valued="--color",
)
RUFF_FORMAT = row(
    "format",
    does="overwrite",
    targets="operands",
    flags=RUFF_FLAGS,
    valued=RUFF_VALUED,
    tells="--check --diff",
    outputs="--cache-dir",
)
IN_PLACE: dict[str, Operation] = dict.fromkeys(("-i", "--in-place"), "overwrite")
CLANG_FORMAT = row(
    "format",
    targets="operands",
    flags="-n --dry-run -Werror --Werror --verbose -verbose --sort-includes -sort-includes --dump-config "
    "-dump-config --fail-on-incomplete-format --Wno-error",
    valued="-style --style -fallback-style --fallback-style -assume-filename --assume-filename -lines --lines "
    "--offset --length -offset -length --cursor --ferror-limit --qualifier-alignment --files",
    changes="-i --i",
    style="single",
)
GOFMT = row(
    "format",
    targets="operands",
    flags="-l -d -s -e -extra",
    valued="-r -local -lang -modpath",
    outputs="-cpuprofile",
    changes="-w",
    style="single",
)
PROGRAMS: dict[str, Handler] = {
    "prettier": PRETTIER,
    **rows("eslint standard", ESLINT),
    "stylelint": STYLELINT,
    "biome": BIOME,
    "oxlint": row(
        "format",
        targets="operands",
        flags="--quiet --deny-warnings --import-plugin --react-perf-plugin --silent --type-aware "
        "--disable-nested-config",
        valued="-D -A -W --deny --allow --warn --max-warnings -f --format --ignore-pattern --ignore-path --threads "
        "--tsconfig",
        changes={
            "--fix": "overwrite",
            "--fix-suggestions": "overwrite",
            "--fix-dangerously": "overwrite",
            "--init": "create",
        },
    ),
    "clang-format": CLANG_FORMAT,
    "clang-tidy": row(
        "format",
        targets="operands",
        flags="-quiet --quiet -list-checks --list-checks --use-color --verify-config --explain-config "
        "--allow-no-checks",
        valued="-checks --checks -p -header-filter --header-filter -warnings-as-errors --warnings-as-errors "
        "-line-filter --line-filter --format-style",
        changes="-fix --fix -fix-errors --fix-errors -fix-notes --fix-notes",
        outputs="-export-fixes --export-fixes",
        loads="-load --load -config-file -vfsoverlay -extra-arg --extra-arg -config",
        style="single",
    ),
    **rows("gofmt goimports gofumpt golines", GOFMT),
    "autopep8": row(
        "format",
        targets="operands",
        flags="-d --diff -a --aggressive -v --verbose -r --recursive --list-fixes --experimental --exit-code",
        valued="--max-line-length --ignore --select --exclude -j --jobs -p --pep8-passes --indent-size "
        "--line-range --range",
        changes=IN_PLACE,
    ),
    "yapf": row(
        "format",
        targets="operands",
        flags="-d --diff -q --quiet -r --recursive -p --parallel -vv --verbose --style-help -m",
        valued="--style -e --exclude -l --lines --stdin-filename",
        changes=IN_PLACE,
    ),
    "autoflake": row(
        "format",
        targets="operands",
        flags="-c --check -cd --check-diff -r --recursive --remove-all-unused-imports --remove-unused-variables "
        "--expand-star-imports --ignore-init-module-imports --remove-duplicate-keys -v --verbose -q --quiet",
        valued="--imports --exclude -j --jobs",
        changes=IN_PLACE,
    ),
    "docformatter": row(
        "format",
        targets="operands",
        flags="-c --check -d --diff -r --recursive --black --pre-summary-newline --make-summary-multi-line "
        "--close-quotes-on-newline",
        valued="--wrap-summaries --wrap-descriptions -e --exclude -l --range --style -s",
        changes=IN_PLACE,
    ),
    "pyupgrade": row(
        "format",
        does="overwrite",
        targets="operands",
        flags="--py3-plus --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --py312-plus "
        "--py313-plus --keep-percent-format --keep-runtime-typing --exit-zero-even-if-changed",
    ),
    **rows(
        "mdformat stylua swiftformat",
        "format",
        does="overwrite",
        targets="operands",
        flags="-q --quiet -v --verbose -i format",
        tells="--check --diff",
    ),
    "pint": row(
        "format",
        does="overwrite",
        targets="operands",
        flags="-v --dirty --bail -q",
        tells="--test",
        loads="--preset",
    ),
    "phpcbf": row(
        "format",
        does="overwrite",
        targets="operands",
        flags="-p -n -v -q",
        valued="--extensions --ignore",
        loads="--standard --bootstrap",
    ),
    "phpcs": row(
        "format",
        flags="-p -n -v -s -q -i -e --colors --no-colors",
        valued="--report --severity --extensions --ignore --standard --report-width --sniffs --exclude",
        outputs="--report-file --report-full --report-json --report-diff --report-summary --cache --generator",
        loads="--bootstrap -d --runtime-set --basepath --stdin-path --config-set --config-delete",
    ),
    "php-cs-fixer": tree(
        "format",
        {
            "fix": row(
                "format",
                does="overwrite",
                targets="operands",
                flags="-v -vv --diff --allow-risky --using-cache --show-progress --stop-on-violation -q -n",
                valued="--format --path-mode",
                tells="--dry-run",
            ),
            **rows(
                "check, list-files, describe, list",
                "format",
                flags="-v --diff --show-progress --allow-risky",
                valued="--format",
            ),
        },
        flags="-V",
    ),
    "rubocop": row(
        "format",
        targets="operands",
        flags="-P --parallel --no-parallel -D --display-cop-names --no-color --color -l --lint -x --fix-layout-no "
        "-E --extra-details -S --display-style-guide -L --list-target-files -F --fail-fast --force-exclusion -V -v "
        "--display-only-fail-level-offenses --disable-pending-cops --enable-pending-cops --show-cops --debug -d "
        "--no-display-cop-names",
        valued="-f --format --only --except --fail-level --cache -s --stdin --show-cops",
        changes="-a -A --autocorrect --autocorrect-all --auto-correct --auto-correct-all -x --fix-layout "
        "--auto-gen-config --regenerate-todo",
        outputs="-o --out --cache-root",
        loads="-r --require --init --start-server --server --plugin --lsp",
    ),
    "standardrb": row(
        "format",
        targets="operands",
        flags="--no-fix --format --parallel",
        changes="--fix --fix-unsafely",
        loads="--todo --generate-todo --start-server --lsp",
    ),
    "erb_lint": row(
        "format",
        targets="operands",
        flags="--lint-all",
        valued="--format --enable-linters -e --exclude --include-linter -i -x",
        changes="--autocorrect -a --auto-correct -A",
        loads="-r --require",
    ),
    "sqlfluff": tree(
        "format",
        {
            **rows(
                "lint, parse, dialects, rules, version",
                "format",
                flags="-n --nocolor -v --verbose -p --nofail --disregard-sqlfluffignores",
                valued="--dialect -d -f --format -r --rules -e --exclude-rules -t --templater",
                outputs="--write-output",
                loads="--library-path --extra-config-path",
            ),
            **rows(
                "fix, format",
                "format",
                does="overwrite",
                targets="operands",
                flags="-f --force -q --quiet -v -x",
                valued="--dialect -d -r --rules -e --exclude-rules -t --templater",
                loads="--library-path --extra-config-path",
            ),
        },
    ),
    "tidy": row(
        "format",
        targets="operands",
        flags="-q -quiet -e -errors -i -indent -utf8 -xml -asxhtml -ashtml -c -clean -b -bare -version -help",
        valued="-w -wrap",
        changes="-m -modify",
        outputs="-o -output -f -file",
        loads="-config --output-file",
        style="single",
    ),
    "buf": tree(
        "format",
        {
            **rows(
                "lint, breaking, ls-files, config ls-lint-rules, config ls-breaking-rules, dep graph",
                "format",
                flags="--debug -v --verbose",
                valued="--against --path --exclude-path --error-format --log-format --timeout --config",
                most=1,
            ),
            "build": row(
                "build", valued="--path --exclude-path --error-format", outputs="-o --output", most=1
            ),
            "push": row(
                "packages", does="network", flags="--create --draft", valued="--tag --branch --label"
            ),
            "format": row(
                "format",
                targets="operands",
                flags="-d --diff --exit-code",
                valued="--path --exclude-path",
                outputs="-o --output",
                changes="-w --write",
            ),
        },
    ),
    "taplo": tree(
        "format",
        {
            **rows(
                "lint, check, validate, get",
                "format",
                flags="--no-auto-config",
                valued="-f --file-path -o --output-format --colors",
            ),
            **rows(
                "fmt, format",
                "format",
                does="overwrite",
                targets="operands",
                flags="--force --no-auto-config",
                valued="-o --option --colors",
                tells="--check --diff",
            ),
        },
    ),
    "dprint": tree(
        "format",
        {
            "fmt": row(
                "format",
                does="overwrite",
                targets="operands",
                flags="--incremental --verbose",
                valued="--excludes",
                loads="--plugins",
            ),
            **rows(
                "check, output-file-paths, output-resolved-config",
                "format",
                flags="--incremental --verbose --list-different",
                valued="--excludes",
                loads="--plugins",
            ),
        },
    ),
    **rows(
        "pre-commit prek",
        tree(
            "format",
            {
                **rows(
                    "install, install-hooks, uninstall, autoupdate, migrate-config, init-templatedir, gc, clean",
                    "format",
                    does="install",
                    flags="-f --force --freeze --bleeding-edge --allow-missing-config --install-hooks",
                    valued="-t --hook-type --repo -c --config -j --jobs",
                ),
                **rows("validate-config, validate-manifest, sample-config", "format"),
            },
            flags="-V",
        ),
    ),
}
