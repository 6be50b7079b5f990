"""What deploys applications and functions to a host: vercel, fly, heroku, firebase and their like."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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
SHOWN = row(
    "cloud",
    flags="-l --long --json -j --all -c --no-color --quiet -q",
    valued="-a --app --profile -p --format -o --output --stack-name -n --name --env",
)


CDK = row(
    "cloud",
    flags="-l --long -j --json -q --quiet -v --verbose --no-color --all -e --exclusively --strict --fail --no-staging",
    valued="-p --profile -c --context",
    outputs="-o --output",
    runs="-a --app",
)


PLATFORMS: dict[str, Handler] = {
    **rows(
        "vercel",
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
            **rows("ls, list, diff, synth, synthesize, doctor, version, metadata, notices,", CDK),
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
}
