"""What becomes of writes in real sessions that Compass gates: verdicts, turns, what the agent is told, what leaves."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from e2e.playing.messages_api import MODEL_LATENCY, QUICK
from e2e.playing.replies import (
    Json,
    Message,
    ReaderAnswer,
    ReaderPlan,
    Script,
    act,
    call,
    doubt,
    every,
    in_turn,
    judge,
    say,
    write,
    writes,
)
from e2e.playing.session import ALLOWED, COMPASS, Open, Session, shown_to
from repository import commands

pytestmark = pytest.mark.e2e

CLEAR = "Create config.yaml in the project's root, with debug turned on"
MENU = "Which database should I use?\n\n1. SQLite\n2. PostgreSQL\n3. MySQL\n\nReply with a number."
SPLIT: tuple[ReaderAnswer, ...] = (judge(0.95), judge(0.95), doubt(0.2), judge(0.95), judge(0.95))
"""One dissenter: whichever three answer first, their deviation blocks and their mean does not."""


def test_a_clear_write_lands_after_five_readers_were_asked(open_session: Open) -> None:
    session = open_session(writes("config.yaml"), latency=MODEL_LATENCY).gated()
    run = session.run(CLEAR)
    run.assert_hooks_ran("PreToolUse", "PostToolUse")
    assert (session.project / "config.yaml").read_text() == "debug: true\n"
    assert run.denials == []
    asked = session.readers_asked()
    assert len(asked) == 5
    assert all("config.yaml" in shown and CLEAR in shown for shown in asked)
    check = session.explain()
    assert (check["verdict"], check["decision"], check["reason"]) == ("passed", "allow", "confident")
    assert check["sample_count"] == 5
    assert check["confidence"] == pytest.approx(0.95)
    (event,) = session.events()
    assert event["event_type"] == "compass.check.passed"
    assert event["payload"]["file_path"] == str(session.project / "config.yaml")
    assert event["session_id"] == run.session_id


def test_an_ambiguous_write_does_not_land_and_the_agent_sees_why(open_session: Open) -> None:
    session = open_session(writes("cleanup.py"), readers=in_turn(SPLIT, gather=5)).gated()
    run = session.run("Now tidy up the old one as we said")
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "cleanup.py").exists()
    assert "cleanup.py" in run.denial()
    told = session.api.of("agent")[-1].raw.decode()
    assert all(fact in told for fact in ("create cleanup.py", "delete the old module"))
    assert len(session.readers_asked()) == 5
    check = session.explain()
    assert (check["verdict"], check["decision"], check["reason"]) == ("failed", "deny", "disagreement")
    assert [event["event_type"] for event in session.events()] == ["compass.check.failed"]


def test_an_answer_to_a_menu_passes_without_any_reader(open_session: Open) -> None:
    session = open_session(writes("db.py", before=(say(MENU),)), latency=MODEL_LATENCY).gated()
    session.run("Set up the database access for the app")
    run = session.resume("2")
    run.assert_hooks_ran("PreToolUse")
    assert (session.project / "db.py").exists()
    assert session.readers_asked() == []
    check = session.explain()
    assert (check["verdict"], check["reason"]) == ("skipped", "reply_to_question_pattern")
    (event,) = session.events()
    assert event["event_type"] == "compass.check.skipped"
    assert event["payload"]["reason"] == "reply_to_question_pattern"


def test_two_writes_of_one_message_are_each_judged(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        first = call("Write", file_path=str(project / "first.txt"), content="1\n")
        second = call("Write", file_path=str(project / "notes" / "second.txt"), content="2\n")
        return Script((act("Writing both.", first, second),))

    def answer(_number: int, body: Json) -> ReaderAnswer:
        return doubt() if "second.txt" in shown_to(body) else judge(0.95)

    session = open_session(plot, readers=ReaderPlan(answer, gather=5)).gated()
    run = session.run(
        "Write first.txt with the number one in it, and whatever else the notes need to go with it"
    )
    run.assert_hooks_ran("PreToolUse")
    assert len(run.hooks("PreToolUse")) == 2
    assert (session.project / "first.txt").exists()
    assert not (session.project / "notes" / "second.txt").exists()
    assert "second.txt" in run.denial()
    assert len(session.readers_asked()) == 10
    kinds = [event["event_type"] for event in session.events()]
    assert sorted(kinds) == ["compass.check.failed", "compass.check.passed"]
    assert [event["sequence"] for event in session.events()] == [0, 1]


def delegating(task: str, **more: object) -> Message:
    return act(
        "Delegating.", call("Agent", description="Do", prompt=task, subagent_type="general-purpose", **more)
    )


@pytest.mark.parametrize("passes", [True, False], ids=["clear", "ambiguous"])
def test_a_subagents_write_is_judged_by_the_request_and_its_task(open_session: Open, *, passes: bool) -> None:
    def plot(project: Path) -> Script:
        hands_over = delegating("SUBTASK-7: put a short summary into summary.txt", run_in_background=False)
        return Script(
            (hands_over, say("It is written.")),
            {"SUBTASK-7": (write(project, "summary.txt"), say("Finished."))},
        )

    request = "Have an assistant summarise the README for me"
    plan = every(judge(0.95) if passes else doubt(), gather=5)
    session = open_session(plot, readers=plan, latency=MODEL_LATENCY if passes else QUICK).gated()
    session.run(request).assert_hooks_ran("PreToolUse")
    assert (session.project / "summary.txt").exists() is passes
    asked = session.readers_asked()
    assert len(asked) == 5
    assert all(request in shown and "put a short summary into summary.txt" in shown for shown in asked)
    refused = "Compass held back" in session.api.of("delegate")[-1].raw.decode()
    assert refused is not passes


def reporting_back(project: Path) -> Script:
    hands_over = delegating("SUBTASK-9: look around", run_in_background=True)
    main = (hands_over, say("Waiting for it."), write(project, "summary.txt"), say("Written."))
    return Script(main, {"SUBTASK-9": (say("There is nothing special in here."),)})


def test_a_notice_of_the_machine_is_not_taken_for_the_users_request(open_session: Open) -> None:
    request = "Have an assistant look around and write what it found into summary.txt"
    session = open_session(reporting_back).gated()
    run = session.run(request)
    # On a busy machine the client may end before its subagent does, and no notice comes.
    for _ in range(2):
        if not run.hooks("PreToolUse"):
            session = open_session(reporting_back).gated()
            run = session.run(request)
    run.assert_hooks_ran("PreToolUse")
    assert len(run.hooks("UserPromptSubmit")) == 2, "the notice of the subagent's end came as a prompt"
    assert session.explain()["current_request"] == request
    asked = session.readers_asked()
    assert len(asked) == 5
    assert all(request in shown and "task-notification" not in shown for shown in asked)


OLD = "heliotrope-ledger-4471"
NEW = "vermilion-anchor-9023"
"""Marks that stand nowhere but in what the calls would take out of a file and put into one."""

Call = Callable[[Path], Json]


def whole_file(project: Path) -> Json:
    return call("Write", file_path=str(project / "made.py"), content=f"NAME = '{NEW}'\n")


def edit(project: Path) -> Json:
    return call("Edit", file_path=str(project / "kept.py"), old_string=OLD, new_string=NEW)


def heredoc(project: Path) -> Json:
    return call("Bash", command=f"cat > '{project}/made.py' <<'EOF'\nNAME = '{NEW}'\nEOF")


def inline_code(project: Path) -> Json:
    return call("Bash", command=f"python3 -c \"open('{project}/made.py', 'w').write('{NEW}')\"")


@pytest.mark.parametrize("write", [whole_file, edit, heredoc, inline_code])
def test_no_request_of_a_reader_holds_content_or_the_session_id(open_session: Open, write: Call) -> None:
    def plot(project: Path) -> Script:
        look = call("Read", file_path=str(project / "kept.py"))
        return Script((act("Looking.", look), act("Writing.", write(project))))

    session = open_session(plot)
    (session.project / "kept.py").write_text(f"NAME = '{OLD}'\n")
    session.gated()
    run = session.run("Change the name that the module holds, in the files of this project")
    run.assert_hooks_ran("PreToolUse")
    said = b"".join(request.raw for request in session.api.of("agent"))
    assert NEW.encode() in said, "the mark is where this test can find it"
    assert run.session_id.encode() in said
    asked = session.api.of("reader")
    assert len(asked) == 5
    for request in asked:
        sent = request.raw.decode() + repr(dict(request.headers)) + request.path
        assert OLD not in sent
        assert NEW not in sent
        assert run.session_id not in sent
        assert request.body["metadata"]["user_id"]


# Writes by an MCP server in real sessions, and `compass mcp` beside the hooks: advice which the gate does not heed.

TOOL = "mcp__compass__check_write"
TEXT = "fast: true\n"
ORDER = "Create config.yaml that says fast: true"
(STDIO,) = commands("docs/mcp.md", "claude mcp add")


def plot(project: Path) -> Script:
    asked = call(TOOL, user=ORDER, path="config.yaml", content=TEXT)
    write = call("Write", file_path=str(project / "config.yaml"), content=TEXT)
    return Script((act("Asking.", asked), act("On it.", write), say("Done.")))


def by_request(_number: int, body: dict[str, Any]) -> dict[str, Any]:
    """The write was ordered by what the agent tells, and by nothing that the user said."""
    return judge(0.95) if ORDER in shown_to(body) else doubt()


def typed(session: Session, line: str) -> str:
    """A line in the user's shell, in the project; both outputs."""
    done = session.execute(["/bin/bash", "-c", line], 60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_documented_command_adds_the_server_whose_advice_lets_no_write_pass(open_session: Open) -> None:
    session = open_session(plot, readers=ReaderPlan(by_request))
    session.write_settings({"permissions": {"allow": [*ALLOWED, "mcp__compass"]}})
    session.variables = {"PATH": os.pathsep.join((str(COMPASS.parent), session.environment()["PATH"]))}
    session.gated()
    typed(session, STDIO)
    assert "Connected" in typed(session, "claude mcp get compass")
    run = session.run("Why is the configuration read so slowly?")
    advised = [one.text for one in run.results if "readers of the request would expect" in one.text]
    assert advised and "on your own account" in advised[0]
    assert not (session.project / "config.yaml").exists()
    check = session.explain()
    assert (check["tool_name"], check["decision"]) == ("Write", "deny")


SERVER = Path(__file__).parent / "playing" / "mcp_server.py"
FILES = "mcp__my-files__"


def asked_with(open_session: Open, tool: str) -> Session:
    """A session with the server under a name of its user's own; its `tool` wrote after a question."""

    def plot(project: Path) -> Script:
        writes = call(FILES + tool, path=str(project / "config.yaml"), content="fast: true\n")
        return Script((act("On it.", writes), say("Done.")))

    session = open_session(plot)
    (session.project / "config.yaml").write_text("fast: false\n")
    served = {"my-files": {"command": sys.executable, "args": ["-I", str(SERVER)]}}
    (session.project / ".mcp.json").write_text(json.dumps({"mcpServers": served}))
    session.flags = ("--mcp-config", ".mcp.json", "--strict-mcp-config")
    session.write_settings({"permissions": {"allow": [*ALLOWED, "mcp__my-files"]}})
    session.init("--project", "--enforce", "--backend", "embedded")
    session.run("Why is the configuration read so slowly?")
    return session


def test_a_write_by_an_mcp_server_is_held_where_a_question_was_asked(open_session: Open) -> None:
    session = asked_with(open_session, "write_file")
    assert (session.project / "config.yaml").read_text() == "fast: false\n"
    check = session.explain()
    assert (check["tool_name"], check["decision"]) == (f"{FILES}write_file", "deny")
    assert check["operation"] == "overwrite"


def test_a_tool_nobody_listed_is_named_by_the_doctor_with_the_line_that_gates_it(open_session: Open) -> None:
    session = asked_with(open_session, "keep_all")
    assert (session.project / "config.yaml").read_text() == "fast: true\n"
    findings = session.doctor()
    assert (findings["tools"]["ok"], findings["tools"]["warns"]) == (True, True)
    assert f"not gated: {FILES}keep_all; " in findings["tools"]["detail"]
    assert "compass config set gate.mcp_tools" in findings["tools"]["detail"]
