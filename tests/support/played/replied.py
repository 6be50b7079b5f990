"""What becomes of a reply to a held write: each case of `fixtures/replies` as a session through the gate.

The readers are scripted and in this process: they hold the first call with the case's readings, and judge the retry
as they are told, so that what resolves is told apart from what a reader thinks of it.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from played.client import Conversation
from played.machine import Json, Machine
from running.hookrun import Place

from compass.composition.gate import Wired, wire
from compass.hook.dispatch import answered
from evaluator.gate import pipeline
from evaluator.model import Action, Check, Reading, Sample, Subject
from evaluator.record import replace
from evaluator.settings.keys import EvaluatorSettings, Settings

CASES = Path(__file__).parents[3] / "fixtures" / "replies" / "cases.jsonl"
RULES = Settings(enabled=True, evaluator=EvaluatorSettings(backend="embedded"))
SUPPORT = 4
"""Readers for the first reading; one fewer for each that follows, which keeps the list in its order."""


@dataclass(frozen=True)
class Seen:
    """What Compass did of an answer. `stopped`: the prompt was answered without the agent."""

    first: str
    first_reason: str
    stopped: bool
    decision: str
    reason: str
    asked: tuple[str, ...]
    """The current request as the readers of the retry were shown it."""
    issued: tuple[str, ...]
    resolved: tuple[str, ...] = ()
    """What the reply selects: readings, or options of a menu that the agent showed."""

    @property
    def allowed(self) -> bool:
        return self.decision == "allow"

    def issued_as(self, case: Json) -> bool:
        """Whether the first call was held by its readers, with the case's readings, or as an outage."""
        down = bool(case.get("context", {}).get("readers_down"))
        listed = list(self.issued) == (case["readings"] if len(case["readings"]) > 1 else [])
        return self.first_reason == ("sampler_error" if down else "low_confidence") and (down or listed)

    def chose(self, texts: Sequence[str]) -> bool:
        """Whether the reply was taken for exactly these readings."""
        return set(self.resolved) == set(texts)


@dataclass
class ScriptedReaders:
    """Readers who all answer alike, with the readings that are set."""

    readings: Sequence[str] = ()
    down: bool = False
    passes: bool = False
    subjects: list[Subject] = field(default_factory=list[Subject])
    name: str = "scripted"
    model: str = "none"

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        self.subjects.append(subject)
        if self.down:
            return tuple(Sample(f"r{number}", error="transport: refused") for number in range(5))
        score, fits = (0.95, True) if self.passes else (0.3, False)
        held = [_reading(text) for place, text in enumerate(self.readings) for _ in range(SUPPORT - place)]
        return tuple(
            Sample(f"r{number}", score=score, primary_concern="target", rationale="two things fit",
                   reading=reading, fits=fits)
            for number, reading in enumerate(held or [_reading("run it")] * 5)
        )  # fmt: skip


def _reading(text: str) -> Reading:
    """A reading that is put to the user in exactly these words."""
    action, _, target = text.partition(" ")
    return Reading(cast(Action, action), target, "one_file")


@dataclass
class Direct(Machine):
    """Hooks are calls in this process, with readers of our own (None: those of the settings)."""

    wired: Wired | None = None
    newest: Check | None = None

    def hook(self, event: str, payload: Json) -> subprocess.CompletedProcess[bytes]:
        assert self.wired is not None
        if event == "pre-tool-use":
            self.newest = pipeline.check(
                self.wired.parts, self.wired.host.pending_write(payload, self.wired.env)
            )
            return subprocess.CompletedProcess([], 0, b"", b"")
        kept = replace(self.wired, close=lambda: None)
        return subprocess.CompletedProcess([], 0, answered(event, payload, kept), b"")


