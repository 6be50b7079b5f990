"""OpenCode 1.18: what our plugin in it (`opencode.js`) sends, what that makes of an answer, and the client's sessions.

The shape is ours. A payload is `{session, project, agent, tool, args, call, said, task, servers}`, and for a prompt
`{session, project, prompt, id}`; an answer is `{deny, stop, say, agent}`: why not, whether the turn ends, what the
person is shown, what the agent is told. To allow, nothing is printed. `said` are the messages, `{id, role, text,
summary, running}`, oldest first: there is no file.

The client keeps all sessions in one SQLite file, so a recorded one is named `FILE#SESSION`. Its messages are read as
lines: what was said, `{id, role, text, at}`; a call, `{id, role, tool, args, call, cwd, at}`; how it ended, `{call,
failed, at}`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.model import Exchange, KeptPrompt, Origin, Parent, PendingWrite
from evaluator.record import replace
from hooks.host import ExchangeMemory, Host, Json, OriginNotes, json_object, packed, renamed
from hooks.json_lines import Held, Tail, decode, is_object, mapping, mappings, read_document, sequence

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource
    from hooks.entries import Wiring
    from hooks.sessions import Called, EndStep, Entry, FileRow
    from hooks.setup import Advice
    from hooks.transcript import Said

DELEGATES = "task"
"""Starts an agent, whose calls are hooked themselves; its end is heard."""
SESSION_VARIABLE = "OPENCODE_COMPASS_SESSION"
"""The plugin sets it in what the agent's shell starts: the session that starts it."""
RELAY = "Show this to the user word for word:"
MESSAGES = 150
"""Of a session, as many of the newest as the plugin passes on."""
_SESSIONS = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_created, id"
_PARTS = (
    "SELECT message.id, message.data, part.data FROM message JOIN part ON part.message_id = message.id "
    "WHERE message.session_id = ? ORDER BY message.id, part.id"
)


