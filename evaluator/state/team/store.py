"""What a team's evaluators share: `evaluator.team.ports.TeamStore` on PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from evaluator.days import day_of
from evaluator.errors import StateError
from evaluator.state.postgres.database import ALL_STEPS, PostgresDatabase
from evaluator.state.tables import breakers, flights
from evaluator.state.team import evaluations, rates, shared, spending, tokens
from evaluator.team.documents import evaluation_document
from evaluator.team.model import (
    UNKNOWN,
    Begun,
    EvaluationRequest,
    Finished,
    Flying,
    Landed,
    Line,
    Need,
    Policy,
    Principal,
    Refused,
    Scope,
    SharedThresholds,
    Spent,
    TeamSettings,
    Token,
    Waiting,
)

if TYPE_CHECKING:
    from evaluator.state.tables.connection import Connection

T = TypeVar("T")

LEASE_SECONDS: Final = 4.0
"""A flight that its replica does not renew is another's: a replica that died holds nobody up for longer."""
POLL_SECONDS: Final = 0.1
LANDED_SECONDS: Final = 120.0
"""How long an answer is kept for those who ask again because they lost it."""
DAY_SECONDS: Final = 86_400.0
ACTS_DAYS: Final = 365
_ONE = "team"
"""Flights of the whole team are one another's, whatever session asks."""


