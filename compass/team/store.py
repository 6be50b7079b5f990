"""What a team's evaluators share, in transactions of the team: evaluations under way, their end, and their records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from compass.team import accounts, budget
from compass.team.accounts import Accounts
from compass.team.database import STEPS, Connection, TeamDatabase, reads, writes
from compass.team.documents import Spent
from compass.team.model import Begun, Finished, Flight, Flying, Landed, Waiting
from evaluator.readers.team.wire import evaluation_document
from evaluator.record import plain_of, replace
from evaluator.text import DAY_SECONDS, day_of

LEASE_SECONDS: Final = 4.0
"""A flight that its replica does not renew is another's: a replica that died holds nobody up for longer."""
POLL_SECONDS: Final = 0.1
LANDED_SECONDS: Final = 120.0
"""How long an answer is kept for those who ask again because they lost it."""
AHEAD_SECONDS: Final = 2.0
"""How far another's moment may lie ahead and not be of the future: each reads the clock, then waits to write."""
ENDED_TOKENS_DAYS: Final = 365
ANY_TEAM: Final = "team"
"""What no team owns is read in a transaction of any name."""
PAGE: Final = 50
"""Records read at once: each may hold a megabyte of evidence."""
SWEPT: Final = 500
"""Records deleted in one transaction, so that nobody waits long for it."""
_COLUMNS = (
    "evaluation_id", "at", "person", "repository", "session", "operation_class", "backend", "model", "prompt",
    "mean", "stddev", "valid", "cost_usd", "duration_ms", "thresholds", "samples",
    "evidence",
)  # fmt: skip
_JSON = frozenset(("thresholds", "samples", "evidence"))


