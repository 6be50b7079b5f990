"""`compass replay`: what the gate would have done over recorded sessions, without touching them or the state, and how a
person reads it: one entry a request, what they refused or took back first."""

import json
import os
import shutil

import pytest
from apis.loopback_api import answer, reply
from repository import ROOT
from running.hookrun import Place, clear
from samples.recordings import CLEAR, Recording, ends, replayed
from samples.sessions import Session

from hooks.hosts.claude_code.host import HOST
from hooks.json_lines import lines_forward
from hooks.sessions import Called, Passed


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, {"COMPASS_ENABLED": "false", "COLUMNS": "200"})


@pytest.fixture
def recording(place):
    return Recording(str(place.project))


@pytest.fixture
def noted(recording):
    """One request, and the one write that it asks for."""
    ask(recording, CLEAR, "p1", t1="notes.txt")
    return recording


def ask(recording: Recording, text: str, prompt_id: str, **writes: str) -> None:
    """A message, and the writes that follow it: the file of each call."""
    recording.prompt(text, prompt_id)
    for use_id, name in writes.items():
        recording.write_of(name, use_id)


def test_calls_are_told_in_order_as_not_judged_where_no_model_reads(place, noted):
    noted.write_of("notes.txt", "t2", "update", tool="Edit")
    noted.write_of("other.txt", "t3")
    found = replayed(place, noted.save(place.root / "kept"))
    reasons = ("insufficient_context", "covered", "insufficient_context")
    assert ends(found) == [("skipped", reason) for reason in reasons]
    assert (found["cases"][0]["request"], found["cases"][0]["outcome"]) == (CLEAR, "ran")


def test_nothing_is_held_back_so_a_later_call_is_judged_anew(place, recording):
    ask(recording, "Review only, no changes", "p1", t1="a.py")
    recording.says("Done.")
    recording.prompt("Still review only, please", "p2")
    recording.write_of("a.py", "t2", "update")
    found = replayed(place, recording.save(place.root / "kept"))
    assert ends(found) == [("failed", "low_confidence")] * 2
    assert "denied_before" not in json.dumps(found)
    assert found["cases"][1]["request"].startswith("Still")


def test_a_file_is_new_or_old_as_it_was_then_whatever_is_there_today(place, recording):
    (place.project / "now.txt").write_text("here today")
    recording.prompt("Create now.txt and gone.txt", "p1")
    recording.write_of("now.txt", "t1", "create")
    recording.prompt("Write gone.txt again", "p2")
    recording.write_of("gone.txt", "t2", "update")
    recording.prompt("Write now.txt again", "p3")
    recording.call("Write", "t3", file_path=f"{recording.project}/now.txt", content="x")
    found = replayed(place, recording.save(place.root / "kept"))
    assert [case["operation"] for case in found["cases"]] == ["create", "overwrite", "overwrite"]
    assert found["cases"][2]["outcome"] == "unknown"


def test_what_is_told_follows_the_thresholds_in_force(place, noted):
    place.env |= clear()
    asked = ("--backend", "anthropic", "--yes")
    noted.write_of("other.txt", "t2")
    path = noted.save(place.root / "kept")
    assert ends(replayed(place, path, *asked)) == [("passed", "confident"), ("skipped", "covered")]
    shown = place.command("replay", path, *asked).stdout.decode()
    assert shown.startswith("would have interrupted you in 0 of 1 request, 0.0 a working day")
    place.env["COMPASS_CONFIDENCE_THRESHOLD"] = "0.999"
    found = replayed(place, path, *asked)
    assert ends(found)[0] == ("failed", "low_confidence")
    assert {"verdict": "failed", "reason": "low_confidence", "count": 1} in found["counts"]
    assert found["cases"][0]["current"]["thresholds"]["confidence"] == 0.999
    shown = place.command("replay", path, *asked).stdout.decode()
    assert shown.startswith("would have interrupted you in 1 of 1 request, 1.0 a working day")
    assert CLEAR in shown and "notes.txt" in shown


