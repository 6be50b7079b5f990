"""What `init` and `doctor` ask of a host: where it is wired, what it would run, what it has seen.

Its data stand in the host's table, under `[setup]` and `[promises]`; a host tells the rest.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, cast, get_args

from evaluator.errors import ConfigError, PayloadError
from evaluator.record import Record, tuples
from hooks.entries import Wiring, handlers_of_entry, with_own_entry, without_own_entries
from hooks.json_lines import mapping, sequence

if TYPE_CHECKING:
    from hooks.host import Host

Settings = Mapping[str, object]
"""Values of JSON, as a file holds them; events are in the host's words."""
Advice = tuple[str, bool | None, str]
"""(name, whether it is fine or None for a warning, what was found and the way out)."""
Failure = Literal["crash", "exit code", "missing program", "timeout", "bad output"]
FAILURES: tuple[Failure, ...] = get_args(Failure)
"""How a hook fails: it dies of a signal or an exception, it ends with a code of its own making, it cannot be started,
it is slower than the host waits, it prints what the host does not understand."""
TIMEOUT_SECONDS = 30
"""That an entry of ours gives a hook, where a host's table does not say otherwise."""
SEEN_BYTES_MAX, SEEN_SECONDS_MAX = 64 * 1024 * 1024, 2.0
"""The size of a session file that is looked at for what was called, and how long all of them are."""


class Table(Record):
    """`[setup]` of a host's table."""

    user_file: str
    """Where `init --user` writes, relative to the home."""
    sessions: str
    """Where its session files lie, as people write it."""
    program: str
    """Its client, on the PATH."""
    read: Mapping[str, object]
    """What it tells a hook before a call that only reads, of PROJECT and SESSION."""
    oldest: tuple[int, ...] = (0,)
    """The first version of the client that stops the write where a hook fails, if told so."""
    local_file: str = ""
    """Where `init --project` writes, relative to the project: a file of this user's that git leaves out. Empty where
    all projects are wired at once."""
    managed_file: str = ""
    """The settings that stand above the user's; empty for none."""
    whole: bool = False
    """Whether the file is ours alone."""
    executable: bool = False
    """Whether such a file is a program."""
    command: str = "command"
    """The field of a handler that holds its command line."""
    top: Mapping[str, object] = {}
    """What else a new file must hold."""
    timeout_seconds: int = TIMEOUT_SECONDS
    """That an entry of ours gives a hook."""
    write_tools: tuple[str, ...] = ("Write", "Edit", "Bash")
    """Its tools that always may write."""
    heard_tools: tuple[str, ...] = ()
    """Its other tools whose results a hook hears of: the user answered there, or can be told something."""
    mcp_prefix: str = "mcp__"
    """How the names of the tools of MCP servers begin."""
    agent_marks: tuple[str, ...] = ()
    """Variables that are set in what an agent's tool starts."""
    hooks_off: str = ""
    managed_only: str = ""
    """Keys of its settings: no hooks; managed hooks alone."""


class Promises(Record):
    """`[promises]` of a host's table: of all that Compass does there, what cannot be promised.

    `tried` is the version that it was tried with, empty for one that is known from its documents alone. `ungated` names
    what of writes and shell is not gated. `closed_on` are failures of a hook at which the tool does not run, as `init`
    wires it under a closed policy; at all others it does. `shows_person` says how the person sees a denial.
    `answers_count`: the person's words can be proved, so digits and controls release. `notes` are what else a user of
    that host must know, a sentence each.
    """

    tried: str
    closed_on: tuple[Failure, ...]
    shows_person: str
    answers_count: bool
    ungated: str = ""
    notes: tuple[str, ...] = ()

    @property
    def open_on(self) -> tuple[Failure, ...]:
        return tuple(one for one in FAILURES if one not in self.closed_on)

    def warnings(self, title: str) -> list[str]:
        """What `init` says before anybody relies on the gate there, a line each; nothing where all holds."""
        found: list[str] = []
        if not self.tried:
            found.append(
                f"everything said about {title} is based on its documentation; the client itself has not been tested"
            )
        if self.open_on:
            *most, last = self.open_on
            failing = f"{', '.join(most)} or {last}" if most else last
            found.append(
                f"{title} runs the tool even if the hook fails ({failing}): no wiring can prevent that"
            )
        if self.ungated:
            found.append(f"{title} calls no hook for {self.ungated}")
        if not self.answers_count:
            found.append(
                f"{title} cannot prove who typed a prompt, so numbered answers and `compass:` words release nothing"
            )
        return [*found, *self.notes]


