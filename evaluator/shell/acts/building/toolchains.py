"""The tool of a language that builds, tests and formats: cargo, dotnet, dart, mix, stack, cabal, ng."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.acts.inner import handing, on_file, wraps
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, unlisted
from evaluator.shell.programs.dotnet import DOTNET_LISTED
from evaluator.shell.programs.rust import CARGO_BUILD, CARGO_FLAGS, CARGO_LISTED, CARGO_VALUED, LIBTEST, LINTS
from evaluator.shell.rows.row import row, rows, tree


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
    "cargo": _cargo,
    "dotnet": _dotnet,
    "mix": MIX,
    "dart": DART,
    "stack": STACK,
    "cabal": CABAL,
    "ng": NG,
}
