"""Formatters of Python, Ruby, PHP and Rust."""

from __future__ import annotations

from evaluator.model import Operation
from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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


PROGRAMS: dict[str, Handler] = {
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
}
