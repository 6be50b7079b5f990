"""How a call is named where it is held, and what is said of one that is not judged again."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.gate.run import Run
from evaluator.intervention import telling
from evaluator.intervention.control import is_control_reply
from evaluator.intervention.language import language_of
from evaluator.model import Check, Effects, Exchange, PendingWrite, Reason, Sample
from evaluator.verdict.readings import choices

UNRELEASED = "it was held before, and nobody released it"


def thing_of(
    pending: PendingWrite,
    effects: Effects,
    exchange: Exchange,
    earlier: Sequence[str] = (),
    *,
    again: bool = False,
) -> telling.HeldThing:
    """`earlier` are the session's prompts, newest first: they tell the language where the request does not."""
    kind, what = telling.act_of(pending, effects)
    said = exchange.request[-1] if exchange.request else ""
    return telling.HeldThing(kind, what, said, language_of(exchange.request_text, earlier), again)


def held_thing(run: Run, effects: Effects | None = None) -> telling.HeldThing:
    typed = [one.text for one in reversed(run.prompts) if not is_control_reply(one.text)]
    return thing_of(
        run.pending,
        effects or run.known_effects,
        run.known_exchange,
        typed,
        again=run.held_before and run.explained,
    )


def offered(
    samples: Sequence[Sample], pending: PendingWrite, effects: Effects, exchange: Exchange
) -> tuple[str, ...]:
    """What the request can mean, as the user is asked: acts that could be carried out, this call's own and its rivals'.

    One alone is what all readers took the request for; it is no list.
    """
    if telling.asked(samples):
        return thing_of(pending, effects, exchange).act(), telling.ONLY_ANSWER
    return tuple(choice.text for choice in choices(samples, pending.project_dir, exchange))


def deny(run: Run, reason: Reason, why: str, texts: telling.BlockTexts, *, ends_turn: bool = False) -> Check:
    """Denied with `texts`; of a call that runs because the gate only watches, `why` it would have been held."""
    if not run.enforces:
        return run.deny(reason, telling.would_have(held_thing(run), why))
    return run.deny(reason, texts.agent, told=texts.person, ends_turn=ends_turn)
