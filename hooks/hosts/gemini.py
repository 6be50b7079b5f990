"""Gemini CLI 0.61: its hook payloads and its answers, as recorded in `fixtures/hosts/gemini`, and its chat files.

To allow, nothing is printed. It has a third answer, `ask`, which hangs a session without a terminal: it is never given.

A chat file is a log of operations (0.61.0):

- a header, once for each start of the client;
- a message a line; a later line with the same `id` replaces the earlier one, and follows it at once;
- `{"$set": {"messages": [...]}}`: these are all messages so far; other `$set` change nothing here;
- `{"$rewindTo": ID}`: this message and what follows it are gone, all of them if there is none such.

An older client's is one document with all messages, as if each stood in a line of its own
behind the header.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.effects import digest, text_of
from evaluator.record import replace
from hooks.host import Host, Json, json_object, mcp_tool, packed
from hooks.json_lines import (
    Held,
    Tail,
    decode,
    is_array,
    is_object,
    mapping,
    mappings,
    read_document,
    sequence,
    string,
)

if TYPE_CHECKING:
    from evaluator.model import PendingWrite
    from hooks.entries import Wiring
    from hooks.sessions import Fate, FileRow, Steps
    from hooks.setup import Advice
    from hooks.transcript import Said

EDITS = ("file_path", "old_string", "new_string")
MCP = "mcp_"
DISCOVERED = "discovered_tool_"
"""A tool that a command of the user's settings offers: nobody says what it does but its name."""
LINE_BYTES_MAX = 32 * 1024 * 1024
"""At a resume one line holds all messages, tools' results among them."""
IMAGE_ONLY = "[image]"
"""Stands for a prompt that holds pictures or documents and no words."""
SYSTEM_FILES = ("/etc/gemini-cli/system-defaults.json", "/etc/gemini-cli/settings.json")
TRUSTING = "start `gemini` there and choose to trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true"
_FILES = "--- Content from referenced files ---"
"""What follows it the client read from the files that a prompt names."""
_HOOKS = r"(?s)\A\s*<hook_context>.*?</hook_context>|<hook_context>.*?</hook_context>\s*\Z"
"""What a hook's `additionalContext` became, before or behind the person's words."""
_CLOSING = r"(?:Exit Code|Signal|Background PIDs|Process Group PGID): .*|</untrusted_context>|\s*"
_STOPPED = ("Command was cancelled by user", "Command was automatically cancelled")
_BLOCKED = ("Tool execution blocked: ", "Agent execution stopped by hook: ")


