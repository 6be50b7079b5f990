"""A team's evaluator on the loopback interface for tests: the documents of its API, scripted.

What is asked is read as the service reads it, so a request that the service would refuse fails here, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apis.loopback_api import Behaviour, LoopbackApi, Received

from compass.team.documents import SharedThresholds
from evaluator.model import NamedReaders, Reading, Sample
from evaluator.readers.team.documents import EvaluationRequestDocument, PolicyDocument
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, evaluation_document
from evaluator.record import replace, values_of

TOKEN = "cmp_red_01HZX_" + "s" * 43
MODEL = "model-of-the-team"
PROMPT = "f" * 16
FOREVER = 4_000_000_000.0


def sample(number: int, score: float = 0.9, **changes: Any) -> Sample:
    reading = Reading("change", "session.py", "one_file")
    concern = "none" if score > 0.6 else "scope"
    found = Sample(f"reader-{number}", score, concern, "named in the request", reading, None, True, 40)
    return replace(found, **changes)


def samples(*scores: float, **changes: Any) -> tuple[Sample, ...]:
    return tuple(sample(number, score, **changes) for number, score in enumerate(scores, 1))


def evaluation(*found: Sample, **changes: Any) -> Evaluation:
    answered = Evaluation("01J" + "0" * 23, "anthropic", MODEL, PROMPT, found or samples(*[0.9] * 5))
    return replace(answered, **changes)


def answers(found: Evaluation, **changes: Any) -> Behaviour:
    return Behaviour(body=json.dumps(evaluation_document(found)).encode(), **changes)


def refuses(status: int, kind: str, said: str = "scripted", retry_after: float | None = None) -> Behaviour:
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    body = json.dumps({"error": said, "kind": kind}).encode()
    return Behaviour(status=status, body=body, headers=headers)


def document(value: object, status: int = 200) -> Behaviour:
    return Behaviour(status=status, body=json.dumps(value).encode())


@dataclass
class Evaluated:
    """One request for an evaluation, as the service reads it, and the header that it came with."""

    request: EvaluationRequest
    authorization: str
    body: Mapping[str, Any]


class TeamServer(LoopbackApi):
    """Answers each evaluation with `found`, unless the queue or `down` says otherwise; every GET by what was set here,
    unless `answers_get` stands in for it.
    """

    def __init__(self, *behaviours: Behaviour, token: str = TOKEN) -> None:
        super().__init__(*behaviours)
        self.found = evaluation()
        self.token = token
        self.scopes: Sequence[str] = ("evaluate",)
        self.expires_at = FOREVER
        self.pushed = PolicyDocument()
        self.shared: dict[str, Mapping[str, object]] = {}
        self.evaluated: list[Evaluated] = []
        self.answers_get: Behaviour | None = None
        self.down: Behaviour | None = None

    @property
    def readers(self) -> NamedReaders:
        """Those of the scripted answer."""
        found = self.found
        return NamedReaders(found.backend, found.model, found.prompt, len(found.samples))

    def push(self, settings: Mapping[str, object]) -> None:
        digest = f"{len(json.dumps(settings)):012x}"
        self.pushed = PolicyDocument(settings=dict(settings), digest=digest)
        self.found = replace(self.found, policy=digest)

    def take(self, received: Received) -> Behaviour:
        scripted = super().take(received)
        if received.path == "/v1/evaluations" and received.method == "POST":
            asked = EvaluationRequestDocument.model_validate(received.body).record()
            self.evaluated.append(Evaluated(asked, received.headers.get("authorization", ""), received.body))
        if scripted is not self.default:
            return scripted
        if self.down is not None:
            return self.down
        if received.headers.get("authorization") != f"Bearer {self.token}":
            return refuses(401, "unauthorized", "no such token")
        if received.method == "PUT" and received.path.startswith("/v1/thresholds/"):
            self.shared[received.path.rpartition("/")[2]] = received.body
            return document({"digest": "d" * 12})
        return answers(self.found)

    def get(self, path: str) -> Behaviour:
        if self.answers_get is not None:
            return self.answers_get
        if self.gets[-1][1].get("authorization") != f"Bearer {self.token}":
            return refuses(401, "unauthorized", "no such token")
        if path == "/v1/me":
            given = {"team": "red", "person": "ada", "token_id": "01HZX", "expires_at": self.expires_at}
            return document({**given, "scopes": list(self.scopes)})
        if path == "/v1/readers":
            return document(values_of(self.readers))
        if path == "/v1/policy":
            return document(dict(self.pushed))
        if path.startswith("/v1/thresholds/") and path.rpartition("/")[2] in self.shared:
            name = path.rpartition("/")[2]
            shared = SharedThresholds(
                repository=name, digest="d" * 12, document=dict(self.shared[name]), person="ada", at=1.0
            )
            return document(dict(shared))
        return refuses(404, "invalid", "nothing there")
