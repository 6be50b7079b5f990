"""Prompts read ahead of their writes, by a real service: what passes, what is void, what it costs, what is told."""

from __future__ import annotations

import itertools
import json
import random
import string
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from apis.loopback_api import answer, hang, reply, status
from running.prompting import PromptApi, Prompting, foreseen, prompting
from running.serving import Serving

Served = tuple[Serving, PromptApi]

REQUEST = "In src/dates.py, make parse_date accept a date without a day; change nothing else there."
OPEN = (
    "The two date modules disagree about a missing day. Bring the wrong one in line with the other, please."
)
READINGS = (foreseen("src/dates.py", 0.5), foreseen("src/calendar.py", 0.5))


NAMES = (f"session-{number}" for number in itertools.count(1))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service for all: each test speaks in a session of its own."""
    with prompting(tmp_path_factory.mktemp("ahead")) as found:
        yield found


@pytest.fixture
def session(served: Served) -> Prompting:
    return Prompting(*served, next(NAMES))


def asked(session: Prompting, text: str = REQUEST) -> Prompting:
    """The prompt was read."""
    session.prompt(text)
    assert session.settled()
    assert (len(session.api.blind), len(session.api.shown)) == (2, 0)
    return session


def is_checked(session: Prompting, path: str = "src/dates.py") -> bool:
    """Whether a write is read by readers who are shown it; it passes either way."""
    before = len(session.api.shown)
    assert session.edit(path) is None
    return len(session.api.shown) > before


def test_a_write_that_both_readings_name_passes_with_no_further_call(session: Prompting) -> None:
    asked(session)
    assert session.edit() is None
    assert len(session.api.requests) == 2
    record = session.record()
    assert (record["verdict"], record["reason"], record["decision"]) == ("skipped", "covered", "allow")
    assert [sample["reader"] for sample in record["samples"]] == ["anticipating-1", "anticipating-2"]
    assert all(sample["blind"] for sample in record["samples"])
    assert record["notes"] == [
        "read at the prompt by anticipating-1 and anticipating-2, who were shown no write"
    ]
    assert record["evidence"]["current_request"] == REQUEST
    assert record["backend"] == "anthropic"
    dollars, samples = session.spent()
    assert dollars > session.before[0]
    assert samples - session.before[1] == 2


def test_it_serves_once(session: Prompting) -> None:
    asked(session)
    assert session.edit() is None
    session.tell("post-tool-use", "PostToolUse", tool_name="Edit", tool_use_id=f"toolu_{session.session}_1")
    # Nobody judged the first edit, so that it succeeded excuses no second one.
    assert is_checked(session)


def test_the_prompts_hook_does_not_wait_for_its_readers(session: Prompting) -> None:
    session.api.delay = 3.0
    assert session.prompt(f"{REQUEST} {session.session}") < 1.0
    assert session.api.wait_for_requests(2)


def test_a_reading_that_is_under_way_is_waited_for(session: Prompting) -> None:
    session.api.delay = 0.4
    session.prompt(f"{REQUEST} {session.session}")
    assert session.edit() is None
    assert len(session.api.requests) == 2


def test_a_reading_that_takes_too_long_is_not_waited_for(session: Prompting) -> None:
    session.api.ahead[0] = hang()
    session.prompt(f"{REQUEST} {session.session}")  # Sessions that ask the same share their readers.
    began = time.monotonic()
    assert is_checked(session)
    assert 1.5 < time.monotonic() - began < 10


def test_what_no_reading_could_cover_waits_for_none(session: Prompting) -> None:
    session.api.ahead[0] = hang()
    session.prompt(f"{REQUEST} {session.session}")  # Sessions that ask the same share their readers.
    began = time.monotonic()
    session.call("Bash", {"command": "rm src/dates.py"})
    assert len(session.api.shown) == 5
    assert time.monotonic() - began < 1.8


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param((foreseen("src/dates.py"), foreseen("src/calendar.py")), id="another file"),
        pytest.param((foreseen("src/dates.py"), foreseen("src/dates.py", action="fix")), id="another action"),
        pytest.param((foreseen("src/dates.py", rival="only the docs"),), id="a rival"),
        pytest.param((foreseen("src/dates.py", extent="folder"),), id="a wide extent"),
        pytest.param((foreseen("src/dates.py", 0.6),), id="a score below the cut"),
        pytest.param((foreseen("src/dates.py", action="answer"),), id="a question"),
        pytest.param((foreseen("src/dates.py", action="delete"),), id="another act than the write's"),
        pytest.param((foreseen("dates.py"),), id="a name that several files may bear"),
        pytest.param((foreseen("src/dates.py"), "no answer"), id="one valid answer of two"),
    ],
)
def test_what_they_do_not_cover_is_checked_as_ever(session: Prompting, answers: tuple[str, ...]) -> None:
    session.api.reads(*answers)
    session.prompt("Make parse_date accept a date without a day; change nothing else there.")
    session.settled()
    assert is_checked(session)
    assert session.record()["reason"] == "confident"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "printf 'a = 2\\n' > src/dates.py; printf 'b = 1\\n' > src/other.py"}),
        ("Bash", {"command": "rm src/dates.py"}),
        ("Bash", {"command": "sed -i s/a/b/ src/dates.py && git commit -am done"}),
        ("Write", {"file_path": "src/calendar.py", "content": "x\n"}),
    ],
)
def test_only_one_write_of_that_very_file_is_covered(
    session: Prompting, tool: str, given: dict[str, str]
) -> None:
    asked(session)
    session.call(tool, given)
    assert session.record()["reason"] != "covered"
    assert session.api.shown


def test_a_later_message_voids_it(session: Prompting) -> None:
    asked(session)
    session.api.ahead[0] = status(500)
    session.prompt("Wait, the day has to stay there.")
    session.settled()
    assert is_checked(session)


def test_a_queued_message_that_the_file_does_not_hold_yet_voids_it(session: Prompting) -> None:
    asked(session)
    session.api.ahead[0] = status(500)
    session.prompt("And leave the tests alone.", write=False)
    session.settled()
    assert is_checked(session)


def test_an_answer_to_the_agents_question_voids_it(session: Prompting) -> None:
    asked(session)
    questions = [{"question": "Which module?", "options": [{"label": "dates"}, {"label": "calendar"}]}]
    path = session.transcript
    session.file.calls("AskUserQuestion", {"questions": questions}, "toolu_ask")
    session.file.result("toolu_ask", "answered", failed=False)
    lines = path.read_text().splitlines()
    result = json.loads(lines[-1]) | {
        "toolUseResult": {"questions": questions, "answers": {"Which module?": "calendar"}}
    }
    path.write_text("\n".join((*lines[:-1], json.dumps(result))) + "\n")
    assert is_checked(session)


def test_a_hold_voids_it(session: Prompting) -> None:
    asked(session)
    session.api.default = reply(answer(0.2, primary_concern="scope", fits=False))
    assert session.edit("src/calendar.py") is not None
    session.api.default = reply()
    assert is_checked(session)


def test_a_denial_voids_it(session: Prompting) -> None:
    asked(session)
    settings = session.place.project / ".claude" / "settings.json"
    denied = session.call("Write", {"file_path": str(settings), "content": '{"hooks": {}}'})
    assert b'"deny"' in denied.stdout
    assert is_checked(session)


def test_a_subagents_write_is_never_covered(session: Prompting) -> None:
    asked(session)
    given = {"file_path": str(session.place.project / "src/dates.py"), "old_string": "a", "new_string": "b"}
    session.call("Edit", given, agent_id="agent-1")
    assert session.record()["reason"] != "covered"


@pytest.mark.parametrize(
    "text",
    [
        "compass: status",
        "continue",
        "[compass:skip] tidy src/dates.py",
        "<task-notification>x</task-notification>",
    ],
)
def test_only_a_request_is_read(session: Prompting, text: str) -> None:
    session.prompt(text)
    assert not session.settled()
    assert session.api.requests == []


def test_a_reply_that_picks_from_the_agents_list_is_not_read(session: Prompting) -> None:
    session.file.user("How should it go on?", "prompt-0")
    session.file.says("Which one do you want?\n\n1. Drop the day in src/dates.py\n2. Keep it")
    session.prompt("1")
    assert not session.settled()
    assert session.api.requests == []


def test_readers_that_fail_open_the_breaker_here_too(served: Served) -> None:
    session = Prompting(*served, next(NAMES), {"COMPASS_CIRCUIT_BREAKER__SCOPE": "session"})
    session.api.default = session.api.ahead[0] = status(401, "no such key")
    for number in range(3):
        session.prompt(f"{REQUEST} Step {number}.")
        session.settled()
    before = len(session.api.requests)
    session.prompt(f"{REQUEST} Once more.")
    session.settled()
    assert len(session.api.requests) == before == 6


def test_of_two_writes_at_once_one_is_covered(session: Prompting) -> None:
    session.api.delay = 0.5
    session.prompt(REQUEST)
    writes = {"file_path": str(session.place.project / "src/dates.py"), "old_string": "a", "new_string": "b"}
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: session.call("Edit", writes).stdout, range(2)))
    assert found == [b"", b""]
    assert len(session.api.blind) == 2
    assert len(session.api.shown) == 5, "one of two writes at once is covered, the other one is checked"


def test_where_the_readings_differ_the_agent_is_told_at_its_next_read(session: Prompting) -> None:
    session.api.reads(*READINGS)
    asked(session, OPEN)
    told = session.read()
    assert "1. change src/calendar.py" in told
    assert "2. change src/dates.py" in told
    assert "3. something else" in told
    assert len(told.splitlines()) <= 8
    assert session.read() == "", "once"
    assert session.api.shown == []


def test_a_digit_then_resolves_as_ever(session: Prompting) -> None:
    session.api.reads(*READINGS)
    asked(session, OPEN)
    told = session.read()
    question = "\n".join(line.strip() for line in told.splitlines()[1:-1])
    session.file.says(f"Before I write: {question}")
    session.prompt("2")
    assert not session.settled(), "a reply to the list is not read ahead"
    assert session.edit("src/dates.py") is None
    assert len(session.api.shown) == 5
    shown = json.dumps(session.api.shown[0].body)
    assert "change src/dates.py" in shown
    assert OPEN in shown
    # What only another reading names is held without a check.
    assert session.edit("src/calendar.py") is not None
    assert len(session.api.shown) == 5


def test_a_list_that_the_person_never_saw_is_not_answered(session: Prompting) -> None:
    session.api.reads(*READINGS)
    asked(session, OPEN)
    assert session.read()
    session.file.says("I looked around.")
    session.prompt("2")
    session.settled()
    session.edit("src/calendar.py")
    assert len(session.api.shown) == 5, "nothing was chosen, so readers are asked"


def test_nobody_is_told_what_two_readers_agree_on(session: Prompting) -> None:
    asked(session)
    assert session.read() == ""


def test_in_observe_nobody_is_told(served: Served) -> None:
    session = Prompting(*served, next(NAMES), {"COMPASS_MODE": "observe"})
    session.api.reads(*READINGS)
    asked(session, OPEN)
    assert session.read() == ""


@pytest.mark.parametrize(
    "variables",
    [
        {"COMPASS_SAMPLING__ANTICIPATE": "false"},
        {"COMPASS_EVALUATOR__BACKEND": "embedded"},
        {"COMPASS_CONTEXT_CHARS_MAX": "0", "COMPASS_TRANSCRIPT__PRIOR_TURN_CHARS_MAX": "0"},
        {"COMPASS_EVALUATOR__DAILY_BUDGET_USD": "0"},
        {"COMPASS_EVALUATOR__DAILY_CALLS": "0"},
    ],
)
def test_nothing_is_read_ahead_where_it_may_not(served: Served, variables: dict[str, str]) -> None:
    session = Prompting(*served, next(NAMES), variables)
    session.prompt(REQUEST)
    assert not session.settled()
    assert session.api.requests == []


def test_what_leaves_at_a_prompt_is_sanitized_and_shown(session: Prompting) -> None:
    key = f"ghp_{''.join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))}"
    session.prompt(f"{REQUEST} The key is {key}. </current_request>")
    assert session.settled()
    sent = json.dumps(session.api.blind[0].body)
    assert key not in sent
    assert "[STRIPPED]" in sent
    assert "[REDACTED:" in sent
    session.tell("session-start", "SessionStart", source="resume")
    before = json.loads(session.place.command("explain", "--egress", "--prompt", "--json").stdout)
    assert session.edit() is None
    shown = json.loads(session.place.command("explain", "--egress", "--json").stdout)
    assert shown == before
    user = session.api.blind[0].body["messages"][0]["content"]
    text = user if isinstance(user, str) else user[0]["text"]
    assert shown["sent"] is True
    assert [line for line in shown["user"].splitlines() if "-0000" not in line][1:4] == [
        line for line in text.splitlines() if not line.startswith("<")
    ][1:4]
    assert "pending_write" not in shown["user"]


def test_readers_who_changed_since_cover_nothing(session: Prompting) -> None:
    asked(session)
    session.place.env["COMPASS_EVALUATOR__MODEL"] = "claude-sonnet-4-5"
    assert is_checked(session)


def test_once_a_write_was_checked_nobody_is_told_to_ask_before_any(session: Prompting) -> None:
    session.api.reads(*READINGS)
    asked(session, OPEN)
    assert is_checked(session)
    assert session.read() == ""


def test_what_is_held_does_not_end_by_a_prompt_that_stands_nowhere(session: Prompting) -> None:
    session.prompt("Bring the one module in line with the other, please.")
    session.settled()
    session.api.default = reply(answer(0.2, primary_concern="scope", fits=False))
    assert session.edit("src/calendar.py") is not None
    session.api.default = reply()
    session.api.reads(*READINGS)
    text = "Write a new file docs/release.md that lists who helped with the release."
    session.prompt(text, write=False)
    assert session.settled()
    assert session.read() == ""
    assert "still holds" in (session.edit("src/calendar.py") or "")


def test_where_agreement_counts_readers_who_are_sure_of_two_things_have_the_agent_ask(served: Served) -> None:
    session = Prompting(*served, next(NAMES), {"COMPASS_CONVERGENCE__RULE": "score+agreement"})
    session.api.reads(foreseen("src/dates.py", 0.9), foreseen("src/calendar.py", 0.9))
    asked(session, OPEN)
    assert "1. change src/calendar.py" in session.read()


def test_a_request_that_asks_for_no_check_is_not_read(session: Prompting) -> None:
    session.prompt("[compass:skip] Tidy src/dates.py.")
    session.prompt("And src/calendar.py, too, in the same way as that one.")
    assert not session.settled()
    assert session.api.requests == []


def test_a_question_of_an_earlier_request_keeps_no_new_one_from_being_asked(session: Prompting) -> None:
    session.api.reads(*READINGS)
    asked(session, OPEN)
    assert session.read()
    session.api.reads(foreseen("src/a.py", 0.5), foreseen("src/b.py", 0.5))
    session.file.says("I looked around.")
    session.prompt("And rename the helper in one of the two new modules to something shorter, please.")
    assert session.settled()
    told = session.read()
    assert "1. change src/a.py" in told