def test_a_subagents_call_is_judged_by_the_users_request_and_its_task(place, recording):
    recording.prompt(CLEAR, "p1")
    recording.call("Agent", "t1", prompt="write notes.txt")
    recording.at += 10
    recording.result("t1", "text")
    agent = Recording(recording.project, at=4)
    agent.prompt("write notes.txt", "p1", isSidechain=True)
    given = {"file_path": f"{agent.project}/notes.txt", "content": "hi"}
    agent.session.calls("Write", given, "t2", isSidechain=True, **agent._said())
    agent.session.result("File created successfully at: x", "t2", isSidechain=True, **agent._said())
    path = recording.save(place.root / "kept")
    agent.save(path.with_suffix("") / "subagents", "agent-abc")
    (case,) = replayed(place, path.parent)["cases"]
    assert (case["agent_id"], case["request"], case["operation"]) == ("abc", CLEAR, "create")


def test_only_calls_since_a_date_are_judged(place, noted):
    noted.at = 60 * 30
    ask(noted, "Create two.txt", "p2", t2="two.txt")
    path = noted.save(place.root / "kept")
    found = replayed(place, path, "--since", "2026-11-21T20:20:00+00:00")
    assert [case["tool_use_id"] for case in found["cases"]] == ["t2"]
    os.utime(path, (1, 1))
    assert replayed(place, path, "--since", "2026-11-21")["cases"] == []


def test_a_call_that_two_files_hold_is_judged_once(place, noted):
    folder = place.root / "kept"
    noted.save(folder, "first")
    noted.save(folder, "resumed")
    assert len(replayed(place, folder)["cases"]) == 1


def test_neither_state_nor_the_event_log_nor_the_recording_is_touched(place, noted):
    path = noted.save(place.root / "kept")
    before = path.read_bytes()
    replayed(place, path)
    assert path.read_bytes() == before
    assert [*place.state.rglob("*"), *(place.root / "home").rglob("*")] == []


@pytest.fixture
def hosted(place, api):
    api.default = reply(answer(score=0.9, target="notes.txt"))
    place.env |= {"ANTHROPIC_API_KEY": "test", "COMPASS_EVALUATOR__BASE_URL": api.url}
    return api.requests


def test_a_hosted_backend_is_asked_nothing_before_yes_and_the_number_of_calls_is_told(
    place, recording, hosted
):
    request = "Create notes.txt that says hello, and other.txt beside it with the same line"
    ask(recording, request, "p1", t1="notes.txt", t2="other.txt")
    words = (recording.save(place.root / "kept"), "--backend", "anthropic")
    done = place.command("replay", *words)
    assert done.returncode == 1 and not hosted
    assert b"At most 2 checks" in done.stderr and b"10 requests" in done.stderr
    found = replayed(place, *words, "--yes")
    assert ends(found) == [("passed", "confident"), ("skipped", "covered")] and len(hosted) == 5


def test_what_hosted_readers_take_counts_on_the_machine_and_is_capped_there(place, recording, hosted):
    request = "Create notes.txt that says hello, and docs/other.txt with the same line"
    ask(recording, request, "p1", t1="notes.txt", t2="docs/other.txt")
    words = (recording.save(place.root / "kept"), "--backend", "anthropic", "--yes")
    place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = "0.000001"
    assert ends(replayed(place, *words)) == [("passed", "confident")] and len(hosted) == 5
    status = json.loads(place.command("status", "--json").stdout)
    assert status["calls_today"] == 5 and status["cost_today_usd"] > 0
    assert b"today's budget for readers is used up" in place.command("replay", *words).stdout
    assert len(hosted) == 5, "what the earlier run took is of the same day"


def test_auto_is_not_found_out_by_what_a_project_puts_into_the_environment(place, noted):
    path = noted.save(place.root / "kept")
    (place.project / ".claude").mkdir()
    block = {"env": {"ANTHROPIC_API_KEY": "theirs"}}
    (place.project / ".claude" / "settings.json").write_text(json.dumps(block))
    place.env["ANTHROPIC_API_KEY"] = "theirs"
    assert replayed(place, path, "--backend", "auto")["backend"] == "embedded"


