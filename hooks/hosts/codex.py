"""Codex CLI 0.169: its hook payloads and its answers, as recorded in `fixtures/hosts/codex`, and its session files.

A denial leaves by the code 2 and stderr: a JSON answer that Codex does not like to the letter lets the tool run. To
allow, nothing is printed.

A session's file has one `{type, payload}` a line, and is appended to by resumed sessions too. The prompt, the message
that makes a call and the call itself stand there before the call's hook is run. Calls that a script makes by itself
(code mode) stand there as finished commands alone; a patch of such a script is not kept. A subagent has a file of its
own, in which its task stands as if a person had typed it: of such a file only the task and its calls are taken.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaluator.effects import PATCH_TOOL, text_of
from evaluator.model import Exchange, KeptPrompt, Origin, Parent, PendingWrite
from evaluator.record import replace
from evaluator.wire import REFUSAL
from hooks.host import Host, Json, OriginNotes, json_object
from hooks.json_lines import Tail, decode, is_array, is_object, mapping, mappings, sequence

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource, Voice
    from hooks.entries import Wiring
    from hooks.sessions import Called, Fate, FileRow, Steps
    from hooks.setup import Advice
    from hooks.transcript import Said

MARK = "CODEX_THREAD_ID"
"""Set in what a tool of Codex starts: the session that called it."""
DELEGATED = "<delegated_task>"
NO_REASON = "Compass is holding this call."
TOOLS = ("Bash", PATCH_TOOL, "mcp__.*")
"""A matcher has to match the whole name."""
STATUS = "Compass checks this call"
ENDING_SECONDS = 3
"""More is clamped for the end of a session, with a warning each time."""
DEPTH_MAX = 8
"""How many subagents may stand between a call and its session."""
HEAD_BYTES_MAX = 4 * 1024 * 1024
"""The first line of a session's file holds the host's own instructions, and those of the project."""
_CODE = r'(?:Process exited with code |Exit code: |"exit_code": ?)(-?\d+)'
_NOTE = "internal_chat_message_metadata_passthrough"


class Codex(Host):
    def parse(self, raw: bytes) -> Json:
        """In Compass's words: the folder of the session as `cwd`, that of the call as `call_cwd`, a patch as `input`,
        and `failed` where a result tells of it."""
        given = json_object(raw)
        said: dict[str, object] = {**given, "prompt_id": text_of(given, "turn_id")}
        if "tool_name" in given:
            # The call's own folder is no project: a session that started elsewhere may work there for one command.
            said["cwd"] = codex_folder(text_of(given, "transcript_path"))
            said["call_cwd"] = text_of(given, "cwd")
        elif "prompt" in given and given.get("agent_id"):
            # A subagent's prompt is another agent's word, in the name of the person's session.
            said["prompt"] = f"{DELEGATED}\n{text_of(given, 'prompt')}"
        held = given.get("tool_input")
        if given.get("tool_name") == PATCH_TOOL and is_object(held):
            said["tool_input"] = {"input": text_of(mapping(held), "command")}
        # A command of the shell does not tell; a patch and a tool of a server do.
        response = given.get("tool_response")
        head = response.partition("\n")[0] if isinstance(response, str) else ""
        ended_badly = head.startswith("Exit code: ") and head != "Exit code: 0"
        if ended_badly or mapping(response).get("isError") is True:
            said["failed"] = True
        return said

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        own = text_of(payload, "call_cwd")
        found = super().pending_write({**payload, "cwd": text_of(payload, "cwd") or own}, env)
        return replace(found, cwd=own or found.project_dir)

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        """The folder of the session, which is that of its hooks' processes; a replay names it."""
        return os.path.realpath(cwd or ".")

    def origin(
        self, env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str
    ) -> Origin | None:
        """A session that a tool of Codex started is told by its environment, one of another agent by its marks."""
        if env.get(MARK, session) != session:
            parent = text_of(codex_head(codex_file_beside(transcript, env[MARK])), "session_id") or env[MARK]
            return Origin((Parent(parent, codex_file_beside(transcript, parent)),))
        return super().origin(env, notes, session, transcript)

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """On stderr: the model reads it, and so does the person in the terminal. A turn cannot be ended."""
        told = "\n\n".join(filter(None, (reason.strip() or NO_REASON, message)))
        return REFUSAL + told.encode("utf-8", "replace")

    def reader(self, tail: Callable[[str], Tail]) -> TranscriptSource:
        return Threads(self, tail)

    def is_session(self, path: str) -> bool:
        name = os.path.basename(path)
        return name.startswith("rollout-") and name.endswith(".jsonl")

    def session_named(self, path: str) -> str:
        return ""

    def said(self, tail: Tail) -> Iterator[Said]:
        """The messages and calls that the person did not take back, newest first."""
        left = 0
        taken_back: set[str | None] = set()
        for line in tail.lines():
            if b'"response_item"' not in line.raw and b'"thread_rolled_back"' not in line.raw:
                continue
            found = decode(line.raw) or {}
            item = mapping(found.get("payload"))
            if text_of(item, "type") == "thread_rolled_back":
                turns = item.get("num_turns")
                left += turns if isinstance(turns, int) else 1
                continue
            one = self.of_item(item) if text_of(found, "type") == "response_item" else None
            if one is None:
                continue
            if left and one.prompt_id not in taken_back:
                taken_back.add(one.prompt_id)
                left -= 1
            if one.prompt_id not in taken_back:
                yield one

    def of_item(self, item: Json) -> Said | None:
        """What a line of Codex's session file holds: a message or a call; None for what nobody said."""
        from hooks.transcript import Said

        kind, role, note = text_of(item, "type"), text_of(item, "role"), mapping(item.get(_NOTE))
        turn = text_of(note, "turn_id") or None
        if kind in self.told["call_lines"]:
            return Said("agent", "", turn)
        if kind != "message":
            return None
        parts = mappings(item.get("content"))
        if role == "assistant":
            spoken = [text_of(part, "text") for part in parts if text_of(part, "type") == "output_text"]
            return Said("agent", "\n".join(spoken), turn, message_id=text_of(item, "id"))
        if role != "user":
            return None
        # The person's own parts: as the client notes where each comes from, else by how they begin.
        if about := mappings(note.get("content_item_metadata")):
            sources = (text_of(mapping(one.get("provenance")), "type") for one in about)
            whose = zip(map(_codex_text, parts), sources, strict=False)
            texts = [text for text, source in whose if source == "user"]
        else:
            texts = [text for text in map(_codex_text, parts) if not self.is_machine_text(text)]
        text = "\n".join(filter(None, texts))
        return Said("user", text, turn) if text else None

    def steps(self, rows: Iterable[FileRow]) -> Steps:
        from hooks.sessions import EndStep, Interrupted, SessionStep, Spoken

        begun, project, agent = False, "", ""
        running: str | None = None
        for row in rows:
            kind, item = text_of(row.entry, "type"), mapping(row.entry.get("payload"))
            what = text_of(item, "type")
            if kind == "session_meta" and not begun:
                begun, project = True, text_of(item, "cwd")
                agent = text_of(item, "id") if isinstance(item.get("source"), dict) and item["source"] else ""
                yield row, SessionStep(text_of(item, "session_id") or text_of(item, "id"), project)
            elif kind == "event_msg" and what == "turn_aborted":
                yield row, Interrupted()
            elif kind == "response_item" and what.endswith("_call_output"):
                output = item.get("output")
                told = output if isinstance(output, str) else json.dumps(output)
                yield row, EndStep(text_of(item, "call_id"), self._fate_of_codex_call(told))
            elif kind == "response_item" and (one := self.of_item(item)) is not None:
                running = one.prompt_id or running
                if one.role == "user" and not agent:
                    yield row, Spoken(one.text, one.prompt_id, one.typed)
                elif (call := self.call_of(item, project, running, agent or None, row.end)) is not None:
                    yield row, call

    def call_of(
        self, item: Json, project: str, prompt_id: str | None, agent: str | None, end: int
    ) -> Called | None:
        """The call in a line of Codex's session file; None for what is no call that a hook hears of."""
        from hooks.sessions import Called

        kind, name, use_id = (text_of(item, key) for key in ("type", "name", "call_id"))
        tool, folder = "", ""
        given: Json = decode(text_of(item, "arguments")) or {}
        if kind == "custom_tool_call" and name == PATCH_TOOL:
            tool, given = PATCH_TOOL, {"input": text_of(item, "input")}
        elif kind == "function_call" and name in self.told["shells"]:
            folder = text_of(given, "workdir")
            tool, given = _codex_shell_call(given.get("cmd" if name == self.told["shells"][0] else "command"))
        elif kind == "function_call":
            namespace = text_of(item, "namespace")
            named = f"{namespace.removesuffix('__')}__{name}" if namespace.startswith("mcp__") else name
            tool = named if named.startswith("mcp__") else ""
        if not tool:
            return None
        # A patch says `Add File` of what it creates; of what it edits there is no doubt.
        created = "*** Add File:" in text_of(given, "input") if tool == PATCH_TOOL else None
        cwd = os.path.normpath(os.path.join(project, folder)) if project or folder else ""
        return Called(use_id, tool, given, cwd, use_id, 0, prompt_id, agent, created, end)

    def _fate_of_codex_call(self, said: str) -> Fate:
        from hooks.sessions import HELD

        head = said[:2_000]
        if HELD.search(head):
            return "held"
        if any(words in head for words in self.told["refused"]):
            return "refused"
        code = re.search(_CODE, head)
        if code is not None:
            return "ran" if code[1] == "0" else "failed"
        return "failed" if any(words in head for words in self.told["failed"]) else "ran"

    def entry(self, event: str, wiring: Wiring) -> dict[str, object]:
        from hooks.entries import closing_command, hook_command

        command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        held = event == "pre-tool-use"
        handler: dict[str, object] = {
            "type": "command",
            "command": closing_command(command) if held and wiring.blocks else command,
            "timeout": ENDING_SECONDS if event == "session-end" else self.timeout_seconds,
            **({"statusMessage": STATUS} if held else {}),
        }
        matcher = self.matcher_of(self.EVENTS[event], wiring.mcp_tools)
        return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        if event not in ("PreToolUse", "PostToolUse"):
            return None
        further = (name for name in mcp_tools if name.isidentifier() and not name.startswith("mcp__"))
        return "|".join(dict.fromkeys((*TOOLS, *further)))

    def matches(self, matcher: object, tool_name: str) -> bool:
        if matcher is None or matcher in ("", "*"):
            return True
        try:
            return isinstance(matcher, str) and re.fullmatch(matcher, tool_name) is not None
        except re.error:
            return False

    def denies(self, answer: Json) -> bool:
        held = mapping(answer.get("hookSpecificOutput"))
        return held.get("permissionDecision") == "deny" and bool(held.get("permissionDecisionReason"))

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        return bool(stderr.strip()) if code == 2 else super().refuses(code, stdout, stderr)

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        from hooks.hosts.codex_trust import codex_findings

        return codex_findings(env, self.placed(env, home, ".codex"), project_dir, self.is_own)

    def project_named(self, path: str) -> str:
        return codex_folder(path)


