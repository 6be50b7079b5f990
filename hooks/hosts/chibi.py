"""chibi 0.10, a client in Rust that asks plugins: executables in a folder of its own. By its documents and source; not
tried.

Our plugin (`chibi.sh`) wraps each payload: `{"hook", "parent", "data"}`, because neither the hook's name nor anything
of a session stands in it. `parent` is chibi's own process, by number and start: the session. A bad exit would let the
call run, so where the policy is closed a program that fails is answered by a denial of the plugin's own.

`pre_tool` fires for each call, with all arguments, and then `pre_file_write` or `pre_shell_exec` for those of chibi's
own tools that write to the machine, with what other plugins made of the arguments. So these two judge what they are
asked of, and `pre_tool` all the rest: chibi's own file system (`vfs://`), MCP tools, plugins.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaluator.effects import digest, text_of
from evaluator.record import replace
from hooks.host import MEANT, ExchangeMemory, Host, Json, json_object, packed, renamed
from hooks.json_lines import decode, mapping

if TYPE_CHECKING:
    from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
    from evaluator.ports import TranscriptSource, Voice
    from hooks.entries import Wiring
    from hooks.sessions import Called, EndStep
    from hooks.setup import Advice
    from hooks.transcript import Said

LATER = "permission-hook"
SHELL = "shell_exec"
FILE_TOOLS = ("write_file", "file_edit")
VFS = "vfs://"
FILE = "context.jsonl"
WAITS = "; stop and wait"
"""In the sentence that the agent is told (`evaluator/intervention/texts/en.toml`)."""
NO_REPLY = (
    "In chibi, no reply, number or `compass:` word releases a held call, because nobody can tell who typed it. Ask the "
    "user to repeat the whole request and name its targets, or to do it themselves."
)
_STAMP = r"\[\d{8}-\d{4}[+-]\d{4}\] "
_INBOX = r"(?s)--- INBOX MESSAGES ---\n.*?--- END INBOX ---\n\n"
_AGAIN = r"\[reengaged (?:\(fuel: \d+/\d+\) )?via \w+\. call_user\(<message>\) to end turn\.\]"
"""The agent goes on by itself, with a prompt that it wrote."""


class Chibi(Host):
    def parse(self, raw: bytes) -> Json:
        wrapped = json_object(raw)
        data = mapping(wrapped.get("data"))
        hook, parent = text_of(wrapped, "hook"), text_of(wrapped, "parent")
        payload: dict[str, object] = {
            "session_id": f"chibi-{parent}" if parent else "",
            "hook_event_name": hook,
            "cwd": text_of(data, "project_root"),
        }
        if hook == "pre_message":
            return payload | {"prompt": data.get("prompt"), "prompt_id": data.get("context_name")}
        if "tool_name" in data:
            name, given = self.translated(hook, data)
            # chibi numbers no calls: one is known again by its process, tool, and file or command.
            said = chibi_arguments(data)
            subject = text_of(said, "path") or text_of(said, "command") or json.dumps(said, sort_keys=True)
            number = digest("chibi", parent, text_of(data, "tool_name"), subject)
            payload |= {"tool_name": name, "tool_input": given, "tool_use_id": number}
        return payload

    def translated(self, hook: str, data: Json) -> tuple[str, Json]:
        """The tool and its input; an empty name where the payload names none."""
        name = text_of(data, "tool_name")
        if hook == "pre_file_write":
            path, content = text_of(data, "path"), text_of(data, "content")
            if name == "file_edit":
                # What a replacement looks for is not told here.
                return "Edit", {"file_path": path, "old_string": "", "new_string": content}
            return "Write", {"file_path": path, "content": content}
        if hook == "pre_shell_exec":
            return "Bash", {"command": text_of(data, "command")}
        given = chibi_arguments(data)
        if hook == "pre_tool" and _is_chibi_hooked_later(name, given):
            return LATER, {}
        if name in self.NEVER_WRITES:
            return name, given
        if name in self.NAMES:
            return self.NAMES[name], renamed(given, self.told["fields"].get(name, {}))
        server, mark, tool = name.partition("_")
        # An MCP tool is SERVER_TOOL; a plugin's name may look the same, and is judged by what it says it does.
        return (f"mcp__{server}__{tool}" if mark and server and tool else name), given

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        found = super().pending_write({**payload, "cwd": "", "prompt_id": None}, env)
        # Commands start in the project's folder; relative files are those of the process's own.
        cwd = text_of(payload, "cwd") or env.get("PWD") or found.project_dir
        return replace(
            found,
            cwd=found.project_dir if found.tool_name == "Bash" else cwd,
            transcript_path=found.transcript_path or self.placed(env, env.get("HOME", ""), ".chibi/contexts"),
        )

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        """The plugin sets the variable to where chibi was started where nobody else did."""
        return super().project_of(env, cwd or env.get("PWD", ""))

    def is_machine_text(self, text: str) -> bool:
        return re.match(_AGAIN, text.lstrip()) is not None

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        return Contexts(self)

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """A denial for each kind of hook in one: `pre_tool` looks for `block`, the permission hooks for `denied`.

        chibi shows its person what the agent is told, so what would release a call elsewhere is left out.
        """
        held, _, rest = reason.partition(WAITS)
        readings = rest.partition(MEANT)[2]
        told = f"{held}{f'; it may mean {readings}' if readings else '.' if rest else ''}\n{NO_REPLY}"
        return packed({"denied": True, "reason": told, "block": True, "message": told})

    def tell(self, message: str) -> bytes:
        """Nobody is shown what a hook says beside a denial."""
        return b""

    def inform(self, event: str, agent: str, person: str) -> bytes:
        return b""

    def spoken(self, entry: Json, context: str = "") -> Iterator[Said]:
        """Without the context's name the role tells who speaks, which old entries lack."""
        from hooks.transcript import Said

        kind, text = text_of(entry, "entry_type"), text_of(entry, "content")
        if kind == "tool_call":
            yield Said("agent", "")
        elif kind == "message" and (
            text_of(entry, "role") == "agent" or (context and text_of(entry, "from") == context)
        ):
            yield Said("agent", text)
        elif kind == "message":
            words = re.sub(_INBOX, "", re.sub(_STAMP, "", text, count=1), count=1)
            if not self.is_machine_text(words):
                yield Said("user", words, typed=False)

    def calls(self, entry: Json) -> Iterator[Called | EndStep]:
        from hooks.sessions import Called, EndStep

        kind, content, use_id = (text_of(entry, name) for name in ("entry_type", "content", "tool_call_id"))
        if kind == "tool_result":
            yield EndStep(use_id, "failed" if content.startswith(tuple(self.told["failures"])) else "ran")
        elif kind == "tool_call":
            given, name = decode(content) or {}, text_of(entry, "to")
            hook, data = "pre_tool", dict[str, object](tool_name=name, arguments=given)
            if _is_chibi_hooked_later(name, given):
                hook = "pre_shell_exec" if name == SHELL else "pre_file_write"
                data = {**given, "tool_name": name}
            yield Called(use_id, *self.translated(hook, data))

    def at(self, entry: Json) -> float | None:
        found = entry.get("timestamp")
        return float(found) if isinstance(found, (int, float)) else None

    def is_session(self, path: str) -> bool:
        """A context is a folder; its other files are no sessions."""
        return os.path.basename(path) == FILE

    def session_named(self, path: str) -> str:
        return os.path.basename(os.path.dirname(path))

    def whole_file(self, wiring: Wiring) -> str:
        """chibi runs the plugin with `--schema` to learn its hooks, then once a hook (CHIBI_HOOK), payload on stdin."""
        import shlex

        from hooks.entries import hook_command

        with open(os.path.join(os.path.dirname(__file__), "chibi.sh"), encoding="utf-8") as file:
            text = file.read()
        idle = (*sorted(self.NEVER_WRITES - {LATER}), SHELL)
        for mark, value in (
            ("@HOOK@", hook_command(wiring.interpreter, wiring.script, "").removesuffix(" ''")),
            ("@SAID@", shlex.join(wiring.said)),
            ("@CLOSED@", "closed" if wiring.blocks else ""),
            ("@IDLE@", "|".join(f"""*',"tool_name":"{name}"}}'""" for name in idle)),
            ("@FAILED@", "|".join(f"""*'"result":"{word}'*""" for word in self.told["failures"])),
        ):
            text = text.replace(mark, value)
        return text

    def denies(self, answer: Json) -> bool:
        return answer.get("denied") is True and answer.get("block") is True

    def silent(self, code: int, stdout: bytes) -> bool:
        return code == 0 and stdout.strip() in (b"", b"{}")

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        path = self.user_file(env, home)
        if os.path.isfile(path) and not os.access(path, os.X_OK):
            yield "plugin", False, f"{path} is not executable, so chibi skips it: run chmod +x on it"


