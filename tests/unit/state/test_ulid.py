"""Check ids."""

from __future__ import annotations

import pytest

from evaluator.text import ulid

NOW = 1_735_732_800.0


def test_a_ulid_sorts_by_time_and_holds_all_its_bits() -> None:
    assert ulid(0.0, bytes(10)) == "0" * 26
    assert ulid(NOW, b"\xff" * 10) < ulid(NOW + 0.001, bytes(10))
    assert ulid(1e300, b"\xff" * 10) == "7" + "Z" * 25
    assert ulid(-5.0, bytes(10)) == "0" * 26
    assert ulid(1_469_918_176.385, bytes(10)).startswith(
        "01ARYZ6S41"
    )  # the example of the ULID specification
    with pytest.raises(ValueError, match="10 random bytes"):
        ulid(NOW, b"short")
