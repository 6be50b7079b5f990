"""Which backend `auto` means here, and why. Starts no process and sends nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.joining.agreement import CLIENT, NOBODY_ASKED, Agreement, agreement_of, objection
from evaluator.backends import AUTO, EMBEDDED
from evaluator.configuration.settings import KEYS, Settings
from evaluator.readers.kinds.kind import kind_of

API, SERVER, TEAM = "anthropic", "openai", "team"
FAMILY = str(KEYS["evaluator.model"].default).partition("-")[0]
"""How the names of the API's own models begin."""


def backend_in_force(settings: Settings, env: Mapping[str, str], home: str, project_dir: str) -> str:
    """The configured backend; for `auto` the one that a session which starts now takes."""
    configured = settings.evaluator.backend
    if configured != AUTO:
        return configured
    return choose_backend(settings, env, agreement_of(env, home, project_dir))[0]


def wrong_address(settings: Settings) -> str:
    """Why nobody is asked until it is corrected: who else is ready is not whom the user meant. Empty for none."""
    if not settings.evaluator.base_url:
        return ""
    from evaluator.readers.ready import unfit

    return unfit(settings, settings.evaluator.base_url, "")


def choose_backend(
    settings: Settings, env: Mapping[str, str], agreement: Agreement = NOBODY_ASKED
) -> tuple[str, str]:
    """(name, why): a key; else the client that the person agreed to, measured in time; else a server, the team's
    where its login is kept; else rules."""
    refused = wrong_address(settings)
    if refused:
        return EMBEDDED, f"{refused}, so no model reads: bans and unordered losses are held"
    api = kind_of(API)
    lacks = api.missing(settings, env)
    if lacks is None and any(env.get(name, "").strip() for name in api.credentials):
        to = f", for the server at {api.goes(settings, env)}" if api.address(settings, env) else ""
        return API, f"a credential is set{to}"
    objects = objection(settings, env, agreement)
    if not objects and agreement.measured is not None:
        return CLIENT, _measured(settings, agreement.measured.seconds, agreement.measured.at)
    if settings.evaluator.base_url:
        team = kind_of(TEAM)
        if team.missing(settings, env) is None:
            return TEAM, f"you are logged in at your team's evaluator, {team.goes(settings, env)}"
        # The default model, or another of its family, is asked for in the words of the API that has it.
        server = kind_of(API if FAMILY in settings.evaluator.model.lower() else SERVER)
        lacks = server.missing(settings, env)
        if lacks is None:
            return server.name, f"a server at {server.goes(settings, env)} is configured"
    also = f"; {objects}" if agreement.agreed is not None else ""
    return EMBEDDED, f"{lacks}{also}, so no model reads: bans and unordered losses are held"


def _measured(settings: Settings, seconds: float, at: float) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(at))
    program = settings.claude_cli.command
    return f"you agreed to calls of `{program}`, and a sample of {day} took {seconds:.1f} s"


def better_than(name: str, settings: Settings, env: Mapping[str, str], agreement: Agreement) -> str:
    """What would find more here than `name`, and the command that takes it; empty where a model reads already."""
    if name != EMBEDDED or wrong_address(settings):
        return ""
    api, client = kind_of(API), kind_of(CLIENT)
    if choose_backend(settings, env, agreement)[0] != EMBEDDED:
        return "a model is ready and finds more: `compass init --backend auto` takes it"
    if client.missing(settings, env) is None:
        if agreement.agreed:
            return (
                f"`{settings.claude_cli.command}` finds more, and you agreed to its calls: `compass doctor --ask` "
                "measures it again"
            )
        return (
            f"`{settings.claude_cli.command}`, where it is logged in, finds more: `compass init --backend auto` says "
            "what it costs and measures it"
        )
    return (
        f"a model finds more: set {api.credentials[0]}, or log in with `{settings.claude_cli.command}`, then "
        "`compass init --backend auto`; or take a server of yours by `compass init --backend openai`"
    )
