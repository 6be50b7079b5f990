"""What a row of cases comes to for a reader in this process: its evidence unsanitized and whole."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.cases.case import (
    CONTENT_KEYS,
    FILE_OPERATIONS,
    Classify,
    absolute,
    effects_of,
    exchange_of,
    pending_of,
    text_of,
    word,
)
from evaluator.egress.change_summary import Touched, touched
from evaluator.model import Evidence, Subject


def subject_of(row: Mapping[str, object], classify: Classify) -> Subject:
    pending, exchange, effects = pending_of(row), exchange_of(row), effects_of(row, classify)
    change = Touched()
    if pending.tool_name in FILE_OPERATIONS and any(row.get(key) for key in CONTENT_KEYS):
        # The text of the case counts as its file's.
        path = absolute(word(row, "file_path"))
        change = touched(pending.tool_name, path, pending.tool_input, text_of(row), lambda: 0.0)
    evidence = Evidence(
        tool_name=pending.tool_name,
        operation=effects.operation,
        operation_class=effects.operation_class,
        targets=effects.targets,
        current_request=exchange.request_text,
        prior_assistant_turn=exchange.prior_assistant_turn,
        command=effects.command,
        lines=effects.lines,
        symbols=change.names,
        added=change.added,
        removed=change.removed,
    )
    return Subject(pending, effects, exchange, evidence)
