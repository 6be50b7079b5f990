"""What Compass asks of a host. A package below `hooks/hosts` answers: its module satisfies `Host` by its names.

`Host` is what a hook call needs, so it imports almost nothing. What only commands need is `hooks.setup` and
`hooks.sessions`, what rows its programs have `evaluator.shell.hosts`: each is asked for by a function, and imported
then. `Guarded` is what every call asks of every host.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from evaluator.model import Origin, PendingWrite
    from evaluator.ports import TranscriptSource
    from evaluator.protection.hosts import HostProtected
    from evaluator.settings.places import HostFiles
    from evaluator.shell.hosts import HostPrograms
    from hooks.sessions import Sessions
    from hooks.setup import Setup


class OriginNotes(Protocol):
    """What a host may keep between calls."""

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...


class Memory(Protocol):
    """Where an exchange that was dear to find is kept: by session and agent, as text."""

    def recall_exchange(self, session_id: str, agent_id: str) -> str | None: ...

    def remember_exchange(self, session_id: str, agent_id: str, data: str) -> None: ...


class Guarded(Protocol):
    """What of a host self-protection guards in every call, whatever host makes it: the names of its `protected`."""

    FILES: HostFiles
    PREFIXES: tuple[str, ...]
    """How the names of its own variables begin."""
    PROTECTED: HostProtected


class Host(Protocol):
    """One host. A payload is in the words of `PendingWrite` (`session_id`, `tool_name`, `tool_input`, `cwd`,
    `transcript_path`, `prompt_id`, `tool_use_id`, `agent_id`), and `prompt`; tools bear the names of
    `evaluator.trigger.tools`. A host that speaks in other words is translated by its `parse`; one that has a single
    event for calls that succeeded and calls that did not has `failed` there.
    """

    NAME: str
    """As it stands in the registry, in records and in events."""
    TITLE: str
    """As people write it."""
    EVENTS: Mapping[str, str]
    """The events that are wired: {Compass's word: the host's name}."""
    NEVER_WRITES: frozenset[str]
    """Tools that change nothing; no setting can make one of them write-class."""
    LEFT_ALONE: frozenset[str]
    """Further tools of its own that no hook is wired for."""
    FILES: HostFiles
    PROJECT_VARIABLE: str
    """The variable by which it tells a hook the project's folder; empty if it has none."""
    STOPS_PROMPTS: bool
    """Whether a prompt can be answered without a model turn and still stands in the session's file as the user's."""
    PREFIXES: tuple[str, ...]
    """How the names of its own variables begin."""

    def parse(self, raw: bytes) -> Mapping[str, object]:
        """The payload. Raises PayloadError for anything that is none."""
        ...

    def session_of(self, payload: Mapping[str, object]) -> str:
        """Raises PayloadError without one: state would be shared between strangers."""
        ...

    def goes_on(self, payload: Mapping[str, object]) -> bool:
        """Whether the start of a session is none: the same one goes on, as after a compaction."""
        ...

    def pending_write(self, payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
        """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
        ...

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        """The resolved folder of the project that a call is made in."""
        ...

    def attended(self, env: Mapping[str, str]) -> bool:
        """Whether the environment itself says that a person sits at the session."""
        ...

    def origin(
        self, env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str
    ) -> Origin | None:
        """Which calls the session comes from; None for one that no tool call started, or where nobody can tell."""
        ...

    def is_machine_text(self, text: str) -> bool:
        """Whether what comes as a prompt was typed by no person."""
        ...

    def transcripts(self, memory: Memory | None) -> TranscriptSource:
        """What was said in a session, as its files tell. `memory` None: nothing of it may be kept."""
        ...

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """A denial; with `ends_turn` the turn ends. `message` is shown to the person alone."""
        ...

    def tell(self, message: str) -> bytes:
        """No opinion of the call, and something that the person is shown."""
        ...

    def inform(self, event: str, agent: str, person: str) -> bytes:
        """No opinion; what the agent is told beside the event (Compass's word for it), and what the person is shown."""
        ...

    def stop_prompt(self, message: str) -> bytes:
        """The user's prompt reaches no model, and the person reads `message` instead. For hosts with STOPS_PROMPTS."""
        ...

    def programs(self) -> HostPrograms:
        """What the shell knows of its programs."""
        ...

    def sessions(self) -> Sessions:
        """What was recorded of it, for replay and calibration."""
        ...

    def setup(self) -> Setup:
        """What `init` and `doctor` do there."""
        ...
