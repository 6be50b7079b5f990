"""What goes between a laptop and a team's evaluator: its names, and answers read strictly, never mended.

The leaf that both sides share. The service reads requests by the documents of its API, `compass.team.documents`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast

from evaluator.errors import PayloadError
from evaluator.model import (
    ACTIONS,
    CONCERNS,
    EXTENTS,
    LOOKS,
    Evidence,
    NamedReaders,
    Reading,
    Sample,
    Thresholds,
)
from evaluator.record import Record, plain_of, values_of

Scope = Literal["evaluate", "read", "admin"]
SCOPES: tuple[Scope, ...] = ("evaluate", "read", "admin")

TEXT_CHARS_MAX: Final = 100_000
ITEMS_MAX: Final = 1_000
SECONDS_MAX: Final = 600.0
SAMPLES_MAX: Final = 31


class Principal(Record):
    """Who asks, by the token that was shown."""

    team: str
    person: str
    token_id: str
    scopes: tuple[Scope, ...]
    expires_at: float


class EvaluationRequest(Record):
    """What a gate asks. `session` is a digest; `seconds` is how long the gate still waits, `waited` how long it has
    waited for this evaluation already. `blind`: how many do not see the write.
    `alone`: a measurement, whose repeats are independent: nobody shares it.
    """

    evidence: Evidence
    repository: str
    session: str
    seconds: float
    waited: float = 0.0
    thresholds: Thresholds | None = None
    blind: int = 0
    alone: bool = False


class Evaluation(Record):
    """What a gate is answered. `shared`: another request paid for it. The digests name what the team has pushed."""

    evaluation_id: str
    backend: str
    model: str
    prompt: str
    samples: tuple[Sample, ...]
    shared: bool = False
    policy: str = ""
    thresholds: str = ""


class Policy(Record):
    """What a team pushes to its gates: settings that only tighten, and where evidence may go; None for anywhere."""

    settings: Mapping[str, object]
    backends: tuple[str, ...] | None = None
    digest: str = ""


def request_document(request: EvaluationRequest) -> dict[str, object]:
    """A request as JSON values; `request_of` reads it back. What older services do not know is named only if it is
    there."""
    found = plain_of(request)
    evidence = cast(dict[str, object], found["evidence"])
    for name in ("precedents", "earlier_messages"):
        if not getattr(request.evidence, name):
            del evidence[name]
    return found


def evaluation_document(evaluation: Evaluation) -> dict[str, object]:
    """An answer as JSON values; `evaluation_of` reads it back."""
    found = values_of(evaluation)
    found["samples"] = [plain_of(sample) for sample in evaluation.samples]
    return found


def evaluation_of(found: object) -> Evaluation:
    """An evaluation from a server's answer. Raises PayloadError: what no evaluator answers is never taken for a
    verdict."""
    given = dict(_object(found, "the answer"))
    _only(given, Evaluation.__match_args__, "the answer")
    samples = given.get("samples")
    if not isinstance(samples, list) or len(cast(list[object], samples)) > SAMPLES_MAX:
        raise PayloadError(f"samples: a list of at most {SAMPLES_MAX}")
    return Evaluation(
        evaluation_id=_text(given, "evaluation_id"),
        backend=_text(given, "backend"),
        model=_text(given, "model"),
        prompt=_text(given, "prompt"),
        samples=tuple(sample_of(_object(one, "samples")) for one in cast(list[object], samples)),
        shared=_flag(given.get("shared", False), "shared"),
        policy=_text(given, "policy"),
        thresholds=_text(given, "thresholds"),
    )


def sample_of(found: Mapping[str, Any]) -> Sample:
    """A sample whose score is no finite number in [0, 1] is invalid. Raises PayloadError."""
    # Evaluators of 0.1.0 say `holds`, which is false.
    _only(found, (*Sample.__match_args__, "holds"), "a sample")
    score, error = found.get("score"), found.get("error")
    fits, concern, cost = found.get("fits"), found.get("primary_concern"), found.get("cost_usd")
    look = found.get("look", "second")
    if look not in LOOKS:
        raise PayloadError("samples: no such look")
    if fits is not None:
        fits = _flag(fits, "fits")
    if concern is not None and concern not in CONCERNS:
        raise PayloadError("samples: no such primary_concern")
    if score is not None:
        score = _number(score, "samples.score", 0.0, 1.0)
    return Sample(
        reader=_text(found, "reader"),
        score=score,
        primary_concern=concern,
        rationale=_text(found, "rationale"),
        reading=_reading(found.get("reading")),
        rival=None if found.get("rival") is None else _text(found, "rival"),
        fits=fits,
        latency_ms=_count(found.get("latency_ms", 0), "latency_ms", 1 << 40),
        error=None if error is None else _text(found, "error"),
        input_tokens=_count(found.get("input_tokens", 0), "input_tokens", 1 << 40),
        output_tokens=_count(found.get("output_tokens", 0), "output_tokens", 1 << 40),
        cost_usd=None if cost is None else _number(cost, "cost_usd", 0.0),
        blind=_flag(found.get("blind", False), "blind"),
        look=look,
    )


def _reading(found: object) -> Reading | None:
    if found is None:
        return None
    given = _object(found, "reading")
    if given.get("action") not in ACTIONS or given.get("extent") not in EXTENTS:
        raise PayloadError("samples: no such action or extent")
    return Reading(given["action"], _text(given, "target"), given["extent"])


def readers_of(found: object) -> NamedReaders:
    """The readers that a server names. Raises PayloadError."""
    given = _object(found, "the readers")
    _only(given, NamedReaders.__match_args__, "the readers")
    n = _count(given.get("n"), "n", SAMPLES_MAX)
    if not n:
        raise PayloadError("the readers: n is 0")
    backend, model, prompt = (_text(given, name) for name in ("backend", "model", "prompt"))
    return NamedReaders(backend, model, prompt, n)


def policy_of(found: object) -> Policy:
    """The policy that a server pushes. Raises PayloadError. What its settings mean is decided where they count."""
    given = _object(found, "the policy")
    _only(given, Policy.__match_args__, "the policy")
    backends = given.get("backends")
    return Policy(
        settings=_object(given.get("settings", {}), "settings"),
        backends=None if backends is None else _texts(backends, "backends"),
        digest=_text(given, "digest"),
    )


def _object(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PayloadError(f"{where}: must be an object")
    return cast(Mapping[str, Any], value)


def _only(found: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    other = sorted(set(found) - set(known))
    if other:
        raise PayloadError(f"{where}: unknown field {other[0][:60]!r}")


def _string(value: object, where: str) -> str:
    if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX:
        raise PayloadError(f"{where}: a string of at most {TEXT_CHARS_MAX} characters")
    return value


def _text(found: Mapping[str, Any], name: str) -> str:
    return _string(found.get(name, ""), name)


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(cast(list[object], value)) > ITEMS_MAX:
        raise PayloadError(f"{where}: a list of at most {ITEMS_MAX} texts")
    return tuple(_string(one, where) for one in cast(list[object], value))


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise PayloadError(f"{where}: true or false")
    return value


def _count(value: object, where: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise PayloadError(f"{where}: a whole number from 0 to {most}")
    return value


def _number(value: object, where: str, low: float = -math.inf, high: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PayloadError(f"{where}: a finite number")
    try:
        found = float(value)
    except OverflowError:
        raise PayloadError(f"{where}: a finite number") from None
    if not math.isfinite(found):
        raise PayloadError(f"{where}: a finite number")
    if not low <= found <= high:
        raise PayloadError(f"{where}: from {low:g} to {high:g}")
    return found