@contextlib.contextmanager
def machine_of(
    root: Path,
    project: str,
    readers: ScriptedReaders | None,
    settings: Settings = RULES,
    more: Mapping[str, str] | None = None,
) -> Iterator[Direct]:
    """`more`: further variables of the environment."""
    place = Place(root, {"CLAUDE_CODE_SESSION_ATTENDED": "1", **(more or {})})
    folder = Path(place.project) / project
    folder.mkdir(parents=True, exist_ok=True)
    env = {**place.environment(), "CLAUDE_PROJECT_DIR": str(folder)}
    wired = wire(env, str(root / "home"), str(folder), settings=settings)
    if readers is not None:
        parts = replace(
            wired.parts, readers=lambda: readers, paid=lambda: True, breaker=lambda: None,
            slot=lambda: contextlib.nullcontext(True),
        )  # fmt: skip
        wired = replace(wired, parts=parts)
    try:
        yield Direct(place, folder, wired=wired)
    finally:
        wired.close()


def cases(path: Path = CASES) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def play_reply(case: Json, root: Path, *, rules: bool = False) -> Seen:
    """`rules`: the readers of the retry are the embedded ones."""
    context = case.get("context", {})
    readers = ScriptedReaders(case["readings"], down=bool(context.get("readers_down")))
    project = context.get("project", "shop")
    with machine_of(root, project, readers) as machine:
        conversation = Conversation(machine, case["id"], attended=True)
        conversation.begins()
        *earlier, last = case["request"].split("\n")
        for text in earlier:
            conversation.user(text)
        if not case["assistant"]:
            conversation.user(last)
        else:
            conversation.user("Have a look around first, please.")
            conversation.agent(case["assistant"])
            conversation.user(last)
        first = conversation.call(*_call(case["held"], machine.project), None, "")
        conversation.fire(first)
        assert machine.newest is not None
        held = machine.newest
        conversation.denied(first, held.detail)
        assert machine.wired is not None
        intervention = machine.wired.store.intervention(conversation.session_id)
        if case["shown"]:
            conversation.agent(case["shown"])
        for text in context.get("earlier_prompts", ()):
            conversation.user(text)
            conversation.agent("It is a quarter past ten.")
        printed = _answer(conversation, case, context)
        readers.readings, readers.down, readers.subjects = (), False, []
        if rules:
            machine.wired = _with_rules(machine.wired, root)
        conversation.fire(conversation.call(*_call(case["retry"], machine.project), None, ""))
        retry = machine.newest
        assert retry is not None
        return Seen(
            first=held.decision, first_reason=held.reason,
            stopped=json.loads(printed or "{}").get("continue") is False, decision=retry.decision,
            reason=retry.reason, asked=tuple(_request(subject) for subject in readers.subjects),
            issued=intervention.readings if intervention else (),
            resolved=retry.resolved.labels if retry.resolved else (),
        )  # fmt: skip


def _with_rules(wired: Wired, root: Path) -> Wired:
    plain = wire(wired.env, wired.home, wired.project_dir, settings=wired.settings)
    return replace(wired, parts=replace(plain.parts, store=wired.parts.store))


def _request(subject: Subject) -> str:
    return "\n".join((*subject.exchange.request, subject.evidence.resolved_option))


def _answer(conversation: Conversation, case: Json, context: Mapping[str, Any]) -> str:
    if context.get("via") == "AskUserQuestion":
        conversation.asks("Which one do you mean?", [*case["readings"], "something else"], case["answer"])
        return ""
    if context.get("origin") == "machine":
        conversation.machine_says(case["answer"])
        return ""
    return conversation.user(case["answer"])


def _call(given: Mapping[str, Any], project: Path) -> tuple[str, Json]:
    if "command" in given:
        return given["tool"], {"command": given["command"]}
    path = project / given["path"]
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("value = 1\n", encoding="utf-8")
    if given["tool"] == "Edit":
        return "Edit", {"file_path": str(path), "old_string": "value = 1", "new_string": "value = 2"}
    return given["tool"], {"file_path": str(path), "content": "value = 2\n"}
