"""`compass init` where nothing but a logged-in client is to be had: one question, one real sample, who reads then."""

import json
import time
from pathlib import Path

import pytest
from apis.backends import MODEL, Fake, claude_error, claude_result
from apis.loopback_api import answer
from corpora import corpus
from running.atterminal import at_a_terminal
from running.hookrun import Place

from compass.composition.automatic_backend import (
    Agreement,
    MeasuredClient,
    choose_backend,
    objection_to_client,
)
from compass.configuration.client_offer import DAYS, Use, costs
from evaluator.settings.keys import Settings, build
from hooks import registry

QUESTION = "Use `claude` as the reader, and write these changes? [y/N]"
FOREIGN = ("ANTHROPIC_API_KEY", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_OAUTH_TOKEN")


def new_fake(tmp_path):
    folder = tmp_path / "client"
    folder.mkdir()
    return Fake(folder)


fake = pytest.fixture(new_fake, name="fake")


@pytest.fixture
def place(tmp_path, fake):
    env = {name: value for name, value in fake.env.items() if name not in FOREIGN}
    return Place(tmp_path / "machine", {**env, "COMPASS_EVALUATOR__BACKEND": None})


def init(place, reply, *words):
    code, printed, shown = at_a_terminal(place.environment(), place.project, reply, "init", *words)
    assert code == 0, printed + shown
    return printed, shown


def kept(place, name):
    (path,) = (place.state / "compass").glob(f"*/{name}.json")
    return json.loads(path.read_text())


def own(place):
    return kept(place, "settings").get("evaluator", {})


def command(place, *words):
    """What it prints, away from a terminal."""
    done = place.command(*words)
    assert done.returncode == 0 or words[0] == "doctor", done.stderr
    return done.stdout.decode()


def reads(place):
    """Who would read in a session that starts now."""
    return str(json.loads(command(place, "status", "--json"))["backend"])


def asked(fake):
    return (fake.folder / "plan.seen").exists()


def test_one_yes_and_a_sample_in_time_make_the_client_the_reader(place, fake):
    printed, shown = init(place, b"y\n")
    assert shown.count("[y/N]") == shown.count(QUESTION) == 1
    assert "calls on your own subscription: 3 for each check" in printed
    assert "you agreed to calls through `claude`, and a sample on " in printed
    assert "judged by claude-cli" in printed
    assert own(place) == {}, "only what is chosen by name is stored"
    assert kept(place, "readers")["agreed"] is True
    assert reads(place) == "claude-cli"
    assert "--verbose flag" in fake.seen["stdin"], "one real sample, of an exchange of ours"


def test_a_no_is_kept_and_nobody_is_asked_again(place, fake):
    _, shown = init(place, b"n\ny\n")
    assert shown.count(QUESTION) == 1
    assert kept(place, "readers")["agreed"] is False
    assert reads(place) == "embedded" and not asked(fake)
    assert "[y/N]" not in init(place, b"")[1]


@pytest.mark.spread(1)
@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (claude_error("Not logged in · Please run /login"), "authentication"),
        (claude_result(result="no JSON at all"), "not valid: invalid"),
        ({"hang": True}, "not valid: timeout"),
    ],
)
def test_a_client_that_cannot_read_leaves_rules_and_says_why(place, fake, plan, why):
    fake.plan(plan)
    printed, shown = init(place, b"y\n")
    assert shown.count("[y/N]") == 1
    assert why in printed and "no model reads" in printed
    assert own(place) == {}
    assert reads(place) == "embedded"
    fake.plan(claude_result(result=answer()))
    _, shown = init(place, b"")
    assert "[y/N]" not in shown
    _, shown = init(place, b"y\n", "--backend", "auto")
    assert QUESTION in shown
    assert reads(place) == "claude-cli", "once it is in time"


def test_a_no_to_both_changes_nothing(place, fake):
    code, _, shown = at_a_terminal(place.environment(), place.project, b"n\nn\n", "init")
    assert code == 1
    assert "nothing was changed" in shown
    assert not list((place.state / "compass").glob("*/settings.json"))
    assert not (place.project / ".claude").exists()


