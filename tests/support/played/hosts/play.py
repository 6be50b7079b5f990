"""Plays a session on another host than Claude Code, by its player. What is expected is what the session says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from played.hosts.player import Done, HostSession, answer_of
from played.machine import Machine
from played.outcome import Outcome
from played.play import Play, play
from played.script import Script, Step
from running.serving import Serving

from evaluator.settings.places import record_project


@dataclass
class HostPlay(Play):
    kind: type[HostSession] = HostSession

    def __post_init__(self) -> None:
        """`compass init --host NAME` was run here: entries of these hosts act where it was."""
        self.machine.host = self.kind.NAME
        place = self.machine.place
        if self.kind.ENV_FILE:
            lines = (f"{name}={value}\n" for name, value in self.script.header.get("environment", {}).items())
            (self.machine.project / self.kind.ENV_FILE).write_text("".join(lines), encoding="utf-8")
        record_project(place.environment(), str(Path(place.root) / "home"), str(self.machine.project))

    def _begun(self, name: str, attended: bool) -> Any:
        return self.kind(self.machine, name, attended)

    def _outcome(self, conversation: HostSession, done: Done, reason: str | None) -> Outcome:
        """By what the host itself makes of what the hook leaves behind."""
        assert b"Traceback" not in done.stdout + done.stderr, done.stderr
        setup, shown = conversation.host.setup(), self._shown()
        if not setup.refuses(done.returncode, done.stdout, done.stderr):
            assert done.returncode == 0, done.stderr
            return Outcome("allow", "", False, reason, len(shown), shown)
        message = conversation.reason(done)
        assert message.strip(), "a denial without a reason"
        return Outcome("deny", message, conversation.ends_turn(done), reason, len(shown), shown)

    def _answered(self, step: Step, printed: Any) -> None:
        """What is told reaches the one it is for, or the agent who is to show it; a prompt costs a model turn
        wherever the host cannot stop it and keep it."""
        wanted, kind, answer = step.line.get("expect", {}), self.kind, answer_of(printed)
        agent, person = self._of(step).told(answer)
        # What is typed in mid-turn is a prompt of its own where the host gives it an id: its agent is told no more.
        shows = kind.SHOWS - ({"context_has"} if step.kind == "queued" else set())
        for key, text in (("context_has", agent), ("person_has", f"{person}\n{agent}")):
            for part in wanted.get(key, ()) if key in shows else ():
                if self._filled(part).casefold() not in text.casefold():
                    self._fault(step, f"{key} {part!r} but was {text!r}")
        stopped = answer.get("continue") is False
        may = self._of(step).host.STOPS_PROMPTS
        if stopped is not (may and wanted.get("stopped", stopped)):
            self._fault(step, f"stopped is {stopped}: {answer}")


def play_on(
    kind: type[HostSession], script: Script, root: Path, served: Serving, *, processes: bool = False
) -> Play:
    def begin(script: Script, machine: Machine, api: Any) -> Play:
        return HostPlay(script, machine, api, kind=kind)

    return play(script, root, served, processes=processes, begin=begin)
