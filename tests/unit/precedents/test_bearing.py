"""Which precedents bear on a request, class by class, in several languages."""

from __future__ import annotations

from typing import Any

import pytest
from samples.precedents import HERE, NOW, PARSER, READER, bears, level, precedent

from evaluator.precedents.place import Place
from evaluator.record import replace

RETURNS = [
    "Fix the parser", "fix parser", "fix parsers", "The parser chokes on empty lines",
    "please add a timeout to the parser",
    "the parser is too slow, speed it up", "Can you make the parser faster?", "Add logging to the parser",
    "In the parser, use a generator instead of a list", "the parsers need a retry", "parser: handle tabs",
    "make the parser skip blank rows", "Refactor the parser so it no longer loads everything", "now the parser",
    "The parser should return None for empty input", "Tidy up the parser a bit", "the parser again please",
    "the parser fails with 'unexpected token', fix it", "Could you clean up the parser module",
    "let the parser accept a path that does not exist", "Improve error messages in the parser",
    "Our parser drops the last line. Fix it.", "fix the parser which crashes on \"a;b\"", "Log what the parser skips",
    "Rework the parser without changing its interface", "Speed up the parser by caching rows", "next: the parser",
    "Rename the variable x in the parser to count", "The parser still loses rows, not just the last one",
    "what's up with the parser? speed it up", "turn the parser off in tests", "remove the dead code from the parser",
    "the parser doesn't skip tabs, fix that", "the parser must survive bad input", "Parser should use utf-8",
    "teach the parser about comments", "stop the parser from crashing", "Let's improve the parser's speed",
    "fix a bug in the parser", "update the parser for the new format", "The slow parser: please optimise",
    "the existing parser needs a strict mode", "Give the parser a max_lines option", "fix the `parser`",
]  # fmt: skip
OTHERS = [
    "fix the billing parser", "the CSV parser is broken", "fix the JSON-parser", "the invoice parser leaks",
    "update ReportingParser", "write a parser", "write a new parser", "add a parser for invoices",
    "create another parser",
    "the other parser is slow", "the second parser leaks", "not that parser", "don't touch the parser, fix the reader",
    "leave the parser alone and fix the reader", "The parser is now the one in billing, fix it",
    "By parser I mean the billing one", "from now on the parser is the one in billing; fix the parser",
    "the parser stands for the thing in billing", "the parser no longer means report: fix it",
    "the parser was moved to billing, fix it", "this time the parser is the one for invoices",
    "fix the parser in src/billing/", "fix src/billing/reader.py like the parser",
    "fix the parser in the billing module",
    "fix the parser in billing", "in the billing service, fix the parser", "In the billing folder the parser is slow",
    "billing: fix the parser", "fix billing's parser", "the parser (billing) is slow",
    "the parser of the invoices is slow",
    "fix the parser tests", "Fix the parser config", "the parser registry is slow", "parse the file",
    "fix the reporter",
]  # fmt: skip
UNSURE = [
    "write the parser for CI", "the parsers of this module are wrong", "speed up what comes from the parser",
    "fix the parser's tests", "the parser fails on data/sample.csv", "make the parser print \"src/ledger.py\"",
    "make the reader behave like the parser", "fix all parsers", "the parser, namely what reads it, is slow",
    "the invoices are wrong, please fix the parser", "fix the parser for the ledger", "clean up the parser bootstrap",
]  # fmt: skip
TONGUES: list[tuple[str, list[str], list[str]]] = [
    ("den Parser", [
        "Repariere den Parser", "Der Parser ist zu langsam", "Mach den Parser schneller", "Bitte die Parser aufräumen",
        "Füge dem Parser ein Timeout hinzu", "Kannst du den Parser robuster machen?",
        "parser bitte nochmal überarbeiten",
        "Im Parser fehlt eine Prüfung, ergänze sie",
    ], [
        "Repariere den anderen Parser", "der neue Parser ist kaputt", "Mit Parser meine ich den in billing",
        "Repariere den Billing-Parser", "nicht den Parser, den Leser", "schreib einen Parser",
        "Der Parser ist jetzt der in billing, repariere den Parser", "Repariere den Parser im Ordner billing",
    ]),
    ("l'analyseur", [
        "Corrige l'analyseur", "L'analyseur est trop lent, accélère-le", "Peux-tu rendre l'analyseur plus rapide ?",
        "Ajoute un délai à l'analyseur", "Nettoie les analyseurs", "Dans l'analyseur, utilise un générateur",
    ], [
        "corrige l'autre analyseur", "corrige l'analyseur de factures", "écris un nouvel analyseur", "pas l'analyseur",
        "par analyseur j'entends celui des factures, corrige l'analyseur",
    ]),
    ("el analizador", [
        "Arregla el analizador", "El analizador es muy lento, mejóralo", "¿Puedes hacer el analizador más rápido?",
        "Añade un límite al analizador", "En el analizador usa un generador", "los analizadores fallan, arréglalos",
    ], [
        "arregla el otro analizador", "arregla el analizador de facturas", "escribe un analizador nuevo",
        "por analizador me refiero al de facturas: arregla el analizador", "el analizador ya no es ese",
    ]),
    ("парсер", [
        "почини парсер", "ускорь парсер", "добавь таймаут в парсер", "парсер слишком медленный, исправь",
        "в парсере ошибка, исправь",
    ], ["почини другой парсер", "напиши новый парсер"]),
    ("パーサー", [
        "パーサーを直して", "パーサーが遅いので速くして", "パーサーにタイムアウトを追加して",
        "もう一度パーサーを見直してください",
        "パーサーのバグを直して", "遅いパーサーを改善して", "パーサーモジュールを整理して",
    ], [
        "請求のパーサーを直して", "請求パーサーを直して", "別のパーサーを直して", "新しいパーサーを作って",
        "パーサーとは請求の方です。パーサーを直して", "パーサーではなくリーダーを直して", "パーサー設定を直して",
    ]),
    ("解析器", [
        "修复解析器", "请优化一下解析器", "把解析器改快一点", "解析器太慢了，优化一下", "给解析器加一个超时",
    ], ["修复账单的解析器", "写一个新的解析器", "另一个解析器坏了"]),
    ("파서", [
        "파서를 고쳐줘", "파서가 너무 느려요. 개선해줘", "파서에 타임아웃을 추가해줘",
    ], ["다른 파서를 고쳐줘", "새 파서를 만들어줘", "청구의 파서를 고쳐줘"]),
]  # fmt: skip


