"""Whether the value beside a secret-like name is a literal secret, or a reference, a placeholder, a word. Pure."""

from __future__ import annotations

import binascii
import itertools
import re
import unicodedata

from evaluator.egress.redaction.patterns import compiled
from evaluator.egress.redaction.secret_names import Level, goes_on, is_word_for_secret, pattern, vocabulary

CHARS_MIN = 4
_RANDOM_MIN = 16
_NUMBER_MIN = 5
"""A shorter number may count or measure what the label names."""
_STATED_MIN = 2
"""In other scripts than Latin a word can be two characters long."""
_PHRASE_CHARS_MAX = 128
_PHRASE_WORDS_MAX = 12

_REFERENCE = r"""
    \$\{ | \$\( | \{\{ | \#\{ | %\( | <% | \$\w++\Z | \$\w+:\w | %\w++%?\Z | <[^>]*+>?\Z | \[
    | \{[\w.:!\[\]'"()\s-]*+\}?\Z
    | \$?[A-Za-z_][\w.:>?!-]*+[\[(]
    | [A-Za-z_]\w*+ (?:(?:\?\.|\.|->|::)[A-Za-z_]\w*+)++[;,)]?\Z
    | @?[A-Za-z_]\w*+\.\.\. | [!@&*](?=[A-Za-z_]\w*+\s*\Z) | &\#?\w{1,8}+;?
    | (?:vault|op|env|file|secretref|ssm|sm|ref\+\w+|keyring|arn:aws[\w-]*|projects|gcpsecretmanager):?[:/]
    | ENC\[ | Ag[A-Za-z0-9+/]{100,}
    | @[\w./~-]+\.\w+\Z | [a-z][a-z0-9+.-]{1,20}:// | [A-Za-z]:\\
    | [*•]{3,}+\w{0,6}\Z | \w{1,6}[*•]{4,}+\w{0,6}\Z | \*+\Z | [-=~/\\.,:;()+&|?!#]+\Z"""
_REFERENCE_INSIDE = (
    r"\$\{|\$\(|\{\{|\{[a-z_][\w.]*+\}|%\(\w+\)s|<[a-z][\w -]*+>|(?:\.\.\.|…)\Z|\A.{0,10}(?:\.\.\.|…).{0,6}\Z"
    r"|\(\?[:=!<]|\[\^?[a-zA-Z0]-|\(\.|\^\(|\.\*"
)
"""Interpolations, cuts, and regular expressions."""
_PATH = r"\.{0,2}~?/[\w.-]+(?:/|\Z)"
_FORM_CHARS_MAX = 100
_PROSE = (
    r"(?<![A-Za-z])(?:the|your|a|an|is|are|was|must|should|please|enter|password|to|for|of|or|and|not|be|has|with|in)"
    r"(?![A-Za-z])"
)
_SENSITIVE = "pass|pwd|secret|token|(?<!mon|don|tur|hoc)key|cred"
_LABEL = "Password|_password|password[_-]|-password"
_CAPITALISED = "[A-Z][a-z]+(?:[A-Z]+[a-z]+)*"
_MIXED_SYMBOL = r"\w[!#-&*+<-@\[-^`{-~]+\w"


def is_secret(value: str, level: Level, *, quoted: bool) -> bool:
    """Whether `value` (without its quotes), held under a name of this level, is to be replaced: bare values must look
    like a secret, for an expression of code or a word of a sentence could stand there."""
    if (
        len(value) < CHARS_MIN
        or is_reference(value, quoted=quoted)
        or is_placeholder(value)
        or is_word_for_secret(value)
    ):
        return False
    if level is Level.PASSWORD:
        if value.rstrip().endswith((":", "?")):
            return False
        if not quoted:
            mixed = has_digit_and_letter(value) or compiled(_MIXED_SYMBOL).search(value) is not None
            mixed = mixed and not any(map(str.isspace, value))
            return (
                mixed
                and not pattern("no_literal").fullmatch(value.lower())
                and not _value_names_secret(value)
            )
        if any(map(str.isspace, value)):
            return len(value) <= _PHRASE_CHARS_MAX and not compiled(_PROSE, re.IGNORECASE).search(value)
        return not compiled(_CAPITALISED).fullmatch(value) and not compiled(_LABEL).search(value)
    return is_random(value, _RANDOM_MIN) and not any(map(str.isspace, value))


def is_stated(value: str, level: Level, *, quoted: bool, strong: bool = False, talked: bool = True) -> bool:
    """Whether the value is the secret that its label announces, given that the two surely belong together.

    Its shape does not count, only whether it is plainly something else: a reference, a placeholder, a type, the
    name of a secret, or, where it is `talked`, a word of the sentence. After a `strong` label (`api key`, not
    `token`) a long number is one too.
    """
    if len(value) < (CHARS_MIN if value.isascii() else _STATED_MIN):
        return False
    if is_reference(value, quoted=quoted) or is_placeholder(value) or is_word_for_secret(value):
        return False
    if any(map(str.isspace, value)):
        return quoted and level is Level.PASSWORD and is_passphrase(value)
    if (talked and goes_on(value)) or pattern("no_value").fullmatch(value.lower()):
        return False
    if level is not Level.PASSWORD and (
        (value.isdecimal() and not (strong and len(value) >= _NUMBER_MIN))
        or compiled(_SENSITIVE, re.IGNORECASE).search(value)
    ):
        return False
    return not (talked and _value_names_secret(value))


