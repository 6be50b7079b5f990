"""cargo and what it hands to."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

CARGO_FLAGS = (
    "-q --quiet -v -vv --verbose --workspace --all --all-targets --lib --bins --examples --tests --benches "
    "--release -r --all-features --no-default-features --frozen --locked --offline --no-run --no-fail-fast "
    "--keep-going --doc --ignore-rust-version --no-deps --document-private-items --future-incompat-report "
    "--timings --list --message-format --no-fail-fast --run-ignored --no-tests --no-capture --nocapture -#"
)
CARGO_VALUED = (
    "-p --package --exclude --bin --example --test --bench --features -F --profile --target -j --jobs "
    "--message-format --color --partition --retries -E --filter-expr --test-threads"
)
CARGO_PLACES = "--manifest-path"
CARGO_BUILD = row(
    "build",
    flags=CARGO_FLAGS,
    valued=CARGO_VALUED,
    places=CARGO_PLACES,
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
    valued="-p --package --features -F --target --color --format-version --depth -e --edges "
    "--prefix --limit --format -f --prune --filter-platform --charset --registry -i --invert",
    places=CARGO_PLACES,
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
        places=CARGO_PLACES,
        outputs="--output-path --output-dir",
    ),
    **rows(
        "tree, metadata, locate-project, pkgid, verify-project, version, help, read-manifest, outdated, deny check, "
        "machete, udeps, bloat, expand",
        CARGO_READS,
    ),
    "audit": replace(CARGO_READS, most=0),
    **rows("search, info", replace(CARGO_READS, remote="words")),
    **rows("add, remove, rm, uninstall, update, fetch, upgrade, vendor, binstall", CARGO_INSTALLS),
    "install": row(
        "packages",
        does="install",
        flags=f"{CARGO_FLAGS.replace('--list ', '')} -f --force --debug --no-track",
        valued=f"{CARGO_VALUED} --version --vers --git --branch --tag --rev --path --root --registry --index",
        places=CARGO_PLACES,
        tells="--list",
        loads="--config -Z",
    ),
    "publish": row(
        "packages",
        does="network",
        flags=f"{CARGO_FLAGS} --allow-dirty --no-verify",
        valued=f"{CARGO_VALUED} --token --registry --index",
        places=CARGO_PLACES,
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
        places=CARGO_PLACES,
        outputs="--target-dir",
        loads="--config -Z",
    ),
    "fix": row(
        "build",
        does="overwrite",
        flags=f"{CARGO_FLAGS} --allow-dirty --allow-staged --allow-no-vcs --edition --edition-idioms --broken-code",
        valued=CARGO_VALUED,
        places=CARGO_PLACES,
        loads="--config -Z",
    ),
    "clean": row(
        "build",
        does="delete",
        flags=CARGO_FLAGS,
        valued=CARGO_VALUED,
        places=CARGO_PLACES,
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
