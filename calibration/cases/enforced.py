"""Sessions recorded while Compass held writes back: what ran there is a selected sample of what was wanted. Pure.

A write that passed at once ran for sure. One that was held ran only if the user let it go, so a wanted write that the
readers doubt is missing more often than one that they do not, and a floor measured on what ran would lie too high.
Of the held writes the transcript shows those that the user let go unchanged; those that were cancelled were not wanted;
all others may have been. So the chance that a held, wanted write was let through is at least the share of the first
among the first and the last, and a write that passed at once is kept with just that chance: the inverse weight, as a
draw, so that each case that is left counts once. Where none was let go the chance is not known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from calibration.cases.history import BLOCKED, CheckRecord

End = Literal["released", "cancelled", "lost"]


@dataclass(frozen=True, slots=True)
class Gated:
    """What Compass's own records say of sessions: those that it watched, and the calls that it held in others."""

    watched: frozenset[str] = frozenset()
    enforced: frozenset[str] = frozenset()
    held: frozenset[tuple[str, str]] = frozenset()

    def was_held(self, session_id: str, tool_use_id: str, traced: bool) -> bool:
        """Of a call that did not run. Where no record is left, a session with Compass's words in it may have been
        gated: its refused calls count as held."""
        if session_id in self.watched or session_id in self.enforced:
            return (session_id, tool_use_id) in self.held
        return traced

    def is_gated(self, session_id: str, traced: bool) -> bool:
        return session_id in self.enforced or (traced and session_id not in self.watched)


def gated_by(records: Iterable[CheckRecord]) -> Gated:
    """`records` are those of `evaluator.state.tables.records`."""
    seen: set[str] = set()
    enforced: set[str] = set()
    held: set[tuple[str, str]] = set()
    for record in records:
        pending = cast(Mapping[str, object], record.get("pending") or {})
        session = str(pending.get("session_id"))
        seen.add(session)
        if record.get("mode") == "enforce":
            enforced.add(session)
            if record.get("decision") == "deny" and record.get("reason") in BLOCKED:
                held.add((session, str(pending.get("tool_use_id"))))
    return Gated(frozenset(seen - enforced), frozenset(enforced), frozenset(held))


@dataclass(slots=True)
class Selection:
    """What became of the held writes of gated sessions, and how many passed at once."""

    sessions: int = 0
    passed: int = 0
    ends: dict[End, int] = field(default_factory=lambda: {"released": 0, "cancelled": 0, "lost": 0})

    @property
    def chance(self) -> float | None:
        """Of a held, wanted write to be let through; None where it is not known."""
        released, lost = self.ends["released"], self.ends["lost"]
        if not lost:
            return 1.0
        return released / (released + lost) if released else None

    def notes(self, kept: int) -> tuple[str, ...]:
        """`kept` of the writes that passed at once are used."""
        if not self.sessions or not any(self.ends.values()):
            return ()
        said = (
            f"{self.sessions} recorded sessions ran under enforcement; of the first writes held there "
            f"{self.ends['released']} were let go by the user, {self.ends['cancelled']} cancelled, "
            f"{self.ends['lost']} answered otherwise or not at all"
        )
        chance = self.chance
        if chance is None:
            return (
                f"{said}. What passed there is a selected sample, and none of the held ones shows how likely a wanted "
                "one was let through: these sessions are left out. Sessions recorded in observe mode, --from-git and "
                "--cases are free of it.",
            )
        if chance == 1.0:
            return (f"{said}: none that may have been wanted is missing, all count alike.",)
        return (
            f"{said}. A held write that was wanted was let through with a chance of at least {chance:.0%}; so that it "
            f"counts as much, {kept} of the {self.passed} that passed at once are used, drawn with that chance.",
        )


def drawn(name: str, chance: float) -> bool:
    """True with that chance over all names, and for one name always the same."""
    return int.from_bytes(hashlib.sha256(f"drawn:{name}".encode()).digest()[:8], "big") < chance * 2**64
