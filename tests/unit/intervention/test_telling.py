"""What a person and an agent are told of a held call: every cause, every kind of act, in every language."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from samples.sessions import pending_write

from compass.composition.effects import classify
from evaluator.intervention import telling
from evaluator.intervention.telling import (
    COLUMNS,
    IN_FILES,
    LANGUAGES,
    OF_REQUEST,
    ONLY_ANSWER,
    Cause,
    HeldThing,
    act_of,
    asked,
    cause_of,
    fit,
    last_choices,
    texts_in,
)
from evaluator.model import Effects, Operation, Reading, Sample
from evaluator.record import replace
from evaluator.text import width
from evaluator.verdict.convergence import converge

PROCEED, CANCEL, DOCTOR = "`compass: proceed`", "`compass: cancel`", "`compass doctor`"
READINGS = ("delete src/a.py", "delete src/b.py", ONLY_ANSWER)
CALLS = {
    "delete src/a.py": ("Bash", "delete", "rm src/a.py", ("/p/src/a.py",)),
    "delete src/a.py (+1 more)": ("Bash", "delete", "rm src/*.py", ("/p/src/a.py", "/p/src/b.py")),
    "move a.py": ("Bash", "move", "mv a.py b.py", ("/p/a.py",)),
    "edit src/models.py": ("Edit", "edit", "", ("/p/src/models.py",)),
    "create docs/plan.md": ("Write", "create", "", ("/p/docs/plan.md",)),
    "overwrite docs/plan.md": ("Write", "overwrite", "", ("/p/docs/plan.md",)),
    "append to log.txt": ("Bash", "append", "echo x >> log.txt", ("/p/log.txt",)),
    "change the permissions of run.sh": ("Bash", "permissions", "chmod +x run.sh", ("/p/run.sh",)),
    "push to origin": ("Bash", "vcs", "git push origin", ()),
    "push to origin/main": ("Bash", "vcs", "git push -u origin main", ("/p",)),
    "run `git push --force origin main`": ("Bash", "vcs", "git push --force origin main", ()),
    "run `git commit --amend`": ("Bash", "vcs", "git commit --amend", ()),
    "run `npm install left-pad`": ("Bash", "install", "npm install left-pad", ()),
    "run `curl -d x https://example.com`": ("Bash", "network", "curl -d x \\\nhttps://example.com", ()),
    "run `gh pr comment 5`": ("Bash", "vcs", "# Comment 5: wrong\ngh pr comment 5", ()),
    "run `kill $(pgrep server)`": ("Bash", "unknown", "kill $(pgrep server)", ()),
    "call github: create_issue": ("mcp__github__create_issue", "network", "", ()),
    "edit notes/today.md": ("mcp__notes__write", "edit", "", ("/p/notes/today.md",)),
}
VERB = re.compile(
    r"(?:delete|move|edit|create|overwrite|append to|change|push to|run|commit|call|only answer)\b"
)
ODD = re.compile(
    r"[{}]|this (?:unknown|vcs|delete|edit) |\bNone\b|\d\.\d|deviation|readers?\b|threshold|sample|score|policy"
)
READERS = [
    Sample("a", score=0.4, primary_concern="target", rationale="two files fit",
           reading=Reading("delete", "src/a.py", "one_file"), rival="delete src/b.py"),
    Sample("b", score=0.4, primary_concern="target", rationale="two files fit",
           reading=Reading("delete", "src/b.py", "one_file")),
]  # fmt: skip


def thing(
    act: str = "delete src/a.py", said: str = "Just delete it.", language: str = "en", *, again: bool = False
):
    tool, operation, command, targets = CALLS[act]
    effects = Effects("write", operation, "modifying", targets, command)
    kind, what = act_of(replace(pending_write(None, None), tool_name=tool), effects)
    return HeldThing(kind, what, said, language, again)


def convergence_of(samples):
    found = converge(samples, len(samples))
    assert found is not None
    return found


def every_text(what: HeldThing):
    """(cause, text) of each cause, with what may be offered beside it."""
    for cause in get_args(Cause):
        if cause == "down":
            yield cause, telling.unjudged(what, ["timeout: no answer"])
        elif cause == "unreadable":
            yield cause, telling.unreadable(what, "state of a newer Compass")
        else:
            quote = "never touch it" if cause in ("ban", "rule", "unfit") else ""
            for size in (0, 2, 3) if cause in OF_REQUEST else (0,):
                yield cause, telling.held(what, cause, READINGS[:size], quote=quote, file="AGENTS.md")


@pytest.mark.parametrize("act", CALLS)
def test_a_call_is_named_as_a_colleague_would(act: str) -> None:
    assert thing(act).act() == act


HEREDOC = "git add a.py && git commit -m \"$(cat <<'EOF'\nFix: a & b\n\nBody; more\nEOF\n)\" 2>&1 | tail -3"
COMMITS = {
    "git commit": "commit",
    "cd /p && git add -A && git commit -qm 'fix; it'": 'commit "fix; it"',
    HEREDOC: 'commit "Fix: a & b"',
    "git commit --amend -m 'x'": "run `git commit --amend -m 'x'`",
    "git commit -m 'x' && git push": "run `git commit -m 'x' && git push`",
    "git add a.py && git rebase --continue": "run `git add a.py && git rebase --continue`",
    "git push origin main 2>&1 | tail -5": "push to origin/main",
    "\\\ncd /p &&\n  make gen\ngit add -A": "run `cd /p && make gen; git add -A`",
}


@pytest.mark.parametrize("command", COMMITS)
def test_a_commit_is_named_by_its_subject_and_lines_are_told_apart(command: str) -> None:
    pending = replace(pending_write(None, None), tool_name="Bash", tool_input={"command": command})
    assert HeldThing(*act_of(pending, classify(command, "/p"))).act() == COMMITS[command]


POINTS = {
    "I tried to rebase and there are conflicts now. Given what it does, can you propose a resolution?": (
        '"Given what it does, can you propose a resolution?" does not ask for this change.'
    ),
    "the tests are slow since monday, which is odd. why is that? I did not change a thing, I think": (
        '"why is that?" does not ask for this change.'
    ),
    "the cache is cold when the second worker starts, isn't it, and could that be why the first run is slow?": (
        '"…isn\'t it, and could that be why the first run is slow?" does not ask for this change.'
    ),
    "is the cache cold when the second worker starts? I did not look": (
        '"is the cache cold when the second worker starts? I did not look" does not ask for this change.'
    ),
    "what does this line mean:\n> a long line of a log that was pasted here and goes on for a while": (
        '"what does this line mean: > a long line of a log that was pasted…" does not ask for this change.'
    ),
}


@pytest.mark.parametrize("said", POINTS)
def test_of_a_long_message_the_question_is_quoted_and_of_a_pasted_one_the_beginning(said: str) -> None:
    told = telling.held(thing(said=said), "question").person
    assert told.splitlines()[1] == POINTS[said]


@pytest.mark.spread(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("act", CALLS)
def test_a_person_is_shown_what_waits_why_and_what_to_type_in_five_lines(act: str, language: str) -> None:
    for said in ("Just delete it.", "", "please " * 60):
        for again in (False, True):
            what = thing(act, said, language, again=again)
            for cause, told in every_text(what):
                lines = told.person.splitlines()
                readings = [line for line in lines if line.startswith("  ")]
                assert 2 <= len(lines) <= 5, told.person
                assert "Compass" in lines[0] and not ODD.search(told.person + told.agent), told.person
                assert what.act(language) in lines[0]
                assert all(VERB.match(line.strip()[3:]) for line in readings) and len(readings) != 1
                assert (DOCTOR if cause == "unreadable" else PROCEED) in lines[-1]
                assert len(told.agent.splitlines()) == 1 and "Compass" in told.agent
                if language == "en" and said.startswith("Just") and cause in OF_REQUEST:
                    assert '"Just delete it"' in told.person
                if len(readings) < 3 and said != "":
                    assert max(map(width, lines)) <= COLUMNS, lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    english, found = texts_in("en"), texts_in(language)
    for name in ("rows", "acts", "why"):
        ours, theirs = getattr(english, name), getattr(found, name)
        assert set(ours) == set(theirs)
        for key, text in ours.items():
            assert sorted(re.findall(r"\{\w+\}|`[^`]+`", text)) == sorted(
                re.findall(r"\{\w+\}|`[^`]+`", theirs[key])
            )
    assert set(get_args(Operation)) - set(english.acts) == {"read", "vcs", "install", "network", "unknown"}
    assert set(IN_FILES) <= set(english.acts) and set(get_args(Cause)) <= set(english.why)


def test_something_else_is_a_word_of_its_own_in_each_language() -> None:
    assert len(set(last_choices())) == len(LANGUAGES)


def test_the_users_words_are_never_cut_at_the_front() -> None:
    said = "Refactor the auth module so that the session store and the token store share one interface"
    told = telling.held(thing("edit src/models.py", said), "scope").person
    line = told.splitlines()[1]
    assert line.startswith(
        'This goes beyond what you asked for: "Refactor the auth module'
    ) and line.endswith('…".')


@given(st.text(max_size=400), st.sampled_from(sorted(CALLS)))
def test_whatever_was_typed_stays_on_its_line(said: str, act: str) -> None:
    for _, told in every_text(thing(act, said)):
        assert len(told.person.splitlines()) <= 5 and len(told.agent.splitlines()) == 1


def test_the_agent_learns_the_readings_by_their_numbers_in_one_sentence() -> None:
    told = telling.held(thing(), "ambiguous", READINGS[:2])
    assert told.agent == (
        "Compass held back: delete src/a.py; stop and wait for the user, who was asked which is meant: "
        "(1) delete src/a.py, (2) delete src/b.py."
    )


def test_a_second_hold_says_what_is_still_open_and_how_to_release() -> None:
    told = telling.held(thing(said="go ahead", again=True), "scope").person.splitlines()
    assert told[1] == 'After "go ahead" it is still open whether you want this.'
    assert PROCEED in told[2] and CANCEL in told[2]
    listed = telling.held(thing(said="go ahead", again=True), "ambiguous", READINGS[:2]).person
    assert 'After "go ahead" it is still open which one you mean.' in listed
    assert telling.again(thing(said="hm", again=True)).person.splitlines()[1].startswith('After "hm"')
    assert telling.again(thing()).person == ""


def test_a_ban_is_said_back_in_the_users_own_words() -> None:
    told = telling.held(thing("edit src/models.py"), "ban", quote="don't touch the models")
    assert 'You said "don\'t touch the models".' in told.person
    assert 'the user said "don\'t touch the models"' in told.agent
    told = telling.held(thing("push to origin"), "rule", quote="never push", file="AGENTS.md")
    assert 'AGENTS.md says "never push".' in told.person


def test_what_only_was_watched_is_not_said_to_be_held() -> None:
    told = telling.held(thing(), "ambiguous", READINGS, ran=True)
    assert told.agent.startswith("Compass would have held back: delete src/a.py") and "it ran" in told.agent
    assert told.person == ""


@pytest.mark.parametrize("concern", ["scope", "destructive"])
def test_the_cause_is_what_the_readers_doubt(concern) -> None:
    samples = [replace(sample, primary_concern=concern) for sample in READERS]
    assert cause_of(convergence_of(samples), samples, READINGS[:2]) == concern


@pytest.mark.parametrize("concern", ["target", "context", "none"])
def test_no_headline_tells_of_several_meanings_where_one_is_offered(concern) -> None:
    samples = [replace(sample, primary_concern=concern) for sample in READERS]
    assert cause_of(convergence_of(samples), samples, READINGS[:2]) == "ambiguous"
    assert cause_of(convergence_of(samples), samples, ()) == "unclear"


def test_a_question_is_named_as_one() -> None:
    samples = [replace(one, reading=Reading("answer", "src/a.py", "one_place")) for one in READERS]
    assert asked(samples) and not asked(READERS)
    assert cause_of(convergence_of(samples), samples, READINGS[:2]) == "question"


@pytest.mark.parametrize("text", ["a" * 300, "字" * 300, "one\ntwo " * 60])
def test_a_line_is_cut_to_its_columns(text) -> None:
    assert width(fit(text)) <= COLUMNS and "\n" not in fit(text)


@corpus("act", ["delete " + "very/long/" * 40 + "end.py"])
def test_of_a_path_the_end_is_kept(act: str) -> None:
    shown = HeldThing("delete", act.partition(" ")[2]).act()
    assert shown.endswith("end.py") and width(shown) <= COLUMNS
