"""The result of `compass calibrate` as the gate uses it: certified cuts per number of readers, while they hold.

`thresholds.json` is all of it that the gate reads; `calibration.json` beside it keeps every case, for people and for
`--check`. Both lie in the user's own state beside the project's settings; the repository cannot put one there.
What they say holds for one backend, model and prompt; anything else is stale and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from evaluator.model import STAKES_CLASSES, StakesClass, Thresholds
from evaluator.record import Record, values_of

FORM = 1
"""Of calibration.json."""
THRESHOLDS_FORM = 3
"""Of thresholds.json."""
THRESHOLDS_NAME = "thresholds.json"
THRESHOLDS_BYTES_MAX = 64 * 1024


class Calibrated(Record):
    """What thresholds.json says: number of readers to the cut on the mean of each class of stakes that has one. A cut
    is `Thresholds` with its `alpha`, the promised share of false blocks.

    `date` is ISO 8601, UTC. `prompt` is the fingerprint of what the readers are told besides the evidence.
    """

    backend: str
    model: str
    prompt: str
    date: str
    per_n: Mapping[int, Mapping[StakesClass, Thresholds]]

    def staleness(self, backend: str, model: str, prompt: str) -> str:
        """What has changed since it was measured, in words; empty while it holds."""
        return calibration_changes((self.backend, self.model, self.prompt), (backend, model, prompt))


def calibrated_as_dict(found: Calibrated) -> dict[str, object]:
    """What JSON keeps of it; `calibrated_of` reads it back."""
    per_n = {
        str(n): {
            stakes: {"confidence": cut.confidence, "alpha": cut.alpha} for stakes, cut in sorted(cuts.items())
        }
        for n, cuts in sorted(found.per_n.items())
    }
    return {"version": THRESHOLDS_FORM, **values_of(found), "per_n": per_n}


def calibrated_of(value: object) -> Calibrated:
    """From its JSON form. Raises ValueError for anything else, and for cuts that no certificate can have."""
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - a value of the file
    found = cast(Mapping[str, object], value)
    if found.get("version") != THRESHOLDS_FORM:
        raise ValueError(
            f"has version {found.get('version')!r}, not {THRESHOLDS_FORM}; run `compass calibrate` again"
        )
    texts = [found.get(key) or "" for key in ("backend", "model", "prompt", "date")]
    for key, text in zip(("backend", "model", "prompt", "date"), texts, strict=True):
        if not isinstance(text, str):
            raise ValueError(f"{key} must be a string")  # noqa: TRY004 - a value of the file
    per_n: object = found.get("per_n") or {}
    if not isinstance(per_n, dict):
        raise ValueError("per_n must be an object")  # noqa: TRY004 - a value of the file
    cuts = {int(n): _parse_thresholds(one) for n, one in cast(Mapping[str, object], per_n).items()}
    backend, model, prompt, date = cast(list[str], texts)
    return Calibrated(backend, model, prompt, date, cuts)


def read_thresholds(path: str) -> Calibrated | None:
    """The calibrated thresholds in a file, None where there is none. Raises ValueError, naming an unusable file."""
    try:
        return parsed_thresholds(text_of_thresholds(path), path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"{path}: {error}") from None


def usable_thresholds(path: str) -> Calibrated | None:
    """The calibrated thresholds in a file, None where there is none that can be used."""
    try:
        return read_thresholds(path)
    except ValueError:
        return None


def text_of_thresholds(path: str) -> bytes:
    """The bytes of a thresholds file, at most one more than such a file may have. Raises OSError."""
    with open(path, "rb") as file:
        return file.read(THRESHOLDS_BYTES_MAX + 1)


def parsed_thresholds(text: bytes, path: str) -> Calibrated:
    """The calibrated thresholds in a text. Raises ValueError, naming the file that it is of."""
    import json

    try:
        if len(text) > THRESHOLDS_BYTES_MAX:
            raise ValueError(f"larger than {THRESHOLDS_BYTES_MAX} bytes")  # noqa: TRY301 - one way out for all
        return calibrated_of(cast(object, json.loads(text)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None


def calibration_changes(was: tuple[str, str, str], now: tuple[str, str, str]) -> str:
    """What differs between two of (backend, model, prompt), in words; empty for nothing."""
    return "; ".join(
        f"{name} was {before or 'none'}, now {after or 'none'}"
        for name, before, after in zip(("backend", "model", "prompt"), was, now, strict=True)
        if before != after
    )


def _parse_thresholds(value: object) -> Mapping[StakesClass, Thresholds]:
    found = cast(Mapping[str, object], value if isinstance(value, dict) else {})
    if not found or not set(found) <= set(STAKES_CLASSES):
        raise ValueError(
            f"thresholds must be for {' or '.join(STAKES_CLASSES)}, not for {', '.join(found) or 'nothing'}"
        )
    return {cast(StakesClass, stakes): _parse_calibrated_cut(one) for stakes, one in found.items()}


def _parse_calibrated_cut(value: object) -> Thresholds:
    """On the mean alone: its deviation blocks nothing."""
    found = cast(Mapping[str, object], value if isinstance(value, dict) else {})
    numbers = {
        name: float(item)
        for name, item in found.items()
        if isinstance(item, (int, float)) and not isinstance(item, bool) and 0 <= float(item) <= 1
    }
    if set(found) != {"confidence", "alpha"} or len(numbers) != 2:
        raise ValueError("a threshold needs confidence and alpha, each a number from 0 to 1")
    return Thresholds(numbers["confidence"], 1.0, alpha=numbers["alpha"])
