"""One turn of the conversation, gathered from its newest line to the prompt that opened it."""

from __future__ import annotations

from evaluator.model import AnsweredQuestion, Plan
from hooks.hosts.claude_code.transcript.chain import ChainStep
from hooks.hosts.claude_code.transcript.messages import Entry
from hooks.hosts.claude_code.transcript.settled import DELEGATING_TOOLS, PLAN_TOOL, ToolOutcome
from hooks.resolving import Message, message


class Turn:
    """Steps go in newest first. Prompts that inherit, and machine prompts, do not open a turn.

    `spoke`: the assistant did anything in it, were it a tool call. `closed`: its opening prompt was met.
    """

    def __init__(self) -> None:
        self.closed = False
        self.spoke = False
        self.prompt_ids: set[str] = set()
        self._messages: list[Message] = []
        self._queued: list[str] = []
        self._speech: list[tuple[int, str, str]] = []
        self._speech_over = False
        self._asides: list[ChainStep] = []
        self._chain: list[ChainStep] = []
        self._chain_ids: set[str] = set()

    def add(self, step: ChainStep) -> None:
        entry = step.entry
        if not step.on_chain:
            if entry.kind in {"assistant", "result"}:
                self._asides.append(step)
            return
        self._note_prompt_id(entry.prompt_id)
        if entry.kind == "queued":
            self._queued.append(entry.text)
        elif entry.kind == "prompt":
            self._open(message(entry.text, entry.prompt_id))
        elif entry.kind == "assistant":
            self._hear(step)
        if entry.uses or entry.outcomes or entry.answers:
            self._chain.append(step)

    def _note_prompt_id(self, prompt_id: str | None) -> None:
        """A queued message carries no id; it shares the turn of the line before it."""
        if prompt_id is not None:
            self.prompt_ids.add(prompt_id)
            self._flush_queued(prompt_id)

    def _flush_queued(self, prompt_id: str | None) -> None:
        self._messages.extend(message(text, prompt_id) for text in self._queued)
        self._queued.clear()

    def _open(self, opening: Message) -> None:
        self._flush_queued(opening.prompt_id)
        self._messages.append(opening)
        self.closed = not opening.inherits

    def _hear(self, step: ChainStep) -> None:
        entry = step.entry
        self.spoke = True
        self._chain_ids.update(filter(None, (entry.uuid, entry.message_id)))
        if self._speech and (not entry.message_id or entry.message_id != self._speech[-1][1]):
            self._speech_over = True
        elif entry.text and not self._speech_over:
            self._speech.append((step.offset, entry.message_id, entry.text))

    @property
    def messages(self) -> list[Message]:
        """Oldest first."""
        return [*reversed([*self._messages, *(message(text, None) for text in self._queued)])]

    @property
    def heard(self) -> bool:
        """Whether the assistant's last message that has text is complete."""
        return self._speech_over

    @property
    def speech(self) -> str:
        """The text of the assistant's last message that has any, its blocks joined; "" if there is none."""
        aside = [
            (step.offset, step.entry.message_id, step.entry.text)
            for step in self._asides
            if step.entry.kind == "assistant" and step.entry.text and self._belongs(step.entry)
        ]
        blocks = sorted([*self._speech, *aside])
        if not blocks:
            return ""
        last_id = blocks[-1][1]
        if not last_id:
            return blocks[-1][2]
        return "\n\n".join(text for _, message_id, text in blocks if message_id == last_id)

    @property
    def questions(self) -> tuple[AnsweredQuestion, ...]:
        """Those that the user answered in this turn, in order."""
        return tuple(question for entry in self._settling() for question in entry.answers)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Those that the user approved or rejected in this turn, in order."""
        outcomes = self._outcomes()
        found: list[Plan] = []
        for entry in self._settling():
            for use in entry.uses:
                outcome = outcomes.get(use.use_id)
                if use.name == PLAN_TOOL and outcome is not None and (text := outcome.plan or use.text):
                    found.append(Plan(text, approved=not outcome.refused))
        return tuple(found)

    def task_of(self, agent_id: str) -> str:
        """What this agent was told to do, as far as the turn shows; else the newest task handed to any."""
        for outcome in self._outcomes().values():
            if outcome.agent_id == agent_id and outcome.task:
                return outcome.task
        uses = [use for entry in self._settling() for use in entry.uses if use.name in DELEGATING_TOOLS]
        return uses[-1].text if uses else ""

    def _outcomes(self) -> dict[str, ToolOutcome]:
        return {outcome.use_id: outcome for entry in self._settling() for outcome in entry.outcomes}

    def _settling(self) -> list[Entry]:
        """Entries with calls, results or answers, oldest first, side branches of this turn included."""
        members = {step.entry.uuid for step in self._asides if self._belongs(step.entry)} | self._chain_ids
        aside = [
            step
            for step in self._asides
            if step.entry.uuid in members or (step.entry.kind == "result" and step.entry.parent in members)
        ]
        return [step.entry for step in sorted([*self._chain, *aside], key=lambda step: step.offset)]

    def _belongs(self, entry: Entry) -> bool:
        return entry.kind == "assistant" and entry.message_id in self._chain_ids
