"""What a team's evaluator answered, in lines for people. Names may be anybody's: they are escaped."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.terminal import safe


def said(action: str, what: str, found: Mapping[str, Any]) -> Iterator[str]:
    """`what` is the word behind the action, empty where it has none."""
    if action == "token" and what == "create":
        # Alone on its line: a script takes it from there.
        yield safe(str(found["token"]))
    elif action == "token" and what == "revoke":
        yield f"{safe(found['revoked'])} is revoked; it is refused everywhere within 5 seconds."
    elif action == "token":
        yield from map(_token, found["tokens"])
    elif action == "spend":
        yield from (_spent(row, found["day"]) for row in found["spent"])
        if not found["spent"]:
            yield f"{found['day']}: nothing"
    elif action == "export":
        yield f"{found['records']} evaluations in {safe(found['file'])}"
    elif action == "erase":
        yield f"{found['records']} records of {safe(found['person'])} are deleted, and their tokens revoked."
    elif action == "settings":
        yield from (f"{name:<22} {json.dumps(value)}" for name, value in found.items())
    else:
        yield json.dumps(found, indent=2)


def _token(row: Mapping[str, Any]) -> str:
    state = f"until {_day(row['expires_at'])}"
    if row["revoked_at"] is not None:
        state = f"revoked {_day(row['revoked_at'])}"
    elif row["expires_at"] <= time.time():
        state = f"expired {_day(row['expires_at'])}"
    used = "never used" if row["used_at"] is None else f"used {_day(row['used_at'])}"
    return f"{safe(row['token_id'])}  {safe(row['person']):<24} {','.join(row['scopes']):<12} {state}, {used}"


def _spent(row: Mapping[str, Any], day: str) -> str:
    who = safe(row["person"]) if row["person"] else "the whole team"
    return f"{day}  {who:<24} ${row['usd']:.4f}  {row['samples']} samples"


def _day(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment))
