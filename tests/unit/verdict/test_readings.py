"""Which readings are one, and how they are put to the user."""

import time

import pytest
from corpora import corpus

from evaluator.intervention.messages import ONLY_ANSWER
from evaluator.model import Exchange, Plan, Reading, Sample
from evaluator.verdict.readings import clusters, named_paths, reading_choices

NAMED = Exchange(("Fix the retry in src/http/client.py",), "There is also `Session` in the same file.")
TWO = Exchange(("Fix client.py",), "src/http/client.py and tests/client.py both use it.")
SHORT = Exchange(("Fix client.py",), "src/http/client.py retries for ever.")


def sample(number, target, action="fix", extent="one_file", rival=None, score=0.9):
    return Sample(f"reader-{number}", score, "none", "", Reading(action, target, extent), rival)


def sizes(exchange, *targets):
    held = [sample(number, target) for number, target in enumerate(targets)]
    return [len(cluster.readers) for cluster in clusters(held, "/p", exchange)]


@corpus(
    "targets",
    [
        ("src/http/client.py", "./src/http/client.py", "/p/src/http/client.py", "`src/http/client.py`"),
        ("client.py", "src/http/client.py", "the client.py file", "client"),
        ("the retry", "retry", "Retry", "'retry'", "retry."),
        ("the retry loop", "Retry loop"),
        ("getUser", "getUser()", "`getUser`"),
        ("ｃｌｉｅｎｔ.py", "client.py"),
    ],
)
def test_the_same_thing_in_other_words_is_one_target(targets):
    assert sizes(NAMED, *targets) == [len(targets)]


@pytest.mark.parametrize(
    "targets",
    [
        ("getUser", "getuser"), ("src/a.py", "src/b.py"), ("retry", "backoff"), ("User", "user_id"),
        ("Notes.txt", "notes.txt"), ("MAX_SIZE", "max_size"), ("IO::READ", "io::read"), ("LOAD()", "load()"),
    ],
)  # fmt: skip
def test_different_things_are_different_targets(targets):
    assert sizes(NAMED, *targets) == [1, 1]


def test_a_name_is_its_path_only_where_the_exchange_has_one_such_path():
    told = Exchange(("Go",), plans=(Plan("1. edit `app/client.py`", True),), delegated_task="see lib/x.py")
    assert sizes(told, "client", "app/client.py") == sizes(told, "x.py", "lib/x.py") == [2]
    assert sizes(NAMED, "client.py", "src/http/client.py") == [2]
    assert sizes(SHORT, "client.py", "src/http/client.py") == [2], "its short form is no second path"
    assert sizes(TWO, "client.py", "src/http/client.py") == [1, 1]
    assert sizes(Exchange(("Fix it",)), "client.py", "src/http/client.py") == [1, 1]


def test_a_cluster_speaks_in_the_words_of_most_of_its_readers_and_invalid_samples_have_none():
    held = [sample(1, "client.py"), sample(2, "src/http/client.py"), sample(3, "src/http/client.py")]
    silent = [Sample("reader-4", error="timeout: x"), Sample("reader-5", 0.4, "none", "", None)]
    (found,) = clusters([*silent, *held], "/p", NAMED)
    assert found.readers == ("reader-1", "reader-2", "reader-3")
    assert found.reading.target == "src/http/client.py"


def test_action_and_extent_tell_readings_apart():
    held = [sample(1, "a.py"), sample(2, "a.py", action="delete"), sample(3, "a.py", extent="project")]
    assert len(clusters(held, "/p", NAMED)) == 3
    assert len({choice.text for choice in reading_choices(held, "/p", NAMED)}) == 3


def test_rivals_are_choices_with_less_support_and_never_twice():
    """One without an extent is the reading of that action and target."""
    each = [sample(1, "a.py", rival="fix b.py"), sample(2, "b.py", rival="Fix a.py")]
    assert [(one.text, one.support) for one in reading_choices(each, "/p", NAMED)] == [
        ("fix a.py", 1.5),
        ("fix b.py", 1.5),
    ]
    held = [
        sample(1, "a.py", rival="Fix b.py, in one file"),
        sample(2, "a.py", rival="explain a.py"),
        sample(3, "b.py", rival="explain a.py"),
    ]
    found = reading_choices(held, "/p", NAMED)
    assert [choice.text for choice in found] == ["fix a.py", "fix b.py", ONLY_ANSWER]
    assert [choice.support for choice in found] == [2.0, 1.5, 1.0]


@corpus("text", ["a", "deadbeef", "-", "a-", "a.", ".a", "a/", "a.toolong", "+a@"])
def test_a_long_word_of_the_exchange_takes_no_time(text):
    """A pasted token, dump or minified line; looked at anew from each of its characters it would take minutes."""
    exchange = Exchange((text * (200_000 // len(text)),))
    began = time.process_time()
    named_paths(exchange)
    assert time.process_time() - began < 5


def test_what_is_put_to_the_user_are_acts() -> None:
    """No action without a name, no rival that is no order, and an answer is the choice that changes nothing."""
    held = [
        sample(1, "slow", "answer", rival="the user might want the query cached"),
        sample(2, "src/report.py", "answer", rival="Cache the query in src/report.py."),
        sample(3, "src/report.py", "fix", rival="Just explain why it is slow"),
        sample(4, "the report", "other"),
        sample(5, "fix src/report.py", "fix"),
    ]
    texts = {choice.text for choice in reading_choices(held, "/p", NAMED)}
    assert texts == {ONLY_ANSWER, "fix src/report.py", "cache the query in src/report.py"}


def test_of_two_with_as_much_support_the_one_that_the_agent_named_first_is_first() -> None:
    named = Exchange(("Delete it",), "old.py and new.py are unused")
    held = [sample(1, "new.py", "delete"), sample(2, "old.py", "delete")]
    assert [choice.text for choice in reading_choices(held, "/p", named)] == [
        "delete old.py",
        "delete new.py",
    ]


@pytest.mark.parametrize(
    ("said", "shown"), [("Delete Old.py.", "delete Old.py"), ("RUN the tests", "RUN the tests")]
)
def test_a_rival_loses_the_capital_of_its_sentence_alone(said: str, shown: str) -> None:
    told = reading_choices([sample(1, "retry", rival=said)], "/p", NAMED)
    assert [choice.text for choice in told] == ["fix retry", shown]
