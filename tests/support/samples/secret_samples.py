"""Secrets made at run time, so that no token-shaped literal stands in the repository; and texts that hold them."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

LOWER_HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "-_"
BASE64 = ALNUM + "+/"

Part = str | tuple[str, int]
"""A literal, or an alphabet with a number of characters to draw from it."""


def drawn(draw: random.Random, alphabet: str, count: int) -> str:
    """Characters of the alphabet, one of each class that it has among the first."""
    classes = [
        [char for char in alphabet if is_of(char)] for is_of in (str.isdigit, str.islower, str.isupper)
    ]
    first = [draw.choice(members) for members in classes if members][:count]
    return "".join(first + [draw.choice(alphabet) for _ in range(count - len(first))])


def uuid(draw: random.Random) -> str:
    return "-".join(drawn(draw, LOWER_HEX, count) for count in (8, 4, 4, 4, 12))


TOKENS: dict[str, tuple[Part, ...]] = {
    "aws-key": ("AK", "IA", (UPPER, 16)),
    "aws-session-key": ("AS", "IA", (UPPER, 16)),
    "github": ("gh", "p_", (ALNUM, 36)),
    "github-oauth": ("gh", "o_", (ALNUM, 36)),
    "github-app": ("gh", "s_", (ALNUM, 36)),
    "github-refresh": ("gh", "r_", (ALNUM, 76)),
    "github-fine-grained": ("github", "_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab": ("gl", "pat-", (URL64, 20)),
    "gitlab-runner": ("gl", "rt-", (URL64, 20)),
    "slack-bot": ("xo", "xb-", (string.digits, 12), "-", (string.digits, 12), "-", (ALNUM, 24)),
    "slack-app": ("xa", "pp-1-A", (UPPER, 10), "-", (string.digits, 13), "-", (LOWER_HEX, 64)),
    "slack-webhook": (
        "https://hooks.sl",
        "ack.com/services/T",
        (UPPER, 8),
        "/B",
        (UPPER, 8),
        "/",
        (ALNUM, 24),
    ),
    "stripe": ("sk", "_live_", (ALNUM, 24)),
    "stripe-restricted": ("rk", "_test_", (ALNUM, 24)),
    "stripe-webhook": ("wh", "sec_", (ALNUM, 32)),
    "google": ("AI", "za", (URL64, 35)),
    "google-oauth": ("ya", "29.", (URL64, 120)),
    "google-client-secret": ("GOC", "SPX-", (URL64, 28)),
    "openai-legacy": ("s", "k-", (ALNUM, 48)),
    "openai": ("s", "k-proj-", (URL64, 74), "T3Blbk", "FJ", (URL64, 74)),
    "anthropic": ("sk-", "ant-api03-", (URL64, 93), "AA"),
    "openrouter": ("sk-", "or-v1-", (LOWER_HEX, 64)),
    "npm": ("np", "m_", (ALNUM, 36)),
    "pypi": ("py", "pi-AgEIcHlwaS5vcmc", (URL64, 120)),
    "docker": ("dckr", "_pat_", (URL64, 27)),
    "azure-client-secret": ((ALNUM, 3), "8", "Q~", (ALNUM, 34)),
    "azure-devops": ((ALNUM, 76), "AZ", "DO", (ALNUM, 4)),
    "digitalocean": ("do", "p_v1_", (LOWER_HEX, 64)),
    "heroku": ("HR", "KU-", (URL64, 60)),
    "twilio": ("S", "K", (LOWER_HEX, 32)),
    "sendgrid": ("S", "G.", (URL64, 22), ".", (URL64, 43)),
    "mailgun": ("key", "-", (LOWER_HEX, 32)),
    "mailgun-new": ((LOWER_HEX, 32), "-", (LOWER_HEX, 8), "-", (LOWER_HEX, 8)),
    "mailchimp": ((LOWER_HEX, 32), "-us", "12"),
    "cloudflare-origin": ("v1", ".0-", (LOWER_HEX, 24), "-", (LOWER_HEX, 146)),
    "vercel": ("vc", "p_", (ALNUM, 56)),
    "netlify": ("nf", "p_", (ALNUM, 36)),
    "sentry": ("sn", "trys_", (BASE64, 80)),
    "telegram": ((string.digits, 10), ":A", "A", (URL64, 33)),
    "discord": ("MT", (ALNUM, 24), ".", (URL64, 6), ".", (URL64, 38)),
    "discord-webhook": ("https://discord.com/api/web", "hooks/", (string.digits, 18), "/", (URL64, 68)),
    "shopify": ("shp", "at_", (LOWER_HEX, 32)),
    "square": ("sq0", "csp-", (URL64, 43)),
    "huggingface": ("h", "f_", (ALNUM, 34)),
    "databricks": ("da", "pi", (LOWER_HEX, 32)),
    "atlassian": ("ATA", "TT3xFfGF0", (URL64, 180)),
    "linear": ("lin", "_api_", (ALNUM, 40)),
    "notion": ("nt", "n_", (ALNUM, 46)),
    "notion-old": ("sec", "ret_", (ALNUM, 43)),
    "supabase": ("sb", "p_", (LOWER_HEX, 40)),
    "supabase-secret": ("sb_", "secret_", (URL64, 31)),
    "vault": ("hv", "s.", (URL64, 90)),
    "vault-old": ("s", ".", (ALNUM, 24)),
    "doppler": ("dp", ".pt.", (ALNUM, 43)),
    "terraform": ((ALNUM, 14), ".atla", "sv1.", (URL64, 67)),
    "grafana": ("gl", "sa_", (ALNUM, 32), "_", (LOWER_HEX, 8)),
    "newrelic": ("NR", "AK-", (UPPER, 27)),
    "postman": ("PM", "AK-", (LOWER_HEX, 24), "-", (LOWER_HEX, 34)),
    "figma": ("fi", "gd_", (URL64, 40)),
    "airtable": ("pa", "t", (ALNUM, 14), ".", (LOWER_HEX, 64)),
    "groq": ("gs", "k_", (ALNUM, 52)),
    "replicate": ("r", "8_", (ALNUM, 37)),
    "rubygems": ("ruby", "gems_", (LOWER_HEX, 48)),
    "age": ("AGE-SECRET", "-KEY-1", (UPPER, 58)),
    "alibaba": ("LT", "AI", (ALNUM, 20)),
}
"""By service: the shape of its token."""


def token(kind: str, seed: int) -> str:
    draw = random.Random(seed)
    return "".join(part if isinstance(part, str) else drawn(draw, *part) for part in TOKENS[kind])


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


SETTINGS: tuple[Callable[[str], str], ...] = tuple(
    (lambda value, form=form: form.replace("@@", value))
    for form in (
        "@@",
        "use @@ for the deploy",
        "(@@)",
        '"@@"',
        "`@@`.",
        "TOKEN=@@",
        "token: @@\n",
        "x,@@,y",
        "line one\\n@@\\nline two",
        "https://x.test/?t=@@",
        "<b>@@</b>",
        "[@@]",
        "a=@@;b=1",
        "Here you go:\n\n    @@\n",
    )
)
"""What a token may stand in."""
