"""What people call a secret, by language: the one table of labels, and how each language joins a value to one.

Lower case and NFKC, as the sanitizer shows a text. Data alone; depends on nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Labels(NamedTuple):
    """What names a secret in one language."""

    passwords: tuple[str, ...] = ()
    """Single words and phrases for what a person types."""
    secrets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Keys and tokens, which programs hand over."""
    joins: tuple[str, ...] = ()
    """Words between a label and its value: `is`."""
    towards: tuple[str, ...] = ()
    """Words before the value that a secret is set `to`."""
    of: tuple[str, ...] = ()
    """Words after a label that say whose it is: `the password for the server`."""


LABELS = {
    "en": Labels(
        (
            "password", "passwd", "passphrase", "passcode", "passkey",
            "pwd", "pswd", "psk", "pgpassword", "sshpass",
        ),
        ("secret",),
        (
            "token", "api key", "access key", "secret key",
            "private key", "signing key", "encryption key", "master key",
        ),
        ("is", "was", "equals"),
        ("to",),
        ("for", "of", "on", "in", "at", "to", "from"),
    ),
    "de": Labels(
        ("passwort", "kennwort", "zugangscode", "geheimzahl"),
        ("geheimnis",),
        (
            "api-schlüssel", "api schlüssel", "zugriffsschlüssel", "zugangsschlüssel", "geheimschlüssel",
            "geheime schlüssel", "geheimer schlüssel", "geheimen schlüssel", "privater schlüssel",
        ),
        ("ist", "war", "lautet", "lautete", "heißt", "heisst", "wäre"),
        ("auf",),
        ("für", "von", "vom", "zum", "zur", "zu", "der", "des", "im", "am", "bei", "beim"),
    ),
    "fr": Labels(
        ("mot de passe", "mdp", "phrase de passe", "phrase secrète", "code d'accès", "code secret"),
        (),
        (
            "clé api", "clé d'api", "clé secrète", "clé d'accès", "clé privée", "clef api", "clef d'api",
            "clef secrète", "clef d'accès", "jeton d'accès", "jeton secret", "jeton",
        ),
        ("est", "était", "c'est"),
        ("à", "sur"),
        ("pour", "de", "du", "des", "sur", "d'"),
    ),
    "es": Labels(
        (
            "contraseña", "contrasena", "clave de acceso", "clave de usuario", "frase de contraseña",
            "frase secreta", "clave",
        ),
        ("secreto", "secreto de cliente"),
        ("clave api", "clave de api", "clave de la api", "clave secreta", "clave privada"),
        ("es", "era"),
        ("a", "como"),
        ("para", "de", "del", "en"),
    ),
    "pt": Labels(
        ("senha", "palavra-passe", "palavra passe", "frase secreta", "código de acesso"),
        ("segredo",),
        ("chave api", "chave de api", "chave da api", "chave secreta", "chave de acesso", "chave privada"),
        ("é", "era"),
        ("para",),
        ("para", "do", "da", "dos", "das", "de", "no", "na"),
    ),
    "it": Labels(
        (
            "parola d'ordine", "parola d'accesso", "parola segreta",
            "parola di accesso", "frase segreta", "codice di accesso",
        ),
        ("segreto",),
        (
            "chiave api", "chiave dell'api", "chiave segreta", "chiave di accesso", "chiave d'accesso",
            "chiave privata",
        ),
        ("è", "era"),
        ("su",),
        ("per", "di", "del", "della", "dello", "dell'", "nel", "sul"),
    ),
    "ru": Labels(
        (
            "пароль", "пароля", "паролем", "паролю", "кодовое слово", "кодовая фраза", "парольная фраза",
            "секретная фраза", "код доступа",
        ),
        ("секрет",),
        (
            "ключ api", "api-ключ", "api ключ", "апи-ключ", "секретный ключ", "ключ доступа", "приватный ключ",
            "закрытый ключ", "токен доступа", "токен",
        ),
        ("это", "был", "такой"),
        ("на",),
        ("для", "от", "к", "на", "в", "у"),
    ),
    "zh": Labels(
        ("密码", "密碼", "口令", "通行码", "通行碼", "密码短语"),
        ("暗号",),
        (
            "api密钥", "api 密钥", "api密鑰", "api金鑰", "访问密钥", "存取金鑰", "密钥", "密鑰", "秘钥", "金鑰",
            "私钥", "访问令牌", "存取權杖", "令牌",
        ),
        ("是", "为", "為", "就是", "叫", "改成", "设为", "設為"),
    ),
    "ja": Labels(
        ("パスワード", "パスフレーズ", "パスコード", "暗証番号", "合言葉"),
        ("シークレット", "クライアントシークレット"),
        (
            "apiキー", "api キー", "アクセスキー", "シークレットキー",
            "秘密鍵", "アクセストークン", "認証トークン", "トークン",
        ),
        ("は", "が", "を"),
    ),
    "ko": Labels(
        ("비밀번호", "패스워드", "암호", "암호문구", "패스코드", "비번"),
        ("시크릿", "비밀"),
        (
            "api 키", "api키", "비밀 키", "비밀키", "시크릿 키",
            "액세스 키", "접근 키", "개인 키", "액세스 토큰", "인증 토큰", "토큰",
        ),
        ("은", "는", "이", "가"),
    ),
    "hi": Labels(
        ("पासवर्ड", "पासफ़्रेज़", "पासकोड", "कूटशब्द", "गुप्त शब्द", "गुप्त कोड"),
        ("सीक्रेट",),
        ("api कुंजी", "एपीआई कुंजी", "api की", "एपीआई की", "गुप्त कुंजी", "निजी कुंजी", "एक्सेस टोकन", "टोकन"),
        ("है", "था", "थी"),
    ),
}  # fmt: skip

_LATIN = ("en", "de", "fr", "es", "pt", "it")


def joins() -> tuple[str, ...]:
    """The joining words of the languages that write words apart."""
    return _united(labels.joins for code, labels in LABELS.items() if code in (*_LATIN, "ru", "hi"))


def joins_without_space() -> tuple[str, ...]:
    return _united(LABELS[code].joins for code in ("zh", "ja", "ko"))


def towards() -> tuple[str, ...]:
    return _united(labels.towards for labels in LABELS.values())


def of() -> tuple[str, ...]:
    return _united(labels.of for labels in LABELS.values())


def _united(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({word for group in groups for word in group}, key=lambda word: (-len(word), word)))
