"""A reader's raw text in, a sample out: valid against the schema, or invalid with the reason.

Pure, and total: no text makes it raise. The score is taken as it stands, never clamped and never guessed.
Strings are shown in terminals and to the agent: nothing survives in them that a terminal would act on.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from evaluator.egress.prompt import look_of, schema_of
from evaluator.model import ACTIONS, CONCERNS, EXTENTS, Action, Concern, Extent, Look, Reading, Sample
from evaluator.text import one_line, table

if TYPE_CHECKING:
    from pydantic import BaseModel

REPLY_CHARS_MAX: Final = 20_000
RATIONALE_WORDS_MAX: Final = 20
RATIONALE_CHARS_MAX: Final = 200
TARGET_CHARS_MAX: Final = 120
RIVAL_CHARS_MAX: Final = 200
ERROR_CHARS_MAX: Final = 240

_OUT_OF_BOUNDS = frozenset({"greater_than_equal", "less_than_equal", "finite_number"})
_SPOKEN_NULLS = frozenset({"", "none", "null", "n/a"})


class _UnusableError(ValueError):
    """The text holds no answer; the message says why."""


def parse_answer(
    text: str, reader: str, *, look: Look = "second", blind: bool = False, lenient: bool = False
) -> Sample:
    """The sample of `reader`, asked at that `look`. Latency, tokens and cost are the caller's to add.

    A `blind` reader was asked without the write: an answer that tells whether it fits is none. `lenient` is for
    servers that were seen not to keep the schema; `_as_meant` says what that lets through.
    """
    try:
        found = (
            _as_meant(_parse_answer_object(text, lenient=True), look, blind=blind)
            if lenient
            else _parse_answer_object(text)
        )
        answer = _validate_answer(found, look, blind=blind)
    except _UnusableError as fault:
        error = one_line(f"invalid: {fault}", ERROR_CHARS_MAX)
        return Sample(reader=reader, error=error, blind=blind, look=look)
    score = answer.score + 0.0  # -0.0 is 0.0
    if look == "first":
        return Sample(reader=reader, score=score, primary_concern=answer.primary_concern, look=look)
    rival = one_line(answer.rival or "", RIVAL_CHARS_MAX)
    line = one_line(answer.rationale, RATIONALE_CHARS_MAX)
    words = line.split(" ")
    return Sample(
        reader=reader,
        score=score,
        primary_concern=answer.primary_concern,
        rationale=line if len(words) <= RATIONALE_WORDS_MAX else " ".join(words[:RATIONALE_WORDS_MAX]),
        reading=Reading(
            action=answer.reading.action,
            target=one_line(answer.reading.target, TARGET_CHARS_MAX),
            extent=answer.reading.extent,
        ),
        rival=None if rival.casefold().rstrip(".") in _SPOKEN_NULLS else rival,
        fits=None if blind else answer.fits,
        blind=blind,
    )


def keeps_schema(text: str, schema: Mapping[str, object]) -> bool:
    """Whether `text` has the shape of `schema`, the prompt's. Bounds do not count: some servers leave only them out."""
    from pydantic import ValidationError

    look, blind = look_of(schema)
    try:
        _answer_model(look, blind=blind).model_validate(_parse_answer_object(text))
    except _UnusableError:
        return False
    except ValidationError as fault:
        found = fault.errors(include_url=False, include_context=False, include_input=False)
        return all(one["type"] in _OUT_OF_BOUNDS for one in found)
    return True


def _parse_answer_object(text: str, *, lenient: bool = False) -> dict[str, object]:
    """The one JSON object that `text` is, and nothing beside it but, `lenient`, what `_only_text` takes away."""
    if len(text) > REPLY_CHARS_MAX:
        raise _UnusableError(f"the reply is longer than {REPLY_CHARS_MAX} characters")
    try:
        value = _DECODER.decode(_only_text(text) if lenient else text.strip())
    except _UnusableError:
        raise
    except (ValueError, RecursionError) as fault:
        raise _UnusableError("the reply is not a single complete JSON object") from fault
    if not isinstance(value, dict):
        raise _UnusableError("the reply is JSON but not an object")
    return cast("dict[str, object]", value)


def _refuse_answer_constant(name: str) -> object:
    raise _UnusableError(f"{name} is not a JSON number")


