"""What administrators send, read strictly: what is not as stated is refused, never mended. Knows no HTTP."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

from evaluator.errors import PayloadError
from evaluator.record import Record
from evaluator.team.model import SCOPES, Scope, TeamSettings

DAY_SECONDS: Final = 86_400.0
TOKEN_SECONDS: Final = 90 * DAY_SECONDS
TOKEN_SECONDS_MAX: Final = 366 * DAY_SECONDS
RETENTION_DAYS_MAX: Final = 3650
BURST_MAX: Final = 100_000
PERSON_CHARS_MAX: Final = 120

_PERSON = re.compile(r"[^\s/\\?#%\x00-\x1f\x7f]([^/\\?#%\x00-\x1f\x7f]*[^\s/\\?#%\x00-\x1f\x7f])?")
_REPOSITORY = re.compile(r"[0-9a-f]{12}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CAPS_USD = ("daily_usd", "daily_usd_person", "samples_per_minute")
_CAPS_SAMPLES = ("daily_samples", "daily_samples_person")


class TokenRequest(Record):
    """`seconds` until it expires."""

    person: str
    scopes: tuple[Scope, ...]
    seconds: float


def object_of(body: bytes) -> Mapping[str, Any]:
    """Raises PayloadError."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise PayloadError("the body is no JSON") from None
    if not isinstance(found, dict):
        raise PayloadError("the body: an object is wanted")
    return cast(Mapping[str, Any], found)


def token_request_of(body: bytes) -> TokenRequest:
    """Raises PayloadError."""
    found = object_of(body)
    _only(found, TokenRequest.__match_args__)
    wanted: object = found.get("scopes", ["evaluate"])
    if (
        not isinstance(wanted, list)
        or not wanted
        or any(one not in SCOPES for one in cast(list[object], wanted))
    ):
        raise PayloadError(f"scopes: some of {', '.join(SCOPES)}")
    named = cast(list[str], wanted)
    scopes: tuple[Scope, ...] = tuple(one for one in SCOPES if one in named)
    if "evaluate" in scopes and len(scopes) > 1:
        raise PayloadError("scopes: `evaluate` stands alone, since such a token lies on a laptop")
    seconds = _number(found.get("seconds", TOKEN_SECONDS), "seconds", 1.0, TOKEN_SECONDS_MAX)
    return TokenRequest(person_of(found.get("person")), scopes, seconds)


def person_of(found: object) -> str:
    """In one spelling, so that records and caps are one person's. Raises PayloadError."""
    name = unicodedata.normalize("NFKC", found) if isinstance(found, str) else ""
    if len(name) > PERSON_CHARS_MAX or not _PERSON.fullmatch(name) or not name.isprintable():
        raise PayloadError(f"person: a name of at most {PERSON_CHARS_MAX} characters, without / \\ ? # %")
    return name


def repository_of(found: str) -> str:
    """Raises PayloadError."""
    if not _REPOSITORY.fullmatch(found):
        raise PayloadError("repository: 12 hexadecimal digits")
    return found


def settings_of(body: bytes) -> TeamSettings:
    """All of them, so that none is reset by not being named. Raises PayloadError."""
    found = object_of(body)
    names = TeamSettings.__match_args__
    _only(found, names)
    missing = [name for name in names if name not in found]
    if missing:
        raise PayloadError(f"{missing[0]}: is missing; all settings are set at once")
    given: dict[str, Any] = {}
    for name in (*_CAPS_USD, *_CAPS_SAMPLES):
        value = found[name]
        least = 0.001 if name == "samples_per_minute" else 0.0
        if value is not None and name in _CAPS_SAMPLES:
            value = _whole(value, name, 0, 1 << 40)
        given[name] = None if value is None else _number(value, name, least, 1e12)
        if name in _CAPS_SAMPLES and value is not None:
            given[name] = value
    given["burst"] = _whole(found["burst"], "burst", 1, BURST_MAX)
    given["retention_days"] = _whole(found["retention_days"], "retention_days", 1, RETENTION_DAYS_MAX)
    if not isinstance(found["store_evidence"], bool):
        raise PayloadError("store_evidence: true or false")
    return TeamSettings(**given, store_evidence=found["store_evidence"])


def day_asked(text: str) -> str:
    """Raises PayloadError."""
    try:
        if _DAY.fullmatch(text):
            return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).strftime("%Y-%m-%d")
    except ValueError:
        pass
    raise PayloadError("day: such as 2026-01-31")


def moment_of(text: str, name: str) -> float:
    """Seconds since the epoch, from such or from an ISO date or time, UTC without a zone. Raises PayloadError."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise PayloadError(f"{name}: seconds since the epoch, or such as 2026-01-31T12:00:00Z") from None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return _number(seconds, name, 0.0, 1e12)


def _only(found: Mapping[str, Any], known: tuple[str, ...]) -> None:
    other = sorted(set(found) - set(known))
    if other:
        raise PayloadError(f"unknown field {other[0][:60]!r}")


def _whole(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PayloadError(f"{name}: a whole number from {low} to {high}")
    return value


def _number(value: object, name: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PayloadError(f"{name}: a finite number")
    try:
        found = float(value)
    except OverflowError:
        raise PayloadError(f"{name}: a finite number") from None
    if not math.isfinite(found):
        raise PayloadError(f"{name}: a finite number")
    if not low <= found <= high:
        raise PayloadError(f"{name}: from {low:g} to {high:g}")
    return found
