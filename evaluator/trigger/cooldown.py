"""Whether an effect is excused because its target was just judged and written. Pure; no I/O."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.model import SEVERITY, Effect, OperationClass
from evaluator.record import Record


class Cooldown(Record):
    """A judged write that then succeeded. `at` is wall time."""

    directory: str
    stem: str
    operation_class: OperationClass
    at: float


def directory_and_stem(path: str) -> tuple[str, str]:
    """(directory, stem) of an absolute, normalised path.

    The stem drops only the last extension (`/p/foo.bak.py` gives `("/p", "foo.bak")`); a name that begins
    with a dot is kept whole.
    """
    directory, _, name = path.rstrip("/").rpartition("/")
    stem, dot, extension = name.rpartition(".")
    whole = name.startswith(".") or not dot or not extension
    return directory or "/", name if whole else stem


def has_cooled_down(effect: Effect, cooldowns: Sequence[Cooldown], now: float, seconds: float) -> bool:
    """Whether the effect's target has a live cooldown of the same or a severer class than the effect's.

    A cooldown lives `seconds` from its `at`; one that lies in the future (the clock jumped back) does not
    count, and 0 seconds turn cooldowns off. False for what is not excusable.
    """
    if not effect.excusable or seconds <= 0:
        return False
    place = directory_and_stem(effect.target)
    return any(
        (cooldown.directory, cooldown.stem) == place
        and 0 <= now - cooldown.at <= seconds
        and SEVERITY[cooldown.operation_class] >= SEVERITY[effect.operation_class]
        for cooldown in cooldowns
    )
