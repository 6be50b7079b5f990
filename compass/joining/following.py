"""Keeps what became of checks since a calibration, as a note of the machine's state, one for each calibration."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from evaluator.configuration.settings import Settings
from evaluator.gate.run import Rule
from evaluator.model import NO_BLOCK, Certified, Check, Reason
from evaluator.record import replace, values_of
from evaluator.state.store import Store
from evaluator.verdict.following import Followed, judged, moved, released

BY_CUTS: tuple[Reason, ...] = ("low_confidence", "disagreement", "low_agreement")
DESTRUCTIVE = "destructive"


def key_of(rule: Rule) -> str:
    """Another calibration has another key: what became of checks under the last one says nothing of it."""
    return f"calibration-followed:{rule.origin}"


def followed(text: str | None) -> Followed:
    """From the note; nothing yet for one that cannot be read."""
    import json

    try:
        found = cast(Mapping[str, object], json.loads(text or "{}"))
        answers = cast(Sequence[str], found.get("answers") or ())
        return Followed(
            float(cast(float, found.get("lowered", 0.0))),
            int(cast(int, found.get("judged", 0))),
            int(cast(int, found.get("released", 0))),
            tuple(str(one) for one in answers),
        )
    except (ValueError, TypeError, AttributeError):
        return Followed()


def in_force(rule: Rule, settings: Settings, noted: Callable[[str], str | None]) -> Rule:
    """The rule with cuts moved as far as the user lets them follow; those of destructive calls stay.

    `noted` gives what the machine's state keeps under a key.
    """
    calibration = settings.calibration
    if calibration.follow != "apply" or calibration.floor is None or not rule.certified:
        return rule
    return lowered(rule, followed(noted(key_of(rule))).lowered, calibration.floor)


def lowered(rule: Rule, by: float, floor: float) -> Rule:
    return replace(
        rule,
        certified=tuple(
            (name, held if name == DESTRUCTIVE else _lowered(held, by, floor))
            for name, held in rule.certified
        ),
    )


def _lowered(held: Certified, by: float, floor: float) -> Certified:
    cuts = moved(held.cuts, by, floor)
    return held if cuts == held.cuts else replace(held, cuts=cuts, moved_from=held.cuts.block)


def note(
    store: Store, rule: Rule, settings: Settings, check: Check, lifted: Sequence[str], answer: str
) -> None:
    """Counts a check of a call that destroys nothing: judged by cuts, or let through by an answer that lifted the holds
    of `lifted`, checks by their ids. `rule` as it was certified."""
    held = dict(rule.certified).get(check.effects.operation_class) if check.effects else None
    if (
        held is None
        or held.cuts.block == NO_BLOCK
        or check.effects is None
        or check.effects.operation_class == DESTRUCTIVE
        or check.mode != "enforce"
        or settings.calibration.follow == "off"
    ):
        return
    if check.reason == "released":
        if any(_was_blocked(store.check(one)) for one in lifted):
            digest = hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            most = held.cuts.block - (settings.calibration.floor or 0.0)
            _change(store, rule, lambda found: released(found, digest, most))
    elif check.convergence is not None and check.thresholds is not None and check.thresholds.certified:
        alpha = held.cuts.alpha
        _change(store, rule, lambda found: judged(found, alpha))


def _change(store: Store, rule: Rule, change: Callable[[Followed], Followed]) -> None:
    import json

    def make(text: str | None) -> tuple[str | None, None]:
        return json.dumps(values_of(change(followed(text)))), None

    store.change_note(key_of(rule), make, None)


def _was_blocked(record: Mapping[str, object] | None) -> bool:
    """Whether readers held that call by certified cuts, and it would have destroyed nothing."""
    if record is None or record.get("reason") not in BY_CUTS:
        return False
    effect, thresholds = (
        cast(Mapping[str, object], record.get(name) or {}) for name in ("effect", "thresholds")
    )
    return thresholds.get("certified") is not None and effect.get("operation_class") != DESTRUCTIVE