def is_passphrase(value: str) -> bool:
    """Words of which none makes a sentence: `correct horse battery staple`."""
    words = value.lower().split()
    joined = "".join(word for word in words if word != "&")
    return (
        2 <= len(words) <= _PHRASE_WORDS_MAX
        # Letters, digits and the vowel signs that some scripts write as marks.
        and all(char.isalnum() or unicodedata.category(char)[0] == "M" for char in joined)
        and not vocabulary("function").intersection(words)
        and not any(compiled(_SENSITIVE).search(word) for word in words)
    )


def is_reference(value: str, *, quoted: bool) -> bool:
    """Whether the value stands for one that is kept elsewhere: a variable, a call, a path, a template."""
    reference = compiled(_REFERENCE, re.VERBOSE)
    found = reference.match(value) or (None if quoted else reference.match(value.lstrip("(*&")))
    if found is not None and _is_dotted_secret_value(value):
        return False
    if found is None:
        path = compiled(_PATH).match(value) is not None and not is_random(value, 24)
        return path or compiled(_REFERENCE_INSIDE).search(value) is not None
    # Between quotes most of code is plain text; only what interpolates, and whole addresses, still refer.
    return not quoted or value[0] in "$%#{<*[./~-=&" or "://" in found[0] or ":" in found[0]


def _is_dotted_secret_value(value: str) -> bool:
    """Whether dots join words that no program reaches through: with a capital or a digit (`Shanghai.Tan`)."""
    parts = value.rstrip(";,)").split(".")
    lowered = [part.lower() for part in parts]
    if not all(map(str.isidentifier, parts)) or not vocabulary("objects").isdisjoint(lowered):
        return False
    if any(compiled(_SENSITIVE).search(part) for part in lowered):
        return False
    odd = any(map(str.isdigit, value)) and (value != value.lower() or value[-1].isdigit())
    return odd or all(map(str.istitle, parts))


def is_placeholder(value: str) -> bool:
    kinds = compiled("[|:]").split(value.lower())
    plain = vocabulary("plain")
    return (kinds[0] in plain and all(kind in plain or kind.isdecimal() for kind in kinds)) or is_form(value)


def is_form(value: str) -> bool:
    """Whether the whole value shows where a secret goes: `xxxx`, `your-key-here`."""
    lowered = value.lower()
    if len(set(lowered)) < 3:
        return True
    if pattern("placeholder").search(lowered) is None:
        return False
    return pattern("form").fullmatch(lowered[:_FORM_CHARS_MAX]) is not None


def _value_names_secret(value: str) -> bool:
    """An identifier such as `new_password` or `password2`: a variable, not what it holds."""
    return (
        value.isidentifier()
        and bool(compiled(_SENSITIVE, re.IGNORECASE).search(value))
        and not compiled("[0-9]{2}").search(value)
    )


def has_digit_and_letter(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


_CHUNK_MIN = 8
_HEX_MIN = 16
_CHANGES_MIN = 0.28
"""Least share of neighbours of unlike kind (lower, upper, digit) in a random run: camel case of English words has
about 0.25, random base62 0.6, base36 0.4."""
_WORDS_MAX = 0.6
_WORDS_MAX_LOWER = 0.75
"""Share of the characters that runs of at least three lower-case letters may hold: 0.2 in random base62, 0.6 in
base36, nearly 1 in identifiers."""

_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEX = r"(?=[a-f]*+[0-9])(?=[0-9]*+[a-f])[0-9a-f]+|(?=[A-F]*+[0-9])(?=[0-9]*+[A-F])[0-9A-F]+"
_LETTERS = r"[A-Z]?[a-z]{3,}"
_BREAK = r"[-_./+:~,=%]"


def is_random(value: str, least: int) -> bool:
    """Whether a value of at least `least` characters is a UUID, hex, or has a chunk that looks random."""
    core = value.strip("=")
    if len(core) < least:
        return False
    if compiled(_UUID).fullmatch(core) or compiled(_HEX).fullmatch(core):
        return True
    chunks = compiled(_BREAK).split(core)
    if any(len(chunk) >= _CHUNK_MIN and is_mixed(chunk) for chunk in chunks):
        return True
    joined = "".join(chunks)
    return all(sum(map(kind, joined)) >= 2 for kind in (str.isdigit, str.isupper, str.islower)) and is_mixed(
        joined
    )


def is_mixed(chunk: str) -> bool:
    if len(chunk) >= _HEX_MIN and compiled(_HEX).fullmatch(chunk):
        return True
    if not chunk.isalnum() or chunk.isdigit():
        return False
    words_max = _WORDS_MAX_LOWER if chunk.islower() else _WORDS_MAX
    if sum(map(len, compiled(_LETTERS).findall(chunk))) >= words_max * len(chunk):
        return False
    kinds = [0 if char.islower() else 1 if char.isupper() else 2 for char in chunk]
    changes = sum(one != other for one, other in itertools.pairwise(kinds))
    return changes >= max(3, _CHANGES_MIN * (len(chunk) - 1))


def is_user_and_password(value: str) -> bool:
    """Whether this is the base64 of `user:password` (RFC 7617)."""
    return ":" in _decode_base64_value(value)[1:]


def is_text(value: str) -> bool:
    """Whether this is the base64 of words."""
    return " " in _decode_base64_value(value)


def _decode_base64_value(value: str) -> str:
    """What printable text it is the base64 of, white space as spaces; empty where of none."""
    if not value.isascii() or len(value) < _CHUNK_MIN:
        return ""
    try:
        found = binascii.a2b_base64(value[: len(value) // 4 * 4]).decode()
    except ValueError:
        return ""
    found = " ".join(found.split())
    return found if found.isprintable() else ""