def test_garbled_lines_are_passed_over_and_counted(place, recording):
    recording.prompt(CLEAR, "p1")
    recording.session.raw(b'{"uuid": "x", "type": "user", "message"')
    recording.session.raw(b"\xff\xfe\x00 not json at all")
    recording.session.raw(b"[1, 2]")
    message = b'{"content": [7, null]}'
    recording.session.raw(b'{"uuid": 3, "parentUuid": [], "type": "assistant", "message": %b}' % message)
    recording.session.raw(b"\x00" * 4096)
    recording.write_of("notes.txt", "t1")
    found = replayed(place, recording.save(place.root / "kept"))
    assert ends(found) == [("skipped", "insufficient_context")]
    assert found["passed_over"]["lines that are not JSON objects"] == 3


@pytest.mark.parametrize("given", [{"name": 3}, {"id": None}, {"input": {"file_path": {}}}])
def test_a_call_of_wrong_types_breaks_nothing(given, place, recording):
    recording.prompt(CLEAR, "p1")
    block = {"type": "tool_use", "id": "t0", "name": "Write", "input": {}} | given
    message = {"id": "m", "role": "assistant", "content": [block]}
    recording.session.line("assistant", message=message, **recording._said())
    recording.write_of("notes.txt", "t1")
    assert replayed(place, recording.save(place.root / "kept"))["cases"][-1]["tool_use_id"] == "t1"


def test_links_are_followed_and_a_loop_of_them_ends(place, noted):
    folder = place.root / "kept"
    (folder / "again.jsonl").symlink_to(noted.save(folder / "project"))
    (folder / "loop").symlink_to(folder)
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (place.root / "linked").symlink_to(folder)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    assert len(replayed(place, place.root / "linked")["cases"]) == 1


def test_a_line_past_the_bound_is_passed_over_and_the_offsets_stay_right(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"a\n" + b"x" * 100 + b"\n" + b"bc\n" + b"y" * 11)
    lines = [*lines_forward(str(path), line_bytes_max=10)]
    assert [(line.offset, line.raw) for line in lines] == [(0, b"a\n"), (103, b"bc\n"), (106, b"y" * 11)]


def test_a_name_that_is_nothing_and_a_folder_without_transcripts_are_told(place):
    gone = place.command("replay", place.root / "nothing")
    assert gone.returncode == 1 and b"no such transcript" in gone.stderr
    assert b"kept in claude-code: ~/.claude/projects" in gone.stderr
    empty = place.command("replay", place.project)
    assert empty.returncode == 1 and b"no session in" in empty.stderr
    assert place.command("replay", "x.jsonl", "--since", "yesterday").returncode == 2


def test_what_was_recorded_cannot_steer_the_terminal(place, recording):
    request = "review \x1b[2J\x1b]0;owned\x07 [red]it[/red]. Don't change anything."
    ask(recording, request, "p1", t1="a\x1b[31m.py")
    shown = place.command("replay", recording.save(place.root / "kept")).stdout
    assert b"\x1b" not in shown and b"\x07" not in shown and b"[red]it[/red]" in shown


def test_a_sidechain_in_the_sessions_own_file_is_not_judged(place, recording):
    """Older clients wrote subagents there, without saying which is which."""
    recording.prompt(CLEAR, "p1")
    recording.session.calls("Write", {"file_path": "/x"}, "t0", isSidechain=True, **recording._said())
    recording.write_of("notes.txt", "t1")
    assert len(replayed(place, recording.save(place.root / "kept"))["cases"]) == 1


def test_the_same_file_named_twice_is_found_once_and_subagents_only_with_their_session(tmp_path):
    (tmp_path / "s" / "subagents").mkdir(parents=True)
    for name in ("s.jsonl", "s/subagents/agent-1.jsonl", "notes.txt"):
        (tmp_path / name).write_text("{}")
    assert HOST.find([str(tmp_path / "s.jsonl"), str(tmp_path)]) == [str(tmp_path / "s.jsonl")]


def test_a_rewound_branch_does_not_reach_what_came_after_it(tmp_path):
    session = Session()
    root = session.prompt("first", "p1")
    session.says("tried")
    session.prompt("abandoned", "p2")
    session.calls("Write", {"file_path": "/a"}, "t1")
    session.tip = root
    session.prompt("taken instead", "p3")
    session.calls("Write", {"file_path": "/b"}, "t2")
    path = session.write(tmp_path / "s.jsonl")
    moments = HOST.sessions().session_moments(str(path), Passed())
    calls = [moment for moment in moments if isinstance(moment, Called)]
    assert [(call.tool_use_id, call.prompt_id) for call in calls] == [("t1", "p2"), ("t2", "p3")]


