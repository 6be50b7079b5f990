"""Session files of chibi and Cursor as what their hooks were told, and session files that are made up."""

from pathlib import Path

import pytest

from evaluator.errors import PayloadError
from evaluator.model import Exchange, PendingWrite
from hooks import registry
from hooks.sessions import Called, Ended, Passed, Spoken

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts"
FILES = {"chibi": FIXTURES / "chibi" / "context.jsonl", "cursor": FIXTURES / "cursor" / "transcript.jsonl"}
PRIOR = "I found two unused files: src/a.py and src/b.py."


def moments(name: str):
    return list(registry.host_of(name).sessions().session_moments(str(FILES[name]), Passed()))


@pytest.mark.parametrize("name", FILES)
def test_prompts_and_calls_in_order_and_what_stood_in_the_file_then(name: str) -> None:
    found = moments(name)
    assert [one.text for one in found if isinstance(one, Spoken)] == [
        "Look for dead code.",
        "Just delete it.",
    ]
    last = [one for one in found if isinstance(one, Called)][-1]
    assert (last.tool_name, last.tool_input) == ("Bash", {"command": "rm src/a.py"})
    assert [one.at for one in found] == sorted(one.at for one in found)
    then = registry.host_of(name).sessions().then()
    pending = PendingWrite(name, "s", "Bash", {}, "/p", "/p", transcript_path=str(FILES[name]))
    then.go_to(last.end, last.heard)
    exchange = then.exchange(pending, ())
    assert (exchange.request, exchange.prior_assistant_turn) == (("Just delete it.",), PRIOR)
    then.go_to(next(one.end for one in found if isinstance(one, Called)), 1)
    assert then.exchange(pending, ()).request == ("Look for dead code.",)


def test_how_a_call_ended_where_the_file_tells() -> None:
    first = next(one for one in moments("chibi") if isinstance(one, Called))
    assert first.fate == "ran" and any(isinstance(one, Ended) and one.succeeded for one in moments("chibi"))
    assert {one.fate for one in moments("cursor") if isinstance(one, Called)} == {"unknown"}


@pytest.mark.parametrize("name", FILES)
def test_a_made_up_session_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    sessions = registry.host_of(name).sessions()
    path = tmp_path / "default" / ("context.jsonl" if name == "chibi" else "s1.jsonl")
    path.parent.mkdir()
    made = sessions.made_up(str(path), "s1")
    made.user("Delete src/a.py.", "p1")
    made.calls("Bash", {"command": "rm src/a.py"}, "t1")
    made.result("t1", "no such file", failed=True)
    made.says("It is gone.")
    made.user("Now src/b.py", "p2")
    made.calls("Write", {"file_path": "src/c.py", "content": "x"}, "t2")
    found = list(sessions.session_moments(str(path), Passed()))
    calls = [one for one in found if isinstance(one, Called)]
    assert [(one.tool_name, one.tool_use_id) for one in calls] == [("Bash", "t1"), ("Write", "t2")]
    assert calls[0].fate == ("failed" if name == "chibi" else "unknown")
    assert sessions.find_transcripts([str(tmp_path)]) == [str(path)]
    assert {one.uuid for one in calls} <= sessions.standing(str(path))
    with pytest.raises(PayloadError):
        sessions.find_transcripts([str(tmp_path / "none")])
    text = sessions.transcript(Exchange(("Just delete it.",), PRIOR), "s2", "p")
    path.write_text(text)
    then = sessions.then()
    then.go_to(len(text.encode()), 0)
    pending = PendingWrite(name, "s2", "Bash", {}, "/p", "/p", transcript_path=str(path))
    assert then.exchange(pending, ()) == Exchange(("Just delete it.",), PRIOR)


@pytest.mark.parametrize("name", FILES)
def test_what_becomes_of_an_answer(name: str) -> None:
    host = registry.host_of(name)
    found = host.sessions().shown(host.deny("Held: which one?", message="Which one?"))
    assert found.denied and "Held" in found.agent and found.person
    assert not host.sessions().shown(b"").denied
