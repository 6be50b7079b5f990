"""What `init` and `doctor` ask of a host: where it is wired, what it would run, what it has seen.

A host's `setup` answers. Commands import it, and those calls of a hook that two wirings may judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hooks.promises import Promises
from hooks.wiring import Wiring

Handlers = list[tuple[str, object, dict[str, object]]]
"""(the host's event, matcher, handler) of hooks in a settings file."""
Advice = tuple[str, bool | None, str]
"""(name, whether it is fine or None for a warning, what was found and the way out)."""


@dataclass(slots=True)
class Seen:
    """How often a tool was called, and the names of its input's fields that held a text."""

    calls: int = 0
    fields: dict[str, None] = field(default_factory=dict[str, None])


class Setup(Protocol):
    """Settings are values of JSON, as a file holds them; events are in the host's words."""

    USER_FILE: str
    """Where `init --user` writes, relative to the home."""
    LOCAL_FILE: str
    """Where `init --project` writes, relative to the project: a file of this user's that git leaves out. Empty where
    all projects are wired at once."""
    SESSIONS: str
    """Where its session files lie, as people write it."""
    AGENT_MARKS: tuple[str, ...]
    """Variables that are set in what an agent's tool starts."""
    PROGRAM: str
    """Its client, on the PATH."""
    PROMISES: Promises
    """What Compass can promise there."""
    COMMAND: str
    """The field of a handler that holds its command line."""
    EXECUTABLE: bool
    """Whether a whole file of ours is a program."""
    OLDEST: tuple[int, ...]
    """The first version of the client that stops the write where a hook fails, if told so."""
    WRITE_TOOLS: tuple[str, ...]
    """Its tools that always may write."""
    HEARD_TOOLS: tuple[str, ...]
    """Its other tools whose results a hook hears of: the user answered there, or can be told something."""
    MCP_PREFIX: str
    """How the names of the tools of MCP servers begin."""
    TIMEOUT_SECONDS: int
    """That an entry of ours gives a hook."""
    COMMAND_ONLY: tuple[str, ...]
    """Events at which it runs no http hook."""
    HOOKS_OFF: str
    MANAGED_ONLY: str
    HTTP_URLS: str
    HTTP_VARIABLES: str
    """Keys of its settings: no hooks; managed hooks alone; where http hooks may ask; which variables they may send."""

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        """Where `init --user` writes, with the variables honoured that move the host's folder."""
        ...

    def whole_file(self, wiring: Wiring) -> str | None:
        """The text of a file that is ours alone; None where init writes entries among others."""
        ...

    def is_own_file(self, text: str) -> bool:
        """Whether a file at that place is one that init wrote."""
        ...

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        """What else the doctor has to say there: trust, versions, switches."""
        ...

    def settings_files(self, home: str, project_dir: str) -> tuple[str, ...]:
        """Those in which hooks may stand, in its order, without repeats."""
        ...

    def managed_file(self) -> str:
        """The settings that stand above the user's; empty for none."""
        ...

    def read_object(self, path: str) -> dict[str, object] | str | None:
        """The file's object, None if there is no file, or in words why the client does not load it."""
        ...

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        """What init writes, by event."""
        ...

    def merge(
        self, settings: Mapping[str, object], wanted: Mapping[str, dict[str, object]]
    ) -> dict[str, object]:
        """`settings` with the wanted entries, all else kept. Raises ConfigError."""
        ...

    def remove(self, settings: Mapping[str, object], keep: Sequence[str] = ()) -> dict[str, object]:
        """`settings` without our entries; `keep` names containers that stood empty before (`empty_containers`)."""
        ...

    def empty_containers(self, settings: Mapping[str, object]) -> tuple[str, ...]: ...

    def own_handlers(self, settings: Mapping[str, object]) -> Handlers:
        """Our own entries, in file order."""
        ...

    def with_status_line(
        self, settings: Mapping[str, object], wiring: Wiring, hidden: Sequence[Mapping[str, object]]
    ) -> dict[str, object]:
        """`settings` with our status line, behind what stands there or in the `hidden` files. Raises ConfigError."""
        ...

    def without_status_line(self, settings: Mapping[str, object]) -> dict[str, object]:
        """`settings` with what stood before ours, or as they are."""
        ...

    def has_status_line(self, settings: Mapping[str, object]) -> bool: ...

    def is_http(self, handler: Mapping[str, object]) -> bool: ...

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        """Of the tools that an event is wired for; None for an event without tools."""
        ...

    def matches(self, matcher: object, tool_name: str) -> bool:
        """Whether the client runs a hook with this matcher for a tool."""
        ...

    def wires(self, settings: object, event: str) -> bool:
        """Whether the client, given these settings, would run Compass at this event."""
        ...

    def is_called(
        self, settings: Mapping[str, object], event: str, tool: str, commands: frozenset[str]
    ) -> bool:
        """Whether the client runs one of the commands for this tool, and heeds it, by an entry as init writes it."""
        ...

    def ungated(self, home: str, project_dir: str, *, plugin: bool = False) -> tuple[str, ...]:
        """The other work trees of the project's repository in which no settings file calls Compass."""
        ...

    def plugin_enabled(self, settings: Mapping[str, object]) -> bool | None:
        """Whether a settings file turns an installed plugin of ours on, or off; None where it does not name it."""
        ...

    def fatal_entries(self, settings: Mapping[str, object]) -> list[str]:
        """What makes the client drop the whole file, one line each."""
        ...

    def ignored_entries(self, settings: Mapping[str, object]) -> list[str]:
        """Entries that the client leaves out, one line each."""
        ...

    def dead_matchers(self, settings: Mapping[str, object]) -> list[str]:
        """Matchers that no tool can match, one line each."""
        ...

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        """What the client tells a hook before a call, to try one."""
        ...

    def denies(self, answer: Mapping[str, object]) -> bool:
        """Whether the client would not make the call."""
        ...

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        """The same of all that a hook leaves behind."""
        ...

    def silent(self, code: int, stdout: bytes) -> bool:
        """Whether what a hook leaves behind is no opinion."""
        ...

    def sessions_folder(self, home: str, project_dir: str) -> str:
        """Where it keeps the session files of a project."""
        ...

    def seen_tools(self, home: str, project_dir: str) -> Mapping[str, Seen]:
        """The tools that this project's sessions called, by name, in no order."""
        ...

    def mcp_servers(self, home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
        """The names of the configured ones; nothing else of a server's entry, for it may hold secrets."""
        ...
