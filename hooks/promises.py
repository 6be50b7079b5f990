"""What Compass can promise on a host: `[promises]` of its table, as `init`, `doctor` and the docs say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from evaluator.record import Record

Failure = Literal["crash", "exit code", "missing program", "timeout", "bad output"]
FAILURES: tuple[Failure, ...] = get_args(Failure)
"""How a hook fails: it dies of a signal or an exception, it ends with a code of its own making, it cannot be started,
it is slower than the host waits, it prints what the host does not understand."""


class Promises(Record):
    """One host's row.

    `tried` is the version that it was tried with, empty for one that is known from its documents alone. `ungated` names
    what of writes and shell is not gated, though the rest is. `closed_on` are failures of a hook at which the tool does
    not run, as `init` wires it under a closed policy; at all others it does. `shows_person` says how the person sees a
    denial. `answers_count`: the person's words can be proved, so digits and controls
    release. `notes` are what else a user of that host must know, a sentence each.
    """

    tried: str
    gates_writes: bool
    gates_shell: bool
    closed_on: tuple[Failure, ...]
    shows_person: str
    sees_request: bool
    sees_prior_turn: bool
    answers_count: bool
    ungated: str = ""
    notes: tuple[str, ...] = ()

    @property
    def open_on(self) -> tuple[Failure, ...]:
        return tuple(one for one in FAILURES if one not in self.closed_on)


def warnings(title: str, row: Promises) -> list[str]:
    """What `init` says before anybody relies on the gate there, a line each; nothing where all holds."""
    found: list[str] = []
    if not row.tried:
        found.append(f"what is said of {title} is by its documents: it was not tried with the client itself")
    if row.open_on:
        found.append(
            f"{title} runs the tool where the hook fails by {_listed(row.open_on)}: no wiring can close that"
        )
    if row.ungated:
        found.append(f"{title} asks no hook about {row.ungated}")
    if not row.sees_request or not row.sees_prior_turn:
        lacking = [
            name
            for name, seen in (
                ("the request", row.sees_request),
                ("what the agent said before it", row.sees_prior_turn),
            )
            if not seen
        ]
        found.append(f"{title} does not show a hook {' and '.join(lacking)}, so more is held")
    if not row.answers_count:
        found.append(
            f"{title} cannot prove who typed a prompt: digits and `compass: ...` release nothing there"
        )
    return [*found, *row.notes]


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
