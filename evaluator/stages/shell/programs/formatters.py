"""Formatters and fixing linters: with and without the mode that only checks."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import HELP, Commands, Spec, programs

CHECKS = names(
    "--check --diff -d -c --check-only --dry-run --list-different --test --lint --verify -n --fail --version"
)
VALUED = names(
    "-l --line-length -t --target-version --config --config-file --settings-path --profile -m --ignore -x "
    "--exclude --include -e --ext --rule "
    "--rulesdir --format -f --output-format --parser --tab-width --print-width --plugin --ignore-path "
    "--ignore-pattern --stdin-filename --cache-location "
    "--select --extend-select --fixable --per-file-ignores --max-warnings --edition --style -j --jobs "
    "--line-ending --indent -i --resolve-plugins-relative-to"
)


def _rewrites(checks: str = "") -> Spec:
    """Writes its operands unless it is asked only to check."""
    return Spec(
        "format", "overwrite", "operands", valued=VALUED - names("-i -f"), milder=CHECKS | names(checks)
    )


def _fixes(flags: str, outputs: str = "") -> Spec:
    """Only reports, unless one of the flags makes it rewrite its operands."""
    return Spec(
        "build",
        None,
        "operands",
        valued=VALUED - names(flags),
        changes=dict.fromkeys(flags.split(), "overwrite"),
        outputs=dict.fromkeys(outputs.split(), "overwrite"),
        milder=names("--fix-dry-run --dry-run"),
    )


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
    return [reads("build")] if "--fix" not in call.texts else [writes("overwrite", options.texts(), "format")]


def _gofmt(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-r -local -cpuprofile -lang -modpath"))
    return [writes("overwrite", options.texts(), "format")] if options.has(names("-w")) else [reads("build")]


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
        "black isort blue brunette docformatter rustfmt mdformat pyupgrade nixfmt alejandra stylua elm-format "
        "nixpkgs-fmt ormolu fourmolu snakefmt "
        "djhtml standardrb gersemi pyproject-fmt",
        _rewrites("--verify-no-changes"),
    ),
    **programs(
        "yapf autopep8 autoflake clang-format shfmt cmake-format clang-tidy swift-format google-java-format "
        "ktfmt buildifier perltidy sql-formatter fantomas",
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
    **programs("golangci-lint", _fixes("--fix")),
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
