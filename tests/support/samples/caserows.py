"""What a row of cases comes to for a reader in this process, and rows that tell a scripted API what to answer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
        tool_name=pending.tool_name, operation=effects.operation, operation_class=effects.operation_class,
        targets=effects.targets, current_request=exchange.request_text,
        prior_assistant_turn=exchange.prior_assistant_turn, command=effects.command, lines=effects.lines,
        symbols=change.names, added=change.added, removed=change.removed,
    )  # fmt: skip
    return Subject(pending, effects, exchange, evidence)


# Cases that tell a scripted API what to answer: each names its file after its label and its own centre.


def cases(count: int, seed: int, *, clear: tuple[float, float] = (0.62, 0.65), vague: tuple[float, float] = (0.2, 0.5),
          pairs: bool = True) -> Iterator[dict[str, object]]:  # fmt: skip
    """`count` pairs (else clear cases alone), centres drawn evenly from the two ranges."""
    draw = random.Random(seed)
    for number in range(count):
        for label, begins, (low, high) in (("clear", "clear", clear), ("ambiguous", "vague", vague)):
            if label == "clear" or pairs:
                centre = round(1000 * draw.uniform(low, high))
                name = f"{begins}-{seed:02d}{number:04d}-c{centre:03d}"
                yield {
                    "id": name, "pair": f"pair-{seed}-{number}", "label": label, "tool_name": "Edit",
                    "user_message": f"change the retry limit in src/{name}.py to five attempts and nothing else please",
                    "prior_assistant_turn": "", "file_path": f"src/{name}.py", "operation": "edit",
                }  # fmt: skip


def write_cases(path: Path, *args: Any, **given: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in cases(*args, **given)))
    return path
