"""Package managers of JavaScript: what they list, show and install. `acts.node` adds what runs scripts and tools."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

SHOWN = (
    "--json --long -l --parseable -p --silent -s --verbose -d --quiet -q --all -a --global -g --no-color --color "
    "--offline --prefer-offline --workspaces --ws --include-workspace-root --if-present --no-workspaces --link "
    "--package-lock-only --no-audit --no-fund --no-progress --unicode --no-unicode"
)
CHOSEN = "--depth --prefix -C -w --workspace --loglevel --omit --include --only --before"
NPM_READS = row(
    "packages", flags=SHOWN, valued=CHOSEN, outputs="--userconfig", loads="--script-shell --node-options"
)
NPM_ASKS = replace(NPM_READS, remote="words")
NPM_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{SHOWN} --save -S --save-dev -D --save-exact -E --save-optional -O --save-peer --save-prod -P "
    "--no-save -B --save-bundle --force -f --legacy-peer-deps --strict-peer-deps --ignore-scripts --prefer-dedupe "
    "--no-bin-links --no-package-lock --production --no-optional --prefer-online --foreground-scripts --audit "
    "--fund --progress -y --yes --no-shrinkwrap --install-links --engine-strict",
    valued=f"{CHOSEN} --tag --install-strategy --registry --cache --cpu --os --fetch-timeout --fetch-retries "
    "--audit-level",
    milder="--dry-run",
)
NPM_SENDS = row(
    "packages",
    does="network",
    flags=f"{SHOWN} --provenance --ignore-scripts -r --recursive --force --no-git-checks --report-summary -y --yes",
    valued=f"{CHOSEN} --tag --access --otp --registry --scope --publish-branch",
    milder="--dry-run",
)
NPM_PACKS = row(
    "packages",
    does="create",
    flags=f"{SHOWN} --ignore-scripts",
    valued=CHOSEN,
    outputs="--pack-destination",
    milder="--dry-run",
)
NPM_SETTINGS = row(
    "packages",
    flags=f"{SHOWN} --yes -y --no-git-tag-version --git-tag-version --force -f --allow-same-version",
    valued=f"{CHOSEN} --preid -m --message --scope --init-type",
    loads="--script-shell",
)
NPM_LISTED: dict[str, Handler] = {
    **rows(
        "list, ls, ll, la, outdated, why, explain, fund, root, prefix, bin, config get, config list, config ls, c "
        "get, c list, get, ping, whoami, help, help-search, query, sbom, cache ls, completion, find-dupes, pkg get, "
        "doctor",
        NPM_READS,
    ),
    **rows("view, v, info, show, search, s, se, find, owner ls, dist-tag ls, dist-tag list", NPM_ASKS),
    "audit": row(
        "packages", flags=SHOWN, valued=f"{CHOSEN} --audit-level", changes={"--fix": "install"}, most=0
    ),
    "audit signatures": NPM_READS,
    "audit fix": NPM_INSTALLS,
    **rows(
        "install, i, in, ins, isntall, add, ci, clean-install, install-clean, uninstall, remove, rm, un, unlink, "
        "r, update, up, upgrade, udpate, dedupe, ddp, prune, link, ln, rebuild, rb, install-test, it, "
        "install-ci-test, cit, shrinkwrap",
        NPM_INSTALLS,
    ),
    **rows("publish, deprecate, dist-tag add, dist-tag rm, owner add, owner rm, star, unstar", NPM_SENDS),
    **rows("adduser, login, logout", NPM_SENDS),
    "pack": NPM_PACKS,
    "unpublish": row("packages", does="delete", flags=f"{SHOWN} --force -f", milder="--dry-run"),
}
PNPM_INSTALLS = row(
    "packages",
    does="install",
    flags="-D --save-dev -P --save-prod -O --save-optional -E --save-exact --save-peer -g --global -w "
    "--workspace-root -r --recursive --frozen-lockfile --no-frozen-lockfile --prefer-frozen-lockfile "
    "--prefer-offline --offline --force --ignore-scripts --prod --dev -d --no-optional --lockfile-only "
    "--fix-lockfile --shamefully-hoist --silent -s --no-save --latest -L -i --interactive "
    "--strict-peer-dependencies --workspace --child-concurrency --dedupe-peers --ignore-workspace",
    valued="--filter -F -C --dir --reporter --loglevel --depth --registry --network-concurrency --store-dir",
)
PNPM_READS = row(
    "packages",
    flags="--json --long --parseable -r --recursive -g --global -P --prod -D --dev --no-optional --only-projects "
    "-w --workspace-root --compatible --silent -s -a --all --sort-by --no-table --find-by",
    valued="--depth --filter -F -C --dir --format --reporter --loglevel",
    loads="--script-shell --config.script-shell",
)
PNPM_LISTED: dict[str, Handler] = {
    **rows(
        "list, ls, ll, la, outdated, why, root, bin, licenses list, licenses ls, store path, store status, env "
        "list, config get, config list, help, help all, cat-file, completion, whoami, ping",
        PNPM_READS,
    ),
    **rows("view, info, show, search", replace(PNPM_READS, remote="words")),
    "audit": row(
        "packages",
        flags="--json -P --prod -D --dev --no-optional",
        valued="--audit-level",
        changes={"--fix": "install"},
        most=0,
    ),
    **rows(
        "install, i, add, remove, rm, uninstall, un, update, up, upgrade, import, dedupe, prune, rebuild, rb, "
        "fetch, link, ln, unlink, install-test, it, self-update, store prune, env use, ci",
        PNPM_INSTALLS,
    ),
    "publish": NPM_SENDS,
    "pack": NPM_PACKS,
}
YARN_INSTALLS = row(
    "packages",
    does="install",
    flags="-D --dev -P --peer -O --optional -E --exact -T --tilde -C --caret -W --ignore-workspace-root-check "
    "--frozen-lockfile --immutable --immutable-cache --check-cache --prefer-offline --offline --production --prod "
    "--non-interactive -s --silent --ignore-scripts --ignore-engines --ignore-optional --force --pure-lockfile "
    "--no-lockfile --check-files --latest -i --interactive --inline-builds --json --flat --no-progress --all -A "
    "--cached -R",
    valued="--network-timeout --mode --registry --cache-folder --network-concurrency --modules-folder",
)
YARN_READS = row(
    "packages",
    flags="--json -A --all -R --recursive --silent -s --verbose --prod --production --dependents --name-only "
    "--no-progress --peers -d",
    valued="--depth --pattern --groups --level -n --name --fields -f",
)
YARN_LISTED: dict[str, Handler] = {
    **rows(
        "list, why, outdated, licenses list, licenses ls, config get, config list, versions, global list, "
        "global dir, global bin, bin, cache dir, cache list, workspaces info, workspaces list, npm "
        "whoami, audit, npm audit, help, check, constraints query, constraints source",
        YARN_READS,
    ),
    **rows(
        "install, add, remove, upgrade, up, upgrade-interactive, import, link, unlink, dedupe, rebuild, global "
        "add, global remove, global upgrade, set version, plugin import, plugin remove, autoclean",
        YARN_INSTALLS,
    ),
    **rows("info, npm info", replace(YARN_READS, remote="words")),
    **rows("publish, npm publish", NPM_SENDS),
    "pack": row(
        "packages", does="create", flags="--json", outputs="-o --out -f --filename", milder="-n --dry-run"
    ),
}
BUN_INSTALLS = row(
    "packages",
    does="install",
    flags="-d -D --dev --development --optional -E --exact -g --global -p --production --frozen-lockfile --no-save "
    "-y --yarn --force -f --silent --no-progress --no-summary --verbose --ignore-scripts --trust --latest "
    "--no-cache --lockfile-only --peer --save --text-lockfile",
    valued="--cwd --registry --backend --filter",
    milder="--dry-run",
)
BUN_READS = row(
    "packages",
    flags="--all -a -g --global --json --top",
    valued="--filter --depth",
    places="--cwd",
    most=0,
)
BUN_LISTED: dict[str, Handler] = {
    **rows("pm ls, pm bin, pm hash, pm whoami, pm cache", BUN_READS),
    **rows("outdated, why", replace(BUN_READS, most=None)),
    **rows("info, pm view", replace(BUN_READS, remote="words", most=None)),
    **rows("install, i, add, a, remove, rm, update, upgrade, link, unlink, patch", BUN_INSTALLS),
    "publish": row("packages", does="network", valued="--tag --access --otp", milder="--dry-run"),
    "test": row(
        "build",
        flags="--bail --coverage --watch --only --todo --rerun-each --silent --no-coverage --randomize",
        valued="-t --test-name-pattern --timeout --coverage-reporter --reporter --seed",
        outputs="--reporter-outfile --outfile",
        changes="-u --update-snapshots",
        loads="--preload -r --require --import -c --config --env-file",
    ),
    "build": row(
        "build",
        flags="--minify --splitting --production --watch --minify-syntax --minify-whitespace --minify-identifiers",
        valued="--target --format --sourcemap -e --external --root --packages --define",
        outputs="--outdir --outfile --metafile",
        changes={"--compile": "create"},
        loads="--plugin --config",
    ),
}
