"""What `compass try` plays: a scratch project, a scripted agent, and the real gate's answers to it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import sys
import tempfile
import textwrap
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from time import monotonic
from types import FrameType

from compass.composition.gate import Wired, wire
from compass.hook.dispatch import Journey
from compass.hook.policy import ErrorPolicy
from evaluator.exchange.orders import declines
from evaluator.files import private_folder
from evaluator.intervention.control import parse_control
from evaluator.intervention.user_reply import chosen_readings
from evaluator.settings.layers import user_project_file
from evaluator.text import fold, safe
from hooks import registry
from hooks.sessions import ShownAnswer

SCRATCH_SETTINGS = {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}
"""Rules judge: they need no key and send nothing."""
ENDING = ("SIGTERM", "SIGHUP")
_READING = re.compile(r"^\s*(\d+)[.)]\s+(.*)$")
_OTHER = re.compile(r"\bother\b")
WIDTH = 80
SIGNAL_SECONDS = 0.2
PROMPT = "you> "
ANSWERS_MAX = 5
DRAFTS = ("draft-2023.md", "draft-2024.md")
NOTES, NOTE_LINE = "notes.md", "Tried Compass."
LOGS = ("old.log", "app.log")
VAGUE = "Just delete it."


@dataclass(frozen=True, slots=True)
class Scratch:
    """All paths absolute and below one temporary folder."""

    home: str
    project: str

    def hook(self, event: str, payload: dict[str, object]) -> bytes:
        """What the host is answered: by the way that a hook's own process takes."""
        began = monotonic()
        policy = ErrorPolicy(
            event, {"HOME": self.home}, self.project, lambda line: print(line, file=sys.stderr)
        )

        def gate() -> Wired:
            return wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host)

        raw = json.dumps({"cwd": self.project, **payload}).encode()
        return Journey(event, raw, policy, gate, lambda: monotonic() - began).end(self.project)

    def path(self, name: str) -> str:
        return os.path.join(self.project, name)

    def holds(self, name: str) -> bool:
        return os.path.exists(self.path(name))

    def put(self, name: str, text: str) -> None:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)


@contextmanager
def scratch() -> Generator[Scratch, None, None]:
    """Taken away at the end, also where the process is told to end."""
    before = {name: signal.getsignal(getattr(signal, name)) for name in ENDING}
    for name in ENDING:
        signal.signal(getattr(signal, name), _end)
    try:
        with tempfile.TemporaryDirectory(prefix="compass-try-") as folder:
            root = os.path.realpath(folder)
            made = Scratch(os.path.join(root, "home"), os.path.join(root, "project"))
            os.mkdir(made.home)
            os.mkdir(made.project)
            settings = user_project_file({}, made.home, made.project)
            private_folder(os.path.dirname(settings), repair=False)
            with open(settings, "w", encoding="utf-8") as file:
                json.dump(SCRATCH_SETTINGS, file)
            yield made
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler or signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


class PlayedSession:
    def __init__(self, scratch: Scratch, session: str) -> None:
        self._scratch = scratch
        self._host = registry.default().sessions()
        self._session = session
        self._path = scratch.path(f"../home/{session}.jsonl")
        self._file = self._host.made_up(self._path, session)
        self._prompts = self._calls = 0
        self._fire("session-start", source="startup")

    def user(self, text: str) -> ShownAnswer:
        """The prompt, as the hook at the prompt answers it."""
        self._prompts += 1
        found = self._fire("user-prompt-submit", prompt=text)
        self._file.user(text, self._prompt_id)
        return found

    def agent(self, text: str) -> None:
        self._file.says(text)

    def call(self, tool: str, given: dict[str, object], effect: Callable[[], None]) -> ShownAnswer:
        """A tool call; `effect` is done if the gate lets it run."""
        self._calls += 1
        use = f"toolu_{self._session}_{self._calls}"
        said: dict[str, object] = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        found = self._fire("pre-tool-use", **said)
        self._file.calls(tool, given, use)
        if not found.denied:
            effect()
        self._file.result(use, found.agent if found.denied else "done", failed=found.denied)
        if not found.denied:
            self._fire("post-tool-use", **said, tool_response={})
        return found

    @property
    def _prompt_id(self) -> str:
        return f"{self._session}-{self._prompts}"

    def _fire(self, event: str, **said: object) -> ShownAnswer:
        payload: dict[str, object] = {"session_id": self._session, "transcript_path": self._path, **said}
        if self._prompts:
            payload["prompt_id"] = self._prompt_id
        return self._host.shown(self._scratch.hook(event, payload))


