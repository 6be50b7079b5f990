"""How a call is named where it is held, and what is said of one that is not judged again."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.intervention import telling
from evaluator.model import Check, Reason
from evaluator.trigger import rules

UNRELEASED = "it was held before, and nobody released it"


def held_thing(run: Run) -> telling.HeldThing:
    effects = run.known_effects
    target = rules.display_target(run.pending, effects.targets)
    return telling.HeldThing(effects.operation, target, run.known_exchange.request_text)


def deny(run: Run, reason: Reason, why: str, texts: telling.BlockTexts, *, ends_turn: bool = False) -> Check:
    """Denied with `texts`; of a call that runs because the gate only watches, `why` it would have been held."""
    if not run.enforces:
        return run.deny(reason, telling.would_have(held_thing(run), why))
    return run.deny(reason, texts.agent, told=texts.person, ends_turn=ends_turn)
