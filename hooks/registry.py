"""The hosts: one row each. A host's package is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.wire import host_in

if TYPE_CHECKING:
    from hooks.host import Host


def _claude_code() -> Host:
    from hooks.hosts.claude_code import adapter

    return adapter


HOSTS: dict[str, Callable[[], Host]] = {
    "claude-code": _claude_code,
}
"""{name: its module}. A type checker holds each against `Host`."""
DEFAULT = "claude-code"
"""Whose a hook call is that names none."""


def host_of(name: str) -> Host:
    """Raises KeyError for a name that has no row."""
    return HOSTS[name]()


def caller(wired: bytes) -> Host:
    """Whose call it is, by the value of `evaluator.wire.WIRED`. Raises KeyError where it names a host without a row."""
    return host_of(host_in(wired).decode() or DEFAULT)


def named(host: Host) -> str:
    """As an entry names it: empty for the default one."""
    return "" if host.NAME == DEFAULT else host.NAME


def default() -> Host:
    return host_of(DEFAULT)


def every() -> tuple[Host, ...]:
    """All hosts, in the order of their rows: self-protection and the shell know each, installed or not."""
    return tuple(load() for load in HOSTS.values())
