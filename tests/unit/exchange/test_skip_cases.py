"""The skip layer over fixtures/skip/cases.jsonl: a reply resolves to exactly what its row names."""

from __future__ import annotations

import json
from collections import Counter
from typing import TypedDict

from corpora import corpus
from repository import ROOT

from evaluator.exchange.menu import find_menu
from evaluator.exchange.reply import resolve_reply
from evaluator.exchange.reply_tokens import LANGUAGES


class Case(TypedDict):
    id: str
    prior_assistant_turn: str
    reply: str
    resolves: list[str] | None
    lang: str
    note: str


CASES_FILE = ROOT / "fixtures" / "skip" / "cases.jsonl"
CASES: list[Case] = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]


def of(lang: str) -> list[Case]:
    return [case for case in CASES if case["lang"] == lang]


@corpus("lang", sorted({case["lang"] for case in CASES}))
def test_each_reply_of_a_language_resolves_to_what_its_row_says(lang: str) -> None:
    wrong: list[tuple[str, list[str] | None, str]] = []
    for case in of(lang):
        menu = find_menu(case["prior_assistant_turn"])
        resolved = resolve_reply(menu, case["reply"]) if menu else None
        found = list(resolved.labels) if resolved else None
        if found != case["resolves"]:
            wrong.append((case["id"], found, case["note"]))
    assert wrong == []


def test_the_file_is_large_and_mixed_enough_to_mean_something() -> None:
    assert len(CASES) >= 250
    assert sum(case["resolves"] is None for case in CASES) >= 110
    assert len({case["id"] for case in CASES}) == len(CASES)
    per_language = Counter((case["lang"], case["resolves"] is None) for case in CASES)
    assert all(per_language[lang, declines] >= 5 for lang in LANGUAGES for declines in (True, False))
    assert {f"SPEC row {row}" for row in "DEFG"} <= {
        case["note"][:10] for case in CASES if case["note"].startswith("SPEC")
    }


def test_chosen_and_rejected_labels_never_overlap() -> None:
    for case in (case for case in CASES if case["resolves"]):
        menu = find_menu(case["prior_assistant_turn"])
        assert menu is not None, case["id"]
        resolved = resolve_reply(menu, case["reply"])
        assert resolved is not None, case["id"]
        assert set(resolved.labels).isdisjoint(resolved.rejected), case["id"]
        options = {option.label for option in menu.options}
        assert {*resolved.labels, *resolved.rejected} <= options, case["id"]
