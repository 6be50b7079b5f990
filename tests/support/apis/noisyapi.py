"""A Messages API on loopback whose readers have a stated noise, and cases that tell it what to answer.

A case's file is named after its label and its own centre: `clear-0012-c634.py` has centre 0.634. Each reader's score is
that plus normal noise, cut to [0, 1]. The draw depends on the case and on how often it was asked about, not on the
order in which requests arrive.
"""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply, status

CENTRE = re.compile(r"(clear|vague)-\d+-c(\d{3})")


class NoisyApi(LoopbackApi):
    """`shift` moves every centre, `noise` is the readers' standard deviation, `delay` what an answer takes (s),
    `refuse` an HTTP status for everybody."""

    def __init__(self, seed: int = 0, noise: float = 0.08) -> None:
        super().__init__()
        self.noise = noise
        self.shift = 0.0
        self.delay = 0.0
        self.refuse = 0
        self.asked: list[str] = []
        self._seed = seed
        self._draws = threading.Lock()

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        if self.refuse:
            return status(self.refuse)
        return self.reader(received.body)

    def reader(self, body: Any) -> Behaviour:
        found = CENTRE.search(body["messages"][0]["content"])
        assert found, body
        with self._draws:
            draw = random.Random(f"{self._seed}/{found[0]}/{self.asked.count(found[0])}")
            self.asked.append(found[0])
        score = int(found[2]) / 1000 + self.shift + draw.gauss(0, self.noise)
        return reply(answer(score=round(min(1.0, max(0.0, score)), 3)), delay=self.delay)


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
