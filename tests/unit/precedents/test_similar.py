"""A settled thing under a name that is only similar is shown, and counts nothing."""

from __future__ import annotations

import pytest
from samples.precedents import TREE, level, precedent

from evaluator.record import replace


@pytest.mark.parametrize(
    ("term", "target", "request_"),
    [
        ("the poller", "svc/main.go", "the pollre hangs at start"),
        ("the poller", "svc/main.go", "give the polller two threads"),
        ("the poller", "svc/main.go", "poler: back off"),
        ("the poller", "svc/main.go", "the pollers-script is slow"),
        ("den Kalender", "app/main.py", "Der Kalneder ist zu langsam"),
        ("le lecteur", "app/main.py", "le lectuer est trop lent"),
        ("el lector", "app/main.py", "el lectro pierde filas"),
        ("the retry queue", "svc/backlog.go", "the rerty queue drops jobs"),
        ("the poller", "svc/main.go", "the poller-text is too long"),
        ("der Poller", "svc/main.go", "der Pollertext ist zu lang"),
        ("the rate limit", "svc/main.go", "raise the ratelimit to 9"),
        ("the rate-limit", "svc/main.go", "ratelimit: 9"),
        ("the ratelimit", "svc/main.go", "raise the rate limit to 9"),
        ("the ratelimit", "svc/main.go", "raise the rate-limit to 9"),
        ("the sampler", "svc/main.go", "the sampling is too coarse"),
        ("the sampling", "svc/main.go", "sampler: every 5 s"),
        ("the migration", "svc/main.go", "run the migrator twice"),
        ("die Prüfung", "svc/main.go", "der Prüfer ist zu langsam"),
        ("the date parsing", "svc/main.go", "parse the dates as UTC"),
        ("the shipments view", "web/list.ts", "show the total in shipments"),
        ("the pump torque", "fw/drive.c", "the pump is too loud"),
        ("the ceiling for exports", "src/dump.py", "the exports are too big"),
        ("ポンプのトルク", "fw/drive.c", "ポンプを静かにして"),
        ("the limit", "lib/ship.py", "lower it for shipping"),
        ("the limit", "lib/uploader.py", "the uploader must wait longer"),
        ("the poller", "svc/poll.rs", "poll.rs: back off"),
        ("the poller", "svc/poll.rs", "svc/poll.rs must back off"),
        ("パーサー", "src/main.py", "the parser drops the last line"),
        ("the parser", "src/main.py", "パーサーを直して"),
    ],
)
def test_what_is_similar_is_shown(term: str, target: str, request_: str) -> None:
    assert level(request_, precedent(term, target)) == "shown"


@pytest.mark.parametrize(
    ("term", "target", "request_"),
    [
        ("the parser", "src/main.py", "parse the file"),
        ("the poller", "svc/main.go", "the roller is stuck"),
        ("the poller", "svc/main.go", "write a pollre"),
        ("the poller", "svc/main.go", "fix the billing pollre"),
        ("the poller", "svc/main.go", "the other pollre hangs"),
        ("the poller", "svc/main.go", "the pollre tests fail"),
        ("the poller", "svc/main.go", "the poller-tests fail"),
        ("the poller", "svc/main.go", "by pollre I mean the one in billing; fix the pollre"),
        ("the reader", "src/main.py", "the header is too tall"),
        ("the cache", "src/main.py", "the catch is empty"),
        ("the report parser", "src/main.py", "the report writer is slow"),
        ("the report parser", "src/main.py", "don't touch the report"),
        ("the sampler", "svc/main.go", "sample the rows"),
        ("the app theme", "web/main.ts", "the app is slow"),
        ("the limit", "src/index.ts", "the index is stale"),
    ],
)
def test_what_is_another_thing_is_not(term: str, target: str, request_: str) -> None:
    assert level(request_, precedent(term, target)) == "no"


def test_a_name_of_the_project_is_no_slip() -> None:
    poller = precedent("the poller", "svc/main.go")
    assert level("the polller is wrong", poller) == "shown"
    assert level("the pollre is wrong", poller) == "shown"
    tree = replace(TREE, files=(*TREE.files, "svc/pollre.go"))
    assert level("the pollre is wrong", poller, tree=tree) == "no"


@pytest.mark.parametrize(
    ("term", "request_"),
    [
        ("the button", "btn: make it wider"),
        ("the ctx", "make the context smaller"),
        ("the addr", "the addresses are wrong"),
    ],
)
def test_a_usual_abbreviation_is_the_word(term: str, request_: str) -> None:
    assert level(request_, precedent(term, "src/main.py")) == "counts"
