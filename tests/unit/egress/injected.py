"""The hostile cases of `fixtures/injection`, and the way of one into a request: the pipeline's own steps and prompt."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from repository import ROOT

from calibration.cases.case import effects_of, exchange_of, pending_of
from compass.arguments import FixedExchange, Given, parts_for
from evaluator.effects import effect
from evaluator.egress import prompt
from evaluator.gate import pipeline
from evaluator.gate.run import Parts
from evaluator.model import (
    AnsweredQuestion,
    Effects,
    Evidence,
    Exchange,
    KeptPrompt,
    Lookup,
    PendingWrite,
    Plan,
)
from evaluator.ports import Voice
from evaluator.settings.keys import EvidenceSettings, Settings
from evaluator.shell.bash import classify

CORPUS = ROOT / "fixtures/injection/corpus.jsonl"
SETTINGS = Settings(enabled=True, evidence=EvidenceSettings(lookups="targets"))


@dataclass(frozen=True)
class Built:
    """A case on its way: what the readers are given, and the user part of the request that comes of it."""

    evidence: Evidence
    user: str


def _grown(value: object, grow: Sequence[Any]) -> object:
    if isinstance(value, str):
        return value.replace("{grow}", str(grow[0]) * int(grow[1]))
    if isinstance(value, dict):
        return {key: _grown(item, grow) for key, item in value.items()}
    if isinstance(value, list):
        return [_grown(item, grow) for item in value]
    return value


def whole(row: Mapping[str, Any]) -> dict[str, Any]:
    """The case with what its `grow` stands for."""
    grow: Mapping[str, Sequence[Any]] = row.get("grow", {})
    return {key: _grown(value, grow[key]) if key in grow else value for key, value in row.items()}


@lru_cache
def cases() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in CORPUS.read_text(encoding="ascii").splitlines())


class LookedUp(FixedExchange):
    """The exchange of a case, what its agent looked up, and what was said before: (user, assistant), newest first."""

    def __init__(
        self, exchange: Exchange, found: Sequence[Mapping[str, Any]], earlier: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__(exchange)
        self._found = found
        self._earlier = earlier

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        replies = [*(reply for _, reply in self._earlier[1:]), ""]
        said = zip(self._earlier, replies, strict=False)
        older = (Voice(text, None, typed=True, after=after) for (text, _), after in said)
        return (*super().voices(pending), *older)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return tuple(
            Lookup(one["tool"], one["input"], one["result"], one.get("failed", False)) for one in self._found
        )


def evidence_for(row: Mapping[str, Any], parts: Parts) -> Evidence:
    """By the pipeline itself, as `compass check --case` does it, with what only this corpus has. What the turn wrote
    stands in the store; the effects are the row's for its own call alone: what was looked up is told to read by the
    gate's own parts."""
    answer, plan = row.get("answer"), row.get("plan")
    asked = (answer["question"], tuple(answer["options"]), tuple(answer["answers"])) if answer else None
    exchange = replace(
        exchange_of(row),
        delegated_task=row.get("delegated_task", ""),
        plans=(Plan(plan, approved=True),) if plan else (),
        questions=(AnsweredQuestion(*asked),) if asked else (),
    )
    given = Given(pending_of(row), exchange, effects_of(row, classify))
    store, session = parts.store, given.pending.session_id
    turn = store.turn(session, None)
    known = {file.target for file in store.written(turn)}
    for number, name in enumerate(row.get("turn_so_far", ())):
        target = f"{given.pending.project_dir}/{name}"
        if target not in known:
            use = f"{session}-{number}"
            store.note_call(use, turn, [effect("edit", target)], (), float(number))
            store.settle(use, float(number), succeeded=True)
    looked = LookedUp(exchange, row.get("lookups", ()), row.get("earlier", ()))

    def effects(pending: PendingWrite) -> Effects | None:
        return given.effects if pending is given.pending else parts.effects_of(pending)

    whole = replace(parts_for(given, parts), transcripts=looked, effects_of=effects)
    found = pipeline.evidence_of(whole, given.pending)
    assert found is not None
    return found


def built_of(row: Mapping[str, Any], parts: Parts, nonce: str | None = None) -> Built:
    evidence = evidence_for(row, parts)
    return Built(evidence, prompt.build_prompt(evidence, nonce or os.urandom(6).hex()).user)