@pytest.mark.parametrize("request_", RETURNS)
def test_a_term_that_returns_counts(request_: str) -> None:
    assert level(request_) == "counts"


@pytest.mark.parametrize(
    ("term", "request_"),
    [
        ("the poller", "the poller hangs at start"),
        ("the poller", "tell me when the poller stalls"),
        ("the poller", "run the poller on two cores"),
        ("the poller", "give the poller two threads"),
        ("the poller", "move the poller below the header"),
        ("the poller", "the margin of the poller is wrong"),
        ("the poller", "the margin of the poller wrong"),
        ("the poller", "the poller logs too much"),
        ("the poller", "the poller went down twice"),
        ("the poller", "print how long the poller took"),
        ("the poller", "the pollers eat memory"),
        ("the poller", "does the poller retry?"),
        ("den Poller", "Poller soll weniger loggen"),
        ("der Poller", "sag mir, wenn der Poller hängt"),
        ("le lecteur", "il faut que le lecteur rende la main"),
        ("el lector", "el lector muere al empezar"),
        ("el lector", "quiero que el lector lea dos veces"),
        ("パーサー", "パーサーの上限を上げて"),
        ("解析器", "解析器的超时太短，改一下"),
    ],
)
def test_what_a_sentence_tells_of_a_term_keeps_it_what_it_is(term: str, request_: str) -> None:
    assert level(request_, precedent(term)) == "counts"


