"""The promised surface as type checkers see it: each line fails in `make lint` where it changes. Never run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, assert_type

from compass import (
    AsyncGate,
    AsyncSession,
    CompassError,
    Gate,
    Heard,
    PastCheck,
    PendingQuestion,
    ReaderAnswer,
    Session,
    Verdict,
    checks,
    explain,
    judge,
    judge_async,
    judge_case,
    judge_case_async,
    judge_payload,
    judge_payload_async,
    pending_questions,
)

Reason = Literal[
    "skip_sentinel", "skip_glob", "dir_plus_stem_cooldown", "turn_budget_exhausted",
    "insufficient_context", "reply_to_question_pattern", "sampler_error", "circuit_open",
    "evaluator_budget_exhausted", "not_write_class", "disabled", "self_protection", "paused", "released",
    "cancelled", "denied_before", "covered", "low_confidence", "disagreement", "low_agreement", "confident",
]  # fmt: skip

Operation = Literal[
    "read",
    "create",
    "append",
    "edit",
    "overwrite",
    "permissions",
    "vcs",
    "install",
    "network",
    "run",
    "delete",
    "move",
    "unknown",
]


def told(found: Verdict) -> None:
    assert_type(found.verdict, Literal["passed", "failed", "skipped"])
    assert_type(found.reason, Reason)
    assert_type(found.allowed, bool)
    assert_type(found.question, str)
    assert_type(found.agent_message, str)
    assert_type(found.readings, tuple[str, ...])
    assert_type(found.confidence, float | None)
    assert_type(found.deviation, float | None)
    assert_type(found.concern, Literal["scope", "target", "context", "destructive", "none"] | None)
    assert_type(found.rationale, str | None)
    assert_type(found.backend, str | None)
    assert_type(found.model, str | None)
    assert_type(found.cost_usd, float | None)
    assert_type(found.ends_turn, bool)
    assert_type(found.check_id, str)
    assert_type(found.agreement, float | None)
    assert_type(found.least_confidence, float | None)
    assert_type(found.most_deviation, float | None)
    assert_type(found.least_agreement, float | None)
    assert_type(found.answers, tuple[ReaderAnswer, ...])
    assert_type(found.chosen, tuple[str, ...])
    assert_type(found.request, str)
    assert_type(found.prior, str)
    assert_type(found.task, str)
    assert_type(found.tool, str)
    assert_type(found.operation, Operation | None)
    assert_type(found.operation_class, Literal["additive", "modifying", "destructive"] | None)
    assert_type(found.targets, tuple[str, ...])
    assert_type(found.mode, str)
    assert_type(found.notes, tuple[str, ...])
    assert_type(found.duration_ms, int)
    found.allowed = True  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def answered(found: ReaderAnswer) -> None:
    assert_type(found.reader, str)
    assert_type(found.score, float | None)
    assert_type(found.concern, Literal["scope", "target", "context", "destructive", "none"] | None)
    assert_type(found.rationale, str)
    assert_type(found.reading, str)
    assert_type(found.group, int)
    assert_type(found.rival, str | None)
    assert_type(found.fits, bool | None)
    assert_type(found.blind, bool)
    assert_type(found.latency_ms, int)
    assert_type(found.error, str | None)


def remembered() -> None:
    past = explain("01M", project=Path())
    assert_type(past, PastCheck)
    assert_type(explain(), PastCheck)
    assert_type(past.verdict, Verdict)
    assert_type(past.at, float)
    assert_type(past.session, str)
    assert_type(past.host, str)
    assert_type(past.project, str)
    assert_type(past.write, str)
    assert_type(past.outcome, Literal["held", "let run", "passed", "skipped"])
    assert_type(past.why, str)
    assert_type(past.evidence, Mapping[str, object] | None)
    assert_type(checks(project=Path(), newest=3), tuple[PastCheck, ...])
    (question,) = pending_questions(project=Path())
    assert_type(question, PendingQuestion)
    assert_type(question.session, str)
    assert_type(question.since, float)
    assert_type(question.held, tuple[str, ...])
    assert_type(question.readings, tuple[str, ...])
    assert_type(question.user_said, tuple[str, ...])
    assert_type(question.user_may, str)


def given(payload: dict[str, object]) -> None:
    assert_type(judge_payload(payload), Verdict)
    assert_type(
        judge_payload(
            payload, host="codex", transcript=Path(), backend="embedded", project=Path(), record=True
        ),
        Verdict,
    )
    assert_type(judge_case(payload), Verdict)
    assert_type(
        judge_case(payload, host="claude-code", backend="embedded", project=Path(), record=True), Verdict
    )
    judge_payload("{}")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def given_and_awaited(payload: dict[str, object]) -> None:
    assert_type(
        await judge_payload_async(
            payload, host=None, transcript="a", backend="embedded", project="b", record=False
        ),
        Verdict,
    )
    assert_type(
        await judge_case_async(payload, host=None, backend="embedded", project="b", record=False), Verdict
    )


def noticed(found: Heard) -> None:
    assert_type(found.message, str)
    assert_type(found.agent_message, str)
    assert_type(found.stops, bool)


def judged() -> None:
    assert_type(judge("do it", command="rm a"), Verdict)
    assert_type(
        judge(
            ["do it", "now"], prior="shall I?", task="a subagent's", tool="Edit", path=Path("a"), old="x", new="y",
            exists=True, backend="embedded", project=Path(), record=True,
        ),
        Verdict,
    )  # fmt: skip
    assert_type(judge("do it", tool="save", input={"path": "a"}, tools={"save": "write:path"}), Verdict)
    assert_type(judge("do it", path="a", content="x"), Verdict)
    judge(command="rm a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    judge("do it", "I will", command="rm a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def gated() -> None:
    whole = Gate(
        Path(), state=Path(), record=False, backend="auto", tools={"sh": "shell:line"}, attended=False
    )
    with whole as gate:
        assert_type(gate, Gate)
        session = gate.session("one", [("user", "hello"), ("agent", "hi")])
        assert_type(session, Session)
        assert_type(session.id, str)
        assert_type(session.brief, str)
        assert_type(session.user("do it"), Heard)
        session.agent("done")
        session.delegate("a1", "do it")
        assert_type(session.before("Bash", {"command": "rm a"}, call_id="c1", agent="a1"), Verdict)
        assert_type(session.after("c1", succeeded=False, output="done"), Heard)
        session.end()
    gate.close()
    Gate(mode="enforce").session("one").before("Bash", {})  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Gate(mode="off")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def awaited() -> None:
    assert_type(await judge_async("do it", command="rm a"), Verdict)
    assert_type(
        await judge_async(
            ["do it"], prior="", task="", tool="Edit", path="a", old="x", new="y", exists=False, backend="embedded",
            project=Path(), record=True,
        ),
        Verdict,
    )  # fmt: skip
    whole = AsyncGate(
        Path(), state=Path(), record=False, backend="auto", tools={"sh": "shell:line"}, mode="observe"
    )
    async with whole as gate:
        assert_type(gate, AsyncGate)
        session = await gate.session("one", [("user", "hello"), ("agent", "hi")])
        assert_type(session, AsyncSession)
        assert_type(session.id, str)
        assert_type(session.brief, str)
        assert_type(await session.user("do it"), Heard)
        session.agent("done")
        session.delegate("a1", "do it")
        assert_type(await session.before("Bash", {"command": "rm a"}, call_id="c1", agent="a1"), Verdict)
        assert_type(await session.after("c1", succeeded=False, output="done"), Heard)
        await session.end()
    await gate.aclose()


def failed(error: CompassError) -> None:
    assert_type(error.args, tuple[Any, ...])
    raise error