class Gemini(Host):
    def parse(self, raw: bytes) -> Json:
        """`failed` is added to what tells of a call that ended: the host has one event for both ends."""
        payload = json_object(raw)
        if "prompt" in payload:
            text = text_of(payload, "prompt")
            own = typed_in_gemini(text)
            payload["prompt"] = text if self.is_machine_text(own) or not own else own
        if "tool_name" not in payload:
            return payload
        name, given = self.translated(payload)
        payload |= {"tool_name": name, "tool_input": given}
        if name not in self.NEVER_WRITES:
            # The host gives calls no id: what is called is the same before and after it ran.
            said = json.dumps(given, sort_keys=True)
            payload["tool_use_id"] = digest("gemini", text_of(payload, "session_id"), name, said)
        if "tool_response" in payload:
            payload["failed"] = gemini_call_failed(name, payload["tool_response"])
        return payload

    def translated(self, payload: Json) -> tuple[str, object]:
        """(tool_name, tool_input) of a payload in Compass's words; the input as it is where it is no object."""
        name, given = text_of(payload, "tool_name"), payload.get("tool_input")
        known = self.NAMES.get(name) or _gemini_tool_name(name, mapping(payload.get("mcp_context")))
        if known != "Edit" or not is_object(given):
            return known, given
        found = mapping(given)
        kept = {key: value for key, value in found.items() if key in EDITS}
        return known, {**kept, "replace_all": found.get("allow_multiple") is True}

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        """A command runs in the `dir_path` that its call names; the project stays the session's."""
        found = super().pending_write(payload, env)
        named = text_of(found.tool_input, "dir_path") if found.tool_name == "Bash" else ""
        return replace(found, cwd=os.path.normpath(os.path.join(found.cwd, named))) if named else found

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        answer: dict[str, object] = {"decision": "deny", "reason": reason}
        if ends_turn:
            answer |= {"continue": False, "stopReason": reason}
        return packed(answer | ({"systemMessage": message} if message else {}))

    def stop_prompt(self, message: str) -> bytes:
        """No request is made, and the prompt stays in the file as the person's; a `deny` would not keep it."""
        return packed({"continue": False, "stopReason": message})

    def is_session(self, path: str) -> bool:
        """A subagent's file is named otherwise: its calls reach hooks as the session's own."""
        name = os.path.basename(path)
        return name.startswith("session-") and name.endswith((".jsonl", ".json"))

    def session_named(self, path: str) -> str:
        return ""

    def tail(self, path: str, end: int | None = None) -> Tail:
        if path.endswith(".json"):
            header = dict(read_document(path))
            return Held([header, *mappings(header.pop("messages", None))], end)
        return Tail(path, end, line_bytes_max=LINE_BYTES_MAX)

    def file_rows(self, path: str) -> Iterator[FileRow | None]:
        from hooks.sessions import rows_of_lines, session_rows

        if path.endswith(".json"):
            return rows_of_lines(reversed([*self.tail(path).lines()]))
        return session_rows(path, LINE_BYTES_MAX)

    def said(self, tail: Tail) -> Iterator[Said]:
        from hooks.transcript import Said

        for one in gemini_messages(tail):
            kind = one.get("type")
            if kind == "gemini":
                yield Said("agent", _gemini_text(one.get("content")), message_id=text_of(one, "id"))
            elif kind == "user" and (text := self.of_person(one)):
                yield Said("user", text)

    def of_person(self, message: Json) -> str:
        """What a person wrote in a message of theirs, empty for what the client sent in their name."""
        shown, content = message.get("displayContent"), message.get("content")
        parts, text = _list_gemini_objects(content), _gemini_text(content)
        typed = typed_in_gemini(text)
        if any("functionResponse" in part for part in parts) or self.is_machine_text(typed or text):
            return ""
        own = typed_in_gemini(_gemini_text(shown)) or typed
        pictures = any("inlineData" in part or "fileData" in part for part in parts)
        return own or (IMAGE_ONLY if pictures else "")

    def steps(self, rows: Iterable[FileRow]) -> Steps:
        """A message that a later line repeats, or lists anew, is told once."""
        from hooks.sessions import Called, EndStep, FileRow, SessionStep, Spoken, session_seconds

        seen: set[str] = set()
        for line in rows:
            change = line.entry.get("$set")
            listed = (
                _list_gemini_objects(mapping(change).get("messages")) if is_object(change) else [line.entry]
            )
            for message in listed:
                row, name = FileRow(line.offset, line.end, message), text_of(message, "id")
                if "id" not in message:
                    yield row, SessionStep(text_of(message, "sessionId"))
                if message.get("type") == "user" and name not in seen and (text := self.of_person(message)):
                    yield row, Spoken(text)
                seen.add(name)
                calls = _list_gemini_objects(message["toolCalls"]) if "toolCalls" in message else []
                for index, call in enumerate(calls if message.get("type") == "gemini" else []):
                    number, fate = text_of(call, "id"), self._fate_of_gemini_call(call)
                    if number in seen:
                        continue
                    seen.add(number)
                    tool, given = self.translated(
                        {"tool_name": call.get("name"), "tool_input": call.get("args")}
                    )
                    new = mapping(call.get("resultDisplay")).get("isNewFile")
                    created = new if isinstance(new, bool) else None
                    yield row, Called(number, tool, mapping(given), uuid=name, index=index, created=created)
                    at = session_seconds(text_of(call, "timestamp"))
                    yield row, EndStep(number, fate, told=fate in ("ran", "failed"), at=at)

    def _fate_of_gemini_call(self, call: Json) -> Fate:
        from hooks.sessions import HELD, HELD_CHARS

        status, told = text_of(call, "status"), _told_by_gemini(call)
        if HELD.search(told[:HELD_CHARS]):
            return "held"
        if status == "success":
            tool, _ = self.translated({"tool_name": call.get("name")})
            return "failed" if gemini_call_failed(tool, {"llmContent": told}) else "ran"
        if status == "cancelled" or (status == "error" and told.startswith(_BLOCKED)):
            return "refused"
        return "failed" if status == "error" else "unknown"

    def project_named(self, path: str) -> str:
        """The folder that the client noted beside its chats."""
        try:
            folder = os.path.dirname(os.path.dirname(os.path.abspath(path)))
            with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
                found = file.read(4096).strip()
        except (OSError, ValueError):
            return ""
        return found if os.path.isabs(found) else ""

    def entry(self, event: str, wiring: Wiring) -> dict[str, object]:
        from hooks.entries import closing_command, hook_command

        command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        handler: dict[str, object] = {
            "type": "command",
            "name": f"compass-{event}",
            "command": closing_command(command) if wiring.blocks and event == "pre-tool-use" else command,
            "timeout": self.timeout_seconds * 1000,
        }
        matcher = self.matcher_of(self.EVENTS[event])
        return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        """All tools but those that are known not to write: which others there are is for the user to say."""
        if event not in ("BeforeTool", "AfterTool"):
            return None
        reading = (name for name, known in self.NAMES.items() if known in self.NEVER_WRITES)
        return f"^(?!(?:{'|'.join(sorted((*self.LEFT_ALONE, *reading)))})$)"

    def matches(self, matcher: object, tool_name: str) -> bool:
        """The client searches for the expression, and takes one that is broken for a name."""
        if matcher is None or (isinstance(matcher, str) and matcher.strip() in ("", "*")):
            return True
        if not isinstance(matcher, str):
            return False
        try:
            return re.search(matcher.strip(), tool_name) is not None
        except re.error:
            return matcher.strip() == tool_name

    def denies(self, answer: Json) -> bool:
        return answer.get("decision") in ("deny", "block") or answer.get("continue") is False

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        """The host reads JSON from either stream, whatever the code is; other text denies with a code above 1."""
        text = stdout.strip() or stderr.strip()
        try:
            found = cast(object, json.loads(text))
        except ValueError:
            return bool(text) and code > 1
        return is_object(found) and self.denies(mapping(found))

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterator[Advice]:
        """What can keep it from running its hooks: a folder without trust, a switch, a file that does not load."""
        from hooks.entries import read_settings

        user = self.user_file(env, home)
        own = (SYSTEM_FILES[0], user, SYSTEM_FILES[1])
        off, names = "", {f"compass-{event}" for event in self.EVENTS}
        settings: dict[str, Json] = {}
        # In the order in which they win, the latest last.
        for path in (*own, *self.FILES.of_project(project_dir)):
            found = read_settings(path)
            if isinstance(found, str):
                yield "settings", None, f"{path}: {found}, so it is unknown whether it turns hooks off"
            settings[path] = mapping(found)
            config = mapping(settings[path].get("hooksConfig"))
            if "enabled" in config:
                off = path if config["enabled"] is False else ""
            if names.intersection(map(str, sequence(config.get("disabled")))):
                told = f"{path} disables Compass's hooks: remove them from hooksConfig.disabled"
                yield "disabled hooks", False, told
        told = f"hooksConfig.enabled is false in {off}: no hook runs until you remove that setting"
        yield "hooks", not off, told if off else "no settings file turns them off"
        user_settings = [settings[path] for path in own]
        yield "folder trust", *_gemini_trust(user_settings, env, os.path.dirname(user), project_dir)