class Threads:
    """A `TranscriptSource`, for a session's own calls and for those of its subagents."""

    def __init__(self, host: Codex, tail: Callable[[str], Tail]) -> None:
        from hooks.transcript import Conversation

        self._host, self._tail = host, tail
        self._conversation = Conversation(lambda pending: host.said(tail(pending.transcript_path or "")))
        self.lookups, self.commands = self._conversation.lookups, self._conversation.commands

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        asked = self._as_codex_session_call(pending)
        if asked is pending:
            return self._conversation.exchange(pending, kept)
        # Without the prompts of later turns.
        ends = [at for at, one in enumerate(kept, 1) if one.prompt_id == asked.prompt_id]
        found = self._conversation.exchange(asked, kept[: ends[-1]] if asked.prompt_id and ends else kept)
        said = self._host.said(self._host.tail(pending.transcript_path or ""))
        task = [one.text for one in said if one.role == "user"]
        return replace(found, delegated_task="\n\n".join(reversed(task)))

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._conversation.voices(self._as_codex_session_call(pending))

    def _as_codex_session_call(self, pending: PendingWrite) -> PendingWrite:
        """The call as the session's own, made in the turn that started the subagent; the same for one that is."""
        path = file = pending.transcript_path or ""
        child = ""
        for _ in range(DEPTH_MAX):
            above = codex_parent(file)
            if not above:
                break
            child, file = text_of(codex_head(file), "id"), codex_file_beside(path, above)
        if file == path:
            return pending if not pending.agent_id else replace(pending, transcript_path=None, prompt_id=None)
        turn = self._codex_turn_of_thread(file, child) if file and child else None
        return replace(pending, transcript_path=file or None, prompt_id=turn)

    def _codex_turn_of_thread(self, path: str, thread: str) -> str | None:
        """The turn of the newest call in a session's file that concerns another thread; None for none."""
        for line in self._tail(path).lines():
            if thread.encode() in line.raw:
                item = mapping((decode(line.raw) or {}).get("payload"))
                noted = text_of(mapping(item.get(_NOTE)), "turn_id")
                if text_of(item, "type") == "function_call_output" and noted:
                    return noted
                if text_of(mapping(item.get("item")), "type") == "CollabAgentToolCall":
                    return text_of(item, "turn_id") or None
        return None


