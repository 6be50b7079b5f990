"""docker and its kin."""

from __future__ import annotations

from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Commands, Rule, always, programs, table

GLOBALS = names("-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey")
EXEC_VALUED = names("-e --env -u --user -w --workdir --env-file --detach-keys --index")
COMPOSE_GLOBALS = names(
    "-f --file -p --project-name --profile --project-directory --env-file --ansi --parallel --progress"
)


def _exec(call: Call) -> list[Outcome]:
    options = read_options(call.args, EXEC_VALUED, stop=True)
    command = options.rest[1:]
    if not command:
        return [unlisted("container")]
    cwd = call.shell.cwd.rstrip("/") + "/"
    found = call.shell.run_words(command, call.stdin)
    named = " ".join(word.text for word in command)
    return [
        replace(
            one,
            family="container" if one.family != "build" else "build",
            targets=tuple(t for t in one.targets if not t.startswith(cwd) or t in named),
        )
        for one in found
    ]


def _save(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o --output"))
    files = [value.text for value in options.values(names("-o --output"))]
    return [writes("overwrite", files, "container")] if files else [reads("container")]


def _copy(call: Call) -> list[Outcome]:
    given = read_options(call.args).texts()
    local = given[-1:] if given and ":" not in given[-1] and given[-1] != "-" else []
    return [writes("overwrite" if local else "network", local, "container")]


def _down(call: Call) -> list[Outcome]:
    lost = any(text in ("-v", "--volumes", "--rmi") for text in call.texts)
    return [writes("delete" if lost else "network", (), "container")]


def _compose_run(call: Call) -> list[Outcome]:
    return [writes("network", (), "container")]


READ = (
    "ps, images, logs, inspect, version, info, stats, top, port, diff, history, search, events, ls, list, "
    "context ls, context show, context inspect, network ls, network list, "
    "network inspect, volume ls, volume list, volume inspect, system df, system info, system events, image ls, "
    "image list, image inspect, image history, container ls, container list, container ps, "
    "container logs, container inspect, container top, container stats, container port, buildx ls, buildx "
    "inspect, buildx du, buildx version, manifest inspect, wait, machine list, pod ps, plugin ls, "
    "node ls, service ls, service ps, service logs, stack ls, stack ps, stack services, secret ls, config ls, "
    "scout, swarm ca, help"
)
CHANGE = (
    "run, create, start, stop, restart, kill, pause, unpause, push, pull, tag, commit, load, import, login, "
    "logout, rename, update, attach, up, network create, network connect, network disconnect, "
    "volume create, image pull, image push, image tag, image load, image import, container run, container "
    "start, container stop, container restart, container create, container kill, container commit, "
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
        "up, start, stop, restart, kill, pause, unpause, push, pull, create, watch, scale, attach, cp",
        "network",
    ),
    **table("rm", "delete"),
    "down": _down,
    "build": "build",
    "exec": _exec,
    "run": _compose_run,
}
COMPOSE_PROGRAM = Commands("container", COMPOSE, valued=COMPOSE_GLOBALS)
DOCKER = Commands(
    "container",
    {
        **table(READ, "read"),
        **table(CHANGE, "network"),
        **table(DELETE, "delete"),
        **table("build, buildx build, buildx bake, image build, builder build", "build"),
        "exec": _exec,
        "container exec": _exec,
        "save": _save,
        "image save": _save,
        "export": _save,
        "container export": _save,
        "cp": _copy,
        "container cp": _copy,
        "compose": COMPOSE_PROGRAM,
    },
    valued=GLOBALS,
)
PROGRAMS: dict[str, Handler] = {
    **programs("docker podman nerdctl", DOCKER),
    **programs("docker-compose podman-compose", COMPOSE_PROGRAM),
    **programs("dive hadolint ctop lazydocker", always("read", "container")),
}
