"""Plays a session through the real hook command and compares each call with what the SPEC says of it.

The hooks are real processes, the readers the hosted backend against a server on the loopback interface.
All steps are played, and every difference is told: a session goes on as the hooks really answered.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from played.client import Call, Conversation
from played.machine import Json, Machine
from played.outcome import Outcome, outcome_of
from played.readers import ReaderApi, shown
from running.hookrun import KEY
from running.serving import Serving
from samples.event_schema import EVENT_SCHEMA
from sessions_data.playing.script import FIRST, Expected, Script, Step, expected, filled

SILENT = {"not_write_class", "disabled"}
"""Reasons for which Compass may keep no record."""
NUMBERED = re.compile(r"(?m)\((\d)\) (.+?)(?=, \(\d\) |\.$)")
"""A reading in the sentence that the agent is told."""


@dataclass
class Play:
    """One session being played; `faults` grows."""

    script: Script
    machine: Machine
    api: ReaderApi
    conversations: dict[str, Conversation] = field(default_factory=dict[str, Conversation])
    faults: list[str] = field(default_factory=list[str])
    outcomes: list[tuple[int, Outcome]] = field(default_factory=list[tuple[int, Outcome]])
    newest: str | None = None
    denial_lengths: dict[str, int] = field(default_factory=dict[str, int])
    last_denial: str = ""

    def run(self) -> None:
        for step in self.script.steps:
            if own := getattr(self, f"_{step.kind}", None):
                own(step)
            else:
                self._told(step, self._of(step), self._filled(step.given))
        for event in self.machine.place.events():
            invalid = EVENT_SCHEMA.iter_errors(event)
            self.faults += [f"event {event['event_type']}: {one.message}" for one in invalid]

    def _told(self, step: Step, conversation: Conversation, given: Any) -> None:
        """A step that is the client's alone: nothing is compared."""
        match step.kind:
            case "machine":
                conversation.machine_says(given)
            case "agent":
                conversation.agent(given)
            case "slash":
                conversation.slash(given, step.line.get("expands_to", "(what the command says)"))
            case "builtin":
                conversation.builtin(given, step.line.get("output", "done"))
            case "interrupt":
                conversation.interrupt()
            case "compact":
                conversation.compact(given)
            case "resume":
                conversation.ends()
                conversation.begins("resume")
            case "rewind":
                conversation.rewind(int(given))
            case "ask":
                conversation.asks(given["question"], given["options"], self._filled(step.line["answer"]))
            case _:
                conversation.plans(given, bool(step.line["approved"]))

    def _user(self, step: Step) -> None:
        self._answered(step, self._of(step).user(self._filled(step.given), step.line.get("source")))

    def _queued(self, step: Step) -> None:
        waits = step.line.get("waits") is True
        self._answered(step, self._of(step).queued(self._filled(step.given), waits=waits))

    def _answered(self, step: Step, printed: str) -> None:
        """Whether the prompt costs a model turn, and what its agent and its person are told."""
        answer: Json = json.loads(printed or "{}")
        wanted = step.line.get("expect", {})
        told = {
            "context_has": answer.get("hookSpecificOutput", {}).get("additionalContext", ""),
            "person_has": answer.get("stopReason") or answer.get("systemMessage", ""),
        }
        for key, text in told.items():
            for part in wanted.get(key, ()):
                if self._filled(part).casefold() not in text.casefold():
                    self._fault(step, f"{key} {part!r} but was {text!r}")
        stopped = answer.get("continue") is False
        if wanted.get("stopped", stopped) is not stopped:
            self._fault(step, f"stopped is {stopped}: {answer}")

    def _wait(self, step: Step) -> None:
        self.machine.clock_shift += float(step.given)

    def _events(self, step: Step) -> None:
        found = Counter(event["event_type"] for event in self.machine.place.events())
        for name, count in step.given.items():
            if found[name] != count and not (count == "some" and found[name]):
                self._fault(step, f"{found[name]} events {name}, expected {count}")

    def _call(self, step: Step) -> None:
        conversation = self._of(step)
        self.api.expect_call(self._filled(step.line.get("readers", "clear")))
        call = self._about_to(conversation, step.given)
        done = conversation.fire(call)
        outcome = self._outcome(conversation, done, self._reason())
        self.outcomes.append((step.number, outcome))
        self._compare(step, call, expected(self._filled(dict(step.line))), outcome)
        self._finish(conversation, call, outcome, step.line)

    def _parallel(self, step: Step) -> None:
        conversation = self._of(step)
        self.api.expect_call(self._filled(step.line.get("readers", "clear")))
        lines: list[Json] = [{**step.line, "reader_calls": None, **given} for given in step.given]
        calls = [self._about_to(conversation, line["call"]) for line in lines]
        with ThreadPoolExecutor(len(calls)) as pool:
            ended = list(pool.map(conversation.fire, calls))
        total = Expected(reader_calls=expected(step.line).reader_calls)
        self._compare(step, calls[0], total, self._outcome(conversation, ended[0], None))
        for call, done, line in zip(calls, ended, lines, strict=True):
            outcome = self._outcome(conversation, done, None)
            self.outcomes.append((step.number, outcome))
            line["expect"] = {k: v for k, v in line["expect"].items() if k not in {"reader_calls", "reason"}}
            self._compare(step, call, expected(self._filled(line)), outcome)
            self._finish(conversation, call, outcome, line)
        self._reason()

    def _about_to(self, conversation: Conversation, given: Mapping[str, Any]) -> Call:
        tool_input = dict(self._filled(given["input"]))
        for name in ("file_path", "notebook_path"):
            if name in tool_input:
                tool_input[name] = str(self.machine.project / tool_input[name])
        return conversation.call(given["tool"], tool_input, given.get("agent_id"), given.get("task", ""))

    def _shown(self) -> tuple[str, ...]:
        return tuple(shown(received) for received in self.api.asked)

    def _reason(self) -> str | None:
        """The reason of the check that was recorded since the last look."""
        check = self.machine.newest_check()
        if check is None or check["check_id"] == self.newest:
            return None
        self.newest = check["check_id"]
        return str(check["reason"])

    def _compare(self, step: Step, call: Call, wanted: Expected, met: Outcome) -> None:
        longest = self.denial_lengths.get(step.session, 0)
        given = call.given
        gist = str(given.get("command") or given.get("file_path") or given.get("notebook_path"))[-80:]
        for fault in differences(wanted, met, longest):
            self._fault(step, f"{call.tool} {gist}: {fault}")
        self.denial_lengths[step.session] = max(longest, len(met.message))
        self.last_denial = met.message or self.last_denial

    def _finish(self, conversation: Conversation, call: Call, met: Outcome, line: Mapping[str, Any]) -> None:
        """What the client does next: the call is refused, or it runs and its effect is on disk."""
        if met.decision == "deny":
            conversation.denied(call, met.message)
            return
        result = line.get("result", "ok")
        if result is None:
            conversation.stop(call)
            return
        if result == "ok":
            self._apply(call)
            for path, content in self._filled(line.get("effects", {})).items():
                self._put(self.machine.project / path, content)
        conversation.ended(call, worked=result == "ok")

    def _apply(self, call: Call) -> None:
        """File tools do what they say; a shell command is not run, its step names its `effects`."""
        if call.tool == "Write":
            self._put(Path(call.given["file_path"]), call.given["content"])
        elif call.tool == "Edit":
            path = Path(call.given["file_path"])
            text = path.read_text(encoding="utf-8") if path.exists() else call.given["old_string"]
            self._put(path, text.replace(call.given["old_string"], call.given["new_string"], 1))

    def _put(self, path: Path, content: str | None) -> None:
        if content is None:
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    def _of(self, step: Step) -> Conversation:
        if step.session not in self.conversations:
            attended = bool(self.script.header.get("attended", True))
            begun = self._begun(f"{self.script.name}-{step.session}", attended)
            self.conversations[step.session] = begun
            begun.begins()
        return self.conversations[step.session]

    def _begun(self, name: str, attended: bool) -> Conversation:
        return Conversation(self.machine, name, attended)

    def _outcome(
        self, conversation: Conversation, done: subprocess.CompletedProcess[bytes], reason: str | None
    ) -> Outcome:
        return outcome_of(done, reason, self._shown())

    def _filled(self, value: Any) -> Any:
        place, first = self.machine.place, self.conversations.get(FIRST)
        readings = (f"{number}. {text}" for number, text in NUMBERED.findall(self.last_denial))
        names = {"PROJECT": str(self.machine.project), "HOME": str(place.root / "home")}
        names |= {"STATE": str(place.state), "READINGS": "\n".join(readings)}
        if first is not None:
            names |= {"SESSION": first.session_id, "TRANSCRIPT": str(first.path)}
        return filled(value, names)

    def _fault(self, step: Step, what: str) -> None:
        why = f"\n      {step.line['why']}" if "why" in step.line else ""
        self.faults.append(f"{self.script.name}:{step.number}: {what}{why}")


