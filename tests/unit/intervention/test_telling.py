"""What a person and an agent are told of a held call: every cause, in every language."""

import re
from typing import get_args

import pytest
from corpora import corpus

from evaluator.egress.excerpt import width
from evaluator.intervention import telling
from evaluator.intervention.language import language_of
from evaluator.intervention.phrases import CANCEL, LAST_CHOICES, PHRASES, PROCEED, Cause
from evaluator.intervention.telling import COLUMNS, HeldThing, cause_of, doubt_of, fit
from evaluator.model import Operation, Reading, Sample
from evaluator.record import replace
from evaluator.verdict.convergence import converge

REQUESTS = {
    "en": "Just delete it",
    "de": "Lösch das bitte",
    "fr": "Supprime le fichier",
    "es": "Borra el archivo",
    "pt": "Apaga isso para nós",
    "it": "Cancella il file",
    "ru": "Удали это",
    "zh": "删除它",
    "ja": "それを消して",
    "ko": "그거 지워",
    "hi": "उसे मिटा दो",
}
READINGS = ["delete src/a.py", "delete src/b.py", "move src/a.py"]
DOUBT = (
    "Two files fit, and nothing that was said tells which of them is meant, so either could be the one to go."
)
INTERNAL = re.compile(
    r"\d\.\d|deviation|converge|readers?\b|threshold|sample|score|mean |evaluat|policy|budget|\b\w+_\w+\b|None"
)
READERS = [
    Sample("a", score=0.4, primary_concern="target", rationale="two files fit",
           reading=Reading("delete", "src/a.py", "one_file"), rival="delete src/b.py"),
    Sample("b", score=0.4, primary_concern="target", rationale="two files fit",
           reading=Reading("delete", "src/b.py", "one_file")),
]  # fmt: skip


def thing(language="en", operation="delete", target="src/a.py"):
    return HeldThing(operation, target, REQUESTS[language])


def convergence_of(samples):
    found = converge(samples, len(samples))
    assert found is not None
    return found


def every_text(language, operation="delete", target="src/a.py"):
    what = thing(language, operation, target)
    for cause in get_args(Cause):
        for readings in ([], READINGS[:2], READINGS):
            yield telling.held(what, cause, DOUBT, readings)
    yield telling.banned(what, "leave it alone", "", ran=False)
    yield telling.banned(what, "never touch it", "AGENTS.md", ran=False)
    yield telling.lost(what, (), ran=False)
    for reason in ("insufficient_context", "turn_budget_exhausted", "evaluator_budget_exhausted"):
        yield telling.held_unasked(what, reason)
    yield telling.unjudged(what, ["timeout: no answer"])
    yield telling.unreadable(what, "state of a newer Compass")


def test_there_are_phrases_for_each_language_cause_and_operation():
    assert set(PHRASES) == set(REQUESTS)
    for language, phrases in PHRASES.items():
        assert set(phrases.causes) == set(get_args(Cause))
        if language != "en":
            assert set(phrases.operations) == set(get_args(Operation)) - {"read"}
        lines = (*phrases.causes.values(), phrases.choose, phrases.say, phrases.once)
        assert all(fit(line) == line for line in lines), [line for line in lines if fit(line) != line]
    assert len(set(LAST_CHOICES)) == len(PHRASES)


@corpus("language", REQUESTS)
def test_the_language_is_that_of_the_request(language):
    assert language_of(REQUESTS[language]) == language


@pytest.mark.spread(4)
@pytest.mark.parametrize("language", REQUESTS)
@pytest.mark.parametrize("target", ["src/a.py", "very/long/" * 40 + "end.py", "データ/" * 60 + "終.py"])
def test_what_a_person_is_shown_is_short_plain_and_names_compass(language, target):
    for operation in ("delete", "vcs", "unknown"):
        for told in every_text(language, operation, target):
            lines = told.person.splitlines()
            assert len(lines) <= 8 and max(map(width, lines)) <= COLUMNS, lines
            assert "Compass" in lines[0] and target[-6:] in lines[0]
            said = told.person.replace(target[-60:], "").replace(DOUBT, "").replace("compass doctor", "")
            assert not INTERNAL.search(said), told.person


@corpus("language", REQUESTS)
def test_each_text_says_what_to_type_unless_nothing_can_be(language):
    unreadable = telling.unreadable(thing(language), "state of a newer Compass")
    for told in every_text(language):
        if told == unreadable:
            assert PROCEED not in told.person and "`compass doctor`" in told.person
        else:
            assert PROCEED in told.person
            assert CANCEL in told.person or "`compass doctor`" in told.person


@corpus("language", REQUESTS)
def test_the_agent_is_to_show_the_readings_word_for_word_and_to_stop(language):
    told = telling.held(thing(language), "target", "", READINGS)
    assert told.agent.startswith("Compass held back this delete of src/a.py. To the user: ")
    assert "word for word and stop; do not try another tool" in told.agent
    assert "retry" not in told.agent
    for number, text in enumerate([*READINGS, PHRASES[language].other], 1):
        assert f"  {number}. {text}" in told.agent
        assert f"  {number}. {text}" in told.person


def test_one_reading_is_no_list():
    told = telling.held(thing(), "target", DOUBT, READINGS[:1])
    assert "1." not in told.person and "number" not in told.person + told.agent
    assert fit(DOUBT) in told.person


def test_what_only_was_watched_is_not_said_to_be_held():
    told = telling.watched(thing(), "target", DOUBT, READINGS)
    assert "would have held back" in told.agent and "it ran" in told.agent
    assert "Nothing was written" not in told.agent and told.person == ""
    told = telling.banned(thing(), "leave it alone", "", ran=True)
    assert "it ran" in told.agent and "Nothing was written" not in told.agent and told.person == ""


@pytest.mark.parametrize("concern", ["target", "scope", "context", "destructive"])
def test_the_cause_is_what_the_readers_doubt(concern):
    samples = [replace(sample, primary_concern=concern) for sample in READERS]
    found = convergence_of(samples)
    assert cause_of(found, samples, "low_confidence") == concern
    assert doubt_of(found, samples) == "two files fit"


def test_readers_who_doubt_nothing_and_differ_are_split():
    samples = [replace(sample, primary_concern="none") for sample in READERS]
    assert cause_of(convergence_of(samples), samples, "disagreement") == "split"
    assert cause_of(convergence_of(samples), samples, "low_confidence") == "none"


def test_an_answer_is_named_as_one():
    samples = [replace(one, reading=Reading("answer", "src/a.py", "one_place")) for one in READERS]
    assert cause_of(convergence_of(samples), samples, "low_confidence") == "question"


def test_without_any_concern_the_most_doubtful_reader_is_heard():
    samples = [
        Sample("a", score=0.9, rationale="clear"),
        Sample("b", score=0.1, rationale="nothing leads to it"),
    ]
    assert doubt_of(convergence_of(samples), samples) == "nothing leads to it"


@pytest.mark.parametrize("text", ["a" * 300, "字" * 300, "one\ntwo " * 60])
def test_a_line_is_cut_to_its_columns(text):
    assert width(fit(text)) <= COLUMNS and "\n" not in fit(text)


def test_a_ban_is_said_back_in_the_users_own_words():
    told = telling.banned(
        telling.HeldThing("edit", "tests/fixtures/orders.json", "make the test pass"),
        "don't touch tests/fixtures",
        "",
        ran=False,
    )
    said = 'You said "don\'t touch tests/fixtures". This edits tests/fixtures/orders.json.'
    assert said in told.person and said in told.agent
