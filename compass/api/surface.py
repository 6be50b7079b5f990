"""What `compass` exports: imported at the first use of a name, never on a hook's path."""

from compass.api.async_gate import AsyncGate, AsyncSession
from compass.api.gate import Gate, Session
from compass.api.judging import judge, judge_async
from compass.api.judging_given import judge_case, judge_case_async, judge_payload, judge_payload_async
from compass.api.verdict import Heard, ReaderAnswer, Verdict
from evaluator.errors import CompassError

__all__ = [
    "AsyncGate",
    "AsyncSession",
    "CompassError",
    "Gate",
    "Heard",
    "ReaderAnswer",
    "Session",
    "Verdict",
    "judge",
    "judge_async",
    "judge_case",
    "judge_case_async",
    "judge_payload",
    "judge_payload_async",
]
