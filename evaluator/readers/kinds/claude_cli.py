"""The `claude-cli` backend: the logged-in client, one process a sample."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from evaluator.readers.addresses import find_program
from evaluator.readers.kinds.anthropic import price
from evaluator.readers.kinds.kind import BackendKind, BackendState, Variables

if TYPE_CHECKING:
    from evaluator.ports import Backend, Clock
    from evaluator.readers.claude_cli import ClaudeCliBackend
    from evaluator.settings.keys import Settings

PROGRAM: Final = "claude"
READERS: Final = 3
SAMPLE_SECONDS: Final = 15.0
TOKEN_GRACE_SECONDS: Final = 30.0
"""A nested reader outlives its own time-out by its start and its end."""


def missing(settings: Settings, env: Variables) -> str | None:
    return None if find_program(PROGRAM, env) else f"no program called {PROGRAM!r} on the PATH"


def counts(variable: str) -> bool:
    """The nested client takes its account, its program and its addresses from all that it inherits."""
    from evaluator.readers.claude_cli import SESSION_VARIABLES

    return variable not in SESSION_VARIABLES


def backend(settings: Settings, env: Variables, state: BackendState, clock: Clock) -> ClaudeCliBackend:
    """A token holds for what this very process starts."""
    from evaluator.processes import process_of
    from evaluator.readers.claude_cli import ClaudeCliBackend

    own = process_of(str(os.getpid()))
    holder = own.name if own else ""

    return ClaudeCliBackend(
        settings.evaluator.model,
        env,
        issue=lambda: state.issue_token(clock.now(), SAMPLE_SECONDS + TOKEN_GRACE_SECONDS, holder),
        revoke=state.revoke_token,
        command=PROGRAM,
    )


def kept(settings: Settings, env: Variables, state: BackendState, clock: Clock) -> Backend:
    from evaluator.readers.claude_warm import WarmClaudeBackend

    return WarmClaudeBackend(backend(settings, env, state, clock), READERS)


KIND = BackendKind(
    "claude-cli",
    "your logged-in `claude`, kept running by the service; sends sanitized evidence through your account",
    missing,
    goes=lambda _settings, _env: f"wherever `{PROGRAM}` sends it",
    sampling=lambda _settings: (READERS, SAMPLE_SECONDS),
    backend=backend,
    kept=kept,
    address=lambda _settings, _env: PROGRAM,
    counts=counts,
    price=price,
)