class _Rate(Exception):  # noqa: N818 - undoes the transaction
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class TeamStore(Accounts):
    def __init__(self, database: TeamDatabase, new_id: Callable[[float], str]) -> None:
        super().__init__(database)
        self._new_id = new_id

    def ready(self) -> bool:
        """Whether the database answers and has the schema of this program; raises StateError, too."""
        return {*self._names_in_store_table(ANY_TEAM, "compass_steps")} >= {name for name, _ in STEPS}

    def teams(self) -> tuple[str, ...]:
        """The names of all teams in the database."""
        return self._names_in_store_table(ANY_TEAM, "compass_teams")

    @reads
    def _names_in_store_table(self, held: Connection, table: str) -> tuple[str, ...]:
        return tuple(name for (name,) in held.execute(f"SELECT name FROM {table} ORDER BY name"))  # noqa: S608

    # Evaluations

    def begin(self, flight: Flight, wait: float) -> Begun:
        """Reserve what one evaluation may take, and enter its flight; the database is waited for no longer than `wait`
        seconds. Raises Refused for a cap that is reached, or an open breaker: nothing is booked then."""
        who, request, line, need = flight.who, flight.request, flight.line, flight.need

        def enter(held: Connection) -> Begun:
            other = _enter_team_flight(held, flight, held.began_at - min(request.waited, LANDED_SECONDS))
            if isinstance(other, Waiting):
                return other
            chosen, policy = accounts.settings_and_policy_in(held)
            if isinstance(other, Landed):
                return Landed(other.answer, policy)
            # Whatever is raised from here on undoes all of it, the flight as well.
            probe = budget.admit(held, line, flight.token)
            if chosen.samples_per_minute is not None:
                seconds = budget.take(held, line.key, need.asked, chosen.samples_per_minute, chosen.burst)
                if seconds > 0:
                    raise _Rate(seconds)
            evaluation_id = self._new_id(held.began_at)
            taken = budget.spent_by(held, day_of(held.began_at), who.person)
            budget.reserve(held, evaluation_id, who.person, taken, need, chosen)
            return Flying(evaluation_id, probe, chosen, policy)

        try:
            return self.database.write(who.team, enter, min(wait, self.database.wait_seconds))
        except _Rate as rate:
            return Waiting(rate.seconds, "rate")

    @writes
    def renew(self, held: Connection, tokens: tuple[str, ...]) -> None:
        """Extends the flights of these evaluations, those that are still theirs."""
        held.execute(
            "UPDATE team_flights SET until = %s WHERE answer IS NULL AND token = ANY(%s)",
            (held.began_at + LEASE_SECONDS, list(tokens)),
        )

    @writes
    def finish(self, held: Connection, flight: Flight, flying: Flying, finished: Finished) -> None:
        """Settle, report to the breaker, keep the record and tell those who wait: all or nothing."""
        if not budget.settle(held, flying.evaluation_id, finished.usd, finished.samples):
            return  # all of it stands already: only the word that it does was lost
        chosen = flying.settings
        if chosen.samples_per_minute is not None:
            beyond = finished.samples - flight.need.asked
            budget.take_beyond(held, flight.line.key, beyond, chosen.samples_per_minute, chosen.burst)
        budget.report(held, flight.line, finished.outcome, flying.probe)
        # Whoever was erased meanwhile leaves no record.
        revoked = held.execute(
            "SELECT 1 FROM team_tokens WHERE token_id = %s AND revoked_at IS NOT NULL", (flight.who.token_id,)
        )
        if revoked.fetchone() is None:
            _store_evaluation(held, flight, finished, store_evidence=chosen.store_evidence)
        if finished.convergence is not None:
            answer = json.dumps(evaluation_document(finished.evaluation))
            held.execute(
                "UPDATE team_flights SET answer = %s, until = %s WHERE identity = %s AND token = %s",
                (answer, held.began_at, flight.identity, flight.token),
            )
        else:
            _leave_team_flight(held, flight)

    @writes
    def abandon(self, held: Connection, flight: Flight, flying: Flying) -> None:
        """The evaluation broke: nobody waits for it. What was reserved stays booked, as nobody knows what was used."""
        _leave_team_flight(held, flight)
        budget.report(held, flight.line, "neutral", flying.probe)

    # What is kept

    @reads
    def spent(self, held: Connection, day: str) -> tuple[Spent, ...]:
        return budget.spent_on(held, day)

    def evaluations(self, team: str, since: float = 0.0, person: str = "") -> Iterator[Mapping[str, object]]:
        """The kept ones, oldest first, as JSON values; read in pages, never all at once."""
        after = (since, "")
        while True:
            page = self._stored_evaluations_page(team, person, after)
            yield from page
            if len(page) < PAGE:
                return
            after = (float(str(page[-1]["at"])), str(page[-1]["evaluation_id"]))

    @reads
    def _stored_evaluations_page(
        self, held: Connection, person: str, after: tuple[float, str]
    ) -> list[dict[str, object]]:
        """`after` is the (moment, id) of the last one before; an empty `person` is anybody."""
        query = f"""SELECT {", ".join(_COLUMNS)} FROM team_evaluations
            WHERE (at, evaluation_id) > (%s, %s) AND person = coalesce(nullif(%s, ''), person)
            ORDER BY at, evaluation_id LIMIT {PAGE}"""  # noqa: S608 - constants
        return [
            {
                name: json.loads(value) if name in _JSON and value is not None else value
                for name, value in zip(_COLUMNS, row, strict=True)
            }
            for row in held.execute(query, (*after, person))
        ]

    @writes
    def erase_person(self, held: Connection, person: str) -> int:
        """How many records are gone. Tokens of the person are revoked; sums of spending stay."""
        gone = held.execute("DELETE FROM team_evaluations WHERE person = %s", (person,)).rowcount
        held.execute(
            "UPDATE team_tokens SET revoked_at = %s WHERE person = %s AND revoked_at IS NULL",
            (held.began_at, person),
        )
        # Answers that wait for whoever lost one are a person's, too, and nobody can tell whose.
        _sweep_team_flights(held, held.began_at)
        return gone

    def sweep(self, team: str) -> int:
        """Delete what is older than the team's retention; how many records are gone."""
        gone = 0
        while True:
            page = self._sweep_team_records(team)
            gone += page
            if page < SWEPT:
                return gone

    @writes
    def _sweep_team_records(self, held: Connection) -> int:
        now = held.began_at
        chosen = accounts.settings_in(held)
        _sweep_team_flights(held, now - LANDED_SECONDS)
        held.execute("DELETE FROM team_reservations WHERE at < %s", (now - DAY_SECONDS,))
        held.execute(
            "DELETE FROM team_tokens WHERE expires_at < %s", (now - ENDED_TOKENS_DAYS * DAY_SECONDS,)
        )
        return held.execute(
            f"""DELETE FROM team_evaluations WHERE evaluation_id IN
                (SELECT evaluation_id FROM team_evaluations WHERE at < %s ORDER BY at LIMIT {SWEPT})""",  # noqa: S608
            (now - chosen.retention_days * DAY_SECONDS,),
        ).rowcount


