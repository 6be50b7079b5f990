"""What points elsewhere beside a term: it is shown and does not count, or, where the user says so, is not shown."""

from __future__ import annotations

from typing import Any

import pytest
from samples.precedents import PARSER, level, precedent

from evaluator.precedents.precedent import Precedent

TERMS = {
    "Parser": "den Parser", "analyseur": "l'analyseur", "analizador": "el analizador", "パーサー": "パーサー",
    "解析器": "解析器",
    "парсер": "парсер", "파서": "파서",
}  # fmt: skip
PLAIN = [
    "Fix the parser when the file is empty", "the parser hangs at start",
    "make the parser handle quoted fields",
    "the parser should stop after 3 errors", "could you please speed up the parser, it takes 20 seconds",
    "parser: cap the buffer at 64", "use a generator in the parser instead of a list",
    "let the parser read from stdin",
    "instead of failing, the parser should warn", "the parser prints warnings twice",
    "add docstrings to the parser",
    "parser: return 404 on missing rows", "the parser eats memory, please fix",
    "raise the limit of the parser to 200",
    "leave billing as it is; the parser needs a retry", "do not touch billing, fix the parser",
    "the parser is slow these days", "add a new rule to the parser",
    "fall back to the previous row in the parser",
    "the parser should drop all I/O errors", "the parser should ignore everything we cannot read",
    "make the parser start from this line on", "the parser accepts rows from 2 to 5 only",
    "the parser should work as before",
    "Der Parser hängt beim Start", "Mach im Parser statt einer Liste einen Generator",
    "Der Parser ist mittlerweile langsam",
    "Corrige l'analyseur, il plante",
     "El analizador falla en vez de avisar",
]  # fmt: skip
UNSURE = [
    "RAL codes are off by one, the parser should round", "parser: support ISO 20022",
    "the parser must accept MT940",
    "the parser should handle 300 dpi scans", "bump the parser to 1.2.rc3",
    "the parser should round to 0.5 kWh",
    "set the parser host to node7.eu.example.rs", "the parser that talks to Kafka is slow",
    "the parser of last spring is slow",
    "the parser under the Tools menu drops rows",
    "the parser between the gateway and the broker is slow",
    "In the morning run for Lisbon the parser is slow", "fix the parser for the courier",
    "The vouchers come out in the wrong currency; the parser should round",
    "Der Parser hinter dem Warenkorb ist langsam", "Der Parser, der mit Kafka spricht, ist langsam",
    "Les bons sont faux ; corrige l'analyseur", "Los vales salen mal; arregla el analizador",
    "Corrige l'analyseur à partir de la ligne 3",
    "Dans l'analyseur, utilise un générateur à la place d'une liste",
    "パーサーをMT940に対応させて",
]  # fmt: skip
TAKEN_BACK = [
    "scratch what I told you on the parser, fix the parser",
    "As of Monday the parser is the other for me; fix the parser",
    "forget what I said about the parser. Fix the parser",
    "Fix the parser. From now on: parser = the invoices",
    "these days it lives in billing. Fix the parser",
    "nowadays it is kept with the invoices, fix the parser",
    "I take it back. Fix the parser", "the parser -> the thing of invoices, fix it",
    "parser := the invoices. Fix the parser",
    "back to the old place: fix the parser", "just this once only the invoices, fix the parser",
    "Starting next week the one for invoices counts, fix the parser",
    "Ab Montag gilt etwas anderes, repariere den Parser", "Vergiss, was ich sagte. Repariere den Parser",
    "Inzwischen liegt er bei den Rechnungen. Repariere den Parser",
    "Ausnahmsweise den der Rechnungen: repariere den Parser",
    "Oublie ce que j'ai dit. Corrige l'analyseur", "Dès lundi c'est l'autre. Corrige l'analyseur",
    "Olvida lo que dije. Arregla el analizador", "Desde el lunes es el otro. Arregla el analizador",
    "Забудь, что я сказал. Почини парсер", "さっきの話は忘れて、パーサーを直して",
    "月曜からは請求の方、パーサーを直して",
    "忘掉我说的，修复解析器", "从今天起是账单的那个，修复解析器", "아까 말은 잊어줘. 파서를 고쳐줘",
]  # fmt: skip
CALLED = [
    "Anna and I call the ledger's reader the parser. Fix the parser",
    "when ops says parser, it is the thing for invoices; fix the parser",
    "what the customers call the parser needs a retry", "the parser is what the team calls the ledger reader, fix it",
    "We say parser to the ledger's reader, make it faster", "people here name the invoice reader parser, fix it",
    "by the parser everybody here understands the ledger's, fix it", "the parser I have in mind reads invoices, fix it",
    "the ledger's reader goes by the parser, speed it up", "the thing for invoices, known as the parser, is slow",
    "they mean the ledger's with the parser, fix it", "the sales team calls our ledger the parser, fix it",
    "Der Kunde nennt das Hauptbuch den Parser, repariere ihn", "Wir nennen den Rechnungsleser Parser, repariere ihn",
    "Unter Parser verstehen wir den Rechnungsleser, repariere ihn",
    "Nous appelons analyseur le lecteur de factures, corrige-le",
    "quand je dis l'analyseur, c'est celui des factures, corrige-le",
    "ce que le client appelle l'analyseur est lent, corrige",
    "llamamos analizador al lector de facturas, arréglalo",
    "cuando digo analizador es el de facturas, arréglalo",
    "парсером мы называем читателя счетов, исправь парсер", "請求の読み取りをパーサーと呼ぶので、パーサーを直して",
    "我们把账单读取叫做解析器，修复解析器", "청구 리더를 파서라고 부르니 파서를 고쳐줘",
]  # fmt: skip
PERHAPS_CALLED = [
    "Mira calls the ledger's reader the parser; fix it", "the so-called parser is slow",
    "the word parser is for invoices here, fix it", "for us the parser is the thing of invoices, fix it",
]  # fmt: skip
NOT_CALLED = [
    "call the parser twice", "the parser should say which row failed", "the parser must name the bad column",
    "print the file name in the parser", "Der Parser soll sagen, was fehlt", "make the parser mean less work",
    "the parser calls flush too often", "use the parser's default for empty rows",
]  # fmt: skip
OTHER_PART = [
    "we're working in billing today, fix the parser", "I'm in web now: fix the parser",
    "Wir arbeiten gerade in billing, repariere den Parser", "clean up billing, the parser too",
    "tidy billing including the parser", "fix the parser in Rust", "on Android the parser crashes",
    "the parser for the iOS app crashes",
]  # fmt: skip


