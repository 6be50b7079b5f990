"""Readers that are asked through files, in the form of the Message Batches API: prompts out, answers in.

A prompt's id depends on its call and its text alone, so an answer serves every later replay, and a prompt that
changed is asked anew. A prompt without an answer is answered as a pass, and its check counts as unanswered: a second
look is asked for once the first one was answered.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from evaluator.egress.reader_answer import keeps_schema
from evaluator.errors import PayloadError
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.response import read_message
from evaluator.record import replace


@dataclass(frozen=True, slots=True)
class BatchCheck:
    """What one check asked: the id of each prompt in order, and the lines of a batch for those without an answer."""

    custom_ids: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()


NOT_ASKED = BatchCheck()


class BatchBackend:
    """Looks answers up. Satisfies `evaluator.ports.Backend`."""

    def __init__(self, name: str, model: str, answers: Mapping[str, bytes]) -> None:
        self.name = name
        self.model = model
        self._answers = answers
        self._call = ""
        self._asked: Counter[str] = Counter()
        self._ids: dict[str, None] = {}
        self._open: dict[str, str] = {}

    def begin(self, session_id: str, tool_use_id: str) -> None:
        """Gathers the prompts for one call: requests until `ended` are of it."""
        self._call = f"{session_id}\0{tool_use_id}"

    def nonce(self) -> str:
        return _batch_digest(self._call)[:12]

    def ended(self) -> BatchCheck:
        found = BatchCheck(tuple(self._ids), tuple(self._open.values()))
        self._asked, self._ids, self._open = Counter(), {}, {}
        return found

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """A reply from the file of a batch's answers. Raises ReaderError for an answer that is none."""
        prompt = _batch_digest(
            self._call, request.system, request.user, json.dumps(request.schema, sort_keys=True)
        )
        self._asked[prompt] += 1
        custom_id = f"{prompt[:40]}-{self._asked[prompt]}"
        self._ids[custom_id] = None
        message = self._answers.get(custom_id)
        if message is None:
            self._open[custom_id] = batch_line(custom_id, self.model, request)
            return ReaderReply(json.dumps(_passing_batch_answer(request.schema)))
        reply = read_message(message, self.model)
        return replace(reply, keeps_schema=keeps_schema(reply.text, request.schema))

    async def aclose(self) -> None:
        """Nothing is open."""


def batch_line(custom_id: str, model: str, request: ReaderRequest) -> str:
    """One request of a message batch."""
    warm = {} if request.temperature is None else {"temperature": request.temperature}
    params = {
        "model": model,
        "max_tokens": request.max_output_tokens,
        "system": request.system,
        "messages": [{"role": "user", "content": request.user}],
        "output_config": {"format": {"type": "json_schema", "schema": dict(request.schema)}},
        **warm,
    }
    return json.dumps({"custom_id": custom_id, "params": params}, ensure_ascii=False)


def read_answers(paths: tuple[str, ...]) -> dict[str, bytes]:
    """The message of each result that succeeded, by its custom id; the last counts. Raises PayloadError."""
    found: dict[str, bytes] = {}
    for path in paths:
        number = 0
        try:
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):  # noqa: B007 - told of a line that is broken
                    if line.strip():
                        row = cast(dict[str, object], json.loads(line))
                        result = cast(dict[str, object], row["result"])
                        if result["type"] == "succeeded":
                            found[str(row["custom_id"])] = json.dumps(result["message"]).encode()
        except (OSError, UnicodeDecodeError) as error:
            raise PayloadError(f"{path}: {error}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise PayloadError(f"{path}, line {number}: not a message batch result") from error
    return found


def _passing_batch_answer(schema: Mapping[str, object]) -> object:
    """The answer of that shape that finds nothing to ask."""
    if "anyOf" in schema:
        return None
    if "enum" in schema:
        names = cast(list[str], schema["enum"])
        return "none" if "none" in names else names[0]
    if schema["type"] == "object":
        properties = cast(Mapping[str, Mapping[str, object]], schema["properties"])
        return {name: _passing_batch_answer(shape) for name, shape in properties.items()}
    return {"boolean": True, "number": 1.0}.get(str(schema["type"]), "")


def _batch_digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()
