"""What is redacted and what is left alone, beside a label too, and that a cut leaves no half of a secret."""

from __future__ import annotations

import base64
import json
import random
import re
import tomllib
from collections.abc import Iterable

import pytest
from corpora import corpus
from repository import ROOT
from samples.secret_samples import (
    ALNUM,
    BASE64,
    LOWER_HEX,
    TOKENS,
    drawn,
    jwt,
    password,
    private_key,
    token,
    uuid,
)

from evaluator.egress.evidence import SOURCE_CHARS_MAX, build_evidence
from evaluator.egress.redaction import redact
from evaluator.egress.redaction.secret_names import labels
from evaluator.egress.sanitizer import sanitize
from evaluator.model import Effects, Exchange, PendingWrite
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, Settings

DRAW = random.Random(20_240_601)
NOTATIONS = {
    name: text.splitlines()
    for name, text in tomllib.loads((ROOT / "fixtures/secrets/notations.toml").read_text("utf-8")).items()
}
RANDOM = [drawn(DRAW, ALNUM, 40), drawn(DRAW, LOWER_HEX, 32), drawn(DRAW, ALNUM, 24), uuid(DRAW)]
PASSWORDS = [password(1), "Tr0ub4dor&3x", "hunter" + "2Zq9"]


def filled(form: str, value: str) -> str:
    return form.replace("@@", value)


@corpus("kind", sorted(TOKENS))
def test_the_token_of_each_service_is_redacted_wherever_it_stands(kind: str) -> None:
    for seed in range(5):
        secret = token(kind, seed)
        for form in ("@@", "use @@ please", 'key = "@@"', "(@@).", "see\\n@@\\nabove", "a,@@,b"):
            shown = redact(filled(form, secret))
            assert "[REDACTED:" in shown
            assert secret[-12:] not in shown


@corpus("form", NOTATIONS["passwords"])
def test_a_password_is_redacted_in_every_notation(form: str) -> None:
    form = form.replace("\\n", "\n")
    for secret in PASSWORDS:
        assert secret not in redact(filled(form, secret)), secret


@corpus("form", NOTATIONS["tokens"])
def test_a_random_value_is_redacted_beside_a_name_that_says_so(form: str) -> None:
    for secret in RANDOM:
        assert secret not in redact(filled(form, secret)), secret


@corpus("value", ["monkey", "running", "whatever", "feijoada", "Sunshine"])
def test_where_a_machine_reads_it_a_password_may_be_any_word(value: str) -> None:
    for form in (
        "DB_PASSWORD=@@ ./run.sh",
        "wget --password @@ http://x.test",
        "java -Dkeystore.password=@@ -jar a.jar",
        "helm install --set db.password=@@ x",
        "https://bob:@@@db.test/x",
        "machine db.test login bob password @@",
    ):
        assert value not in redact(filled(form, value)), form


BASE = "DATABASE_URL=postgresql+psycopg2://app:@@@db.example.com:5432/shop?sslmode=require"
PAIR = base64.b64encode(f"bob:{PASSWORDS[0]}".encode()).decode()


@corpus(
    ("form", "secret", "kind"),
    [
        *((BASE, secret, "password") for secret in (*PASSWORDS, "p@ss" + "w0rd!", "postgres")),
        ("https://@@@o12345.ingest.example.io/678", drawn(DRAW, LOWER_HEX, 32), "url-credential"),
        ("it was @@.", jwt(3), "jwt"),
        ("it was @@ ...", jwt(3).rpartition(".")[0], "jwt"),
        # The kind is that of the token and not of the name beside it.
        ("API_TOKEN=@@", token("github", 9), "github-token"),
    ],
)
def test_the_secret_alone_goes_and_its_kind_is_told(form: str, secret: str, kind: str) -> None:
    assert redact(filled(form, secret)) == filled(form, f"[REDACTED:{kind}]")


def test_basic_authorization_is_known_by_what_it_decodes_to() -> None:
    assert PAIR not in redact(f"Authorization: Basic {PAIR}")