class _Rate(Exception):  # noqa: N818 - undoes the transaction
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class PostgresTeamStore:
    """Safe for threads; see the port for what each method promises."""

    def __init__(self, database: PostgresDatabase, new_id: Callable[[float], str]) -> None:
        self._database = database
        self._new_id = new_id

    def ready(self) -> bool:
        def steps(connection: Connection) -> set[str]:
            return {name for (name,) in connection.execute("SELECT name FROM compass_steps")}

        return self._database.read(_ONE, steps) >= {name for name, _ in ALL_STEPS}

    def teams(self) -> tuple[str, ...]:
        # The names of teams are nobody's own; any name begins the transaction.
        return self._database.read(_ONE, shared.teams)

    def make_team(self, team: str) -> bool:
        if not tokens.TEAM.fullmatch(team):
            raise StateError(
                f"{team[:40]!r}: a team's name has 1 to 40 of a-z, 0-9 and -, and begins with no -"
            )
        return self._write(team, lambda connection, now: shared.make_team(connection, team, now))

    def principal(self, token: str) -> Principal | None:
        parts = tokens.parts_of(token)
        if parts is None:
            return None
        team, token_id = parts

        return self._database.read(
            team, lambda held: tokens.principal(held, team, token_id, token, held.began_at)
        )

    def note_use(self, who: Principal) -> None:
        self._write(who.team, lambda connection, now: tokens.note_use(connection, who.token_id, now))

    def make_token(
        self, team: str, person: str, scopes: tuple[Scope, ...], seconds: float, by: str
    ) -> tuple[str, Token]:
        def make(connection: Connection, now: float) -> tuple[str, Token]:
            shared.settings(connection)
            token, row = tokens.make(connection, team, person, scopes, now, seconds)
            shared.note_act(connection, "token created", f"{row.token_id} of {person}", by, now)
            return token, row

        return self._write(team, make)

    def tokens(self, team: str) -> tuple[Token, ...]:
        return self._database.read(team, tokens.every)

    def revoke_token(self, team: str, token_id: str, by: str) -> bool:
        def revoke(connection: Connection, now: float) -> bool:
            done = tokens.revoke(connection, token_id, now)
            if done:
                shared.note_act(connection, "token revoked", token_id, by, now)
            return done

        return self._write(team, revoke)

    def settings(self, team: str) -> TeamSettings:
        return self._database.read(team, shared.settings)

    def set_settings(self, team: str, settings: TeamSettings, by: str) -> None:
        def change(connection: Connection, now: float) -> None:
            shared.set_settings(connection, settings)
            shared.note_act(connection, "settings changed", "", by, now)

        self._write(team, change)

    def policy(self, team: str) -> Policy:
        return self._database.read(team, shared.policy)

    def set_policy(self, team: str, policy: Policy, by: str) -> Policy:
        def change(connection: Connection, now: float) -> Policy:
            found = shared.set_policy(connection, policy)
            shared.note_act(connection, "policy changed", found.digest, by, now)
            return found

        return self._write(team, change)

    def thresholds(self, team: str, repository: str) -> SharedThresholds | None:
        return self._database.read(team, lambda connection: shared.thresholds(connection, repository))

    def set_thresholds(
        self, team: str, repository: str, document: Mapping[str, object], by: str
    ) -> SharedThresholds:
        def change(connection: Connection, now: float) -> SharedThresholds:
            found = shared.set_thresholds(connection, repository, document, by, now)
            shared.note_act(connection, "thresholds changed", f"{repository} {found.digest}", by, now)
            return found

        return self._write(team, change)

    def begin(
        self,
        who: Principal,
        request: EvaluationRequest,
        identity: str,
        need: Need,
        line: Line,
        token: str,
        wait: float,
    ) -> Begun:
        def enter(connection: Connection, now: float) -> Begun:
            holds = tokens.holds(connection, who.token_id, now)
            chosen = shared.settings_and_digests(connection, request.repository)
            taken = spending.of(connection, day_of(now), who.person)
            since = now - min(request.waited, LANDED_SECONDS)
            entered = flights.enter(connection, _ONE, identity, token, since, now, LEASE_SECONDS)
            if not holds():
                raise Refused("unauthorized", UNKNOWN)
            if not entered:
                answer = flights.outcome(connection, _ONE, identity)
                if answer is None:
                    return Waiting(POLL_SECONDS, "flight")
                return Landed(answer, *chosen()[1:])
            return self._admitted(connection, who, need, line, token, now, chosen(), taken())

        try:
            return self._write(who.team, enter, min(wait, self._database.wait_seconds))
        except _Rate as rate:
            return Waiting(rate.seconds, "rate")

    def _admitted(
        self,
        connection: Connection,
        who: Principal,
        need: Need,
        line: Line,
        token: str,
        now: float,
        found: tuple[TeamSettings, str, str],
        taken: Mapping[str, Spent],
    ) -> Flying:
        """Whatever is raised here undoes all of it, the flight as well."""
        probe = None
        if line.rules is not None:
            admission = breakers.admit(connection, line.key, line.rules, now, token)
            if admission.answer == "open":
                raise Refused(
                    "breaker_open",
                    "the team's readers failed several times in a row and are not asked for a while",
                    retry_after=max((admission.until or now) - now, 1.0),
                )
            probe = admission.token
        chosen, *digests = found
        if chosen.samples_per_minute is not None:
            seconds = rates.take(
                connection, line.key, need.asked, chosen.samples_per_minute, chosen.burst, now
            )
            if seconds > 0:
                raise _Rate(seconds)
        evaluation_id = self._new_id(now)
        spending.reserve(connection, evaluation_id, who.person, day_of(now), taken, need, chosen, now)
        return Flying(
            evaluation_id,
            need.asked,
            probe,
            chosen,
            *digests,
        )

    def renew(self, team: str, tokens: tuple[str, ...]) -> None:
        self._write(team, lambda held, now: flights.renew(held, _ONE, tokens, now + LEASE_SECONDS))

    def finish(
        self,
        who: Principal,
        request: EvaluationRequest,
        identity: str,
        line: Line,
        token: str,
        flying: Flying,
        finished: Finished,
    ) -> None:
        answer = json.dumps(evaluation_document(finished.evaluation))

        def settle(connection: Connection, now: float) -> None:
            is_revoked = tokens.is_revoked(connection, who.token_id)
            if not spending.settle(connection, flying.evaluation_id, finished.usd, finished.samples):
                return  # all of it stands already: only the word that it does was lost
            chosen = flying.settings
            if chosen.samples_per_minute is not None:
                beyond = finished.samples - flying.asked
                rates.add(connection, line.key, beyond, chosen.samples_per_minute, chosen.burst, now)
            if line.rules is not None:
                breakers.report(connection, line.key, line.rules, now, finished.outcome, flying.probe)
            # Whoever was erased meanwhile leaves no record.
            if not is_revoked():
                kept = chosen.store_evidence
                evaluations.save(connection, who, request, finished, now, store_evidence=kept)
            if finished.convergence is not None:
                flights.land(connection, _ONE, identity, token, now, answer)
            else:
                flights.leave(connection, _ONE, identity, token)

        self._write(who.team, settle)

    def abandon(self, who: Principal, identity: str, line: Line, token: str, flying: Flying) -> None:
        def leave(connection: Connection, now: float) -> None:
            flights.leave(connection, _ONE, identity, token)
            if line.rules is not None:
                breakers.report(connection, line.key, line.rules, now, "neutral", flying.probe)

        self._write(who.team, leave)

    def spent(self, team: str, day: str) -> tuple[Spent, ...]:
        return self._database.read(team, lambda connection: spending.every(connection, day))

    def evaluations(
        self, team: str, since: float, until: float, person: str = "", repository: str = ""
    ) -> Iterator[Mapping[str, object]]:
        after: tuple[float, str] | None = None
        while True:
            page = self._page(team, since, until, person, repository, after)
            yield from page
            if len(page) < evaluations.PAGE:
                return
            after = (float(str(page[-1]["at"])), str(page[-1]["evaluation_id"]))

    def _page(
        self,
        team: str,
        since: float,
        until: float,
        person: str,
        repository: str,
        after: tuple[float, str] | None,
    ) -> list[dict[str, object]]:
        return self._database.read(
            team,
            lambda connection: evaluations.page(connection, since, until, person, repository, after),
        )

    def erase_person(self, team: str, person: str, by: str) -> int:
        def erase(connection: Connection, now: float) -> int:
            gone = evaluations.erase(connection, person)
            tokens.revoke_of(connection, person, now)
            # Answers that wait for whoever lost one are a person's, too, and nobody can tell whose.
            flights.sweep_landed(connection, now)
            shared.note_act(connection, "person erased", f"{gone} records", by, now)
            return gone

        return self._write(team, erase)

    def sweep(self, team: str) -> int:
        def delete(connection: Connection, now: float) -> int:
            chosen = shared.settings(connection)
            flights.sweep_landed(connection, now - LANDED_SECONDS)
            connection.execute("DELETE FROM team_reservations WHERE at < ?", (now - DAY_SECONDS,))
            connection.execute("DELETE FROM team_acts WHERE at < ?", (now - ACTS_DAYS * DAY_SECONDS,))
            connection.execute(
                "DELETE FROM team_tokens WHERE expires_at < ?", (now - ACTS_DAYS * DAY_SECONDS,)
            )
            return evaluations.sweep(connection, now - chosen.retention_days * DAY_SECONDS)

        gone = 0
        while True:
            page = self._write(team, delete)
            gone += page
            if page < evaluations.SWEPT:
                return gone

    def _write(self, team: str, act: Callable[[Connection, float], T], wait: float | None = None) -> T:
        return self._database.write(team, lambda held: act(held, held.began_at), wait)
