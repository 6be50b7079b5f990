"""The schema that every public event must meet, with its formats checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

SCHEMA_FILE = Path(__file__).parents[1] / "fixtures" / "schemas" / "onlooker-event.schema.json"
EVENT_SCHEMA: Any = Draft202012Validator(
    json.loads(SCHEMA_FILE.read_text()), format_checker=Draft202012Validator.FORMAT_CHECKER
)
