"""git: the options before a subcommand, and the subcommands that look."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

FLAGS = (
    "-p --paginate -P --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs "
    "--noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice"
)
VALUED = "-C -c --git-dir --work-tree --namespace --attr-source --super-prefix"
LOADS = "--exec-path --config-env"
TELLS = "-v --version -h --help --html-path --man-path --info-path --exec-path --build-options --list-cmds"
"""In front of a subcommand, or without one, they tell something and end it there."""
DIFF_FLAGS = (
    "-p -u -s -W -X -B -M -D -C -w -b -a -R -z -t -r -# --patch --no-patch --unified --function-context --raw "
    "--patch-with-raw --patch-with-stat --numstat --shortstat --dirstat --cumulative --dirstat-by-file --check "
    "--summary --name-only --name-status --stat --no-stat --compact-summary --no-compact-summary --binary --full-index "
    "--color --no-color --abbrev --no-abbrev --no-prefix --default-prefix --break-rewrites --find-renames "
    "--irreversible-delete --find-copies --find-copies-harder --no-renames --rename-empty --no-rename-empty "
    "--follow --minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol "
    "--ignore-blank-lines --indent-heuristic --no-indent-heuristic --patience --histogram --word-diff "
    "--color-words --color-moved --no-color-moved --no-color-moved-ws --relative --no-relative --exit-code --quiet "
    "--no-ext-diff --no-textconv --ignore-submodules --submodule --ita-invisible-in-index --ita-visible-in-index "
    "--pickaxe-all --pickaxe-regex --cc -c --combined-all-paths --no-diff-merges --merge-base"
)
DIFF_VALUED = (
    "-U -I -S -G -O -l --stat-width --stat-name-width --stat-graph-width --stat-count --ws-error-highlight "
    "--src-prefix --dst-prefix --line-prefix --inter-hunk-context --output-indicator-new --output-indicator-old "
    "--output-indicator-context --ignore-matching-lines --diff-algorithm --anchored --word-diff-regex "
    "--color-moved-ws --rotate-to --skip-to --find-object --diff-filter --diff-merges"
)
DIFF_LOADS = "--ext-diff --textconv"
REVISION_FLAGS = (
    "-i -E -F -P --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --all-match "
    "--invert-grep --remove-empty --merges --no-merges --min-parents --max-parents --no-min-parents "
    "--no-max-parents --first-parent --exclude-first-parent-only --not --all --branches --tags --remotes --reflog "
    "--alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only "
    "--right-only --left-right --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls "
    "--full-history --dense --sparse --simplify-merges --ancestry-path --date-order --author-date-order "
    "--topo-order --reverse --no-walk --do-walk --parents --children --graph --no-graph --show-linear-break "
    "--pretty --format --abbrev-commit --no-abbrev-commit --oneline --relative-date"
)
REVISION_VALUED = (
    "-n --max-count --skip --since --after --since-as-filter --until --before --author --committer --grep "
    "--grep-reflog --glob --exclude --exclude-hidden --date --encoding --max-age --min-age"
)
LOG_FLAGS = (
    f"{DIFF_FLAGS} {REVISION_FLAGS} -q -m --root --source --mailmap --no-mailmap --use-mailmap --no-use-mailmap "
    "--clear-decorations --decorate --no-decorate --full-diff --log-size --expand-tabs --no-expand-tabs --notes "
    "--no-notes --show-notes --standard-notes --no-standard-notes --show-signature --no-show-signature "
    "--remerge-diff --dd"
)
LOG_VALUED = f"{DIFF_VALUED} {REVISION_VALUED} -L --decorate-refs --decorate-refs-exclude"
REF_FLAGS = (
    "-s -p --shell --perl --python --tcl --color --no-color --ignore-case --omit-empty --include-root-refs"
)
REF_VALUED = "--count --format --sort --points-at --merged --no-merged --contains --no-contains --exclude"

LOG = row("git", flags=LOG_FLAGS, valued=LOG_VALUED, outputs="--output", loads=DIFF_LOADS)
DIFF = row(
    "git",
    flags=f"{DIFF_FLAGS} -q --oneline --cached --staged --no-index -1 -2 -3 -0 --base --ours --theirs",
    valued=DIFF_VALUED,
    outputs="--output",
    loads=DIFF_LOADS,
)
DIFF_PLUMBING = row(
    "git",
    flags=f"{DIFF_FLAGS} -m -q -v --cached --stdin --root --no-commit-id --always --show-trees --pretty --format",
    valued=DIFF_VALUED,
    outputs="--output",
    loads=DIFF_LOADS,
)
STASH_SHOW = row(
    "git",
    flags=f"{DIFF_FLAGS} -u --include-untracked --only-untracked",
    valued=DIFF_VALUED,
    outputs="--output",
    loads=DIFF_LOADS,
)
BLAME = row(
    "git",
    flags=f"{REVISION_FLAGS} -b -f -n -p -c -t -l -s -e -w -C -M --incremental --root --show-stats --progress "
    "--no-progress --score-debug --show-name --show-number --porcelain --line-porcelain --show-email --color-lines "
    "--color-by-age --minimal --abbrev -#",
    valued=f"{REVISION_VALUED} --ignore-rev --ignore-revs-file -S --contents -L",
    outputs="--output",
    loads=DIFF_LOADS,
)
GREP = row(
    "git",
    flags="-v -i -w -a -I -r -E -G -F -P -n -h -H -l -L -z -o -c -p -W -q -# --cached --no-index --index "
    "--untracked --exclude-standard --no-exclude-standard --recurse-submodules --recursive --no-recursive "
    "--invert-match --ignore-case --word-regexp --extended-regexp --basic-regexp --fixed-strings --perl-regexp "
    "--line-number --column --full-name --files-with-matches --name-only --files-without-match --null "
    "--only-matching --count --color --no-color --break --heading --show-function --function-context --and --or "
    "--not --quiet --all-match --no-textconv",
    valued="-A -B -C -m -f -e --context --after-context --before-context --max-count --max-depth --threads",
    loads="-O --open-files-in-pager --textconv --ext-grep",
)
LS_REMOTE = row(
    "git",
    flags="-q -t -h -b --quiet --tags --heads --branches --refs --get-url --exit-code --symref --no-symref",
    valued="--sort",
    loads="--upload-pack --exec -o --server-option",
)
BRANCHES = row(
    "git",
    flags="-v -q -a -r -l -i --verbose --quiet --all --remotes --list --show-current --ignore-case --color "
    "--no-color --abbrev --no-abbrev --column --no-column --omit-empty",
    valued="--contains --no-contains --merged --no-merged --points-at --sort --format",
)
TAGS = row(
    "git",
    flags="-l -n -v -i --list --verify --ignore-case --column --no-column --color --no-color --omit-empty",
    valued="--contains --no-contains --merged --no-merged --points-at --sort --format",
)
SETTINGS = row(
    "git",
    flags="-l -z --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --list "
    "--get-color --get-colorbool --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --null "
    "--name-only --includes --no-includes --show-origin --show-scope --show-names --no-show-names --fixed-value "
    "--all --regexp",
    valued="-f -t --file --blob --type --default --value --url",
)
INDEX_LOOKS = row(
    "git",
    flags="-q --refresh --ignore-missing --unmerged --ignore-submodules --show-index-version",
    most=0,
)
CAT_FILE = row(
    "git",
    flags="-e -p -t -s -z -Z --allow-unknown-type --use-mailmap --no-use-mailmap --mailmap --no-mailmap --batch "
    "--batch-check --batch-all-objects --buffer --no-buffer --follow-symlinks --unordered",
    loads="--textconv --filters --batch-command",
)
MERGE_TREE_LOOKS = row("git", flags="--trivial-merge", most=3)
STATUS = row(
    "git",
    flags="-v -s -b -z -u -M --verbose --short --branch --show-stash --no-show-stash --ahead-behind "
    "--no-ahead-behind --porcelain --long --null --untracked-files --ignored --ignore-submodules --column "
    "--no-column --no-renames --renames --find-renames",
)

LOOKS: dict[str, Handler] = {
    "status": STATUS,
    **rows("log show whatchanged reflog", LOG),
    "diff": DIFF,
    **rows("diff-tree diff-index diff-files", DIFF_PLUMBING),
    **rows("blame annotate", BLAME),
    "grep": GREP,
    "ls-remote": LS_REMOTE,
    "rev-list": row(
        "git",
        flags=f"{REVISION_FLAGS} -# --count --quiet --disk-usage --use-bitmap-index --bisect-vars --bisect-all "
        "--objects --in-commit-order --objects-edge --objects-edge-aggressive --indexed-objects --unpacked "
        "--object-names --no-object-names --no-filter --filter-provided-objects --filter-print-omitted "
        "--exclude-promisor-objects --header --no-commit-header --commit-header --timestamp --abbrev --no-abbrev",
        valued=f"{REVISION_VALUED} --filter --missing --progress",
        outputs="--output",
        loads=DIFF_LOADS,
    ),
    "shortlog": row(
        "git",
        flags=f"{REVISION_FLAGS} -# -c -n -s -e -w -p --committer --numbered --summary --email --no-mailmap",
        valued="--group --max-count --skip --since --after --until --before --author --grep --glob --exclude --date",
        outputs="--output",
        loads=DIFF_LOADS,
    ),
    "range-diff": row(
        "git",
        flags=f"{DIFF_FLAGS} --no-dual-color --dual-color --left-only --right-only --notes --no-notes",
        valued=f"{DIFF_VALUED} --creation-factor",
        outputs="--output",
        loads=DIFF_LOADS,
    ),
    "rev-parse": row(
        "git",
        flags="-q -# --parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --revs-only --no-revs "
        "--flags --no-flags --verify --quiet --sq --short --not --abbrev-ref --symbolic --symbolic-full-name --all "
        "--branches --tags --remotes --glob --exclude --disambiguate --local-env-vars --path-format --git-dir "
        "--git-common-dir --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir "
        "--is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup "
        "--show-prefix --show-object-format --show-ref-format --since --after --until --before",
        valued="--default --prefix --resolve-git-dir --git-path",
    ),
    "ls-files": row(
        "git",
        flags="-z -t -v -f -c -d -m -o -i -s -k -u --cached --deleted --modified --others --ignored --stage "
        "--killed --unmerged --directory --no-directory --eol --empty-directory --no-empty-directory "
        "--resolve-undo --exclude-standard --full-name --recurse-submodules --error-unmatch --debug --deduplicate "
        "--sparse --abbrev",
        valued="-x -X --exclude --exclude-from --exclude-per-directory --with-tree --format",
    ),
    "ls-tree": row(
        "git",
        flags="-d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree --abbrev",
        valued="--format",
    ),
    "show-ref": row(
        "git",
        flags="-d -s -q --tags --heads --branches --verify --head --dereference --hash --quiet --abbrev "
        "--exclude-existing --exists",
    ),
    "for-each-ref": row("git", flags=REF_FLAGS, valued=REF_VALUED),
    "name-rev": row(
        "git",
        flags="--name-only --tags --all --annotate-stdin --stdin --undefined --no-undefined --always",
        valued="--refs --exclude",
    ),
    "merge-base": row("git", flags="-a --all --octopus --independent --is-ancestor --fork-point"),
    "describe": row(
        "git",
        flags="--contains --debug --all --tags --long --first-parent --exact-match --always --abbrev --dirty --broken",
        valued="--candidates --match --exclude",
    ),
    "show-branch": row(
        "git",
        flags="-a -r -g --all --remotes --list --no-name --current --sha1-name --merge-base --independent "
        "--topo-order --topics --sparse --date-order --color --no-color --more --reflog",
    ),
    "fsck": row(
        "git",
        flags="-v --verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs --no-reflogs "
        "--full --no-full --connectivity-only --strict --progress --no-progress --name-objects --references "
        "--no-references",
        changes={"--lost-found": "vcs"},
    ),
    "count-objects": row("git", flags="-v -H --verbose --human-readable", most=0),
    "check-ignore": row("git", flags="-q -v -z -n --quiet --verbose --stdin --non-matching --no-index"),
    "check-attr": row("git", flags="-a -z --all --cached --stdin", valued="--source"),
    "check-mailmap": row("git", flags="--stdin", valued="--mailmap-file --mailmap-blob"),
    "check-ref-format": row(
        "git", flags="--branch --normalize --allow-onelevel --no-allow-onelevel --refspec-pattern --print"
    ),
    "cherry": row("git", flags="-v --abbrev --verbose", most=3),
    "var": row("git", flags="-l", most=1),
    "version": row("git", flags="--build-options", most=0),
    "help": row(
        "git",
        flags="-a -v -g -c -m --all --verbose --no-verbose --guides --config --man --user-interfaces "
        "--developer-interfaces --external-commands --no-external-commands --aliases --no-aliases",
        most=1,
    ),
    "verify-commit": row("git", flags="-v --verbose --raw"),
    "verify-tag": row("git", flags="-v --verbose --raw", valued="--format"),
    "verify-pack": row("git", flags="-v -s --verbose --stat-only"),
    "patch-id": row("git", flags="--stable --unstable --verbatim", most=0),
    "stripspace": row("git", flags="-s -c --strip-comments --comment-lines", most=0),
    "interpret-trailers": row(
        "git",
        targets="operands",
        flags="--trim-empty --no-trim-empty --only-trailers --only-input --unfold --parse --no-divider --divider",
        valued="--where --if-exists --if-missing --trailer",
        changes="--in-place",
    ),
    "hash-object": row(
        "git",
        flags="--stdin --stdin-paths --no-filters --literally",
        valued="-t --path",
        changes={"-w": "vcs"},
    ),
    "archive": row(
        "git",
        flags="-v -l -# --verbose --list --worktree-attributes",
        valued="--format --prefix --add-file --add-virtual-file --mtime",
        outputs="-o --output",
        loads="--exec",
    ),
    "format-patch": row(
        "git",
        does="create",
        flags=f"{DIFF_FLAGS} -n -N -k -v --numbered --no-numbered --keep-subject --signoff --cover-letter "
        "--no-cover-letter --numbered-files --rfc --no-binary --zero-commit --ignore-if-in-upstream --from "
        "--no-from --attach --no-attach --inline --thread --no-thread --progress --force-in-body-from --root --all",
        valued=f"{DIFF_VALUED} --start-number --subject-prefix --to --cc --base --in-reply-to --suffix --signature "
        "--signature-file --add-header --interdiff --range-diff --creation-factor --filename-max-length "
        "--cover-from-description --description-file --reroll-count",
        outputs={"-o": "create", "--output-directory": "create", "--output": "overwrite"},
        loads=DIFF_LOADS,
        tells="--stdout",
    ),
    "difftool": row("git", does="unknown", tells="--tool-help", most=0),
    "mergetool": row("git", does="unknown", tells="--tool-help", most=0),
    **rows(
        "instaweb daemon send-email imap-send credential credential-store credential-cache shell",
        "git",
        does="unknown",
    ),
}
REFLOG: dict[str, Handler] = {
    "show": LOG,
    "list": row("git", most=0),
    "exists": row("git", most=1),
    **rows(
        "expire delete drop",
        "git",
        does="vcs",
        severity="destructive",
        flags="--rewrite --updateref --verbose --stale-fix --all --single-worktree --no-rewrite --no-updateref",
        valued="--expire --expire-unreachable",
        milder="-n --dry-run",
    ),
    "write": row("git", does="vcs"),
}
LFS = tree(
    "git",
    {
        "ls-files": row(
            "git",
            flags="-l -s -d -a -n -j --long --size --debug --all --deleted --name-only --json",
            valued="-I -X --include --exclude",
        ),
        "status": row("git", flags="-p -j --porcelain --json", most=0),
        **rows("env version logs", "git", most=0),
        "locks": row(
            "git", flags="-l --local --cached --verify --json", valued="-r --remote -i --id -p --path --limit"
        ),
        "pointer": row(
            "git", flags="--stdin --strict --no-strict --check --no-extensions", valued="--file --pointer"
        ),
        "fsck": row("git", does="vcs", flags="--objects --pointers", milder="-d --dry-run"),
        "push": row("push", does="vcs", flags="-a --all --object-id --stdin", milder="-d --dry-run"),
        "prune": row(
            "git",
            does="vcs",
            severity="destructive",
            flags="-v -f -c --verbose --force --recent --verify-remote --no-verify-remote --verify-unreachable",
            milder="-d --dry-run",
        ),
        "fetch": row(
            "git",
            does="vcs",
            flags="-a -r -p --all --recent --prune --refetch --json",
            valued="-I -X --include --exclude",
            milder="-d --dry-run",
        ),
        "pull": row("git", does="vcs", valued="-I -X --include --exclude"),
        **rows(
            "install uninstall update",
            "git",
            does="vcs",
            flags="-f -l -w --force --local --worktree --system --skip-smudge --skip-repo --manual",
        ),
        **rows("lock unlock", "git", does="vcs", flags="-f --force --json", valued="-r --remote -i --id"),
    },
)
GLUED = {
    "status": "-u -M",
    "commit": "-u -S",
    "tag": "-n",
    "blame": "-M -C",
    "annotate": "-M -C",
    "shortlog": "-w",
    "format-patch": "-M -B -C -v",
    **dict.fromkeys(
        (
            "merge", "rebase", "am", "cherry-pick", "revert", "pull"
        ),
        "-S"
    ),
    **dict.fromkeys(
        (
            "log", "show", "diff", "diff-tree", "diff-index", "diff-files", "whatchanged", "range-diff"
        ),
        "-M -B -C -X"
    )
}  # fmt: skip
"""Short options that may have a value, and then in the same word: `-uno`, `-M90%`."""
HEAD_IF_LAST = "--contains --no-contains --merged --no-merged --points-at"
"""Options of `branch`, `tag` and `for-each-ref` that mean HEAD where no value follows."""
REMOTE_HELPERS = (
    "ls-remote", "fetch", "pull", "push", "clone", "remote", "submodule", "subtree", "archive", "lfs"
)  # fmt: skip
"""Where `NAME::ADDRESS` is a repository that the program git-remote-NAME reaches."""