def _gemini_trust(
    settings: Sequence[Json], env: Mapping[str, str], folder: str, project_dir: str
) -> tuple[bool | None, str]:
    """As the client finds out: by the environment, the switch (of no project), and the rule of the longest path."""
    from hooks.entries import read_settings

    if env.get("GEMINI_RESTRICTED_MODE") == "true" or env.get("GEMINI_CLI_TRUST_WORKSPACE") == "false":
        return False, "an environment variable marks every folder as untrusted, so no hook runs"
    switches = [mapping(mapping(one.get("security")).get("folderTrust")).get("enabled") for one in settings]
    told = [one for one in switches if isinstance(one, bool)]
    if env.get("GEMINI_CLI_TRUST_WORKSPACE") == "true" or told[-1:] == [False]:
        return True, "every folder is trusted, because of GEMINI_CLI_TRUST_WORKSPACE or security.folderTrust"
    path = env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") or os.path.join(folder, "trustedFolders.json")
    rules = mapping(read_settings(path))
    project = os.path.realpath(project_dir)
    level: object = ""
    longest = -1
    for place, said in rules.items():
        held = os.path.realpath(os.path.dirname(place) if said == "TRUST_PARENT" else place)
        if len(place) > longest and f"{project}{os.sep}".startswith(held.rstrip(os.sep) + os.sep):
            level, longest = said, len(place)
    if level in ("TRUST_FOLDER", "TRUST_PARENT"):
        return True, f"{project_dir} is trusted"
    state = "is not trusted" if level else "has not been marked as trusted"
    return False if level else None, f"{project_dir} {state}, so no hook runs: {TRUSTING}"


