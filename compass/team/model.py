"""The records of a team's evaluator. Moments are seconds since the epoch, money is US dollars, days are UTC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from evaluator.breaker import BreakerRules, EvaluationOutcome
from evaluator.errors import CompassError
from evaluator.model import Convergence
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, Principal
from evaluator.record import Record

RefusalKind = Literal[
    "invalid", "unauthorized", "forbidden", "missing", "rate", "budget", "overloaded", "breaker_open", "state",
    "closing", "late", "fault",
]  # fmt: skip
STATUS: Final[Mapping[RefusalKind, int]] = {
    "invalid": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "missing": 404,
    "rate": 429,
    "budget": 429,
    "overloaded": 503,
    "breaker_open": 503,
    "state": 503,
    "closing": 503,
    "late": 504,
    "fault": 500,
}
"""By kind. A body's own statuses (408, 413) and that of a wrong method (405) stand beside it."""
PASSING: Final = ("overloaded", "state", "closing")
"""To be asked again after a second, where nothing else is known."""

UNKNOWN = "no valid bearer token: ask your team's administrator for one"


class Refused(CompassError):  # noqa: N818 - an answer, not a fault of the program
    """A team's evaluator does not serve a request; `retry_after` is in seconds, None where waiting does not help."""

    def __init__(
        self, kind: RefusalKind, detail: str, *, status: int = 0, retry_after: float | None = None
    ) -> None:
        self.kind: RefusalKind = kind
        self.detail = detail
        self.status = status or STATUS[kind]
        self.retry_after = 1.0 if retry_after is None and kind in PASSING else retry_after
        super().__init__(detail)


class TeamSettings(Record):
    """What a team has set for itself. A cap of None is none; `samples_per_minute` goes towards the provider, in a
    bucket that holds `burst` of them."""

    daily_usd: float | None = None
    daily_usd_person: float | None = None
    daily_samples: int | None = None
    daily_samples_person: int | None = None
    samples_per_minute: float | None = None
    burst: int = 100
    retention_days: int = 30
    store_evidence: bool = True


class Need(Record):
    """The most that one evaluation can take: `usd` None where the price is not known. `asked` of the `samples` are
    asked for if none has to be asked again."""

    usd: float | None
    samples: int
    asked: int

    @property
    def usd_each(self) -> float | None:
        """Of one sample."""
        return None if self.usd is None else self.usd / self.samples


class Line(Record):
    """The way to the provider, as breaker and rate know it."""

    key: str
    rules: BreakerRules | None


class Flight(Record):
    """One evaluation on its way: `identity` is that of the question, `token` of this asking."""

    who: Principal
    request: EvaluationRequest
    identity: str
    token: str
    need: Need
    line: Line


class Flying(Record):
    """The caller asks the readers. `probe` is the breaker's token, `settings` are what the team had set then."""

    evaluation_id: str
    probe: str | None
    settings: TeamSettings
    policy: str = ""


class Waiting(Record):
    """Somebody else asks the same, or the provider's rate is used up: to be asked again after `seconds`."""

    seconds: float
    because: Literal["flight", "rate"]


class Landed(Record):
    """The same was asked and answered while the caller waited: the answer, as JSON, and the digest of the policy."""

    answer: str
    policy: str = ""


Begun = Flying | Waiting | Landed


class Finished(Record):
    """How an evaluation ended: what it took (`usd` None where the price is not known), and what is kept of it. Without
    a `convergence` it failed: it answers nobody else."""

    outcome: EvaluationOutcome
    usd: float | None
    samples: int
    evaluation: Evaluation
    convergence: Convergence | None
    duration_ms: int
