"""git subcommands about the store of objects and references, and those that rewrite it."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

STORE: dict[str, Handler] = {
    "sparse-checkout": tree(
        "git",
        {
            "list": row("git", most=0),
            "check-rules": row("git", flags="-z --cone --no-cone", valued="--rules-file", most=0),
            **rows(
                "init set add reapply disable clean",
                "git",
                does="vcs",
                flags="--cone --no-cone --sparse-index --no-sparse-index --skip-checks --no-skip-checks --stdin",
            ),
        },
    ),
    "rerere": tree(
        "git",
        {
            **rows("status diff remaining", "git", most=0),
            "forget": row("git", does="vcs"),
            **rows("clear gc", "git", does="vcs", most=0),
        },
        bare=row("git", does="vcs"),
    ),
    "gc": row(
        "git",
        does="vcs",
        flags="-q --quiet --prune --no-prune --aggressive --auto --force --cruft --no-cruft --keep-largest-pack",
        most=0,
    ),
    "prune": row(
        "git",
        does="vcs",
        severity="destructive",
        flags="-v --verbose --progress --no-progress --exclude-promisor-objects",
        valued="--expire",
        milder="-n --dry-run",
    ),
    "prune-packed": row(
        "git", does="vcs", severity="destructive", flags="-q --quiet", milder="-n --dry-run", most=0
    ),
    "repack": row(
        "git",
        does="vcs",
        flags="-a -A -d -f -F -n -q -l -b -i -k -m --cruft --quiet --local --write-bitmap-index --keep-unreachable "
        "--write-midx",
        valued="--window --window-memory --depth --threads --max-pack-size",
        most=0,
    ),
    "pack-refs": row("git", does="vcs", flags="--all --prune --no-prune --auto", most=0),
    "maintenance": tree(
        "git",
        {
            "run": row("git", does="vcs", flags="--auto --quiet --no-quiet", valued="--schedule --task"),
            **rows("start stop register unregister", "git", does="vcs", flags="--force"),
        },
    ),
    "commit-graph": tree(
        "git",
        {
            "verify": row("git", flags="--shallow --progress --no-progress"),
            "write": row(
                "git",
                does="vcs",
                flags="--reachable --append --changed-paths --split --progress --no-progress --stdin-commits "
                "--stdin-packs",
            ),
        },
    ),
    "write-tree": row("git", does="vcs", flags="--missing-ok", valued="--prefix", most=0),
    "commit-tree": row("git", does="vcs", flags="-S", valued="-p -m -F"),
    "read-tree": row(
        "git",
        does="vcs",
        flags="--empty -v -m --trivial --aggressive --reset -u -i -n -q",
        valued="--prefix",
        outputs="--index-output",
    ),
    "checkout-index": row(
        "git",
        does="vcs",
        targets="operands",
        flags="-a -f -q -n -u -z --all --force --quiet --no-create --index --stdin --temp",
        valued="--prefix --stage",
    ),
    "replace": row("git", does="vcs", flags="-f -d --force --delete --edit --graft"),
    **rows(
        "mktree mktag update-server-info unpack-objects",
        "git",
        does="vcs",
        flags="-z -q -n -r --missing --batch --strict",
    ),
    **rows("index-pack fast-import", "git", does="vcs"),
    "unpack-file": row("git", does="create", most=1),
    "filter-branch": row(
        "git",
        does="vcs",
        severity="destructive",
        flags="-f --force --prune-empty --all",
        valued="-d --original --subdirectory-filter --state-branch",
        runs="--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter "
        "--tag-name-filter",
    ),
    "filter-repo": row(
        "git",
        does="vcs",
        severity="destructive",
        flags="-f --force --invert-paths --prune-empty --prune-degenerate --partial --refs --use-base-name",
        valued="--path --path-glob --path-regex --path-rename --paths-from-file --subdirectory-filter "
        "--to-subdirectory-filter --replace-text --replace-message --mailmap --strip-blobs-bigger-than "
        "--strip-blobs-with-ids",
        loads="--filename-callback --message-callback --name-callback --email-callback --refname-callback "
        "--blob-callback --commit-callback --tag-callback --reset-callback",
    ),
}
