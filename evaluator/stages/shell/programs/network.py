"""Programs that speak to other machines."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, joined, reads, unlisted, writes
from evaluator.stages.shell.spec import HELP, Spec, always, copied, is_folder, landing, programs

CURL_VALUED = names(
    "-o --output -X --request -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F "
    "--form --form-string -T --upload-file -H --header -A "
    "--user-agent -b --cookie -c --cookie-jar -e --referer -u --user -x --proxy -m --max-time "
    "--connect-timeout -w --write-out -D --dump-header -K --config "
    "--cacert --cert -E --key --resolve --retry --retry-delay --retry-max-time -r --range --limit-rate -z "
    "--time-cond --output-dir --trace --trace-ascii --stderr --url -C "
    "--continue-at -U --proxy-user -y -Y --interface --dns-servers --ciphers --max-redirs --max-filesize -P -Q "
    "--quote --netrc-file --unix-socket --hsts --etag-save --etag-compare --libcurl"
)
CURL_SENDS = names(
    "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T "
    "--upload-file -Q --quote"
)
REMOTE = re.compile(r"(?:[\w.-]+@)?(?:\[[0-9a-fA-F:]+\]|[\w.-]+|\$\{?\w+\}?):(?!//)|rsync://")
SSH_VALUED = names("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -P")
WRITE_OUT = re.compile(r"%output\{(?:>>)?([^}]*)\}")
SSH_RUNS = re.compile(
    r"(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match)\b", re.IGNORECASE
)


def remote_name(url: str) -> str:
    path = re.sub(r"\A\w+://[^/]*", "", url.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0])
    return posixpath.basename(path)


def _curl(call: Call) -> list[Outcome]:
    options = read_options(call.args, CURL_VALUED)
    if options.has(HELP | names("-V -M")):
        return [reads("network")]
    if options.values(names("-K --config")) or any(
        word.decoded and word.text.startswith("-") for word in call.args
    ):
        return [dynamic("network")]
    methods = [value.text.upper() for value in options.values(names("-X --request"))]
    getting = options.has(names("-G --get -I --head"))
    method = methods[-1] if methods else "POST" if options.may_have(CURL_SENDS) and not getting else "GET"
    found: list[Outcome] = []
    if method not in ("GET", "HEAD", "OPTIONS", "PROPFIND") or options.may_have(
        names("-T --upload-file -Q --quote")
    ):
        found.append(writes("delete" if method == "DELETE" else "network", (), "network"))
    folder = next((value.text for value in options.values(names("--output-dir"))), "")
    files = [
        value.text for value in options.values(names("-o --output")) if value.text not in ("-", "/dev/null")
    ]
    urls = [*options.texts(), *(value.text for value in options.values(names("--url")))]
    if options.has(names("-O --remote-name --remote-name-all -J")):
        files += [remote_name(url) for url in urls if remote_name(url)]
    files = [joined(folder, file) for file in files]
    files += [
        value.text
        for value in options.values(
            names(
                "-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save --hsts --libcurl"
            )
        )
        if value.text not in ("-", "/dev/null", "/dev/stdout", "/dev/stderr")
    ]
    files += [
        name for value in options.values(names("-w --write-out")) for name in WRITE_OUT.findall(value.text)
    ]
    if files:
        found.append(writes("network", files, "network"))
    return found or [reads("network")]


def _wget(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-O --output-document -P --directory-prefix -o --output-file -a --append-output -i --input-file -e "
            "--execute -t --tries -T --timeout -U --user-agent --header "
            "--post-data --post-file --method --body-data --user --password -w --wait -Q -A -R -D -l --level "
            "--load-cookies --save-cookies --limit-rate -B --base --use-askpass"
        ),
    )
    if options.has(HELP | names("-V --spider")):
        return [reads("network")]
    if options.may_have(names("-e --execute --use-askpass")):
        return [dynamic("network")]
    found: list[Outcome] = []
    methods = [value.text.upper() for value in options.values(names("--method"))]
    if options.may_have(names("--post-data --post-file --body-data")) or any(
        one not in ("GET", "HEAD") for one in methods
    ):
        found.append(writes("delete" if "DELETE" in methods else "network", (), "network"))
    logs = [
        value.text
        for value in options.values(names("-o --output-file -a --append-output --save-cookies"))
        if value.text not in ("-", "/dev/null")
    ]
    named = [value.text for value in options.values(names("-O --output-document"))]
    folder = next((value.text for value in options.values(names("-P --directory-prefix"))), "")
    recursive = options.may_have(names("-r --recursive -m --mirror -p --page-requisites"))
    files = named or (
        [folder]
        if recursive and folder
        else []
        if recursive
        else [joined(folder, remote_name(url) or "index.html") for url in options.texts()]
    )
    files = [file for file in files if file not in ("-", "/dev/null", "/dev/stdout")]
    if files or logs or (not named and not found):
        found.append(writes("network", [*files, *logs], "network"))
    return found or [reads("network")]


def _local(call_texts: list[str]) -> tuple[str, ...]:
    """Where a copy from another machine lands; nothing if it goes to one."""
    destination = call_texts[-1]
    if REMOTE.match(destination):
        return ()
    sources = [re.sub(r"\A[^/]*?:", "", text) for text in call_texts[:-1]]
    return copied(sources, destination)


def _scp(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-i -P -o -F -c -l -J -S -D -X"))
    if any(SSH_RUNS.search(value.text) for value in options.values(names("-o"))) or options.has(names("-S")):
        return [dynamic("network")]
    given = options.texts()
    return [writes("network", _local(given), "network")] if len(given) > 1 else [reads("network")]


def _rsync(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-e --rsh --exclude --include --exclude-from --include-from --files-from -f --filter --rsync-path "
            "--log-file --backup-dir --suffix -B --bwlimit --timeout --port "
            "--password-file --temp-dir -T --compare-dest --copy-dest --link-dest --max-size --min-size "
            "--chmod --chown --info --out-format -M"
        ),
    )
    given = options.texts()
    shells = [value.text for value in options.values(names("-e --rsh"))]
    if any(not re.match(r"ssh\b", shell) or SSH_RUNS.search(shell) for shell in shells) or options.may_have(
        names("--rsync-path")
    ):
        return [dynamic("network")]
    if options.has(names("-n --dry-run --list-only")) or len(given) < 2:
        return [reads("network")]
    destination = given[-1]
    deletes = options.may_have(
        names(
            "--delete --delete-before --delete-after --delete-during --delete-delay --delete-excluded --del"
        )
    )
    if REMOTE.match(destination):
        return [writes("delete" if deletes else "network", (), "network")]
    targets = tuple(dict.fromkeys(_rsynced(source, destination, len(given) > 2) for source in given[:-1]))
    remote = any(REMOTE.match(source) for source in given[:-1])
    found = [writes("network" if remote else "overwrite", targets, "network" if remote else "files")]
    if deletes:
        found.append(writes("delete", (destination,), "files"))
    if options.may_have(names("--remove-source-files")):
        found.append(writes("move", [source for source in given[:-1] if not REMOTE.match(source)], "files"))
    return found


def _rsynced(source: str, destination: str, several: bool) -> str:
    """A source with a trailing slash means its contents."""
    plain = re.sub(r"\A[^/]*?:", "", source) if REMOTE.match(source) else source
    if plain.endswith("/") or not (several or is_folder(destination)):
        return destination
    return landing(plain, destination)


def away(outcomes: list[Outcome], family: str) -> list[Outcome]:
    """The same on another machine or in a container: only absolute targets still mean something."""
    return [replace(one, family=family, targets=()) for one in outcomes]


def _ssh(call: Call) -> list[Outcome]:
    options = read_options(call.args, SSH_VALUED, stop=True)
    if options.has(names("-V -Q -G")):
        return [reads("network")]
    if any(SSH_RUNS.search(value.text) for value in options.values(names("-o"))):
        return [dynamic("network")]
    behind = read_options(options.rest[1:], SSH_VALUED, stop=True).rest
    logs = [writes("append", (value.text,), "network") for value in options.values(names("-E"))]
    if not behind:
        if call.stdin.kind == "text":
            return [*_remotely(call.shell.run_code(call.stdin.text)), *logs]
        return [*([dynamic("network")] if call.stdin.kind == "pipe" else [unlisted("network")]), *logs]
    for word in behind:
        call.hide_code(word)
    return [*_remotely(call.shell.run_code(" ".join(word.text for word in behind), stdin=call.stdin)), *logs]


def _remotely(found: list[Outcome]) -> list[Outcome]:
    """A writing command there is a call over the network here, unless it deletes or is not known."""
    gone = away(found, "network")
    return [
        replace(one, operation="network", operation_class="modifying")
        if one.verdict == "write" and one.operation_class != "destructive"
        else one
        for one in gone
    ]


def _ssh_keygen(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-f -t -b -C -N -P -R -F -m -I -n -s -V -a -O -E -D -Y"))
    if options.has(names("-l -y -F -L -H -B -Q")) and not options.has(names("-R")):
        return [reads("network")]
    files = [value.text for value in options.values(names("-f"))]
    if options.has(names("-R")):
        return [writes("overwrite", files or ["~/.ssh/known_hosts"], "network")]
    return [writes("create", [name for file in files for name in (file, file + ".pub")], "network")]


def _httpie(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-o --output -a --auth -A --auth-type --session --timeout --verify --cert -p --print"),
    )
    given = options.texts()
    methods = [text for text in given if text.isupper() and text.isalpha()]
    sends = any(
        re.match(r"[\w.-]+(?::?=|@)", text) and "==" not in text and "://" not in text for text in given[1:]
    )
    method = methods[0] if methods else "POST" if sends else "GET"
    found = (
        []
        if method in ("GET", "HEAD", "OPTIONS")
        else [writes("delete" if method == "DELETE" else "network", (), "network")]
    )
    files = [value.text for value in options.values(names("-o --output"))]
    if files or options.has(names("-d --download")):
        found.append(writes("network", files, "network"))
    return found or [reads("network")]


def _netcat(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-e -c -i -p -s -w -x -X -q --exec --sh-exec"))
    if options.may_have(names("-e -c --exec --sh-exec")):
        return [dynamic("network")]
    return [reads("network")] if options.may_have(names("-z")) else [unlisted("network")]


def _gpg(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-o --output -r --recipient -u --local-user --passphrase --passphrase-file --homedir --keyserver"
        ),
    )
    files = [value.text for value in options.values(names("-o --output")) if value.text != "-"]
    if files:
        return [writes("overwrite", files, "network")]
    reading = names(
        "--list-keys -k -K --list-secret-keys --verify --fingerprint --version --list-packets --list-sigs -d "
        "--decrypt --export --armor --dearmor --show-keys --print-md"
    )
    storing = names(
        "--import --recv-keys --gen-key --full-generate-key --quick-generate-key --delete-keys "
        "--delete-secret-keys --edit-key --sign-key -e -c -s -b --encrypt --symmetric "
        "--sign --detach-sign --clearsign --clear-sign"
    )
    return (
        [unlisted("network")] if options.may_have(storing) or not options.has(reading) else [reads("network")]
    )


PROGRAMS: dict[str, Handler] = {
    **programs("curl", _curl),
    **programs("wget wget2", _wget),
    **programs("scp", _scp),
    **programs("rsync", _rsync),
    **programs("ssh autossh", _ssh),
    **programs("ssh-keygen", _ssh_keygen),
    **programs(
        "ssh-add ssh-keyscan ssh-agent",
        Spec("network", changes={"-D": "unknown", "-d": "unknown"}, valued=names("-t -p -T")),
    ),
    **programs(
        "ssh-copy-id sftp ftp lftp telnet croc aria2c axel youtube-dl yt-dlp gdown magic-wormhole",
        always("network", "network"),
    ),
    **programs("http https xh httpie", _httpie),
    **programs("nc ncat netcat socat", _netcat),
    **programs(
        "openssl",
        Spec(
            "network",
            outputs={"-out": "overwrite", "-keyout": "overwrite", "-writerand": "overwrite"},
            valued=names("-in -inkey -passin -passout -subj -days -config -connect -servername"),
            style="single",
        ),
    ),
    **programs("gpg gpg2", _gpg),
}