class OpenCode(Host):
    def parse(self, raw: bytes) -> Json:
        given = json_object(raw)
        payload: dict[str, object] = {
            "session_id": given.get("session"),
            "agent_id": given.get("agent"),
            "cwd": given.get("project"),
            "tool_use_id": given.get("call"),
        }
        if "prompt" in given:
            return payload | {
                "prompt": unquoted_prompt(text_of(given, "prompt")),
                "prompt_id": given.get("id"),
            }
        tool, args = text_of(given, "tool"), given.get("args")
        if tool:
            servers = [one for one in sequence(given.get("servers")) if isinstance(one, str)]
            payload["tool_name"] = self.name_of(tool, servers)
        if is_object(args):
            values = mapping(args)
            payload |= {"tool_input": self.input_of(tool, values), "workdir": values.get("workdir")}
        said = mappings(given.get("said"))
        if task := text_of(given, "task"):
            said.append({"role": "task", "text": task})
        return payload | {"said": tuple(said)}

    def name_of(self, tool: str, servers: Sequence[str]) -> str:
        """A tool's name; that of an MCP server's tool is `mcp__SERVER__TOOL`, any other stays as it is."""
        if tool in self.NAMES or tool == DELEGATES:
            return self.NAMES.get(tool, "Task")
        found = [one for one in servers if tool.startswith(f"{re.sub(r'[^a-zA-Z0-9_-]', '_', one)}_")]
        server = max(found, key=len, default="")
        return f"mcp__{server}__{tool[len(server) + 1 :]}" if server else tool

    def input_of(self, tool: str, args: Json) -> Json:
        """The input of a tool of the client's own in Compass's words; any other's is its own."""
        if self.NAMES.get(tool) not in (None, *self.NEVER_WRITES):
            kept = {name: value for name, value in args.items() if tool != "edit" or name != "edits"}
            return renamed(kept, self.told["fields"])
        return args

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        found = super().pending_write(payload, env)
        said = cast("tuple[Json, ...]", payload.get("said", ()))
        heard = reversed(heard_in_opencode(said, subagent=found.agent_id is not None))
        newest = next((text_of(one, "id") for one in heard if _is_opencode_prompt(one)), "")
        prompt_id = found.prompt_id or newest or None
        cwd = os.path.normpath(os.path.join(found.project_dir, text_of(payload, "workdir")))
        return replace(found, cwd=cwd, prompt_id=prompt_id, said=said)

    def origin(
        self, env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str
    ) -> Origin | None:
        """A client that an agent's shell started works for that agent's session."""
        parent = env.get(SESSION_VARIABLE, "")
        if not parent or parent == session:
            return None
        return Origin((Parent(parent, ""),))

    def is_machine_text(self, text: str) -> bool:
        """The plugin tells of no prompt that the client, or an agent, wrote."""
        return not text.strip()

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        return Brought()

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        return _opencode_answer(deny=reason, stop=ends_turn, say=message)

    def tell(self, message: str) -> bytes:
        return _opencode_answer(say=message)

    def inform(self, event: str, agent: str, person: str) -> bytes:
        """`opencode run` shows no message of a plugin's, so the agent is told to pass on what the person is shown."""
        relayed = f"{RELAY}\n{person}" if person and event != "session-start" else ""
        return _opencode_answer(say=person, agent="\n\n".join(filter(None, (agent, relayed))))

    def find(self, names: Sequence[str]) -> list[str]:
        """The sessions of a database that is named, or lies below a folder that is; a subagent's is none."""
        from hooks.sessions import DATABASE, session_file, session_files

        found: list[str] = []
        for name in names:
            for path in session_files([session_file(name)], lambda path: os.path.basename(path) == DATABASE):
                if session_file(name) != name:
                    found.append(path + name.removeprefix(session_file(name)))
                elif os.path.basename(path) == DATABASE:
                    found += [f"{path}#{session}" for (session,) in _query_opencode_database(path, _SESSIONS)]
                else:
                    found.append(path)
        return [*dict.fromkeys(found)]

    def session_named(self, path: str) -> str:
        return path.rpartition("#")[2] if "#" in path else os.path.basename(path).removesuffix(".json")

    def tail(self, path: str, end: int | None = None) -> Tail:
        """A line of a stored or exported session has its place for an offset. What cannot be read is not there."""
        entries = _read_exported_session(path) if path.endswith(".json") else _read_stored_session(path)
        return Held(entries, end)

    def file_rows(self, path: str) -> Iterator[FileRow | None]:
        from hooks.sessions import rows_of_lines

        return rows_of_lines(reversed([*self.tail(path).lines()]))

    def at(self, entry: Json) -> float | None:
        found = entry.get("at")
        return found / 1000 if isinstance(found, (int, float)) else None

    def spoken(self, entry: Json) -> Iterator[Said]:
        from hooks.transcript import Said

        role, said = text_of(entry, "role"), text_of(entry, "text")
        if role == "user":
            yield Said("user", unquoted_prompt(said))
        elif role:
            yield Said("agent", said, message_id=text_of(entry, "id"))

    def calls(self, entry: Json) -> Iterator[Called | EndStep]:
        from hooks.sessions import Called, EndStep

        tool, args = text_of(entry, "tool"), entry.get("args")
        if tool and is_object(args):
            given = mapping(args)
            folder = os.path.join(text_of(entry, "cwd"), text_of(given, "workdir")).rstrip(os.sep)
            yield Called(text_of(entry, "call"), self.name_of(tool, ()), self.input_of(tool, given), folder)
        if "failed" in entry:
            yield EndStep(text_of(entry, "call"), "ran" if entry["failed"] is False else "failed")

    def whole_file(self, wiring: Wiring) -> str:
        """The plugin, told how to ask, what it need not ask about, and what holds where nobody answers."""
        from evaluator.settings.places import config_dir, state_dir

        named = {name: value for name, _, value in (pair.partition("=") for pair in wiring.said)}
        home = named.get("HOME", "")
        bases = (state_dir(named, home), config_dir(home)) if home else ()
        reads = [own for own, name in self.NAMES.items() if name in self.NEVER_WRITES]
        gate: dict[str, object] = {
            "program": wiring.interpreter,
            "before": ["-I", "-S", wiring.script, "hook"],
            "after": list(wiring.said),
            "records": [os.path.join(base, "projects") for base in bases],
            "closed": wiring.blocks,
            "seconds": self.timeout_seconds,
            "messages": MESSAGES,
            "reads": reads,
            "plain": [*(own for own in self.NAMES if own not in reads), DELEGATES],
        }
        lines = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in gate.items())
        with open(os.path.join(os.path.dirname(__file__), "opencode.js"), encoding="utf-8") as file:
            return file.read().replace("__GATE__", f"{{\n{lines}}}", 1)

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        if env.get("OPENCODE_PURE"):
            yield "plugins", False, "OPENCODE_PURE is set, so OpenCode loads no plugins: unset it"

    def denies(self, answer: Json) -> bool:
        return bool(answer.get("deny"))


