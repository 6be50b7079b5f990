"""Prompts read ahead in real sessions: a write that passes unread, and a question that comes before the write."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.replies import Json, ReaderAnswer, ReaderPlan, Script, act, call, judge, say
from e2e.playing.session import Open, Session, shown_to
from e2e.playing.wire import reader_schema
from e2e.wired.test_service import counts, runtime, variables

__all__ = ["runtime"]

pytestmark = pytest.mark.e2e

CLEAR = "Create config.yaml in the project's root, with debug turned on"
OPEN = "Write the missing module now, in the way in which all of the others were written before it"
TOLD = "PreToolUse:Read hook additional context: Compass: ask the user before you write anything."
THINKS_SECONDS = 1.5


def of_two_kinds(targets: tuple[str, str]) -> ReaderPlan:
    """Who is shown no write names these, in turn, and is sure where they are one; who is shown one is sure of it."""

    def answer(number: int, body: Json) -> ReaderAnswer:
        if not is_blind(body):
            return judge(0.95, target="beta.py")
        said = judge(0.9 if len(set(targets)) == 1 else 0.4, target=targets[number % 2])
        del said["fits"]
        return said

    return ReaderPlan(answer)


def is_blind(body: Json) -> bool:
    return "fits" not in (reader_schema(body) or {})["properties"]


def ahead(session: Session) -> Session:
    session.init("--project", "--enforce", "--backend", "anthropic")
    session.compass("config", "set", "sampling.anticipate", "true")
    told = session.init()
    assert "although no write may follow" in told
    return session


def begun(session: Session, runtime: Path) -> None:
    """The first turn of the session, after which the service runs that the session's start began."""
    session.run("What is this?")
    counts(runtime)


def asked_of(session: Session, request: str) -> list[Json]:
    return [one.body for one in session.api.of("reader") if request in shown_to(one.body)]


def shown_a_write(session: Session) -> list[str]:
    return [shown_to(one.body) for one in session.api.of("reader") if not is_blind(one.body)]


def test_a_write_that_both_readers_foresaw_runs_with_no_further_call(
    open_session: Open, runtime: Path
) -> None:
    def plot(project: Path) -> Script:
        write = act("Writing it.", call("Write", file_path=str(project / "config.yaml"), content="a: 1\n"))
        return Script((say("A project."), write))

    readers = of_two_kinds(("config.yaml", "config.yaml"))
    session = ahead(open_session(plot, readers=readers, variables=variables(runtime), latency=THINKS_SECONDS))
    begun(session, runtime)
    run = session.resume(CLEAR)
    run.assert_hooks_ran("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
    assert (session.project / "config.yaml").read_text() == "a: 1\n"
    assert [is_blind(body) for body in asked_of(session, CLEAR)] == [True, True]
    assert shown_a_write(session) == []
    record = session.explain()
    assert (record["reason"], record["decision"]) == ("covered", "allow")
    assert session.events() == []


def test_the_question_comes_before_the_write_and_a_digit_answers_it(
    open_session: Open, runtime: Path
) -> None:
    question = (
        "Before I write, which one do you mean?\n\n1. create alpha.py\n2. create beta.py\n3. something else"
    )

    def plot(project: Path) -> Script:
        look = act("Looking.", call("Read", file_path=str(project / "notes.txt")))
        write = act("Writing.", call("Write", file_path=str(project / "beta.py"), content="pass\n"))
        return Script((say("A project."), look, say(question), write, say("Done.")))

    readers = of_two_kinds(("alpha.py", "beta.py"))
    session = ahead(open_session(plot, readers=readers, variables=variables(runtime), latency=THINKS_SECONDS))
    (session.project / "notes.txt").write_text("alpha.py and beta.py are missing\n")
    begun(session, runtime)
    session.resume(OPEN).assert_hooks_ran("UserPromptSubmit", "PreToolUse")
    told = [one.raw.decode() for one in session.api.of("agent") if TOLD in one.raw.decode()]
    for line in ("1. create alpha.py", "2. create beta.py", "3. something else"):
        assert line in told[0]
    assert shown_a_write(session) == []
    answered = session.resume("2")
    answered.assert_hooks_ran("UserPromptSubmit", "PreToolUse", "PostToolUse")
    assert (session.project / "beta.py").read_text() == "pass\n"
    checked = shown_a_write(session)
    assert len(checked) == 5
    assert all("create beta.py" in one and OPEN in one for one in checked)
