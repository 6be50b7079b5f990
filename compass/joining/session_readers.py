"""Who reads in a session under `auto`: found out at its start, and kept until it ends."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, cast

from compass.joining.gate import Wired, read_by
from evaluator.backends import AUTO, EMBEDDED, ROWS

if TYPE_CHECKING:
    from evaluator.state.store import Store

TOLD_AGAIN_SECONDS = 86_400.0
"""Sessions side by side that find different readers take turns: the same change is not told again before."""


def in_session(wired: Wired, session: str, now: float) -> Wired:
    """The gate with the readers of that session; the first call of one that has none finds them out.

    What is then told is owed to the session: the call has an answer of its own.
    """
    if wired.settings.evaluator.backend != AUTO:
        return wired

    @cache
    def who() -> str:
        kept = wired.store.backend_of(session)
        if kept in ROWS and not _taken_back(wired, kept):
            return kept
        name, told = begun(wired, session, now)
        if told:
            from evaluator.intervention.owed import Owed

            wired.store.owe(session, Owed(told, "", held=False))
        return name

    return read_by(wired, who)


def _taken_back(wired: Wired, kept: str) -> bool:
    """A yes to calls on the person's subscription ends when they take it back, not with the session."""
    if kept == EMBEDDED:
        return False
    from compass.joining.agreement import CLIENT, agreement_of

    return kept == CLIENT and not agreement_of(wired.env, wired.home, wired.project_dir).agreed


def begun(wired: Wired, session: str, now: float) -> tuple[str, str]:
    """(who reads in the session from now on, what its person is told of that)."""
    from compass.joining.agreement import agreement_of
    from compass.joining.backends import choose_backend
    from evaluator.readers.kinds.kind import label_of

    agreement = agreement_of(wired.env, wired.home, wired.project_dir)
    name, why = choose_backend(wired.settings, wired.env, agreement)
    wired.store.set_backend(session, name)
    attended = wired.parts.attended or wired.store.was_attended(session)
    # What nobody reads is left for the next session that a person is at.
    if not (attended and note_told(wired.store, wired.project_dir, name, now)):
        return name, ""
    return name, f"Compass: readers are now {label_of(name)}, because {why}; `compass doctor` says more."


def note_told(store: Store, project_dir: str, name: str, now: float) -> bool:
    """Keep that the person knows who reads in the project. Whether they are to be told that it was another one."""

    def change(found: str | None) -> tuple[str | None, bool]:
        last, told = _known(found)
        if name == last:
            return None, False
        turn = f"{last} {name}"
        tells = last != "" and not 0 <= now - told.get(turn, -TOLD_AGAIN_SECONDS) < TOLD_AGAIN_SECONDS
        return json.dumps({"last": name, "told": {**told, turn: now} if tells else told}), tells

    return store.change_note(f"readers:{project_dir}", change, False)


def _known(text: str | None) -> tuple[str, dict[str, float]]:
    """(who read last, empty for nobody; when each change, as `FROM TO`, was told)."""
    try:
        found = cast(object, json.loads(text or "{}"))
    except ValueError:
        return "", {}
    whole = cast(dict[str, object], found) if isinstance(found, dict) else {}
    last, told = whole.get("last"), whole.get("told")
    pairs = cast(dict[str, object], told).items() if isinstance(told, dict) else ()
    return str(last or ""), {turn: float(at) for turn, at in pairs if isinstance(at, int | float)}
