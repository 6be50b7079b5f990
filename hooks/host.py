"""What Compass asks of a host. `hooks/hosts/NAME.toml` holds its data; its class tells in what it differs from others.

A hook call imports this module and that of its host, so both import almost nothing: what only commands need is
`hooks.setup` and `hooks.sessions`, what reads a session's file `hooks.transcript`, each imported where it is asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.model import Origin, PendingWrite
from evaluator.record import tuples
from evaluator.settings.places import HostFiles, project_dir
from evaluator.text import table
from hooks.json_lines import Tail, decode

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource
    from evaluator.shell.scope import HostPrograms
    from hooks.entries import Wiring
    from hooks.sessions import Called, EndStep, FileRow, MadeUpSession, Sessions, ShownAnswer, Steps
    from hooks.setup import Advice, Setup
    from hooks.transcript import Said

Json = Mapping[str, object]
MEANT = "which one they mean: "
"""What stands before the readings in a denial that offers several (`evaluator/intervention/texts/en.toml`)."""
FOLDER = os.path.join(os.path.dirname(__file__), "hosts")


class OriginNotes(Protocol):
    """What a host may keep between calls."""

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...


class ExchangeMemory(Protocol):
    """Where an exchange that was costly to find is kept: by session and agent, as text."""

    def recall_exchange(self, session_id: str, agent_id: str) -> str | None: ...

    def remember_exchange(self, session_id: str, agent_id: str, data: str) -> None: ...


def host_table(name: str) -> Mapping[str, Any]:
    """What `hooks/hosts/NAME.toml` holds. It must not be changed."""
    return table(name, FOLDER)


def host_programs(name: str) -> HostPrograms:
    """What the shell knows of a host, by its table alone."""
    from evaluator.shell.scope import HostPrograms

    return HostPrograms(**tuples(host_table(name).get("shell", {})))


def host_files(told: Mapping[str, Any]) -> HostFiles:
    """Where its settings stand, by its table."""
    found = tuples(told["files"])
    found["sets"] = frozenset(found.get("sets", ()))
    return HostFiles(**found)


def json_object(raw: bytes) -> dict[str, object]:
    """A hook's payload. Raises PayloadError for anything that is not a JSON object. A byte order mark is no fault."""
    if not raw.strip():
        raise PayloadError("the payload is empty or too large")
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is not JSON: {str(error)[:100]}") from None
    if not isinstance(found, dict):
        raise PayloadError("the payload is not a JSON object")
    return cast(dict[str, object], found)


def renamed(given: Json, fields: Mapping[str, str]) -> dict[str, object]:
    """A call's input with its fields, {the host's name: Compass's}, in Compass's words.

    The host reads its own names alone: a field that the model named in Compass's words beside them counts for nothing.
    """
    others = {name: value for name, value in given.items() if name not in fields}
    return others | {fields[name]: value for name, value in given.items() if name in fields}


def mcp_tool(name: str, sign: str, *, last: bool) -> str:
    """`mcp__SERVER__TOOL` of SERVER and TOOL joined by a sign that both may hold. A tool that is known to write tells
    where they part; else they do at the `last` sign, or at the first. Without one it is all the tool's."""
    from evaluator.settings.keys import MCP_WRITERS

    known = {pattern.removeprefix("mcp__*__") for pattern, _ in MCP_WRITERS}
    places = [at for at in range(1, len(name) - 1) if name[at] == sign]
    at = next((at for at in places if name[at + 1 :] in known), places[-1 if last else 0] if places else None)
    return f"mcp__{name}" if at is None else f"mcp__{name[:at]}__{name[at + 1 :]}"


def packed(answer: Mapping[str, object]) -> bytes:
    return json.dumps(answer).encode("ascii") + b"\n"


