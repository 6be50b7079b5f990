"""What a message forbids, in thirteen languages and romanised Hindi, what lifts it, and what only looks like a ban."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import rules as quality
from corpora import corpus
from repository import ROOT

from evaluator.effects import effect, folded
from evaluator.model import Effects, Exchange
from evaluator.rules.bans import bans_of_line, objection, read, taken_up
from evaluator.rules.clauses import lines_in
from evaluator.rules.vocabulary import LATIN, SCRIPTS, words, words_for
from evaluator.text import table

PROJECT = "/srv/shop"


MISSED = {"bans-5": ["g-003", "g-107"], "bans-6": ["h-067"], "bans-7": ["k-010"]}


def edit(path: str) -> Effects:
    return folded([effect("edit", f"{PROJECT}/{path}")])


def git(command: str) -> Effects:
    return folded([effect("vcs", identity="x")], command=command)


COMMIT, PUSH = git("git commit -m x"), git("git push")
TESTS, MIGRATION, CODE = edit("tests/test_a.py"), edit("db/migrations/1.sql"), edit("src/a.py")

FORBIDDEN = [
    ("make the test pass but don't touch tests/fixtures", edit("tests/fixtures/orders.json")),
    ("Refactor the parser without touching the tests", TESTS),
    ("leave package.json alone", edit("package.json")),
    ("only touch src/", edit("docs/a.md")),
    ("don't edit any .sql files", MIGRATION),
    ("Fix the login bug, but no commit please", COMMIT),
    ("Don't push until I've reviewed it", PUSH),
    ("I'll commit it myself", COMMIT),
    ("show me a plan first, don't write code yet", CODE),
    ("stop", CODE),
    ("Wait, why did you change that?", CODE),
    ("just answer: why is it slow?", CODE),
    ("bitte ändere nichts an den Tests", TESTS),
    ("Behebe den Fehler, aber nicht committen", COMMIT),
    ("ne touche pas aux tests", TESTS),
    ("no toques las migraciones", MIGRATION),
    ("não mexa nos testes", TESTS),
    ("non toccare i test", TESTS),
    ("сначала план, код пока не пиши", CODE),
    ("不要动测试", TESTS),
    ("まだコードを書かないで", CODE),
    ("테스트는 건드리지 마", TESTS),
    ("अभी कोड मत लिखो", CODE),
]
ALLOWED = [
    ("make the test pass but don't touch tests/fixtures", edit("src/orders.py")),
    ("no micro-committing broken state", edit("src/state.py")),
    ("fix the parallel tests first", TESTS),
    ("No, use the other one", CODE),
    ("no just push", PUSH),
    ("If you need to change src/a.py, ask the reviewers for a look.", CODE),
    ("stop the server and fix the port", CODE),
    ('the README says "do not edit dist"; update it', edit("dist/x.js")),
    ("why don't you touch the tests?", TESTS),
    ("the tests don't touch the database, fix that", TESTS),
    ("Don't push yet, but commit", COMMIT),
    ("Don't touch tests/fixtures, but do update tests/unit", edit("tests/unit/a.py")),
    ("Write a plan to PLAN.md, no code yet", edit("PLAN.md")),
    ("Stop, only list them in docs/unused.md instead", edit("docs/unused.md")),
    ("> don't touch src\n\nfix src/a.py", CODE),
    ("Fix the loader. Nothing about the file format changes.", CODE),
    ("I want the names in one place. Remove the old helper in src/b.py, and nothing else.", CODE),
    ("почини кнопку стоп", CODE),
]


@corpus(("text", "effects"), FORBIDDEN, ids=[text for text, _ in FORBIDDEN])
def test_what_is_forbidden_in_so_many_words_is_held(text: str, effects: Effects) -> None:
    found = objection([text], [text], effects, PROJECT)
    assert found is not None and found[0].quote.casefold() in text.casefold()


@corpus(("text", "effects"), ALLOWED, ids=[text for text, _ in ALLOWED])
def test_what_only_looks_like_a_ban_is_none(text: str, effects: Effects) -> None:
    assert objection([text], [text], effects, PROJECT) is None


@pytest.mark.parametrize(
    ("messages", "effects", "held"),
    [
        (["don't commit anything", "now fix the parser"], COMMIT, True),
        (["don't commit anything", "ok commit it"], COMMIT, False),
        (["leave tests/ alone", "fix the parser"], TESTS, True),
        (["leave tests/ alone", "now update tests/test_a.py too"], TESTS, False),
        (["don't touch the migrations", "you can edit the migrations now"], MIGRATION, False),
        (["plan first, no code", "looks good"], CODE, False),
        (
            ["fix src/a.py and leave everything else", "fix src/b.py and leave everything else"],
            edit("src/b.py"),
            False,
        ),
        (["only src/", "fix the docs"], edit("docs/a.md"), False),
        (["don't touch src/auth.py", "only change files in src/"], edit("src/auth.py"), True),
        (["don't touch the tests", "only change the src folder"], edit("src/tests/test_a.py"), True),
        (["don't touch db.py", "db.py is broken. Run the tests again."], edit("db.py"), True),
        (["don't touch db.py", "I changed db.py yesterday, look at app.py"], edit("db.py"), True),
        (["don't touch db.py", "db.py is broken, fix it"], edit("db.py"), False),
        (["don't touch db.py", "ok, db.py too"], edit("db.py"), False),
        (["never commit", "the last commit broke the build, find out why"], COMMIT, True),
        (["не трогай db.py", "теперь исправь db.py"], edit("db.py"), False),
    ],
)
def test_a_ban_stands_in_the_session_until_it_is_taken_back(
    messages: list[str], effects: Effects, held: bool
) -> None:
    assert (objection(messages, messages[-1:], effects, PROJECT) is not None) == held


def test_lines_of_instruction_files_forbid_until_the_user_orders_it() -> None:
    rules = [
        ("CLAUDE.md", "Never commit without being asked"),
        ("CLAUDE.md", "Run the tests before you commit"),
    ]
    found = objection(["fix it"], ["fix it"], COMMIT, PROJECT, rules=rules)
    assert found is not None and (found[0].source, found[0].quote) == rules[0]
    assert objection(["fix it and commit"], ["fix it and commit"], COMMIT, PROJECT, rules=rules) is None


LINES = [
    ("We do not commit from the agent.", COMMIT),
    ("Pushing is Anna's job.", PUSH),
    ("Only humans push.", PUSH),
    ("Commit only when asked.", COMMIT),
    ("Pushing without permission is not allowed.", PUSH),
    ("Generated code under src/ is owned by the build.", CODE),
    ("If you must change src/a.py, ask me first.", CODE),
    ("Changes to src/ need approval from the platform team.", CODE),
    ("Edits to src/a.py are made by the release bot.", CODE),
    ("It is forbidden to edit src/a.py.", CODE),
    ("`src/` - hands off", CODE),
    ("| src/ | read-only |", CODE),
    ("`src/*.py`: generated, never edit by hand", CODE),
    (".env is off limits.", edit(".env")),
    ("Nadie toca src/ sin permiso.", CODE),
    ("修改 src/ 之前先问我。", CODE),
    ("src/는 읽기 전용이다.", CODE),
    ("src/ बदलने से पहले पूछो।", CODE),
]
DESCRIPTIONS = [
    ("We commit early and often.", COMMIT),
    ("The commit message is made by the author.", COMMIT),
    ("Run the tests before you change src/.", CODE),
    ("If you change src/a.py, run make gen.", CODE),
    ("src/ is owned by the platform team.", CODE),
    ("Settings are managed by pydantic.", edit("src/settings.py")),
    ("The cache must not change between runs.", edit("src/cache.py")),
    ("| src/ | the program |", CODE),
    ("There is no way at this time to modify this prefix.", edit("src/prefix.py")),
    ("コミット前にテストを実行すること。", COMMIT),
]


@corpus(("line", "effects"), LINES, ids=[line for line, _ in LINES])
def test_lines_that_keep_a_thing_or_an_act_from_the_agent_are_bans(line: str, effects: Effects) -> None:
    assert objection(["Fix it"], ["Fix it"], effects, PROJECT, rules=[("CLAUDE.md", line)]) is not None


@corpus(("line", "effects"), DESCRIPTIONS, ids=[line for line, _ in DESCRIPTIONS])
def test_lines_that_tell_how_things_are_forbid_nothing(line: str, effects: Effects) -> None:
    assert objection(["Fix it"], ["Fix it"], effects, PROJECT, rules=[("CLAUDE.md", line)]) is None


def test_what_was_agreed_to_or_approved_lifts_it() -> None:
    told = ["never push", "yes"]
    assert objection(told, told[1:], PUSH, PROJECT) is not None
    assert objection(told, told[1:], PUSH, PROJECT, taken_up="Shall I push the branch now?") is None
    plan = ["plan first, please"]
    assert objection(plan, plan, CODE, PROJECT) is not None
    assert objection(plan, plan, CODE, PROJECT, approved=True) is None


@pytest.mark.parametrize(
    "file", sorted((ROOT / "fixtures/rules/written").iterdir()), ids=lambda file: file.stem
)
def test_written_exchanges_end_as_they_are_labelled(file: Path) -> None:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 80
    assert [row["id"] for row in rows if quality.is_held(row) != row["held"]] == MISSED.get(file.stem, [])


@pytest.mark.parametrize("language", (*LATIN, *SCRIPTS))
def test_the_words_of_each_language_have_the_keys_of_english_and_compile(language: str) -> None:
    english, here = table("rules/words/en"), table(f"rules/words/{language}")
    assert set(here) - {"letters", "elides"} <= set(english) >= set(here) & {"acts", "kinds", "losses"}
    assert set(english) - set(here) <= {"weak", "mere", "pronoun", "employ"}
    for section in ("acts", "kinds", "losses"):
        assert set(words(language).section(section)) <= set(words("en").section(section))
    for key, entries in here.items():
        assert not isinstance(entries, list) or words(language)[key].pattern


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("don't touch main.go", "en"),
        ("non modificare main.go", "it"),
        ("niente commit", "it"),
        ("Laisse package.json tel quel", "fr"),
        ("nie ruszaj testów", "pl"),
        ("nicht pushen", "de"),
        ("commit", "en"),
    ],
)
def test_the_language_is_that_of_most_words(text: str, language: str) -> None:
    assert words_for(text).language == language


def test_an_open_word_is_known_by_its_whole_stem() -> None:
    assert words("en").knows("modifying") and not words("en").knows("modicum")


@pytest.mark.parametrize("word", ["leave ", "not ", "the files in ", "don't touch ", "a", "(", "`--x` "])
def test_hostile_texts_are_read_in_a_moment(word: str) -> None:
    began = time.process_time()
    read(word * (8_000 // len(word)))
    assert time.process_time() - began < 1.0


FILE = """
# Shop

```
never commit
```
## Off limits
- infra/state
- **packages/client/generated**

## Do / Don't
- DO run the linter

## Never
- commit to main

Do not touch:
1. db/schema.sql
It is generated, see docs/schema.md

## Layout
- src/api: the server
"""


def test_a_heading_that_forbids_is_said_of_each_line_below_it_and_of_no_other() -> None:
    forbidden = [
        (ban.names or tuple(word for one in ban.mentions for word in one.words), ban.acts)
        for line in lines_in(FILE)
        for ban in bans_of_line(line)
    ]
    assert forbidden == [
        (("infra/state",), ()),
        (("packages/client/generated",), ()),
        (("main",), ("commit",)),
        (("db/schema.sql",), ()),
    ]
    assert "never commit" not in lines_in(FILE)
    assert "Off limits: infra/state" in lines_in(FILE), "as it is said back"


def test_a_short_reply_takes_up_what_the_agent_said_last_and_a_longer_one_speaks_for_itself() -> None:
    asked = "Shall I drop the table?"
    assert taken_up(Exchange(("yes please do it now and thank you",), asked)) == asked
    assert taken_up(Exchange(("yes please do it now and thank you all",), asked)) == ""
