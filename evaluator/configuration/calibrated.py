"""The result of `compass calibrate` as the gate uses it: cuts and thresholds per number of readers, while they hold.

`thresholds.json` is all of it that the gate reads; `calibration.json` beside it keeps every case, for people and for
`--check`. Both lie in the user's own state beside the project's settings; the repository cannot put one there.
What they say holds for one backend, model and prompt; anything else is stale and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from evaluator.model import Cuts, Score, Thresholds
from evaluator.record import Record, values_of

FORM = 1
"""Of calibration.json."""
THRESHOLDS_FORM = 2
"""Of thresholds.json."""
THRESHOLDS_NAME = "thresholds.json"
THRESHOLDS_BYTES_MAX = 64 * 1024
CLASSES = ("", "additive", "modifying", "destructive")
"""Operation classes that cuts may be of; the empty one stands for every class that has none of its own."""


class Certificate(Record):
    """What was certified for one number of readers: one score, and the cuts on it per operation class.

    `cuts` hold for all readers asked at once, `escalate` for that procedure, where any look may end a check; None where
    none were certified for it.
    """

    score: Score
    cuts: Mapping[str, Cuts]
    escalate: Mapping[str, Cuts] | None = None

    def of_class(self, operation_class: str, *, escalate: bool = False) -> Cuts | None:
        cuts = (self.escalate or {}) if escalate else self.cuts
        return cuts.get(operation_class) or cuts.get("")


class Calibrated(Record):
    """What thresholds.json says: number of readers to certificate (`per_n`), to risk table (`sequential`), and to the
    pair of thresholds of the rule `score` (`thresholds`).

    `date` is ISO 8601, UTC. `prompt` is the fingerprint of what the readers are told besides the evidence.
    """

    backend: str
    model: str
    prompt: str
    date: str
    per_n: Mapping[int, Certificate]
    sequential: Mapping[int, object]
    thresholds: Mapping[int, Thresholds]

    def staleness(self, backend: str, model: str, prompt: str) -> str:
        """What has changed since it was measured, in words; empty while it holds."""
        return changes((self.backend, self.model, self.prompt), (backend, model, prompt))


def as_dict(found: Calibrated) -> dict[str, object]:
    """What JSON keeps of it; `of` reads it back."""
    return {
        "version": THRESHOLDS_FORM,
        "backend": found.backend,
        "model": found.model,
        "prompt": found.prompt,
        "date": found.date,
        "per_n": {
            str(n): {
                "score": values_of(one.score),
                "cuts": {name: values_of(cuts) for name, cuts in one.cuts.items()},
                **(
                    {"escalate": {name: values_of(cuts) for name, cuts in one.escalate.items()}}
                    if one.escalate
                    else {}
                ),
            }
            for n, one in sorted(found.per_n.items())
        },
        "sequential": {str(n): table for n, table in sorted(found.sequential.items())},
        "thresholds": {
            str(n): {
                "confidence": pair.confidence,
                "deviation": pair.deviation,
                **({} if pair.agreement is None else {"agreement": pair.agreement}),
            }
            for n, pair in sorted(found.thresholds.items())
        },
    }


def of(value: object) -> Calibrated:
    """From its JSON form. Raises ValueError for anything else, and for cuts that no certificate can have."""
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - a value of the file
    found = cast(Mapping[str, object], value)
    if found.get("version") != THRESHOLDS_FORM:
        raise ValueError(
            f"of version {found.get('version')!r}, not {THRESHOLDS_FORM}; run `compass calibrate` again"
        )
    return Calibrated(
        backend=_text(found, "backend"),
        model=_text(found, "model"),
        prompt=_text(found, "prompt"),
        date=_text(found, "date"),
        per_n={int(n): _certificate(one) for n, one in _table(found, "per_n").items()},
        sequential={int(n): table for n, table in _table(found, "sequential").items()},
        thresholds={int(n): _thresholds(pair) for n, pair in _table(found, "thresholds").items()},
    )


def read_thresholds(path: str) -> Calibrated | None:
    """None where there is no file. Raises ValueError, naming the file, for one that cannot be used."""
    try:
        return parsed_thresholds(text_of_thresholds(path), path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"{path}: {error}") from None


def text_of_thresholds(path: str) -> bytes:
    """At most a byte more than such a file may have. Raises OSError."""
    with open(path, "rb") as file:
        return file.read(THRESHOLDS_BYTES_MAX + 1)


def parsed_thresholds(text: bytes, path: str) -> Calibrated:
    """Raises ValueError, naming the file that it is of."""
    import json

    try:
        if len(text) > THRESHOLDS_BYTES_MAX:
            raise ValueError(f"over {THRESHOLDS_BYTES_MAX} bytes")  # noqa: TRY301 - one way out for all
        return of(cast(object, json.loads(text)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None


def changes(was: tuple[str, str, str], now: tuple[str, str, str]) -> str:
    """What differs between two of (backend, model, prompt), in words; empty for nothing."""
    return "; ".join(
        f"{name} was {before or 'none'}, is {after or 'none'}"
        for name, before, after in zip(("backend", "model", "prompt"), was, now, strict=True)
        if before != after
    )


class Calibration(Record):
    """What calibration.json says of when and with what it was measured. `per_n`: number of readers to thresholds.

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
        return changes((self.backend, self.model, self.prompt), (backend, model, prompt))


def read_calibration(path: str) -> Calibration | None:
    """None where there is no file. Raises ValueError, naming the file, for one that cannot be used."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
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
    except (KeyError, TypeError, ValueError, OverflowError) as error:
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
    agreement = pair.get("agreement")
    if agreement is not None and not (isinstance(agreement, (int, float)) and 0 <= agreement <= 1):
        raise ValueError("the agreement that a pair was tested with must be a number from 0 to 1")
    return Thresholds(numbers[0], numbers[1], agreement)


def _certificate(value: object) -> Certificate:
    found = cast(Mapping[str, object], value if isinstance(value, dict) else {})
    cuts, escalate = (
        {name: _cuts(one) for name, one in _table(found, key).items()} for key in ("cuts", "escalate")
    )
    if not cuts or not {*cuts, *escalate} <= set(CLASSES):
        raise ValueError(f"cuts must be of operation classes, not of {', '.join(cuts) or 'none'}")
    score = Score(**_numbers(_table(found, "score"), Score.__match_args__))
    if min(score.agreement_weight, score.deviation_weight, score.deviation_free) < 0:
        raise ValueError("the weights of a score are not negative")
    return Certificate(score, cuts, escalate or None)


def _cuts(value: object) -> Cuts:
    found = Cuts(**_numbers(cast(Mapping[str, object], value), Cuts.__match_args__))
    if not found.block <= found.passing or not (0 <= found.alpha <= 1 and 0 <= found.beta <= 1):
        raise ValueError(f"no certificate has such cuts: {found}")
    return found


def _numbers(found: object, names: tuple[str, ...]) -> dict[str, float]:
    """Finite numbers under just these names."""
    values = cast(Mapping[str, object], found if isinstance(found, dict) else {})
    numbers = {
        name: float(item)
        for name, item in values.items()
        if isinstance(item, (int, float)) and not isinstance(item, bool) and math.isfinite(item)
    }
    if set(numbers) != set(names) or set(values) != set(names):
        raise ValueError(f"must hold the numbers {', '.join(names)}")
    return numbers
