"""What a name says about the value beside it: `db_password` holds a secret, `password_hash` does not. Pure."""

from __future__ import annotations

from enum import IntEnum

from evaluator.stages.redaction.patterns import compiled


class Level(IntEnum):
    """How little a value must look like a secret to be taken for one."""

    TOKEN = 1
    """Only if it looks random: names such as `token`, `api_key`, `session`."""
    SECRET = 2
    """Unless it is made of words: `client_secret`."""
    PASSWORD = 3
    """Whatever it is, if it is a literal."""


KEYWORDS = (
    "pass|pwd|psk|secret|token|key|auth|cred|cookie|sess|salt|jwt|seed|mnemonic|pepper|senha|kennwort|wachtwoord|"
    "(?<![a-z])(?:pw|pat)(?![a-z])"
)
"""A name without one of these is not looked at. Lower case."""

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSWORDS = _words(
    """password passwd passphrase passcode pwd passwort kennwort wachtwoord senha pswd psk pgpassword
    sshpass"""
)
_PASSWORD_ENDS = ("password", "passwd", "passphrase")
_SHORT_PASSWORDS = _words("pass pw passw")
_SECRET_ENDS = ("secret", "secretkey", "mnemonic")
_TOKENS = _words(
    """token jwt auth authorization cookie session sessionid sid credential credentials creds salt pepper seed
    mnemonic pat authkey signingkey encryptionkey accountkey masterkey"""
)
_TOKEN_ENDS = ("token", "apikey", "accesskey", "privatekey", "authkey", "accountkey")

_KEY_OF = _words(
    """api apis access secret private auth authorization encryption encrypt signing sign master account shared app
    application consumer deploy deployment webhook client admin root ssh gpg subscription function functions license
    rsa aes hmac crypto cipher jwt user customer write server integration rest live test prod service storage
    validation security session data preshared openai anthropic claude gemini google maps github gitlab aws azure
    stripe heroku datadog cloudflare sendgrid mailgun twilio algolia sentry linear notion vercel supabase mapbox
    slack"""
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
    fingerprint digest checksum sha md logit logits probability embedding embeddings cookies sessions layer button
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


def level_of(name: str) -> Level | None:
    """What a literal beside this identifier is, in any spelling (snake, kebab, camel, dotted); None: no secret."""
    words = [word.lower() for word in compiled(_WORD).findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words or words[-1] in _ABOUT or words[0] in _ASKED or "idempotency" in words:
        return None
    last = words[-1]
    if any(word in _PASSWORDS or word.endswith(_PASSWORD_ENDS) for word in words[-3:]):
        return Level.PASSWORD
    tail = "".join(words[-3:])
    if "secret" in words or tail.endswith(_SECRET_ENDS):
        return Level.SECRET
    if last in _SHORT_PASSWORDS:
        return Level.PASSWORD
    if last == "key":
        return _level_of_key(name, words[:-1])
    if last in _TOKENS or tail.endswith(_TOKEN_ENDS) or "token" in words:
        return Level.TOKEN
    return None


def _level_of_key(name: str, qualifiers: list[str]) -> Level | None:
    if not qualifiers or _KEY_NOT_OF.intersection(qualifiers):
        return None
    known = _KEY_OF.intersection(qualifiers) or any(one.endswith("api") for one in qualifiers)
    return Level.TOKEN if known or name.isupper() else None
