"""What is an enumerated question at the end of a turn, how its options are read, and what a reply chooses of them."""

from __future__ import annotations

import json
import time
from typing import TypedDict

from corpora import corpus
from repository import ROOT

from evaluator.exchange.menu import LABEL_CHARS_MAX, TURN_CHARS_MAX, Menu, Option, find_menu
from evaluator.exchange.option_names import contradicts, covered_by_plan
from evaluator.exchange.orders import stands_alone
from evaluator.exchange.reply import resolve_answers, resolve_reply
from evaluator.model import AnsweredQuestion, ResolvedOption
from evaluator.text import is_continuation

MENU = "Which one do you want?\n\n1. Keep the cache\n2. Drop the cache"


def menu_of(turn: str) -> Menu:
    found = find_menu(turn)
    assert found is not None
    return found


@corpus(
    ("turn", "kind", "keys"),
    [
        (MENU, "numbered", ["1", "2"]),
        ("Which one?\n\n１．a one\n２．a two", "numbered", ["1", "2"]),
        ("Which one?\n\n- a) one\n- b) two\n- c) three", "lettered", ["a", "b", "c"]),
        ("### Option A: one\nText.\n\n### Option B: two\nText.\n\nWhich one?", "lettered", ["a", "b"]),
        ("Which one?\n* one\n* two", "bulleted", ["", ""]),
        ("Should I (1) keep it or (2) drop it?", "numbered", ["1", "2"]),
        ("Как поступить, какой вариант?\n\nа) один\nб) два", "lettered", ["а", "б"]),
        ("Shall I rename it to `parse`?", "proposal", [""]),
        ("The operator is `a?.b`, new in this version. Shall I use it?", "proposal", [""]),
    ],
)  # fmt: skip
def test_the_kind_and_keys_of_a_list_are_read(turn: str, kind: str, keys: list[str]) -> None:
    found = menu_of(turn)
    assert (found.kind, [option.key for option in found.options]) == (kind, keys)


def test_labels_keep_code_marks_and_lose_emphasis_and_recommendations() -> None:
    turn = "Which one?\n\n1. **Use `lru_cache`** (recommended)\n2. **Do nothing clever**: just a dict"
    labels = [option.label for option in menu_of(turn).options]
    assert labels == ["Use `lru_cache`", "Do nothing clever: just a dict"]


def test_details_under_an_option_are_no_options() -> None:
    turn = "Which approach?\n\n1. Stream\n   - needs a dependency\n   1. and a flag\n2. Buffer\n   - none\n"
    assert [option.label for option in menu_of(turn).options] == ["Stream", "Buffer"]
    block = "{}: cache\nKeep results.\n- edit a.py\n- edit b.py\n\n{}: stream\nNo cache.\n- edit c.py\n- edit d.py\n"
    for one in ("### Option A", "### Option B"), ("**Option A", "**Option B"):
        found = menu_of(block.format(*one) + "\nWhich one do you want?")
        assert [option.label for option in found.options] == ["cache", "stream"]
    indented = "1. Cache\n   Results.\n   - a.py\n   - b.py\n2. Stream\n   None.\n   - c.py\n   - d.py\n\nWhich option?"
    assert [option.label for option in menu_of(indented).options] == ["Cache", "Stream"]


def test_a_proposal_is_its_deed() -> None:
    assert menu_of("It has no callers. Want me to delete it?").options == (Option("", "delete it"),)
    assert menu_of("I can rename it, shall I?").options == (Option("", "I can rename it"),)


@corpus(
    "turn",
    [
        "",
        "The ticket says:\n\n> Shall I delete src/a.py?",
        "1. Keep it\n2. Drop it\n\n> Which one do you want?",
        "Done:\n1. Added a\n2. Fixed b",
        "Done:\n1. Added a\n2. Fixed b\n\nWhich one should I explain?",
        f"```\n{MENU}\n```",
        f"```\n{MENU}",
        "\n".join("> " + line for line in MENU.splitlines()),
        MENU + "\n\n```\ncode\n```",
        MENU + "\n\n" + "Something else entirely is on my mind. " * 20,
        "Which one?\n\n1. only one",
        "Which one?\n\n1. same\n2. same",
        "What did I change?\n\n- a\n- b",
        "Should I use tabs or spaces?",
        "Want me to explain it?",
        "Does that make sense?",
        "Which database? I need to know.\n\nShall I start?",
        "Shall I apply it? I could also wait for the review, as you like.",
        f"Which one?\n\n1. {'x' * (LABEL_CHARS_MAX + 1)}\n2. y",
    ],
)
def test_what_is_no_question_with_options_is_no_menu(turn: str) -> None:
    assert find_menu(turn) is None


def test_the_end_of_a_long_turn_is_read() -> None:
    assert find_menu("word " * TURN_CHARS_MAX + "\n\n" + MENU) == find_menu(MENU)


def test_a_fence_opened_before_the_part_that_is_read_still_holds() -> None:
    assert find_menu("```\n" + "line\n" * TURN_CHARS_MAX + MENU) is None
    assert find_menu("```\nx\n```\n" + "line\n" * TURN_CHARS_MAX + "\n" + MENU) == find_menu(MENU)


