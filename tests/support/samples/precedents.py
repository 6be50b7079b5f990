"""Precedents for tests."""

from __future__ import annotations

from typing import Any

from evaluator.precedents import Precedent, RequestPlace
from evaluator.record import replace

NOW = 1_735_732_800.0
HERE = RequestPlace("0123456789ab", "/srv/shop")
READER = "src/report/reader.py"
PARSER = Precedent(
    precedent_id="01JGFJJZ000000000000000000",
    project=HERE.project,
    checkout=HERE.checkout,
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
