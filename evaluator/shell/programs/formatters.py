"""Formatters and linters that fix: JavaScript, C, Go, SQL, protocols and configuration."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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
    "--stdin-filename --fix-type --cache-strategy --report-unused-disable-directives-severity "
    "--print-config --concurrency",
    changes={
        "--fix": "overwrite",
        "--init": "create",
        "--suppress-all": "overwrite",
        "--suppress-rule": "overwrite",
        "--prune-suppressions": "overwrite",
    },
    worded="-f --format",
    outputs="-o --output-file --suppressions-location",
    loads="--rulesdir --resolve-plugins-relative-to --parser --plugin --inspect-config --mcp --flag",
)
STYLELINT = row(
    "format",
    targets="operands",
    flags="-q --quiet --cache --color --no-color --aei --allow-empty-input --di --disable-default-ignores --rd "
    "--risd --rdd --stdin --ignore-disables --id --no-validate",
    worded="-f --formatter",
    valued="--mw --max-warnings --ip --ignore-pattern -i --ignore-path --stdin-filename",
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
    **rows("eslint", ESLINT),
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
    **rows("gofmt goimports gofumpt", GOFMT),
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
