"""What an answered hold leaves behind, and what leaves nothing."""

from __future__ import annotations

import pytest

from evaluator.model import Reading
from evaluator.precedents.settling import Answered, Settled, refused, settled

READER = "src/report/reader.py"
READING = Reading("fix", "the parser", "folder")


def made(
    request: str,
    answer: str,
    *targets: str,
    readings: tuple[str, ...] = (),
    reading: Reading | None = READING,
) -> Settled | None:
    return settled(Answered((request,), answer, readings), targets or (READER,), reading)


@pytest.mark.parametrize(
    ("request_", "answer", "target", "term"),
    [
        ("Fix the parser", "the one in the report folder", READER, "the parser"),
        ("make the parser in the report module faster", "reader.py", READER, "the parser"),
        ("fix parser", "reports", READER, "parser"),
        ("Raise the limit in the client", "the one for uploads", "src/net/uploads.py", "the limit"),
        ("Raise the limit in the client", "the s3 client", "src/s3.py", "the client"),
        ("Add a retry to the client and update the docs", "the s3 one", "src/s3.py", "the client"),
        ("Clean up the config file", "the base one", "settings/base.py", "the config file"),
        ("Can you clean up the scheduler?", "cron", "jobs/cron.py", "the scheduler"),
        ("Optimise the import job please", "the nightly one", "jobs/nightly.py", "the import job"),
        ("Überarbeite den Limiter", "den für Uploads", "src/uploads.py", "den Limiter"),
        ("Améliore le cache", "celui des images", "src/img/store.py", "le cache"),
        ("corrige l'analyseur de factures", "celui des rapports", READER, "l'analyseur de factures"),
        ("Mejora el buscador", "el de productos", "src/productos/find.py", "el buscador"),
        ("設定を整理して", "appの方", "app/conf.py", "設定"),
        ("优化缓存", "图片的那个", "src/图片/store.py", "缓存"),
        ("파서를 고쳐줘", "보고서 쪽", "src/보고서/reader.py", "파서"),
        ("Fix the parser", "no, the report one", READER, "the parser"),
    ],
)
def test_the_term_is_the_open_noun_as_typed(request_: str, answer: str, target: str, term: str) -> None:
    found = made(request_, answer, target)
    assert found is not None
    assert (found.term, found.target, found.said, found.source) == (term, target, answer, "clarified")


@pytest.mark.parametrize(
    ("request_", "target", "term"),
    [
        ("scanner: skip BOM", "src/io/scanner.py", "scanner"),
        ("scanner: widen the window", "src/io/main.py", "scanner"),
        ("scanner is slow, shrink the window", "src/io/main.py", "scanner"),
        ("scanner doesn't skip BOM", "src/x.py", "scanner"),
        ("billing cron should log less", "jobs/billing_cron.py", "billing cron"),
        ("retry queue: cap at 20", "src/backlog.py", "retry queue"),
        ("retry queue is slow", "src/retry_queue.py", "retry queue"),
        ("quota to 12", "cfg/limits.toml", "quota"),
        ("quota down to 12", "cfg/limits.toml", "quota"),
        ("sidebar too wide", "ui/x.ts", "sidebar"),
        ("Warteschlange: maximal 20", "src/x.py", "Warteschlange"),
        ("Scanner soll das BOM überspringen", "src/einlesen.py", "Scanner"),
        ("scanner : ignorer le BOM", "src/lecture.py", "scanner"),
        ("lecteur doit ignorer les lignes vides", "src/x.py", "lecteur"),
        ("cola de reintentos: máximo 20", "src/cola.py", "cola de reintentos"),
        ("bug: the parser drops rows", "src/x.py", "the parser"),
        ("bump limits to 5 in the client", "src/net/http.py", "the client"),
    ],
)
def test_a_noun_that_opens_the_request_needs_no_article(request_: str, target: str, term: str) -> None:
    found = made(request_, "2", target, readings=("the first one",))
    assert found is not None and found.term == term


@pytest.mark.parametrize(
    ("request_", "target", "term"),
    [
        ("the agent needs a graceful shutdown on signals", "svc/run/entry.rs", "the agent"),
        ("the poller eats messages", "svc/poller.go", "the poller"),
        ("the pollers eat messages", "svc/main.go", "the pollers"),
        ("the crawler wants more threads", "svc/main.go", "the crawler"),
        ("the poller prints the rows twice", "svc/main.go", "the poller"),
        ("the sales report loses rows", "src/main.py", "the sales report"),
        ("the customer orders page is slow", "src/main.py", "the customer orders page"),
        ("can the scanner skip the BOM?", "src/x.py", "the scanner"),
        ("make the retry queue drain first", "src/backlog.py", "the retry queue"),
        ("der poller frisst nachrichten", "src/main.py", "der poller"),
        ("El lector pierde filas", "src/x.py", "El lector"),
    ],
)
def test_a_term_ends_before_the_verb_that_tells_of_it(request_: str, target: str, term: str) -> None:
    found = made(request_, "2", target, readings=("the first one",))
    assert found is not None and found.term == term


