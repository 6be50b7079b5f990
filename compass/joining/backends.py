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
    unasked = ""
    if kind_of("claude-cli").missing(settings, env) is None:
        unasked = f"; `{settings.claude_cli.command}` could read too, by `--backend claude-cli`"
    return EMBEDDED, f"{missing}, so rules in this process judge{unasked}"