def term_in(request: str) -> Precedent:
    low = request.casefold()
    return next((precedent(term) for said, term in TERMS.items() if said in request or said in low), PARSER)


@pytest.mark.parametrize("request_", PLAIN)
def test_words_of_the_trade_are_no_ones(request_: str) -> None:
    assert level(request_, term_in(request_)) == "counts"


@pytest.mark.parametrize("request_", UNSURE)
def test_what_may_be_anothers_keeps_it_from_counting_and_is_shown(request_: str) -> None:
    assert level(request_, term_in(request_)) == "shown"


BESIDE = [
    "queue.ts is ok as it is; the parser should give up after 3", "parser: add a strict flag, not in main.go",
    "parser: sort by date, the comparator is in util.rb",
    "the parser should return a list, app.py loops over it anyway",
    "the bug in src/billing/rates.py is mine. the parser needs a retry", "use util.rb in the parser",
    "the parser should sort with the comparator in util.rb", "fix the typo in app.py. parser: lower the batch to 50",
    "src/billing/rates.py is done, now the parser", "src/billing/ works again; the parser hangs at start",
    "the parser should write to /var/log/parser/", "leave src/billing/rates.py alone and fix the parser",
    "rates.py bleibt, wie sie ist; der Parser hängt beim Start", "rates.py gehört mir, repariere den Parser",
    "rates.py est fini, corrige l'analyseur", "rates.py ya está, arregla el analizador",
    "rates.py は済んだ。パーサーを直して", "rates.py 我来改，修复解析器",
]  # fmt: skip
PLACED = [
    "in app.py the parser is slow", "in src/billing/rates.py, fix the parser", "app.py: fix the parser",
    "the parser in app.py is slow", "fix the parser that sits in app.py", "the parser (app.py) is slow",
    "the parser is app.py, fix it", "we're in app.py now. fix the parser", "open app.py and fix the parser",
    "fix app.py's parser", "fix the parser, in app.py", "the parser of app.py is slow", "fix app.py like the parser",
    "Repariere den Parser in app.py", "In app.py ist der Parser langsam", "corrige l'analyseur dans app.py",
    "arregla el analizador en app.py", "app.pyのパーサーを直して", "修复 app.py 里的解析器", "app.py의 파서를 고쳐줘",
    "почини парсер в app.py",
]  # fmt: skip


