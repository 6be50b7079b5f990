"""The promised surface as type checkers see it: each line fails in `make lint` where it changes. Never run."""

from pathlib import Path
from typing import Any, Literal, assert_type

from compass import CompassError, Gate, Heard, Session, Verdict, judge

Reason = Literal[
    "skip_sentinel", "skip_glob", "dir_plus_stem_cooldown", "turn_budget_exhausted",
    "insufficient_context", "reply_to_question_pattern", "sampler_error", "circuit_open",
    "evaluator_budget_exhausted", "not_write_class", "disabled", "self_protection", "paused", "released",
    "cancelled", "denied_before", "covered", "low_confidence", "disagreement", "low_agreement", "confident",
]  # fmt: skip


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
    found.allowed = True  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def noticed(found: Heard) -> None:
    assert_type(found.message, str)
    assert_type(found.agent_message, str)
    assert_type(found.stops, bool)


def judged() -> None:
    assert_type(judge("do it", command="rm a"), Verdict)
    assert_type(
        judge(
            ["do it", "now"], prior="shall I?", tool="Edit", path=Path("a"), old="x", new="y",
            backend="embedded", project=Path(), record=True,
        ),
        Verdict,
    )  # fmt: skip
    assert_type(judge("do it", tool="save", input={"path": "a"}, tools={"save": "write:path"}), Verdict)
    assert_type(judge("do it", path="a", content="x"), Verdict)
    judge(command="rm a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    judge("do it", "I will", command="rm a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def gated() -> None:
    whole = Gate(Path(), record=False, backend="auto", tools={"sh": "shell:line"}, attended=False)
    with whole as gate:
        assert_type(gate, Gate)
        session = gate.session("one")
        assert_type(session, Session)
        assert_type(session.id, str)
        assert_type(session.user("do it"), Heard)
        session.agent("done")
        assert_type(session.before("Bash", {"command": "rm a"}, call_id="c1"), Verdict)
        assert_type(session.after("c1", succeeded=False), Heard)
        session.end()
    gate.close()
    Gate(mode="enforce").session("one").before("Bash", {})  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Gate(mode="off")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def failed(error: CompassError) -> None:
    assert_type(error.args, tuple[Any, ...])
    raise error
