"""Requests, copies and shells over the network: what goes out must be literal, and what lands here is a target."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Options, Outcome, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.handlers.common import changing, known, proven
from evaluator.shell.rows.row import HELP, copied, is_folder, landing
from evaluator.shell.rows.tables import Shared
from evaluator.shell.scope import joined
from evaluator.shell.words import Word
from evaluator.text import Vocabulary, names

NETWORK = Shared("network")
VOCABULARY = Vocabulary("shell/programs/network", "words")
SSH_MILD = VOCABULARY.words("ssh-mild")
"""Settings behind `-o`, in small letters, that run nothing and connect nowhere else."""
LITERAL = ("none", "text")
"""Input whose content is known."""
NOWHERE = ("-", "/dev/null", "/dev/stdout", "/dev/stderr")
ASKING = ("GET", "HEAD", "OPTIONS", "PROPFIND")
SENT = VOCABULARY.words("sent")
"""curl: values that go out with the request."""
FILED = names("-d --data --data-ascii --data-binary --json -H --header")
"""curl: `@` at the start of these means a file; in a form and behind a name to encode it stands further in."""
UPLOADS = names("-T --upload-file")
BODIES = VOCABULARY.words("bodies")
WEB = re.compile(
    r"(?:https?|file|ftps?)://|(?!(?:ftp|dict|ldap|imap|smtp|pop3)\.)[\w\[{.-][^\s:/]*(?::\d+)?(?:[/?#]|\Z)",
    re.IGNORECASE,
)
"""What curl asks with a plain request: the other schemes send the URL's path as commands."""
CURL_FILES = "-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save --hsts --libcurl"
LOOPBACK = re.compile(r"(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|\Z)", re.IGNORECASE)
"""A request that does not leave this machine, whatever follows."""
WRITE_OUT = re.compile(r"%output\{(?:>>)?([^}]*)\}")
REMOTE = re.compile(r"(?:[\w.-]+@)?(?:\[[0-9a-fA-F:]+\]|[\w.-]+|\$\{?\w+\}?):(?!//)|rsync://")
SSH_SETTING = re.compile(r"\s*(\w+)(?:\s*=\s*|\s+)")
SSH_RUNS = VOCABULARY.words("ssh-runs")
RSYNC_DELETES = names(
    "--delete --delete-before --delete-during --delete-after --delete-excluded --delete-delay"
)
RSYNC_SHELL = re.compile(r"ssh(?:\s+(?:-[46CTqvx]+|-[ilp]\s*[\w./~@-]+|-o\s*(\w+)=[\w.-]+))*\s*\Z")
HTTP_ITEM = re.compile(r"[\w.\[\]-]+(:=@|=@|:@|:=|==|=|@|:)")


def away(outcomes: list[Outcome], family: str) -> list[Outcome]:
    """A command's outcome on another machine or in a container: files there are no files here."""
    return [replace(one, family=family, targets=()) for one in outcomes]


def remote_name(url: str) -> str:
    path = re.sub(r"\A\w+://[^/]*", "", url.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0])
    return posixpath.basename(path)


def _network_output_files(options: Options, wanted: str) -> list[str]:
    return [value.text for value in options.values(names(wanted)) if value.text not in NOWHERE]


def _network_method_outcomes(method: str) -> list[Outcome]:
    if method in ASKING:
        return []
    return [writes("delete" if method == "DELETE" else "network", (), "network")]


def curl(call: Call) -> list[Outcome]:
    options, found = proven(NETWORK.curl, call)
    if not found and (options.has(HELP) or options.has(names("-V -M -h --manual"))):
        return [reads("network")]
    methods = [value.text.upper() for value in options.values(names("-X --request"))]
    getting = options.has(names("-G --get -I --head"))
    method = methods[-1] if methods else "POST" if options.may_have(BODIES) and not getting else "GET"
    found += _network_method_outcomes(method)
    if options.may_have(UPLOADS | names("-Q --quote")) or any(
        _sends_over_network(*one) for one in options.flags
    ):
        found.append(dynamic("network"))
    urls = [*options.operands, *options.values(names("--url"))]
    if any(word.dynamic and ((word.bare and word.made) or not LOOPBACK.match(word.text)) for word in urls):
        found.append(dynamic("network"))
    elif not all(WEB.match(word.text) for word in urls):
        found.append(unlisted("network"))
    files = _network_output_files(options, "-o --output")
    if options.has(names("-O --remote-name --remote-name-all -J --remote-header-name")):
        files += [remote_name(word.text) for word in urls if remote_name(word.text)]
    folder = next((value.text for value in options.values(names("--output-dir"))), "")
    files = [joined(folder, file) for file in files]
    files += _network_output_files(options, CURL_FILES)
    for value in options.values(names("-w --write-out")):
        files += WRITE_OUT.findall(value.text)
        if value.text.startswith("@") or value.dynamic:
            found.append(unlisted("network"))
    if files:
        found.append(writes("network", files, "network"))
    return found or [reads("network")]


