"""What `compass` exports: imported at the first use of a name, never on a hook's path."""

from compass.api.async_gate import AsyncGate, AsyncSession
from compass.api.gate import Gate, Session
from compass.api.judging import judge, judge_async
from compass.api.judging_given import judge_case, judge_case_async, judge_payload, judge_payload_async
from compass.api.past.records import Coaching, HeldRequest, PastCheck, PendingQuestion
from compass.api.past.telling import checks, explain, feedback, pending_questions
from compass.api.verdict import Heard, ReaderAnswer, Verdict
from evaluator.errors import CompassError

__all__ = [
    "AsyncGate",
    "AsyncSession",
    "Coaching",
    "CompassError",
    "Gate",
    "Heard",
    "HeldRequest",
    "PastCheck",
    "PendingQuestion",
    "ReaderAnswer",
    "Session",
    "Verdict",
    "checks",
    "explain",
    "feedback",
    "judge",
    "judge_async",
    "judge_case",
    "judge_case_async",
    "judge_payload",
    "judge_payload_async",
    "pending_questions",
]
