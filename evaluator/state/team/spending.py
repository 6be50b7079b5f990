"""What a team and its people take of a day: reserved before it is used, settled after. SQL in a transaction.

A reservation counts as spent until it is settled: one whose replica died stays booked, since nobody knows what was
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.team.model import Need, Refused, Spent, TeamSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluator.state.tables.connection import Connection, Later

WHOLE_TEAM = ""
_TOLERANCE = 1e-9


def reserve(
    connection: Connection,
    reservation: str,
    person: str,
    day: str,
    taken: Mapping[str, Spent],
    need: Need,
    settings: TeamSettings,
    now: float,
) -> None:
    """`taken` is what `of` found. Raises Refused where this would lead over a cap, and books nothing then."""
    capped = settings.daily_usd is not None or settings.daily_usd_person is not None
    if capped and need.usd is None:
        raise Refused(
            "budget", "the price of the model is not known, so that a cap in US dollars cannot be held"
        )
    usd = need.usd or 0.0
    for who, most_usd, most_samples, whose in (
        (WHOLE_TEAM, settings.daily_usd, settings.daily_samples, "the team's"),
        (person, settings.daily_usd_person, settings.daily_samples_person, "your"),
    ):
        spent = taken.get(who) or Spent(day, who, 0.0, 0)
        if most_usd is not None and spent.usd + usd > most_usd + _TOLERANCE:
            raise Refused("budget", f"{whose} budget of the day is used up: {most_usd:g} US dollars")
        if most_samples is not None and spent.samples + need.samples > most_samples:
            raise Refused("budget", f"{whose} budget of the day is used up: {most_samples} samples")
    _book(connection, day, person, usd, need.samples)
    connection.execute(
        "INSERT INTO team_reservations (reservation, day, person, usd, samples, at) VALUES (?, ?, ?, ?, ?, ?)",
        (reservation, day, person, usd, need.samples, now),
    )


def settle(connection: Connection, reservation: str, usd: float | None, samples: int) -> bool:
    """What was used stands in place of what was reserved, None for as much; False where that was told before."""
    row = connection.execute(
        "DELETE FROM team_reservations WHERE reservation = ? RETURNING day, person, usd, samples",
        (reservation,),
    ).fetchone()
    if row is None:
        return False
    day, person, reserved, reserved_samples = row
    _book(connection, day, person, (reserved if usd is None else usd) - reserved, samples - reserved_samples)
    return True


def of(connection: Connection, day: str, person: str) -> Later[Mapping[str, Spent]]:
    """What this person and the team took, by name; who took nothing is left out."""
    rows = connection.execute(
        "SELECT person, day, usd, samples FROM team_spending WHERE day = ? AND person IN (?, ?)",
        (day, WHOLE_TEAM, person),
    )
    return lambda: {who: Spent(on, who, usd, samples) for who, on, usd, samples in rows}


def every(connection: Connection, day: str) -> tuple[Spent, ...]:
    rows = connection.execute(
        "SELECT day, person, usd, samples FROM team_spending WHERE day = ? ORDER BY person", (day,)
    )
    return tuple(Spent(*row) for row in rows)


def _book(connection: Connection, day: str, person: str, usd: float, samples: int) -> None:
    connection.execute(
        """INSERT INTO team_spending (day, person, usd, samples) VALUES (?, ?, ?, ?), (?, ?, ?, ?)
        ON CONFLICT (day, person) DO UPDATE SET usd = team_spending.usd + excluded.usd,
            samples = team_spending.samples + excluded.samples""",
        (day, WHOLE_TEAM, usd, samples, day, person, usd, samples),
    )
