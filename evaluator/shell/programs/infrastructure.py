"""What keeps machines, secrets and services: pulumi, vault, consul, nomad, packer, vagrant."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.programs.platforms import CHANGE, DELETE
from evaluator.shell.rows.row import row, rows, tree

NETWORK = row("cloud", does="network", style="single")
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
    "vagrant": tree(
        "cloud",
        {
            **rows("up, halt, reload, provision, suspend, resume, box add, ssh, init,", CHANGE),
            **rows("destroy, box remove, snapshot delete,", DELETE),
        },
    ),
}