def play(
    script: Script,
    root: Path,
    served: Serving,
    *,
    processes: bool = True,
    begin: Callable[[Script, Machine, ReaderApi], Play] = Play,
) -> Play:
    """The session, played to its end in a new home below `root`, behind a service that others use too.

    Each call is a process of its own, or goes to the socket as that process would send it. `begin` makes the player.
    """
    header = script.header
    before = served.counts()
    with ReaderApi() as api:
        env = served.place.env | _environment(header, api.url)
        machine = Machine.at(root, env, header.get("project", ""), None if processes else served)
        played = begin(script, machine, api)
        for folder, files in ((machine.project, "files"), (Path(machine.place.root) / "home", "home")):
            for path, content in header.get(files, {}).items():
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(
                    content if isinstance(content, str) else json.dumps(content), encoding="utf-8"
                )
        played.run()
        counts = served.counts()
        if counts["requests"] == before["requests"] or counts["broken"]:
            played.faults.append(f"{script.name}: the service was not asked, or broke: {counts}")
    return played


def _environment(header: Mapping[str, Any], url: str) -> dict[str, str]:
    """The user's own settings, as variables."""
    readers = {"evaluator.backend": "anthropic", "evaluator.base_url": url}
    settings: dict[str, Any] = {**readers, **header.get("settings", {})}
    env = {
        f"COMPASS_{key.upper().replace('.', '__')}": value if isinstance(value, str) else json.dumps(value)
        for key, value in settings.items()
    }
    env["ANTHROPIC_API_KEY"] = KEY
    env["CLAUDE_CODE_SESSION_ATTENDED"] = "1" if header.get("attended", True) else "0"
    return {**env, **header.get("environment", {})}