def codex_head(path: str) -> Json:
    """What the first line tells of the session; nothing where it does not."""
    from evaluator.files import raise_want

    if not os.path.isfile(path):
        return {}
    try:
        with open(path, "rb") as file:
            found = decode(file.readline(HEAD_BYTES_MAX)) or {}
    except (OSError, ValueError) as error:
        raise_want(error)
        return {}
    return mapping(found.get("payload")) if text_of(found, "type") == "session_meta" else {}


def codex_folder(path: str) -> str:
    """The folder that the session was started in; empty where its file does not tell."""
    return text_of(codex_head(path), "cwd")


def codex_parent(path: str) -> str:
    """The thread that spawned this one as its subagent; empty for a session of its own."""
    source = mapping(codex_head(path).get("source"))
    return text_of(mapping(mapping(source.get("subagent")).get("thread_spawn")), "parent_thread_id")


def codex_file_beside(path: str, thread: str) -> str:
    """The file of another session of the same home; empty for none, and for an id that is none."""
    import glob

    if not thread.replace("-", "").isalnum():
        return ""
    sessions = os.path.normpath(os.path.join(os.path.dirname(path), *(os.pardir,) * 3))
    below = os.path.join(glob.escape(sessions), "*", "*", "*", f"rollout-*-{thread}.jsonl")
    return next(glob.iglob(below), "")


def _codex_shell_call(words: object) -> tuple[str, Json]:
    """(tool, input) of a command line; of 2025 a list of words: `bash -lc SCRIPT`, or `apply_patch PATCH`."""
    import shlex

    if not is_array(words):
        return "Bash", {"command": words if isinstance(words, str) else ""}
    said = [str(word) for word in sequence(words)]
    if said[:1] == [PATCH_TOOL]:
        return PATCH_TOOL, {"input": said[-1]}
    script = said[2] if len(said) == 3 and said[1] in ("-lc", "-c") else shlex.join(said)
    return "Bash", {"command": script}


def _codex_text(part: Json) -> str:
    return text_of(part, "text") if text_of(part, "type") in ("input_text", "output_text", "text") else ""


HOST = Codex("codex")
