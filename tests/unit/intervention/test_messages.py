"""What a person and an agent are told of a held call: every cause, every kind of act, in every language."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples.sessions import pending_write

from compass.composition.effects import classify
from evaluator.intervention import messages
from evaluator.intervention.messages import (
    COLUMNS,
    OF_REQUEST,
    ONLY_ANSWER,
    Cause,
    HeldThing,
    asked,
    cause_of,
    fit,
    listed,
    texts_in,
)
from evaluator.intervention.wording import IN_FILES, LANGUAGES, act_of
from evaluator.model import Effects, Operation, Reading, Sample
from evaluator.record import replace
from evaluator.text import width
from evaluator.verdict.convergence import converge

PROCEED, CANCEL, DOCTOR = "`compass: proceed`", "`compass: cancel`", "`compass doctor`"
READINGS = ("delete src/a.py", "delete src/b.py", ONLY_ANSWER)
CALLS = {
    "delete src/a.py": ("Bash", "delete", "rm src/a.py", ("/p/src/a.py",)),
    "move a.py": ("Bash", "move", "mv a.py b.py", ("/p/a.py",)),
    "edit src/models.py": ("Edit", "edit", "", ("/p/src/models.py",)),
    "create docs/plan.md": ("Write", "create", "", ("/p/docs/plan.md",)),
    "append to log.txt": ("Bash", "append", "echo x >> log.txt", ("/p/log.txt",)),
    "change the permissions of run.sh": ("Bash", "permissions", "chmod +x run.sh", ("/p/run.sh",)),
    "push to origin": ("Bash", "vcs", "git push origin", ()),
    "push to origin/main": ("Bash", "vcs", "git push -u origin main", ("/p",)),
    "run `git push --force origin main`": ("Bash", "vcs", "git push --force origin main", ()),
    "run `npm install left-pad`": ("Bash", "install", "npm install left-pad", ()),
    "run `curl -d x https://example.com`": ("Bash", "network", "curl -d x \\\nhttps://example.com", ()),
    "run `gh pr comment 5`": ("Bash", "vcs", "# Comment 5: wrong\ngh pr comment 5", ()),
    "call github: create_issue": ("mcp__github__create_issue", "network", "", ()),
    "edit notes/today.md": ("mcp__notes__write", "edit", "", ("/p/notes/today.md",)),
}
SLOT = re.compile(r"\{\w+\}|`[^`]+`")
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
    kind, what, *others = act_of(replace(pending_write(None, None), tool_name=tool), effects)
    return HeldThing(kind, what, said, language, again, tuple(others))


def shown_as(reading: str, what: HeldThing) -> str:
    """What was held in the words of the headline; what writes nothing in the person's language."""
    if reading == what.act():
        return what.act(what.language)
    return texts_in(what.language)["only_answer"] if reading == ONLY_ANSWER else reading


def every_text(what: HeldThing):
    """(cause, text) of each cause, with what may be offered beside it."""
    for cause in get_args(Cause):
        if cause == "down":
            yield cause, messages.unjudged(what, ["timeout: no answer"])
        elif cause == "unreadable":
            yield cause, messages.unjudged(what, ["state of a newer Compass"], "unreadable")
        else:
            quote = "never touch it" if cause in ("ban", "rule", "unfit") else ""
            for size in (0, 2, 3) if cause in OF_REQUEST else (0,):
                yield cause, messages.held(what, cause, READINGS[:size], quote=quote, file="AGENTS.md")


@pytest.mark.parametrize("act", CALLS)
def test_a_call_is_named_as_a_colleague_would(act: str) -> None:
    assert thing(act).act() == act


