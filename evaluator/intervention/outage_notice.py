"""What a person is told of readers that fail, and that they answer again: once each. Pure, and plain words alone."""

from __future__ import annotations

import time
from typing import Final, Literal

from evaluator.breaker.outages import ReadersBack, line_of
from evaluator.configuration.settings import Settings
from evaluator.intervention.telling import fit

LINES_MAX: Final = 8
DOES: Final = {
    "transport": "cannot be reached",
    "timeout": "do not answer in time",
    "rate": "take no more requests for now",
    "authentication": "refuse the key or the login",
    "server": "answer with errors",
}
"""By kind of fault."""
PLACE_CHARS: Final = 40
DAY_SECONDS: Final = 86_400.0

Meanwhile = Literal["held", "unjudged", "by rules", "watched", "watched by rules"]
_SAID: Final[dict[Meanwhile, str]] = {
    "held": "Until they answer, every write that needs a judgement is held.",
    "unjudged": "Until they answer, writes run unjudged.",
    "by rules": "Until they answer, rules judge in their place; they find less.",
    "watched": "Until they answer, writes run unjudged. In observe mode nothing is held.",
    "watched by rules": "Until they answer, rules look at writes in their place. In observe mode nothing is held.",
}
_KEEPS_DESTRUCTION: Final = (
    "Until they answer, writes run unjudged; what destroys something is judged by rules."
)
_BEHAVES: Final[dict[str, Meanwhile]] = {
    "closed": "held", "fail_closed": "held", "open": "unjudged", "fail_open": "unjudged", "embedded": "by rules",
}  # fmt: skip


def begun(settings: Settings, key: str, *, cause: str, since: float, until: float | None, now: float) -> str:
    """Whose readers fail and since when, when they are asked again, what happens meanwhile, what changes that.

    `key` as `transitions.key_of` makes it. `until`: they are not asked before; None where the next write asks. Times
    in seconds since the epoch.
    """
    asks = (
        f"They are asked again at {clock(until, now)}."
        if until is not None
        else "The next write asks them again."
    )
    does = DOES.get(cause, "do not answer")
    return "\n".join([
        fit(f"Compass: the readers {named(key)} {does} (since {clock(min(since, now), now)})."),
        asks,
        _meanwhile(settings, shut=until is not None),
        _change(settings, shut=until is not None),
    ])  # fmt: skip


def over(back: ReadersBack, key: str, now: float) -> str:
    """They answer again, and what of the session nobody judged; two lines, or three."""
    outage = back.outage
    ended = now if outage.ended is None else min(outage.ended, now)
    since, until = clock(min(outage.since, ended), now), clock(ended, now)
    lines = [fit(f"Compass: the readers {named(key)} answer again; they failed from {since} to {until}.")]
    if back.unjudged:
        lines.append(f"{_writes(back.unjudged)} of this session ran unjudged meanwhile.")
    if back.by_rules:
        lines.append(f"{_writes(back.by_rules)} of this session ran because rules alone found nothing wrong.")
    if back.held:
        lines.append(
            f"{_writes(back.held)} of this session were not judged and held: ask for what you still want."
        )
    return "\n".join(lines)


def joined(told: str, notice: str, *, unjudged: bool) -> str:
    """What the person is told of one call: of its block, and of the readers. At most `LINES_MAX` lines.

    `unjudged`: it is held for want of a judgement, so of `told` the call and what can be typed is kept.
    """
    held, said = told.splitlines(), notice.splitlines()
    if not held:
        return notice
    if unjudged:
        return "\n".join([held[0], *said, *held[2:][-1:]][:LINES_MAX])
    return "\n".join([*held, *said[: max(0, LINES_MAX - len(held))]])


def named(key: str) -> str:
    """(backend, address)"""
    backend, address, *_ = line_of(key) or ("", "", "")
    place = address if len(address) <= PLACE_CHARS else address[: PLACE_CHARS - 1] + "…"
    return f"({', '.join(part for part in (backend, place) if part)})"


def clock(at: float, now: float) -> str:
    """Local time of day; with the date where that is another day's."""
    day, moment = "%Y-%m-%d", time.localtime(at)
    same = time.strftime(day, moment) == time.strftime(day, time.localtime(now))
    return time.strftime("%H:%M" if same else f"{day} %H:%M", moment)


def meanwhile(settings: Settings, *, shut: bool) -> Meanwhile:
    """What becomes of a write that needs a judgement; `shut`: the breaker keeps the readers from being asked."""
    policy = settings.error_policy
    does = _BEHAVES[settings.circuit_breaker.behaviour(policy) if shut else policy]
    if settings.mode != "enforce":
        return "watched by rules" if does == "by rules" else "watched"
    return does


def _meanwhile(settings: Settings, *, shut: bool) -> str:
    does = meanwhile(settings, shut=shut)
    return _KEEPS_DESTRUCTION if shut and does == "unjudged" else _SAID[does]


def _change(settings: Settings, *, shut: bool) -> str:
    """The one command. `open_behavior` decides alone once the breaker is open and the user set it."""
    does = meanwhile(settings, shut=shut)
    if does == "watched by rules":
        return "To hold unclear writes: `compass init --enforce`"
    own = shut and settings.circuit_breaker.open_behavior != "policy"
    key = "circuit_breaker.open_behavior" if own else "error_policy"
    if does in ("held", "watched"):
        return f"To let rules judge instead: `compass config set {key} embedded`"
    return f"To hold writes instead: `compass config set {key} {'fail_closed' if own else 'closed'}`"


def _writes(count: int) -> str:
    return "1 write" if count == 1 else f"{count} writes"
