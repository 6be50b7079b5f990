"""The hosts: one row each. A host's modules are imported when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from evaluator.wire import host_in

if TYPE_CHECKING:
    from hooks.host import Guarded, Host
    from hooks.hosts.chibi import adapter as chibi
    from hooks.hosts.chibi import protected as chibi_protected
    from hooks.hosts.claude_code import adapter as claude_code
    from hooks.hosts.claude_code import protected as claude_code_protected
    from hooks.hosts.codex import adapter as codex
    from hooks.hosts.codex import protected as codex_protected
    from hooks.hosts.copilot import adapter as copilot
    from hooks.hosts.copilot import protected as copilot_protected
    from hooks.hosts.cursor import adapter as cursor
    from hooks.hosts.cursor import protected as cursor_protected
    from hooks.hosts.gemini import adapter as gemini
    from hooks.hosts.gemini import protected as gemini_protected
    from hooks.hosts.opencode import adapter as opencode
    from hooks.hosts.opencode import protected as opencode_protected

    held: tuple[Host, ...] = (claude_code, chibi, codex, copilot, cursor, gemini, opencode)
    held_guarded: tuple[Guarded, ...] = (
        claude_code_protected,
        chibi_protected,
        codex_protected,
        copilot_protected,
        cursor_protected,
        gemini_protected,
        opencode_protected,
    )

HOSTS: dict[str, str] = {
    "claude-code": "hooks.hosts.claude_code",
    "chibi": "hooks.hosts.chibi",
    "codex": "hooks.hosts.codex",
    "copilot": "hooks.hosts.copilot",
    "cursor": "hooks.hosts.cursor",
    "gemini": "hooks.hosts.gemini",
    "opencode": "hooks.hosts.opencode",
}
"""{name: its package}, whose `adapter` is a `Host` and whose `protected` is `Guarded`, as a type checker sees above."""
DEFAULT = "claude-code"
"""Whose a hook call is that names none."""


def host_of(name: str) -> Host:
    """Raises KeyError for a name that has no row."""
    return cast("Host", _module(HOSTS[name], "adapter"))


def caller(wired: bytes) -> Host:
    """Whose call it is, by the value of `evaluator.wire.WIRED`. Raises KeyError where it names a host without a row."""
    return host_of(host_in(wired).decode() or DEFAULT)


def named(host: Host) -> str:
    """As an entry names it: empty for the default one."""
    return "" if host.NAME == DEFAULT else host.NAME


def default() -> Host:
    return host_of(DEFAULT)


def every() -> tuple[Host, ...]:
    """All hosts, in the order of their rows: the shell knows each, installed or not."""
    return tuple(host_of(name) for name in HOSTS)


def guarded() -> tuple[Guarded, ...]:
    """What self-protection guards of each, installed or not. A cold call pays for it, so no adapter is imported."""
    return tuple(cast("Guarded", _module(package, "protected")) for package in HOSTS.values())


def _module(package: str, name: str) -> object:
    """importlib would cost a hook more than what it imports here."""
    return __import__(f"{package}.{name}", fromlist=(name,))
