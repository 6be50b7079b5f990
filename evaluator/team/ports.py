"""What a team's evaluator needs from outside, one Protocol each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from evaluator.team.model import (
    Begun,
    EvaluationRequest,
    Finished,
    Flying,
    Line,
    Need,
    Policy,
    Principal,
    Scope,
    SharedThresholds,
    Spent,
    TeamSettings,
    Token,
)


class TeamStore(Protocol):
    """Shared by all replicas. Every method is one transaction within one team, by the database's own clock.

    Each raises StateError where the database cannot be used within its wait.
    """

    def make_team(self, team: str) -> bool:
        """False where there is one of that name."""
        ...

    def ready(self) -> bool:
        """Whether the database answers and has the schema of this program; raises StateError, too."""
        ...

    def principal(self, token: str) -> Principal | None:
        """Whose token it is; None for one that is unknown, expired or revoked."""
        ...

    def note_use(self, who: Principal) -> None:
        """Its token was used; kept by the minute."""
        ...

    def make_token(
        self, team: str, person: str, scopes: tuple[Scope, ...], seconds: float, by: str
    ) -> tuple[str, Token]:
        """(the token, which is nowhere kept, its row)."""
        ...

    def tokens(self, team: str) -> tuple[Token, ...]: ...

    def revoke_token(self, team: str, token_id: str, by: str) -> bool:
        """False where there is none of that id that holds."""
        ...

    def settings(self, team: str) -> TeamSettings: ...

    def set_settings(self, team: str, settings: TeamSettings, by: str) -> None: ...

    def policy(self, team: str) -> Policy: ...

    def set_policy(self, team: str, policy: Policy, by: str) -> Policy:
        """The same with its digest."""
        ...

    def thresholds(self, team: str, repository: str) -> SharedThresholds | None: ...

    def set_thresholds(
        self, team: str, repository: str, document: Mapping[str, object], by: str
    ) -> SharedThresholds: ...

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
        """Reserve what one evaluation may take, and enter its flight as `token`; the database is waited for no longer
        than `wait` seconds. Raises Refused for a token that holds no more, a cap that is reached, or an open breaker:
        nothing is booked then.
        """
        ...

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
        """Settle, report to the breaker, keep the record and tell those who wait: all or nothing."""
        ...

    def renew(self, team: str, tokens: tuple[str, ...]) -> None:
        """The flights of these go on, those that are still theirs."""
        ...

    def abandon(self, who: Principal, identity: str, line: Line, token: str, flying: Flying) -> None:
        """The evaluation broke: nobody waits for it. What was reserved stays booked, as nobody knows what was used."""
        ...

    def spent(self, team: str, day: str) -> tuple[Spent, ...]: ...

    def evaluations(
        self, team: str, since: float, until: float, person: str = "", repository: str = ""
    ) -> Iterator[Mapping[str, object]]:
        """The kept ones, oldest first, as JSON values; read in pages, never all at once."""
        ...

    def erase_person(self, team: str, person: str, by: str) -> int:
        """How many records are gone. Tokens of the person are revoked; sums of spending stay."""
        ...

    def sweep(self, team: str) -> int:
        """Delete what is older than the team's retention."""
        ...

    def teams(self) -> tuple[str, ...]: ...
