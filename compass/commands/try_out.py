"""`compass try`: a scratch project, a scripted agent, and the real gate's answers to it."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import TextIOWrapper
from time import monotonic

from compass.composition.gate import Wired, wire
from compass.hook.dispatch import ErrorPolicy, Journey
from compass.show.terminal import console_of, wrapped
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
_READING = re.compile(r"^\s*(\d+)[.)]\s+(.*)$")
WIDTH = 80
PROMPT = "you> "
ANSWERS_MAX = 5
DRAFTS = ("draft-2023.md", "draft-2024.md")
NOTES, NOTE_LINE = "notes.md", "Tried Compass."


def add_try_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Answers are read from stdin, one per line: printf '2\\n' | compass try"


def run_try(args: argparse.Namespace) -> int:
    """Exit code 0, also where the input ends early."""
    screen = Screen(as_json=args.json)
    with scratch() as made:
        Walk(made, screen).run()
    if args.json:
        print(json.dumps(screen.steps, indent=2))
    return 0


@dataclass(frozen=True, slots=True)
class Scratch:
    """All paths absolute and below one temporary folder."""

    home: str
    project: str

    def hook(self, event: str, payload: dict[str, object]) -> bytes:
        """What the host is answered: by the way that a hook's own process takes."""
        began, say = monotonic(), partial(print, file=sys.stderr)
        policy = ErrorPolicy(event, {"HOME": self.home}, self.project, say)

        def gate() -> Wired:
            return wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host)

        raw = json.dumps({"cwd": self.project, **payload}).encode()
        return Journey(event, raw, policy, gate, lambda: monotonic() - began).end(self.project)

    def path(self, name: str) -> str:
        return os.path.join(self.project, name)

    def put(self, name: str, text: str) -> None:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)


@contextmanager
def scratch() -> Generator[Scratch, None, None]:
    """Taken away at the end."""
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


class PlayedSession:
    def __init__(self, scratch: Scratch, session: str) -> None:
        self._scratch = scratch
        self._host = registry.default_host().sessions()
        self._session = session
        self._path = scratch.path(f"../home/{session}.jsonl")
        self._file = self._host.made_up(self._path, session)
        self._prompts = self._calls = 0
        self._run_tryout_hook("session-start", source="startup")

    def user(self, text: str) -> ShownAnswer:
        """The prompt, as the hook at the prompt answers it."""
        self._prompts += 1
        found = self._run_tryout_hook("user-prompt-submit", prompt=text)
        self._file.user(text, self._tryout_prompt_id)
        return found

    def agent(self, text: str) -> None:
        self._file.says(text)

    def call(self, tool: str, given: dict[str, object], effect: Callable[[], None]) -> ShownAnswer:
        """A tool call; `effect` is done if the gate lets it run."""
        self._calls += 1
        use = f"toolu_{self._session}_{self._calls}"
        said: dict[str, object] = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        found = self._run_tryout_hook("pre-tool-use", **said)
        self._file.calls(tool, given, use)
        if not found.denied:
            effect()
        self._file.result(use, found.agent if found.denied else "done", failed=found.denied)
        if not found.denied:
            self._run_tryout_hook("post-tool-use", **said, tool_response={})
        return found

    @property
    def _tryout_prompt_id(self) -> str:
        return f"{self._session}-{self._prompts}"

    def _run_tryout_hook(self, event: str, **said: object) -> ShownAnswer:
        payload: dict[str, object] = {"session_id": self._session, "transcript_path": self._path, **said}
        if self._prompts:
            payload["prompt_id"] = self._tryout_prompt_id
        return self._host.shown(self._scratch.hook(event, payload))


def readings_in(text: str) -> list[str]:
    """The numbered lines of a question."""
    return [found[2] for line in text.splitlines() if (found := _READING.match(line))]


def aim(answer: str, readings: Sequence[str], held: str) -> str:
    """The draft that the answer chooses or names; else the one that was held."""
    offered = [text for text in readings if any(name in text for name in DRAFTS)] or DRAFTS
    chosen = chosen_readings(answer, offered)
    said = fold(offered[chosen[0]] if chosen else answer)
    named = [name for name in DRAFTS if fold(name) in said]
    return min(named, key=lambda name: said.index(fold(name)), default=held)


LOOKS = {
    "text": ("", ""),
    "step": ("", "bold"),
    "you": ("  you    ", "cyan"),
    "agent": ("  agent  ", ""),
    "shown": ("  | ", "yellow"),
    "outcome": ("  => ", "green"),
}
"""By kind: what stands before each line, and its style."""


