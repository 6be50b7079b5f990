"""Clouds: where the verb stands among the words, and which words say nothing about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.shell.acts.inner import changing
from evaluator.shell.acts.rehearsals import rehearsing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import NONE, names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.programs import clouds as table
from evaluator.shell.programs import cluster_tools, infrastructure, platforms
from evaluator.shell.rows.landing import copied
from evaluator.shell.rows.row import HELP, Row, rows, tree
from evaluator.shell.words import Word

CHANGES, DELETES = names(table.CLOUD_CHANGES), names(table.CLOUD_DELETES)
MADE_UP = r":|[\w -]+,[^:]*:"
FETCHED = ("file://", "fileb://", "http://", "https://")


def plain_words(handler: Handler) -> Handler:
    """A service is asked with words that are literal: others could carry something out, an address to anybody."""

    def handle(call: Call) -> list[Outcome]:
        found = handler(call)
        computed = [word for word in call.args if word.dynamic or word.decoded]
        if not computed or any(one.verdict != "read_only" for one in found):
            return found
        return [dynamic("cloud") if any("://" in word.text for word in computed) else unlisted("cloud")]

    return handle


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
        valued = self.row.valued | frozenset(self.row.outputs)
        options = read_options(call.args, valued)
        given = options.operands
        if not given:
            return self.row(call)
        if given[0].text == "help":
            return [reads(self.row.family)]
        at = next((at for at, word in enumerate(given) if not self._noun(at, word, given)), len(given))
        nouns, verb = [word.text for word in given[:at]], given[at].text if at < len(given) else ""
        for count in range(len(given), at, -1):
            path = self.paths.get(" ".join(word.text for word in given[:count]))
            if path is not None:
                return path(call)
        if not all(word.plain for word in given[: at + 1]):
            return [unlisted(self.row.family)]
        if options.has(HELP):
            return self.row(call)
        if verb in self.verbs:
            return self.verbs[verb](call)
        if verb in DELETES:
            return [writes("delete", (), self.row.family)]
        if verb in CHANGES and (nouns or verb == "deploy"):
            names_behind = [word.text for word in given[at + 1 :]]
            return [writes("network", landed(names_behind) if verb in ("cp", "mv") else (), self.row.family)]
        return [unlisted(self.row.family)]

    def _noun(self, at: int, word: Word, given: Sequence[Word]) -> bool:
        front = at == 0 or all(one.text in ("alpha", "beta") for one in given[:at])
        return word.text in self.groups or (front and word.text in self.first)


def landed(paths: Sequence[str]) -> tuple[str, ...]:
    """Where a copy from a bucket lands; nothing if it goes to one."""
    if len(paths) < 2 or "://" in paths[-1] or paths[-1] == "-":
        return ()
    return copied([path.rstrip("/").rsplit("/", 1)[-1] for path in paths[:-1]], paths[-1])


def _gsutil(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o -h"), stop=True)
    if any(name not in ("-m", "-q") for name, _ in options.flags) or not options.rest:
        return [unlisted("cloud")]
    verb = options.rest[0].text
    rest = Call(verb, options.rest[1:], call.stdin, call.shell)
    paths = [text for text in rest.texts if not text.startswith("-")]
    if verb in ("ls", "du", "cat", "stat", "hash", "version"):
        return table.GSUTIL(rest)
    if verb in ("acl", "iam", "cors", "lifecycle", "versioning", "label") and paths[:1] == ["get"]:
        return table.GSUTIL(rest)
    if verb in ("rm", "rb"):
        return [writes("delete", (), "cloud")]
    if verb in ("cp", "mv", "rsync", "mb", "setmeta", "rewrite"):
        lost = verb == "rsync" and "-d" in rest.texts
        return [writes("delete" if lost else "network", landed(paths), "cloud")]
    return [unlisted("cloud")]


def _aws(call: Call) -> list[Outcome]:
    """SERVICE OPERATION and then options: any word that is not the value of one is not known."""
    options = read_options(call.args, names("--profile --region --output --query --color --cli-read-timeout"))
    if call.args and options.flags and not options.operands:
        return [reads("cloud")] if options.has(HELP) else [unlisted("cloud")]
    given = options.operands
    if len(given) < 2 or given[1].text == "help" or (len(given) > 2 and given[2].text == "help"):
        return [reads("cloud")] if given and given[-1].text == "help" else [unlisted("cloud")]
    if not (given[0].plain and given[1].plain):
        return [unlisted("cloud")]
    service, verb = given[0].text, given[1].text
    behind = call.args[call.args.index(given[1]) + 1 :]
    # Options in front of the operation were read with those that take a value.
    front = call.args[: len(call.args) - len(behind)]
    known = _asks(behind, most=_operands(service, verb)) and all(
        name in names("--profile --region --output --query --color --cli-read-timeout --no-cli-pager")
        for name, _ in read_options(front, names("--profile --region --output --query --color")).flags
    )
    if service == "s3":
        own = names(f"{table.AWS_FLAGS} {table.S3_GIVEN}")
        known = known and all(text.split("=")[0] in own for text in call.texts if text.startswith("--"))
    if service == "s3" and verb not in ("ls", "presign"):
        return _s3(verb, _paths(behind), behind, known=known)
    if known and (reading(service, verb) or _rehearsed(service, behind)):
        return [reads("cloud")]
    if service == "s3api" and verb == "get-object":
        return [writes("network", [word.text for word in behind[-1:]], "cloud")]
    if verb.startswith(tuple(table.AWS_LOSES.split())):
        return [writes("delete", (), "cloud")]
    return (
        [writes("network", (), "cloud")]
        if verb.startswith(tuple(table.AWS_MAKES.split()))
        else [unlisted("cloud")]
    )


def reading(service: str, verb: str) -> bool:
    return (
        verb.startswith(("describe-", "list-"))
        or (verb.startswith("get-") and service in names(table.AWS_GETS))
        or verb in names(table.AWS_READS.get(service, ""))
        or verb == "wait"
    )


def _operands(service: str, verb: str) -> int:
    if service in ("s3", "configure"):
        return 2
    return 1 if verb in ("wait", "tail") else 0


def _asks(words: Sequence[Word], *, most: int) -> bool:
    """Whether every word is an option or its value, but for `most` operands; an option nobody listed has one value."""
    flags, lists, never = names(table.AWS_FLAGS), names(table.AWS_LISTS), names(table.AWS_NOT)
    left, room, open_ = most, 0, False
    for word in words:
        text = word.text
        if text.startswith("--"):
            name, equals, value = text.partition("=")
            if open_ or name in never or value.startswith(FETCHED):
                return False
            room = 0 if equals or name in flags else len(words) if name in lists else 1
            open_ = room > 0
        elif room:
            room, open_ = room - 1, False
            if text.startswith(FETCHED):
                return False
        elif left and (text == "-" or not text.startswith("-")):
            left -= 1
        else:
            return False
    return not open_


def _rehearsed(service: str, words: Sequence[Word]) -> bool:
    dry = [word.text for word in words if word.text in ("--dry-run", "--no-dry-run")]
    return service == "ec2" and dry[-1:] == ["--dry-run"]


def _paths(words: Sequence[Word]) -> list[str]:
    flags = names(table.AWS_FLAGS)
    found, value = list[str](), False
    for word in words:
        if word.text.startswith("--"):
            value = "=" not in word.text and word.text not in flags
        elif value:
            value = False
        else:
            found.append(word.text)
    return found


def _s3(verb: str, paths: list[str], words: Sequence[Word], *, known: bool) -> list[Outcome]:
    texts = [word.text for word in words]
    if "--dryrun" in texts and known and verb in ("cp", "mv", "sync", "rm"):
        return [reads("cloud")]
    if verb in ("rm", "rb"):
        return [writes("delete", (), "cloud")]
    targets = landed(paths)
    if verb == "cp" and len(paths) == 2 and paths[0].startswith("s3://") and paths[1] == "-" and known:
        return [reads("cloud")]
    if verb == "mv":
        return [writes("move", [*(path for path in paths[:1] if "://" not in path), *targets], "cloud")]
    return [writes("delete" if "--delete" in texts else "network", targets, "cloud")]


GCLOUD = Nouns(
    table.GCLOUD, names(table.GCLOUD_GROUPS), table.GCLOUD_VERBS, table.GCLOUD_PATHS, names("run deploy")
)
AZ = Nouns(table.AZ, names(table.AZ_GROUPS), table.AZ_VERBS, {})
DOCTL = Nouns(table.DOCTL, names(table.DOCTL_GROUPS), table.DOCTL_VERBS, {})
RCLONE = tree(
    "cloud",
    {
        **table.RCLONE_READS,
        **rows(
            "copy, copyto, sync, mkdir, touch, rcat, bisync,",
            rehearsing(table.RCLONE_COPIED, "--dry-run -n"),
        ),
        **rows(
            "delete, purge, rmdir, rmdirs, deletefile, cleanup, dedupe, move, moveto,",
            rehearsing(table.RCLONE_REMOVED, "--dry-run -n"),
        ),
    },
)


def _rclone(call: Call) -> list[Outcome]:
    """A remote that is made up on the spot may name a program (`:sftp,ssh=...:`)."""
    made_up = any(re.match(MADE_UP, text) for text in call.texts)
    return [unlisted("cloud"), *changing(RCLONE(call))] if made_up else RCLONE(call)


PROGRAMS: dict[str, Handler] = {
    **{
        name: plain_words(handler)
        for module in (platforms, infrastructure, cluster_tools)
        for name, handler in module.PLATFORMS.items()
    },
    **rows("aws awslocal", plain_words(_aws)),
    "gcloud": plain_words(GCLOUD),
    "az": plain_words(AZ),
    "doctl": plain_words(DOCTL),
    "rclone": plain_words(_rclone),
    "gsutil": plain_words(_gsutil),
}
