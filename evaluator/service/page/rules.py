"""Which requests of a browser are the page's own, and what every answer to it carries. Pure.

A page of another origin can send requests here; it can forge neither Host nor Origin nor Sec-Fetch-Site.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.service.access import LOOPBACK_NAMES

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "frame-src 'none'; worker-src 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), clipboard-read=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)
DOCUMENT = "/"
OURS = "/page/"
"""Below it lies everything else of the page."""


def is_page(path: str) -> bool:
    return path == DOCUMENT or path.startswith(OURS)


def refusal(method: str, path: str, headers: Mapping[str, str], port: int) -> tuple[int, str] | None:
    """Why a request for the page is not taken, None where it is. `headers` by names in lower case.

    The document itself says nothing, and may be asked for from anywhere: a terminal or a mail opens it.
    """
    host = headers.get("host", "").lower()
    if host not in {f"{name}:{port}" for name in LOOPBACK_NAMES}:
        return 421, "this Host is not one that the page answers to"
    if method not in ("GET", "POST"):
        return 405, "the page is read, and its link is exchanged; nothing else"
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return 403, "requests of other pages are refused"
    if method == "POST" and origin is None:
        return 403, "no Origin: only the page itself may send this"
    if path != DOCUMENT and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "requests of other pages are refused"
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 400, "the body must be application/json"
    return None