class Setup:
    """A host whose hooks stand in one file of the user's. One with more is a subclass."""

    def __init__(self, host: Host) -> None:
        self.table = Table(**tuples(host.told["setup"]))
        self.PROMISES: Promises = Promises(**tuples(host.told["promises"]))
        self._host = host
        self.user_file, self.whole_file, self.findings = host.user_file, host.whole_file, host.findings
        self.entry, self.is_own, self.matcher_of = host.entry, host.is_own, host.matcher_of
        self.matches, self.sessions_folder = host.matches, host.sessions_folder
        self.refuses, self.silent = host.refuses, host.silent

    def is_own_file(self, text: str) -> bool:
        """Whether a file at that place is one that init wrote."""
        from hooks.entries import OWN_PROGRAM

        return self.table.whole and OWN_PROGRAM in text

    def trial(self, project_dir: str, session: str) -> bytes:
        """A payload that the hook has to let pass."""
        text = json.dumps(self.table.read).replace("PROJECT", json.dumps(project_dir)[1:-1])
        return text.replace("SESSION", session).encode("ascii")

    def seen_tools(self, home: str, project_dir: str) -> set[str]:
        """The tools that the newest sessions of this project called, as far as the time allows."""
        from hooks.sessions import Called, Passed, session_written

        sessions, here = self._host.sessions(), os.path.realpath(project_dir)
        try:
            paths = sessions.find_transcripts([self.sessions_folder(home, project_dir)])
        except PayloadError:
            return set()
        ends = time.monotonic() + SEEN_SECONDS_MAX
        found: set[str] = set()
        for path in sorted(paths, key=session_written, reverse=True):
            if os.path.isfile(path) and os.path.getsize(path) > SEEN_BYTES_MAX:
                continue
            named = self._host.project_named(path)
            if named and os.path.realpath(named) != here:
                continue
            for moment in sessions.session_moments(path, Passed()):
                if time.monotonic() > ends:
                    return found
                if isinstance(moment, Called) and os.path.realpath(moment.project or here) == here:
                    found.add(moment.tool_name)
        return found

    def settings_files(self, home: str, project_dir: str) -> tuple[str, ...]:
        """The host's settings files in which hooks may stand, in its order, without repeats."""
        return (os.path.join(home, self.table.user_file),)

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        """What init writes, by event."""
        return {name: self.entry(event, wiring) for event, name in self._host.EVENTS.items()}

    def merge(self, settings: Settings, wanted: Mapping[str, dict[str, object]]) -> dict[str, object]:
        """`settings` with the wanted entries, all else kept. An entry of ours is replaced where it stands, so that what
        a host keeps by place stays true. Idempotent.

        Raises ConfigError where `hooks`, or an event in it, has a form that no client accepts.
        """
        hooks = settings.get("hooks", {})
        if not isinstance(hooks, dict):
            raise ConfigError("hooks must be an object; correct or remove it, and run init again")
        named = mapping(cast(object, hooks))
        merged = without_own_entries(named, self.is_own, [f"hooks.{event}" for event in wanted])
        for event, entry in wanted.items():
            listed = named.get(event, [])
            if not isinstance(listed, list):
                raise ConfigError(f"hooks.{event} must be a list; correct or remove it, and run init again")
            merged[event] = with_own_entry(cast(list[object], listed), entry, self.is_own)
        return {**self.table.top, **settings, "hooks": merged}

    def remove(self, settings: Settings, keep: Sequence[str] = ()) -> dict[str, object]:
        """`settings` without our entries, and without the containers that are empty for it; `keep` names what stood
        there before (`empty_containers`)."""
        hooks = settings.get("hooks")
        if not isinstance(hooks, dict):
            return dict(settings)
        rest = without_own_entries(mapping(cast(object, hooks)), self.is_own, keep)
        kept = rest or rest == hooks or "hooks" in keep
        left = {key: value for key, value in settings.items() if key != "hooks" or kept}
        left |= {"hooks": rest} if kept else {}
        top = self.table.top
        return {} if left == top and not any(key in keep for key in top) else left

    def empty_containers(self, settings: Settings) -> tuple[str, ...]:
        """`hooks` and `hooks.EVENT` where they stand and are empty, and what of a new file's keys stood there: then
        they are not ours to take out."""
        hooks = settings.get("hooks")
        found = [f"hooks.{event}" for event, listed in mapping(hooks).items() if listed == []]
        found += ["hooks"] if hooks == {} else []
        return (*(key for key in self.table.top if key in settings), *found)

    def own_handlers(self, settings: Settings) -> list[tuple[str, object, dict[str, object]]]:
        """(the host's event, matcher, handler) of our own entries, in file order."""
        return [
            (event, mapping(element).get("matcher"), cast(dict[str, object], handler))
            for event, listed in mapping(settings.get("hooks")).items()
            for element in sequence(listed)
            for handler in filter(self.is_own, handlers_of_entry(element))
        ]

    def wires(self, settings: object, event: str) -> bool:
        """Whether the client, given these settings, would run Compass at this event."""
        return any(name == event for name, _, _ in self.own_handlers(mapping(settings)))

    def fatal_entries(self, settings: Settings) -> list[str]:
        """The entries that make the host's client drop its whole settings file, one line each."""
        return []

    FILLS_STATUS_LINE = False

    def with_status_line(
        self, settings: Settings, wiring: Wiring, hidden: Sequence[Settings]
    ) -> dict[str, object]:
        """`settings` with our status line. Raises ConfigError where another stands, there or in the `hidden` files."""
        raise ConfigError("this host has no status line that a program can set; leave out --statusline")

    def without_status_line(self, settings: Settings) -> dict[str, object]:
        """`settings` without ours."""
        return dict(settings)

    def has_status_line(self, settings: Settings) -> bool:
        return False

    def is_called(self, settings: Settings, event: str, tool: str, commands: frozenset[str]) -> bool:
        """Whether the client runs one of the commands for this tool, and heeds it, by an entry as init writes it."""
        return False

    def plugin_enabled(self, settings: Settings) -> bool | None:
        """Whether a settings file turns an installed plugin of ours on, or off; None where it does not name it."""
        return None
