"""GitLab's `glab`. `acts/forge.py` joins these rows to what takes code."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

REPO = "-R --repo"
GROUP = row("forge", most=0)
PAGES = "-p --page -P --per-page -F --output --output-format"
LOOKS: dict[str, Handler] = {
    **rows(
        "mr, issue, repo, ci, release, label, auth, config, alias, variable, schedule, snippet, milestone, user",
        GROUP,
    ),
    **rows(
        "mr list, mr ls",
        "forge",
        flags="-A --all -c --closed -M --merged -d --draft --not-draft",
        valued=f"{REPO} {PAGES} -a --assignee --author -l --label --not-label -m --milestone -r --reviewer "
        "--search -s --source-branch -t --target-branch -o --order -S --sort -g --group",
        most=0,
    ),
    "mr view": row(
        "forge",
        flags="-c --comments -s --system-logs --resolved --unresolved",
        valued=f"{REPO} {PAGES}",
        most=1,
    ),
    "mr diff": row("forge", flags="--raw", valued=f"{REPO} --color", most=1),
    **rows("mr approvers, mr issues", "forge", valued=REPO, most=1),
    **rows(
        "issue list, issue ls",
        "forge",
        flags="-A --all -c --closed -C --confidential",
        valued=f"{REPO} {PAGES} -a --assignee --not-assignee --author --not-author -l --label --not-label -m "
        "--milestone --search --in -t --issue-type -i --iteration -e --epic -g --group --order --sort",
        most=0,
    ),
    "issue view": row("forge", flags="-c --comments -s --system-logs", valued=f"{REPO} {PAGES}", most=1),
    **rows(
        "ci list, ci ls",
        "forge",
        valued=f"{REPO} {PAGES} -s --status -o --orderBy --sort -r --ref --source",
        most=0,
    ),
    "ci status": row("forge", flags="-c --compact -l --live", valued=f"{REPO} -b --branch", most=0),
    "ci get": row(
        "forge",
        flags="-d --with-job-details --with-variables",
        valued=f"{REPO} -b --branch -p --pipeline-id -F --output --output-format",
        most=0,
    ),
    "ci trace": row("forge", valued=f"{REPO} -b --branch -p --pipeline-id", most=1),
    "repo view": row("forge", valued="-b --branch -F --output", most=1),
    **rows(
        "repo list, repo search", "forge", valued=f"{PAGES} -s --search -o --order --sort -g --group", most=0
    ),
    **rows("release list, release ls, release view", "forge", valued=f"{REPO} {PAGES}", most=1),
    **rows(
        "label list, label ls, milestone list, schedule list, variable list, variable ls",
        "forge",
        valued=f"{REPO} {PAGES} -g --group",
        most=0,
    ),
    "variable get": row("forge", valued=f"{REPO} -g --group -s --scope", most=1),
    "auth status": row("forge", flags="-a --all", valued="-h --hostname", most=0),
    **rows("alias list, alias ls, config list", "forge", most=0),
    "config get": row("forge", flags="-g --global", valued="-h --host", most=1),
    "completion": row("forge", valued="-s --shell", most=0),
    "version": row("forge", most=0),
    "help": row("forge"),
}
TEXT = f"{REPO} -d --description -t --title -a --assignee -l --label -m --milestone"
CHANGES: dict[str, Handler] = {
    **rows(
        "mr create, mr new",
        "forge",
        does="vcs",
        flags="-y --yes -f --fill --fill-commit-body --draft --wip --push --remove-source-branch "
        "--squash-before-merge --allow-collaboration --create-source-branch --no-editor --copy-issue-labels",
        valued=f"{TEXT} -b --target-branch -s --source-branch --reviewer -i --related-issue -H --head",
        most=0,
    ),
    **rows(
        "mr update, issue update",
        "forge",
        does="vcs",
        flags="--draft --ready -r --remove-source-branch --lock-discussion --unlock-discussion --squash-before-merge",
        valued=f"{TEXT} --reviewer --target-branch -u --unlabel --unassign",
        most=1,
    ),
    "mr merge": row(
        "forge",
        does="vcs",
        flags="-y --yes -d --remove-source-branch -s --squash -r --rebase --auto-merge --when-pipeline-succeeds",
        valued=f"{REPO} -m --message --squash-message --sha",
        most=1,
    ),
    **rows(
        "mr approve, mr revoke, mr close, mr reopen, mr rebase, mr subscribe, mr unsubscribe, mr todo, issue "
        "close, issue reopen, issue subscribe, issue unsubscribe, ci retry, ci trigger, ci cancel",
        "forge",
        does="vcs",
        flags="--skip-ci",
        valued=f"{REPO} -s --sha -b --branch",
        most=1,
    ),
    **rows(
        "mr note, issue note", "forge", does="vcs", flags="--unique", valued=f"{REPO} -m --message", most=1
    ),
    "mr checkout": row("forge", does="vcs", valued=f"{REPO} -b --branch -u --set-upstream-to", most=1),
    **rows(
        "issue create, issue new",
        "forge",
        does="vcs",
        flags="-y --yes -c --confidential --no-editor",
        valued=f"{TEXT} -w --weight --linked-mr --linked-issues --due-date",
        most=0,
    ),
    "ci run": row("forge", does="vcs", valued=f"{REPO} -b --branch --variables --variables-env -f", most=0),
    **rows(
        "mr delete, issue delete, repo delete, release delete, label delete, variable delete, ci delete",
        "forge",
        does="vcs",
        severity="destructive",
        flags="-y --yes -t --with-tag",
        valued=f"{REPO} -s --scope -g --group",
    ),
    **rows(
        "release create, release upload",
        "forge",
        does="vcs",
        flags="--no-update --no-close-milestone",
        valued=f"{REPO} -n --name -N --notes -F --notes-file -r --ref -a --assets-links -m --milestone -D "
        "--released-at",
    ),
    **rows(
        "variable set, variable update, label create",
        "forge",
        does="vcs",
        flags="-m --masked -p --protected -r --raw",
        valued=f"{REPO} -v --value -s --scope -t --type -g --group -n --name -c --color -d --description",
        most=2,
    ),
    **rows(
        "auth login, auth logout, config set, alias set, alias delete",
        "forge",
        does="vcs",
        flags="-g --global -s --shell --stdin",
        valued="-h --hostname --host -t --token",
    ),
}
