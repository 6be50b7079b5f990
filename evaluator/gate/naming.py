"""How a call is named where it is held."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.intervention.telling import HeldThing
from evaluator.trigger import rules


def held_thing(run: Run) -> HeldThing:
    effects = run.known_effects
    target = rules.display_target(run.pending, effects.targets)
    return HeldThing(effects.operation, target, run.known_exchange.request_text)
