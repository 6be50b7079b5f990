"""What a person is told of readers that fail, and that they answer again: once each. Pure, and plain words alone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final, Literal

from evaluator.breaker import Outage, breaker_line
from evaluator.intervention.messages import COLUMNS, fit, texts_in
from evaluator.intervention.wording import language_of
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by

LINES_MAX: Final = 8

Meanwhile = Literal["held", "unjudged", "unjudged but", "by rules", "watched", "watched by rules"]
"""What becomes of a write that needs a judgement; `unjudged but`: rules judge what destroys something."""
_BEHAVES: Final[dict[str, Meanwhile]] = {
    "closed": "held", "fail_closed": "held", "open": "unjudged", "fail_open": "unjudged but",
    "embedded": "by rules",
}  # fmt: skip


def outage_begun(
    settings: Settings, key: str, outage: Outage, *, until: float | None, now: float, request: str = ""
) -> str:
    """Whose readers fail and since when, when they are asked again, what happens meanwhile, what changes that.

    `key` as `breaker.breaker_key` makes it. `until`: they are not asked before; None where the next write asks. Times
    in seconds since the epoch. In the language of `request`.
    """
    language, shut = language_of(request), until is not None
    rows, faults = texts_in(language, "outage"), texts_in(language, "outage", "does")
    does = faults.get(outage.cause, faults["unknown"])
    asked = rows["asked_next"] if until is None else rows["asked_at"].format(until=clock(until, now))
    since_when = clock(min(outage.since, now), now)
    return "\n".join([
        fit(rows["down"].format(does=does, since=since_when, who=readers_named(key)), COLUMNS),
        asked,
        texts_in(language, "outage", "meanwhile")[meanwhile(settings, shut=shut).replace(" ", "_")],
        _outage_change_command(settings, rows, shut=shut),
    ])  # fmt: skip


def outage_over(outage: Outage, key: str, now: float, request: str = "") -> str:
    """At an outage's end, in one line: readers answer again."""
    rows = texts_in(language_of(request), "outage")
    ended = now if outage.ended is None else min(outage.ended, now)
    since, until = clock(min(outage.since, ended), now), clock(ended, now)
    return fit(rows["back"].format(since=since, until=until, who=readers_named(key)), COLUMNS)


def with_outage(told: str, notice: str, *, unjudged: bool) -> str:
    """What the person is told of one call: of its block, and of the readers. At most `LINES_MAX` lines.

    `unjudged`: it is held for want of a judgement, so of `told` the call and what can be typed is kept.
    """
    held, said = told.splitlines(), notice.splitlines()
    if not held:
        return notice
    if unjudged:
        return "\n".join([held[0], *said, *held[2:][-1:]][:LINES_MAX])
    return "\n".join([*held, *said[: max(0, LINES_MAX - len(held))]])


def readers_named(key: str) -> str:
    """Backend and address, as people read them."""
    backend, address, _ = breaker_line(key)
    return ", ".join(part for part in (backend, address) if part)


def clock(at: float, now: float) -> str:
    """Local time of day; with the date where that is another day's."""
    day, moment = "%Y-%m-%d", time.localtime(at)
    same = time.strftime(day, moment) == time.strftime(day, time.localtime(now))
    return time.strftime("%H:%M" if same else f"{day} %H:%M", moment)


def meanwhile(settings: Settings, *, shut: bool) -> Meanwhile:
    """What happens to writes while readers fail. `shut`: the breaker keeps the readers from being asked."""
    policy = settings.error_policy
    does = _BEHAVES[settings.circuit_breaker.behaviour(policy) if shut else policy]
    if settings.mode != "enforce":
        return "watched by rules" if does == "by rules" else "watched"
    return does


def _outage_change_command(settings: Settings, rows: Mapping[str, str], *, shut: bool) -> str:
    """The one command. `open_behavior` decides alone once the breaker is open and the user set it."""
    does = meanwhile(settings, shut=shut)
    if does == "watched by rules":
        return rows["to_enforce"].format(command="`compass init --enforce`")
    own = shut and settings.circuit_breaker.open_behavior != "policy"
    key = "circuit_breaker.open_behavior" if own else "error_policy"
    if does in ("held", "watched"):
        return rows["to_rules"].format(command=set_by(key, "embedded"))
    return rows["to_hold"].format(command=set_by(key, "fail_closed" if own else "closed"))
