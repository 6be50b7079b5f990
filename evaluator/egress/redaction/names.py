"""What a name says about the value beside it: `db_password` holds a secret, `password_hash` does not. Pure."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from evaluator.egress.redaction.language import labels, vocabulary
from evaluator.egress.redaction.patterns import compiled


class Level(IntEnum):
    """How little a value must look like a secret to be taken for one, where it is not plainly a literal.

    Where it is, all but `HINT` are labels: whatever it looks like, it is the secret.
    """

    HINT = 0
    """Only if it looks random, wherever it stands: names such as `session`, `auth`, `salt`."""
    TOKEN = 1
    """If it looks random: names such as `token`, `api_key`."""
    SECRET = 2
    """Unless it is made of words: `client_secret`."""
    PASSWORD = 3
    """Whatever it is, if it is a literal."""


KEYWORDS = (
    "p(?:ass|wd|sk|epper|w(?<![a-z]pw)(?![a-z])|at(?<![a-z]pat)(?![a-z]))|se(?:cret|ss|ed|nha)|token|key|auth|"
    "c(?:red|ookie)|salt|jwt|mnemonic|kennwort|wachtwoord|"
    + "|".join(
        f"{word}(?:(?=_)|(?<=_{word}))"
        for word in ("mdp", "clave", "contrasena", "chave", "chiave", "parola", "geheim", "parol")
    )
)
"""A name without one of these is not looked at. Lower case. Each begins with a letter, so that a search skips to it."""

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"


_PASSWORD_ENDS = (
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "kennwort",
    "requirepass",
    "storepass",
    "keypass",
)
_PASSWORD_TAILS = ("motdepasse", "palavrapasse")
_SECRET_ENDS = ("secret", "secretkey", "mnemonic")
_TOKEN_ENDS = ("token", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey")
_HINT_ENDS = ("authkey", "accountkey")


def level_of(name: str) -> Level | None:
    """What a literal beside this identifier is, in any spelling (snake, kebab, camel, dotted); None: no secret."""
    parts = [word.lower() for word in compiled(_WORD).findall(name)]
    while parts and parts[-1].isdigit():
        parts.pop()
    if (
        not parts
        or parts[-1] in vocabulary("about")
        or parts[0] in vocabulary("asked")
        or "idempotency" in parts
        or parts[-3:] == ["public", "key", "token"]
    ):
        return None
    last = parts[-1]
    if last == "secret" and "password" in parts:
        return None
    if any(word in _passwords() or word.endswith(_PASSWORD_ENDS) for word in parts[-3:]):
        return Level.PASSWORD
    tail = "".join(parts[-3:])
    if tail.endswith(_PASSWORD_TAILS):
        return Level.PASSWORD
    if "secret" in parts or tail.endswith(_SECRET_ENDS):
        return Level.SECRET
    if last in vocabulary("short_passwords"):
        return Level.PASSWORD
    if last == "key":
        return _level_of_key(name, parts[:-1])
    if last == "token" or tail.endswith(_TOKEN_ENDS):
        return Level.TOKEN
    return (
        Level.HINT if last in vocabulary("hints") or tail.endswith(_HINT_ENDS) or "token" in parts else None
    )


def is_label(name: str) -> bool:
    """Whether the name itself calls its value a secret, and is not a fact about one (`password_hashing`)."""
    parts = [word.lower() for word in compiled(_WORD).findall(name)]
    while parts and (parts[-1].isdigit() or parts[-1] in vocabulary("which")):
        parts.pop()
    if not parts or vocabulary("elsewhere").intersection(parts):
        return False
    last = parts[-1]
    return (
        last in _passwords()
        or last in vocabulary("short_passwords")
        or last.endswith((*_PASSWORD_ENDS, *_SECRET_ENDS))
        or last in {"token", "key"}
        or "".join(parts[-3:]).endswith((*_TOKEN_ENDS, *_PASSWORD_TAILS))
    )


def is_word_for_secret(value: str) -> bool:
    """Whether the value is such a label itself, as on a form (`"password": "Mot de passe"`)."""
    return value.strip(" :*.").lower() in _all_labels()


@cache
def _all_labels() -> frozenset[str]:
    return frozenset(
        word
        for one in labels().values()
        for group in (one.passwords, one.secrets, one.tokens)
        for word in group
    )


@cache
def _passwords() -> frozenset[str]:
    """What the parts of an identifier may be."""
    known = {
        word for one in labels().values() for word in one.passwords if word.isascii() and " " not in word
    }
    return frozenset(known | {"wachtwoord", "parola", "parol", "geheim"})


def _level_of_key(name: str, qualifiers: list[str]) -> Level | None:
    if not qualifiers or vocabulary("key_not_of").intersection(qualifiers):
        return None
    if vocabulary("key_of").intersection(qualifiers) or any(one.endswith("api") for one in qualifiers):
        return Level.TOKEN
    return Level.HINT if vocabulary("key_perhaps_of").intersection(qualifiers) or name.isupper() else None
