"""Which backend `auto` means here, and why. Starts no process and sends nothing."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.backends import AUTO, EMBEDDED
from evaluator.configuration.settings import Settings
from evaluator.readers.kinds.kind import kind_of


def backend_in_force(settings: Settings, env: Mapping[str, str]) -> str:
    """The configured backend; for `auto` the one that is taken here."""
    configured = settings.evaluator.backend
    return choose_backend(settings, env)[0] if configured == AUTO else configured


def choose_backend(settings: Settings, env: Mapping[str, str]) -> tuple[str, str]:
    """(name, why). claude-cli is never taken unasked: a measurement must first show that it is in time."""
    missing = kind_of("anthropic").missing(settings, env)
    if missing is None:
        reason = "evaluator.base_url is set" if settings.evaluator.base_url else "a credential is set"
        return "anthropic", reason
    return EMBEDDED, f"{missing}, so rules in this process judge"


def better_than(name: str, settings: Settings, env: Mapping[str, str]) -> str:
    """What would find more here than `name`, and the command that takes it; empty where a model reads already."""
    if name != EMBEDDED:
        return ""
    anthropic, client = kind_of("anthropic"), kind_of("claude-cli")
    if anthropic.missing(settings, env) is None:
        return "a model is ready and finds more: `compass init --backend auto` takes it"
    if client.missing(settings, env) is None:
        return (
            f"`{settings.claude_cli.command}`, where it is logged in, finds more: `compass init --backend auto` says "
            "what it costs and measures it"
        )
    return (
        f"a model finds more: set {anthropic.credentials[0]}, or log in with `{settings.claude_cli.command}`, then "
        "`compass init --backend auto`; or take a server of yours by `compass init --backend openai`"
    )
