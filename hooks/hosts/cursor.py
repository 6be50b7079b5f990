"""Cursor: its hook payloads and answers, and its sessions, by its documents and by what others recorded; not tried.

Under `failClosed` an answer that is missing refuses: the wired command prints Cursor's allow where nothing is printed
here. Its documents name the tools, hardly their fields: every spelling that was seen is taken. A call that writes and
does not say where is no payload, and is answered by policy.

The form of a session's JSONL file below `~/.cursor/projects` stands in no document: a line is `{"role", "message":
{"content": [blocks]}}`, or a status without a role; the person's words stand in `<user_query>`, and results are not in
it, so whether a call ran is not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.record import replace
from hooks.host import ExchangeMemory, Host, Json, json_object, packed
from hooks.json_lines import decode, mapping, mappings, sequence

if TYPE_CHECKING:
    from evaluator.model import Exchange, KeptPrompt, PendingWrite
    from evaluator.ports import TranscriptSource, Voice
    from hooks.entries import Wiring
    from hooks.sessions import Called
    from hooks.setup import Advice
    from hooks.transcript import Said

MCP = "MCP:"


class Cursor(Host):
    def parse(self, raw: bytes) -> Json:
        """Cursor's payload. What it says of the person, their mail address above all, is left behind here."""
        told = json_object(raw)
        event, cwd = text_of(told, "hook_event_name"), text_of(told, "cwd")
        roots = [root for root in sequence(told.get("workspace_roots")) if isinstance(root, str) and root]
        within = (root for root in roots if cwd == root or cwd.startswith(root.rstrip("/") + "/"))
        payload: dict[str, object] = {
            "session_id": text_of(told, "conversation_id") or text_of(told, "session_id"),
            "hook_event_name": event,
            # The workspace's folder that the call is made in: its first where none is, and without any the call's own.
            "cwd": next(iter((*within, *roots, cwd))),
            "transcript_path": text_of(told, "transcript_path"),
        }
        if event == "beforeSubmitPrompt":
            payload["prompt"] = told.get("prompt")
        if "tool_input" in told or "tool_name" in told:
            name, given = self.translated(told)
            folder = self._first_cursor_field(mapping(told.get("tool_input")), "folder") or cwd
            payload |= {"tool_name": name, "tool_input": given, "tool_cwd": folder}
            payload["tool_use_id"] = text_of(told, "tool_use_id")
        return payload

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        found = super().pending_write(payload, env)
        cwd = os.path.join(found.project_dir, text_of(payload, "tool_cwd")).rstrip("/") or "/"
        path = found.transcript_path or cursor_session_file(env.get("HOME", ""), found.session_id)
        return replace(found, cwd=cwd, transcript_path=path)

    def translated(self, payload: Json) -> tuple[str, Json]:
        """The tool and its input in Compass's words. Raises PayloadError where a call cannot be told."""
        whole = payload.get("tool_input")
        given = _cursor_json_object(whole)
        name = text_of(payload, "tool_name")
        if not name:
            # Payloads without a name were seen: the tool is what the input can only be.
            fields = {"old": "StrReplace", "new": "StrReplace", "content": "Write", "patch": "ApplyPatch"}
            told = (
                tool for field, tool in fields.items() if self._first_cursor_field(given, field) is not None
            )
            name = next(told, "Shell" if "command" in given else "")
            if not name:
                raise PayloadError(f"{self.TITLE} sent a call without a tool name")
        if name.startswith(MCP):
            server = text_of(payload, "mcp_server_name") or text_of(payload, "server")
            return _cursor_mcp_tool(server, name.removeprefix(MCP).strip()), given
        if name == "CallMcpTool":
            tool = text_of(given, "toolName") or text_of(given, "tool_name")
            return _cursor_mcp_tool(text_of(given, "server"), tool), _cursor_json_object(
                given.get("arguments")
            )
        if name == "Shell":
            return "Bash", {"command": _required_cursor_field(given, ("command",), name)}
        if name == "ApplyPatch":
            spelled = self.told["spelled"]["patch"]
            patch = whole if isinstance(whole, str) else _required_cursor_field(given, spelled, name)
            return "apply_patch", {"input": patch}
        if name != "Delete" and name not in self.told["file_writers"]:
            return name, given
        path = _required_cursor_field(given, self.told["spelled"]["path"], name)
        if name != "Delete":
            return self._translate_cursor_write(name, path, given)
        import shlex

        # Compass has no tool that deletes: it is the command that would.
        return "Bash", {"command": f"rm -- {shlex.quote(path)}"}

    def _translate_cursor_write(self, name: str, path: str, given: Json) -> tuple[str, Json]:
        old, new = self._first_cursor_field(given, "old"), self._first_cursor_field(given, "new")
        if name in ("EditNotebook", "NotebookEdit"):
            source = given.get("new_source")
            source = source if isinstance(source, str) else new or ""
            return "NotebookEdit", {"notebook_path": path, "new_source": source}
        if isinstance(given.get("edits"), list):
            return "MultiEdit", {"file_path": path, "edits": given["edits"]}
        if old is not None or new is not None:
            edit = {"file_path": path, "old_string": old or "", "new_string": new or ""}
            return "Edit", edit | {key: given[key] for key in ("replace_all",) if key in given}
        return "Write", {"file_path": path, "content": self._first_cursor_field(given, "content") or ""}

    def _first_cursor_field(self, given: Json, field: str) -> str | None:
        spelled = self.told["spelled"][field]
        return next((value for name in spelled if isinstance(value := given.get(name), str)), None)

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        return Submitted(self.reader(self.tail))

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """`message`, else how the reason begins, is what the person reads."""
        shown = message or reason.partition("\n")[0]
        return packed({"permission": "deny", "user_message": shown, "agent_message": reason})

    def tell(self, message: str) -> bytes:
        return packed({"permission": "allow", "user_message": message})

    def inform(self, event: str, agent: str, person: str) -> bytes:
        """Only keys that its documents name for the event: a prompt takes no context for the agent."""
        if event == "user-prompt-submit":
            return packed({"continue": True, "user_message": person}) if person else b""
        return packed({"additional_context": agent}) if agent and event == "post-tool-use" else b""

    def spoken(self, entry: Json) -> Iterator[Said]:
        """Nothing for a status, and for what the client put in a person's place."""
        from hooks.transcript import Said

        content = mapping(entry.get("message")).get("content")
        blocks = [{"text": content}] if isinstance(content, str) else mappings(content)
        text = "\n".join(text_of(one, "text") for one in blocks).strip()
        role = text_of(entry, "role")
        if role == "assistant":
            yield Said("agent", re.sub(r"\s*\[REDACTED\]\s*$", "", text))
        elif role == "user":
            tagged: list[str] = re.findall(r"(?s)<user_query>\s*(.*?)\s*</user_query>", text)
            # Without the tag all of it is the person's, but for a line of other tags.
            words = "\n\n".join(tagged) if tagged else "" if text.startswith("<") else text
            if words:
                yield Said("user", words)

    def calls(self, entry: Json) -> Iterator[Called]:
        from hooks.sessions import Called

        for found in mappings(mapping(entry.get("message")).get("content")):
            if found.get("type") != "tool_use":
                continue
            given = found.get("input")
            try:
                tool = self.translated({"tool_name": found.get("name"), "tool_input": given})
            except PayloadError:
                continue
            folder = self._first_cursor_field(mapping(given), "folder") or ""
            yield Called(text_of(found, "id"), *tool, folder if folder.startswith("/") else "")

    def at(self, entry: Json) -> float | None:
        return None

    def entry(self, event: str, wiring: Wiring) -> dict[str, object]:
        """Only a call is held where the hook fails; a prompt is not lost for it. No matcher: its documents name some
        tools, and one that a matcher does not know would run unasked."""
        from hooks.entries import answering_command, hook_command

        closes = wiring.blocks and event == "pre-tool-use"
        command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        if event in self.told["silent"]:
            command = answering_command(command, self.told["silent"][event], closes=closes)
        found: dict[str, object] = {"command": command, "timeout": self.timeout_seconds}
        return found | ({"failClosed": True} if closes else {})

    def denies(self, answer: Json) -> bool:
        return answer.get("permission") == "deny"

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        return code == 2 or super().refuses(code, stdout, stderr)

    def silent(self, code: int, stdout: bytes) -> bool:
        """What the wired command prints where Compass says nothing is no opinion either."""
        told = stdout.strip().decode("utf-8", "replace")
        return code == 0 and told in ("", *self.told["silent"].values())

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        from hooks.entries import read_settings

        named = mapping(mapping(read_settings(self.user_file(env, home))).get("hooks"))
        if unknown := sorted(set(named) - {*self.EVENTS.values(), *self.told["further_events"]}):
            told = f"{', '.join(unknown)}: a Cursor version that does not know one of these ignores the whole file"
            yield "events", None, told


