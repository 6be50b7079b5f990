"""Secrets made at run time, so that no token-shaped literal stands in the repository; and texts that hold them."""

from __future__ import annotations

import base64
import json
import random
import string
import tomllib

from repository import ROOT

LOWER_HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "-_"
BASE64 = ALNUM + "+/"


def drawn(draw: random.Random, alphabet: str, count: int) -> str:
    """Characters of the alphabet, one of each class that it has among the first."""
    classes = [
        [char for char in alphabet if is_of(char)] for is_of in (str.isdigit, str.islower, str.isupper)
    ]
    first = [draw.choice(members) for members in classes if members][:count]
    return "".join(first + [draw.choice(alphabet) for _ in range(count - len(first))])


def uuid(draw: random.Random) -> str:
    return "-".join(drawn(draw, LOWER_HEX, count) for count in (8, 4, 4, 4, 12))


ALPHABETS = {
    "HEX": LOWER_HEX, "UPPER": UPPER, "ALNUM": ALNUM, "URL64": URL64, "BASE64": BASE64, "DIGIT": string.digits,
}  # fmt: skip
TOKENS: dict[str, str] = tomllib.loads((ROOT / "fixtures/secrets/tokens.toml").read_text("utf-8"))
"""By service: the shape of its token."""


def token(kind: str, seed: int) -> str:
    draw = random.Random(seed)
    parts = (part.partition("*") for part in TOKENS[kind].split())
    return "".join(drawn(draw, ALPHABETS[name], int(count)) if count else name for name, _, count in parts)


def jwt(seed: int) -> str:
    draw = random.Random(seed)
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": str(draw.randrange(10**9)), "iat": 1516239022})
    encoded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return ".".join((*encoded, drawn(draw, URL64, 43)))


def private_key(seed: int, label: str = "RSA PRIVATE KEY", lines: int = 6) -> tuple[str, list[str]]:
    """A block in PEM form, and the lines of its body."""
    draw = random.Random(seed)
    body = [drawn(draw, BASE64, 64) for _ in range(lines)] + [drawn(draw, BASE64, 22) + "=="]
    dashes = "-" * 5
    return "\n".join((f"{dashes}BEGIN {label}{dashes}", *body, f"{dashes}END {label}{dashes}")), body


def password(seed: int) -> str:
    """Letters of both cases, digits and two symbols, as a generator gives."""
    draw = random.Random(seed)
    return drawn(draw, ALNUM, 6) + draw.choice("!@#%^*") + drawn(draw, ALNUM, 4) + draw.choice("!_-+")


FORMS = (
    "@@", "use @@ for the deploy", "(@@)", '"@@"', "`@@`.", "TOKEN=@@", "token: @@\n", "x,@@,y",
    "line one\\n@@\\nline two", "https://x.test/?t=@@", "<b>@@</b>", "[@@]", "a=@@;b=1", "Here you go:\n\n    @@\n",
)  # fmt: skip
"""What a token may stand in."""