def differences(wanted: Expected, met: Outcome, longest_denial: int) -> Iterator[str]:
    """`longest_denial`: characters of the longest denial before this one, 0 where there was none."""
    if wanted.decision and met.decision not in wanted.decision:
        yield f"{met.decision}, expected {_either(wanted.decision)} {met.message[:200]}"
    silent = met.reason is None and bool(SILENT & set(wanted.reason))
    if wanted.reason and met.reason not in wanted.reason and not silent:
        yield f"reason {met.reason}, expected {_either(wanted.reason)}"
    if wanted.reader_calls and met.reader_calls not in wanted.reader_calls:
        yield f"{met.reader_calls} readers asked, expected {_either(wanted.reader_calls)}"
    if wanted.ends_turn is not None and met.ends_turn != wanted.ends_turn:
        yield f"ends_turn {met.ends_turn}, expected {wanted.ends_turn}"
    message = met.message
    for text in wanted.message_has if met.decision == "deny" else ():
        if text.casefold() not in message.casefold():
            yield f"the message lacks {text!r}: {message!r}"
    condensed = len(message) < longest_denial
    if met.decision == "deny" and wanted.condensed not in (None, condensed):
        yield f"condensed is {condensed}: {message!r}"
    for text in wanted.shown_has if met.shown else ():
        if not any(text in request for request in met.shown):
            yield f"no reader was shown {text!r}"
    for text in wanted.shown_lacks:
        if any(text in request for request in met.shown):
            yield f"a reader was shown {text!r}"


def _either(values: Sequence[object]) -> str:
    return " or ".join(str(value) for value in values)