def _sends_over_network(name: str, value: Word | None) -> bool:
    """Whether the option sends a file or what is not known."""
    if value is None or name not in SENT:
        return value is not None and value.dynamic and value.bare
    text = value.text
    if value.dynamic or (name in FILED and text.startswith("@")):
        return True
    if name in ("-F", "--form"):
        return re.search(r"\A[^=]*=[\"(;,=]*[@<]|[;,]\s*headers=[@<]", text) is not None
    if name in ("--data-urlencode", "--url-query"):
        return "@" in text.partition("=")[0]
    if name in ("-b", "--cookie"):
        return "=" not in text
    return name == "--url" and text.startswith("@")


def wget(call: Call) -> list[Outcome]:
    options, found = proven(NETWORK.wget, call)
    if not found and options.has(HELP | names("-V -h")):
        return [reads("network")]
    out = names("-O --output-document -P --directory-prefix -o --output-file -a --append-output -t -T -w")
    if any(word.dynamic for word in options.operands) or any(
        value is not None and value.dynamic and (value.bare or name not in out)
        for name, value in options.flags
    ):
        found.append(dynamic("network"))
    methods = [value.text.upper() for value in options.values(names("--method"))]
    sends = options.may_have(names("--post-data --post-file --body-data --body-file"))
    found += _network_method_outcomes(methods[-1] if methods else "POST" if sends else "GET")
    logs = _network_output_files(
        options, "-o --output-file -a --append-output --save-cookies --rejected-log --warc-file"
    )
    if options.has(names("--spider")):
        return [*found, *([writes("network", logs, "network")] if logs else [])] or [reads("network")]
    named = [value.text for value in options.values(names("-O --output-document"))]
    folder = next((value.text for value in options.values(names("-P --directory-prefix"))), "")
    recursive = options.may_have(names("-r --recursive -m --mirror -p --page-requisites"))
    if recursive and named:
        found.append(unlisted("network"))
    fetched = [joined(folder, remote_name(url) or "index.html") for url in options.texts()]
    files = named or (list(filter(None, [folder])) if recursive else fetched)
    files = [file for file in files if file not in NOWHERE]
    if files or logs or (not named and not found):
        found.append(writes("network", [*files, *logs], "network"))
    return found or [reads("network")]


def httpie(call: Call) -> list[Outcome]:
    options, found = proven(NETWORK.httpie, call)
    if any(word.dynamic for word in call.args):
        found.append(dynamic("network"))
    given = options.texts()
    method = given.pop(0).upper() if len(given) > 1 and given[0].isalpha() else ""
    signs = [sign.group(1) for text in options.texts()[1:] if (sign := HTTP_ITEM.match(text)) is not None]
    raw = options.values(names("--raw"))
    if any("@" in sign for sign in signs) or any(value.text.startswith("@") for value in raw):
        found.append(dynamic("network"))
    sends = options.may_have(names("--raw")) or any(sign not in ("==", ":") for sign in signs)
    if call.stdin.kind != "none" and not options.has(names("-I --ignore-stdin")):
        found += [dynamic("network")] if call.stdin.kind not in LITERAL else []
        sends = sends or call.stdin.text != ""
    found += _network_method_outcomes(method or ("POST" if sends else "GET"))
    files = _network_output_files(options, "-o --output")
    if files:
        found.append(writes("network", files, "network"))
    return found or [reads("network")]


def scp(call: Call) -> list[Outcome]:
    options, found = proven(NETWORK.scp, call)
    found += _ssh_setting_outcomes(options)
    given = options.texts()
    if len(given) > 1:
        # Nothing lands here of a copy to another machine.
        sources = [re.sub(r"\A[^/]*?:", "", text) for text in given[:-1]]
        lands = () if REMOTE.match(given[-1]) else copied(sources, given[-1])
        found.append(writes("network", lands, "network"))
    return found or [reads("network")]


def rsync(call: Call) -> list[Outcome]:
    options, found = proven(NETWORK.rsync, call)
    for shell in options.values(names("-e --rsh")):
        matched = None if shell.dynamic else RSYNC_SHELL.match(shell.text)
        setting = matched.group(1) if matched else None
        if matched is None or (setting and setting.lower() not in SSH_MILD):
            found.append(dynamic("network"))
    given = options.texts()
    if options.has(names("-n --dry-run --list-only")) or len(given) < 2:
        remote = any(REMOTE.match(text) for text in given)
        if remote and any(word.dynamic for word in options.operands):
            found.append(dynamic("network"))
        return found or [reads("network")]
    destination = given[-1]
    deletes = options.may_have(RSYNC_DELETES)
    if REMOTE.match(destination):
        return [*found, writes("delete" if deletes else "network", (), "network")]
    targets = tuple(
        dict.fromkeys(_rsync_target_path(source, destination, len(given) > 2) for source in given[:-1])
    )
    remote = any(REMOTE.match(source) for source in given[:-1])
    found.append(writes("network" if remote else "overwrite", targets, "network" if remote else "files"))
    if deletes:
        found.append(writes("delete", (destination,), "files"))
    if options.may_have(names("--remove-source-files")):
        found.append(writes("move", [source for source in given[:-1] if not REMOTE.match(source)], "files"))
    return found


