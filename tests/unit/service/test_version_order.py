"""Which of two versions a service takes for the newer one."""

from __future__ import annotations

from itertools import pairwise

from corpora import corpus

from evaluator.service.server import ordinal

ORDER = ("", "0.0.9", "0.1.0", "0.1.1.dev9+gab", "0.1.1.dev10+g01.d20260101", "0.1.1", "0.1.10", "999.0")


@corpus(("older", "newer"), list(pairwise(ORDER)))
def test_development_versions_come_before_the_release_that_they_lead_to(older: str, newer: str) -> None:
    assert ordinal(older) < ordinal(newer)


def test_what_is_no_version_is_no_fault() -> None:
    assert ordinal("x.y²") == (0, 0, 0) and ordinal("1.dev") < ordinal("1.1")
