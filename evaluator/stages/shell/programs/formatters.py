"""Formatters and fixing linters: with and without the mode that only checks."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import Options, names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import HELP, Commands, Spec, programs

CHECKS = names(
    "--check --diff -d -c --check-only --dry-run --list-different --test --lint --verify -n --fail --version "
    "--validate --stdin-filename --stdin-filepath --stdin --show-files --show-settings"
)
MODES = names("--mode --emit --print-mode")
WRITING_MODES = names("inplace overwrite files fix write")
VALUED = names(
    "-l --line-length -t --target-version --config --config-file --settings-path --profile -m --ignore -x "
    "--exclude --include -e --ext --rule "
    "--rulesdir --format -f --output-format --parser --tab-width --print-width --plugin --ignore-path "
    "--ignore-pattern --stdin-filename --cache-location "
    "--select --extend-select --fixable --per-file-ignores --max-warnings --edition --style -j --jobs "
    "--line-ending --indent -i --resolve-plugins-relative-to --log-level --loglevel --trailing-comma --end-of-line "
    "--arrow-parens --quote-props --prose-wrap --html-whitespace-sensitivity --stdin-filepath --config-path "
    "--config-precedence --embedded-language-formatting --object-wrap --cache-strategy --line-width "
    "--max-line-length --indent-style --indent-width --indent-type --quote-style --reporter --max-diagnostics "
    "--colors --since --mode --emit --python-version --required-version --enable-unstable-feature --lang "
    "--lang-out --src-path --skip-glob --skip --settings-file --known-first-party "
    "--output-file --cache-dir --extension --fix-type --parser-options --env --global --suppressions-location "
    "--assume-filename --fallback-style --lines --cursor --offset --length --wrap"
)
FROM_INPUT = names("rustfmt nixfmt elm-format ormolu fourmolu buildifier google-java-format ktfmt")
"""Formatters that format their input where no file is named; others then take the whole project, or nothing."""


def _streams(call: Call, options: Options) -> bool:
    """Whether it formats its input, or code in an option, to its output."""
    given = options.texts()
    if given and all(text in ("-", "/dev/stdin") for text in given):
        return True
    return not given and call.name in FROM_INPUT and call.stdin.kind != "none"


def _rewrites(checks: str = "") -> Handler:
    """Writes its operands unless it is asked only to check, or formats its input."""
    valued = VALUED - names("-i -f")
    spec = Spec("format", "overwrite", "operands", valued=valued, milder=CHECKS | names(checks))

    def handle(call: Call) -> list[Outcome]:
        options = spec.options(call.args)
        if call.name == "black" and options.has(names("-c --code")):
            for word in call.args:
                call.hide_code(word)
            return [reads("build")]
        modes = [value.text for value in options.values(MODES)]
        if _streams(call, options) or (modes and not WRITING_MODES.intersection(modes)):
            return [reads("build")]
        return spec(call)

    return handle


def _fixes(flags: str, outputs: str = "", verbs: str = "") -> Handler:
    """Only reports, unless one of the flags makes it rewrite its operands; `verbs` are none."""
    spec = Spec(
        "build",
        None,
        "operands",
        valued=(VALUED | names("-local")) - names(flags),
        changes=dict.fromkeys(flags.split(), "overwrite"),
        outputs=dict.fromkeys(outputs.split(), "overwrite"),
        milder=names("--fix-dry-run --dry-run --check --diff"),
    )
    skipped = names(verbs)

    def handle(call: Call) -> list[Outcome]:
        args = call.args[1:] if call.texts[:1] and call.texts[0] in skipped else call.args
        return spec(Call(call.name, args, call.stdin, call.shell))

    return handle


def _by_mode(call: Call) -> list[Outcome]:
    """ormolu and fourmolu print what they formatted unless their mode says to write."""
    options = read_options(call.args, MODES | names("-m -o --ghc-opt --indentation --start-line --end-line"))
    modes = [value.text for value in options.values(MODES | names("-m"))]
    writing = options.has(names("-i")) or WRITING_MODES.intersection(modes)
    return [writes("overwrite", options.texts(), "format")] if writing else [reads("build")]


def _buildifier(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-mode -lint -type -path -warnings -diff_command"), style="single"
    )
    modes = [value.text for value in options.values(names("-mode --mode"))]
    looks = any(mode != "fix" for mode in modes) or options.has(names("-d -version --version"))
    if looks or _streams(call, options):
        return [reads("build")]
    return [writes("overwrite", options.texts(), "format")]


def _shfmt(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-i --indent -ln --language-dialect -filename --filename"), style="single"
    )
    writing = any(
        flag in ("-w", "--write") or re.match(r"-[a-z]*w[a-z]*\Z", flag) for flag, _ in options.flags
    )
    return [writes("overwrite", options.texts(), "format")] if writing else [reads("build")]


def _ruff(call: Call) -> list[Outcome]:
    options = read_options(call.args, VALUED, stop=True)
    verb = options.rest[0].text if options.rest else ""
    inner = Call("ruff", options.rest[1:], call.stdin, call.shell)
    if verb == "format":
        return _rewrites()(inner)
    if verb in ("check", "lint"):
        return Spec(
            "build",
            None,
            "operands",
            valued=VALUED,
            milder=names("--diff"),
            changes={"--fix": "overwrite", "--fix-only": "overwrite", "--add-noqa": "overwrite"},
            outputs={"-o": "overwrite", "--output-file": "overwrite"},
        )(inner)
    if verb == "clean":
        return [writes("delete", (), "format")]
    given = read_options(call.args, VALUED).texts()
    return [reads("build")] if "--fix" not in call.texts else [writes("overwrite", given, "format")]


def _gofmt(call: Call) -> list[Outcome]:
    valued = names("-r -local -cpuprofile -lang -modpath -m --max-len -t --tab-len --base-formatter")
    options = read_options(call.args, valued, style="single")
    return (
        [writes("overwrite", options.texts(), "format")]
        if options.has(names("-w --write-output"))
        else [reads("build")]
    )


def _pre_commit(call: Call) -> list[Outcome]:
    verb = next((text for text in call.texts if not text.startswith("-")), "run")
    if verb in (
        "install",
        "install-hooks",
        "uninstall",
        "autoupdate",
        "migrate-config",
        "init-templatedir",
        "gc",
        "clean",
    ):
        return [writes("install", (), "format")]
    return (
        [reads("build")]
        if verb in ("validate-config", "validate-manifest", "sample-config")
        else [unlisted("format")]
    )


def _biome(call: Call) -> list[Outcome]:
    options = read_options(call.args, VALUED, stop=False)
    writing = options.may_have(names("--write --apply --apply-unsafe --fix"))
    return [writes("overwrite", options.texts()[1:], "format")] if writing else [reads("build")]


def _prettier(call: Call) -> list[Outcome]:
    options = read_options(call.args, VALUED - names("-c -l -i"))
    if options.has(HELP) or not options.may_have(names("--write -w")):
        return [reads("build")]
    return [writes("overwrite", options.texts(), "format")]


def _eslint(call: Call) -> list[Outcome]:
    options = read_options(call.args, VALUED | names("-o --output-file -c"))
    found: list[Outcome] = []
    if options.has(names("--fix")) and not options.has(names("--fix-dry-run")):
        found.append(writes("overwrite", options.texts(), "format"))
    if options.has(names("--init")):
        found.append(writes("create", (), "format"))
    found += [
        writes("overwrite", (value.text,), "format") for value in options.values(names("-o --output-file"))
    ]
    return found or [reads("build")]


def _djlint(call: Call) -> list[Outcome]:
    return (
        [writes("overwrite", read_options(call.args, VALUED).texts(), "format")]
        if "--reformat" in call.texts
        else [reads("build")]
    )


PROGRAMS: dict[str, Handler] = {
    **programs(
        "black isort blue brunette rustfmt mdformat pyupgrade nixfmt alejandra stylua elm-format "
        "nixpkgs-fmt snakefmt djhtml gersemi pyproject-fmt ufmt usort add-trailing-comma reorder-python-imports",
        _rewrites("--verify-no-changes"),
    ),
    **programs("ormolu fourmolu", _by_mode),
    **programs("buildifier", _buildifier),
    **programs("shfmt", _shfmt),
    **programs("standardrb", _fixes("--fix --fix-unsafely")),
    **programs(
        "yapf autopep8 autoflake docformatter clang-format cmake-format clang-tidy swift-format google-java-format "
        "ktfmt perltidy sql-formatter fantomas",
        _fixes("-i --in-place -w --write --fix -fix --replace"),
    ),
    **programs("swiftformat scalafmt dfmt csharpier", _rewrites("--lint")),
    **programs("prettier", _prettier),
    **programs("eslint standard xo semistandard tslint", _eslint),
    **programs("biome rome oxlint", _biome),
    **programs(
        "dprint",
        Commands("format", {"fmt": "overwrite operands", "check": "build", "output-file-paths": "read"}),
    ),
    **programs("stylelint", _fixes("--fix", "-o --output-file")),
    **programs("rubocop", _fixes("-a -A --autocorrect --autocorrect-all --auto-correct", "-o --out")),
    **programs("erb_lint erblint erb-lint haml-lint sqlfluff", _fixes("--autocorrect fix --fix")),
    **programs("golangci-lint", _fixes("--fix", verbs="run fmt")),
    **programs("tidy", _fixes("-m -modify", "-o -output -f -file")),
    **programs("ktlint", _fixes("-F --format")),
    **programs(
        "buf",
        Commands(
            "build",
            {
                "build": "build",
                "lint": "build",
                "breaking": "build",
                "generate": "unlisted",
                "push": "network",
                "ls-files": "read",
                "format": _fixes("-w --write"),
            },
        ),
    ),
    **programs(
        "taplo",
        Commands(
            "format",
            {"lint": "build", "check": "build", "get": "read", "fmt": _rewrites(), "format": _rewrites()},
        ),
    ),
    **programs(
        "php-cs-fixer",
        Commands("format", {"fix": _rewrites(), "check": "build", "list-files": "read", "describe": "read"}),
    ),
    **programs("pint phpcbf", _rewrites()),
    **programs("phpcs", Spec("build")),
    **programs("gofmt goimports gofumpt gci golines", _gofmt),
    **programs("ruff", _ruff),
    **programs("pre-commit prek lefthook husky lint-staged", _pre_commit),
    **programs("djlint", _djlint),
}