def typed_in_gemini(text: str) -> str:
    """A prompt of Gemini CLI without what the client and its hooks put beside it."""
    own = text.partition(_FILES)[0]
    while found := re.search(_HOOKS, own):
        own = own[: found.start()] + own[found.end() :]
    return own.strip()


def gemini_call_failed(tool: str, response: object) -> bool:
    """Whether a call failed: Gemini CLI has a tool's error in `error`, a command's in its last lines of output."""
    found = mapping(response)
    if found.get("error") is not None or tool != "Bash":
        return found.get("error") is not None
    told = text_of(found, "llmContent")
    if told.removeprefix("<untrusted_context>").lstrip().startswith(_STOPPED):
        return True
    for line in reversed(told.split("\n")):
        if line.startswith(("Exit Code: ", "Signal: ")):
            return True
        if not re.fullmatch(_CLOSING, line):
            return False
    return False


def _gemini_tool_name(name: str, context: Json) -> str:
    """Tools of MCP servers as `mcp__SERVER__TOOL`; others as they are."""
    if name.startswith(DISCOVERED):
        return f"mcp__discovered__{name.removeprefix(DISCOVERED)}"
    if not name.startswith(MCP) or name.startswith("mcp__"):
        return name
    server, tool = text_of(context, "server_name"), text_of(context, "tool_name")
    if server and tool:
        return f"mcp__{server}__{tool}"
    # SERVER_TOOL without a word on where the server's name ends.
    return mcp_tool(name.removeprefix(MCP), "_", last=False)


def gemini_messages(tail: Tail) -> Iterator[Json]:
    """The messages of a Gemini CLI session that stand, newest first, each once and as its newest line has it."""
    seen: set[str] = set()
    until: str | None = None
    reached = False
    for one in _gemini_operations(tail):
        if isinstance(back_to := one.get("$rewindTo"), str):
            # An older one adds nothing before what a newer one went back to was reached: that stood before it.
            if until is None or reached:
                until, reached = back_to, False
            continue
        name = text_of(one, "id")
        if until is not None and (name == until or not reached):
            reached = reached or name == until
            continue
        until = None
        if name and name not in seen:
            seen.add(name)
            yield one


def _gemini_operations(tail: Tail) -> Iterator[Json]:
    """Messages and rewinds, newest first, up to the list that replaces what stands before."""
    for line in tail.lines():
        if line.raw.startswith(b'{"$set":{"lastUpdated"'):
            continue
        record = decode(line.raw) or {}
        listed = mapping(record.get("$set")).get("messages")
        if is_array(listed):
            yield from _list_gemini_objects(listed)[::-1]
            return
        if "id" in record or isinstance(record.get("$rewindTo"), str):
            yield record


def _gemini_text(content: object) -> str:
    parts = sequence(content) if is_array(content) else [content]
    texts = (part if isinstance(part, str) else text_of(mapping(part), "text") for part in parts)
    return string("".join(texts))


def _told_by_gemini(call: Json) -> str:
    """What Gemini CLI's agent was told of a call's end."""
    for part in _list_gemini_objects(call.get("result")):
        for found in _list_gemini_objects(part.get("functionResponse")):
            for response in _list_gemini_objects(found.get("response")):
                return text_of(response, "output") or text_of(response, "error")
    return ""


def _list_gemini_objects(value: object) -> list[Json]:
    """The objects of an array; an object by itself is its own."""
    return mappings(value if is_array(value) else [value])


HOST = Gemini("gemini")
