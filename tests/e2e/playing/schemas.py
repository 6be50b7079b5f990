"""JSON Schema validation with formats on; the one user of the untyped validator."""

from __future__ import annotations

from typing import Any, cast

from e2e.playing.replies import Json
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]


def violations(schema: Json, value: object) -> list[str]:
    """Every way in which a value breaks a schema, as `path: message`."""
    validator = cast(Any, Draft202012Validator(schema, format_checker=FormatChecker()))
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
