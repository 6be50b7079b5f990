"""Clusters and infrastructure: what the subcommands of their tools do."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

KUBE = "-n --namespace --context --cluster --request-timeout -v --v --as --as-group"
WIDE = "-A --all-namespaces"
GET = row(
    "cluster",
    flags=f"{WIDE} -w --watch --watch-only --no-headers --show-labels --show-kind --ignore-not-found -R "
    "--recursive --show-managed-fields --server-print --output-watch-events --allow-missing-template-keys",
    valued=f"{KUBE} -o --output -l --selector --field-selector --sort-by -L --label-columns -f --filename -k "
    "--kustomize --chunk-size --subresource --template --raw",
)
KUBE_READS: dict[str, Handler] = {
    "get": GET,
    "describe": row(
        "cluster",
        flags=f"{WIDE} --show-events -R --recursive",
        valued=f"{KUBE} -l --selector -f --filename --chunk-size",
    ),
    "logs": row(
        "cluster",
        flags="-f --follow -p --previous --all-containers --timestamps --prefix --ignore-errors --all-pods",
        valued=f"{KUBE} -c --container -l --selector --since --since-time --tail --limit-bytes --max-log-requests "
        "--pod-running-timeout",
    ),
    **rows(
        "top pod, top pods, top node, top nodes,",
        "cluster",
        flags=f"{WIDE} --containers --no-headers --sum --use-protocol-buffers --show-capacity",
        valued=f"{KUBE} -l --selector --sort-by --field-selector",
    ),
    "explain": row("cluster", flags="--recursive", valued=f"{KUBE} --api-version -o --output"),
    "version": row("cluster", flags="--client --short", valued=f"{KUBE} -o --output", most=0),
    "api-resources": row(
        "cluster",
        flags="--namespaced --no-headers --cached",
        valued=f"{KUBE} --verbs -o --output --api-group --sort-by --categories",
    ),
    **rows(
        "api-versions, options, config current-context, config get-clusters,", "cluster", valued=KUBE, most=0
    ),
    **rows("config get-users, cluster-info, plugin list,", "cluster", valued=KUBE, most=0),
    "config view": row(
        "cluster", flags="--minify --raw --flatten --merge", valued=f"{KUBE} -o --output", most=0
    ),
    "config get-contexts": row("cluster", flags="--no-headers", valued=f"{KUBE} -o --output"),
    "auth can-i": row(
        "cluster", flags=f"{WIDE} --list -q --quiet --no-headers", valued=f"{KUBE} --subresource"
    ),
    "auth whoami": row("cluster", valued=f"{KUBE} -o --output", most=0),
    "diff": row(
        "cluster",
        flags="-R --recursive --server-side --force-conflicts --show-managed-fields",
        valued=f"{KUBE} -f --filename -k --kustomize -l --selector --field-manager",
        most=0,
    ),
    "wait": row(
        "cluster",
        flags=f"{WIDE} --all -R --recursive",
        valued=f"{KUBE} --for --timeout -l --selector -f --filename --field-selector -o --output",
    ),
    "rollout status": row(
        "cluster", flags="-w --watch", valued=f"{KUBE} --timeout --revision -f --filename -l --selector"
    ),
    "rollout history": row("cluster", valued=f"{KUBE} --revision -f --filename -l --selector -o --output"),
    "events": row(
        "cluster", flags=f"{WIDE} -w --watch --no-headers", valued=f"{KUBE} --for --types -o --output"
    ),
    "kustomize": row(
        "cluster", flags="--reorder", valued="--load-restrictor --env", outputs="-o --output", most=1
    ),
    "completion": row("cluster", most=1),
}
KUBE_ACTS = (
    "-R --recursive --record --wait --force --server-side --force-conflicts --prune --all --overwrite "
    "--save-config --local --resource-version --keep --ignore-not-found --now --cascade --delete-emptydir-data "
    "--ignore-daemonsets --rm -i --stdin -t --tty --quiet -q --expose --list --command --cluster-ip --append-hash "
    f"--show-managed-fields {WIDE} --allow-missing-template-keys"
)
KUBE_GIVEN = (
    f"{KUBE} -f --filename -k --kustomize -l --selector -o --output --timeout --grace-period --field-manager "
    "--validate -p --patch --type --patch-file --replicas --current-replicas --image --from-literal --from-file "
    "--from-env-file --port --target-port --protocol --tcp --schedule --restart --env -e --labels --overrides "
    "--name --min --max --cpu-percent --limits --requests --from --docker-server --docker-username "
    "--docker-password --docker-email --cert --key --clusterrole --role --user --group --serviceaccount --verb "
    "--resource --resource-name --rule --class --default-backend --annotation --hard --scopes --external-name "
    "--node-port --field-selector --containers -c --subresource --to-revision --template --annotations "
    "--image-pull-policy --duration --audience"
)
KUBE_CHANGED = row("cluster", does="network", flags=KUBE_ACTS, valued=KUBE_GIVEN)
KUBE_DELETED = row("cluster", does="delete", flags=KUBE_ACTS, valued=KUBE_GIVEN)
KUBE_CHANGES = (
    "apply, create, patch, edit, replace, label, annotate, scale, set, expose, run, autoscale, taint, cordon, "
    "uncordon, drain, rollout restart, rollout undo, rollout pause, rollout resume, attach, debug, certificate, "
    "config set, config use-context, config set-context, config unset, config delete-context, auth reconcile"
)
HELM = "-n --namespace --kube-context --burst-limit --qps"
HELM_LISTS = row(
    "cluster",
    flags="-A --all-namespaces -a --all -q --short --deployed --failed --pending --superseded --uninstalled "
    "--no-headers -r --reverse -d --date --debug",
    valued=f"{HELM} -o --output -f --filter -m --max --offset -l --selector --time-format",
)
HELM_VALUES = (
    f"{HELM} -f --values --set --set-string --set-json --set-file --set-literal --version --kube-version -a "
    "--api-versions -s --show-only --name-template --repo --timeout"
)
HELM_SHOWN = row(
    "cluster", flags="--devel --debug", valued=f"{HELM} --version --repo --jsonpath", remote="addresses"
)
HELM_FOUND = row(
    "cluster",
    flags="-l --versions --devel -r --regexp --list-repo-url --fail-on-no-result",
    valued="-o --output --version --max-col-width",
)
HELM_READS: dict[str, Handler] = {
    **rows("list, ls,", HELM_LISTS),
    "status": row(
        "cluster", flags="--show-desc --show-resources --debug", valued=f"{HELM} -o --output --revision"
    ),
    **rows(
        "get all, get values, get manifest, get notes, get hooks, get metadata,",
        "cluster",
        flags="-a --all --debug",
        valued=f"{HELM} -o --output --revision --template",
    ),
    **rows("history, hist,", "cluster", flags="--debug", valued=f"{HELM} --max -o --output"),
    **rows(
        "show all, show chart, show values, show readme, show crds, inspect chart, inspect values,",
        HELM_SHOWN,
    ),
    "search repo": HELM_FOUND,
    "search hub": replace(HELM_FOUND, remote="words"),
    "template": row(
        "cluster",
        flags="--include-crds --debug --validate --is-upgrade --no-hooks --skip-crds --skip-tests --release-name "
        "-g --generate-name --devel --disable-openapi-validation",
        valued=HELM_VALUES,
        outputs="--output-dir",
        remote="addresses",
        loads="--post-renderer --post-renderer-args",
    ),
    "lint": row("cluster", flags="--strict --quiet --with-subcharts --debug", valued=HELM_VALUES),
    "version": row("cluster", flags="--short -c --client", valued="--template", most=0),
    **rows("env, plugin list, plugin ls,", "cluster", most=1),
    **rows("repo list, repo ls,", "cluster", valued="-o --output", most=0),
    **rows("dependency list, dep list, dependency ls, dep ls,", "cluster", valued="--max-col-width", most=1),
    **rows(
        "diff upgrade, diff revision, diff release, diff rollback,",
        "cluster",
        flags="--allow-unreleased --no-color --color --detailed-exitcode --install --reuse-values --reset-values "
        "--no-hooks --include-tests --show-secrets --suppress-secrets -q --three-way-merge",
        valued=f"{HELM_VALUES} -C --context --suppress --output",
    ),
}
HELM_CHANGED = row(
    "cluster",
    does="network",
    flags="-i --install --wait --wait-for-jobs --atomic --create-namespace --force --reuse-values --reset-values "
    "--reset-then-reuse-values --no-hooks --cleanup-on-fail --debug --devel -g --generate-name --dependency-update "
    "--include-crds --skip-crds --disable-openapi-validation --hide-secret --hide-notes --replace "
    "--render-subchart-notes --recreate-pods --take-ownership",
    valued=f"{HELM_VALUES} --description --history-max -o --output",
    loads="--post-renderer",
)
HELM_REMOVED = row(
    "cluster",
    does="delete",
    flags="--wait --no-hooks --keep-history --ignore-not-found --debug",
    valued=f"{HELM} --timeout --description --cascade",
)
HELM_OTHERS = (
    "test, pull, push, repo add, repo update, repo remove, dependency update, dependency build, plugin install, "
    "registry login, package, create"
)
NETWORK = row("cluster", does="network")

PLANNED = (
    "-no-color -destroy -refresh-only -refresh -compact-warnings -detailed-exitcode -input -lock -json -concise "
    "--no-color --destroy"
)
TERRAFORM: dict[str, Handler] = {
    "validate": row("infrastructure", flags="-json -no-color -no-tests", style="single"),
    "show": row("infrastructure", flags="-json -no-color --json", style="single"),
    "output": row(
        "infrastructure", flags="-json -raw -no-color --json --raw", valued="-state", style="single", most=1
    ),
    "state list": row("infrastructure", valued="-id -state", style="single"),
    "state show": row("infrastructure", flags="-no-color", valued="-state", style="single"),
    "state pull": row("infrastructure", style="single", most=0),
    "providers": row("infrastructure", style="single", most=0),
    "providers schema": row("infrastructure", flags="-json", style="single", most=0),
    "version": row("infrastructure", flags="-json", style="single", most=0),
    "graph": row(
        "infrastructure", flags="-draw-cycles", valued="-type -plan -module-depth", style="single", most=0
    ),
    **rows(
        "workspace list, workspace show, metadata functions,", "infrastructure", flags="-json", style="single"
    ),
    "plan": row(
        "infrastructure",
        flags=PLANNED,
        valued="-var -var-file -target -replace -parallelism -lock-timeout -state --var --var-file --target",
        outputs="-out --out -generate-config-out",
        style="single",
    ),
    **rows(
        "import, taint, untaint, refresh, state mv, state push, state replace-provider, workspace new, workspace "
        "select, force-unlock, login, logout, test,",
        "infrastructure",
        does="network",
        flags="-no-color -input -lock -force -json -allow-missing -or-create -verbose -dry-run",
        valued="-var -var-file -target -state -config -lock-timeout -parallelism -filter",
        style="single",
    ),
    **rows(
        "destroy, state rm, workspace delete,",
        "infrastructure",
        does="delete",
        flags="-auto-approve --auto-approve -no-color -input -lock -force -refresh -json -compact-warnings",
        valued="-var -var-file -target -state -parallelism -lock-timeout --target --var",
        style="single",
    ),
    **rows(
        "init, get,",
        "infrastructure",
        does="install",
        flags="-upgrade -no-color -input -reconfigure -migrate-state -force-copy -backend -get -update -lock -json",
        valued="-backend-config -lockfile -lock-timeout -plugin-dir -from-module",
        style="single",
    ),
    "providers lock": row(
        "infrastructure", does="overwrite", valued="-platform -fs-mirror -net-mirror", style="single"
    ),
    "providers mirror": row(
        "infrastructure", does="create", targets="operands", valued="-platform", style="single"
    ),
}
APPLY = row(
    "infrastructure",
    does="network",
    flags="-auto-approve --auto-approve -no-color -input -lock -refresh -refresh-only -json -compact-warnings",
    valued="-var -var-file -target -replace -parallelism -state -lock-timeout --target --var",
    changes={"-destroy": "delete", "--destroy": "delete"},
    style="single",
)
FORMAT = row(
    "build",
    flags="-check --check -diff --diff -recursive --recursive -list -no-color -write --write --list",
    style="single",
)

PLAYBOOK_ASKS = "--check -C --syntax-check --list-tasks --list-hosts --list-tags"
PLAYED = (
    "-l --limit -t --tags --skip-tags -e --extra-vars -u --user -f --forks --start-at-task -T "
    "--timeout --private-key --become-user --become-method --vault-id"
)
PLAYBOOK = row(
    "infrastructure",
    flags=f"{PLAYBOOK_ASKS} -D --diff -v -b --become -K --ask-become-pass -k --ask-pass --flush-cache --step",
    valued=PLAYED,
    places="-i --inventory",
    loads="--vault-password-file -M --module-path --ssh-common-args --ssh-extra-args --sftp-extra-args -c "
    "--connection",
)
ADHOC = row("infrastructure", flags="--list-hosts -v", valued="-l --limit", places="-i --inventory")
INVENTORY = row(
    "infrastructure",
    flags="--list --graph --vars -y --yaml --toml --export -v",
    valued="--host -l --limit",
    places="-i --inventory",
    outputs="--output",
)
PROGRAMS: dict[str, Handler] = {
    "kustomize": tree(
        "cluster",
        {
            "build": row(
                "cluster",
                valued="--load-restrictor",
                outputs="-o --output",
                most=1,
                remote="addresses",
            ),
            "version": row("cluster", flags="--short", most=0),
            **rows("edit, create,", "cluster", does="overwrite"),
        },
    ),
}