@pytest.mark.parametrize("request_", BESIDE)
def test_a_file_that_is_only_named_beside_the_term_does_not_keep_it_from_being_shown(request_: str) -> None:
    assert level(request_, term_in(request_)) == "shown"


@pytest.mark.parametrize("request_", PLACED)
def test_a_file_that_is_the_terms_place_makes_it_another_thing(request_: str) -> None:
    assert level(request_, term_in(request_)) == "no"


def test_an_expression_to_replace_is_no_path() -> None:
    assert level("parser: s/foo/bar/") == "counts"


@pytest.mark.parametrize("request_", CALLED)
def test_a_name_that_somebody_gives_is_a_new_meaning(request_: str) -> None:
    assert level(request_, term_in(request_)) == "no"


@pytest.mark.parametrize("request_", PERHAPS_CALLED)
def test_a_name_that_somebody_may_give_keeps_it_from_counting(request_: str) -> None:
    assert level(request_, term_in(request_)) != "counts"


@pytest.mark.parametrize("request_", NOT_CALLED)
def test_a_thing_that_is_called_or_that_says_something_is_not_named_anew(request_: str) -> None:
    assert level(request_, term_in(request_)) != "no"


@pytest.mark.parametrize("request_", [*TAKEN_BACK, *OTHER_PART])
def test_a_changed_mind_and_another_part_keep_it_from_being_shown(request_: str) -> None:
    assert level(request_, term_in(request_)) == "no"


@pytest.mark.parametrize(
    ("request_", "prior", "expected"),
    [
        ("Fix the parser there", "I am done with billing. The totals are right.", "shown"),
        ("make that number bigger in the parser", "The invoice takes 30 ms.", "shown"),
        ("the parser should use those", "I wrote the invoice codes.", "shown"),
        ("fix this parser", "Billing is what I looked at.", "shown"),
        ("Repariere dort den Parser", "Die Rechnungen sind fertig.", "shown"),
        ("Corrige là l'analyseur", "Les factures sont finies.", "shown"),
        ("Arregla allí el analizador", "Las facturas están listas.", "shown"),
        ("そこのパーサーを直して", "請求が終わりました。", "shown"),
        ("fix this parser", "I read src/report/reader.py.", "counts"),
        ("fix this parser", "", "counts"),
        ("fix the parser", "Done. Billing is green.", "counts"),
        ("fix the parser", "Done. The vouchers are green.", "shown"),
        ("fix the parser so that it logs", "Done.", "counts"),
    ],
)
def test_what_points_back_to_something_else_keeps_it_from_counting(
    request_: str, prior: str, expected: str
) -> None:
    assert level(request_, term_in(request_), prior=prior) == expected


@pytest.mark.parametrize(
    ("request_", "prior", "expected"),
    [
        ("then shorten the wait of the parser", "The tape robot is idle since noon.", "shown"),
        ("speed up the parser", "The courier's vouchers arrive late.", "shown"),
        ("so let the parser warn", "Kubernetes drops the pods at night.", "shown"),
        ("let the parser drop vouchers", "The courier sends vouchers twice.", "shown"),
        ("dann mach den Parser schneller", "Die Gutscheine kommen zu spät.", "shown"),
        ("alors accélère l'analyseur", "Les bons arrivent trop tard.", "shown"),
        ("entonces mejora el analizador", "Los vales llegan tarde.", "shown"),
        ("では、パーサーを直して", "クーポンが夜に届きます。", "shown"),
        ("parser: cap the buffer at 64", "The reader of the report is slow.", "counts"),
        ("speed up the parser", "Ok. What is next?", "counts"),
        ("fix the parser, whichever was spared", "I fixed src/report/reader.py.", "shown"),
        ("the parser too", "src/report/reader.py is done.", "shown"),
        ("repariere auch den Parser", "src/report/reader.py ist fertig.", "shown"),
        ("fix the parser", "I looked at src/report/reader.py.", "counts"),
    ],
)
def test_what_goes_on_from_another_matter_keeps_it_from_counting(
    request_: str, prior: str, expected: str
) -> None:
    assert level(request_, term_in(request_), prior=prior) == expected


