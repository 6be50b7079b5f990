"""Cases that tell a scripted API what to answer: each names its file after its label and its own centre.

`clear-0012-c634.py` has centre 0.634.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def cases(count: int, seed: int, *, clear: tuple[float, float] = (0.62, 0.65), vague: tuple[float, float] = (0.2, 0.5),
          pairs: bool = True) -> Iterator[dict[str, object]]:  # fmt: skip
    """`count` pairs (else clear cases alone), centres drawn evenly from the two ranges."""
    draw = random.Random(seed)
    for number in range(count):
        for label, word, (low, high) in (("clear", "clear", clear), ("ambiguous", "vague", vague)):
            if label == "clear" or pairs:
                centre = round(1000 * draw.uniform(low, high))
                name = f"{word}-{seed:02d}{number:04d}-c{centre:03d}"
                yield {
                    "id": name, "pair": f"pair-{seed}-{number}", "label": label, "tool_name": "Edit",
                    "user_message": f"change the retry limit in src/{name}.py to five attempts and nothing else please",
                    "prior_assistant_turn": "", "file_path": f"src/{name}.py", "operation": "edit",
                }  # fmt: skip


def write_cases(path: Path, *args: Any, **given: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in cases(*args, **given)))
    return path
