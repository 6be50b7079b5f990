"""docker and its kin: commands that run inside of a container, and what a build or a copy leaves here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evaluator.shell.acts.machines.network import away
from evaluator.shell.acts.rehearsals import TELLS, known, rehearsing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.shell.programs import containers as table
from evaluator.shell.rows.landing import copied
from evaluator.shell.rows.row import rows, tree

EXEC_FLAGS = names("-i -t -d -T --interactive --tty --detach --privileged --no-TTY --no-tty -l --latest")
EXEC_VALUED = names("-e --env -u --user -w --workdir --env-file --detach-keys --index")
RUN_VALUED = EXEC_VALUED | names(
    "-v --volume -p --publish --name --network --net --entrypoint -m --memory --cpus --mount -h --hostname -l "
    "--label --add-host --platform --restart --gpus --link --dns --ip --ulimit --shm-size --tmpfs --device "
    "--cap-add --cap-drop --security-opt --log-driver --log-opt --pid --ipc --userns --volumes-from --pull "
    "--cidfile --health-cmd --stop-signal -a --attach --expose"
)
LOADING = ("LD_", "BASH_", "PYTHON", "NODE_", "PERL", "RUBY", "PATH", "ENV", "GIT_")
"""Variables that decide what runs in a container too."""


def _exec(call: Call) -> list[Outcome]:
    options = read_options(call.args, EXEC_VALUED, stop=True)
    command = options.rest[1:]
    if not command:
        return [unlisted("container")]
    found: list[Outcome] = []
    if any(name not in EXEC_FLAGS | EXEC_VALUED for name, _ in options.flags) or any(
        value.dynamic or value.text.startswith(LOADING) for value in options.values(names("-e --env"))
    ):
        found.append(unlisted("container"))
    # Files in a container are no files here.
    ran = call.shell.run_words(command, call.stdin)
    return [
        *found,
        *(replace(one, family="container" if one.family != "build" else "build", targets=()) for one in ran),
    ]


def _copy(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("--index")).texts()
    if len(given) == 2 and given[-1] == "-":
        return table.COPY(call)
    if len(given) < 2 or ":" in given[-1]:
        return [writes("network", (), "container")]
    return [writes("overwrite", copied([given[0].rsplit(":", 1)[-1]], given[-1]), "container")]


def _build(call: Call) -> list[Outcome]:
    """A build that pushes its image, or that writes what it built here."""
    found = [one for one in table.BUILD(call) if one.verdict != "read_only"]
    options = read_options(call.args, table.BUILD.takes)
    outputs = [value.text for value in options.values(names("-o --output"))]
    caches = [value.text for value in options.values(names("--cache-to"))]
    sets = [value.text for value in options.values(names("--set"))]
    if options.has(names("--push")) or any("registry" in text for text in (*outputs, *caches, *sets)):
        found.append(writes("network", (), "container"))
    files = [
        part.removeprefix("dest=")
        for text in (*outputs, *caches)
        for part in text.split(",")
        if part.startswith("dest=") or (text in outputs and "=" not in text and text != "-")
    ]
    files += [value.text for value in options.values(names("--iidfile --metadata-file --cidfile"))]
    files = [file for file in files if file != "-"]
    if files:
        found.append(writes("overwrite", files, "container"))
    if sets and not found:
        found.append(unlisted("container"))
    return found or [reads("build")]


def _run(call: Call) -> list[Outcome]:
    """What runs in the container may still lose what is mounted there, or a database beside it."""
    command = read_options(call.args, RUN_VALUED, stop=True).rest[1:]
    ran = call.shell.run_words(command, call.stdin) if command else []
    lost = [one for one in away(ran, "container") if one.operation_class == "destructive"]
    return [writes("network", (), "container"), *lost]


REHEARSED: Mapping[str, Handler] = {**table.COMPOSE_CHANGES, **table.COMPOSE_REMOVES, "down": table.DOWN}
COMPOSE: Mapping[str, Handler] = {
    **table.COMPOSE_READS,
    **{name: rehearsing(row) for name, row in REHEARSED.items()},
    "build": _build,
    "cp": _copy,
    "exec": _exec,
    "run": _run,
}
COMPOSE_TREE = tree(
    "container",
    COMPOSE,
    valued=table.COMPOSE_GLOBALS,
    places=table.COMPOSE_PLACES,
    flags="--verbose --compatibility",
)


def _compose(call: Call) -> list[Outcome]:
    """`--dry-run` may stand before the subcommand, and holds for what would change."""
    before = read_options(call.args, names(f"{table.COMPOSE_GLOBALS} {table.COMPOSE_PLACES}"), stop=True)
    count = len(call.args) - len(before.rest)
    dry = [word for word in call.args[:count] if word.text.split("=")[0] == "--dry-run"]
    if not dry:
        return COMPOSE_TREE(call)
    words = (*(word for word in call.args[:count] if word not in dry), *before.rest)
    found = COMPOSE_TREE(Call(call.name, words, call.stdin, call.shell))
    told = dry[-1].text.partition("=")[2] in TELLS and before.rest and before.rest[0].text in REHEARSED
    return [reads("container")] if told and known(found) else found


DOCKER = tree(
    "container",
    {
        **table.READS,
        **table.CHANGES,
        **table.REMOVES,
        **rows("build, buildx build, image build, builder build,", _build),
        "buildx bake": rehearsing(table.BAKE, "--print --check"),
        **rows("run, create, container run, container create,", _run),
        **rows("exec, container exec,", _exec),
        **rows("save, image save, export, container export,", table.SAVE),
        **rows("cp, container cp,", _copy),
        "compose": _compose,
    },
    flags="-D --debug --tls --tlsverify",
    valued="-c --context -l --log-level",
)
PROGRAMS: dict[str, Handler] = {
    **rows("docker podman nerdctl", DOCKER),
    **rows("docker-compose podman-compose", _compose),
}
