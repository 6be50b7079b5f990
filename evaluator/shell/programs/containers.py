"""docker and its kin: subcommands that look or change; what they run inside is looked at in `acts`."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

NONE = row("container")
LIST = row(
    "container",
    flags="-a --all -q --quiet --no-trunc -l --latest -s --size --digests --tree --services --orphans --no-orphans "
    "--pods -p --pod --sort -H --human --human=false",
    valued="-f --filter --format -n --last --status",
)
LOGS = row(
    "container",
    flags="-f --follow -t --timestamps --details --no-color --no-log-prefix --latest -l --names --no-trunc --raw "
    "--no-resolve --no-task-ids",
    valued="--since --until -n --tail --index",
)
INSPECT = row("container", flags="-s --size --pretty --verbose -v", valued="-f --format --type")
STATS = row("container", flags="-a --all --no-stream --no-trunc --no-reset", valued="--format -i --interval")
ABOUT = row("container", flags="--client --short", valued="-f --format")
IMAGES: dict[str, Handler] = {
    **rows("images, image ls, image list,", LIST),
    **rows(
        "history, image history,",
        "container",
        flags="-H --human --no-trunc -q --quiet",
        valued="--format --platform",
    ),
    "image inspect": row("container", valued="-f --format --platform"),
    "manifest inspect": row("container", flags="-v --verbose --insecure", remote="words"),
    "buildx imagetools inspect": row("container", flags="--raw", valued="--format", remote="words"),
    "search": row(
        "container",
        flags="--no-trunc --automated",
        valued="-f --filter --format --limit",
        remote="words",
    ),
}
READS: dict[str, Handler] = {
    **IMAGES,
    **rows("ps, container ls, container list, container ps,", LIST),
    **rows(
        "network ls, network list, volume ls, volume list, context ls, context list, plugin ls, node ls,",
        LIST,
    ),
    **rows("service ls, stack ls, secret ls, config ls, machine list, machine ls, pod ps, pod ls,", LIST),
    **rows("service ps, stack ps, stack services, node ps,", LIST),
    **rows("logs, container logs, service logs,", LOGS),
    **rows(
        "inspect, container inspect, network inspect, volume inspect, context inspect, service inspect,",
        INSPECT,
    ),
    **rows(
        "node inspect, secret inspect, config inspect, plugin inspect, machine inspect, pod inspect,", INSPECT
    ),
    **rows("stats, container stats, pod stats,", STATS),
    **rows("version, info, system info,", ABOUT),
    **rows("top, container top, diff, container diff, wait, container wait, context show,", NONE),
    **rows("port, container port,", NONE),
    **rows("events, system events,", "container", valued="-f --filter --since --until --format"),
    "system df": row("container", flags="-v --verbose", valued="--format"),
    "buildx ls": row("container", flags="--no-trunc", valued="--format"),
    "buildx inspect": row("container", valued="--builder", most=1),
    "buildx du": row("container", flags="--verbose", valued="--filter --builder"),
    "buildx version": row("container", most=0),
}
CHANGED = row(
    "container",
    does="network",
    flags="-a --all -f --force -q --quiet -d --detach -i --interactive --disable-content-trust --attachable "
    "--internal --with-registry-auth --prune --all-tags --password-stdin --use --bootstrap --ipv6 --ingress "
    "--clean -t",
    valued="-t --time --timeout --signal -s -n --name --platform --driver --subnet --gateway --opt -o --label --ip "
    "--alias --link -u --username -p --password -m --memory --cpus --restart --message --author --change -c "
    "--compose-file --description --docker --replicas --image --advertise-addr --token --ip-range --host",
)
CHANGES: dict[str, Handler] = {
    **rows(
        "start, stop, restart, kill, pause, unpause, push, pull, tag, commit, load, import, login, logout,",
        CHANGED,
    ),
    **rows(
        "rename, update, network create, network connect, network disconnect, volume create, image push,",
        CHANGED,
    ),
    **rows(
        "image pull, image tag, image load, image import, container start, container stop, container restart,",
        CHANGED,
    ),
    **rows(
        "container kill, container commit, container pause, container unpause, container rename,", CHANGED
    ),
    **rows(
        "context create, context use, buildx create, buildx use, swarm init, swarm join, swarm leave,",
        CHANGED,
    ),
    **rows(
        "service create, service update, service scale, stack deploy, secret create, config create,", CHANGED
    ),
    **rows("machine start, machine stop, machine init,", CHANGED),
}
REMOVED = row(
    "container",
    does="delete",
    flags="-f --force -v --volumes -l --link -a --all --no-prune -q --quiet --all-inactive --keep-state -i --ignore",
    valued="--filter --keep-storage --builder --platform --time -t",
)
REMOVES: dict[str, Handler] = {
    **rows(
        "rm, rmi, system prune, image rm, image prune, container rm, container prune, volume rm, volume prune,",
        REMOVED,
    ),
    **rows(
        "network rm, network prune, builder prune, buildx rm, buildx prune, context rm, service rm, stack rm,",
        REMOVED,
    ),
    **rows("secret rm, config rm, plugin rm, pod rm, machine rm, node rm,", REMOVED),
}
COMPOSE_GLOBALS = "-p --project-name --profile --ansi --parallel --progress"
COMPOSE_PLACES = "-f --file --project-directory --env-file"
COMPOSE_READS: dict[str, Handler] = {
    **rows("ps, ls, images,", LIST),
    "logs": LOGS,
    **rows(
        "config, convert,",
        "container",
        flags="-q --quiet --services --volumes --images --profiles --hash --no-interpolate --no-normalize "
        "--no-path-resolution --no-consistency --resolve-image-digests --environment --variables --networks "
        "--models",
        valued="--format --hash",
        outputs="-o --output",
    ),
    **rows("top, wait,", NONE),
    "port": row("container", valued="--protocol --index", most=2),
    "version": row("container", flags="--short", valued="-f --format", most=0),
    "events": row("container", flags="--json", valued="--since --until"),
    "stats": STATS,
    "volumes": LIST,
}
COMPOSE_CHANGED = row(
    "container",
    does="network",
    flags="-d --detach --build --no-build --force-recreate --no-recreate --no-deps --remove-orphans "
    "--renew-anon-volumes -V --wait --abort-on-container-exit --quiet-pull -q --quiet --no-start "
    "--always-recreate-deps --no-log-prefix --no-color --include-deps --ignore-pull-failures "
    "--ignore-push-failures --attach-dependencies --no-attach -y --yes --timestamps --prune --no-up --watch -w "
    "--menu --ignore-buildable",
    valued="-t --timeout --scale --pull --exit-code-from --attach --wait-timeout -s --signal --index --policy",
)
COMPOSE_CHANGES = rows(
    "up, start, stop, restart, kill, pause, unpause, push, pull, create, watch, scale, attach,",
    COMPOSE_CHANGED,
)
COMPOSE_REMOVES = rows("rm,", "container", does="delete", flags="-f --force -s --stop -v --volumes")
DOWN = row(
    "container",
    does="network",
    flags="--remove-orphans",
    valued="-t --timeout",
    changes={"-v": "delete", "--volumes": "delete", "--rmi": "delete"},
)
BUILD = row(
    "build",
    flags="--no-cache --pull -q --quiet --rm --force-rm --load --compress --squash --push --no-parallel "
    "--with-dependencies --check --provenance --sbom -m",
    places="-f --file *",
    valued="-t --tag --build-arg --target --platform -o --output --iidfile --metadata-file --cidfile "
    "--progress --secret --ssh --label --network --cache-from --cache-to --builder --add-host "
    "--memory --set --shm-size --ulimit --attest --call --provenance --sbom --annotation",
)
BAKE = row(
    "container",
    does="network",
    flags="--no-cache --pull --load --push --provenance --sbom",
    valued="-f --file --set --progress --builder --metadata-file --allow",
)
"""What it builds, and where it pushes that, stands in a file."""
SAVE = row("container", outputs="-o --output", valued="--platform")
COPY = row("container", flags="-a --archive -L --follow-link -q --quiet --all", valued="--index")
