"""What a name says about the value beside it: `db_password` holds a secret, `password_hash` does not. Pure."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from evaluator.egress.redaction.language.labels import LABELS
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
    "p(?:ass|wd|sk|epper)|se(?:cret|ss|ed|nha)|token|key|auth|c(?:red|ookie)|salt|jwt|mnemonic|kennwort|wachtwoord|"
    "(?<![a-z])(?:pw|pat)(?![a-z])|(?:mdp|clave|contrasena|chave|chiave|parola|geheim|parol)(?=_)"
    "|(?<=_)(?:mdp|clave|contrasena|chave|chiave|parola|geheim|parol)"
)
"""A name without one of these is not looked at. Lower case."""

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSWORDS = frozenset(
    word for labels in LABELS.values() for word in labels.passwords if word.isascii() and " " not in word
) | {"wachtwoord"}
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
_SHORT_PASSWORDS = _words("pass pw passw dbpass userpass rootpass smtppass adminpass mypass")
_SECRET_ENDS = ("secret", "secretkey", "mnemonic")
_TOKENS = _words("token")
_HINTS = _words(
    """jwt auth authorization cookie session sessionid sid credential credentials creds salt pepper seed mnemonic pat
    authkey accountkey"""
)
_TOKEN_ENDS = ("token", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey")
_HINT_ENDS = ("authkey", "accountkey")

_KEY_OF = _words(
    """api apis access secret private auth authorization encryption signing master shared merchant webhook license
    preshared openai anthropic claude gemini google github gitlab aws azure stripe heroku datadog
    cloudflare sendgrid mailgun
    twilio algolia sentry vercel supabase mapbox slack"""
)
_KEY_PERHAPS_OF = _words(
    """encrypt sign account app application consumer deploy deployment client admin root ssh gpg subscription function
    functions rsa aes hmac crypto cipher jwt user customer write server integration rest live test prod service
    storage validation security session data maps linear notion"""
)
_KEY_NOT_OF = _words(
    """public primary foreign cache sort partition publishable hash range row object index map dict lookup i18n
    dedupe routing group unique natural composite surrogate host hot arrow registry"""
)

_ABOUT = _words(
    """hash hashes hashed hasher file files path dir url uri endpoint name names id ids uuid type kind field fields
    label length len size count limit min max policy policies rule rules regex pattern prompt placeholder hint reset
    expiry expires expire expiration expired ttl lifetime age timeout seconds minutes hours days ms header headers
    prefix suffix format algorithm alg algo version provider manager mgr store service class model validator
    validation encoder column index input inputs form view page screen dialog error errors exception message msg text
    title description enabled disabled required visible visibility changed updated created at bucket budget usage
    ratio rate price cost scope scopes audience issuer realm realms namespace ref arn tokens passwords secrets keys
    stdin strength complexity history rotation attempts confirmation mode method source env var variable checker util
    utils helper handler factory middleware plugin module config settings options option state status event events
    fingerprint digest checksum sha md hashing encoding strategy storage toggle meter short long weak strong mismatch
    match forgotten logit logits probability embedding embeddings cookies sessions layer button
    icon docs tests test renderer parser reader writer callback fn func function vault engine target attachment"""
)
"""A last word that makes the name one of a fact about a secret."""

_ASKED = _words(
    """forgot forgotten reset has is no show hide require requires required allow check verify validate hash generate
    change update max min num total count pad eos bos mask unk sep cls next prev page continuation prompt completion
    cancellation stop special input output missing invalid wrong bad weak compare error errors label labels message
    messages"""
)
"""A first word that asks or tells about the secret rather than holding it."""


_WHICH = _words(
    "value string str literal prod production staging stage dev development test testing local default db admin root "
    "user old new current base id primary secondary main live sandbox master again plain plaintext"
)
"""Words after a label that say which secret it is."""
_ELSEWHERE = _words("pull existing ref from tls mount name bucket stream kind")
"""Words that make the value the name of a secret."""


def level_of(name: str) -> Level | None:
    """What a literal beside this identifier is, in any spelling (snake, kebab, camel, dotted); None: no secret."""
    words = [word.lower() for word in compiled(_WORD).findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words or words[-1] in _ABOUT or words[0] in _ASKED or "idempotency" in words:
        return None
    last = words[-1]
    if last == "secret" and "password" in words:
        return None
    if any(word in _PASSWORDS or word.endswith(_PASSWORD_ENDS) for word in words[-3:]):
        return Level.PASSWORD
    tail = "".join(words[-3:])
    if tail.endswith(_PASSWORD_TAILS):
        return Level.PASSWORD
    if "secret" in words or tail.endswith(_SECRET_ENDS):
        return Level.SECRET
    if last in _SHORT_PASSWORDS:
        return Level.PASSWORD
    if last == "key":
        return _level_of_key(name, words[:-1])
    if last in _TOKENS or tail.endswith(_TOKEN_ENDS):
        return Level.TOKEN
    return Level.HINT if last in _HINTS or tail.endswith(_HINT_ENDS) or "token" in words else None


def is_label(name: str) -> bool:
    """Whether the name itself calls its value a secret, and is not a fact about one (`password_hashing`)."""
    words = [word.lower() for word in compiled(_WORD).findall(name)]
    while words and (words[-1].isdigit() or words[-1] in _WHICH):
        words.pop()
    if not words or _ELSEWHERE.intersection(words):
        return False
    last = words[-1]
    return (
        last in _PASSWORDS
        or last in _SHORT_PASSWORDS
        or last.endswith((*_PASSWORD_ENDS, *_SECRET_ENDS))
        or last in _TOKENS
        or last == "key"
        or "".join(words[-3:]).endswith((*_TOKEN_ENDS, *_PASSWORD_TAILS))
    )


def is_word_for_secret(value: str) -> bool:
    """Whether the value is such a label itself, as on a form (`"password": "Mot de passe"`)."""
    return value.strip(" :*.").lower() in _all_labels()


@cache
def _all_labels() -> frozenset[str]:
    return frozenset(
        word
        for labels in LABELS.values()
        for group in (labels.passwords, labels.secrets, labels.tokens)
        for word in group
    )


def _level_of_key(name: str, qualifiers: list[str]) -> Level | None:
    if not qualifiers or _KEY_NOT_OF.intersection(qualifiers):
        return None
    if _KEY_OF.intersection(qualifiers) or any(one.endswith("api") for one in qualifiers):
        return Level.TOKEN
    return Level.HINT if _KEY_PERHAPS_OF.intersection(qualifiers) or name.isupper() else None