class Contexts:
    """A `TranscriptSource` over the folder of all contexts, which is a call's `transcript_path`.

    Only `pre_message` names the context: what was kept of it names the file. No voice counts, because neither the
    file nor the hook tells a person's prompt from one that a program passed in.
    """

    def __init__(self, host: Chibi) -> None:
        self._host = host

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        """Of no messages for a context that nobody named."""
        from hooks.transcript import Conversation

        folder, context = pending.transcript_path, (kept[-1].prompt_id if kept else None) or ""

        def said(_: PendingWrite) -> Iterator[Said]:
            if folder and re.fullmatch(r"[\w-]{1,128}", context):
                for line in self._host.tail(os.path.join(folder, context, FILE)).lines():
                    yield from self._host.spoken(decode(line.raw) or {}, context)

        return Conversation(said).exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return ()

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        return ()


def chibi_arguments(data: Json) -> Json:
    """The arguments of a call in chibi's payload; the permission hooks have them beside the tool's name."""
    return mapping(data["arguments"]) if "arguments" in data else data


def _is_chibi_hooked_later(name: str, given: Json) -> bool:
    """Whether a call of chibi's own tools writes to the machine, so that a permission hook follows."""
    return name == SHELL or (name in FILE_TOOLS and not text_of(given, "path").startswith(VFS))


HOST = Chibi("chibi")
