"""What the user's own words forbid outright (`bans`), and losses that nobody ordered (`losses`): no more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.model import Concern, Exchange, Subject

SHORT_WORDS = 8
"""A reply of no more words takes up what the agent said last."""


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
    from evaluator.rules.message import agrees

    menu = find_menu(exchange.prior_assistant_turn)
    resolved = resolve_reply(menu, last) if menu else None
    if resolved is not None:
        return "\n".join(resolved.labels)
    return exchange.prior_assistant_turn if agrees(last) else ""


def objection_of(
    subject: Subject,
    messages: Sequence[str] = (),
    own: Collection[str] = (),
    instructions: Sequence[tuple[str, str]] = (),
) -> tuple[Concern, str] | None:
    """(concern, why) where rules hold a subject. `messages` are what the user typed before, oldest first, `own` what
    the session wrote, `instructions` (file, line)."""
    from evaluator.rules import bans, losses

    exchange, effects, project = subject.exchange, subject.effects, subject.pending.project_dir
    every = [*messages, *exchange.request]
    command = str(subject.pending.tool_input.get("command", ""))
    banned = bans.objection(
        every,
        exchange.request,
        effects,
        project,
        rules=instructions,
        settled=[answer for asked in exchange.questions for answer in asked.answers],
        taken_up=taken_up(exchange),
        approved=any(plan.approved for plan in exchange.plans),
        command=command,
    )
    if banned is not None:
        return "scope", f'the user said "{banned[0].quote}"'
    content = subject.pending.tool_input.get("content")
    whole = str(content) if content is not None else None
    lost = losses.loss(effects, exchange, every, project, own, command, content=whole)
    return ("destructive", "nobody ordered what is lost here to go") if lost is not None else None
