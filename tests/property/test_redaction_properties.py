"""What holds of redaction for every text, and that no generated secret survives the sanitizer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.secret_samples import FORMS, TOKENS, jwt, password, private_key, token

from evaluator.egress.redaction import redact
from evaluator.egress.sanitizer import sanitize
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES

SEEDS = st.integers(0, 2**32)
PIECES = st.sampled_from(
    [
        "password", "passwd", "pwd", "PASS", "secret", "client_secret", "token", "api_key", "key", "auth", "cookie",
        "credentials", "login", "Authorization", "Bearer", "Basic", "mysql", "curl", "sshpass", "docker login",
        "-p", "-u", "--password", "export", "value", "name", "=", ": ", ":", " = ", '"', "'", "`", '\\"', "\\n", "\n",
        " ", ",", ";", "(", ")", "{", "}", "[", "]", "<", ">", "/", "//", "://", "@", "${", "}", "$VAR", "%s", "|",
        "is", "to", "hunter2", "Winter2024!", "a1b2c3d4e5f6a7b8c9d0", "abcd", "x" * 12, "user", "host.example",
        "[REDACTED:", "[REDACTED:password]", "[REDACTED:aws-key]", "REDACTED", "[STRIPPED]", "-----BEGIN",
        " RSA PRIVATE KEY-----", "-----END", "PRIVATE KEY", "MIIEpAIBAAKCAQEA4ej0p7bQ7L", "eyJ", ".", "-", "_", "é",
        "密码", "是", "пароль", "mot de passe", "clé api", "パスワードは", "です", "비밀번호",
        "पासवर्ड", " है", "marmalade",
        "lautet", " est ", "->", " which", " for the", "set ", "«", "»", "「", "」", "default", "wrong", "X-Api-Key",
        "PIN", "PIN: 4071", "4071", "ПИН-код", "credentials: ", "Zugangsdaten: ", "admin / ", "with ", "mit dem ",
        " and ", "用", "login: admin:", "“", "”", "// ", "55012", "user demo ", " for the zip ", "b!rdhouse in my soul",
        "@db.example.com:5432", "https://", "0123456789abcdef" * 2,
    ]
)  # fmt: skip
SECRETS = st.one_of(
    st.builds(token, st.sampled_from(sorted(TOKENS)), SEEDS),
    st.builds(jwt, SEEDS),
    st.builds(password, SEEDS),
    st.builds(lambda seed: private_key(seed)[0], SEEDS),
)
TEXTS = st.lists(st.one_of(PIECES, PIECES, PIECES, SECRETS, st.text(max_size=4)), max_size=25).map("".join)


@given(TEXTS)
def test_redaction_is_idempotent_and_bounded(text: str) -> None:
    shown = redact(text)
    assert redact(shown) == shown
    assert len(shown) <= 5 * len(text) + 30


@given(TEXTS, st.integers(0, 120))
def test_the_sanitizer_stays_idempotent_and_within_its_limit_at_every_cut(text: str, limit: int) -> None:
    whole = sanitize(text, None, DEFAULT_STRIP_SEQUENCES)
    shown = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert sanitize(whole, None, DEFAULT_STRIP_SEQUENCES) == whole
    assert sanitize(shown, limit, DEFAULT_STRIP_SEQUENCES) == shown
    assert len(shown) <= limit
    assert whole.startswith(shown)


@pytest.mark.spread(20)
@pytest.mark.parametrize("kind", sorted(TOKENS))
@given(seed=SEEDS, form=st.sampled_from(FORMS), limit=st.one_of(st.none(), st.integers(0, 300)))
@settings(max_examples=25)
def test_no_token_of_any_kind_survives_whole_or_cut(
    kind: str, seed: int, form: str, limit: int | None
) -> None:
    secret = token(kind, seed)
    shown = sanitize(form.replace("@@", secret), limit, DEFAULT_STRIP_SEQUENCES)
    tail = secret[-16:]
    assert tail not in shown
    assert secret[: len(secret) - 4] not in shown


@given(seed=SEEDS, kind=st.sampled_from(sorted(TOKENS)), data=st.data())
def test_invisible_characters_and_full_width_letters_hide_no_token(seed: int, kind: str, data) -> None:
    secret = token(kind, seed)
    at = data.draw(st.integers(1, len(secret) - 1))
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in secret)
    for dressed in (secret[:at] + "\u200b" + secret[at:], secret[:at] + "\u00ad\ufeff" + secret[at:], wide):
        shown = sanitize(f"use {dressed} now", None, DEFAULT_STRIP_SEQUENCES)
        assert "[REDACTED:" in shown
        assert secret[-16:] not in shown


@given(
    TEXTS, st.sampled_from(["[", "]", "REDACTED", "password", "d]", "=[", ":", "[REDACTED:password]", "r"])
)
def test_a_listed_sequence_never_comes_back_by_a_mark(text: str, sequence: str) -> None:
    shown = sanitize(text, None, (sequence,))
    assert sequence.casefold() not in shown.casefold()
    assert sanitize(shown, None, (sequence,)) == shown
