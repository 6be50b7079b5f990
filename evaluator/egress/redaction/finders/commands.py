"""Finds secrets that only their place gives away: arguments of known programs, and authorization schemes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluator.egress.redaction.looks import is_random, is_user_and_password
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.patterns import compiled, lower, matches_at
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import ValueStyle, is_placeholder, is_reference, is_secret

KIND = "password"
SCHEME_KIND = "credential"

_CHARS_MIN = 3
_CREDENTIAL_MIN = 12

_ARGUMENTS = r"(?P<rest>(?:[^\n|;&]|&(?!&)|;(?=\S)){1,600}+)"
_LINE = r"(?P<rest>[^\n]{1,600}+)"
_V = r"(?:\\?\"(?P<a>[^\"\n\\]{1,200})\\?\"|'(?P<b>[^'\n]{1,200})'|(?P<c>[^\s\"'`;|&<>\\]{1,200}))"
_SPEAKS_OF_SECRETS = "secret|SecureString|password|login"


class _Program(NamedTuple):
    """A command line that begins with one of `names`; `option` finds its secrets in groups a, b or c."""

    names: str
    anchors: tuple[str, ...]
    option: str
    arguments: str = _ARGUMENTS
    speaks_of: str = ""


_PROGRAMS = (
    _Program(r"(?:mysql\w*|mariadb[\w-]*|mycli)", ("mysql", "mariadb", "mycli"), rf"\s-p{_V}"),
    _Program("sshpass", ("sshpass ",), rf"\s-p\s{{0,4}}{_V}"),
    _Program(
        "(?:redis|keydb|valkey)-cli",
        ("redis-cli", "keydb-cli", "valkey-cli"),
        rf"\s(?:-a|--pass)\s{{1,4}}{_V}",
    ),
    _Program(
        "(?:curl|wget|https?|xh)",
        ("curl ", "wget ", "http ", "https ", "xh "),
        r"\s(?:-u|-U|-a|--user|--auth|--proxy-user)[\s=]{0,4}(?:\"[^\s:\"]{1,100}:(?P<a>[^\"\n]{1,200})\"|"
        r"'[^\s:']{1,100}:(?P<b>[^'\n]{1,200})'|[^\s:\"'`;|&]{1,100}:(?P<c>[^\s\"'`;|&]{1,200}))",
    ),
    _Program(
        r"(?:docker|podman|buildah|skopeo|helm|oras|nerdctl|crane|az|twine|oc)",
        (
            "docker ",
            "podman ",
            "buildah ",
            "skopeo ",
            "helm ",
            "oras ",
            "nerdctl ",
            "crane ",
            "az ",
            "twine ",
            "oc ",
        ),
        rf"\s-p\s{{1,4}}{_V}",
        speaks_of="login|upload",
    ),
    _Program(
        r"(?:mongo\w*|mosquitto_\w+|ipmitool|cqlsh)",
        ("mongo", "mosquitto_", "ipmitool ", "cqlsh "),
        rf"\s-[pP]\s{{1,4}}(?![0-9]{{2,5}}\s){_V}",
    ),
    _Program(r"ldap\w+", ("ldap",), rf"\s-[ws]\s{{1,4}}{_V}"),
    _Program(
        "(?:smbclient|rpcclient)",
        ("smbclient ", "rpcclient "),
        r"\s-U\s{1,4}[\"']?[^\s%\"']{1,80}%(?P<c>[^\s\"']{1,200})",
    ),
    _Program("(?:zip|unzip|sqlcmd|bcp)", ("zip ", "sqlcmd ", "bcp "), rf"\s-P\s{{0,4}}{_V}"),
    _Program("(?:7z[azr]?|rar|unrar)", ("7z", "rar ", "unrar "), rf"\s-h?p{_V}"),
    _Program("openssl", ("openssl ",), rf"\s(?:-k\s{{1,4}}|-pass(?:in|out)?\s{{1,4}}[\"']?pass:){_V}"),
    _Program(
        "htpasswd", ("htpasswd ",), rf"\s-[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}}(?:\s[^\s-]\S{{0,100}}){{2}}\s{_V}"
    ),
    _Program("rabbitmqctl", ("rabbitmqctl ",), rf"\s(?:add_user|change_password)\s\S{{1,80}}\s{_V}"),
    _Program("vault", ("vault login",), rf"\slogin\s(?!-){_V}"),
    _Program(
        "(?:kubectl|oc)",
        ("kubectl ", "oc "),
        rf"\s--from-literal[=\s][\w.-]{{1,80}}={_V}",
        speaks_of="secret",
    ),
    _Program(
        "(?:heroku|fly|flyctl|supabase)",
        ("heroku ", "fly ", "flyctl ", "supabase "),
        rf"\s[A-Z]\w{{0,60}}={_V}",
        speaks_of="config:set|secrets set",
    ),
    _Program(
        "(?:gh|wrangler|az|aws|gcloud|security)",
        ("gh ", "wrangler ", "az ", "aws ", "gcloud ", "security "),
        rf"\s(?:--body|-b|-w|--secret-string|--secret-value|--value)[\s=]{{1,4}}{_V}",
        speaks_of=_SPEAKS_OF_SECRETS,
    ),
    _Program(
        "(?:echo|printf)",
        ("echo ", "printf "),
        r"\s(?:\"[^\"\n:]{1,60}:(?P<a>[^\"\n]{1,200})\"|'[^'\n:]{1,60}:(?P<b>[^'\n]{1,200})'|"
        r"[\w.-]{1,60}:(?P<c>[^\s\"'|]{1,200}))\s{1,4}\|\s{1,4}(?:sudo\s)?chpasswd",
        arguments=_LINE,
    ),
    _Program(
        "(?:echo|printf)",
        ("echo ", "printf "),
        rf"\s(?:-n\s|[\"']?%s(?:\\n)?[\"']?\s)?{_V}\s{{1,4}}\|[^\n]{{0,100}}?"
        r"(?:--password-stdin|sudo -\w{0,3}S|--stdin|--with-token|secret (?:set|put|create|versions))",
        arguments=_LINE,
    ),
)

_SCHEMES = ("bearer", "basic", "token", "apikey", "api-key", "ssws", "geniekey", "splunk", "dpop")


def find_commands(text: str) -> Iterator[Span]:
    for program in _PROGRAMS:
        pattern = rf"(?<![\w.-]){program.names}(?=\s){program.arguments}"
        for match in matches_at(text, program.anchors, compiled(pattern)):
            if re.search(program.speaks_of, match["rest"]):
                yield from _in_arguments(text, match.span("rest"), program.option)
    yield from _in_schemes(text)


def _in_arguments(text: str, span: tuple[int, int], option: str) -> Iterator[Span]:
    for match in compiled(option).finditer(text, *span):
        found = match.groupdict()
        group = next(name for name in ("a", "b", "c") if found.get(name) is not None)
        if _is_literal(found[group]):
            yield Span(*match.span(group), KIND)


def _is_literal(value: str) -> bool:
    if len(value) < _CHARS_MIN or value.startswith("-"):
        return False
    return not is_reference(value, ValueStyle.TIGHT) and not is_placeholder(value)


def _in_schemes(text: str) -> Iterator[Span]:
    names = "|".join(_SCHEMES)
    pattern = (
        rf"(?<![\w-])(?P<scheme>{names})(?:[ \t]{{1,8}}|%20)(?P<v>[A-Za-z0-9_.~+/:-]{{6,4096}}+={{0,2}})"
    )
    for match in matches_at(text, _SCHEMES, compiled(pattern, re.IGNORECASE), lower(text)):
        value = match["v"].rstrip(".,:")
        if match["scheme"].lower() == "basic":
            found = is_user_and_password(value)
        else:
            found = is_random(value, _CREDENTIAL_MIN) and is_secret(value, Level.TOKEN, ValueStyle.TIGHT)
        if found:
            yield Span(match.start("v"), match.start("v") + len(value), SCHEME_KIND)
