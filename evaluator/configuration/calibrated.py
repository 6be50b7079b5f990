"""The result of `compass calibrate` as the gate uses it: thresholds per number of readers, while they hold.

`calibration.json` lies in the user's own state beside the project's settings; the repository cannot put one there.
What it says holds for one backend, model and prompt; anything else is stale and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from evaluator.model import Thresholds
from evaluator.record import Record

FORM = 1
BYTES_MAX = 32 * 1024 * 1024


class Calibration(Record):
    """What one file says. `per_n`: number of readers to thresholds; `sequential`: number of readers to a risk table.

    `date` is ISO 8601, UTC. `prompt` is the fingerprint of what the readers are told besides the evidence.
    """

    path: str
    backend: str
    model: str
    prompt: str
    date: str
    per_n: Mapping[int, Thresholds]
    sequential: Mapping[int, object]

    def staleness(self, backend: str, model: str, prompt: str) -> str:
        """What has changed since it was measured, in words; empty while it holds."""
        changed = [
            f"{name} was {was or 'none'}, is {now or 'none'}"
            for name, was, now in (
                ("backend", self.backend, backend),
                ("model", self.model, model),
                ("prompt", self.prompt, prompt),
            )
            if was != now
        ]
        return "; ".join(changed)


def read_calibration(path: str) -> Calibration | None:
    """None where there is no file. Raises ValueError, naming the file, for one that cannot be used."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.loads(file.read(BYTES_MAX)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(whole, dict):
        raise ValueError(f"{path}: not a JSON object")  # noqa: TRY004 - a value of the file
    found = cast(Mapping[str, object], whole)
    if found.get("version") != FORM:
        raise ValueError(
            f"{path}: of version {found.get('version')!r}, not {FORM}; run `compass calibrate` again"
        )
    try:
        return Calibration(
            path=path,
            backend=_text(found, "backend"),
            model=_text(found, "model"),
            prompt=_text(found, "prompt"),
            date=_text(found, "date"),
            per_n={int(n): _thresholds(pair) for n, pair in _table(found, "thresholds").items()},
            sequential={int(n): table for n, table in _table(found, "sequential").items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _text(found: Mapping[str, object], key: str) -> str:
    value = found.get(key) or ""
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a string")  # noqa: TRY004 - a value of the file
    return value


def _table(found: Mapping[str, object], key: str) -> Mapping[str, object]:
    value: object = found.get(key) or {}
    if not isinstance(value, dict):
        raise ValueError(f"{key} must be an object")  # noqa: TRY004 - a value of the file
    return cast(Mapping[str, object], value)


def _thresholds(value: object) -> Thresholds:
    pair = cast(Mapping[str, object], value if isinstance(value, dict) else {})
    found = [pair.get("confidence"), pair.get("deviation")]
    numbers = [float(item) for item in found if isinstance(item, (int, float)) and not isinstance(item, bool)]
    if len(numbers) != 2 or not all(0 <= number <= 1 for number in numbers):
        raise ValueError("thresholds must be numbers from 0 to 1, confidence and deviation")
    return Thresholds(numbers[0], numbers[1])
