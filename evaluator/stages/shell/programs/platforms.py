"""Platforms, local clusters and secret stores: a short path of words says what is done."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import row, rows, tree

LOOK = row(
    "cloud",
    flags="-j --json -q --quiet -v --verbose --no-color --all",
    valued="-a --app -r --remote -o --output --format -n --num --limit",
)
CHANGE = row(
    "cloud",
    does="network",
    flags="-y --yes -q --quiet -v --verbose --json --no-color -f --force --prod --detach --debug --now --all",
    valued="-a --app -r --remote -c --config -e --env --environment -n --name -t --token --project --only --image "
    "--region -s --stack --message --stage",
)
DELETE = row(
    "cloud",
    does="delete",
    flags="-y --yes -q --quiet -v --verbose --json -f --force --all --all-collections --linked --no-color "
    "--recursive -r --parallel --purge --skip-preview",
    valued="-a --app --remote --confirm -c --config -n --name --project -s --stack --stage -p --profile --token "
    "--site",
)
NETWORK = row("cloud", does="network", style="single")
HEROKU = row(
    "cloud",
    flags="-j --json -s --shell -t --tail --force-colors -x --extended -A --all --no-wrap",
    valued="-a --app -r --remote -n --num -p --ps -d --dyno --source --process-type --dyno-name --team",
)
FLY = row(
    "cloud",
    flags="-j --json --all -q --quiet --no-tail",
    valued="-a --app -c --config -o --org -i --instance --machine -r --region",
)
VERCEL = row(
    "cloud",
    flags="-y --yes --json --follow -f --prod --no-color",
    valued="-S --scope -T --team --since -n --limit --meta --environment --status",
)
VAULT = row(
    "cloud",
    flags="-detailed -versions -output-policy --detailed",
    valued="-format -field -version -mount -namespace -ns --format --field",
    style="single",
)
LOOKS_THERE = row(
    "cloud",
    flags="-A --all-namespaces -a --all -q --quiet -v --verbose -json -verbose -stats -detailed -short --short "
    "--json --no-color -l -n -tail -f -stderr -status -recurse -keys -evals --refresh --hard-refresh --client "
    "--watch -w",
    valued="-o --output --format -t --revision --namespace --context -p --profile -job -type --tail --selector -c "
    "--container --since --since-time --server-side-diff --local",
)
PULUMI_GLOBALS = "-C --cwd -s --stack --color --logtostderr"
PULUMI = row(
    "cloud",
    flags="-j --json --show-urns -u --show-secrets --show-ids -i --show-name -a --all --shell -v --verbose -f "
    "--follow --non-interactive --full-dates",
    valued="-s --stack -C --cwd --color --since -p --project -t --tag -o --organization --page --page-size --path",
)
PULUMI_ALONE = row(
    "cloud",
    most=0,
    flags="-j --json --show-urns -u --show-secrets --show-ids -i --show-name -a --all --shell -v --verbose -f "
    "--follow --non-interactive --full-dates",
    valued="-s --stack -C --cwd --color --since -p --project -t --tag -o --organization --page --page-size --path",
)
PULUMI_PREVIEW = row(
    "cloud",
    flags="-j --json --diff --show-config --show-reads --show-replacement-steps --show-sames --refresh "
    "--suppress-outputs --expect-no-changes --non-interactive --suppress-progress",
    valued="-s --stack -C --cwd --color -t --target --replace -p --parallel -m --message --policy-pack",
    outputs="--save-plan --import-file",
)
SHOWN = row(
    "cloud",
    flags="-l --long --json -j --all -c --no-color --quiet -q",
    valued="-a --app --profile -p --format -o --output --stack-name -n --name --env",
)
PLATFORMS: dict[str, Handler] = {
    **rows(
        "vercel vc",
        tree(
            "cloud",
            {
                **rows(
                    "ls, list, inspect, logs, whoami, env ls, env list, domains ls, domains inspect, projects ls,",
                    VERCEL,
                ),
                **rows(
                    "project ls, projects list, alias ls, teams ls, certs ls, dns ls, help, integration list,",
                    VERCEL,
                ),
                **rows(
                    "deploy, env add, alias set, promote, rollback, redeploy, link, domains add, env pull, build,",
                    CHANGE,
                ),
                **rows("remove, rm, env rm, domains rm, alias rm, project rm, dns rm, certs rm,", DELETE),
            },
            flags="--prod --yes -y --force -f --confirm --debug",
            bare=CHANGE,
        ),
    ),
    **rows(
        "netlify ntl",
        tree(
            "cloud",
            {
                **rows(
                    "status, sites:list, env:list, env:get, functions:list, recipes:list, addons:list, blobs:list,",
                    LOOK,
                ),
                **rows("deploy, link, init, env:set, env:import, sites:create, build,", CHANGE),
                **rows("sites:delete, env:unset, addons:delete,", DELETE),
            },
        ),
    ),
    "firebase": tree(
        "cloud",
        {
            **rows(
                "projects:list, apps:list, functions:list, functions:log, hosting:sites:list, hosting:channel:list,",
                LOOK,
            ),
            **rows(
                "firestore:indexes, database:instances:list, remoteconfig:get, target, login:list, "
                "firestore:databases:list,",
                LOOK,
            ),
            **rows("deploy, hosting:channel:deploy, functions:config:set, init, use,", CHANGE),
            **rows(
                "firestore:delete, functions:delete, hosting:disable, database:remove, hosting:sites:delete,",
                DELETE,
            ),
        },
        valued="-P --project",
        flags="--json --non-interactive --debug",
    ),
    "wrangler": tree(
        "cloud",
        {
            **rows(
                "whoami, deployments list, deployments status, versions list, versions view, kv namespace list, "
                "secret list,",
                SHOWN,
            ),
            **rows(
                "kv key list, r2 bucket list, d1 list, d1 info, d1 migrations list, pages project list, queues list,",
                SHOWN,
            ),
            **rows(
                "pages deployment list, kv:namespace list, kv:key list, hyperdrive list, vectorize list,",
                SHOWN,
            ),
            **rows(
                "deploy, publish, pages deploy, secret put, kv key put, d1 create, r2 object put, rollback,",
                CHANGE,
            ),
            **rows(
                "delete, kv namespace delete, kv key delete, r2 bucket delete, r2 object delete, d1 delete, secret "
                "delete,",
                DELETE,
            ),
        },
    ),
    "supabase": tree(
        "cloud",
        {
            **rows(
                "status, projects list, functions list, migration list, secrets list, branches list, orgs list,",
                LOOK,
            ),
            **rows(
                "db push, functions deploy, link, migration up, secrets set, start, stop, gen types, projects "
                "create,",
                CHANGE,
            ),
            **rows("db reset, functions delete, projects delete, branches delete, secrets unset,", DELETE),
        },
    ),
    "railway": tree(
        "cloud",
        {
            **rows("status, whoami, list,", LOOK),
            "logs": row(
                "cloud", flags="-d --deployment -b --build --json", valued="-s --service -e --environment"
            ),
            **rows("up, link, redeploy, deploy, add, run, shell,", CHANGE),
            **rows("down, delete,", DELETE),
        },
    ),
    "heroku": tree(
        "cloud",
        {
            **rows(
                "config, config:get, logs, ps, apps, apps:info, info, releases, releases:info, addons, addons:info,",
                HEROKU,
            ),
            **rows(
                "domains, pg, pg:info, pg:ps, pg:backups, status, auth:whoami, regions, stack, pipelines, "
                "maintenance,",
                HEROKU,
            ),
            **rows(
                "features, labs, buildpacks, ps:type, certs, redis:info, pg:diagnose, access, drains, webhooks,",
                HEROKU,
            ),
            **rows(
                "run, config:set, config:unset, restart, ps:restart, ps:scale, create, apps:create, rollback,",
                CHANGE,
            ),
            **rows(
                "addons:create, releases:rollback, maintenance:on, maintenance:off, pg:promote, pipelines:promote,",
                CHANGE,
            ),
            **rows(
                "apps:destroy, pg:reset, addons:destroy, pipelines:destroy, domains:clear, domains:remove,",
                DELETE,
            ),
        },
    ),
    **rows(
        "fly flyctl",
        tree(
            "cloud",
            {
                **rows(
                    "apps list, status, logs, secrets list, machine list, machine status, machines list, volumes "
                    "list,",
                    FLY,
                ),
                **rows(
                    "releases, image show, ips list, certs list, certs show, info, auth whoami, config show, scale "
                    "show,",
                    FLY,
                ),
                **rows(
                    "regions list, postgres list, doctor, platform regions, platform vm-sizes, version, checks list,",
                    FLY,
                ),
                **rows(
                    "deploy, launch, secrets set, secrets unset, scale count, scale vm, scale memory, machine "
                    "restart,",
                    CHANGE,
                ),
                **rows(
                    "apps create, apps restart, machine start, machine stop, volumes create, postgres create, "
                    "restart,",
                    CHANGE,
                ),
                **rows(
                    "apps destroy, destroy, machine destroy, machines destroy, volumes destroy, volumes delete,",
                    DELETE,
                ),
            },
            valued="-a --app -c --config",
        ),
    ),
    "cdk": tree(
        "cloud",
        {
            **rows("ls, list, diff, synth, synthesize, doctor, version, metadata, notices,", SHOWN),
            **rows("deploy, bootstrap, import, watch, rollback,", CHANGE),
            "destroy": DELETE,
        },
        valued="--profile",
    ),
    **rows(
        "serverless sls",
        tree(
            "cloud",
            {
                **rows(
                    "info, print, deploy list,",
                    "cloud",
                    flags="-v --verbose",
                    valued="-s --stage -r --region --format --path -c --config",
                ),
                **rows("deploy, rollback, invoke, package,", CHANGE),
                "remove": DELETE,
            },
        ),
    ),
    "sam": tree(
        "cloud",
        {
            **rows(
                "validate, list resources, list endpoints, list stack-outputs, logs,",
                "cloud",
                flags="--lint -t --tail",
                valued="-t --template --template-file --stack-name -n --name --region --output -s --start-time "
                "--config-env",
            ),
            **rows("deploy, package, sync, publish,", CHANGE),
            "delete": DELETE,
        },
    ),
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
    "minikube": tree(
        "cluster",
        {
            **rows(
                "status, ip, profile list, addons list, version, service list, node list, image ls, ssh-key, "
                "config view,",
                LOOKS_THERE,
            ),
            **rows(
                "start, stop, pause, unpause, addons enable, addons disable, image load, tunnel, config set, "
                "profile,",
                CHANGE,
            ),
            "delete": DELETE,
        },
        valued="-p --profile",
    ),
    "kind": tree(
        "cluster",
        {
            **rows(
                "get clusters, get nodes, get kubeconfig, version,",
                "cluster",
                flags="-q --quiet --internal -A",
                valued="-n --name -v",
                most=0,
            ),
            **rows(
                "create cluster, load docker-image, load image-archive, export kubeconfig, export logs,",
                CHANGE,
            ),
            **rows("delete cluster, delete clusters,", DELETE),
        },
    ),
    "k3d": tree(
        "cluster",
        {
            **rows(
                "cluster list, cluster ls, node list, registry list, version, kubeconfig get,", LOOKS_THERE
            ),
            **rows(
                "cluster create, cluster start, cluster stop, image import, node create, kubeconfig merge,",
                CHANGE,
            ),
            **rows("cluster delete, node delete, registry delete,", DELETE),
        },
    ),
    "argocd": tree(
        "cluster",
        {
            **rows(
                "app list, app get, app diff, app history, app manifests, app logs, app resources, app wait, "
                "cluster list, cluster get,",
                LOOKS_THERE,
            ),
            **rows(
                "repo list, proj list, proj get, version, account list, account get-user-info, appset list, appset "
                "get, context list,",
                LOOKS_THERE,
            ),
            **rows(
                "app sync, app create, app set, app rollback, app patch, login, logout, repo add, cluster add, "
                "proj create,",
                CHANGE,
            ),
            **rows("app delete, repo rm, cluster rm, proj delete, appset delete,", DELETE),
        },
    ),
    "flux": tree(
        "cluster",
        {
            **rows("get, check, version, tree, stats, events, logs, trace,", LOOKS_THERE),
            **rows("reconcile, suspend, resume, bootstrap, create, install,", CHANGE),
            **rows("delete, uninstall,", DELETE),
        },
        valued="-n --namespace --context",
    ),
    "istioctl": tree(
        "cluster",
        {
            **rows("version, analyze, proxy-status, ps, proxy-config, pc, validate,", LOOKS_THERE),
            **rows("install, upgrade, tag set,", CHANGE),
            **rows("uninstall, tag remove,", DELETE),
        },
        valued="-n --namespace --context",
    ),
    "eksctl": tree(
        "cloud",
        {
            **rows(
                "get, version, info,",
                "cloud",
                flags="-A",
                valued="-o --output --cluster -c --name -n -r --region -p --profile",
            ),
            **rows("create, upgrade, scale, enable, utils,", CHANGE),
            **rows("delete, drain,", DELETE),
        },
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
