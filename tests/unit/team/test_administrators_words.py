"""What administrators send is refused by name where it is not as stated."""

from __future__ import annotations

import pytest
from corpora import corpus
from pydantic import ValidationError

from compass.team.documents import TeamSettingsDocument, TokenRequest, faults_of
from compass.team.model import TeamSettings
from evaluator.record import values_of


@corpus("number", [10**400, float("nan"), -1, True, "7"])
def test_a_number_that_is_none_is_refused(number: object) -> None:
    with pytest.raises(ValidationError) as refused:
        TokenRequest.model_validate({"person": "ada", "seconds": number})
    assert faults_of(refused.value.errors()).startswith("seconds: ")
    with pytest.raises(ValidationError) as refused:
        TeamSettingsDocument.model_validate(values_of(TeamSettings()) | {"daily_usd": number})
    assert faults_of(refused.value.errors()).startswith("daily_usd: ")
