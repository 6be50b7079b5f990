"""docker and its kin."""

from __future__ import annotations

from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Commands, Rule, always, copied, programs, table

GLOBALS = names("-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey")
BUILD_VALUED = names(
    "-t --tag -f --file --build-arg --target --platform -o --output --iidfile --metadata-file --cidfile "
    "--progress "
    "--secret --ssh --label --network --cache-from --cache-to --builder --build-context --add-host -m "
    "--memory"
)
EXEC_VALUED = names("-e --env -u --user -w --workdir --env-file --detach-keys --index")
RUN_VALUED = EXEC_VALUED | names(
    "-v --volume -p --publish --name --network --net --entrypoint -m --memory --cpus --mount -h --hostname "
    "-l --label --add-host "
    "--platform --restart --gpus --link --dns --ip --ulimit --shm-size --tmpfs --device --cap-add --cap-drop "
    "--security-opt "
    "--log-driver --log-opt --pid --ipc --userns --volumes-from --pull --cidfile --health-cmd --stop-signal "
    "-a --attach --expose"
)
COMPOSE_GLOBALS = names(
    "-f --file -p --project-name --profile --project-directory --env-file --ansi --parallel --progress"
)


def _exec(call: Call) -> list[Outcome]:
    options = read_options(call.args, EXEC_VALUED, stop=True)
    command = options.rest[1:]
    if not command:
        return [unlisted("container")]
    found = call.shell.run_words(command, call.stdin)
    # Files in a container are no files here.
    return [
        replace(one, family="container" if one.family != "build" else "build", targets=()) for one in found
    ]


def _save(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o --output"))
    files = [value.text for value in options.values(names("-o --output"))]
    return [writes("overwrite", files, "container")] if files else [reads("container")]


def _copy(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("--index")).texts()
    if len(given) < 2 or given[-1] == "-":
        return [reads("container")]
    if ":" in given[-1]:
        return [writes("network", (), "container")]
    return [writes("overwrite", copied([given[0].rsplit(":", 1)[-1]], given[-1]), "container")]


def _build(call: Call) -> list[Outcome]:
    """A build that pushes its image, or that writes what it built here."""
    options = read_options(call.args, BUILD_VALUED)
    if options.has(names("--push")) or any(
        "type=registry" in v.text for v in options.values(names("-o --output"))
    ):
        return [writes("network", (), "container")]
    files = [value.text.rpartition("dest=")[2] for value in options.values(names("-o --output"))]
    files = [file for file in files if file != "-" and not file.startswith("type=")]
    files += [value.text for value in options.values(names("--iidfile --metadata-file --cidfile"))]
    return [writes("overwrite", files, "container")] if files else [reads("build")]


def _down(call: Call) -> list[Outcome]:
    lost = any(text in ("-v", "--volumes", "--rmi") for text in call.texts)
    return [writes("delete" if lost else "network", (), "container")]


def _compose_run(call: Call) -> list[Outcome]:
    """What runs in the container may still lose what is mounted there, or a database beside it."""
    command = read_options(call.args, RUN_VALUED, stop=True).rest[1:]
    lost = [
        replace(one, family="container", targets=())
        for one in (call.shell.run_words(command, call.stdin) if command else ())
        if one.operation_class == "destructive"
    ]
    return [writes("network", (), "container"), *lost]


READ = (
    "ps, images, logs, inspect, version, info, stats, top, port, diff, history, search, events, ls, list, "
    "context ls, context show, context inspect, network ls, network list, "
    "network inspect, volume ls, volume list, volume inspect, system df, system info, system events, image "
    "ls, "
    "image list, image inspect, image history, container ls, container list, container ps, "
    "container logs, container inspect, container top, container stats, container port, buildx ls, buildx "
    "inspect, buildx du, buildx version, manifest inspect, wait, machine list, pod ps, plugin ls, "
    "node ls, service ls, service ps, service logs, stack ls, stack ps, stack services, secret ls, config "
    "ls, "
    "scout, swarm ca, help, buildx imagetools inspect"
)
CHANGE = (
    "start, stop, restart, kill, pause, unpause, push, pull, tag, commit, load, import, login, "
    "logout, rename, update, attach, up, network create, network connect, network disconnect, "
    "volume create, image pull, image push, image tag, image load, image import, container "
    "start, container stop, container restart, container kill, container commit, "
    "context create, context use, buildx create, buildx use, swarm init, swarm join, swarm leave, service "
    "create, service update, service scale, stack deploy, secret create, config create, machine start, "
    "machine stop, machine init, compose watch, scale"
)
DELETE = (
    "rm, rmi, system prune, image rm, image prune, container rm, container prune, volume rm, volume prune, "
    "network rm, network prune, builder prune, buildx rm, buildx prune, context rm, service rm, "
    "stack rm, secret rm, config rm, plugin rm, pod rm, machine rm, node rm"
)
COMPOSE: dict[str, Rule] = {
    **table("ps, logs, config, top, images, ls, port, version, events, stats, convert, help, wait", "read"),
    **table(
        "up, start, stop, restart, kill, pause, unpause, push, pull, create, watch, scale, attach",
        "network",
    ),
    **table("rm", "delete"),
    "down": _down,
    "build": _build,
    "cp": _copy,
    "exec": _exec,
    "run": _compose_run,
}
COMPOSE_COMMANDS = Commands("container", COMPOSE, valued=COMPOSE_GLOBALS, milder=names("--dry-run"))


def _compose(call: Call) -> list[Outcome]:
    """`--dry-run` stands before or behind the subcommand."""
    before = read_options(call.args, COMPOSE_GLOBALS, stop=True)
    return [reads("container")] if before.has(names("--dry-run")) else COMPOSE_COMMANDS(call)


DOCKER = Commands(
    "container",
    {
        **table(READ, "read"),
        **table(CHANGE, "network"),
        **table(DELETE, "delete"),
        **table("build, buildx build, buildx bake, image build, builder build", _build),
        **table("run, create, container run, container create", _compose_run),
        "exec": _exec,
        "container exec": _exec,
        "save": _save,
        "image save": _save,
        "export": _save,
        "container export": _save,
        "cp": _copy,
        "container cp": _copy,
        "compose": _compose,
    },
    valued=GLOBALS,
)
PROGRAMS: dict[str, Handler] = {
    **programs("docker podman nerdctl", DOCKER),
    **programs("docker-compose podman-compose", _compose),
    **programs("dive hadolint ctop lazydocker", always("read", "container")),
}
