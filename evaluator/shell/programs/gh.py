"""Command lines of code forges: GitHub's `gh` and GitLab's `glab`. `acts/forge.py` joins them to what "
"takes code."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

JSON = "--json -q --jq -t --template"
REPO = "-R --repo"
LIST = f"{JSON} {REPO} -L --limit -S --search -s --state -a --assignee -A --author -l --label --app"
TEXT = f"{REPO} -b --body -F --body-file -t --title"
LABELS = "-a --assignee -l --label -m --milestone -p --project"
GROUP = row("forge", most=0)
"""A word that only leads to subcommands: alone it tells what they are."""
DELETES = row("forge", does="vcs", severity="destructive", flags="-y --yes --confirm", valued=REPO)

LOOKS: dict[str, Handler] = {
    **rows(
        "pr, issue, repo, run, workflow, release, gist, secret, variable, label, cache, project, ruleset, alias, "
        "extension, auth, config, codespace, org, ssh-key, gpg-key, search, repo deploy-key, repo autolink, repo "
        "gitignore, repo license",
        GROUP,
    ),
    "pr list": row("forge", flags="-d --draft", valued=f"{LIST} -B --base -H --head", most=0),
    "pr ls": row("forge", flags="-d --draft", valued=f"{LIST} -B --base -H --head", most=0),
    "pr view": row("forge", flags="-c --comments", valued=f"{JSON} {REPO}", most=1),
    "pr diff": row("forge", flags="--name-only --patch --stat", valued=f"{REPO} --color -e --exclude"),
    "pr checks": row(
        "forge", flags="--watch --required --fail-fast", valued=f"{JSON} {REPO} -i --interval", most=1
    ),
    "pr status": row("forge", flags="-c --conflict-status", valued=f"{JSON} {REPO}", most=0),
    **rows("issue list, issue ls", "forge", valued=f"{LIST} -m --milestone --mention --type", most=0),
    "issue view": row("forge", flags="-c --comments", valued=f"{JSON} {REPO}", most=1),
    "issue status": row("forge", valued=f"{JSON} {REPO}", most=0),
    **rows(
        "run list, run ls",
        "forge",
        flags="-a --all",
        valued=f"{JSON} {REPO} -L --limit -b --branch -c --commit --created -e --event -s --status -u --user -w "
        "--workflow",
        most=0,
    ),
    "run view": row(
        "forge",
        flags="--exit-status --log --log-failed -v --verbose",
        valued=f"{JSON} {REPO} -a --attempt -j --job",
        most=1,
    ),
    "run watch": row("forge", flags="--exit-status --compact", valued=f"{REPO} -i --interval", most=1),
    **rows(
        "workflow list, workflow ls", "forge", flags="-a --all", valued=f"{JSON} {REPO} -L --limit", most=0
    ),
    "workflow view": row("forge", flags="-y --yaml", valued=f"{REPO} -r --ref", most=1),
    "repo view": row("forge", valued=f"{JSON} -b --branch", most=1),
    **rows(
        "repo list, repo ls",
        "forge",
        flags="--archived --no-archived --fork --source",
        valued=f"{JSON} -L --limit -l --language --topic --visibility",
        most=1,
    ),
    **rows(
        "repo deploy-key list, repo deploy-key ls, repo autolink list, repo autolink ls",
        "forge",
        valued=f"{JSON} {REPO}",
        most=0,
    ),
    **rows(
        "repo autolink view, repo gitignore view, repo license view", "forge", valued=f"{JSON} {REPO}", most=1
    ),
    **rows("repo gitignore list, repo license list", "forge", most=0),
    **rows(
        "release list, release ls",
        "forge",
        flags="--exclude-drafts --exclude-pre-releases",
        valued=f"{JSON} {REPO} -L --limit -O --order",
        most=0,
    ),
    "release view": row("forge", valued=f"{JSON} {REPO}", most=1),
    **rows(
        "gist list, gist ls",
        "forge",
        flags="--public --secret --include-content",
        valued="-L --limit --filter",
        most=0,
    ),
    "gist view": row("forge", flags="--files -r --raw", valued="-f --filename", most=1),
    **rows(
        "secret list, secret ls, variable list, variable ls",
        "forge",
        valued=f"{JSON} {REPO} -a --app -e --env -o --org",
        most=0,
    ),
    "variable get": row("forge", valued=f"{JSON} {REPO} -e --env -o --org", most=1),
    **rows(
        "label list, label ls", "forge", valued=f"{JSON} {REPO} -L --limit -S --search --sort --order", most=0
    ),
    **rows(
        "cache list, cache ls",
        "forge",
        valued=f"{JSON} {REPO} -L --limit -k --key -O --order -r --ref -S --sort",
        most=0,
    ),
    **rows(
        "ruleset list, ruleset ls, ruleset view, ruleset check",
        "forge",
        flags="-p --parents --default",
        valued=f"{REPO} -L --limit -o --org",
        most=1,
    ),
    **rows(
        "project list, project ls, project view, project item-list, project field-list",
        "forge",
        flags="--closed",
        valued="--format -q --jq -t --template --owner -L --limit --query",
        most=1,
    ),
    **rows("alias list, alias ls, extension list, extension ls", "forge", most=0),
    "extension search": row("forge", valued=f"{JSON} -L --limit --license --order --owner --sort"),
    "auth status": row("forge", flags="-a --active", valued=f"{JSON} -h --hostname", most=0),
    "auth token": row("forge", valued="-h --hostname -u --user", most=0),
    **rows("config list, config ls", "forge", valued="-h --host", most=0),
    "config get": row("forge", valued="-h --host", most=1),
    **rows("org list, org ls", "forge", valued="-L --limit", most=0),
    **rows("ssh-key list, ssh-key ls, gpg-key list, gpg-key ls", "forge", most=0),
    **rows(
        "codespace list, codespace ls", "forge", valued=f"{JSON} {REPO} -L --limit -o --org -u --user", most=0
    ),
    "status": row("forge", valued="-e --exclude -o --org", most=0),
    "completion": row("forge", valued="-s --shell", most=0),
    "version": row("forge", most=0),
    "help": row("forge"),
}
SEARCHES: dict[str, Handler] = rows(
    "search repos, search issues, search prs, search code, search commits",
    "forge",
    flags="--archived --draft --include-prs --locked --merge --merged --no-assignee --no-label --no-milestone "
    "--no-project",
    valued=f"{JSON} {REPO} -L --limit --sort --order --owner --language --extension --filename --size --match "
    "--state --label --author --assignee --mentions --commenter --comments --involves --milestone --project "
    "--created --updated --closed --merged-at --reactions --interactions --team-mentions --app -B --base -H --head "
    "--checks --review --review-requested --reviewed-by --visibility --stars --forks --topic --license "
    "--number-topics --good-first-issues --help-wanted-issues --followers --include-forks --author-date "
    "--author-email --author-name --committer --committer-date --committer-email --committer-name --hash --parent "
    "--tree",
)
CHANGES: dict[str, Handler] = {
    "pr create": row(
        "forge",
        does="vcs",
        flags="-d --draft -e --editor -f --fill --fill-first --fill-verbose --no-maintainer-edit --dry-run",
        valued=f"{TEXT} {LABELS} -B --base -H --head -r --reviewer -T --template --recover",
        most=0,
    ),
    "pr edit": row(
        "forge",
        does="vcs",
        flags="--remove-milestone",
        valued=f"{TEXT} -B --base -m --milestone --add-assignee --remove-assignee --add-label --remove-label "
        "--add-project --remove-project --add-reviewer --remove-reviewer",
        most=1,
    ),
    "pr merge": row(
        "forge",
        does="vcs",
        flags="--admin --auto --disable-auto -d --delete-branch -m --merge -r --rebase -s --squash",
        valued=f"{TEXT} -A --author-email --match-head-commit --subject",
        most=1,
    ),
    "pr review": row(
        "forge",
        does="vcs",
        flags="-a --approve -c --comment -r --request-changes",
        valued=f"{REPO} -b --body -F --body-file",
        most=1,
    ),
    **rows(
        "pr comment, issue comment",
        "forge",
        does="vcs",
        flags="--edit-last --create-if-none --delete-last --yes -e --editor",
        valued=f"{REPO} -b --body -F --body-file",
        most=1,
    ),
    **rows(
        "pr close, pr reopen, pr ready, pr lock, pr unlock, pr update-branch, issue close, issue reopen, issue "
        "lock, issue unlock, issue pin, issue unpin, issue transfer, pr revert",
        "forge",
        does="vcs",
        flags="-d --delete-branch --undo --rebase --draft",
        valued=f"{TEXT} -c --comment -r --reason",
        most=2,
    ),
    "pr checkout": row(
        "forge",
        does="vcs",
        flags="--detach -f --force --recurse-submodules",
        valued=f"{REPO} -b --branch",
        most=1,
    ),
    "issue create": row(
        "forge",
        does="vcs",
        flags="-e --editor",
        valued=f"{TEXT} {LABELS} -T --template --recover --type",
        most=0,
    ),
    "issue edit": row(
        "forge",
        does="vcs",
        flags="--remove-milestone",
        valued=f"{TEXT} -m --milestone --add-assignee --remove-assignee --add-label --remove-label --add-project "
        "--remove-project",
    ),
    "issue develop": row(
        "forge",
        does="vcs",
        flags="-c --checkout",
        valued=f"{REPO} -b --base --branch-repo -n --name",
        tells="-l --list",
        most=1,
    ),
    **rows("issue delete, gist delete, label delete, cache delete, run delete, workflow delete", DELETES),
    **rows(
        "ssh-key delete, gpg-key delete, project delete, repo deploy-key delete, repo autolink delete",
        DELETES,
    ),
    "release delete": row(
        "forge", does="vcs", severity="destructive", flags="-y --yes --cleanup-tag", valued=REPO, most=1
    ),
    "release delete-asset": DELETES,
    "repo delete": DELETES,
    **rows(
        "secret delete, secret remove, variable delete, variable remove",
        "forge",
        does="vcs",
        severity="destructive",
        valued=f"{REPO} -a --app -e --env -o --org",
        flags="-u --user",
    ),
    **rows(
        "secret set, variable set",
        "forge",
        does="vcs",
        flags="-u --user --no-repos-selected --no-store",
        valued=f"{REPO} -a --app -b --body -e --env -f --env-file -o --org -r --repos -v --visibility",
        most=1,
    ),
    "repo create": row(
        "forge",
        does="vcs",
        flags="--public --private --internal --push --add-readme -c --clone --disable-issues --disable-wiki "
        "--include-all-branches",
        valued="-d --description -g --gitignore -h --homepage -l --license -r --remote -s --source -t --team -p "
        "--template",
        most=1,
    ),
    "repo fork": row(
        "forge",
        does="vcs",
        flags="--clone --remote --default-branch-only",
        valued="--fork-name --org --remote-name",
        most=1,
    ),
    **rows(
        "repo sync, repo rename, repo archive, repo unarchive",
        "forge",
        does="vcs",
        flags="--force -y --yes --confirm",
        valued=f"{REPO} -b --branch -s --source",
        most=1,
    ),
    "repo edit": row(
        "forge",
        does="vcs",
        flags="--accept-visibility-change-consequences --allow-forking --allow-update-branch "
        "--delete-branch-on-merge --enable-auto-merge --enable-discussions --enable-issues --enable-merge-commit "
        "--enable-projects --enable-rebase-merge --enable-squash-merge --enable-wiki --template",
        valued="--add-topic --remove-topic --default-branch -d --description -h --homepage --visibility",
        most=1,
    ),
    "repo set-default": row("forge", does="vcs", flags="-u --unset", tells="-v --view", most=1),
    "repo deploy-key add": row(
        "forge", does="vcs", flags="-w --allow-write", valued=f"{REPO} -t --title", most=1
    ),
    **rows(
        "release create, release edit",
        "forge",
        does="vcs",
        flags="-d --draft --generate-notes --latest --notes-from-tag -p --prerelease --verify-tag "
        "--fail-on-no-commits",
        valued=f"{REPO} --discussion-category -n --notes -F --notes-file --notes-start-tag --target -t --title --tag",
    ),
    "release upload": row("forge", does="vcs", flags="--clobber", valued=REPO),
    **rows(
        "release download, run download",
        "forge",
        does="network",
        flags="--clobber --skip-existing",
        valued=f"{REPO} -p --pattern -A --archive -n --name",
        outputs={"-D": "network", "--dir": "network", "-O": "network", "--output": "network"},
    ),
    **rows(
        "run rerun, run cancel",
        "forge",
        does="vcs",
        flags="-d --debug --failed --force",
        valued=f"{REPO} -j --job",
        most=1,
    ),
    "workflow run": row(
        "forge", does="vcs", flags="--json", valued=f"{REPO} -F --field -f --raw-field -r --ref", most=1
    ),
    **rows("workflow enable, workflow disable", "forge", does="vcs", valued=REPO, most=1),
    **rows(
        "gist create, gist edit, gist rename",
        "forge",
        does="vcs",
        flags="-p --public",
        valued="-d --desc -f --filename -a --add -r --remove",
    ),
    **rows(
        "label create, label edit, label clone",
        "forge",
        does="vcs",
        flags="-f --force",
        valued=f"{REPO} -c --color -d --description -n --name",
        most=1,
    ),
    **rows(
        "project create, project edit, project close, project copy, project item-add, project item-create, project "
        "item-edit, project item-archive, project field-create, project link, project unlink, project mark-template",
        "forge",
        does="vcs",
        flags="--undo --drafts --clear",
        valued=f"{TEXT} --owner --format -q --jq --template --url --id --project-id --field-id --text --number "
        "--date --single-select-option-id --iteration-id --name --data-type --source-owner --target-owner",
    ),
    **rows(
        "project item-delete, project field-delete",
        "forge",
        does="vcs",
        severity="destructive",
        valued="--id --owner --format -q --jq",
        most=1,
    ),
    **rows(
        "alias set, alias import, alias delete, config set, config clear-cache",
        "forge",
        does="vcs",
        flags="-s --shell --clobber --all",
        valued="-h --host",
    ),
    **rows(
        "extension install, extension upgrade, extension remove",
        "forge",
        does="install",
        flags="--force --all --dry-run",
        valued="--pin",
    ),
    "extension exec": row("forge", does="unknown", helps=False),
    **rows(
        "auth login, auth logout, auth refresh, auth setup-git, auth switch",
        "forge",
        does="vcs",
        flags="-w --web --with-token --insecure-storage --skip-ssh-key -c --clipboard -f --force",
        valued="-h --hostname -u --user -p --git-protocol -s --scopes -r --remove-scopes",
        most=0,
    ),
    **rows("ssh-key add, gpg-key add", "forge", does="vcs", valued="-t --title --type", most=1),
}
