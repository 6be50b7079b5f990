"""What an administrator states on the command line, as the evaluator takes it. Sends nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from compass.usage.near import MistakenError, did_you_mean, near
from evaluator.configuration.loading import counts_nowhere
from evaluator.configuration.settings import KEYS
from evaluator.errors import ConfigError

UNITS: Final = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_TIME = re.compile(r"(\d{1,6})([mhd])")


def seconds_of(text: str) -> float:
    """`30d`, `12h` or `45m`. Raises ConfigError."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ConfigError(f"{text[:40]!r} is no time: such as 45m, 12h or 30d")
    return int(found[1]) * UNITS[found[2]]


def setting_of(key: str, value: str | None, known: Mapping[str, object]) -> dict[str, object]:
    """One of the team's settings with its new value. Raises ConfigError."""
    if key not in known:
        meant = near(key, known)
        raise MistakenError(
            f"{key[:60]!r} is none of {', '.join(known)}{did_you_mean(meant)}".rstrip(";"), meant
        )
    if value is None:
        raise ConfigError(f"{key}: which value? A number, true or false; null for no cap")
    try:
        return {key: json.loads(value)}
    except ValueError:
        raise ConfigError(f"{key}: {value[:40]!r} is no number, true, false or null") from None


def policy_in(path: str) -> dict[str, object]:
    """Raises ConfigError, also for a setting that no gate would take from a team."""
    try:
        with open(path, "rb") as file:
            found: Any = json.load(file)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: no JSON") from None
    if not isinstance(found, dict) or not isinstance(cast(dict[str, Any], found).get("settings"), dict):
        raise ConfigError(
            f'{path}: an object with "settings", and "backends" where evidence may not go anywhere'
        )
    policy = cast(dict[str, Any], found)
    refused = counts_nowhere(policy["settings"])
    if refused is not None:
        meant = () if refused.key in KEYS else near(refused.key, KEYS)
        said = f"{path}: {refused.key[:60]}: {refused.why.partition(';')[0]}{did_you_mean(meant)}"
        raise MistakenError(said.rstrip(";"), meant)
    return {"settings": policy["settings"], "backends": policy.get("backends")}
