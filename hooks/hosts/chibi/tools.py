"""chibi's calls in Compass's words, and which of its hooks judges which. Pure.

`pre_tool` fires for each call, with all arguments, and then `pre_file_write` or `pre_shell_exec` for those of
chibi's own tools that write to the machine, with what other plugins made of the arguments. So these two judge what
they are asked of, and `pre_tool` all the rest: chibi's own file system (`vfs://`), MCP tools, plugins.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import cast

from evaluator.effects import text_of
from hooks.payloads import renamed

Tool = tuple[str, Mapping[str, object]]

LATER: str = "permission-hook"
"""The name that a call has in `pre_tool` where a permission hook is asked of it yet."""
FILE_TOOLS = ("write_file", "file_edit")
SHELL: str = "shell_exec"
VFS: str = "vfs://"
NEVER_WRITES: frozenset[str] = frozenset(
    (
        LATER,
        "file_head", "file_tail", "file_lines", "file_grep", "dir_list", "glob_files", "grep_files",
        "vfs_list", "vfs_info", "read_context", "flock_list", "model_info", "index_query", "index_status",
        "fetch_url", "call_user", "call_agent", "spawn_agent", "summarize_content",
        "update_goals", "update_reflection", "flock_join", "flock_leave", "index_update",
    )
)  # fmt: skip
"""Tools that read, ask, hand work on, or keep chibi's own notes."""
_OWN: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "write_file": ("mcp__vfs__write_file", {}),
    "file_edit": ("mcp__vfs__edit_file", {}),
    "vfs_copy": ("mcp__vfs__copy_file", {"src": "source", "dst": "destination"}),
    "vfs_move": ("mcp__vfs__move_file", {"src": "source", "dst": "destination"}),
    "vfs_mkdir": ("mcp__vfs__create_directory", {}),
    "vfs_delete": ("mcp__vfs__delete_file", {}),
    "scheme_eval": ("REPL", {}),
    "send_message": ("SendMessage", {"content": "message"}),
}
"""{tool: (its name in Compass's words, {argument: the field there})}."""


def translated(hook: str, data: Mapping[str, object]) -> Tool:
    """The tool and its input; an empty name where the payload names none."""
    name = text_of(data, "tool_name")
    if hook == "pre_file_write":
        return _file(name, data)
    if hook == "pre_shell_exec":
        return "Bash", {"command": text_of(data, "command")}
    given = arguments(data)
    if hook == "pre_tool" and (name == SHELL or (name in FILE_TOOLS and not _is_own(given))):
        return LATER, {}
    if name in NEVER_WRITES:
        return name, given
    if name in _OWN:
        own, fields = _OWN[name]
        return own, renamed(given, fields)
    server, mark, tool = name.partition("_")
    # An MCP tool is SERVER_TOOL; a plugin's name may look the same, and is judged by what it says it does.
    return (f"mcp__{server}__{tool}" if mark and server and tool else name), given


def call_id(parent: str, data: Mapping[str, object]) -> str:
    """chibi numbers no calls: one is known again by its process, tool, and file or command."""
    name, given = text_of(data, "tool_name"), arguments(data)
    subject = text_of(given, "path") or text_of(given, "command") or json.dumps(given, sort_keys=True)
    return hashlib.sha256(f"{parent}\0{name}\0{subject}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def arguments(data: Mapping[str, object]) -> Mapping[str, object]:
    """Those of a call; the permission hooks have them beside the tool's name."""
    if "arguments" not in data:
        return data
    given = data["arguments"]
    return cast(Mapping[str, object], given) if isinstance(given, dict) else {}


def _file(name: str, data: Mapping[str, object]) -> Tool:
    path, content = text_of(data, "path"), text_of(data, "content")
    if name == "file_edit":
        # What a replacement looks for is not told here.
        return "Edit", {"file_path": path, "old_string": "", "new_string": content}
    return "Write", {"file_path": path, "content": content}


def _is_own(given: Mapping[str, object]) -> bool:
    return text_of(given, "path").startswith(VFS)