class Brought:
    """A `TranscriptSource`: what was said in a session as each call brings it, with what a subagent was told to do."""

    def __init__(self) -> None:
        from hooks.transcript import Conversation

        self._conversation = Conversation(said_in_opencode)
        self.voices, self.lookups = self._conversation.voices, self._conversation.lookups
        self.commands = self._conversation.commands

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        found = self._conversation.exchange(pending, kept)
        task = next((text_of(one, "text") for one in pending.said if one.get("role") == "task"), "")
        return replace(found, delegated_task=task) if task else found


def unquoted_prompt(text: str) -> str:
    """A prompt without the quotes that `opencode run` puts around one with spaces."""
    found = re.fullmatch(r'(?s)"((?:[^"\\]|\\.)*)"', text.strip())
    return found[1].replace('\\"', '"') if found else text


def heard_in_opencode(messages: Sequence[Json], *, subagent: bool) -> Sequence[Json]:
    """The messages of opencode that count for a call; summaries of the client's own are nobody's words.

    What the person types while the agent works stands behind the running message. It belongs to the running prompt in
    the session's own calls, and is not yet anybody's order in a subagent's.
    """
    said = [one for one in messages if one.get("role") != "task" and one.get("summary") is not True]
    answers = (i for i in reversed(range(len(said))) if said[i].get("role") != "user")
    running = next((i for i in answers if said[i].get("running") is True), len(said))
    queued = [one for one in said[running + 1 :] if _is_opencode_prompt(one)]
    if not queued:
        return said
    if subagent:
        return said[: running + 1]
    start = next((i for i in reversed(range(running)) if _is_opencode_prompt(said[i])), -1)
    return [*said[: start + 1], *queued]


def said_in_opencode(pending: PendingWrite) -> Iterator[Said]:
    """What was said in messages of opencode, newest first."""
    from hooks.transcript import Said

    for one in reversed(heard_in_opencode(pending.said, subagent=pending.agent_id is not None)):
        if _is_opencode_prompt(one):
            yield Said("user", unquoted_prompt(text_of(one, "text")), text_of(one, "id") or None)
        elif one.get("role") != "user":
            yield Said("agent", text_of(one, "text"), message_id=text_of(one, "id"))


def _is_opencode_prompt(message: Json) -> bool:
    return message.get("role") == "user" and bool(text_of(message, "text"))


def _read_stored_session(path: str) -> list[Entry]:
    file, _, session = path.rpartition("#")
    try:
        rows = _query_opencode_database(file, _PARTS, session)
    except PayloadError:
        return []
    return [
        one for name, *data in rows for one in _opencode_entries(name, *(decode(text) or {} for text in data))
    ]


def _read_exported_session(path: str) -> list[Entry]:
    """Of what `opencode export` wrote: `{info, messages: [{info, parts}]}`."""
    return [
        entry
        for message in mappings(read_document(path).get("messages"))
        for info in [mapping(message.get("info"))]
        for part in mappings(message.get("parts"))
        for entry in _opencode_entries(text_of(info, "id"), info, part)
    ]


def _query_opencode_database(file: str, query: str, *values: str) -> list[tuple[str, ...]]:
    """The rows. Raises PayloadError for a file that is no database of the client's."""
    import sqlite3
    from contextlib import closing
    from pathlib import Path

    try:
        with closing(sqlite3.connect(f"{Path(file).as_uri()}?mode=ro", uri=True)) as database:
            return database.execute(query, values).fetchall()
    except sqlite3.Error as error:
        raise PayloadError(f"{file}: {error}") from None


def _opencode_entries(message_id: str, info: Json, held: Json) -> Iterator[Entry]:
    at = mapping(info.get("time")).get("created")
    base: dict[str, object] = {"id": message_id, "role": text_of(info, "role"), "at": at}
    if info.get("summary") is True:
        return
    if held.get("type") == "text" and held.get("synthetic") is not True and held.get("ignored") is not True:
        command = text_of(mapping(held.get("metadata")), "typed")
        yield base | {"text": "\n\n".join(filter(None, (command, text_of(held, "text"))))}
    elif held.get("type") == "tool":
        state = mapping(held.get("state"))
        call = {"call": text_of(held, "callID"), "tool": text_of(held, "tool"), "args": state.get("input")}
        yield base | call | {"cwd": text_of(mapping(info.get("path")), "cwd")}
        if state.get("status") in ("completed", "error"):
            failed = state["status"] == "error" or mapping(state.get("metadata")).get("exit", 0) != 0
            yield {"call": call["call"], "failed": failed, "at": at}


def _opencode_answer(**values: object) -> bytes:
    told = {name: value for name, value in values.items() if value}
    return packed(told) if told else b""


HOST = OpenCode("opencode")
