"""Precedents for tests, and what bears on a request in a small project."""

from __future__ import annotations

from typing import Any

from evaluator.precedents.bearing import Asked, bearing
from evaluator.precedents.keys import found_under, looked_for
from evaluator.precedents.place import Place, Tree
from evaluator.precedents.precedent import Precedent
from evaluator.record import replace

NOW = 1_735_732_800.0
HERE = Place("0123456789ab", "/srv/shop", "main", "main")
READER = "src/report/reader.py"
TREE = Tree(
    ("src", "src/report", "src/billing", "src/invoices", "tests", "docs", "web", "web/admin"),
    (READER, "src/billing/reader.py", "src/billing/rates.py", "src/ledger.py", "tests/test_reader.py"),
)
PARSER = Precedent(
    precedent_id="01JGFJJZ000000000000000000",
    project=HERE.project,
    checkout=HERE.checkout,
    branch="main",
    session_id="s",
    check_id="01JGFJJZ000000000000000001",
    at=NOW,
    source="clarified",
    term="the parser",
    said="the one of the reports",
    action="fix",
    target=READER,
    extent="one_file",
    tightens=False,
)


def precedent(term: str = PARSER.term, target: str = READER, **changes: Any) -> Precedent:
    return replace(PARSER, term=term, target=target, **changes)


def bears(
    request: str,
    *found: Precedent,
    prior: str = "",
    written: tuple[str, ...] = (),
    folder: str = "",
    place: Place = HERE,
    tree: Tree = TREE,
    gone: tuple[str, ...] = (),
) -> list[tuple[str, str]]:
    """(target, `counts` or `shown`) of each that bears; only those that a word of the request finds."""
    words = set(looked_for(request))
    kept = sorted((one for one in found if found_under(one) & words), key=lambda one: -one.at)
    asked = Asked(request, prior, written, folder, place)
    result = bearing(kept, asked, exists=lambda path: path not in gone, tree=lambda _: tree)
    return [(one.precedent.target, "counts" if one.counts else "shown") for one in result]


def level(request: str, found: Precedent = PARSER, **around: Any) -> str:
    """`counts`, `shown` or `no`."""
    result = bears(request, found, **around)
    return result[0][1] if result else "no"
