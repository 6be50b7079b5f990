"""Which backend `auto` means here, and why. Starts no process and sends nothing."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.configuration.settings import Settings
from evaluator.readers.ready import missing_for_anthropic, missing_for_claude_cli


def choose_backend(settings: Settings, env: Mapping[str, str]) -> tuple[str, str]:
    """(name, why). claude-cli is never taken unasked: a measurement must first show that it is in time."""
    missing = missing_for_anthropic(env, settings.evaluator.base_url)
    if missing is None:
        reason = "evaluator.base_url is set" if settings.evaluator.base_url else "a credential is set"
        return "anthropic", reason
    unasked = ""
    if missing_for_claude_cli(env, settings.claude_cli.command) is None:
        unasked = f"; `{settings.claude_cli.command}` could read too, by `--backend claude-cli`"
    return "embedded", f"{missing}, so the readers in this process judge{unasked}"


def missing_for(backend: str, settings: Settings, env: Mapping[str, str]) -> str | None:
    """What a named backend lacks here, or None."""
    if backend == "anthropic":
        return missing_for_anthropic(env, settings.evaluator.base_url)
    if backend == "claude-cli":
        return missing_for_claude_cli(env, settings.claude_cli.command)
    return None