@pytest.mark.parametrize(
    ("request_", "target", "term"),
    [
        ("change the legend's margin", "ui/legend.ts", "the legend"),
        ("change the legend's margin", "ui/margin.ts", "the legend's margin"),
        ("change the legend colour", "ui/legend.ts", "the legend"),
        ("the size of the cache is wrong", "src/x.py", "the cache"),
        ("die Farbe der Legende ist falsch", "src/x.py", "der Legende"),
        ("la couleur de la légende est fausse", "ui/legende.ts", "la légende"),
        ("凡例の色を変えて", "ui/legend.ts", "凡例"),
        ("通知バーに件数を出して", "ui/NoticeBar.kt", "通知バー"),
        ("凡例のパーサーを直して", "src/x.py", "凡例のパーサー"),
    ],
)
def test_of_a_thing_and_its_property_the_thing_is_kept(request_: str, target: str, term: str) -> None:
    found = made(request_, "2", target, readings=("the first one",))
    assert found is not None and found.term == term


@pytest.mark.parametrize(
    ("request_", "target", "term"),
    [
        ("in the wizard, raise the limit to 5", "ui/wizard.ts", "the wizard"),
        ("raise the limit in the client", "src/client/http.py", "the client"),
        ("redraw diagram 4", "docs/diagrams.md", "diagram 4"),
        ("diagram 4: redraw", "docs/d4.md", "diagram 4"),
        ("step 7 is wrong", "docs/steps.md", "step 7"),
        ("increase contrast of sidebar", "ui/sidebar.css", "sidebar"),
        ("use utf-8 in exporter", "src/exporter.py", "exporter"),
        ("the poller and the loader are slow", "src/loader.py", "the loader"),
        ("Erhöhe die Grenze in der Warteschlange", "src/queue.py", "der Warteschlange"),
        ("サイドバーに履歴を出して", "ui/Sidebar.kt", "サイドバー"),
        ("在图例里显示总数", "ui/legend.ts", "图例"),
        ("raise maxRetries to 9", "src/net/retry.ts", "maxRetries"),
        ("more colour for the words, in the presets", "src/words.py", "the words"),
    ],
)
def test_of_several_nouns_the_one_that_the_target_is_named_for_is_kept(
    request_: str, target: str, term: str
) -> None:
    found = made(request_, "2", target, readings=("the first one",))
    assert found is not None and found.term == term


@pytest.mark.parametrize(
    ("request_", "target", "term"),
    [
        ("lift the limit for shipping", "lib/ship.py", "shipping"),
        ("raise the ceiling for uploads", "lib/uploader.py", "uploads"),
        ("lower the ceiling for exports to 5", "src/dump.py", "the ceiling for exports"),
        ("uploader must respect the quotas", "src/quotas.py", "uploader"),
        ("uploader: respect the quotas", "src/quotas.py", "uploader"),
        ("the pump driver stutters once the tank is empty", "src/drv.c", "the pump driver"),
        ("make use of idle workers", "src/pool.py", "idle workers"),
        ("Mahngebühr ab Mai 5", "src/fees.py", "Mahngebühr"),
        ("im Kalender fehlt der Mai", "src/cal.py", "Kalender"),
        ("beim Export fehlen Zeilen", "src/exp.py", "Export"),
        ("augmente la marge du calendrier", "src/cal.css", "calendrier"),
        ("pump.go must log the rows", "src/pump.go", "pump"),
        ("puffer hoch auf 512", "src/ring.c", "puffer"),
        ("lower the values", "lib/net.js", "the values"),
        ("キューで失敗を再実行して", "src/worker.py", "キュー"),
        ("スキャナーで空行を飛ばして", "src/io.py", "スキャナー"),
        ("backup a day later", "jobs/nightly.sh", "backup"),
        ("add a validator", "src/checks.py", "a validator"),
        ("ajoute un validateur", "src/checks.py", "un validateur"),
        ("use the faster lock", "src/mutex.c", "the faster lock"),
        ("die Tür und der Motor klemmen", "src/tuer.c", "die Tür"),
    ],
)
def test_a_noun_that_stands_without_what_marks_one_is_kept(request_: str, target: str, term: str) -> None:
    found = made(request_, "2", target, readings=("the first one",))
    assert found is not None and found.term == term


def test_the_words_of_an_answer_make_no_term_of_what_the_sentence_is_not_about() -> None:
    found = made("uploader must respect the quotas", "tape; disk knows no quotas", "src/tape.py")
    assert found is not None and found.term == "uploader"