class Screen:
    """`steps` are (kind, text) of all that was told, for scripts."""

    def __init__(self, *, as_json: bool = False) -> None:
        for stream in (sys.stdin, sys.stdout):
            # A terminal of another encoding shows a question mark; an answer in one is read as far as it can be.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._console = console_of()
        self._as_json = as_json
        self._echoes = not (as_json or sys.stdin.isatty())
        self.steps: list[dict[str, str]] = []

    def tell(self, kind: str, text: str) -> None:
        """`kind` is what scripts are told."""
        from rich.text import Text

        prefix, style = LOOKS[kind]
        self.steps.append({"kind": kind, "text": text})
        if self._as_json:
            return
        if kind == "step":
            self._console.print()
        for line in text.splitlines() or [""]:
            for part in wrapped(prefix + safe(line), min(WIDTH, self._console.width), len(prefix), 0):
                self._console.print(Text(part, style), soft_wrap=True)

    def ask(self) -> str | None:
        """The person's answer without its end; None once there is none to be had."""
        if not self._as_json:
            print(PROMPT, end="", flush=True)
        line = sys.stdin.readline()
        answer = line.strip()
        if self._echoes:
            print(safe(answer, "")[: WIDTH - len(PROMPT)])
        if not line:
            return None
        self.steps.append({"kind": "answer", "text": answer})
        return answer


class Walk:
    """The two writes of the walk, played as the default host's sessions."""

    def __init__(self, scratch: Scratch, screen: Screen) -> None:
        self._scratch = scratch
        self._screen = screen
        self._title = registry.default_host().TITLE

    def run(self) -> None:
        self._screen.tell(
            "text",
            f"Compass judges each write that {self._title} makes before it runs. Here is how that looks, with a "
            "scripted agent in a scratch folder. Rules do the judging, in this process: no key is needed, and nothing "
            "leaves this machine.",
        )
        self._try_held_delete()
        self._try_clear_edit()
        self._screen.tell("step", "Next")
        self._screen.tell(
            "text",
            "Run `compass init` in one of your projects. It shows what it will change and asks first. Compass then "
            "only watches: nothing is held until `compass init --enforce`. `compass config list --all` shows every "
            "setting.",
        )

    def _try_held_delete(self) -> None:
        """A delete that can mean either of two files, and the person's answers to it."""
        screen, target = self._screen, DRAFTS[0]
        screen.tell("step", "1. A request that can mean two things")
        for name in DRAFTS:
            self._scratch.put(name, f"# {name}\n")
        talk = PlayedSession(self._scratch, "held")
        self._say_as_tryout_user(talk, "What is in this folder?")
        drafts = f"There are two drafts: {DRAFTS[0]} is the older one, {DRAFTS[1]} the newer."
        screen.tell("agent", drafts)
        talk.agent(drafts)
        self._say_as_tryout_user(talk, "Just delete it.")
        found = self._try_delete(talk, target)
        readings = readings_in(found.agent)
        if found.denied:
            screen.tell(
                "text",
                f"Answer as you would in {self._title}: a number, your own words, `compass: proceed` or "
                "`compass: cancel`. An empty line does not count as an answer.",
            )
        for _ in range(ANSWERS_MAX):
            answer = screen.ask() if found.denied else None
            if not answer:
                break
            told = talk.user(answer)
            if told.person:
                screen.tell("shown", told.person)
            control = parse_control(answer)
            if control is None and declines(answer):
                break
            if told.stops:
                continue
            target = aim(answer, readings, target)
            found = self._try_delete(talk, target)
            readings = readings_in(found.agent) or readings
            if control is not None and control.verb == "cancel":
                break
        kept = " and ".join(name for name in DRAFTS if os.path.exists(self._scratch.path(name)))
        screen.tell("outcome", f"Kept: {kept}.")

    def _try_clear_edit(self) -> None:
        screen = self._screen
        screen.tell("step", "2. A request that leaves no doubt")
        self._scratch.put(NOTES, "# Notes\n")
        talk = PlayedSession(self._scratch, "clear")
        self._say_as_tryout_user(talk, f'Add the line "{NOTE_LINE}" at the end of {NOTES}.')
        path, old, new = self._scratch.path(NOTES), "# Notes\n", f"# Notes\n{NOTE_LINE}\n"
        screen.tell("agent", f"edits {NOTES}")
        given: dict[str, object] = {"file_path": path, "old_string": old, "new_string": new}
        found = talk.call("Edit", given, lambda: self._scratch.put(NOTES, new))
        if found.denied:
            screen.tell("shown", found.person)
        else:
            screen.tell("outcome", f'Compass says nothing. {NOTES} contains "{NOTE_LINE}".')

    def _say_as_tryout_user(self, talk: PlayedSession, text: str) -> None:
        self._screen.tell("you", text)
        talk.user(text)

    def _try_delete(self, talk: PlayedSession, name: str) -> ShownAnswer:
        screen = self._screen
        screen.tell("agent", f"runs: rm {name}")
        found = talk.call("Bash", {"command": f"rm {name}"}, lambda: os.unlink(self._scratch.path(name)))
        if not found.denied:
            screen.tell("outcome", f"It ran: {name} has been deleted.")
            return found
        screen.tell("text", f"Held. {self._title} shows you:")
        screen.tell("shown", found.person)
        # The agent does as it is told: it shows the readings and stops.
        numbered = [line.strip() for line in found.agent.splitlines() if readings_in(line)]
        if numbered:
            talk.agent("\n".join(["Which one do you mean?", *numbered]))
        return found