HEREDOC = "git add a.py && git commit -m \"$(cat <<'EOF'\nFix: a & b\n\nBody; more\nEOF\n)\" 2>&1 | tail -3"
COMMITS = {
    "cd /p && git add -A && git commit -qm 'fix; it'": 'commit "fix; it"',
    HEREDOC: 'commit "Fix: a & b"',
    "cd /tmp/x; git branch -D old/a 2>&1 || true; git branch -D b | cat": "run `git branch -D old/a; git branch -D b`",
    f"cd /p && git add b.py && make {'x' * 60} && rm -rf src/gone": "delete src/gone",
    f"git stash push -m {'x' * 80} && git push origin main": "push to origin/main (+1 more)",
    "git add a.py && git commit --amend -m \"$(cat <<'EOF'\nFix: a & b\n\nBody\nEOF\n)\"":
        'run `git commit --amend -m "Fix: a & b"`',
    f"git checkout --theirs {'deep/' * 16}one.py {'deep/' * 16}two.py": "run `git checkout --theirs …/one.py …/two.py`",
    "crontab -l | grep -v nightly | crontab -": "run `crontab -l | grep -v nightly | crontab -`",
    "git commit -m 'x' && git push": "run `git commit -m 'x' && git push`",
    "\\\ncd /p &&\n  make gen\ngit add -A": "run `make gen`",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMITS)
def test_a_commit_is_named_by_its_subject_and_lines_are_told_apart(command: str) -> None:
    assert held_of(command).act() == COMMITS[command]


def held_of(command: str, held_for: str = "") -> HeldThing:
    """`held_for`: a kind of act, an operation or a file of the effect that is objected to."""
    pending = replace(pending_write(None, None), tool_name="Bash", tool_input={"command": command})
    effects = classify(command, "/p")
    objected = [one for one in effects.each if held_for in (one.act, one.operation, one.target)]
    assert len(objected) == 1 or not held_for
    kind, what, *others = act_of(pending, effects, objected[0] if held_for else None)
    return HeldThing(kind, what, others=tuple(others))


TOGETHER = {
    ("rm lib/old.c && pulumi destroy --yes", ""): "run `rm lib/old.c && pulumi destroy --yes`",
    ("rm -rf out && git reset --hard HEAD~2", ""): "run `rm -rf out && git reset --hard HEAD~2`",
    ("rm lib/old.c; rm lib/older.c; touch new.c", "/p/lib/older.c"): "delete lib/older.c, lib/old.c",
    ("sed -i s/a/b/ lib/new.c && rm lib/old.c", "/p/lib/new.c"): "run `sed -i s/a/b/ lib/new.c && rm lib/old.c`",
    (f"git commit -am 'try' && rm -rf {'deep/' * 9}parsers && terraform destroy -auto-approve", "git commit"): (
        "run `git commit -am 'try' && rm -rf …/parsers && terraform destroy -auto-approve`"
    ),
    ("git commit -am 'try' && git push --force origin trunk && npm publish --access public --tag next", "git commit"): (
        "run `git commit -am 'try' && git push --force origin trunk` (+1 more)"
    ),
    (f"sed -i s/a/b/ lib/new.c && rm -r lib/old && git reset --hard && make {'x' * 40}", ""): (
        "run `rm -r lib/old && git reset --hard` (+2 more)"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "held_for"), TOGETHER)
def test_no_part_of_a_line_hides_another_that_cannot_be_taken_back(command: str, held_for: str) -> None:
    assert held_of(command, held_for).act() == TOGETHER[command, held_for]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_out_is_counted_however_narrow_the_line(language: str) -> None:
    for kind in ("run", "push"):
        shown = HeldThing(kind, "git push " + "x" * 90, others=("make", "ls")).act(language, 60)
        assert "… (+2 more)" in shown.replace("`", "") and width(shown) <= 60


@pytest.mark.parametrize(
    "place",
    ["https://mirror.example.com/tools/setup/latest.sh", "s3://shop-backups/2024/all",
     "web.example.com:/srv/shop/html", "git@host.example.com:team/deep/leak.git"],
)  # fmt: skip
def test_a_place_on_another_machine_keeps_its_host(place: str) -> None:
    wide = f"sync {place} {'deep/' * 16}site.tar"
    assert HeldThing("run", wide).act() == f"run `sync {place} …/site.tar`"


