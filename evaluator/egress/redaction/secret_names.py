"""What a name, and a word beside it, says about a value: `db_password` holds a secret, `password_hash` does not. Pure.

How people speak of secrets, by language: labels, and which words only go on with the sentence after one. A password can
be a word that people say of passwords (`the password is wrong`), and is then left: a reader needs the sentence. The
words stand in `egress/secret_words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from typing import NamedTuple, cast

from evaluator.egress.redaction.patterns import compiled
from evaluator.text import table

_WORDS = "egress/secret_words"


@cache
def vocabulary(name: str) -> frozenset[str]:
    """A list of the table."""
    return frozenset(cast(Mapping[str, str], table(_WORDS)["words"])[name].split())


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of the table, whose line ends are no part of it."""
    return re.compile(cast(Mapping[str, str], table(_WORDS)["patterns"])[name].replace("\n", ""))


class Labels(NamedTuple):
    """What names a secret in one language, as the table says of each field."""

    passwords: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    towards: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    users: tuple[str, ...] = ()


@cache
def labels() -> dict[str, Labels]:
    """Words for secrets, by language."""
    found = cast(Mapping[str, Mapping[str, list[str]]], table(_WORDS)["labels"])
    return {
        code: Labels(**{field: tuple(words) for field, words in row.items()}) for code, row in found.items()
    }


JOINED = ("zh", "ja", "ko")
"""The languages that write words without spaces, or join particles to them."""


@cache
def joins(*, spaced: bool = True) -> tuple[str, ...]:
    """The joining words of the languages that write words apart, or of the others."""
    return _secret_label_words("joins", tuple(code for code in labels() if (code not in JOINED) is spaced))


@cache
def named(field: str) -> tuple[str, ...]:
    """What all languages have in this field of the labels, the longest first."""
    return _secret_label_words(field, tuple(labels()))


def _secret_label_words(field: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    found = {word for code in codes for word in getattr(labels()[code], field)}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


_PARTS_MAX = 3


def goes_on(value: str) -> bool:
    """Whether the value is a word of the sentence, or is put together with one (`case-sensitive`)."""
    word = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if not word or _is_said_of_secret(word):
        return True
    parts = compiled("[-_/]").split(word)
    return 1 < len(parts) <= _PARTS_MAX and (parts[0] in vocabulary("leads") or _is_said_of_secret(parts[-1]))


def _is_said_of_secret(word: str) -> bool:
    if word in vocabulary("function") or word in vocabulary("told"):
        return True
    return word not in vocabulary("no_endings") and pattern("said").fullmatch(word) is not None


@cache
def _words_after_secret() -> frozenset[str]:
    continuing = cast(Mapping[str, str], table(_WORDS)["continues"])
    return frozenset(word for words in continuing.values() for word in words.split())


def continues(value: str) -> bool:
    """Whether the value is a word that goes on after a label."""
    return goes_on(value) or value.lower().strip(".,:;!?()[]{}\"'`*_") in _words_after_secret()


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


KINDS = {Level.PASSWORD: "password", Level.SECRET: "secret", Level.TOKEN: "token", Level.HINT: "token"}
"""What a mark names."""

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


def level_of(name: str) -> Level | None:
    """What a literal beside this identifier is, in any spelling (snake, kebab, camel, dotted); None: no secret."""
    parts = [word.lower() for word in compiled(_WORD).findall(name)]
    while parts and parts[-1].isdigit():
        parts.pop()
    if not parts or parts[-1] in vocabulary("about") or parts[0] in vocabulary("asked"):
        return None
    last = parts[-1]
    tail = "".join(parts[-3:])
    if tail.endswith(_PASSWORD_TAILS) or any(
        word in _password_names() or word.endswith(_PASSWORD_ENDS) for word in parts[-3:]
    ):
        return Level.PASSWORD
    if "secret" in parts:
        return Level.SECRET
    if last in vocabulary("short_passwords"):
        return Level.PASSWORD
    if last == "key":
        qualifiers = parts[:-1]
        if not qualifiers or vocabulary("key_not_of").intersection(qualifiers):
            return None
        if vocabulary("key_of").intersection(qualifiers) or any(one.endswith("api") for one in qualifiers):
            return Level.TOKEN
        return Level.HINT if vocabulary("key_perhaps_of").intersection(qualifiers) or name.isupper() else None
    if tail.endswith(_TOKEN_ENDS):
        return Level.TOKEN
    return Level.HINT if last in vocabulary("hints") else None


def is_label(name: str) -> bool:
    """Whether the name itself calls its value a secret, and is not a fact about one (`password_hashing`)."""
    parts = [word.lower() for word in compiled(_WORD).findall(name)]
    while parts and (parts[-1].isdigit() or parts[-1] in vocabulary("which")):
        parts.pop()
    if not parts or vocabulary("elsewhere").intersection(parts) or parts[-2:] == ["password", "key"]:
        return False
    last = parts[-1]
    return (
        last in _password_names()
        or last in vocabulary("short_passwords")
        or last.endswith((*_PASSWORD_ENDS, *_SECRET_ENDS))
        or last in {"token", "key"}
        or "".join(parts[-3:]).endswith((*_TOKEN_ENDS, *_PASSWORD_TAILS))
    )


def is_word_for_secret(value: str) -> bool:
    """Whether the value is such a label itself, as on a form (`"password": "Mot de passe"`)."""
    return value.strip(" :*.").lower() in _all_secret_labels()


@cache
def _all_secret_labels() -> frozenset[str]:
    return frozenset(
        word
        for one in labels().values()
        for group in (one.passwords, one.secrets, one.tokens)
        for word in group
    )


@cache
def _password_names() -> frozenset[str]:
    """What the parts of an identifier may be."""
    known = {
        word for one in labels().values() for word in one.passwords if word.isascii() and " " not in word
    }
    return frozenset(known | {"wachtwoord", "parola", "parol", "geheim"})