LABELS = ["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"]


@corpus("label", [*LABELS, "PGP PRIVATE KEY BLOCK"])
def test_a_private_key_is_one_mark_in_every_dress(label: str) -> None:
    block, body = private_key(5, label)
    assert redact(f"before\n{block}\nafter") == "before\n[REDACTED:private-key]\nafter"
    quoted = "\n".join(f'  "{line}\\n" +' for line in block.splitlines())
    for dressed in (
        json.dumps({"key": block}),
        quoted,
        "> " + block.replace("\n", "\n> "),
        block.replace("\n", " "),
        "\n".join(f"{number:6}\t{line}" for number, line in enumerate(block.splitlines(), 1)),
        "-" + block.replace("\n", "\n-"),
        "keys/id.pem:" + block.replace("\n", "\nkeys/id.pem:"),
        "\n".join(f'echo "{line}" >> id.pem' for line in block.splitlines()),
    ):
        shown = redact(dressed)
        assert "[REDACTED:private-key]" in shown
        assert not any(line[:16] in shown for line in body)


def test_a_private_key_that_was_cut_goes_up_to_the_cut() -> None:
    block, body = private_key(6)
    lines = block.splitlines()
    head, tail = "\n".join(lines[:4])[:-30], "\n".join(lines[-4:])
    ended, begun = f"{head}\n[...]\nThen we talked.", f"We said:\n[...]\n{tail}\nok"
    for text, rest in ((ended, "Then we talked."), (begun, "We said:")):
        shown = redact(text)
        assert rest in shown
        assert not any(line[:16] in shown or line[-16:] in shown for line in body)


def test_no_stripped_sequence_takes_away_what_a_secret_is_known_by() -> None:
    secret, pasted = token("github", 4), f"postgres://app:{PASSWORDS[0]}@db.test/x"
    for text in (f"use {secret} now", f"the password is {PASSWORDS[0]}", pasted):
        shown = sanitize(text, None, (secret[:4], "password", "postgres://", "@", " is "))
        assert secret[4:] not in shown and PASSWORDS[0] not in shown


@pytest.mark.parametrize(
    "value",
    ["9my7Dog!rex", "Amy&Tom2019", "S3cr3t!todoList9", "Here4You!x", "ExamplePlanet!42", "xxxxKiller99!"],
)
def test_a_word_of_a_form_within_a_password_makes_it_no_placeholder(value: str) -> None:
    for form in ("password: @@", "postgres://app:@@@db.test/x", "mysql -p@@ shop", "пароль: @@"):
        assert value not in redact(filled(form, value))


def evidence(settings: Settings, **given: str):
    request, content = given.get("request", "create it"), given.get("content", "x")
    pending = PendingWrite("claude-code", "s", "Write", {"content": content}, cwd="/p", project_dir="/p")
    effects = Effects("write", "create", "additive", ("/p/src/a.py",), given.get("command", ""), lines=1)
    return build_evidence(pending, effects, Exchange((request,), given.get("prior", "")), settings)