class Submitted:
    """A `TranscriptSource`. A person's words count where they stand in the file and came by the prompt event, too:
    `cursor-agent -p` fires none, and there nobody can tell a person from a program."""

    def __init__(self, source: TranscriptSource) -> None:
        self._source = source
        self._submitted: tuple[str, frozenset[str]] = ("", frozenset())
        self.lookups, self.commands = source.lookups, source.commands

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        self._submitted = (pending.session_id, frozenset(_normalize_cursor_prompt(one.text) for one in kept))
        return self._source.exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        session, submitted = self._submitted
        if session != pending.session_id or not submitted:
            return ()
        voices = self._source.voices(pending)
        return tuple(one for one in voices if _normalize_cursor_prompt(one.text) in submitted)


def cursor_session_file(home: str, session: str) -> str | None:
    """The file of a session that no payload names: nested as the editor writes it, or flat as the client does."""
    import glob

    if not re.fullmatch(r"[\w-]{1,128}", session):
        return None
    folder = os.path.join(glob.escape(home), ".cursor", "projects", "*", "agent-transcripts")
    nested = glob.glob(os.path.join(folder, session, f"{session}.jsonl"))
    return next(iter(nested or glob.glob(os.path.join(folder, f"{session}.jsonl"))), None)


def _required_cursor_field(given: Json, fields: Sequence[str], name: str) -> str:
    """A field in any spelling Cursor has for it; which one it reads is not known: two could hide one another."""
    found = {value for field in fields if isinstance(value := given.get(field), str) and value}
    if not found:
        raise PayloadError(f"a call to {name} has no {fields[0]}")
    if len(found) > 1:
        raise PayloadError(f"a call to {name} has more than one {fields[0]}")
    return found.pop()


def _cursor_json_object(value: object) -> Json:
    """A JSON object of Cursor's payload; for MCP tools some of its events pass the text of one."""
    return (decode(value) or {}) if isinstance(value, str) else mapping(value)


def _cursor_mcp_tool(server: str, tool: str) -> str:
    word = "".join(letter if letter.isalnum() or letter == "-" else "_" for letter in server or "cursor")
    return f"mcp__{word}__{tool}"


def _normalize_cursor_prompt(text: str) -> str:
    return " ".join(text.split())


HOST = Cursor("cursor")