@pytest.mark.parametrize(
    ("term", "request_"),
    [
        ("the poller", "the poller dashboard in the app is slow"),
        ("the poller", "the poller binary is big"),
        ("the poller", "update the poller dashboard"),
        ("le lecteur", "le lecteur vidéo dans la page est lent"),
        ("パーサー", "パーサーのテストを直して"),
    ],
)
def test_a_noun_behind_a_term_may_make_it_another_thing(term: str, request_: str) -> None:
    assert level(request_, precedent(term)) == "shown"


@pytest.mark.parametrize("request_", OTHERS)
def test_what_the_request_says_otherwise_keeps_it_from_bearing(request_: str) -> None:
    assert level(request_) == "no"


@pytest.mark.parametrize("request_", UNSURE)
def test_what_is_unsure_is_shown_and_counts_nothing(request_: str) -> None:
    assert level(request_) == "shown"


@pytest.mark.parametrize(
    ("term", "request_"), [(term, each) for term, returns, _ in TONGUES for each in returns]
)
def test_terms_return_in_other_languages(term: str, request_: str) -> None:
    assert level(request_, precedent(term)) == "counts"


@pytest.mark.parametrize(
    ("term", "request_"), [(term, each) for term, _, others in TONGUES for each in others]
)
def test_other_things_are_told_apart_in_other_languages(term: str, request_: str) -> None:
    assert level(request_, precedent(term)) == "no"


@pytest.mark.parametrize(
    ("term", "request_", "expected"),
    [
        ("the report parser", "fix the report parser", "counts"),
        ("the report parser", "fix the parser", "shown"),
        ("the parser", "fix the report parser", "counts"),
        ("the config file", "sort the config", "counts"),
        ("the config", "sort the config file", "counts"),
        ("the checkout page", "the checkout page needs a spinner", "counts"),
        ("the checkout page", "checkout page: fix the alignment", "counts"),
        ("l'analyseur de factures", "corrige l'analyseur de factures", "counts"),
        ("l'analyseur de factures", "corrige l'analyseur de commandes", "no"),
        ("請求のパーサー", "請求のパーサーを直して", "counts"),
        ("請求のパーサー", "注文のパーサーを直して", "no"),
        ("the login bug", "fix the login bug", "shown"),
        ("the retry queue", "retry queue: cap at 20", "counts"),
        ("the retry queue", "retry queue is slow", "counts"),
        ("the retry queue", "retry queues should drain first", "counts"),
        ("the retry queue", "fix the retry queue", "counts"),
        ("the queue", "the billing retry queue", "shown"),
        ("DB", "DBの接続を直して", "counts"),
        ("DB", "別のDBを直して", "no"),
        ("DB", "billing DBを直して", "no"),
        ("DBの接続", "DBの接続を直して", "counts"),
        ("der Name", "keine leeren Namen", "shown"),
        ("step 7", "step 7 is too long", "counts"),
        ("step 7", "step 8 is too long", "no"),
        ("step 7", "fix step 8", "no"),
        ("die Warteschlange", "the queue should drain first", "counts"),
        ("the queue", "Die Warteschlange ist zu langsam", "counts"),
        ("la leyenda", "the legend is too wide", "counts"),
        ("the invoice table", "corrige la table de factures", "counts"),
        ("the legend", "la otra leyenda", "no"),
        ("the rows", "no empty rows", "shown"),
        ("die Tabelle", "die Tabellen sortieren", "counts"),
        ("it", "fix it", "no"),
    ],
)
def test_a_modifier_belongs_to_the_term_or_the_target(term: str, request_: str, expected: str) -> None:
    assert level(request_, precedent(term)) == expected


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ({"prior": "I looked at src/billing/reader.py, it is slow."}, "no"),
        ({"prior": "The billing parser is slow."}, "no"),
        ({"prior": "The parser in billing drops rows."}, "no"),
        ({"prior": "I added a parser for invoices."}, "no"),
        ({"prior": "I read src/report/reader.py and src/billing/reader.py."}, "shown"),
        ({"prior": "I am at work in the billing module now."}, "shown"),
        ({"prior": "I read src/report/reader.py. The parser is slow."}, "counts"),
        ({"prior": "Done. What is next?"}, "counts"),
        ({"written": ("src/billing/reader.py",)}, "no"),
        ({"written": ("src/billing/rates.py",)}, "shown"),
        ({"written": (READER, "tests/test_reader.py")}, "counts"),
        ({"folder": "src/billing"}, "no"),
        ({"folder": "src/report"}, "counts"),
        ({"folder": "."}, "counts"),
        ({"gone": (READER,)}, "no"),
    ],
)
def test_where_the_agent_is_at_work_counts(around: dict[str, Any], expected: str) -> None:
    assert level("Fix the parser", **around) == expected


