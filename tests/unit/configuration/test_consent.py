"""Commands that change trust or wiring: asked about at a terminal, and refused to agents."""

import pytest
from corpora import corpus
from running import atterminal
from running.hookrun import Place

from compass.install.consent import agent_marks

SETTINGS = '{"compass": {"mode": "observe"}}'


def new_place(tmp_path):
    found = Place(tmp_path)
    (found.project / ".claude").mkdir()
    (found.project / ".claude" / "settings.json").write_text(SETTINGS)
    return found


place = pytest.fixture(new_place, name="place")


def everything(place):
    """What lies in home, state and project: {path: bytes}."""
    return {path: path.read_bytes() for path in place.root.rglob("*") if path.is_file()}


def at_a_terminal(place, answer, *words):
    """(exit code, what the terminal shows) of a command whose questions are answered with `answer`."""
    code, _, shown = atterminal.at_a_terminal(place.environment(), place.project, answer, *words)
    return code, shown


CHANGES = (
    ("init", "--enforce"),
    ("init", "--yes"),
    ("init", "--uninstall"),
    ("trust", "--yes"),
    ("trust", "--revoke"),
    ("forget", "--person", "--yes"),
    ("memory", "forget", "--all", "--yes"),
    ("memory", "edit", "0", "--term", "x"),
    ("team", "login", "http://127.0.0.1:1"),
    ("team", "logout"),
    ("team", "thresholds", "pull"),
)
REFUSED = (*((mark, ("init",)) for mark in agent_marks()), *(("CLAUDECODE", words) for words in CHANGES))


@corpus(("mark", "words"), REFUSED, each={"place": new_place})
def test_an_agent_is_refused_whatever_it_adds(place, mark, words):
    before = everything(place)
    done = Place(place.root, {mark: "1"}).command(*words)
    assert done.returncode == 1
    assert mark.encode() in done.stderr
    assert b"only you may do this" in done.stderr
    assert everything(place) == before


@pytest.mark.parametrize("words", [("init",), ("trust",)])
def test_a_script_of_the_users_is_not_asked(place, words):
    before = everything(place)
    assert place.command(*words).returncode == 0
    assert everything(place) != before


@pytest.mark.parametrize(
    ("words", "question"), [(("init",), "Write these changes?"), (("trust",), "count as your own?")]
)
def test_a_terminal_is_asked_and_anything_but_a_yes_is_a_no(place, words, question):
    before = everything(place)
    for answer in (b"n\n", b"\n", b"\x04"):
        code, shown = at_a_terminal(place, answer, *words)
        assert code == 1
        assert question in shown
        assert "nothing was changed" in shown
    assert everything(place) == before
    assert at_a_terminal(place, b"y\n", *words)[0] == 0
    assert everything(place) != before


@pytest.mark.parametrize("words", [("init", "--yes"), ("trust", "--yes")])
def test_yes_is_said_in_advance(place, words):
    code, shown = at_a_terminal(place, b"", *words)
    assert code == 0
    assert "[y/N]" not in shown


def test_what_it_comes_to_stands_between_the_diff_and_the_question(place):
    code, printed, shown = atterminal.at_a_terminal(place.environment(), place.project, b"n\n", "init")
    assert code == 1 and "Write these changes? [y/N]" in shown
    head, _, said = printed.partition("Compass would be wired into ")
    assert "+++" in head and "mode observe, no model reads. Nothing is blocked" in " ".join(said.split())