def _rsync_target_path(source: str, destination: str, several: bool) -> str:
    """A source with a trailing slash means its contents."""
    plain = re.sub(r"\A[^/]*?:", "", source) if REMOTE.match(source) else source
    if plain.endswith("/") or not (several or is_folder(destination)):
        return destination
    return landing(plain, destination)


def _ssh_setting_outcomes(options: Options) -> list[Outcome]:
    """What `-o Name=value` of the ssh programs does."""
    found: list[Outcome] = []
    for value in options.values(names("-o")):
        named = SSH_SETTING.match(value.text)
        name = named.group(1).lower() if named else ""
        if name in SSH_RUNS or value.dynamic:
            found.append(dynamic("network"))
        elif named and name == "userknownhostsfile":
            files = [file for file in value.text[named.end() :].split() if file not in NOWHERE]
            found += [writes("append", files, "network")] if files else []
        elif name not in SSH_MILD:
            found.append(unlisted("network"))
    return found


def ssh(call: Call) -> list[Outcome]:
    first = _count_ssh_option_words(call.args)
    host, rest = call.args[first : first + 1], call.args[first + 1 :]
    # It goes on reading options behind the host.
    second = _count_ssh_option_words(rest)
    given, behind = (*call.args[:first], *rest[:second]), rest[second:]
    options, found = proven(NETWORK.ssh, replace(call, args=given))
    found += _ssh_setting_outcomes(options)
    if options.has(names("-V -Q -G")):
        return found or [reads("network")]
    sent = behind and not options.has(names("-n")) and call.stdin.kind not in LITERAL
    if sent or any(word.dynamic for word in (*host, *behind)):
        found.append(dynamic("network"))
    if behind:
        call.hide_code(*behind)
        code = " ".join(word.text for word in behind)
        return [*found, *_as_network_outcomes(call.shell.run_code(code, stdin=call.stdin))]
    if call.stdin.kind == "text":
        return [*found, *_as_network_outcomes(call.shell.run_code(call.stdin.text))]
    return [*found, unlisted("network") if call.stdin.kind == "none" else dynamic("network")]


def _count_ssh_option_words(words: Sequence[Word]) -> int:
    """How many words stand before the first operand."""
    return len(words) - len(read_options(words, NETWORK.ssh.takes, stop=True).rest)


def _as_network_outcomes(found: list[Outcome]) -> list[Outcome]:
    """A writing command there is a call over the network here, unless it deletes or is not known."""
    return [
        replace(one, operation="network", operation_class="modifying")
        if one.verdict == "write" and one.operation_class != "destructive"
        else one
        for one in away(found, "network")
    ]


def ssh_keygen(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-f -t -b -C -N -P -R -F -m -I -n -s -V -a -O -E -D -Y"))
    found = NETWORK.keygen(call)
    if known(found) and options.has(names("-l -y -F -L -B")):
        return found
    if options.may_have(names("-D -s -Y -M")):
        return [unlisted("network")]
    files = [value.text for value in options.values(names("-f"))]
    if options.has(names("-R -H")):
        return [writes("overwrite", files or ["~/.ssh/known_hosts"], "network")]
    return [writes("create", [name for file in files for name in (file, file + ".pub")], "network")]


def netcat(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-e -c -i -p -s -w -x -X -q --exec --sh-exec"))
    runs = options.may_have(names("-e -c --exec --sh-exec"))
    if runs or call.stdin.kind not in LITERAL or any(word.dynamic for word in call.args):
        return [dynamic("network")]
    return NETWORK.netcat(call) if options.has(names("-z")) else [unlisted("network")]


def s_client(call: Call) -> list[Outcome]:
    """Its input is what it sends."""
    return NETWORK.s_client(call) if call.stdin.kind in LITERAL else [dynamic("network")]


def req(call: Call) -> list[Outcome]:
    """A new key has a file of its own, also where none is named."""
    found = NETWORK.makes_key(call)
    options = read_options(call.args, NETWORK.makes_key.takes, style="single")
    makes = options.has(names("-newkey")) or (
        options.has(names("-new -x509")) and not options.has(names("-key -in"))
    )
    if not makes or options.has(names("-keyout")) or not known(found):
        return found
    return [*changing(found), writes("overwrite", ("privkey.pem",), "network")]


def unnamed(call: Call) -> list[Outcome]:
    return [unlisted("network")]
