"""What Compass can promise on Gemini CLI, as it was tried with 0.61.0."""

from __future__ import annotations

from hooks.promises import Promises

PROMISES = Promises(
    tried="0.61.0",
    gates_writes=True,
    gates_shell=True,
    closed_on=("crash", "exit code", "missing program"),
    shows_person="the question as a message of the hook, and the reason with the tool's error",
    sees_request=True,
    sees_prior_turn=True,
    answers_count=True,
    notes=(
        "Gemini CLI runs no hook, the user's included, in a folder that it does not trust",
        "a folder that it trusts can turn hooks off, or change a call's input after Compass saw it, by its own "
        ".gemini/settings.json",
    ),
)
