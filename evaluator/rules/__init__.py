"""What the user's own words forbid outright (`bans`), and losses that nobody ordered (`losses`): no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.effects import text_of

if TYPE_CHECKING:
    from evaluator.model import Concern, Effect, Effects, Exchange, PendingWrite, Subject
    from evaluator.rules.message import Ban

LOST = "nobody asked for this loss"
SHORT_WORDS = 8
"""A reply of no more words takes up what the agent said last."""
_SEPARATORS = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
"""Between the words of a tool's name: "mcp__slack__post_message" is read as a command would be."""


def compile_words() -> None:
    """Compiles what nearly every message is looked at with, some 90 ms, so that no call waits for it."""
    from evaluator.rules.message import read

    read("Fix the parser, but don't touch the tests.")


def taken_up(exchange: Exchange) -> str:
    """What a short reply agrees to: the options that it picks, or all that the agent said last; empty for none."""
    last = exchange.request[-1] if exchange.request else ""
    if not exchange.prior_assistant_turn or not last or len(last.split()) > SHORT_WORDS:
        return ""
    from evaluator.exchange.menu import find_menu
    from evaluator.exchange.reply import resolve_reply
    from evaluator.rules.clauses import paths_in
    from evaluator.rules.message import agrees, read

    menu = find_menu(exchange.prior_assistant_turn)
    resolved = resolve_reply(menu, last) if menu else None
    # "Shall I do them?" points at what was said before it.
    if menu and resolved and (menu.kind != "proposal" or paths_in("\n".join(resolved.labels))):
        return "\n".join(resolved.labels)
    agreed = agrees(last) and not read(last).wonders
    return exchange.prior_assistant_turn if resolved or agreed else ""


def banned(
    exchange: Exchange,
    effects: Effects,
    pending: PendingWrite,
    messages: Sequence[str],
    *,
    instructions: Sequence[tuple[str, str]] = (),
    agreed: bool = False,
    taken: str | None = None,
) -> tuple[Ban, Effect] | None:
    """The first ban that a call breaks. `messages` are all that the user typed in the session, oldest first,
    `instructions` (file, line); `agreed`: the user answered a hold; `taken`: what they agreed to, where it is not what
    the agent said last in the exchange.
    """
    from evaluator.rules import bans

    return bans.objection(
        messages,
        exchange.request,
        effects,
        pending.project_dir,
        rules=instructions,
        settled=[answer for asked in exchange.questions for answer in asked.answers],
        taken_up=taken_up(exchange) if taken is None else taken,
        approved=any(plan.approved for plan in exchange.plans),
        agreed=agreed,
        command=text_of(pending.tool_input, "command") or _SEPARATORS.sub(" ", pending.tool_name),
    )


def objection_of(
    subject: Subject, messages: Sequence[str] = (), instructions: Sequence[tuple[str, str]] = ()
) -> tuple[Concern, str] | None:
    """(concern, why) where rules hold a subject. `messages` are what the user typed before, oldest first,
    `instructions` (file, line)."""
    from evaluator.rules import losses

    exchange, effects, pending = subject.exchange, subject.effects, subject.pending
    every = [*messages, *exchange.request]
    if found := banned(exchange, effects, pending, every, instructions=instructions):
        return "scope", f'the user said "{found[0].quote}"'
    command = text_of(pending.tool_input, "command")
    lost = losses.loss(
        effects, exchange, every, pending.project_dir, command=command, content=losses.content_of(pending)
    )
    return ("destructive", LOST) if lost is not None else None
