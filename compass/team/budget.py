"""What a team may take: spending of a day, the rate towards a provider, the breaker of its readers.

SQL in a transaction of the caller. Spending is reserved before it is used and settled after. A reservation counts as
spent until then: one whose replica died stays booked, since nobody knows what was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from compass.team.database import Connection
from compass.team.documents import Spent
from compass.team.model import Line, Need, Refused, TeamSettings
from evaluator import breaker
from evaluator.breaker import BreakerState, Closed, EvaluationOutcome, ask_breaker, breaker_row, breaker_state
from evaluator.text import day_of

WHOLE_TEAM: Final = ""
_TOLERANCE: Final = 1e-9


def reserve(
    held: Connection,
    reservation: str,
    person: str,
    taken: Mapping[str, Spent],
    need: Need,
    settings: TeamSettings,
) -> None:
    """Books what an evaluation may cost before it is asked. `taken` is what `spent_by` found. Raises Refused where this
    would lead over a cap, and books nothing then."""
    capped = settings.daily_usd is not None or settings.daily_usd_person is not None
    if capped and need.usd is None:
        raise Refused(
            "budget", "the price of the model is not known, so a cap in US dollars cannot be enforced"
        )
    usd, day = need.usd or 0.0, day_of(held.began_at)
    for who, most_usd, most_samples, whose in (
        (WHOLE_TEAM, settings.daily_usd, settings.daily_samples, "the team's"),
        (person, settings.daily_usd_person, settings.daily_samples_person, "your"),
    ):
        spent = taken.get(who) or Spent(person=who, usd=0.0, samples=0)
        if most_usd is not None and spent.usd + usd > most_usd + _TOLERANCE:
            raise Refused("budget", f"{whose} daily budget is used up: {most_usd:g} US dollars")
        if most_samples is not None and spent.samples + need.samples > most_samples:
            raise Refused("budget", f"{whose} daily budget is used up: {most_samples} samples")
    _book_team_spending(held, day, person, usd, need.samples)
    held.execute(
        """INSERT INTO team_reservations (reservation, day, person, usd, samples, at)
        VALUES (%s, %s, %s, %s, %s, %s)""",
        (reservation, day, person, usd, need.samples, held.began_at),
    )


def settle(held: Connection, reservation: str, usd: float | None, samples: int) -> bool:
    """What was used stands in place of what was reserved, None for as much; False where that was told before."""
    row = held.execute(
        "DELETE FROM team_reservations WHERE reservation = %s RETURNING day, person, usd, samples",
        (reservation,),
    ).fetchone()
    if row is None:
        return False
    day, person, reserved, reserved_samples = row
    _book_team_spending(
        held, day, person, (reserved if usd is None else usd) - reserved, samples - reserved_samples
    )
    return True


def spent_by(held: Connection, day: str, person: str) -> Mapping[str, Spent]:
    """What this person and the team took, by name; who took nothing is left out."""
    rows = held.execute(
        "SELECT person, usd, samples FROM team_spending WHERE day = %s AND person IN (%s, %s)",
        (day, WHOLE_TEAM, person),
    )
    return {one.person: one for one in map(_budget_row_to_spent, rows)}


def spent_on(held: Connection, day: str) -> tuple[Spent, ...]:
    rows = held.execute(
        "SELECT person, usd, samples FROM team_spending WHERE day = %s ORDER BY person", (day,)
    )
    return tuple(map(_budget_row_to_spent, rows))


def _budget_row_to_spent(row: tuple[str, float, int]) -> Spent:
    return Spent(person=row[0], usd=row[1], samples=row[2])


def _book_team_spending(held: Connection, day: str, person: str, usd: float, samples: int) -> None:
    held.execute(
        """INSERT INTO team_spending (day, person, usd, samples) VALUES (%s, %s, %s, %s), (%s, %s, %s, %s)
        ON CONFLICT (team, day, person) DO UPDATE SET usd = team_spending.usd + excluded.usd,
            samples = team_spending.samples + excluded.samples""",
        (day, WHOLE_TEAM, usd, samples, day, person, usd, samples),
    )


# The rate: a token bucket that all replicas share


def take(held: Connection, line: str, samples: int, per_minute: float, burst: int) -> float:
    """0.0 with the samples taken; else the seconds until that many are there, and nothing is taken. More than the
    bucket holds are taken once it is full, and are owed by it."""
    there = _read_team_rate_bucket(held, line, per_minute, burst)
    wanted = min(samples, burst)
    if there < wanted:
        return (wanted - there) * 60.0 / per_minute
    _write_team_rate_bucket(held, line, there - samples)
    return 0.0


def take_beyond(held: Connection, line: str, samples: int, per_minute: float, burst: int) -> None:
    """Samples beyond those that were taken, or with a minus some that were not used."""
    if samples:
        there = _read_team_rate_bucket(held, line, per_minute, burst)
        _write_team_rate_bucket(held, line, min(there - samples, float(burst)))


def _read_team_rate_bucket(held: Connection, line: str, per_minute: float, burst: int) -> float:
    row = held.execute("SELECT tokens, at FROM team_rates WHERE line = %s", (line,)).fetchone()
    if row is None:
        return float(burst)
    tokens, at = float(row[0]), float(row[1])
    return min(float(burst), tokens + max(held.began_at - at, 0.0) * per_minute / 60.0)


def _write_team_rate_bucket(held: Connection, line: str, tokens: float) -> None:
    held.execute(
        """INSERT INTO team_rates (line, tokens, at) VALUES (%s, %s, %s)
        ON CONFLICT (team, line) DO UPDATE SET tokens = excluded.tokens, at = excluded.at""",
        (line, tokens, held.began_at),
    )


# The breaker: its rules are `evaluator.breaker`


def admit(held: Connection, line: Line, token: str) -> str | None:
    """The breaker's token for a probe, None where there is no need of one. Raises Refused while it is open."""
    if line.rules is None:
        return None
    before, now = _read_team_breaker(held, line.key), held.began_at
    after, admission = ask_breaker(before, token, now, line.rules)
    _write_team_breaker(held, line.key, before, after)
    if admission.answer == "open":
        raise Refused(
            "breaker_open",
            "the team's readers failed several times in a row, so they will not be asked for a while",
            retry_after=max((admission.until or now) - now, 1.0),
        )
    return admission.token


def report(held: Connection, line: Line, outcome: EvaluationOutcome, probe: str | None) -> None:
    if line.rules is not None:
        before = _read_team_breaker(held, line.key)
        after = breaker.report_outcome(before, outcome, probe, held.began_at, line.rules)
        _write_team_breaker(held, line.key, before, after)


def _read_team_breaker(held: Connection, key: str) -> BreakerState:
    row = held.execute(
        "SELECT state, failures, token, since FROM team_breakers WHERE line = %s", (key,)
    ).fetchone()
    return Closed() if row is None else breaker_state(*row)


def _write_team_breaker(held: Connection, key: str, before: BreakerState, after: BreakerState) -> None:
    if after == before:
        return
    held.execute(
        """INSERT INTO team_breakers (line, state, failures, token, since) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (team, line) DO UPDATE SET state = excluded.state, failures = excluded.failures,
            token = excluded.token, since = excluded.since""",
        (key, *breaker_row(after)),
    )