def test_no_field_of_the_evidence_holds_a_secret_and_no_cut_leaves_half_of_one() -> None:
    secret = token("gitlab", 2)
    for pad in range(560, 640, 3):
        text = "w " * (pad // 2) + secret + " w" * 900
        everywhere = {"request": text, "prior": text, "command": text, "content": text * 3}
        assert secret[6:16] not in repr(evidence(Settings(include_file_contents=True), **everywhere))


@pytest.mark.spread(1)
@pytest.mark.parametrize("at_head", [True, False])
@pytest.mark.parametrize("space", ["\n", " "])
def test_the_first_cut_of_a_huge_text_falls_between_lines_or_words(at_head: bool, space: str) -> None:
    half = SOURCE_CHARS_MAX // 2
    secret = f"password={PASSWORDS[0]}" if space == " " else f"the password is {PASSWORDS[0]}"
    filler = ("x" * 79 + space) * (half // 80 + 500)
    for shift in range(0, len(secret) + 8, 3):
        near = filler[-(half - shift) :].partition(space)[2]
        pad = "x" * (half - shift - len(near) - len(space)) + space
        told = pad + near + secret if at_head else filler + space + secret
        text = told + space + (filler if at_head else near + pad)
        assert PASSWORDS[0] not in repr(evidence(Settings(context_chars_max=300_000), request=text))


@corpus("text", NOTATIONS["left_alone"])
def test_references_types_placeholders_and_prose_are_left_alone(text: str) -> None:
    text = text.replace("\\n", "\n")
    assert redact(text) == text


@corpus("text", NOTATIONS["taken"])
def test_codes_keys_and_values_beside_what_names_them_are_taken_whole(text: str) -> None:
    text = text.replace("\\n", "\n")
    secrets = re.findall("⟦(.*?)⟧", text)
    shown = sanitize(re.sub("[⟦⟧]", "", text), None, DEFAULT_STRIP_SEQUENCES)
    assert secrets and [one for one in secrets if one in shown] == []


@corpus(
    "form",
    [
        "commit @@", "sha256:@@", '"integrity": "sha512-@@=="', 'checksum = "@@"', "dist/main.@@.js", "ETag: W/@@",
        "docker.io/library/x@sha256:@@", "trace_id=@@", "--hash=sha256:@@", "index @@..@@ 100644",
        "ssh-rsa AAAAB3NzaC1yc2E@@ me@host", "data:image/png;base64,@@",
    ],
)  # fmt: skip
@corpus("value", [drawn(DRAW, LOWER_HEX, 40), drawn(DRAW, LOWER_HEX, 64), uuid(DRAW), drawn(DRAW, ALNUM, 86)])
def test_random_values_without_a_telling_name_are_left_alone(form: str, value: str) -> None:
    text = form.replace("@@", value)
    assert redact(text) == text


def test_code_about_keys_is_left_alone() -> None:
    dashes = "-" * 5
    for text in (
        f'key = f"{dashes}BEGIN PRIVATE KEY{dashes}\\n{{body}}\\n{dashes}END PRIVATE KEY{dashes}"',
        f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n...\n{dashes}END RSA PRIVATE KEY{dashes}",
        f"{dashes}BEGIN CERTIFICATE{dashes}\n{drawn(DRAW, BASE64, 64)}\n{dashes}END CERTIFICATE{dashes}",
    ):
        assert redact(text) == text


# What follows a label of a secret, whatever it looks like; the words of a sentence after it are left


ROWS = [
    json.loads(line)
    for name in ("corpus.jsonl", "development.jsonl", *(f"blind-{number}.jsonl" for number in range(1, 8)))
    for line in (ROOT / "fixtures/secrets" / name).read_text("utf-8").splitlines()
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
    survived = {row["id"] for row in held if any(form(one) in shown(row) for one in row["secrets"])}
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
def test_each_label_announces_its_value_and_each_name_of_a_pin_its_number(language: str, form: str) -> None:
    found = labels()[language]
    assert betrayed((*found.passwords, *found.secrets, *found.tokens), form, VALUE) == {}
    assert betrayed(found.pins, form, "48213") == {}


def betrayed(labels: Iterable[str], form: str, value: str) -> dict[str, str]:
    """What is shown of each label whose value survives, or that is lost itself."""
    shown = {label: redact(form.replace("@", label).replace("#", value)) for label in labels}
    return {label: text for label, text in shown.items() if value in text or label not in text}


@corpus("value", ["wrong", "${PW}", "<your-password>", "********", "TODO", "...", "string", "changeme"])
@corpus("form", ["password is @", "ApiKey: @", "das Passwort lautet @", "пароль: @", "X-Api-Key: @"])
def test_states_references_placeholders_and_types_stay(form: str, value: str) -> None:
    text = form.replace("@", value)
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
