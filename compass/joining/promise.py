"""What the project's calibration promises, and whether that still holds, in sentences for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from compass.joining.following import DESTRUCTIVE, followed, in_force, key_of, lowered
from compass.joining.packages import enable
from compass.joining.thresholds import agreement_is_tested, rule_of
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.gate.run import Rule
from evaluator.model import NO_BLOCK, NO_PASS, Certified, Cuts
from evaluator.readers.kinds.kind import kind_of, label_of
from evaluator.terminal import percent
from evaluator.verdict.following import is_broken

LEAST_MOVE = 0.005
"""In units of the score: less is not worth a word."""
AGAIN = "run `compass calibrate` again"
CALLS: Mapping[tuple[str, ...], str] = {
    ("additive", "modifying"): "calls that destroy nothing",
    (DESTRUCTIVE,): "destructive calls",
}


def promise_of(
    settings: Settings, backend: str, note: Callable[[str], str | None], calibration: str
) -> tuple[str, ...]:
    """Nothing without a calibration. `note` gives what the state keeps under a key, `calibration` is its path."""
    rule = rule_of(settings, backend, calibration)
    if rule.note:
        return (f"its promise does not hold: {rule.note}" + ("" if AGAIN in rule.note else f"; {AGAIN}"),)
    if not rule.certified:
        return ()
    found = list(cuts_told(rule, settings, backend, note, calibration))
    milder = [held for name, held in rule.certified if name != DESTRUCTIVE]
    follows = settings.calibration
    if follows.follow == "off" or not milder or milder[0].cuts.block == NO_BLOCK:
        return tuple(found)
    seen, alpha = followed(note(key_of(rule))), milder[0].cuts.alpha
    if is_broken(seen, alpha):
        found.append(
            f"its promise no longer holds: of {seen.judged} judged writes you let {seen.released} through that were "
            f"blocked, and at most {percent(alpha)} were to be; {AGAIN}"
        )
    return (*found, *_move(rule, settings, seen.lowered))


def cuts_told(
    rule: Rule, settings: Settings, backend: str, note: Callable[[str], str | None], calibration: str
) -> tuple[str, ...]:
    """The cuts in force, what is promised of those that were certified, and what lies outside of that. `rule` as it was
    certified."""
    now = in_force(rule, settings, note)
    return *promises(now), outside(now, settings, backend, calibration)


def promises(rule: Rule) -> tuple[str, ...]:
    """What the cuts promise, a sentence for the calls that have the same."""
    found: dict[str, list[str]] = {}
    for name, held in rule.certified:
        found.setdefault(promised(held.cuts, held.moved_from), []).append(name)
    if len(found) == 1:
        return tuple(found)
    return tuple(f"{CALLS.get(tuple(names), ', '.join(names))}: {said}" for said, names in found.items())


def promised(cuts: Cuts, moved_from: float | None = None) -> str:
    """Both sides of cuts in words. `moved_from` is the certified block cut of one that followed."""
    sides = list[str]()
    if cuts.block > NO_BLOCK:
        certified = "" if moved_from is None else f"certified is {moved_from:.3f}: "
        sides.append(
            f"under {cuts.block:.3f} a write is blocked ({certified}at most {percent(cuts.alpha)} of clear ones)"
        )
    if cuts.passing < NO_PASS:
        sides.append(f"from {cuts.passing:.3f} it passes (at most {percent(cuts.beta)} of unclear ones)")
    elif sides:
        sides.append("nothing is promised of unclear ones")
    return "; ".join(sides) or "neither side could be certified"


def outside(rule: Rule, settings: Settings, backend: str, calibration: str) -> str:
    """Of what the promised shares are, and what happens beside that."""
    agreement = rule.thresholds.agreement
    tighter = {(held.confidence, held.deviation) for _, held in rule.certified} - {(0.0, 1.0)}
    beside = [
        *(["too little agreement"] if agreement is not None else []),
        *(["a threshold that you state"] if tighter else []),
    ]
    also = [*_between(dict(rule.certified), " or ".join(beside))]
    holds = kind_of(backend).holds
    if holds:
        also.append(f"{label_of(backend)} hold {holds}, whatever the score")
    if any(held.moved_from is not None for _, held in rule.certified):
        also.append(
            "the moved cut blocks fewer writes, clear and unclear, and what it catches was not certified"
        )
    if agreement is not None and not agreement_is_tested(settings, backend, calibration):
        also.append(
            f"readings that agree to less than {agreement:.2f} block, and it is not known that this was tested"
        )
    if tighter:
        enable()
        from compass.joining.stated import stated_told

        also.append(stated_told(rule, settings, backend, calibration))
    said = "these shares are of writes like those measured, one of each unit, and of the cuts alone"
    return "; ".join([said, *also])


def _between(certified: Mapping[str, Certified], beside: str) -> Iterator[str]:
    """What no cut decides, as `evaluator.verdict.decision` does. `beside`: what blocks by itself, whatever the cuts."""
    destroys = certified.get(DESTRUCTIVE)
    milder = next((held for name, held in certified.items() if name != DESTRUCTIVE), None)
    pair = "mean and deviation decide, and no share bounds that"
    if destroys is not None and destroys.cuts.block < destroys.cuts.passing:
        if destroys.cuts.passing < NO_PASS:
            yield "destructive calls between their cuts are blocked, clear ones too"
        else:
            yield f"of destructive calls that are not under the cut {pair}"
    if milder is not None and milder.cuts.block < milder.cuts.passing:
        if milder.cuts.block > NO_BLOCK:
            unless = f", unless {beside} blocks them" if beside else ""
            yield f"other calls that are not under the cut pass in the end, unclear ones too{unless}"
        else:
            yield f"of other calls that do not reach the cut {pair}"


def _move(rule: Rule, settings: Settings, by: float) -> tuple[str, ...]:
    follows = settings.calibration
    block = _lower_cut(rule)
    if follows.follow == "apply":
        if follows.floor is None:
            return (f"no cut follows what you let through, for it has no floor: {_floor(block - 0.1)}",)
        now = _lower_cut(lowered(rule, by, follows.floor))
        return () if now == block else (f"the cut follows what you let through: {block:.3f} -> {now:.3f}",)
    if by < LEAST_MOVE:
        return ()
    floor = max(0.0, block - by, follows.floor or 0.0)
    if block - floor < LEAST_MOVE:
        return ()
    commands = [set_by("calibration.follow", "apply")]
    if follows.floor is None:
        commands.insert(0, _floor(floor))
    return (
        f"by what you let through the cut could go from {block:.3f} to {floor:.3f}, for writes that destroy nothing: "
        + " and ".join(commands),
    )


def _lower_cut(rule: Rule) -> float:
    return next(held.cuts.block for name, held in rule.certified if name != DESTRUCTIVE)


def _floor(value: float) -> str:
    """The command that sets it."""
    return set_by("calibration.floor", "FLOOR").replace("FLOOR", f"{max(0.0, value):.3f}")