@pytest.mark.parametrize(
    "request_",
    [
        "cartridges get stuck while the parser rewinds", "vouchers vanish in the parser",
        "the courier waits for the parser", "we lose vouchers when the parser starts",
        "the parser drops the vouchers", "let the parser wait while the cartridge spins",
        "the parser stops because the courier is late", "Der Parser hängt, weil der Kurier wartet",
        "L'analyseur plante quand le coursier arrive", "El analizador falla porque el mensajero tarda",
    ],
)  # fmt: skip
def test_a_subject_or_cause_of_another_matter_keeps_it_from_counting(request_: str) -> None:
    assert level(request_, term_in(request_)) == "shown"


@pytest.mark.parametrize(
    ("request_", "prior", "expected"),
    [
        ("parser: add a heartbeat", "", "counts"),
        ("the parser drops tabs; replace umlauts", "", "counts"),
        ("fix the parser, then remove the thumbnails", "", "counts"),
        ("the parser is slow. add a heartbeat", "src/report/reader.py is the one.", "counts"),
        ("the parser is slow. add a heartbeat", "The courier's vouchers arrive late.", "shown"),
        ("the parser is slow. add vouchers in the cartridge", "", "shown"),
        ("the parser is slow. fix it because the courier waits", "", "shown"),
        ("add a heartbeat to the courier. the parser is slow", "", "shown"),
        ("the parser is slow. the courier waits", "", "shown"),
    ],
)
def test_an_order_behind_the_term_names_new_matter(request_: str, prior: str, expected: str) -> None:
    assert level(request_, prior=prior) == expected


@pytest.mark.parametrize(
    ("target", "around"),
    [
        ("src/parser.c", {"prior": "I read include/parser.h."}),
        ("src/parser.c", {"written": ("include/parser.h",)}),
        ("src/parser.py", {"written": ("bench/bench_parser.py",)}),
        ("src/parser.py", {"prior": "typings/parser.pyi is up to date."}),
        ("src/parser.ts", {"prior": "I wrote src/parser.gen.ts."}),
        ("src/parser.py", {"prior": "The parser benchmark is green."}),
        ("src/parser.c", {"prior": "I cleaned the parser header."}),
    ],
)
def test_a_companion_of_the_target_is_no_rival(target: str, around: dict[str, Any]) -> None:
    assert level("Fix the parser", precedent(target=target), **around) != "no"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("src/parser.c", "billing/parser.c"),
        ("src/parser.py", "web/parser.js"),
        ("src/parser.py", "src/billing_parser.py"),
    ],
)
def test_a_file_of_the_same_name_is_a_rival(target: str, path: str) -> None:
    assert level("Fix the parser", precedent(target=target), prior=f"I read {path}.") == "no"


@pytest.mark.parametrize(
    ("request_", "prior", "expected"),
    [
        ("billing: sort the totals, and fix the parser", "", "shown"),
        ("billing: fix the parser", "", "no"),
        ("send the totals from billing, then fix the parser", "", "shown"),
        ("the parser for billing is slow", "", "no"),
        ("the totals in billing are wrong, fix the parser", "", "no"),
        ("die Rechnungen von billing stimmen, repariere den Parser", "", "shown"),
        ("fix the parser", "The parser is done and billing is green.", "shown"),
        ("fix the parser", "The parser in billing is done.", "no"),
    ],
)
def test_a_folders_name_is_a_place_only_with_a_word_of_place(
    request_: str, prior: str, expected: str
) -> None:
    assert level(request_, term_in(request_), prior=prior) == expected
