"""The steps of `compass try`. What the person is shown is what the gate answers; only the agent is scripted."""

from __future__ import annotations

import os

from compass.trying.agent import aim, readings_in
from compass.trying.conversation import Conversation
from compass.trying.scratch import Scratch
from compass.trying.screen import Screen
from evaluator.exchange.standing import declines
from evaluator.intervention.control import parse_control
from hooks import registry
from hooks.sessions import Shown

ANSWERS_MAX = 5
DRAFTS = ("draft-2023.md", "draft-2024.md")
NOTES, LINE = "notes.md", "Tried Compass."
LOGS = ("old.log", "app.log")
VAGUE = "Just delete it."


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
        talk = Conversation(self._scratch, "held")
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
        talk = Conversation(self._scratch, "clear")
        self._user(talk, f'Add the line "{LINE}" at the end of {NOTES}.')
        given: dict[str, object] = {
            "file_path": self._scratch.path(NOTES),
            "old_string": "# Notes\n",
            "new_string": f"# Notes\n{LINE}\n",
        }
        screen.said("agent", f"edits {NOTES}")
        found = talk.call("Edit", given, lambda: self._scratch.put(NOTES, f"# Notes\n{LINE}\n"))
        if found.denied:
            screen.shown(found.person)
            screen.outcome(f"Held: {NOTES} is as it was.", good=False)
        else:
            screen.outcome(f'Compass says nothing. {NOTES} holds "{LINE}".', good=True)

    def _paused(self) -> None:
        screen = self._screen
        screen.head("3. Ten minutes without it")
        for name in LOGS:
            self._scratch.put(name, "started\n")
        talk = Conversation(self._scratch, "paused")
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
            "Run `compass init` in a project of yours. It shows what it changes, asks, and watches at first: nothing "
            "is held until `compass init --enforce`. `compass config list` shows every setting."
        )
        self._screen.text("The scratch folder is taken away, with all that Compass kept of this walk.")

    def _user(self, talk: Conversation, text: str) -> None:
        self._screen.said("you", text)
        told = talk.user(text)
        if told.person:
            self._screen.shown(told.person)

    def _agent(self, talk: Conversation, text: str) -> None:
        self._screen.said("agent", text)
        talk.agent(text)

    def _delete(self, talk: Conversation, name: str) -> Shown:
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

    def _ask_back(self, talk: Conversation, found: Shown) -> None:
        """The agent does as it is told: it shows the readings and stops."""
        numbered = [line.strip() for line in found.agent.splitlines() if readings_in(line)]
        if not numbered:
            return
        talk.agent("\n".join(["Which one do you mean?", *numbered]))
        if not readings_in(found.person):
            self._screen.said("agent", "Which one do you mean?")
            for line in numbered:
                self._screen.said("", line)
