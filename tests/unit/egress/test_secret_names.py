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
    for name in ("development.jsonl", *(f"blind-{number}.jsonl" for number in range(1, 8)))
    for line in (SECRETS / name).read_text("utf-8").splitlines()
]
STILL_MISSED = """
L-012 R2-010 R2-163 R2-183 R3-052 R3-202 R4-204 R4-227 R4-242 R4-276 R5-349 R6-054
R6-101 R6-183 R6-232 R6-245 R6-247 R6-260 R6-334 R7-322 R7-367 labelled_en-41 labelled_en-45 labelled_en-72
labelled_en-81 labelled_en-86 told_de-25 told_en-37 told_en-38 told_en-39
"""
STILL_TOUCHED = """
O-097 O-195 O-232 O2-214 O3-065 O4-338 O5-509 O6-091 O6-092 O6-316 O6-338 near_de-06 near_de-08 near_de-22
near_en-86 plain_code-150 plain_code-231 plain_en-260
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
    assert len(held) >= 1600
    survived = {
        row["id"] for row in held if any(one in shown(row) for one in (form(each) for each in row["secrets"]))
    }
    assert survived == set(STILL_MISSED.split())


def test_no_ordinary_text_of_the_development_rows_is_touched() -> None:
    plain = [row for row in ROWS if not row["secrets"]]
    assert len(plain) >= 2100
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


@corpus(
    "text",
    [
        "PIN: 4 digits",
        "pin = 13",
        "Code: 4041",
        "spin: 4411",
        "MAX_PIN = 9999",
        "PIN: 4821 ms",
        "PIN: 2.48.13",
    ],
)
def test_other_numbers_than_pins_stay(text: str) -> None:
    assert redact(text) == text


@corpus(
    ("text", "codes"),
    [
        ("Backup-Codes: 130ql-9zrz3, fg1xm-hmqov", ["130ql-9zrz3", "fg1xm-hmqov"]),
        ("Recovery codes:\n\n- 8f3k2-9dk1m\n- 1a2b3-c4d5e\n", ["8f3k2-9dk1m", "1a2b3-c4d5e"]),
        ("codes de secours : 4f9a-1c2e 77aa-9b0c", ["4f9a-1c2e", "77aa-9b0c"]),
        ("códigos de respaldo:\n1. k3m9-p2q8\n2. a7x1-z0c4", ["k3m9-p2q8", "a7x1-z0c4"]),
        ("códigos de backup: 4821 9377, 8765 4321", ["4821 9377", "8765 4321"]),
        ("codice di recupero 8F3K-29DK-1MPP", ["8F3K-29DK-1MPP"]),
        ("коды восстановления: 8f3k2-9dk1m", ["8f3k2-9dk1m"]),
        ("恢复码:8f3k2-9dk1m", ["8f3k2-9dk1m"]),
        ("リカバリーコードは 8f3k2-9dk1m です", ["8f3k2-9dk1m"]),
        ("백업 코드 48213377입니다", ["48213377"]),
        ("रिकवरी कोड: 8f3k2-9dk1m", ["8f3k2-9dk1m"]),
        ("2FA secret: JBSWY3DPEHPK3PXP", ["JBSWY3DPEHPK3PXP"]),
        ("TOTP-Schlüssel: jbsw y3dp ehpk 3pxp", ["jbsw y3dp ehpk 3pxp"]),
        ("SSID Casa, clave vijSmAbGx5wK", ["vijSmAbGx5wK"]),
        ("PRAGMA key = 'blueHorse77';", ["blueHorse77"]),
        ("SELECT AES_ENCRYPT('x', 'blueHorse77');", ["blueHorse77"]),
        ("EncryptByPassPhrase(N'blueHorse77', ssn)", ["blueHorse77"]),
        ("crypt('blueHorse77', gen_salt('bf'))", ["blueHorse77"]),
        ("la password provvisoria è AFlH2K03o", ["AFlH2K03o"]),
        ("the passphrase you sent me (Winter2024) works", ["Winter2024"]),
        ("wifi passphrase for the office: amber-piano-cactus-tide", ["amber-piano-cactus-tide"]),
        ("password: whiteMonkey", ["whiteMonkey"]),
    ],
)
def test_a_code_or_a_key_beside_what_names_it_is_redacted(text: str, codes: list[str]) -> None:
    assert [code for code in codes if code in sanitize(text, None, DEFAULT_STRIP_SEQUENCES)] == []


@corpus(
    "text",
    [
        "backup codes are sha256-hashed and base64-encoded, see AUTH-4471",
        "recovery codes: https://example.com/docs/2024-2025/guide",
        "job di backup db01-copia, 20240131",
        "otp = ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "TOTP: make sure this test uses code from that file",
        "SSID: Office, key type: WPA2-PSK",
        "the password you chose (required) must be changed",
        "SELECT aes_decrypt(col, 'utf8mb4') FROM t",
        "PRAGMA key = '<your-key>';",
        "API key: ********3fQ9",
        "CONTRASEÑA=cambia-esto",
        "SENHA=sua-senha-aqui",
        "PASSWORT=hier-ändern",
        "userPasswordKey: db-password",
        "senha nova é obrigatória",
        "ПИН-код клиента 2023 года",
    ],
)
def test_what_stands_beside_such_a_name_and_is_no_code_stays(text: str) -> None:
    assert redact(text) == text


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


@corpus("word", ["protection", "manager", "hashing", "fields", "auth", "policies", "administrateur"])
def test_a_word_that_goes_on_after_the_label_is_no_value(word: str) -> None:
    text = f"we ship it with password {word}, as before"
    assert redact(text) == text


@corpus("label", ["api key", "X-Api-Key", "encryption_key", "client_secret", "API-Schlüssel"])
def test_a_long_number_is_the_value_of_a_strong_label_alone(label: str) -> None:
    assert NUMBER not in redact(f"{label}: {NUMBER}")
    assert redact(f"token: {NUMBER}") == f"token: {NUMBER}"


@corpus("arrow", ["->", "-->", "==>", "=>", "⇒", "➜"])
@corpus("label", ["test account passcode", "mot de passe", "пароль"])
def test_an_arrow_of_any_length_leads_to_the_value(label: str, arrow: str) -> None:
    assert redact(f"{label} {arrow} {VALUE}") == f"{label} {arrow} [REDACTED:password]"


@corpus("quotes", ["“”", "«»", "„“", "「」", "『』"])
@corpus("label", ["password", "mot de passe", "пароль", "密码", "パスワード"])
def test_a_quoted_word_right_behind_a_label_is_its_value(label: str, quotes: str) -> None:
    text = f"{label} {quotes[0]}@{quotes[1]}, 1"
    assert redact(text.replace("@", VALUE)) == text.replace("@", "[REDACTED:password]")


@corpus(
    "text",
    [
        "the password “hint” field",
        "パスワード「変更」ボタン",
        "密码“错误”,请重试",
        "密码:不能为空",
        "パスワード:必須",
        "口令:已过期",
        "credentials: same-origin",
        "  credentials: awsV4Signer,",
        "the token is req.body.token",
        "blocca l'account dopo tre password errate.",
        "dopo cinque contraseñas incorrectas, senhas erradas, mots de passe incorrects",
        "con password lunghe, con password semplici, con password deboli.",
    ],
)
def test_talk_and_plurals_after_a_label_stay(text: str) -> None:
    assert redact(text) == text


@corpus(
    ("text", "secret"),
    [
        ("访问令牌:kq72LmZx9(明天过期)", "kq72LmZx9"),
        ("अभिलेख का पासवर्ड «लाल गुलाब» है", "लाल गुलाब"),
        ('sign in with password "Fox & Daughters" and look', "Fox & Daughters"),
        ("the client secret is Kd71.xw4_Rt. Update it.", "Kd71.xw4_Rt"),
    ],
)
def test_values_of_other_scripts_and_of_signs_are_taken_whole(text: str, secret: str) -> None:
    assert redact(text).count("[REDACTED:") == 1
    assert secret not in redact(text)