@pytest.mark.spread(1)
@pytest.mark.parametrize("words", [("--yes",), ("--json",), ("--dry-run",)])
def test_whoever_wants_no_question_is_asked_none(place, fake, words):
    _, shown = init(place, b"y\n", *words)
    assert QUESTION not in shown
    assert not asked(fake)


def test_without_a_terminal_nothing_is_asked_and_options_say_it(place, fake):
    command(place, "init")
    assert (own(place), reads(place)) == ({}, "embedded")
    command(place, "init", "--yes", "--backend", "auto")
    assert (own(place), reads(place)) == ({"backend": "auto"}, "embedded")
    printed = command(place, "init", "--yes", "--backend", "claude-cli")
    assert "judged by claude-cli" in printed
    assert own(place) == {"backend": "claude-cli"}
    assert not asked(fake)


def test_with_a_key_there_is_nothing_to_offer(place, fake):
    place.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
    _, shown = init(place, b"y\n")
    assert QUESTION not in shown
    assert (own(place), reads(place)) == ({}, "anthropic")


def test_the_calls_of_a_day_are_counted_in_the_sessions_of_the_project(place):
    host = registry.default_host()
    folder = Path(host.sessions_folder(str(place.root / "home"), str(place.project)))
    folder.mkdir(parents=True)
    made = host.sessions().made_up("", "session-1")
    made.user("Clean up the notes as we said", "prompt-1")
    made.calls("Write", {"file_path": str(place.project / "notes.txt"), "content": "a\n"}, "toolu_1")
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 3600))
    about = {"timestamp": stamp, "cwd": str(place.project)}
    lines = [json.dumps(json.loads(line) | about) + "\n" for line in made.text.splitlines()]
    (folder / "session-1.jsonl").write_text("".join(lines))
    _, printed, _ = at_a_terminal(place.environment(), place.project, b"n\nn\n", "init")
    assert f"sessions in the last {DAYS} days, that is some 3 on a working day, 3 on the busiest" in printed


def test_what_is_counted_is_told_by_the_day():
    told = " ".join(costs(Settings(), Use({"2026-01-01": 10, "2026-01-02": 20}), names=True))
    assert "some 45 on a working day, 60 on the busiest" in told and "the names that it touches" in told
    told = " ".join(costs(Settings(), Use({"2026-01-01": 10}, whole=False), names=False))
    assert "at least 30 on a working day" in told and "names" not in told
    assert "working day" not in " ".join(costs(Settings(), Use({}), names=False))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            {},
            "your request, what the agent said right before it, the write's command or targets and the names that "
            "it touches, lines the agent looked up about the targets, your earlier messages in the session, the "
            "calls of the turn so far, but never",
        ),
        ({"include_file_contents": True}, "and 2,000 characters from each end of the text to be written"),
        (
            {"context_chars_max": 0, "transcript.prior_turn_chars_max": 0},
            "Each sends the write's command or targets, but never file",
        ),
        (
            {"evidence.lookups": "off"},
            "the names that it touches, your earlier messages in the session, the calls of the turn so far, but never",
        ),
    ],
)
def test_what_each_call_sends_is_told_by_the_settings(values, says):
    told = " ".join(costs(build(values), Use({}), names=True))
    assert says in told and ("never file contents" in told) is ("include_file_contents" not in values)


@corpus(
    ("measured", "says"),
    [
        (("claude", MODEL, 2.0, ""), ""),
        (("claude", MODEL, 19.5, ""), "took 19.5 s of the 19 that a check may take, which is too slow"),
        (("claude", MODEL, 2.0, "timeout: no answer"), "was not valid: timeout"),
        (("claude", "another", 2.0, ""), "not been measured with this model"),
        (("other", MODEL, 2.0, ""), "not been measured"),
        (None, "not been measured"),
    ],
    each={"fake": new_fake},
)
def test_valid_and_in_time_is_both(fake, measured, says):
    agreement = Agreement(True, measured and MeasuredClient(*measured, 0.0))
    env = {"PATH": fake.env["PATH"]}
    found = objection_to_client(Settings(), env, agreement)
    assert says in found
    assert (found == "") == (says == "")
    name, why = choose_backend(Settings(), env, agreement)
    assert name == ("embedded" if says else "claude-cli")
    assert says in why