def readings_in(text: str) -> list[str]:
    """The numbered lines of a question."""
    return [found[2] for line in text.splitlines() if (found := _READING.match(line))]


def aim(answer: str, candidates: Sequence[str], readings: Sequence[str], held: str) -> str:
    """The candidate that the answer chooses or names; else the one that was held."""
    offered = [text for text in readings if any(name in text for name in candidates)] or candidates
    chosen = chosen_readings(answer, offered)
    said = fold(offered[chosen[0]] if chosen else answer)
    named = [name for name in candidates if fold(name) in said]
    if named:
        return min(named, key=lambda name: said.index(fold(name)))
    left = [name for name in candidates if name != held]
    return left[0] if left and _OTHER.search(said) else held


class Screen:
    """`ended` once there is nothing more to read."""

    def __init__(self, *, as_json: bool = False) -> None:
        from rich.console import Console

        from compass.show.terminal import coloured, columns_of

        for stream in (sys.stdin, sys.stdout):
            # A terminal of another encoding shows a question mark; an answer in one is read as far as it can be.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._width = min(WIDTH, columns_of())
        self._console = Console(
            highlight=False,
            markup=False,
            width=self._width,
            soft_wrap=True,
            color_system="auto" if coloured() else None,
        )
        self._asks = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        self._as_json = as_json
        self.steps: list[dict[str, str]] = []
        self.ended = False

    def head(self, text: str) -> None:
        self._note("step", text)
        if not self._as_json:
            self._console.print()
        self._lines(text, "", "bold")

    def text(self, text: str) -> None:
        self._note("text", text)
        self._lines(text, "", "")

    def said(self, who: str, text: str) -> None:
        """Somebody's words, or what they do."""
        self._note(who, text)
        self._lines(text, f"  {who:<7}", "cyan" if who == "you" else "")

    def shown(self, text: str) -> None:
        """What the host would show, line by line."""
        self._note("shown", text)
        for line in text.splitlines() or [""]:
            indent = " " * (len(line) - len(line.lstrip()))
            self._lines(line.strip(), "  | " + indent, "yellow")

    def outcome(self, text: str, *, good: bool) -> None:
        self._note("outcome", text)
        self._lines(text, "  => ", "green" if good else "bold yellow")

    def ask(self) -> str | None:
        """The person's answer without its end; None once there is none to be had."""
        if self.ended:
            return None
        if self._asks:
            try:
                return _typed(PROMPT).strip()
            except EOFError:
                print()
                self.ended = True
                return None
        line = sys.stdin.readline()
        if not line:
            self.ended = True
            return None
        answer = line.strip()
        self._note("answer", answer)
        if self._as_json:
            return answer
        print(PROMPT + safe(answer, "")[: WIDTH - len(PROMPT)])
        return answer

    def go_on(self) -> None:
        """Waits for Enter, where a person sits there."""
        if self._asks and not self.ended:
            with contextlib.suppress(EOFError):
                _typed("\n(press Enter to continue) ")
                return
            self.ended = True

    def _note(self, kind: str, text: str) -> None:
        self.steps.append({"kind": kind, "text": text})

    def _lines(self, text: str, indent: str, style: str) -> None:
        if self._as_json:
            return
        from rich.text import Text

        wrapped = textwrap.wrap(
            safe(text),
            self._width,
            initial_indent=indent,
            subsequent_indent=indent if indent.startswith("  |") else " " * len(indent),
            break_on_hyphens=False,
        )
        for line in wrapped or [indent.rstrip()]:
            self._console.print(Text(line, style))


def _typed(prompt: str) -> str:
    """As `input`, but a signal that comes between the prompt and the read does not wait for the next key."""
    print(prompt, end="", flush=True)
    while not select.select([sys.stdin], [], [], SIGNAL_SECONDS)[0]:
        pass
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