def test_recorded_sessions_give_the_same_whole_or_as_they_grew(place, tmp_path):
    """Prefixes of a file, as hooks saw it, hold the same calls: each is judged once."""
    source = ROOT / "fixtures/claude-code/transcripts/interactive-queue-interrupt-compact"
    shutil.copytree(source, tmp_path / "grown")
    whole = max((source / "at-hook").glob("*.jsonl"))
    grown, at_once = (replayed(place, path)["cases"] for path in (tmp_path / "grown", whole))
    assert [case["tool_use_id"] for case in grown] == [case["tool_use_id"] for case in at_once]


# As a person reads it


def shown(place: Place, recording: Recording, *words: str) -> str:
    done = place.command("replay", recording.save(place.root / "kept"), *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_the_first_line_counts_requests_days_and_what_was_refused_or_taken_back(place, recording):
    for number, following in enumerate(("undo that, please", "thanks, add an undo button", "now tag it")):
        said = f"Just review what we have as number {number}, and please make no changes to the code"
        recording.prompt(said, f"p{number}")
        recording.write_of(f"part{number}.py", f"t{number}")
        recording.prompt(following, f"q{number}")
    recording.call("Bash", "read", command="cat notes.txt")
    text = shown(place, recording)
    assert "would have interrupted you in 3 of 3 requests, 3.0 a working day, and held" in text
    assert "held 1 of the 1 write that you refused or undid" in text
    places = [text.index(f"number {number}") for number in range(3)]
    assert places[0] < places[2] < places[1], "taken back first, then newest first"
    assert 'you undid it: "undo that, please"' in text
    shown_then = "Compass held back: create part0.py\n" in text and 'You said "' in text
    assert shown_then, "as it would have been shown"


def test_a_refusal_an_interruption_and_a_file_put_back_are_signs_of_their_own(place, recording):
    recording.prompt(CLEAR, "p1")
    recording.call("Write", "t1", file_path=f"{recording.project}/a.txt", content="x")
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    recording.session.result(refusal, "t1", **recording._said())
    ask(recording, "Write b.txt with a greeting", "p2", t2="b.txt")
    recording.prompt("[Request interrupted by user]", "p2")
    recording.prompt("Change the greeting in c.txt", "p3")
    given = {"file_path": f"{recording.project}/c.txt"}
    recording.call("Edit", "t3", **given, old_string="hi", new_string="hello")
    recording.result("t3", "update")
    recording.prompt("Hmm, I liked the other one", "p4")
    recording.call("Edit", "t4", **given, old_string="hello", new_string="hi")
    recording.result("t4", "update")
    cases = {one["tool_use_id"]: one for one in replayed(place, recording.save(place.root / "kept"))["cases"]}
    assert [one for one, case in cases.items() if case["refused"]] == ["t1", "t2"]
    assert [one for one, case in cases.items() if case["taken_back"]] == ["t3"]
    text = shown(place, recording)
    assert all(note in text for note in ("you refused it", "you interrupted it", "you undid it"))


def test_what_this_gate_held_then_is_known_with_its_answer(place, recording):
    recording.prompt("review it, no changes", "p1")
    recording.call("Write", "t1", file_path=f"{recording.project}/a.py", content="x")
    held = "Compass held back: create a.py, because ..."
    recording.session.result(held, "t1", is_error=True, **recording._said())
    recording.prompt("compass: status", "p2")
    ask(recording, "compass: proceed", "p3", t2="a.py")
    text = shown(place, recording)
    assert "1 of 1 request," in text and "of the 0 writes that you refused" in text
    assert "held at the time, and you answered: proceed" in text


def test_the_page_has_the_same_and_asks_for_nothing(place, recording):
    ask(recording, "review <b>it</b>. Do not change anything.", "p1", t1="a.py")
    out = place.root / "page.html"
    text = shown(place, recording, "--html", str(out))
    page = out.read_text()
    assert text.splitlines()[0] in page and "review &lt;b&gt;it&lt;/b&gt;. Do not change anything." in page
    assert "<script" not in page and "http" not in page.lower().replace("http-equiv", "")
