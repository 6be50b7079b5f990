"""Which backend `auto` means here, and why. Starts no process and sends nothing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping

from evaluator.gate.run import ANSWER_SECONDS
from evaluator.model import AUTO, EMBEDDED
from evaluator.readers.kinds.claude_cli import PROGRAM
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record, decoded, plain_of
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.layers import user_project_file

CLIENT = "claude-cli"
FILE_NAME = "readers.json"
LATEST = 1e11
"""Seconds since the epoch that each system can tell as a date."""
API, SERVER, TEAM = "anthropic", "openai", "team"
FAMILY = str(KEYS["evaluator.model"].default).partition("-")[0]
"""How the names of the API's own models begin."""


class MeasuredClient(Record):
    """One sample: of which program and model, how many seconds it took, what was wrong with it, and when (epoch)."""

    command: str
    model: str
    seconds: float
    fault: str
    at: float


class Agreement(Record):
    """`agreed` None: nobody was asked. `keeps_rules`: the person wants rules, whatever is ready."""

    agreed: bool | None = None
    measured: MeasuredClient | None = None
    keeps_rules: bool = False


NOBODY_ASKED = Agreement()


def agreement_file(env: Mapping[str, str], home: str, project_dir: str) -> str:
    return os.path.join(os.path.dirname(user_project_file(env, home, project_dir)), FILE_NAME)


def agreement_of(env: Mapping[str, str], home: str, project_dir: str) -> Agreement:
    return read_agreement(agreement_file(env, home, project_dir))


def read_agreement(path: str) -> Agreement:
    """What the user agreed to about readers; `NOBODY_ASKED` for a file that is missing or is not ours to understand."""
    try:
        with open(path, encoding="utf-8") as file:
            found = decoded(Agreement, json.load(file))
    except (OSError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return NOBODY_ASKED
    times = (found.measured.seconds, found.measured.at) if found.measured is not None else ()
    return found if all(0 <= one < LATEST for one in times) else NOBODY_ASKED


def agreement_text(agreement: Agreement) -> str:
    """The text of the file that keeps what the user agreed to about readers."""
    return json.dumps(plain_of(agreement), indent=2, ensure_ascii=False) + "\n"


def seconds_for(settings: Settings) -> float:
    """What of the deadline a check has for its readers."""
    return settings.deadline_seconds - ANSWER_SECONDS


def objection_to_client(settings: Settings, env: Mapping[str, str], agreement: Agreement) -> str:
    """Why the logged-in client of the default host does not read here; empty where it does."""
    measured = agreement.measured
    missing = kind_of(CLIENT).missing(settings, env)
    if missing is not None:
        return missing
    if not agreement.agreed:
        return (
            f"you declined calls through `{PROGRAM}`"
            if agreement.agreed is False
            else "nobody has asked you yet"
        )
    if measured is None or (measured.command, measured.model) != (PROGRAM, settings.evaluator.model):
        return f"`{PROGRAM}` has not been measured with this model"
    took = (
        f"one sample of `{PROGRAM}` took {measured.seconds:.1f} s of the {seconds_for(settings):g} that a check "
        "may take"
    )
    if measured.fault:
        return f"{took} and was not valid: {measured.fault}"
    return "" if measured.seconds <= seconds_for(settings) else f"{took}, which is too slow"


def backend_in_force(settings: Settings, env: Mapping[str, str], home: str, project_dir: str) -> str:
    """The configured backend; for `auto` the one that a session which starts now takes."""
    configured = settings.evaluator.backend
    if configured != AUTO:
        return configured
    return choose_backend(settings, env, agreement_of(env, home, project_dir))[0]


def wrong_address(settings: Settings) -> str:
    """What is wrong with a backend's address; nobody is asked until it is corrected. Empty for nothing."""
    if not settings.evaluator.base_url:
        return ""
    from evaluator.readers.addresses import address_fault

    return address_fault(settings.evaluator.base_url, "")


def choose_backend(
    settings: Settings, env: Mapping[str, str], agreement: Agreement = NOBODY_ASKED
) -> tuple[str, str]:
    """(name, why): a key; else the client that the person agreed to, measured in time; else a server, the team's
    where its login is kept; else rules."""
    refused = wrong_address(settings)
    if refused:
        return (
            EMBEDDED,
            f"{refused}, so no model is in use: only banned writes and unrequested deletions or overwrites are held",
        )
    api = kind_of(API)
    lacks = api.missing(settings, env)
    if lacks is None and any(env.get(name, "").strip() for name in api.credentials):
        to = f", for the server at {api.goes(settings, env)}" if api.address(settings, env) else ""
        return API, f"a credential is set{to}"
    objects = objection_to_client(settings, env, agreement)
    if not objects and agreement.measured is not None:
        sample = agreement.measured
        day = time.strftime("%Y-%m-%d", time.localtime(sample.at))
        return (
            CLIENT,
            f"you agreed to calls through `{PROGRAM}`, and a sample on {day} took {sample.seconds:.1f} s",
        )
    if settings.evaluator.base_url:
        team = kind_of(TEAM)
        if team.missing(settings, env) is None:
            return TEAM, f"you are logged in to your team's evaluator, {team.goes(settings, env)}"
        # The default model, or another of its family, is asked for in the words of the API that has it.
        server = kind_of(API if FAMILY in settings.evaluator.model.lower() else SERVER)
        lacks = server.missing(settings, env)
        if lacks is None:
            return server.name, f"a server at {server.goes(settings, env)} is configured"
    also = f"; {objects}" if agreement.agreed is not None else ""
    return (
        EMBEDDED,
        f"{lacks}{also}, so no model is in use: only banned writes and unrequested deletions or overwrites are held",
    )


def better_backend(name: str, settings: Settings, env: Mapping[str, str], agreement: Agreement) -> str:
    """Which backend finds more than `name`, and the command that takes it; empty where a model reads already."""
    if name != EMBEDDED or wrong_address(settings):
        return ""
    if choose_backend(settings, env, agreement)[0] != EMBEDDED:
        return "a model is ready and catches more than rules: `compass init --backend auto` switches to it"
    if kind_of(CLIENT).missing(settings, env) is None:
        return (
            f"`{PROGRAM}`, if it is logged in, catches more than rules: `compass init --backend auto` says "
            "what it costs and measures how long it takes"
        )
    return (
        f"a model catches more than rules: set {kind_of(API).credentials[0]}, or log in with `{PROGRAM}`, then "
        "`compass init --backend auto`"
    )
