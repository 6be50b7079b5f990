"""The documents of the team's API beside those that a laptop reads and writes, too.

What is not as stated is refused by its name, never mended; what was sent is never quoted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, StrictBool, field_validator, model_validator

from compass.team.model import RefusalKind, TeamSettings
from evaluator.readers.team.documents import Document, PolicyDocument
from evaluator.readers.team.wire import SCOPES, Scope
from evaluator.settings.layers import counts_nowhere
from evaluator.text import DAY_SECONDS

BODY_BYTES_MAX: Final = 1_000_000
TOKEN_SECONDS: Final = 90 * DAY_SECONDS
TOKEN_SECONDS_MAX: Final = 366 * DAY_SECONDS
RETENTION_DAYS_MAX: Final = 3650
BURST_MAX: Final = 100_000
PERSON_CHARS_MAX: Final = 120
AMOUNT_MAX: Final = 1e12
NAMES_TOLD: Final = 5
"""Faults of one document that a refusal names."""
NAME_CHARS_MAX: Final = 60
NO_PATH: Final = frozenset("/\\?#%")


def _normalize_team_person(name: str) -> str:
    """In one spelling, so that records and caps are one person's. Raises ValueError."""
    name = unicodedata.normalize("NFKC", name)
    plain = name.isprintable() and name.strip() == name and NO_PATH.isdisjoint(name)
    if not 0 < len(name) <= PERSON_CHARS_MAX or not plain:
        raise ValueError(f"must be a name of at most {PERSON_CHARS_MAX} characters, without / \\ ? # %")
    return name


CapUsd = Annotated[float, Field(strict=True, ge=0.0, le=AMOUNT_MAX, allow_inf_nan=False)]
CapSamples = Annotated[int, Field(strict=True, ge=0, le=1 << 40)]
Person = Annotated[str, AfterValidator(_normalize_team_person)]
Repository = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]


class TeamFault(Document):
    """Why a request was not served. If waiting helps, the header `retry-after` says how long, in seconds."""

    error: str
    kind: RefusalKind


class ReplicaHealth(Document):
    status: Literal["ok", "closing", "no database"]


# Evaluations


class Kept(Document):
    """Selects kept evaluations."""

    since: datetime | None = Field(
        None,
        description="only from this time on: seconds since the epoch, or 2026-01-31 or 2026-01-31T12:00:00Z",
    )
    person: Person | None = Field(None, description="only this person's")

    @property
    def moment(self) -> float:
        """`since` in seconds since the epoch; UTC without a zone."""
        if self.since is None:
            return 0.0
        return (self.since if self.since.tzinfo else self.since.replace(tzinfo=UTC)).timestamp()


# People


class Token(Document):
    """A token as it is listed: never with its secret or the hash of that."""

    token_id: str
    person: str
    scopes: tuple[Scope, ...]
    created_at: float
    expires_at: float
    revoked_at: float | None = None


class Tokens(Document):
    tokens: tuple[Token, ...]


class TokenRequest(Document):
    """`evaluate` cannot be combined with other scopes, since a token with it is kept on a laptop. The token expires
    after `seconds`."""

    person: Person
    scopes: tuple[Scope, ...] = ("evaluate",)
    seconds: Annotated[float, Field(strict=True, ge=1.0, le=TOKEN_SECONDS_MAX, allow_inf_nan=False)] = (
        TOKEN_SECONDS
    )

    @field_validator("scopes")
    @classmethod
    def _validate_team_scopes(cls, scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
        if not scopes:
            raise ValueError(f"must be one or more of {', '.join(SCOPES)}")
        if "evaluate" in scopes and len(set(scopes)) > 1:
            raise ValueError(
                "`evaluate` cannot be combined with other scopes, because a token with that scope is kept on a laptop"
            )
        return tuple(one for one in SCOPES if one in scopes)


class NewToken(Token):
    token: str


class Revoked(Document):
    revoked: str


class Erased(Document):
    records: int


# What a team sets, pushes and shares


class PushedPolicy(PolicyDocument):
    """A policy that an administrator pushes. The service computes the digest, whatever is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    settings: dict[str, Any] = Field(...)

    @model_validator(mode="after")
    def _validate_team_policy(self) -> Self:
        refused = counts_nowhere(self.settings)
        if refused is not None:
            raise ValueError(f"{refused.key[:NAME_CHARS_MAX]}: {refused.why.partition(';')[0]}")
        return self


class SharedThresholds(Document):
    """A repository's calibration, and who shared it. `document` is what `compass calibrate` wrote for the gate."""

    repository: str
    digest: str
    document: dict[str, Any]
    person: str
    at: float


class TeamSettingsDocument(Document):
    """Null means no cap. All settings are sent at once, so that none is reset because it was left out."""

    daily_usd: CapUsd | None
    daily_usd_person: CapUsd | None
    daily_samples: CapSamples | None
    daily_samples_person: CapSamples | None
    samples_per_minute: (
        Annotated[float, Field(strict=True, ge=0.001, le=AMOUNT_MAX, allow_inf_nan=False)] | None
    )
    burst: Annotated[int, Field(strict=True, ge=1, le=BURST_MAX)]
    retention_days: Annotated[int, Field(strict=True, ge=1, le=RETENTION_DAYS_MAX)]
    store_evidence: StrictBool

    def record(self) -> TeamSettings:
        return TeamSettings(**dict(self))


class OfDay(Document):
    day: date | None = Field(None, description="such as 2026-01-31, UTC; by default, today")


class Spent(Document):
    """What a person used on a day, current reservations included. If `person` is empty: what the whole team used."""

    person: str
    usd: float
    samples: int


class Spend(Document):
    day: str
    spent: tuple[Spent, ...]


def faults_of(errors: Sequence[Mapping[str, Any]]) -> str:
    """Names and reasons of what pydantic found, for the answer: not a word of what was sent but names of fields."""
    told: list[str] = []
    for error in errors[:NAMES_TOLD]:
        parts = [str(part)[:NAME_CHARS_MAX] for part in error["loc"] if part not in ("body", "query", "path")]
        where = ".".join(parts) or "the body"
        match error["type"]:
            case "extra_forbidden":
                told.append(f"unknown field {where!r}")
            case "missing":
                told.append(f"{where}: is missing")
            case "json_invalid":
                told.append("the body is not JSON")
            case _:
                told.append(f"{where}: {str(error['msg']).removeprefix('Value error, ')}")
    return "; ".join(told)