@corpus(
    "unit", ["*", " ", "?", "`", "\n", "1. a\n2. b\n", "(a) ", ". ", "¿o ", " (", "should i ", "\u0301\u0316"]
)
def test_a_hostile_turn_is_read_in_bounded_time(unit: str) -> None:
    started = time.thread_time()
    for turn in (unit * 30_000, f"Which one?\n1. {unit * 15_000}\n2. b", unit * 15_000 + "\nShall I start?"):
        find_menu(turn)
    assert time.thread_time() - started < 3


# Whether a write touches what only a rejected option names, and whether a plan names its targets.


PROJECT = "/home/dev/project"
PLAN = """\
## Plan
1. Move the parser to `src/app/parser.py` and adapt `cli.py`
2. Add tests in tests/unit/test_parser.py, then update README.md.
3. Rewrite `src/a/config.py` from ./Makefile.in
4. Do not touch `src/legacy.py`

## Out of scope
- src/app/render.py
- cli.py is fine

## Rollout
- deploy/prod.yaml gets the flag
"""


@corpus(
    ("against", "chosen", "rejected", "target", "command"),
    [
        (True, "Only `auth/session.py`", "Everything in `auth/`, with `tokens.py`", "/p/auth/tokens.py", ""),
        (True, "the public API", "the internal API", "/p/src/internal.py", ""),
        (True, "the public API", "the internal API", "/p/src/internal/client.py", ""),
        (True, "Rename the class", "Rename the table `users`", "/p/7.sql", "psql -c 'alter table users'"),
        (True, "Keep YAML", "Write settings.json", "/p/conf/settings.json", ""),
        (True, "Change A", "Change the `UserModel`", "/p/src/user_model.py", ""),
        (True, "Change A", "Delete src/old/thing.py", "", "rm src/old/thing.py"),
        (True, "修改 public", "修改internal模块", "/p/src/internal.py", ""),
        (False, "Only `auth/session.py`", "Everything in `auth/`", "/p/auth/session.py", ""),
        (False, "the public API", "the internal API", "/p/src/public.py", ""),
        (False, "`a.py` and `b.py`", "only `a.py`", "/p/src/a.py", ""),
        (False, "Postgres", "SQLite", "/p/compose.yaml", "docker compose up"),
        (False, "Rename it", "Rename it and the `users` table", "/p/src/superusers_list.py", ""),
        (False, "Change A", "Change B", "/p/src/b.py", ""),
        (False, "Change A", "Use ` ` and '/'", "/p/src/x.py", "make / x"),
    ],
)
def test_a_write_to_what_only_a_rejected_option_names_contradicts_and_no_other_does(
    against: bool, chosen: str, rejected: str, target: str, command: str
) -> None:
    resolved = ResolvedOption((chosen,), (rejected,))
    assert contradicts(resolved, [target] if target else [], command) is against


@corpus("targets", ["src/app/parser.py", "tests/unit/test_parser.py README.md", "docs/../README.md"])
def test_targets_that_the_plan_names_are_covered(targets: str) -> None:
    assert covered_by_plan(PLAN, [f"{PROJECT}/{target}" for target in targets.split()], PROJECT)
    assert covered_by_plan(PLAN, targets.split(), PROJECT)


@corpus(
    ("targets", "why"),
    [
        ([], "no target"),
        ([f"{PROJECT}/src/other.py"], "not named"),
        ([f"{PROJECT}/src/app/parser.py", f"{PROJECT}/src/other.py"], "one of two not named"),
        ([f"{PROJECT}/src/legacy.py"], "named as not to be touched"),
        ([f"{PROJECT}/src/app/render.py"], "under a heading that spares it"),
        ([f"{PROJECT}/cli.py"], "named twice, once as spared"),
        ([f"{PROJECT}/src/b/config.py"], "the name belongs to another path"),
        ([f"{PROJECT}/src/app/parser.pyc"], "only a prefix matches"),
        ([f"{PROJECT}/my_README.md"], "only a suffix matches"),
        ([f"{PROJECT}/src/app"], "a folder is not its file"),
        ([f"{PROJECT}/src/app/*.py"], "a pattern"),
        (["/etc/passwd"], "outside of the project"),
        ([f"{PROJECT}/plan"], "a word is no file name"),
    ],
)
def test_other_targets_are_not_covered(targets: list[str], why: str) -> None:
    assert not covered_by_plan(PLAN, targets, PROJECT), why


def test_a_target_outside_the_project_needs_its_absolute_path() -> None:
    assert covered_by_plan("Write /srv/app/conf.ini", ["/srv/app/conf.ini"], PROJECT)
    assert not covered_by_plan("Write app/conf.ini", ["/srv/app/conf.ini"], PROJECT)


# Replies and structured answers

FORMAT = AnsweredQuestion("Which format?", ("YAML", "JSON", "Leave it as is"), ("JSON",))


def numbered(*labels: str) -> Menu:
    return Menu(tuple(Option(str(index), label) for index, label in enumerate(labels, 1)), "numbered")