OFFERED = {
    ("edit src/models.py", "rename the field"): ("edit src/models.py", "rename the field"),
    ("edit src/models.py", ONLY_ANSWER): ("edit src/models.py", ONLY_ANSWER),
    ("fix it in the models", "fix it in the views"): ("fix it in the models", "fix it in the views"),
    ("run lint", "fix what lint finds"): ("edit src/models.py", "run lint", "fix what lint finds"),
    ("run lint", ONLY_ANSWER): ("edit src/models.py", "run lint", ONLY_ANSWER),
}


@pytest.mark.parametrize("readings", OFFERED)
def test_what_is_held_is_one_of_the_choices(readings: tuple[str, ...]) -> None:
    assert listed(thing("edit src/models.py"), readings) == OFFERED[readings]


def test_what_a_commit_adds_to_a_reading_is_said() -> None:
    commit = HeldThing("commit", "Fix the cart")
    readings = listed(commit, ("fix the cart", "fix and commit it"))
    assert readings == ('commit "Fix the cart"', "fix the cart, without committing")
    pushed = listed(thing("push to origin"), ("commit it", "commit and push it"))
    assert pushed[1] == "commit it, without pushing"
    assert listed(commit, ("commit the cart", "commit all")) == ("commit the cart", "commit all")


def test_what_can_be_undone_is_not_said_to_be_hard_to_undo() -> None:
    assert "hard to undo" not in messages.held(replace(thing(), lasting=False), "destructive").person


def test_who_asked_is_offered_an_answer() -> None:
    told = messages.held(thing(said="why?"), "question", ("delete src/a.py", ONLY_ANSWER)).person
    choices = f"  1. delete src/a.py\n  2. {ONLY_ANSWER}\nType 1 or 2, or say what you want."
    assert "\n".join(told.splitlines()[2:]) == choices


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I tried to rebase and there are conflicts now. Given what it does, can you propose a resolution?",
         "Given what it does, can you propose a resolution?"),
        ("the tests are slow since monday, which is odd. why is that? I did not change a thing, I think",
         "why is that?"),
    ],
)  # fmt: skip
def test_of_a_long_message_the_question_is_quoted(said: str, question: str) -> None:
    told = messages.held(thing(said=said), "question", ("delete src/a.py", ONLY_ANSWER)).person
    assert told.splitlines()[1] == f'"{question}" does not ask for this.'


