"""Clouds, clusters and containers: where the verb stands, rehearsals, and what runs inside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.shell.call import Call, Handler, Outcome, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.handlers.common import changing, proven
from evaluator.shell.handlers.network import away
from evaluator.shell.rows.row import PATH_WORDS_MAX, Row, asks_help, copied
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

CONTAINERS = Shared("containers")
CLOUDS = Shared("clouds")
VOCABULARY = Vocabulary("shell/programs/clouds", "words")
AWS_FLAGS = VOCABULARY.words("aws-flags")
"""aws: options that take no value, whatever the operation."""
AWS_GLOBAL = names("--profile --region --output --query --color --cli-read-timeout")
AWS_NOT = VOCABULARY.words("aws-not")
AWS_GETS = VOCABULARY.words("aws-gets")
"""aws: services none of whose `get-*` writes a file here."""
AWS_READS = VOCABULARY.sets("aws-reads")
AWS_MAKES = VOCABULARY.words("aws-makes")
AWS_LOSES = VOCABULARY.words("aws-loses")
S3_GIVEN = VOCABULARY.words("s3-given")
"""aws s3: options with a value."""
CHANGES = VOCABULARY.words("cloud-changes")
DELETES = VOCABULARY.words("cloud-deletes")
MADE_UP = r":|[\w -]+,[^:]*:"
FETCHED = ("file://", "fileb://", "http://", "https://")


def plain_words(call: Call, handler: Handler) -> list[Outcome]:
    """A service is asked with words that are literal: others could carry something out, an address to anybody."""
    found = handler(call)
    computed = [word for word in call.args if word.dynamic or word.decoded]
    if not computed or changing(found):
        return found
    return [dynamic("cloud") if any("://" in word.text for word in computed) else unlisted("cloud")]


@dataclass(frozen=True, slots=True)
class Nouns:
    """Nouns, then a verb, then names: the first word that is no known noun is the verb.

    `first` are nouns in front of all others only. `paths` are whole commands.
    """

    row: Row
    groups: frozenset[str]
    verbs: Mapping[str, Handler]
    paths: Mapping[str, Handler]
    first: frozenset[str] = NONE

    def __call__(self, call: Call) -> list[Outcome]:
        options = read_options(call.args, self.row.valued | frozenset(self.row.outputs))
        given = options.operands
        if not given:
            return self.row(call)
        if given[0].text == "help":
            return [reads(self.row.family)]
        at = 0
        while at < len(given) and (
            given[at].text in self.groups
            or (given[at].text in self.first and all(one.text in ("alpha", "beta") for one in given[:at]))
        ):
            at += 1
        verb = given[at].text if at < len(given) else ""
        for count in range(len(given), at, -1):
            path = self.paths.get(" ".join(word.text for word in given[:count]))
            if path is not None:
                return path(call)
        if not all(word.plain for word in given[: at + 1]):
            return [unlisted(self.row.family)]
        if asks_help(options):
            return self.row(call)
        if verb in self.verbs:
            return self.verbs[verb](call)
        if verb in DELETES:
            return [writes("delete", (), self.row.family)]
        if verb in CHANGES and (at or verb == "deploy"):
            names_behind = [word.text for word in given[at + 1 :]]
            return [writes("network", landed(names_behind) if verb in ("cp", "mv") else (), self.row.family)]
        return [unlisted(self.row.family)]


def landed(paths: Sequence[str], mark: str = "://") -> tuple[str, ...]:
    """Where a copy from a bucket lands; nothing if it goes to one."""
    if len(paths) < 2 or mark in paths[-1] or paths[-1] == "-":
        return ()
    return copied([path.rstrip("/").rsplit("/", 1)[-1] for path in paths[:-1]], paths[-1])


def landing(call: Call, own: Row, mark: str = "://", alone: str = "") -> list[Outcome]:
    """A copy, its target where it lands: an operand with `mark` lies elsewhere. `alone`: where one operand lands."""
    given = read_options(call.args, own.takes).texts()
    if alone and len(given) == 1:
        given.append(alone)
    lands = landed([text.rsplit(mark, 1)[-1] for text in given[:-1]] + given[-1:], mark)
    return [
        replace(one, targets=lands)
        if one.verdict == "write" and one.operation != "unknown" and not one.targets
        else one
        for one in own(call)
    ]


def aws(call: Call) -> list[Outcome]:
    """SERVICE OPERATION and then options; no operation that only looks takes a file to write to."""
    options = read_options(call.args, AWS_GLOBAL)
    given = options.operands
    asked = read_options(call.args, AWS_GLOBAL, stop=True).rest
    helps = 0 < len(asked) <= PATH_WORDS_MAX and asked[-1].text == "help" and all(one.plain for one in asked)
    if helps or (not given and asks_help(options)):
        return [reads("cloud")]
    if len(given) < 2 or not (given[0].plain and given[1].plain):
        return [unlisted("cloud")]
    service, verb = given[0].text, given[1].text
    behind = call.args[call.args.index(given[1]) + 1 :]
    most = 2 if service in ("s3", "configure") else int(verb in ("wait", "tail"))
    front = call.texts[: len(call.args) - len(behind)]
    known = _is_plain_cloud_query(behind, most=most) and all(
        text.partition("=")[0] in AWS_GLOBAL | AWS_FLAGS for text in front if text.startswith("-")
    )
    looks = (
        verb.startswith(("describe-", "list-"))
        or (verb.startswith("get-") and service in AWS_GETS)
        or verb in AWS_READS.get(service, NONE)
        or verb == "wait"
    )
    if service == "s3":
        own = AWS_FLAGS | S3_GIVEN
        known = known and all(text.split("=")[0] in own for text in call.texts if text.startswith("--"))
    if service == "s3" and verb not in ("ls", "presign"):
        return _cloud_storage_outcomes(verb, _cloud_storage_paths(behind), behind, known=known)
    dry = [word.text for word in behind if word.text in ("--dry-run", "--no-dry-run")]
    rehearsed = service == "ec2" and dry[-1:] == ["--dry-run"]
    if known and (rehearsed or looks):
        return [reads("cloud")]
    if service == "s3api" and verb == "get-object":
        return [writes("network", [word.text for word in behind[-1:]], "cloud")]
    if verb.startswith(tuple(AWS_LOSES)):
        return [writes("delete", (), "cloud")]
    return [writes("network", (), "cloud") if verb.startswith(tuple(AWS_MAKES)) else unlisted("cloud")]


def _is_plain_cloud_query(words: Sequence[Word], *, most: int) -> bool:
    """Whether every word is an option or its value, but for `most` operands; only a flag that is listed has none."""
    left, valued, open_ = most, False, False
    for word in words:
        text = word.text
        if text.startswith("--"):
            name, equals, value = text.partition("=")
            if open_ or name in AWS_NOT or value.startswith(FETCHED):
                return False
            valued = open_ = not equals and name not in AWS_FLAGS
        elif valued and not text.startswith(FETCHED):
            open_ = False
        elif not valued and left and (text == "-" or not text.startswith("-")):
            left -= 1
        else:
            return False
    return not open_


def _cloud_storage_paths(words: Sequence[Word]) -> list[str]:
    found, value = list[str](), False
    for word in words:
        if word.text.startswith("--"):
            value = "=" not in word.text and word.text not in AWS_FLAGS
        elif value:
            value = False
        else:
            found.append(word.text)
    return found


def _cloud_storage_outcomes(
    verb: str, paths: list[str], words: Sequence[Word], *, known: bool
) -> list[Outcome]:
    texts = [word.text for word in words]
    shows = verb == "cp" and len(paths) == 2 and paths[0].startswith("s3://") and paths[1] == "-"
    if known and (shows or ("--dryrun" in texts and verb in ("cp", "mv", "sync", "rm"))):
        return [reads("cloud")]
    if verb in ("rm", "rb"):
        return [writes("delete", (), "cloud")]
    targets = landed(paths)
    if verb == "mv":
        return [writes("move", [*(path for path in paths[:1] if "://" not in path), *targets], "cloud")]
    return [writes("delete" if "--delete" in texts else "network", targets, "cloud")]


def rclone(call: Call) -> list[Outcome]:
    """A remote that is made up on the spot may name a program (`:sftp,ssh=...:`)."""
    made_up = any(re.match(MADE_UP, text) for text in call.texts)
    return [unlisted("cloud"), *changing(CLOUDS.rclone(call))] if made_up else CLOUDS.rclone(call)


KUBE = "-n --namespace --context --cluster --request-timeout -v --v --as --as-group"
KUBECTL_VALUED = names(f"{KUBE} -o --output -f --filename --raw")


def shown(call: Call, own: Row) -> list[Outcome]:
    """A format or a resource that comes from a file or an address that is not literal is not known."""
    for name, value in read_options(call.args, KUBECTL_VALUED).flags:
        if value is not None and (
            (name in ("-o", "--output") and "-file" in value.text)
            or (name in ("-f", "--filename", "--raw") and value.made)
        ):
            return [unlisted("cluster")]
    return replace(own, remote="addresses")(call)


def run_in_pod(call: Call) -> list[Outcome]:
    texts = call.texts
    if "--" not in texts:
        return [unlisted("cluster")]
    at = texts.index("--")
    valued = names(f"{KUBE} -c --container -f --filename --pod-running-timeout")
    mild = names(f"{KUBE} -c --container -i -t --stdin --tty -q --quiet --pod-running-timeout")
    told = away(call.shell.run_words(call.args[at + 1 :], call.stdin), "cluster")
    known = all(name in mild for name, _ in read_options(call.args[:at], valued).flags)
    return told if known else [*told, unlisted("cluster")]


def format_terraform(call: Call) -> list[Outcome]:
    options = read_options(call.args, style="single")
    last = {name.lstrip("-"): "true" if value is None else value.text for name, value in options.flags}
    checking = last.get("check") == "true" or last.get("write") == "false"
    given = options.texts()
    found = changing(CONTAINERS.format(call))
    if (checking and last.get("write", "false") == "false") or given == ["-"]:
        return found or [reads("build")]
    return [*found, writes("overwrite", given, "format")]


EXEC_FLAGS = names("-i -t -d -T --interactive --tty --detach --privileged --no-TTY --no-tty -l --latest")
EXEC_VALUED = names("-e --env -u --user -w --workdir --env-file --detach-keys --index")
RUN_VALUED = EXEC_VALUED | VOCABULARY.words("container-valued")
LOADING = ("LD_", "BASH_", "PYTHON", "NODE_", "PERL", "RUBY", "PATH", "ENV", "GIT_")
"""Variables that decide what runs in a container too."""


def run_in_container(call: Call) -> list[Outcome]:
    options = read_options(call.args, EXEC_VALUED, stop=True)
    command = options.rest[1:]
    if not command:
        return [unlisted("container")]
    odd = any(name not in EXEC_FLAGS | EXEC_VALUED for name, _ in options.flags) or any(
        value.dynamic or value.text.startswith(LOADING) for value in options.values(names("-e --env"))
    )
    # Files in a container are no files here.
    ran = [
        replace(one, family="container" if one.family != "build" else "build", targets=())
        for one in call.shell.run_words(command, call.stdin)
    ]
    return [*([unlisted("container")] if odd else []), *ran]


def copy_in_container(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("--index")).texts()
    if len(given) == 2 and given[-1] == "-":
        return CONTAINERS.copy(call)
    if len(given) < 2 or ":" in given[-1]:
        return [writes("network", (), "container")]
    return [writes("overwrite", copied([given[0].rsplit(":", 1)[-1]], given[-1]), "container")]


def build_image(call: Call) -> list[Outcome]:
    """A build that pushes its image, or that writes what it built here."""
    options, found = proven(CONTAINERS.build, call)
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
    found += [writes("overwrite", files, "container")] if files else []
    return found or [unlisted("container") if sets else reads("build")]


def run_container(call: Call) -> list[Outcome]:
    """What runs in the container may still lose what is mounted there, or a database beside it."""
    command = read_options(call.args, RUN_VALUED, stop=True).rest[1:]
    ran = call.shell.run_words(command, call.stdin) if command else []
    lost = [one for one in away(ran, "container") if one.operation_class == "destructive"]
    return [writes("network", (), "container"), *lost]