class Walk:
    """`title` is how people call the host whose session is played."""

    def __init__(self, scratch: Scratch, screen: Screen) -> None:
        self._scratch = scratch
        self._screen = screen
        self._title = registry.default().TITLE

    def run(self) -> None:
        self._screen.text(
            f"Compass judges each write of {self._title} before it runs. Here is how that looks, with a scripted agent "
            f"in a scratch folder. Rules judge, in this process: no key, and nothing leaves this machine."
        )
        self._held()
        self._screen.go_on()
        self._clear()
        self._screen.go_on()
        self._paused()
        self._end()

    def _held(self) -> None:
        """A delete that can mean either of two files, and the person's answers to it."""
        screen, target = self._screen, DRAFTS[0]
        screen.head("1. A write that can mean two things")
        for name in DRAFTS:
            self._scratch.put(name, f"# {name}\n")
        talk = PlayedSession(self._scratch, "held")
        self._user(talk, "What is in this folder?")
        self._agent(talk, f"There are two drafts: {DRAFTS[0]} is the older one, {DRAFTS[1]} the newer.")
        self._user(talk, VAGUE)
        found = self._delete(talk, target)
        readings = readings_in(found.agent)
        for turn in range(ANSWERS_MAX):
            if not found.denied:
                break
            if not turn:
                screen.text(
                    "Answer as you would there: a number, your own words, `compass: proceed` or `compass: cancel`. An "
                    "empty line answers nothing."
                )
            answer = screen.ask()
            if answer is None:
                screen.text("The input ended without an answer that settles it.")
                break
            if not answer:
                screen.text("Nothing was answered, so the write stays held.")
                break
            told = talk.user(answer)
            if told.person:
                screen.shown(told.person)
            if told.stops:
                continue
            control = parse_control(answer)
            if control is None and declines(answer):
                screen.text("The write stays held, and nobody is asked again.")
                break
            target = aim(answer, DRAFTS, readings, target)
            found = self._delete(talk, target)
            readings = readings_in(found.agent) or readings
            if control is not None and control.verb == "cancel":
                break
        kept = " and ".join(name for name in DRAFTS if self._scratch.holds(name))
        screen.outcome(f"Kept: {kept}.", good=True)

    def _clear(self) -> None:
        screen = self._screen
        screen.head("2. A write that says what it means")
        self._scratch.put(NOTES, "# Notes\n")
        talk = PlayedSession(self._scratch, "clear")
        self._user(talk, f'Add the line "{NOTE_LINE}" at the end of {NOTES}.')
        given: dict[str, object] = {
            "file_path": self._scratch.path(NOTES),
            "old_string": "# Notes\n",
            "new_string": f"# Notes\n{NOTE_LINE}\n",
        }
        screen.said("agent", f"edits {NOTES}")
        found = talk.call("Edit", given, lambda: self._scratch.put(NOTES, f"# Notes\n{NOTE_LINE}\n"))
        if found.denied:
            screen.shown(found.person)
            screen.outcome(f"Held: {NOTES} is as it was.", good=False)
        else:
            screen.outcome(f'Compass says nothing. {NOTES} contains "{NOTE_LINE}".', good=True)

    def _paused(self) -> None:
        screen = self._screen
        screen.head("3. Ten minutes without it")
        for name in LOGS:
            self._scratch.put(name, "started\n")
        talk = PlayedSession(self._scratch, "paused")
        self._user(talk, "Which logs are there?")
        self._agent(talk, f"{LOGS[0]} and {LOGS[1]}; either may still be read by something.")
        self._user(talk, "compass: pause")
        self._user(talk, VAGUE)
        self._delete(talk, LOGS[0])
        self._user(talk, "compass: resume")
        self._scratch.put(LOGS[0], "started\n")
        self._agent(talk, f"{LOGS[0]} is back, beside {LOGS[1]}.")
        self._user(talk, VAGUE)
        self._delete(talk, LOGS[1])

    def _end(self) -> None:
        self._screen.head("Next")
        self._screen.text(
            "Run `compass init` in one of your projects. It shows what it changes, asks, and watches at first: nothing "
            "is held until `compass init --enforce`. `compass config list --all` shows every setting."
        )
        self._screen.text("The scratch folder is removed, with everything that Compass kept from this tour.")

    def _user(self, talk: PlayedSession, text: str) -> None:
        self._screen.said("you", text)
        told = talk.user(text)
        if told.person:
            self._screen.shown(told.person)

    def _agent(self, talk: PlayedSession, text: str) -> None:
        self._screen.said("agent", text)
        talk.agent(text)

    def _delete(self, talk: PlayedSession, name: str) -> ShownAnswer:
        screen = self._screen
        screen.said("agent", f"runs: rm {name}")
        found = talk.call("Bash", {"command": f"rm {name}"}, lambda: os.unlink(self._scratch.path(name)))
        if found.denied:
            screen.text(f"Held. {self._title} shows you:")
            screen.shown(found.person)
            self._ask_back(talk, found)
        else:
            screen.outcome(f"It ran: {name} is deleted.", good=True)
        return found

    def _ask_back(self, talk: PlayedSession, found: ShownAnswer) -> None:
        """The agent does as it is told: it shows the readings and stops."""
        numbered = [line.strip() for line in found.agent.splitlines() if readings_in(line)]
        if not numbered:
            return
        talk.agent("\n".join(["Which one do you mean?", *numbered]))
        if not readings_in(found.person):
            self._screen.said("agent", "Which one do you mean?")
            for line in numbered:
                self._screen.said("", line)
