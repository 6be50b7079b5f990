"""What follows a label of a secret is redacted whatever it looks like; the words of a sentence after it are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.settings import DEFAULT_STRIP_SEQUENCES
from evaluator.stages.redaction import redact
from evaluator.stages.redaction.labels import LABELS
from evaluator.stages.sanitizer import sanitize

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures/secrets/development.jsonl")
    .read_text("utf-8")
    .splitlines()
]
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "hi")
VALUE = "marmalade"


def test_every_labelled_secret_of_the_development_rows_is_redacted() -> None:
    held = [row for row in ROWS if row["secrets"]]
    assert len(held) >= 400
    survived = [
        row["id"]
        for row in held
        if any(one in sanitize(row["text"], None, DEFAULT_STRIP_SEQUENCES) for one in row["secrets"])
    ]
    assert survived == []


def test_no_ordinary_text_of_the_development_rows_is_touched() -> None:
    plain = [row for row in ROWS if not row["secrets"]]
    assert len(plain) >= 800
    touched = [
        row["id"]
        for row in plain
        if sanitize(row["text"], None, DEFAULT_STRIP_SEQUENCES)
        != sanitize(row["text"], None, DEFAULT_STRIP_SEQUENCES, redact_secrets=False)
    ]
    assert touched == []


def test_the_table_has_each_language() -> None:
    assert tuple(LABELS) == LANGUAGES
    assert all(labels.passwords and labels.tokens and labels.joins for labels in LABELS.values())


@pytest.mark.parametrize(
    "label",
    sorted(
        {
            word
            for labels in LABELS.values()
            for words in (labels.passwords, labels.secrets, labels.tokens)
            for word in words
        }
    ),
)
@pytest.mark.parametrize("form", ["@: #", "@ = #", '@: "#"', "@ -> #", "x\n@: #\ny"])
def test_each_label_announces_its_value(label: str, form: str) -> None:
    shown = redact(form.replace("@", label).replace("#", VALUE))
    assert VALUE not in shown
    assert label in shown


@pytest.mark.parametrize(
    "value", ["wrong", "${PW}", "<your-password>", "********", "TODO", "...", "string", "changeme"]
)
@pytest.mark.parametrize(
    "form", ["password is @", "ApiKey: @", "das Passwort lautet @", "пароль: @", "X-Api-Key: @"]
)
def test_states_references_placeholders_and_types_stay(form: str, value: str) -> None:
    text = form.replace("@", value)
    assert redact(text) == text