def _unique_answer_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _UnusableError("a key appears twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_refuse_answer_constant, object_pairs_hook=_unique_answer_keys)


@cache
def _answer_model(look: Look, *, blind: bool) -> type[BaseModel]:
    """Built at first use: pydantic costs more to import than the rest of the path together."""
    from pydantic import BaseModel, ConfigDict, Field, create_model

    class Strict(BaseModel):
        model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    score: Any = (float, Field(ge=0.0, le=1.0, allow_inf_nan=False))
    if look == "first":
        return create_model("Answer", __base__=Strict, score=score, primary_concern=(Concern, ...))
    reading = create_model(
        "Reading", __base__=Strict, action=(Action, ...), target=(str, ...), extent=(Extent, ...)
    )
    seen: dict[str, Any] = {} if blind else {"fits": (bool, ...)}
    return create_model(
        "Answer",
        __base__=Strict,
        **seen,
        reading=(reading, ...),
        rival=(str | None, ...),
        rationale=(str, ...),
        primary_concern=(Concern, ...),
        score=score,
    )


def _validate_answer(value: dict[str, object], look: Look, *, blind: bool) -> Any:
    """The fields of `_answer_model`. Raises _UnusableError."""
    from pydantic import ValidationError

    try:
        return _answer_model(look, blind=blind).model_validate(value)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "answer"
        raise _UnusableError(f"{place}: {first['msg']}") from fault


THINK, THOUGHT = "<think>", "</think>"

_FENCED = re.compile(r"```[A-Za-z]{0,10}[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_BOOLEANS: Final[Mapping[str, bool]] = {"true": True, "false": False}


@cache
def near_words(kind: Literal["actions", "extents", "concerns"]) -> Mapping[str, str]:
    """{word that models put: the word of the schema}"""
    rows = cast("Mapping[str, str]", table("egress/near_words")[kind])
    return {word: meant for meant, words in rows.items() for word in words.split()}


def _only_text(text: str) -> str:
    """`text` without one leading closed think block and one fence around the rest. Raises _UnusableError for a block
    that is not closed, or that opens a second time."""
    rest = text.strip().removeprefix("\ufeff").lstrip()
    if rest.startswith(THINK):
        thought, closed, rest = rest.removeprefix(THINK).partition(THOUGHT)
        if not closed:
            raise _UnusableError("the reply's thinking block is never closed")
        if THINK in thought:
            raise _UnusableError("the reply contains two thinking blocks")
    rest = rest.strip()
    fenced = _FENCED.fullmatch(rest)
    return fenced[1].strip() if fenced else rest


def _as_meant(value: Mapping[str, object], look: Look, *, blind: bool) -> dict[str, object]:
    """The keys of the schema, with what is plainly meant in their place; what is not plain stays and is invalid.

    Raises _UnusableError where two keys differ in nothing that a reader sees, or where an unasked key contains an
    object: that may be an answer out of a slot.
    """
    found = _known_answer_keys(value, tuple(cast("list[str]", schema_of(look, blind=blind)["required"])))
    if look == "second":
        found.setdefault("rival", None)
    score = found.get("score")
    if isinstance(score, str) and _NUMBER.fullmatch(score.strip()):
        found["score"] = float(score)
    if "fits" in found:
        fits = found["fits"]
        found["fits"] = _BOOLEANS.get(fits.strip().lower(), fits) if isinstance(fits, str) else fits
    if "primary_concern" in found:
        concern = found["primary_concern"]
        found["primary_concern"] = _nearest_answer_word(
            "null" if concern is None else concern, CONCERNS, near_words("concerns")
        )
    reading = found.get("reading")
    if isinstance(reading, dict):
        inner = _known_answer_keys(cast("dict[str, object]", reading), ("action", "target", "extent"))
        if "action" in inner:
            inner["action"] = _nearest_answer_word(inner["action"], ACTIONS, near_words("actions"))
        if "extent" in inner:
            inner["extent"] = _nearest_answer_word(inner["extent"], EXTENTS, near_words("extents"))
        found["reading"] = inner
    return found


def _known_answer_keys(value: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    seen = [unicodedata.normalize("NFKC", name).strip().casefold() for name in value]
    if len(set(seen)) != len(seen):
        raise _UnusableError("a key appears twice")
    if any(_answer_holds_object(held) for name, held in value.items() if name not in names):
        raise _UnusableError("an unexpected key contains an object")
    return {name: value[name] for name in names if name in value}


def _answer_holds_object(value: object) -> bool:
    if isinstance(value, list):
        return any(_answer_holds_object(one) for one in cast("list[object]", value))
    return isinstance(value, dict)


def _nearest_answer_word(value: object, words: tuple[str, ...], near: Mapping[str, str]) -> object:
    if not isinstance(value, str):
        return value
    word = value.strip().casefold().replace("-", "_").replace(" ", "_")
    return word if word in words else near.get(word, value)
