"""Nouns of a request: which ones it speaks of, and what sets one apart."""

from __future__ import annotations

import pytest
from corpora import corpus

from evaluator.language.noun_occurrences import occurrences
from evaluator.language.noun_text import key
from evaluator.language.nouns import nouns_of, term_of


@corpus(
    ("text", "heads"),
    [
        ("Fix the parser", ["parser"]),
        ("Raise the limit in the client", ["limit", "client"]),
        ("Optimise the import job please", ["job"]),
        ("make the parser skip empty lines", ["parser"]),
        ("Die Anmeldung ist kaputt, bitte reparieren", ["anmeldung"]),
        ("l'analyseur de factures est lent", ["parser"]),
        ("haz el analizador más rápido", ["parser"]),
        ("почини парсер", ["парсер"]),
        ("请求のパーサーを直して", ["パーサー"]),
        ("把解析器改快一点", ["解析器"]),
        ("파서를 고쳐줘", ["파서"]),
        ("解析器太慢了，优化一下", ["解析器"]),
        ("解析器：跳过空行", ["解析器"]),
        ("在图例里显示总数", ["图例"]),
        ("DBを直して", ["db"]),
        ("poller hangs at start", ["poller"]),
        ("the retry queue: cap it", ["queue"]),
        ("raise maxRetries to 9", ["retry"]),
        ("ship it", []),
        ("thanks, that is all", []),
    ],
)
def test_the_heads_in_order(text: str, heads: list[str]) -> None:
    assert [one.head for one in nouns_of(text)] == heads


@corpus(
    ("one", "other"),
    [
        ("parser", "parsers"), ("query", "queries"), ("cache", "caches"), ("batch", "batches"), ("size",
        "sizes"), ("box", "boxes"), ("Prüfung", "Prüfungen"),
        ("configuración", "configuraciones"), ("Tabelle", "Tabellen"), ("Name", "Namen"), ("imagen", "imágenes"),
        ("token", "tokens"), ("ajuste", "ajustes"), ("paramètre", "paramètres"), ("парсер", "парсера"),
    ],
)  # fmt: skip
def test_singular_and_plural_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@corpus(
    ("one", "other"),
    [
        ("Warteschlangen", "queue"),
        ("Tabelle", "tables"),
        ("Rechnungen", "facture"),
        ("búsqueda", "search"),
        ("imágenes", "Bild"),
    ],
)
def test_a_common_noun_has_one_key_in_several_languages(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("parser", "parse"), ("worker", "work"), ("log", "logger"), ("bus", "bu")]
)
def test_other_words_have_other_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_what_stands_before_and_behind_a_noun_sets_it_apart() -> None:
    (one,) = occurrences("speed up the slow billing parser", "parser", ("billing",))
    assert (one.text, one.modifiers, one.other, one.open) == (
        "the slow billing parser",
        {"billing"},
        False,
        False,
    )
    (other,) = occurrences("speed up the billing parser", "parser")
    assert other.other
    (unsure,) = occurrences("do it like the parser", "parser")
    assert unsure.open and not unsure.other


@corpus(
    ("text", "head", "modifiers", "fleeting"),
    [
        ("the parser", "parser", set[str](), False),
        ("Parsers", "parser", set[str](), False),
        ("the slow report parser module", "parser", {"report"}, False),
        ("ReportParser", "parser", {"report"}, False),
        ("l'analyseur de factures", "parser", {"invoice"}, False),
        ("the login bug", "bug", {"login"}, True),
        ("請求のパーサー", "パーサー", {"請求"}, False),
        ("DBの接続", "接続", {"db"}, False),
    ],
)
def test_a_term_by_itself(text: str, head: str, modifiers: set[str], fleeting: bool) -> None:
    assert term_of(text) == (head, modifiers, fleeting)


@corpus("text", ["it", "them", "the", "", "!?"])
def test_what_names_nothing_is_no_term(text: str) -> None:
    assert term_of(text) is None
