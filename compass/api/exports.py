"""What `compass` exports: imported at the first use of a name, never on a hook's path."""

from compass.api.gate import AsyncGate, AsyncSession, Gate, Session
from compass.api.judge import (
    judge,
    judge_async,
    judge_case,
    judge_case_async,
    judge_payload,
    judge_payload_async,
)
from compass.api.recorded_checks import checks, explain, pending_questions
from compass.api.records import (
    Heard,
    PastCheck,
    PendingQuestion,
    ReaderAnswer,
    Verdict,
)
from evaluator.errors import CompassError

__all__ = [
    "AsyncGate",
    "AsyncSession",
    "CompassError",
    "Gate",
    "Heard",
    "PastCheck",
    "PendingQuestion",
    "ReaderAnswer",
    "Session",
    "Verdict",
    "checks",
    "explain",
    "judge",
    "judge_async",
    "judge_case",
    "judge_case_async",
    "judge_payload",
    "judge_payload_async",
    "pending_questions",
]