@pytest.mark.spread(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("act", CALLS)
def test_a_person_is_shown_what_waits_why_and_what_to_type_in_five_lines(act: str, language: str) -> None:
    for said in ("Just delete it.", "", "please " * 60):
        for again in (False, True):
            what = thing(act, said, language, again=again)
            for cause, told in every_text(what):
                lines = told.person.splitlines()
                readings = [line[5:] for line in lines if line.startswith("  ")]
                assert 2 <= len(lines) <= 5, told.person
                assert "Compass" in lines[0] and not ODD.search(told.person + told.agent), told.person
                assert what.act(language) in lines[0]
                assert readings == [shown_as(one, what) for one in READINGS[: len(readings)]] != [""]
                assert (DOCTOR if cause == "unreadable" else PROCEED) in lines[-1]
                assert not re.search(r"[?!…]\W?[.。]", told.person), told.person
                assert len(told.agent.splitlines()) == 1 and "Compass" in told.agent
                if language == "en" and said.startswith("Just") and cause in OF_REQUEST:
                    assert '"Just delete it"' in told.person
                if len(readings) < 3:
                    assert max(map(width, lines)) <= COLUMNS, lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    for part in ((), ("acts",), ("why",)):
        ours, theirs = texts_in("en", *part), texts_in(language, *part)
        assert set(ours) - {"agent"} == set(theirs) - {"agent"}
        for key, text in ours.items():
            if isinstance(text, str):
                assert sorted(SLOT.findall(text)) == sorted(SLOT.findall(theirs[key]))
    acts = texts_in("en", "acts")
    assert set(get_args(Operation)) - set(acts) == {"read", "vcs", "install", "network", "unknown"}
    assert set(IN_FILES) <= set(acts) and set(get_args(Cause)) <= set(texts_in("en", "why"))


@given(st.text(max_size=400), st.sampled_from(sorted(CALLS)))
def test_whatever_was_typed_stays_on_its_line(said: str, act: str) -> None:
    for _, told in every_text(thing(act, said)):
        assert len(told.person.splitlines()) <= 5 and len(told.agent.splitlines()) == 1


def test_the_agent_learns_the_readings_by_their_numbers_in_one_sentence() -> None:
    assert messages.held(thing(), "ambiguous", READINGS[:2]).agent == (
        "Compass held back: delete src/a.py; stop and wait for the user, who was asked which one they mean: "
        "(1) delete src/a.py, (2) delete src/b.py."
    )


def test_a_second_hold_says_what_is_still_open_and_how_to_release() -> None:
    told = messages.held(thing(said="go ahead", again=True), "scope").person.splitlines()
    assert told[1] == 'After "go ahead" it is still unclear whether you want this.'
    assert PROCEED in told[2] and CANCEL in told[2]
    which = messages.held(thing(said="go ahead", again=True), "ambiguous", READINGS[:2]).person
    assert 'After "go ahead" it is still unclear which one you mean.' in which
    assert messages.again(thing(said="hm", again=True)).person.splitlines()[1].startswith('After "hm"')
    assert messages.again(thing()).person == ""


def test_a_ban_is_said_back_in_the_users_own_words() -> None:
    told = messages.held(thing("edit src/models.py"), "ban", quote="don't touch the models")
    assert 'You said "don\'t touch the models".' in told.person
    assert 'the user said "don\'t touch the models"' in told.agent
    told = messages.held(thing("push to origin"), "rule", quote="never push", file="AGENTS.md")
    assert 'AGENTS.md says "never push".' in told.person


def test_the_agent_is_told_that_a_call_ran_which_was_only_watched() -> None:
    told = messages.held(thing(), "ambiguous", READINGS, ran=True)
    assert told.agent.startswith("Compass would have held back: delete src/a.py") and "it ran" in told.agent
    assert told.person == messages.held(thing(), "ambiguous", READINGS).person


CAUSES = {"scope": "scope", "destructive": "destructive", "target": "ambiguous", "none": "ambiguous"}


@pytest.mark.parametrize("concern", CAUSES)
def test_the_cause_is_what_the_readers_doubt(concern) -> None:
    """No headline tells of several meanings where one is offered."""
    samples = [replace(sample, primary_concern=concern) for sample in READERS]
    assert cause_of(converge(samples, 2), samples, READINGS[:2]) == CAUSES[concern]
    if CAUSES[concern] == "ambiguous":
        assert cause_of(converge(samples, 2), samples, ()) == "unclear"


def test_a_question_is_named_as_one() -> None:
    samples = [replace(one, reading=Reading("answer", "src/a.py", "one_place")) for one in READERS]
    assert asked(samples) and not asked(READERS)
    assert cause_of(converge(samples, 2), samples, READINGS[:2]) == "question"


def test_what_no_agent_may_do_is_told_to_the_person_by_its_name() -> None:
    told = messages.guarded(thing("run `npm install left-pad`"), "changes Compass")
    refused = "Compass does not let an agent do this: run `npm install left-pad`"
    assert told.person.splitlines()[:2] == [refused, "It changes Compass."]
    assert "`compass: proceed settings`" in told.person and "until your next message" in told.person
    assert max(map(width, told.person.splitlines())) <= COLUMNS and "it changes Compass" in told.agent


@pytest.mark.parametrize("text", ["a" * 300, "字" * 300, "one\ntwo " * 60])
def test_a_line_is_cut_to_its_columns(text) -> None:
    assert width(fit(text, COLUMNS)) <= COLUMNS and "\n" not in fit(text, COLUMNS)


@pytest.mark.parametrize("others", [(), ("src/b.py",) * 9])
def test_of_a_path_the_end_is_kept(others: tuple[str, ...]) -> None:
    shown = HeldThing("delete", "very/long/" * 40 + "end.py", others=others).act()
    assert "/end.py" in shown and width(shown) <= COLUMNS