@pytest.mark.parametrize(
    ("settled_on", "place", "expected"),
    [
        ("main", HERE, "counts"),
        ("topic", replace(HERE, branch="topic"), "counts"),
        ("main", replace(HERE, branch="topic"), "shown"),
        ("topic", HERE, "no"),
        ("topic", replace(HERE, branch="other"), "no"),
        ("", replace(HERE, branch="", default=""), "counts"),
        ("main", replace(HERE, branch="", default=""), "no"),
        ("", HERE, "no"),
        ("main", replace(HERE, branch="", detached=True), "no"),
        ("", replace(HERE, branch="", detached=True), "shown"),
    ],
)
def test_a_branch_has_its_own_meanings_but_for_those_of_the_default_one(
    settled_on: str, place: Place, expected: str
) -> None:
    assert level("Fix the parser", precedent(branch=settled_on), place=place) == expected


def test_it_belongs_to_its_checkout() -> None:
    assert level("Fix the parser", precedent(checkout="/srv/fork")) == "no"


def test_the_newer_one_holds_and_one_whose_target_is_gone_brings_no_older_one_back() -> None:
    old, new = precedent(), precedent(target="src/ledger.py", at=NOW + 1)
    assert bears("Fix the parser", old, new) == [("src/ledger.py", "counts")]
    assert bears("Fix the parser", old, new, gone=("src/ledger.py",)) == []


def test_of_two_branches_the_one_that_is_checked_out_holds() -> None:
    old, new = precedent(), precedent(target="src/ledger.py", at=NOW + 1, branch="topic")
    assert bears("Fix the parser", old, new) == [(READER, "counts")]
    here = replace(HERE, branch="topic")
    assert bears("Fix the parser", old, new, place=here) == [("src/ledger.py", "counts")]


def test_a_cancelled_one_is_shown_voids_an_older_one_of_its_target_and_no_other() -> None:
    old, other = precedent(), precedent(target="src/ledger.py")
    refused = precedent(at=NOW + 1, tightens=True, source="cancelled")
    assert bears("Fix the parser", old, refused) == [(READER, "shown")]
    assert bears("Fix the parser", other, refused) == [("src/ledger.py", "counts"), (READER, "shown")]


def test_at_most_three_are_shown_those_that_count_first() -> None:
    terms = ("the parser", "the loader", "the cache", "the writer")
    found = [precedent(term, at=NOW + place) for place, term in enumerate(terms)]
    shown = bears("speed up the loader, the cache and the writer, as the parser was", *found)
    assert [level for _, level in shown] == ["counts"] * 3


def test_a_folder_of_the_tree_that_the_request_speaks_of_is_another_part() -> None:
    assert level("Fix the parser, the billing totals are wrong") == "shown"
    assert level("Fix the parser and add tests") == "counts"


def test_the_tree_is_looked_at_only_where_one_bears_so_far() -> None:
    def never(_: str) -> Any:
        pytest.fail("looked at")

    from evaluator.precedents.bearing import Asked, bearing

    asked = Asked("write a parser", "", (), "", HERE)
    assert bearing([PARSER], asked, exists=lambda _: True, tree=never) == ()
