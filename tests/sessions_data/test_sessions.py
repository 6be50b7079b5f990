"""Whole sessions of people with an agent, on Claude Code and through every other host's own payloads and files."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from played.machine import Machine
from played.outcome import Outcome
from running.serving import Serving
from sessions_data.playing.host_session import Done, HostSession, answer_of
from sessions_data.playing.play import Play, play
from sessions_data.playing.recorded_hosts import SESSIONS as HOST_SESSIONS
from sessions_data.playing.script import Script, Step, load, paths

from evaluator.settings.places import record_project
from hooks.registry import DEFAULT, HOSTS, host_of

PATHS = paths()
SESSIONS, CALLS = 85, 408
"""At least so many stand in the folder: coverage must not shrink unseen."""

ASKS = frozenset(("low_confidence", "disagreement", "low_agreement"))
"""Why a judged call is held: the person is asked. Repeats from memory, and outages, ask nothing."""
QUESTIONS: dict[str, int] = json.loads(Path(__file__).with_name("questions.json").read_text())
"""{session: how often the person may be asked, where not once}: false blocks must not grow unseen."""


@pytest.mark.spread(16)
@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_each_call_of_a_session_meets_what_the_spec_says_of_it(path, tmp_path, served):
    played = play(load(path), tmp_path, served, processes=PATHS.index(path) % 4 == 0)
    assert not played.faults, "\n".join(played.faults)
    asked = sum(met.decision == "deny" and met.reason in ASKS for _, met in played.outcomes)
    assert asked <= QUESTIONS.get(path.stem, 1), f"{asked} questions"


def test_every_session_is_in_the_format_and_there_are_enough_of_them():
    scripts = [load(path) for path in PATHS]
    assert len(scripts) >= SESSIONS and sum(script.calls for script in scripts) >= CALLS
    assert all(script.calls for script in scripts)
    assert set(QUESTIONS) <= {script.name for script in scripts}


# The shipped sessions on every host but Claude Code, through its own payloads and session files: the same verdicts.

NAMES = tuple(name for name in HOSTS if name != DEFAULT)
AT_LEAST = {"chibi": 48, "codex": 84, "copilot": 86, "cursor": 82, "gemini": 87, "opencode": 92}
"""{host: so many sessions run on it}: coverage must not shrink unseen."""
ORDINARY_HOSTS = 2
SCRIPTS = [load(path) for path in paths()]
WHY: Mapping[str, str] = {
    "answers": "nobody can tell who typed an answer, so none counts",
    "edit_text": "no hook is told what an edit writes",
    "unattended": "no hook is told of a prompt that nobody attends",
    "ends_turn": "no answer ends a turn",
    "resume": "a session is one process, and none goes on",
    "notebook": "no tool for notebooks",
    "agents": "subagents: none was recorded there",
    "queued": "prompts typed in mid-turn: none was recorded there",
    "rewind": "a rewind: none was recorded there",
    "compact": "a compaction: none was recorded there",
    "ask": "AskUserQuestion, a tool of Claude Code's",
    "plan": "ExitPlanMode, a tool of Claude Code's",
    "machine": "prompts that Claude Code itself writes",
    "sdk": "typed prompts beside those of Claude Code's SDK",
    "slash": "slash commands in Claude Code's lines",
    "env_block": "variables that Claude Code's settings set for a hook",
}
"""{what a session needs: why a host has it not}. Those of the host's row or protocol, then those of another client."""
STEPS: Mapping[str, str] = {"builtin": "slash"} | {
    kind: kind for kind in ("ask", "plan", "machine", "queued", "rewind", "compact", "resume", "slash")
}
FREED = frozenset(("released", "cancelled", "paused"))
"""Reasons of a check that rest on a person's answer."""


def needs(script: Script) -> tuple[str, ...]:
    """The names of WHY, each once, in their order."""
    found = {"unattended"} if not script.header.get("attended", True) else set[str]()
    found |= {"env_block"} if script.header.get("environment") else set()
    found |= {"answers"} if _rests_on_answers(script) else set()
    for step in script.steps:
        found |= {STEPS[step.kind]} if step.kind in STEPS else set()
        found |= {"sdk"} if "source" in step.line else set()
        for line in _calls(step):
            found |= set(_of_call(line))
    return tuple(name for name in WHY if name in found)


