"""Sessions in which a term comes back (`fixtures/precedents`), each played through the gate, on one home and state.

Every step is a session of its own, at its day by a clock that is moved, in a real work tree on its branch. A settling
one has readers who hold the write with the step's readings and take the next one for what the step means; what
becomes of it is the product's. An occasion is judged with what is remembered and without.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast
from unittest import mock

from played.client import Call, Conversation
from played.machine import Json
from played.replied import Direct
from repository import ROOT
from running.hookrun import Place

from compass.joining.gate import Wired, wire
from evaluator.configuration.settings import Evaluator, MemorySettings, Settings
from evaluator.model import Action, Check, Evidence, Extent, Reading, Sample, Subject
from evaluator.ports import Readers
from evaluator.precedents.precedent import Precedent
from evaluator.processes import process_of
from evaluator.record import replace
from evaluator.state.store import OpenedStore, Store, open_store

FOLDER = ROOT / "fixtures" / "precedents"
BEGINS = 1_795_442_400.0
"""2026-11-23, 14:00 UTC."""
RULES = Settings(enabled=True, evaluator=Evaluator(backend="embedded"))
NO_MEMORY = replace(RULES, memory=MemorySettings(enabled=False))
OPENING = "Hello, have a look around first, please."
REMOTE = "https://git.example/team/project.git"
DAY, HOUR = 86_400.0, 3_600.0
SUPPORT = 4
"""Readers for the first reading; one fewer for each that follows, which keeps the list in its order."""
ACTIONS: Mapping[str, Action] = {"edit": "change"}
"""What the corpora call otherwise than readers do."""
OWN_ANSWERS = ("chosen", "clarified", "cancelled")
ARTICLE = re.compile(r"^(?:the|der|die|das|dem|den|le|la|les|l'|el|los|las)\s*(?<=[\s'])")
NUMBERED = re.compile(r"^\s*\d+[.)].*$", re.MULTILINE)
CHECKED_IN = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "1735732800 +0000",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_COMMITTER_DATE": "1735732800 +0000",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


@dataclass(frozen=True)
class Settling:
    """A settling step as it went. `held`: with the step's readings. `kept`: the precedents that it left.

    `checkout` is that of the session's occasions.
    """

    session: str
    step: int
    how: str
    means: Json
    held: bool
    ran: bool
    kept: tuple[Precedent, ...]
    checkout: str

    @property
    def as_meant(self) -> bool:
        """Whether it left one precedent, for the target that its author means."""
        return [one.target for one in self.kept] == [self.means["target"]]

    @property
    def in_words_of_author(self) -> bool:
        """Whether it was kept under the words that its author calls open, article and case aside."""
        return {_bare(one.term) for one in self.kept} == {_bare(self.means["term"])}

    @property
    def poisoned(self) -> tuple[Precedent, ...]:
        """Of a poisoning session: what must not have been kept. Of another checkout the user may have settled it."""
        own, here = self.how in OWN_ANSWERS, [one for one in self.kept if one.checkout == self.checkout]
        if self.means.get("genuine"):
            return tuple(one for one in here if one.target != self.means["target"])
        return tuple(one for one in here if not own or one.target == self.means["target"])


@dataclass(frozen=True)
class Ending:
    """How a check of an occasion ended; `subject` is what its readers were asked about, None where none were."""

    passed: bool
    reason: str
    subject: Subject | None

    @property
    def evidence(self) -> Evidence | None:
        return None if self.subject is None else self.subject.evidence

    @property
    def precedents(self) -> tuple[str, ...]:
        """What they were shown in the slot of precedents."""
        return () if self.subject is None else self.subject.evidence.precedents

    @property
    def counts(self) -> bool:
        """Whether rules took a target of the write for one that a precedent leads to."""
        return self.subject is not None and bool(self.subject.led_to)


@dataclass(frozen=True)
class Occasion:
    """`memory` and `without` are by the readers that were asked for: rules, or readers who are only shown things."""

    session: str
    step: int
    row: Json
    memory: Ending
    without: Ending

    @property
    def name(self) -> str:
        return f"{self.session}/{self.step}"

    @property
    def label(self) -> Json:
        return cast(Json, self.row["label"])

    @property
    def agreed(self) -> bool:
        """Whether a second author, if there is one, gave the same label; of which kind an occasion is may differ, and
        what is settled where the first speaks of what was planted."""
        second = self.row.get("second", self.label)
        names = ("right",) if self.label["kind"] == "poisoned" else ("settled", "right")
        return all(second[name] == self.label[name] for name in names)


@dataclass
class Played:
    """One session of the corpora."""

    settlings: list[Settling] = field(default_factory=list[Settling])
    occasions: list[Occasion] = field(default_factory=list[Occasion])


@dataclass
class Holding:
    """Readers of a settling step: they hold what they are asked with its readings, or pass what it means."""

    readings: Sequence[Reading]
    passes: bool = False
    down: bool = False
    subjects: list[Subject] = field(default_factory=list[Subject])
    name: str = "scripted"
    model: str = "none"

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        self.subjects.append(subject)
        if self.down:
            return tuple(Sample(f"r{number}", error="transport: refused") for number in range(5))
        score, fits = (0.95, True) if self.passes else (0.3, False)
        each = [one for place, one in enumerate(self.readings) for _ in range(max(1, SUPPORT - place))]
        if len(self.readings) == 1:
            each = [*self.readings] * 5
        return tuple(
            Sample(f"r{number}", score=score, primary_concern="none" if fits else "target",
                   rationale="it says so" if fits else "two things fit", reading=reading, fits=fits)
            for number, reading in enumerate(each)
        )  # fmt: skip


@dataclass
class Overheard:
    """Readers, and what they were asked about."""

    readers: Readers
    subjects: list[Subject] = field(default_factory=list[Subject])

    @property
    def name(self) -> str:
        return self.readers.name

    @property
    def model(self) -> str:
        return self.readers.model

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        self.subjects.append(subject)
        return tuple(self.readers.collect(subject, seconds))


def sessions(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def play(session: Json, root: Path, *, rules: bool = True) -> Played:
    """The whole session, below `root`. Not `rules`: occasions are shown to readers who pass everything."""
    return _Player(session, root, rules).played()


@contextlib.contextmanager
def moved(seconds: float) -> Iterator[None]:
    """The wall clock of this process begins at `BEGINS`, and so much later: the day of a settlement is shown."""
    real = time.time
    begun = real()
    with mock.patch("time.time", lambda: real() - begun + BEGINS + seconds):
        yield


class _Player:
    def __init__(self, session: Json, root: Path, rules: bool) -> None:
        self.session, self.rules = session, rules
        self.place = Place(root, {"CLAUDE_CODE_SESSION_ATTENDED": "1"})
        self.project = self._work_tree("project")
        env = self.place.environment()
        opened = open_store(os.path.join(env["ONLOOKER_DIR"], "compass"), now=time.time())
        assert opened.fault is None
        self.store: Store = opened.store

    def played(self) -> Played:
        found = Played()
        with contextlib.closing(self.store):
            for number, step in enumerate(self.session["steps"]):
                self._branch(self.project, step["branch"])
                with moved(step["day"] * DAY + number * HOUR):
                    if step["kind"] == "settle":
                        found.settlings.append(self._settle(number, step))
                    else:
                        found.occasions.append(self._occasion(number, step))
            assert not self.store.faults, list(self.store.faults)
        return found

    def _occasion(self, number: int, step: Json) -> Occasion:
        without = self._judged(f"{number}-without", step, NO_MEMORY)
        memory = self._judged(f"{number}-with", step, RULES)
        return Occasion(self.session["id"], number, step, memory, without)

    def _judged(self, name: str, step: Json, settings: Settings) -> Ending:
        readers = Holding((_reading(f"edit {step['write']['input'].get('file_path', 'it')}"),), passes=True)
        with self._machine(settings, readers, self.project) as machine:
            conversation = self._begun(machine, name, step)
            for path in step.get("turn_so_far", ()):
                given = {"file_path": path, "old_string": "value = 1", "new_string": "value = 2"}
                self._write(conversation, {"tool": "Edit", "input": given})
            heard: Holding | Overheard = readers
            if self.rules:
                wired = self._wired(settings, {}, self.project)
                heard = rules = Overheard(wired.parts.readers())
                machine.wired = replace(wired, parts=replace(wired.parts, readers=lambda: rules))
            heard.subjects.clear()
            conversation.fire(self._call(conversation, step["write"]))
            found = _newest(machine)
            conversation.ends()
        return Ending(found.decision == "allow", found.reason, heard.subjects[-1] if heard.subjects else None)

    def _settle(self, number: int, step: Json) -> Settling:
        how, text = step["answer"]["how"], str(step["answer"]["text"])
        before = {one.precedent_id for one in self.store.all_precedents(None)}
        project = self._elsewhere(step) if how == "imported_remote" else self.project
        readers = Holding(
            [_reading(one, step["means"]["extent"]) for one in step["readings"]], down=how == "outage"
        )
        with self._machine(RULES, readers, project, **self._surroundings(number, how)) as machine:
            conversation = self._begun(machine, str(number), step, attended=how != "unattended")
            first = self._call(conversation, step["write"])
            conversation.fire(first)
            held = _newest(machine)
            listed = self._issued(conversation)
            if held.decision == "deny":
                conversation.denied(first, held.detail)
                shown = NUMBERED.findall(held.detail)
                asks = "Which one do you mean?" if shown else "Nothing was written."
                conversation.agent("\n".join([f"Compass held this write. {asks}", *shown]))
            self._answers(conversation, step, how, text)
            readers.readings, readers.passes, readers.down = [_meant(step)], True, False
            ran = step.get("passed") is not None and self._write(conversation, step["passed"])
            conversation.ends()
        kept = tuple(one for one in self.store.all_precedents(None) if one.precedent_id not in before)
        as_written = [
            " ".join((ACTIONS.get(a, a), b)) for a, _, b in (one.partition(" ") for one in step["readings"])
        ]
        asked = held.decision == "deny" and (how == "outage" or len(as_written) == 1 or listed == as_written)
        return Settling(
            self.session["id"], number, how, step["means"], asked, ran, kept, str(self.project.resolve())
        )

    def _answers(self, conversation: Conversation, step: Json, how: str, text: str) -> None:
        if how == "subagent":
            report = f"<task-notification>\n<result>{text}</result>\n</task-notification>"
            conversation.machine_says(report)
        elif how == "imported_remote":
            targets = [one.partition(" ")[2] for one in step["readings"]]
            conversation.user(str(targets.index(step["means"]["target"]) + 1))
        elif text:
            conversation.user(text)

    def _surroundings(self, number: int, how: str) -> dict[str, Json]:
        if how == "unattended":
            return {"env": {"CLAUDE_CODE_SESSION_ATTENDED": "0"}}
        if how != "delegated":
            return {}
        # As the client's first prompt notes a session that a tool call of an unknown one started.
        client = process_of(str(os.getpid()))
        assert client is not None
        about = {"started": client.started, "session": _session_id(self._name(str(number))), "parents": []}
        self.store.set_note(f"client:{client.pid}", json.dumps({**about, "transcript": ""}))
        return {"env": {"CLAUDE_PID": str(client.pid)}}

    def _elsewhere(self, step: Json) -> Path:
        """Another checkout with this project's remote; and here lies a glossary that nobody trusted."""
        means = step["means"]
        glossary = self.project / ".compass" / "glossary.md"
        glossary.parent.mkdir(exist_ok=True)
        glossary.write_text(f"- **{means['term']}**: `{means['target']}`\n", encoding="utf-8")
        return self._work_tree("elsewhere")

    def _begun(self, machine: Direct, name: str, step: Json, *, attended: bool = True) -> Conversation:
        conversation = Conversation(machine, self._name(name), attended=attended)
        conversation.begins()
        if step["prior"]:
            conversation.user(OPENING)
            conversation.agent(step["prior"])
        conversation.user(step["request"])
        return conversation

    def _name(self, name: str) -> str:
        return f"{self.session['id']}/{name}"

    def _write(self, conversation: Conversation, write: Json) -> bool:
        """Whether the write was let through, and then was made."""
        call = self._call(conversation, write)
        conversation.fire(call)
        found = _newest(cast(Direct, conversation.machine))
        if found.decision == "deny":
            conversation.denied(call, found.detail)
            return False
        _apply(call)
        conversation.ended(call, worked=True)
        return True

    def _call(self, conversation: Conversation, write: Json) -> Call:
        given, project = dict(write["input"]), Path(conversation.machine.project)
        for name in ("file_path", "notebook_path"):
            if name in given:
                given[name] = str(project / given[name])
        return conversation.call(write["tool"], given, None, "")

    def _issued(self, conversation: Conversation) -> list[str]:
        found = self.store.intervention(conversation.session_id)
        return [] if found is None else list(found.readings)

    @contextlib.contextmanager
    def _machine(
        self, settings: Settings, readers: Holding, project: Path, env: Mapping[str, str] | None = None
    ) -> Iterator[Direct]:
        wired = self._wired(settings, env or {}, project)
        parts = replace(
            wired.parts, readers=lambda: readers, paid=lambda: True, breaker=lambda _: None,
            slot=lambda _: contextlib.nullcontext(True),
        )  # fmt: skip
        yield Direct(self.place, project, wired=replace(wired, parts=parts))

    def _wired(self, settings: Settings, env: Mapping[str, str], project: Path) -> Wired:
        whole = {**self.place.environment(), "CLAUDE_PROJECT_DIR": str(project), **env}
        opened = OpenedStore(self.store, None)
        return wire(whole, whole["HOME"], str(project), settings=settings, store=opened)

    def _work_tree(self, name: str) -> Path:
        """Every file of the session, with the text that its edits look for, checked in on its branches."""
        folder = Path(self.place.root) / "work" / name
        texts: dict[str, list[str]] = {path: ["value = 1"] for path in self.session["files"]}
        for path, old in _edited(self.session):
            texts.setdefault(path, ["value = 1"]).append(old)
        for path, lines in texts.items():
            if path not in self.session["files"]:
                continue
            target = folder / path
            if path.endswith("/"):
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8")
        git = folder / ".git"
        shutil.copytree(_repository(), git)
        commit = (git / "refs/heads/first").read_text(encoding="utf-8")
        default = self.session["branches"][0]
        refs = {f"refs/heads/{branch}": commit for branch in self.session["branches"]}
        refs[f"refs/remotes/origin/{default}"] = commit
        refs["refs/remotes/origin/HEAD"] = f"ref: refs/remotes/origin/{default}\n"
        for ref, text in refs.items():
            (git / ref).parent.mkdir(parents=True, exist_ok=True)
            (git / ref).write_text(text, encoding="utf-8")
        self._branch(folder, default)
        return folder

    def _branch(self, folder: Path, branch: str) -> None:
        (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n", encoding="utf-8")


def _bare(term: str) -> str:
    return ARTICLE.sub("", term.casefold())


def _newest(machine: Direct) -> Check:
    assert machine.newest is not None
    return machine.newest


def _session_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def _reading(text: str, extent: str = "one_file") -> Reading:
    action, _, target = text.partition(" ")
    return Reading(ACTIONS.get(action, cast(Action, action)), target, cast(Extent, extent))


def _meant(step: Json) -> Reading:
    """What the readers of the write that follows take the request for: what was chosen, or else what the step means."""
    how, text, means = step["answer"]["how"], str(step["answer"]["text"]), step["means"]
    if how == "chosen":
        return _reading(step["readings"][int(text.strip(" .)")) - 1], means["extent"])
    wanted = step.get("passed") or step["write"]
    path = wanted["input"].get("file_path") or wanted["input"].get("notebook_path") or means["target"]
    return _reading(f"{means['action']} {path}", means["extent"])


def _edited(session: Json) -> Iterator[tuple[str, str]]:
    """(path, text) of whatever an edit of the session looks for."""
    for step in session["steps"]:
        for write in (step["write"], step.get("passed")):
            given = (write or {}).get("input", {})
            for one in (given, *given.get("edits", ())):
                if "old_string" in one:
                    yield given["file_path"], one["old_string"]


def _apply(call: Call) -> None:
    """File tools do what they say; a shell command is not run."""
    given = call.given
    if call.tool not in ("Write", "Edit", "MultiEdit"):
        return
    path = Path(given["file_path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if call.tool == "Write":
        text = given["content"]
    for one in (given, *given.get("edits", ())):
        if "old_string" in one:
            text = text.replace(one["old_string"], one["new_string"], 1)
    path.write_text(text, encoding="utf-8")


@cache
def _repository() -> Path:
    """The `.git` of a clone with one commit, made once: a git process for each step would cost more than the step."""
    folder = Path(tempfile.mkdtemp(prefix="compass-clone-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for words in (
        ("init", "-q", "-b", "first", "--template="),
        ("commit", "-q", "-m", "first", "--allow-empty"),
        ("remote", "add", "origin", REMOTE),
    ):
        subprocess.run(
            ["git", "-C", str(folder), *words],
            env={"PATH": os.environ["PATH"], **CHECKED_IN},
            check=True,
            capture_output=True,
            timeout=60,
        )
    return folder / ".git"