def _store_evaluation(held: Connection, flight: Flight, finished: Finished, *, store_evidence: bool) -> None:
    """Without evidence nothing is kept that a reader may have quoted from it."""
    evaluation, convergence, request = finished.evaluation, finished.convergence, flight.request
    samples = evaluation.samples
    if not store_evidence:
        samples = tuple(
            replace(
                sample,
                rationale="",
                rival=None,
                error=(sample.error or "").partition(":")[0] or None,
                reading=sample.reading and replace(sample.reading, target=""),
            )
            for sample in samples
        )
    held.execute(
        f"INSERT INTO team_evaluations ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})",  # noqa: S608
        (
            evaluation.evaluation_id,
            held.began_at,
            flight.who.person,
            request.repository,
            request.session,
            request.evidence.operation_class,
            evaluation.backend,
            evaluation.model,
            evaluation.prompt,
            convergence and convergence.mean,
            convergence and convergence.stddev,
            sum(sample.valid for sample in samples),
            finished.usd,
            finished.duration_ms,
            None if request.thresholds is None else json.dumps(plain_of(request.thresholds)),
            json.dumps([plain_of(sample) for sample in samples]),
            json.dumps(plain_of(request.evidence)) if store_evidence else None,
        ),
    )


# Flights: the same question of a team is asked once, whatever session asks


def _enter_team_flight(held: Connection, flight: Flight, since: float) -> Waiting | Landed | None:
    """None where the caller is the one who evaluates; else another one does, or did since `since`. A flight whose owner
    did not land within its lease is taken over; so is one of the future, which a clock that jumped back leaves
    behind."""
    row = held.execute(
        "SELECT started_at, until, answer FROM team_flights WHERE identity = %s", (flight.identity,)
    ).fetchone()
    now = held.began_at
    if row is not None:
        started, until, answer = row
        latest = now + AHEAD_SECONDS
        if answer is None and started <= latest and now < until:
            return Waiting(POLL_SECONDS, "flight")
        # Of a flight that has landed, `until` is the moment: it ran beside the caller if that is not before its start.
        if answer is not None and since <= until <= latest:
            return Landed(answer)
    held.execute(
        """INSERT INTO team_flights (identity, token, started_at, until, answer) VALUES (%s, %s, %s, %s, NULL)
        ON CONFLICT (team, identity) DO UPDATE SET token = excluded.token, started_at = excluded.started_at,
            until = excluded.until, answer = NULL""",
        (flight.identity, flight.token, now, now + LEASE_SECONDS),
    )
    return None


def _leave_team_flight(held: Connection, flight: Flight) -> None:
    held.execute(
        "DELETE FROM team_flights WHERE identity = %s AND token = %s", (flight.identity, flight.token)
    )


def _sweep_team_flights(held: Connection, before: float) -> None:
    held.execute("DELETE FROM team_flights WHERE until < %s", (before,))