def test_the_options_that_were_not_chosen_are_rejected() -> None:
    assert resolve_reply(numbered("a one", "a two", "a three"), "2") == ResolvedOption(
        ("a two",), ("a one", "a three")
    )


@corpus("joint", ["Both", "Both (two commits)", "All of the above", "Beides", "All three"])
def test_an_option_that_takes_in_the_ones_before_it_rejects_only_later_ones(joint: str) -> None:
    menu = numbered("the model", "the table", joint, "the docs")
    assert resolve_reply(menu, "3") == ResolvedOption((joint,), ("the docs",))


@corpus("declining", ["No", "Cancel", "Leave it as is", "Something else", "Explain it first", "取消"])
def test_choosing_an_option_that_writes_nothing_resolves_nothing(declining: str) -> None:
    menu = numbered("Apply it", declining)
    assert resolve_reply(menu, "2") is None
    assert resolve_reply(menu, declining) is None
    assert resolve_reply(menu, "all") is None
    assert resolve_reply(menu, "1") is not None


def test_a_key_that_another_label_begins_with_is_ambiguous() -> None:
    menu = numbered("1 retry", "3 retries", "unbounded")
    assert resolve_reply(menu, "3") is None
    assert resolve_reply(menu, "1") == ResolvedOption(("1 retry",), ("3 retries", "unbounded"))


def test_a_letter_that_is_another_options_label_is_ambiguous() -> None:
    menu = Menu((Option("a", "C"), Option("b", "Rust"), Option("c", "Go")), "lettered")
    assert resolve_reply(menu, "c") is None
    assert resolve_reply(menu, "b") is not None


def test_several_structured_answers_resolve_together() -> None:
    tests = AnsweredQuestion("Tests too?", ("Unit", "End to end", "Fuzz"), ("Unit", "Fuzz"))
    assert resolve_answers([FORMAT, tests]) == ResolvedOption(
        ("JSON", "Unit", "Fuzz"), ("YAML", "Leave it as is", "End to end")
    )


@corpus(
    "answers", [("json",), ("JSON, but with comments",), ("JSON", "TOML"), (), ("Leave it as is",), ("",)]
)
def test_an_answer_that_is_no_option_or_declines_resolves_nothing(answers: tuple[str, ...]) -> None:
    assert resolve_answers([AnsweredQuestion(FORMAT.question, FORMAT.options, answers)]) is None
    assert resolve_answers([FORMAT, AnsweredQuestion("Else?", FORMAT.options, answers)]) is None


@corpus("thing", ["api", "ui", "parser", "api?"])
def test_an_order_of_a_thing_that_was_not_asked_for_before_stands_alone(thing: str) -> None:
    """Words of fewer than three letters name nothing."""
    alone = stands_alone(f"Delete the {thing}", known=("Fix the parser",), actions=("fix",))
    assert alone is (thing == "api")


# The skip layer over fixtures/skip/cases.jsonl: a reply resolves to exactly what its row names.


class Case(TypedDict):
    id: str
    prior_assistant_turn: str
    reply: str
    resolves: list[str] | None
    lang: str
    note: str


CASES_FILE = ROOT / "fixtures" / "skip" / "cases.jsonl"
CASES: list[Case] = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]


@corpus("lang", sorted({case["lang"] for case in CASES}))
def test_each_reply_of_a_language_resolves_to_what_its_row_says(lang: str) -> None:
    wrong: list[tuple[str, list[str] | None, str]] = []
    for case in (one for one in CASES if one["lang"] == lang):
        menu = find_menu(case["prior_assistant_turn"])
        resolved = resolve_reply(menu, case["reply"]) if menu else None
        found = list(resolved.labels) if resolved else None
        if found != case["resolves"]:
            wrong.append((case["id"], found, case["note"]))
    assert wrong == []


def test_chosen_and_rejected_labels_never_overlap() -> None:
    for case in (case for case in CASES if case["resolves"]):
        menu = find_menu(case["prior_assistant_turn"])
        assert menu is not None, case["id"]
        resolved = resolve_reply(menu, case["reply"])
        assert resolved is not None, case["id"]
        assert set(resolved.labels).isdisjoint(resolved.rejected), case["id"]
        options = {option.label for option in menu.options}
        assert {*resolved.labels, *resolved.rejected} <= options, case["id"]


# Continuations and control replies are told from everything that asks for something.


@corpus(
    "text",
    [
        " CONTINUE ! ", "Please, continue...", "ｃｏｎｔｉｎｕｅ", "go  on\n", "bitte weiter", "contin\u0075\u0301a",
        "Continue, s’il te plaît", "siga em frente", "vai avanti", "Дальше.", "请继续。", "続けてください", "계속해 줘",
    ],
)  # fmt: skip
def test_a_message_that_only_says_go_on_is_a_continuation(text: str) -> None:
    assert is_continuation(text)


@corpus(
    "text",
    [
        "", ".", "yes", "2", "continue with the tests", "continue?", "don't continue", "no, go on", "weiter mit b",
        "continue " * 20, "go ahead", "继续吗", "continue\0",
    ],
)  # fmt: skip
def test_a_message_that_says_anything_else_is_not(text: str) -> None:
    assert not is_continuation(text)
