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
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loopback_api import Behaviour, LoopbackApi, Received, answer, reply, status

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
        self.batches: dict[str, Batch] = {}
        self._seed = seed
        self._draws = threading.Lock()

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        if self.refuse:
            return status(self.refuse)
        if received.path.startswith("/v1/messages/batches"):
            return self._batch(received)
        return self.reader(received.body)

    def reader(self, body: Any) -> Behaviour:
        found = CENTRE.search(body["messages"][0]["content"])
        assert found, body
        with self._draws:
            draw = random.Random(f"{self._seed}/{found[0]}/{self.asked.count(found[0])}")
            self.asked.append(found[0])
        score = int(found[2]) / 1000 + self.shift + draw.gauss(0, self.noise)
        return reply(answer(score=round(min(1.0, max(0.0, score)), 3)), delay=self.delay)

    def _batch(self, received: Received) -> Behaviour:
        name = f"msgbatch_{len(self.batches) + 1}"
        self.batches[name] = Batch(name, received.body["requests"])
        return self.json(self.batches[name].state(f"{self.url}/v1/messages/batches"))

    def get(self, path: str) -> Behaviour:
        """What a GET meets."""
        self.requests.append(Received(path, {}, None, time.monotonic()))
        parts = path.partition("?")[0].strip("/").split("/")
        where = f"{self.url}/v1/messages/batches"
        if len(parts) == 3:
            listed = [batch.state(where) for batch in reversed(self.batches.values())]
            return self.json({"data": listed, "has_more": False, "first_id": None, "last_id": None})
        batch = self.batches[parts[3]]
        if len(parts) == 4:
            batch.looks += 1
            return self.json(batch.state(where))
        lines = [
            json.dumps({"custom_id": one["custom_id"], "result": self._result(one)}) for one in batch.requests
        ]
        return Behaviour(body="\n".join(lines).encode(), content_type="application/x-jsonl")

    def _result(self, one: Any) -> dict[str, object]:
        text = self.reader(one["params"]).text
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": one["params"]["model"],
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }  # fmt: skip
        return {"type": "succeeded", "message": message}

    @staticmethod
    def json(value: object) -> Behaviour:
        return Behaviour(body=json.dumps(value).encode())


class Batch:
    """Ends at the second look at it."""

    def __init__(self, name: str, requests: list[Any]) -> None:
        self.name = name
        self.requests = requests
        self.looks = 0
        self.created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    def state(self, where: str) -> dict[str, object]:
        ended = self.looks > 1
        count = len(self.requests)
        counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0}
        return {
            "id": self.name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**counts, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": self.created, "expires_at": self.created, "ended_at": None, "archived_at": None,
            "cancel_initiated_at": None, "results_url": f"{where}/{self.name}/results" if ended else None,
        }  # fmt: skip


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