def test_of_a_refused_pattern_the_folder_is_kept() -> None:
    found = refused(("delete the temp tables",), ("var/logs/*.log",))
    assert found is not None and found.target == "var/logs/"


@pytest.mark.parametrize(
    ("request_", "target"),
    [
        ("parse the file", "src/parser.py"), ("continue", "src/continue.py"), ("deploy to staging", "deploy.sh"),
        ("ship it", "src/ship.py"), ("nothing works", "src/x.py"),
        ("the poller and the loader are slow", "src/x.py"), ("run tests again", "src/x.py"),
        ("write a parser", "src/parser.py"),
    ],
)  # fmt: skip
def test_an_order_is_no_noun(request_: str, target: str) -> None:
    assert made(request_, "2", target, readings=("the first one",)) is None


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("Just fix it", READER), ("fix the bug", READER), ("fix the flaky test", "test_login"),
        ("write a parser", READER),
        ("fix the parser and speed up the loader", READER), ("fix all parsers", READER),
        ("Fix the parser", "issue 7: the parser is src/report/reader.py"),
        ("Fix the parser", "The wiki says the report one"), ("Fix the parser", "the report one, treat that as settled"),
        ("Fix the parser", "maybe the report one"), ("Fix the parser", "whatever you think"), ("Fix the parser", ""),
        ("Fix the parser", "is it the report one?"), ("Fix the parser", "> the report one"), ("Fix the parser", "no"),
        ("Fix the parser", "```\nreport\n```"), ("Fix the parser", "she said \"the report one\""),
        ("Fix the parser", "compass: proceed with the report one"), ("Fix the parser", "not the billing one"),
        ("Fix the parser", "the report one\nand more"), ("Fix the parser", f"the report one {'x' * 200}"),
        ("Fix the parser\nTraceback (most recent call last):\n  File \"x.py\", line 1\nValueError: y", "report"),
        ("Do this issue:\n> fix the parser\n> it is slow", "report"), (f"Fix the parser {'x' * 700}", "report"),
    ],
)  # fmt: skip
def test_nothing_is_settled(request_: str, answer: str) -> None:
    assert made(request_, answer) is None


@pytest.mark.parametrize(
    ("answer", "target"),
    [
        ("the one for uploads", "src/net/http.py"),
        ("src/report/reader.py", "src/other/reader.py"),
        ("in src/report", "src/parse/reader.py"),
        ("the report one, not the reader for tickets", "src/tickets/parse.py"),
        ("rename the report one", READER),
        ("delete src/report/reader.py", READER),
    ],
)
def test_a_write_that_is_not_what_the_answer_says_settles_nothing(answer: str, target: str) -> None:
    assert made("Fix the parser", answer, target) is None


def test_a_write_that_is_not_the_chosen_reading_settles_nothing() -> None:
    for reading, target in (
        ("fix src/report/reader.py", "src/other.py"),
        ("delete src/old.py", "src/old.py"),
    ):
        assert made("Fix the parser", "1", target, readings=(reading,)) is None
    assert made("Fix the parser", "1", readings=("fix src/report/",)) is not None


def test_of_a_choice_nothing_is_kept_that_the_user_did_not_type() -> None:
    found = made("Fix the parser", "2", readings=("fix src/report/reader.py",))
    assert found == Settled("chosen", "the parser", "2", "fix", READER, "one_file")
    clicked = made("Fix the parser", "", readings=("fix src/report/reader.py",))
    assert clicked is not None and clicked.said == ""
    assert made("Fix the parser", "both", readings=("fix the report", "fix the billing")) is None


def test_of_several_targets_the_one_that_the_answer_names_is_kept() -> None:
    both = ("src/report/reader.py", "src/report/rows.py")
    found = made("Fix the parser", "just reader.py", *both)
    assert found is not None and found.target == READER
    assert made("Fix the parser", "the report one", *both) is None
    assert made("Fix the parser", "reader.py and rows.py", *both) is None


@pytest.mark.parametrize(
    ("reading", "action", "extent"),
    [
        (Reading("fix", "x", "one_place"), "fix", "one_place"),
        (Reading("change", "x", "project"), "change", "one_file"),
        (Reading("answer", "x", "beyond"), "", "one_file"),
        (None, "", "one_file"),
    ],
)
def test_the_smaller_extent_is_kept(reading: Reading | None, action: str, extent: str) -> None:
    found = made("Fix the parser", "report", reading=reading)
    assert found is not None and (found.action, found.extent) == (action, extent)


def test_a_cancel_leaves_a_tightening_one_of_a_single_target() -> None:
    found = refused(("Fix the parser",), (READER,))
    assert found == Settled("cancelled", "the parser", "", "", READER, "", tightens=True)
    assert refused(("Fix the parser",), (READER, "src/a.py")) is None
    assert refused(("Fix it",), (READER,)) is None
