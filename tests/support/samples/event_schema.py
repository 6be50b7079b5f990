"""The schema that every public event must meet, with its formats checked."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from repository import ROOT

SCHEMA_FILE = ROOT / "fixtures" / "schemas" / "onlooker-event.schema.json"
EVENT_SCHEMA: Any = Draft202012Validator(
    json.loads(SCHEMA_FILE.read_text()), format_checker=Draft202012Validator.FORMAT_CHECKER
)
