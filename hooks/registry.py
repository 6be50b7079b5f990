"""The hosts: one row each. A host's module is imported when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, cast

from evaluator.record import Record, tuples
from evaluator.wire import HOST
from hooks.host import Host, host_files, host_table
from hooks.json_lines import decode, lines_forward, read_document

if TYPE_CHECKING:
    from evaluator.protection.places import HostProtected
    from evaluator.settings.places import HostFiles

HOSTS: dict[str, str] = {
    "claude-code": "hooks.hosts.claude_code.host",
    "chibi": "hooks.hosts.chibi",
    "codex": "hooks.hosts.codex",
    "copilot": "hooks.hosts.copilot",
    "cursor": "hooks.hosts.cursor",
    "gemini": "hooks.hosts.gemini",
    "opencode": "hooks.hosts.opencode",
}
"""{name: its module}, whose `HOST` is the host. Its table bears its name, too."""
DEFAULT = "claude-code"
"""Whose a hook call is that names none."""
FIRST_LINES = 20
SUBAGENTS = "subagents"
"""The folder of a session's subagents: their calls are the session's own."""


class Guarded(Record):
    """What of a host self-protection guards, whatever host calls. `PREFIXES`: how names of its own variables begin."""

    FILES: HostFiles
    PREFIXES: tuple[str, ...]
    PROTECTED: HostProtected


def host_of(name: str) -> Host:
    """The host of that name. Raises KeyError for a name that has no row."""
    # importlib would cost a hook more than what it imports here.
    return cast("Host", __import__(HOSTS[name], fromlist=("HOST",)).HOST)


def host_name_in(wired: bytes) -> bytes:
    """The host that the value of `evaluator.wire.WIRED` names; empty for none."""
    for word in wired.split(b" ")[1:]:
        if word.startswith(HOST):
            return word[len(HOST) :]
    return b""


def calling_host(wired: bytes) -> Host:
    """Whose call it is, by the value of `evaluator.wire.WIRED`. Raises KeyError where it names a host without a row."""
    return host_of(host_name_in(wired).decode() or DEFAULT)


def host_word(host: Host) -> str:
    """As an entry names it: empty for the default one."""
    return "" if host.NAME == DEFAULT else host.NAME


def default_host() -> Host:
    return host_of(DEFAULT)


def every_host() -> tuple[Host, ...]:
    """All hosts, in the order of their rows: the shell knows each, installed or not."""
    return tuple(host_of(name) for name in HOSTS)


@cache
def guarded_hosts() -> tuple[Guarded, ...]:
    """What self-protection guards of each, installed or not, by their tables alone: no module of theirs is imported."""
    from evaluator.protection.places import HostProtected

    tables = map(host_table, HOSTS)
    return tuple(
        Guarded(host_files(told), tuple(told["prefixes"]), HostProtected(**tuples(told["protected"])))
        for told in tables
    )


def host_of_payload(payload: Mapping[str, object]) -> str:
    """The one host whose calls have this shape, by fields that no other host sends; the default one for a shape that
    none claims, or several do."""
    found = [name for name in HOSTS if _matches_host_shape(name, "calls", payload)]
    return found[0] if len(found) == 1 else DEFAULT


def host_of_session(path: str) -> str:
    """The host that wrote a session's file, by its first lines, or as one document; empty for a subagent's, and
    where none claims it."""
    from hooks.sessions import DATABASE, session_file

    folder, name = os.path.split(session_file(path))
    if name == DATABASE:
        return "opencode"
    if os.path.basename(folder) == SUBAGENTS or not name.endswith((".jsonl", ".json")):
        return ""
    lines = (decode(line.raw) or {} for line in islice(lines_forward(path), FIRST_LINES))
    for value in lines if name.endswith(".jsonl") else [read_document(path)]:
        for host in HOSTS:
            if _matches_host_shape(host, "recorded", value):
                return host
    return ""


def find_hosts_sessions(names: Sequence[str], host: str = "") -> list[str]:
    """The files named, and the sessions below the folders named: of one host, or of whichever a file's shape tells.

    Raises PayloadError.
    """
    if host:
        return host_of(host).sessions().find_transcripts(names)
    from hooks.sessions import session_files

    of = cache(host_of_session)
    found: dict[str, None] = {}
    for path in session_files(names, lambda path: bool(of(path))):
        sessions = host_of(of(path) or DEFAULT).sessions()
        found |= dict.fromkeys(sessions.find_transcripts([path]) or [path])
    return list(found)


def _matches_host_shape(name: str, kind: str, value: Mapping[str, object]) -> bool:
    """A shape is {field that is there: what it says, or empty for anything}."""
    shapes = cast("list[Mapping[str, str]]", host_table(name).get(kind, ()))
    return any(
        all(field in value and said in ("", value[field]) for field, said in shape.items())
        for shape in shapes
    )