def _rests_on_answers(script: Script) -> bool:
    # The targets that were asked about, and those of them that a prompt came after: that was the answer.
    asked, replied = set[object](), set[object]()
    for step in script.steps:
        if step.kind == "user":
            replied |= asked
        if step.kind == "events" and step.given.get("compass.check.overridden"):
            return True
        for line in _calls(step):
            given, reasons = line["call"]["input"], _reasons(line)
            target = given.get("file_path") or given.get("command")
            if reasons & FREED or (target in replied and "denied_before" not in reasons):
                return True
            asked |= {target} if reasons & ASKS else set()
    return False


def _calls(step: Step) -> Iterator[Mapping[str, Any]]:
    if step.kind == "call":
        yield step.line
    elif step.kind == "parallel":
        yield from step.given


def _of_call(line: Mapping[str, Any]) -> Iterator[str]:
    tool = line["call"]["tool"]
    if "agent_id" in line["call"]:
        yield "agents"
    if tool == "NotebookEdit":
        yield "notebook"
    if tool == "Edit" and "skip_sentinel" in _reasons(line):
        yield "edit_text"
    if line.get("expect", {}).get("ends_turn"):
        yield "ends_turn"


def _reasons(line: Mapping[str, Any]) -> set[str]:
    reason = line.get("expect", {}).get("reason", ())
    return {reason} if isinstance(reason, str) else set(reason)


@dataclass
class HostPlay(Play):
    kind: type[HostSession] = HostSession

    def __post_init__(self):
        """`compass init --host NAME` was run here: entries of these hosts act where it was."""
        self.machine.host = self.kind.NAME
        place = self.machine.place
        if self.kind.ENV_FILE:
            lines = (f"{name}={value}\n" for name, value in self.script.header.get("environment", {}).items())
            (self.machine.project / self.kind.ENV_FILE).write_text("".join(lines), encoding="utf-8")
        record_project(place.environment(), str(Path(place.root) / "home"), str(self.machine.project))

    def _begun(self, name: str, attended: bool):
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

    def _answered(self, step: Step, printed):
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


def play_on(name: str, script: Script, root: Path, served: Serving, **how: bool) -> Play:
    def begin(script: Script, machine: Machine, api) -> Play:
        return HostPlay(script, machine, api, kind=HOST_SESSIONS[name])

    return play(script, root, served, begin=begin, **how)


def lacks(name: str, script: Script) -> tuple[str, ...]:
    """What the session needs and the host's row, or its player, does not have; empty: it runs."""
    counted = {"answers"} if host_of(name).setup().PROMISES.answers_count else set[str]()
    return tuple(one for one in needs(script) if one not in HOST_SESSIONS[name].HAS | counted)


def _cases() -> Iterator[object]:
    """The ordinary run plays each session on a few hosts, other ones for each in turn."""
    for number, script in enumerate(SCRIPTS):
        running = [name for name in NAMES if not lacks(name, script)]
        share = {running[(number + step) % len(running)] for step in range(ORDINARY_HOSTS) if running}
        for name in running:
            marks = () if name in share else (pytest.mark.full,)
            yield pytest.param(name, script, id=f"{script.name}-{name}", marks=marks)


@pytest.mark.spread(16)
@pytest.mark.parametrize(("name", "script"), list(_cases()))
def test_each_call_of_a_session_on_another_host_meets_it_too(name, script, tmp_path, served):
    played = play_on(name, script, tmp_path, served)
    assert not played.faults, "\n".join(played.faults)
    assert len(played.outcomes) == script.calls


@pytest.mark.parametrize("name", NAMES)
def test_a_session_goes_through_the_command_that_is_wired(name, tmp_path, served):
    """Each call is a process, which the socket stands for in all others."""
    script = next(one for one in SCRIPTS if one.name == "refusal-then-write")
    played = play_on(name, script, tmp_path, served, processes=True)
    assert not played.faults, "\n".join(played.faults)


@pytest.mark.parametrize("name", NAMES)
def test_so_many_sessions_run_on_a_host(name):
    left = {script.name: found for script in SCRIPTS if (found := lacks(name, script))}
    assert len(SCRIPTS) - len(left) >= AT_LEAST[name], left
