"""What the project's calibration promises, and whether that still holds, in sentences for people."""

from __future__ import annotations

from collections.abc import Callable

from compass.joining.following import DESTRUCTIVE, followed, key_of, lowered
from compass.joining.thresholds import rule_of
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.gate.run import Rule
from evaluator.model import NO_BLOCK, NO_PASS, Certified
from evaluator.verdict.following import is_broken

LEAST_MOVE = 0.005
"""In units of the score: less is not worth a word."""
AGAIN = "run `compass calibrate` again"


def promise_of(
    settings: Settings, backend: str, note: Callable[[str], str | None], calibration: str
) -> tuple[str, ...]:
    """Nothing without a calibration. `note` gives what the state keeps under a key, `calibration` is its path."""
    rule = rule_of(settings, backend, calibration)
    if rule.note:
        return (f"its promise does not hold: {rule.note}" + ("" if AGAIN in rule.note else f"; {AGAIN}"),)
    milder = [held for name, held in rule.certified if name != DESTRUCTIVE]
    if not milder:
        return ()
    found = [promised(milder[0])]
    follows = settings.calibration
    if follows.follow == "off" or milder[0].cuts.block == NO_BLOCK:
        return tuple(found)
    seen, alpha = followed(note(key_of(rule))), milder[0].cuts.alpha
    if is_broken(seen, alpha):
        found.append(
            f"its promise no longer holds: of {seen.judged} judged writes you let {seen.released} through that were "
            f"blocked, and at most {alpha:.0%} were to be; {AGAIN}"
        )
    return (*found, *_move(rule, settings, seen.lowered))


def promised(held: Certified) -> str:
    """What two cuts promise."""
    cuts, sides = held.cuts, list[str]()
    if cuts.block > NO_BLOCK:
        sides.append(f"under {cuts.block:.3f} a write is blocked (at most {cuts.alpha:.0%} of clear ones)")
    if cuts.passing < NO_PASS:
        sides.append(f"from {cuts.passing:.3f} it passes (at most {cuts.beta:.0%} of unclear ones)")
    return "; ".join(sides) or "neither side could be certified"


def _move(rule: Rule, settings: Settings, by: float) -> tuple[str, ...]:
    follows = settings.calibration
    block = _lower_cut(rule)
    if follows.follow == "apply":
        if follows.floor is None:
            set_floor = set_by("calibration.floor", f"{max(0.0, block - 0.1):.2f}")
            return (f"no cut follows what you let through, for it has no floor: {set_floor}",)
        now = _lower_cut(lowered(rule, by, follows.floor))
        return () if now == block else (f"the cut follows what you let through: {block:.3f} -> {now:.3f}",)
    if by < LEAST_MOVE:
        return ()
    floor = max(0.0, block - by, follows.floor or 0.0)
    if block - floor < LEAST_MOVE:
        return ()
    commands = [set_by("calibration.follow", "apply")]
    if follows.floor is None:
        commands.insert(0, set_by("calibration.floor", f"{floor:.3f}"))
    return (
        f"by what you let through the cut could go from {block:.3f} to {floor:.3f}, for writes that destroy nothing: "
        + " and ".join(commands),
    )


def _lower_cut(rule: Rule) -> float:
    return next(held.cuts.block for name, held in rule.certified if name != DESTRUCTIVE)