class Host:
    """One host. A payload is in the words of `PendingWrite` (`session_id`, `tool_name`, `tool_input`, `cwd`,
    `transcript_path`, `prompt_id`, `tool_use_id`, `agent_id`), and `prompt`; tools bear the names of
    `evaluator.trigger.tools`. A host that speaks in other words is translated by its `parse`; one that has a single
    event for calls that succeeded and calls that did not has `failed` there.

    What holds for most hosts stands here.
    """

    NAME: str
    """As it stands in the registry, in records and in events."""
    TITLE: str
    """As people write it."""
    EVENTS: Mapping[str, str]
    """The events that are wired: {Compass's word: the host's name}."""
    NEVER_WRITES: frozenset[str]
    """Tools that change nothing, in Compass's words; no setting can make one of them write-class."""
    LEFT_ALONE: frozenset[str]
    """Further tools of its own that no hook is wired for."""
    FILES: HostFiles
    PROJECT_VARIABLE: str
    """The variable by which it tells a hook the project's folder; empty if it has none."""
    STOPS_PROMPTS: bool
    """Whether a prompt can be answered without a model turn and still stands in the session's file as the user's."""
    PREFIXES: tuple[str, ...]
    """How the names of its own variables begin."""
    NAMES: Mapping[str, str]
    """{its tool: Compass's name of it}."""
    MACHINE: tuple[str, ...]
    """How prompts begin that no person typed."""
    told: Mapping[str, Any]
    """Its table."""

    def __init__(self, name: str) -> None:
        self.told = told = host_table(name)
        # Constants of a host, set once: a type checker knows them as such.
        vars(self).update(
            NAME=name,
            TITLE=told["title"],
            EVENTS=told["events"],
            NEVER_WRITES=frozenset(told["never_writes"]),
            LEFT_ALONE=frozenset(told.get("left_alone", ())),
            FILES=host_files(told),
            PREFIXES=tuple(told["prefixes"]),
            PROJECT_VARIABLE=told.get("project_variable", ""),
            STOPS_PROMPTS=told.get("stops_prompts", False),
            NAMES=told.get("names", {}),
            MACHINE=tuple(told.get("machine", ())),
        )

    # What a hook call asks.

    def parse(self, raw: bytes) -> Json:
        """The host's payload on a hook's stdin, decoded. Raises PayloadError for anything that is none."""
        raise NotImplementedError

    def session_of(self, payload: Json) -> str:
        """The session's id in a payload. Raises PayloadError without one: state would be shared between strangers."""
        found = text_of(payload, "session_id")
        if not found:
            raise PayloadError(f"{self.TITLE} sent no session id")
        return found

    def goes_on(self, payload: Json) -> bool:
        """Whether the start of a session is none: the same one goes on, as after a compaction."""
        return payload.get("source") == "compact"

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        """Raises PayloadError if the tool's name or input is missing or of the wrong type."""
        name, given = text_of(payload, "tool_name"), payload.get("tool_input")
        missing = [] if name else ["a tool name"]
        missing += [] if isinstance(given, dict) else ["a tool input"]
        if missing:
            raise PayloadError(f"{self.TITLE} sent a call without {' and '.join(missing)}")
        cwd = text_of(payload, "cwd")
        directory = self.project_of(env, cwd)
        return PendingWrite(
            host=self.NAME,
            session_id=self.session_of(payload),
            tool_name=name,
            tool_input=cast(Json, given),
            cwd=cwd or directory,
            project_dir=directory,
            transcript_path=text_of(payload, "transcript_path") or None,
            prompt_id=text_of(payload, "prompt_id") or None,
            tool_use_id=text_of(payload, "tool_use_id") or None,
            agent_id=text_of(payload, "agent_id") or None,
        )

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        """The resolved folder of the project that a call is made in: as its variable names it, else `cwd`."""
        return project_dir(env.get(self.PROJECT_VARIABLE), cwd)

    def attended(self, env: Mapping[str, str]) -> bool:
        """Whether the environment itself says that a person sits at the session."""
        return False

    def origin(
        self, env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str
    ) -> Origin | None:
        """Which calls the session comes from; None for one that no tool call started, or where nobody can tell."""
        if not any(env.get(name) for name in self.told.get("others", ())):
            return None
        return Origin()

    def is_machine_text(self, text: str) -> bool:
        """Whether what comes as a prompt was typed by no person."""
        return text.lstrip().startswith(self.MACHINE)

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        """What was said in a session, as its files tell. `memory` None: nothing of it may be kept."""
        return self.reader(self.tail)

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """A denial; with `ends_turn` the turn ends. `message` is shown to the person alone."""
        raise NotImplementedError

    def tell(self, message: str) -> bytes:
        """No opinion of the call, and something that the person is shown."""
        return packed({"systemMessage": message})

    def inform(self, event: str, agent: str, person: str) -> bytes:
        """No opinion; what the agent is told beside the event (Compass's word for it), and what the person is shown."""
        answer: dict[str, object] = {"systemMessage": person} if person else {}
        if agent:
            answer["hookSpecificOutput"] = {"hookEventName": self.EVENTS[event], "additionalContext": agent}
        return packed(answer)

    def stop_prompt(self, message: str) -> bytes:
        """The user's prompt reaches no model, and the person reads `message` instead. For hosts with STOPS_PROMPTS."""
        raise NotImplementedError(f"{self.TITLE} cannot block prompts")

    def sessions(self) -> Sessions:
        """How to read the host's recorded sessions, for replay and calibration."""
        from hooks.sessions import Sessions

        return Sessions(self)

    def setup(self) -> Setup:
        """How `init` and `doctor` treat this host's settings."""
        from hooks.setup import Setup

        return Setup(self)

    # What `hooks.sessions` asks.

    def tail(self, path: str, end: int | None = None) -> Tail:
        return Tail(path, end)

    def reader(self, tail: Callable[[str], Tail]) -> TranscriptSource:
        from hooks.transcript import Conversation

        return Conversation(lambda pending: self.said(tail(pending.transcript_path or "")))

    def said(self, tail: Tail) -> Iterator[Said]:
        """The messages in lines of a session's file, newest first, machine text left out."""
        for line in tail.lines():
            entry = decode(line.raw)
            if entry is not None:
                yield from self.spoken(entry)

    def spoken(self, entry: Json) -> Iterable[Said]:
        """The messages of one line of a session's file."""
        raise NotImplementedError

    def find(self, names: Sequence[str]) -> list[str]:
        """The session files among those named and those below the folders named. Raises PayloadError."""
        from hooks.sessions import session_files

        return session_files(names, self.is_session)

    def is_session(self, path: str) -> bool:
        folder, name = os.path.split(path)
        return name.endswith(".jsonl") and os.path.basename(folder) != "subagents"

    def session_named(self, path: str) -> str:
        """The session's id by its file's name."""
        return os.path.basename(path).removesuffix(".jsonl")

    def project_named(self, path: str) -> str:
        """The project's folder, where that is noted beside the file."""
        return ""

    def file_rows(self, path: str) -> Iterator[FileRow | None]:
        """The rows of a session's file from the first on; None for a line that is no JSON object."""
        from hooks.sessions import session_rows

        return session_rows(path)

    def at(self, entry: Json) -> float | None:
        """When a line was written, in seconds; None where lines bear no time, so that each counts as a second."""
        from hooks.sessions import session_seconds

        return session_seconds(text_of(entry, "timestamp"))

    def steps(self, rows: Iterable[FileRow]) -> Steps:
        """What the hooks were told, and each call's end, in the order of the file."""
        from hooks.sessions import Spoken

        for row in rows:
            for step in self.calls(row.entry):
                yield row, step
            for one in self.spoken(row.entry):
                if one.role == "user":
                    yield row, Spoken(one.text, None, one.typed)

    def calls(self, entry: Json) -> Iterable[Called | EndStep]:
        """What a line tells of calls."""
        raise NotImplementedError

    def made_up(self, path: str, session_id: str) -> MadeUpSession:
        """A new session's file at `path`."""
        raise NotImplementedError

    def shown(self, answer: Json) -> ShownAnswer:
        """What becomes of a hook's answer."""
        raise NotImplementedError

    # What `hooks.setup` asks.

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        """Where `init --user` writes."""
        return self.placed(env, home, self.told["setup"]["user_file"])

    def placed(self, env: Mapping[str, str], home: str, path: str) -> str:
        """A path of the host's below the home, with the variable honoured that moves the host's folder."""
        for variable, folder in self.told["protected"].get("homes", ()):
            if os.path.isabs(env.get(variable, "")) and f"{path}/".startswith(f"{folder}/" if folder else ""):
                return os.path.join(env[variable], os.path.relpath(path, folder or os.curdir))
        return os.path.join(home, path)

    @property
    def timeout_seconds(self) -> int:
        """That an entry of ours gives a hook."""
        return self.setup().table.timeout_seconds

    def whole_file(self, wiring: Wiring) -> str | None:
        """The text of a file that is ours alone; None where init writes entries among others."""
        return None

    def entry(self, event: str, wiring: Wiring) -> dict[str, object]:
        """The entry that init writes into the host's settings for an event (Compass's word)."""
        raise NotImplementedError

    def is_own(self, handler: object) -> bool:
        from hooks.entries import OWN_PROGRAM

        field = self.told["setup"].get("command", "command")
        command = cast(dict[str, object], handler).get(field) if isinstance(handler, dict) else None
        return isinstance(command, str) and OWN_PROGRAM in command and f"HOST={self.NAME}" in command

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        """Of the tools that an event is wired for; None for an event without tools."""
        return None

    def matches(self, matcher: object, tool_name: str) -> bool:
        """Whether the client runs a hook with this matcher for a tool."""
        return True

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        """What else the doctor has to say of this host: trust, versions, switches."""
        return ()

    def denies(self, answer: Json) -> bool:
        """Whether the host's client, given this answer of a hook, would not make the call."""
        raise NotImplementedError

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        """The same of all that a hook leaves behind: what is no JSON object, or follows other text, refuses nothing."""
        found = decode(stdout)
        return code == 0 and found is not None and self.denies(found)

    def silent(self, code: int, stdout: bytes) -> bool:
        """Whether what a hook leaves behind is no opinion."""
        return code == 0 and not stdout.strip()

    def sessions_folder(self, home: str, project_dir: str) -> str:
        """Where it keeps the session files of a project, and maybe those of others."""
        return self.placed(os.environ, home, self.told["setup"]["sessions"].removeprefix("~/"))
