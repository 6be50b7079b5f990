"""What follows a label of a secret is redacted whatever it looks like; the words of a sentence after it are not."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from corpora import corpus
from repository import ROOT

from evaluator.egress.redaction import redact
from evaluator.egress.redaction.secret_names import labels
from evaluator.egress.sanitizer import sanitize
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES

SECRETS = ROOT / "fixtures/secrets"
ROWS = [
    json.loads(line)
    for name in ("corpus.jsonl", "development.jsonl", *(f"blind-{number}.jsonl" for number in range(1, 8)))
    for line in (SECRETS / name).read_text("utf-8").splitlines()
    if not json.loads(line).get("either")
]
STILL_MISSED = """
L-012 R2-010 R2-163 R2-183 R3-052 R3-202 R4-204 R4-227 R4-242 R4-276 R5-349 R6-054
R6-101 R6-183 R6-232 R6-245 R6-247 R6-260 R6-334 R7-322 R7-367 labelled_en-41 labelled_en-45 labelled_en-72
labelled_en-81 labelled_en-86 told_de-25 told_en-37 told_en-38 told_en-39 cli_password-26 credential_files-14
high_entropy-17 url_password-24
"""
STILL_TOUCHED = """
O-097 O-195 O-232 O2-214 O3-065 O4-338 O5-509 O6-091 O6-092 O6-316 O6-338 near_de-06 near_de-08 near_de-22
near_en-86 plain_code-150 plain_code-231 plain_en-260 minified-07 password_hashes-01 password_hashes-07
public_keys-11 uuid-08
"""
LANGUAGES = (
    "en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "hi", "pl", "nl", "cs", "sv", "tr", "uk",
)  # fmt: skip
VALUE = "marmalade"


def shown(row) -> str:
    return sanitize(row["text"].replace("⟂", ""), None, DEFAULT_STRIP_SEQUENCES)


def form(text: str) -> str:
    """As the sanitizer normalises it."""
    return sanitize(text.replace("⟂", ""), None, DEFAULT_STRIP_SEQUENCES, redact_secrets=False)


def test_every_labelled_secret_of_the_development_rows_is_redacted() -> None:
    held = [row for row in ROWS if row["secrets"]]
    assert len(held) == 3369
    survived = {
        row["id"] for row in held if any(one in shown(row) for one in (form(each) for each in row["secrets"]))
    }
    assert survived == set(STILL_MISSED.split())


def test_no_ordinary_text_of_the_development_rows_is_touched() -> None:
    plain = [row for row in ROWS if not row["secrets"]]
    assert len(plain) == 4107
    assert {row["id"] for row in plain if shown(row) != form(row["text"])} == set(STILL_TOUCHED.split())


def test_the_table_has_each_language() -> None:
    assert tuple(labels()) == LANGUAGES
    assert all(one.passwords and one.tokens and one.joins for one in labels().values())


@corpus("form", ["@: #", "@ = #", '@: "#"', "@ -> #", "x\n@: #\ny"])
@corpus("language", LANGUAGES)
def test_each_label_announces_its_value(language: str, form: str) -> None:
    found = labels()[language]
    assert betrayed((*found.passwords, *found.secrets, *found.tokens), form, VALUE) == {}


def betrayed(labels: Iterable[str], form: str, value: str) -> dict[str, str]:
    """What is shown of each label whose value survives, or that is lost itself."""
    shown = {label: redact(form.replace("@", label).replace("#", value)) for label in labels}
    return {label: text for label, text in shown.items() if value in text or label not in text}


@corpus("value", ["wrong", "${PW}", "<your-password>", "********", "TODO", "...", "string", "changeme"])
@corpus("form", ["password is @", "ApiKey: @", "das Passwort lautet @", "пароль: @", "X-Api-Key: @"])
def test_states_references_placeholders_and_types_stay(form: str, value: str) -> None:
    text = form.replace("@", value)
    assert redact(text) == text


NUMBER = "48213"


@corpus("form", ["@: #", "@ = #", '@: "#"', "@ -> #", "x\n@: #\ny"])
def test_each_name_of_a_pin_announces_its_number(form: str) -> None:
    assert betrayed({word for one in labels().values() for word in one.pins}, form, NUMBER) == {}


@pytest.mark.parametrize("form", ["@: admin / #", "@: admin:#", "@ -> admin / #"])
def test_each_name_of_a_pair_announces_its_password(form: str) -> None:
    assert betrayed({word for one in labels().values() for word in one.pairs}, form, VALUE) == {}


@corpus(
    ("lead", "label"),
    [
        (lead, one.passwords[0])
        for code, one in labels().items()
        if code not in {"zh", "ja", "ko", "hi", "it"}
        for lead in one.leads
    ],
)
def test_each_lead_announces_what_stands_beside_the_label(lead: str, label: str) -> None:
    assert redact(f"{lead} {label} {VALUE}, 1") == f"{lead} {label} [REDACTED:password], 1"
