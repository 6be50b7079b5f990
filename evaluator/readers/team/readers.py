"""The readers of a team's evaluator: sanitized evidence goes there in one request, the samples come back.

A failure is a sample with an error that starts with its FaultKind, as everywhere; never an exception.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from evaluator.egress.reader_answer import (
    ERROR_CHARS_MAX,
    RATIONALE_CHARS_MAX,
    RIVAL_CHARS_MAX,
    TARGET_CHARS_MAX,
)
from evaluator.errors import PayloadError, ReaderError
from evaluator.model import Sample, Subject, Thresholds
from evaluator.ports import GRACE_SECONDS, Clock, Sent
from evaluator.readers.response import safe_detail
from evaluator.readers.sampling import user_id_of
from evaluator.readers.team.wire import SECONDS_MAX, Evaluation, EvaluationRequest, request_document
from evaluator.record import replace
from evaluator.settings.places import set_by
from evaluator.text import one_line
from evaluator.verdict.convergence import deciding as deciding_of

if TYPE_CHECKING:
    from evaluator.readers.team.transport import TeamLine

EVALUATIONS: Final = "/v1/evaluations"
FIRST: Final = "reader-1"
TOO_FEW: Final = (
    "your team's evaluator asks fewer readers than the valid answers that a check needs here: "
    + set_by("evaluator.min_valid_samples", "N")
)

Heard = Callable[[Evaluation], None]


class TeamReaders:
    """Asks over `line`. `held` gives what a subject is held against, None where nobody decides by that; `repository`
    the key of a project's folder; `heard` is told of each answer. `blind` as the request has it. With
    fewer samples than `least` an answer is none: how many readers have to agree here no server decides."""

    name = "team"

    def __init__(
        self,
        line: TeamLine,
        *,
        held: Callable[[Subject], Thresholds | None],
        repository: Callable[[str], str],
        clock: Clock,
        heard: Heard,
        blind: int = 0,
        least: int = 1,
    ) -> None:
        self._line = line
        self._held = held
        self._repository = repository
        self._clock = clock
        self._heard = heard
        self._blind = blind
        self._least = least
        self._alone = False
        self._sent: Sent = {}

    @property
    def model(self) -> str:
        """As the last answer over this line named it; empty before there was one."""
        return self._line.named

    def telling(self, sent: Sent) -> TeamReaders:
        """As `evaluator.ports.CountedReaders` has it."""
        found = copy.copy(self)
        found._sent = sent
        return found

    def measuring(self) -> TeamReaders:
        """The same readers, who answer each time anew and share no answer with anybody."""
        found = copy.copy(self)
        found._alone = True
        return found

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """`collect_async` on a loop of its own; closes the connections. Not in a running loop."""
        from evaluator.readers import event_loop

        left = max(seconds - GRACE_SECONDS, seconds / 2)
        return event_loop.run_to_end(self.collect_async(subject, left), self._line.aclose())

    async def aclose(self) -> None:
        """Closes the connections; on the loop that they belong to."""
        await self._line.aclose()

    async def collect_async(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """Samples within `seconds`, as the server gives them; the connection stays open for the next check."""
        started = self._clock.monotonic()
        left = min(max(seconds - GRACE_SECONDS, seconds / 2), SECONDS_MAX)
        self._sent[FIRST] = 0.0
        try:
            found = await self._request_team_evaluation(subject, left)
        except ReaderError as fault:
            elapsed = round((self._clock.monotonic() - started) * 1000)
            return (Sample(reader=FIRST, error=str(fault), latency_ms=elapsed),)
        samples = tuple(map(_clean_team_sample, found.samples))
        self._sent.pop(FIRST, None)
        self._sent.update({sample.reader: sample.cost_usd or 0.0 for sample in samples})
        deciding = deciding_of(samples)
        wanting = 0 if deciding and deciding[0].look == "first" else self._least - len(deciding)
        return samples + tuple(
            Sample(reader=f"reader-{len(deciding) + number}", error=f"invalid: {TOO_FEW}")
            for number in range(1, wanting + 1)
        )

    async def _request_team_evaluation(self, subject: Subject, seconds: float) -> Evaluation:
        """The evaluation that the team's server answers. Raises ReaderError."""

        def document(left: float, waited: float) -> object:
            return request_document(replace(asked, seconds=left, waited=waited, alone=self._alone))

        # Sanitized evidence, and nothing else of the subject; the session is a digest.
        asked = EvaluationRequest(
            evidence=subject.evidence,
            repository=self._repository(subject.pending.project_dir),
            session=user_id_of(subject.pending.session_id),
            seconds=seconds,
            thresholds=self._held(subject),
            blind=self._blind,
        )
        from evaluator.readers.team.documents import EvaluationDocument, read

        answer = await self._line.ask("POST", EVALUATIONS, seconds, document)
        try:
            found = read(EvaluationDocument, answer).record()
        except PayloadError as fault:
            said = f"the answer from {self._line.where} is not an evaluation: {safe_detail(str(fault))}"
            raise ReaderError("invalid", said) from fault
        if not found.samples:
            raise ReaderError("invalid", f"the answer from {self._line.where} contains no sample")
        self._line.named = one_line(found.model, TARGET_CHARS_MAX)
        self._heard(found)
        return found


def _clean_team_sample(sample: Sample) -> Sample:
    """Texts are shown in terminals and to the agent: one line each, and bounded, whoever answers."""
    rival, reading, error = sample.rival, sample.reading, sample.error
    if reading is not None:
        reading = replace(reading, target=one_line(reading.target, TARGET_CHARS_MAX))
    if error is not None:
        error = one_line(error, ERROR_CHARS_MAX) or "invalid: no cause given"
    return replace(
        sample,
        reader=one_line(sample.reader, TARGET_CHARS_MAX),
        rationale=one_line(sample.rationale, RATIONALE_CHARS_MAX),
        rival=None if rival is None else one_line(rival, RIVAL_CHARS_MAX),
        reading=reading,
        error=error,
    )
