"""What administrators send is refused by name where it is not as stated."""

from __future__ import annotations

import json

import pytest
from corpora import corpus

from evaluator.errors import PayloadError
from evaluator.record import values_of
from evaluator.service.team.reading import settings_of, token_request_of
from evaluator.team.model import TeamSettings


@corpus("number", [10**400, float("nan"), -1, True, "7"])
def test_a_number_that_is_none_is_refused(number: object) -> None:
    with pytest.raises(PayloadError, match="seconds"):
        token_request_of(json.dumps({"person": "ada", "seconds": number}).encode())
    with pytest.raises(PayloadError, match="daily_usd"):
        settings_of(json.dumps(values_of(TeamSettings()) | {"daily_usd": number}).encode())
