"""What keeps machines, secrets and services: pulumi, vault, consul, nomad, packer, vagrant."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.programs.platforms import CHANGE, DELETE
from evaluator.shell.rows.row import row, rows, tree

NETWORK = row("cloud", does="network", style="single")
VAULT = row(
    "cloud",
    flags="-detailed -versions -output-policy --detailed",
    valued="-format -field -version -mount -namespace -ns --format --field",
    style="single",
)
PULUMI_GLOBALS = "-s --stack --color --logtostderr"
PULUMI_PLACES = "-C --cwd"
PULUMI = row(
    "cloud",
    flags="-j --json --show-urns -u --show-secrets --show-ids -i --show-name -a --all --shell -v --verbose -f "
    "--follow --non-interactive --full-dates",
    places=PULUMI_PLACES,
    valued="-s --stack --color --since -p --project -t --tag -o --organization --page --page-size --path",
)
PULUMI_ALONE = row(
    "cloud",
    most=0,
    flags="-j --json --show-urns -u --show-secrets --show-ids -i --show-name -a --all --shell -v --verbose -f "
    "--follow --non-interactive --full-dates",
    places=PULUMI_PLACES,
    valued="-s --stack --color --since -p --project -t --tag -o --organization --page --page-size --path",
)
PULUMI_PREVIEW = row(
    "cloud",
    flags="-j --json --diff --show-config --show-reads --show-replacement-steps --show-sames --refresh "
    "--suppress-outputs --expect-no-changes --non-interactive --suppress-progress",
    places=PULUMI_PLACES,
    valued="-s --stack --color -t --target --replace -p --parallel -m --message",
    outputs="--save-plan --import-file",
)


PLATFORMS: dict[str, Handler] = {
    "pulumi": tree(
        "cloud",
        {
            **rows(
                "stack ls, stack output, stack history, stack tag ls, whoami, version, config get, about, logs,",
                PULUMI,
            ),
            **rows("stack, config,", PULUMI_ALONE),
            **rows("plugin ls, org get-default, policy ls, state list,", PULUMI),
            **rows("preview, pre,", PULUMI_PREVIEW),
            **rows(
                "up, update, refresh, config set, config rm, stack init, stack select, import, cancel, login, "
                "logout,",
                CHANGE,
            ),
            **rows("destroy, stack rm, state delete,", DELETE),
        },
        valued=PULUMI_GLOBALS,
        places=PULUMI_PLACES,
        flags="--non-interactive",
    ),
    "vault": tree(
        "cloud",
        {
            **rows(
                "read, list, status, kv get, kv list, kv metadata get, secrets list, auth list, policy list, "
                "policy read,",
                VAULT,
            ),
            **rows(
                "token lookup, version, audit list, lease lookup, operator raft list-peers, path-help, token "
                "capabilities,",
                VAULT,
            ),
            **rows(
                "write, kv put, kv patch, login, secrets enable, auth enable, policy write, token create, token "
                "renew, unwrap,",
                "cloud",
                does="network",
                valued="-mount -format -field -method -path -policy -ttl -cas",
                style="single",
            ),
            **rows(
                "delete, kv delete, kv destroy, kv metadata delete, secrets disable, auth disable, policy delete, "
                "token revoke, lease revoke,",
                "cloud",
                does="delete",
                flags="-force -prefix -self",
                valued="-mount -versions",
                style="single",
            ),
        },
        style="single",
    ),
    "consul": tree(
        "cloud",
        {
            **rows(
                "members, info, kv get, catalog datacenters, catalog nodes, catalog services, version, config "
                "list, config read,",
                "cloud",
                flags="-detailed -recurse -keys -base64 -wan -segment",
                valued="-format -kind -name -service -node -status",
                style="single",
            ),
            **rows(
                "acl token list, acl policy list, acl role list, operator raft list-peers, intention list, "
                "intention check,",
                "cloud",
                valued="-format",
                style="single",
            ),
            **rows("kv put, kv import, config write, reload, services register,", NETWORK),
            **rows(
                "kv delete, config delete, services deregister, leave, force-leave,",
                "cloud",
                does="delete",
                flags="-recurse",
                valued="-kind -name -id",
                style="single",
            ),
        },
        style="single",
    ),
    "nomad": tree(
        "cloud",
        {
            **rows(
                "status, job status, node status, alloc status, alloc logs, job history, job inspect, job plan, "
                "plan, validate, job validate,",
                "cloud",
                flags="-short -verbose -stats -evals -json -stderr -f -tail -diff -all-allocs -no-color",
                valued="-n -job -namespace -region -task -t -version",
                style="single",
            ),
            **rows(
                "server members, version, deployment list, deployment status, eval status, namespace list, volume "
                "status, job deployments, job allocs,",
                "cloud",
                flags="-verbose -json -detailed -short",
                valued="-namespace -t -type",
                style="single",
            ),
            **rows(
                "run, job run, job dispatch, job promote, job scale, job restart, alloc restart, deployment promote,",
                NETWORK,
            ),
            **rows(
                "stop, job stop, alloc stop, system gc, volume delete, namespace delete, node drain,",
                "cloud",
                does="delete",
                flags="-purge -yes -detach -global",
                valued="-namespace",
                style="single",
            ),
        },
        style="single",
    ),
    "packer": tree(
        "cloud",
        {
            **rows(
                "validate, inspect, version,",
                "cloud",
                flags="-syntax-only -machine-readable",
                valued="-var -var-file -only -except",
                style="single",
            ),
            **rows("build, push,", CHANGE),
        },
    ),
    "vagrant": tree(
        "cloud",
        {
            **rows(
                "status, global-status, ssh-config, box list, version, port, snapshot list, validate, plugin list,",
                "cloud",
                flags="--prune=false --machine-readable --guest",
                valued="--host",
            ),
            **rows("up, halt, reload, provision, suspend, resume, box add, ssh, init,", CHANGE),
            **rows("destroy, box remove, snapshot delete,", DELETE),
        },
    ),
}
