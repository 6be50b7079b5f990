"""Codex CLI's session file: one `{type, payload}` a line, appended to, by resumed sessions too.

The prompt, the message that makes a call and the call itself stand there before the call's hook is run.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import cast

from evaluator.effects import text_of
from evaluator.exhaustion import raise_want
from hooks.conversation import Said
from hooks.lines import LINE_BYTES_MAX, Tail

Json = Mapping[str, object]
Tailing = Callable[[str], Tail]

HEAD_BYTES_MAX = LINE_BYTES_MAX
"""The first line holds the host's own instructions, and those of the project, beside the folder."""
SAID, ROLLED = b'"response_item"', b'"thread_rolled_back"'
CALLS = frozenset(
    (
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "tool_search_call",
        "web_search_call",
        "mcp_tool_call",
    )
)
DELEGATED = "<delegated_task>"
"""Set before a prompt that an agent gave its subagent."""
MACHINE = (
    "<environment_context>",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    DELEGATED,
    "<skill>",
    "<hook_prompt",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<recommended_plugins>",
    "# AGENTS.md instructions",
)
"""How texts begin that the client puts among the user's."""


def is_machine_text(text: str) -> bool:
    return text.lstrip().startswith(MACHINE)


def folder_of(path: str) -> str:
    """The folder that the session was started in; empty where its file does not tell."""
    head = head_of(path)
    return text_of(head, "cwd") if head else ""


def head_of(path: str) -> Json | None:
    """What the first line tells of the session."""
    try:
        return _head(path) if path and os.path.isfile(path) else None
    except LookupError:
        return None


@lru_cache(maxsize=64)
def _head(path: str) -> Json:
    """It never changes once it is there. Raises LookupError for a file without one yet, which is not kept."""
    try:
        with open(path, "rb") as file:
            raw = file.readline(HEAD_BYTES_MAX)
    except OSError as error:
        raise_want(error)
        raise LookupError(path) from error
    found = decoded(raw)
    if text_of(found, "type") != "session_meta":
        raise LookupError(path)
    return held_of(found, "payload")


def parent_of(path: str) -> str:
    """The thread that spawned this one as its subagent; empty for a session of its own."""
    head = head_of(path) or {}
    spawned = held_of(held_of(held_of(head, "source"), "subagent"), "thread_spawn")
    return text_of(spawned, "parent_thread_id")


def thread_of(path: str) -> str:
    return text_of(head_of(path) or {}, "id")


def turn_that_names(path: str, thread: str, tail: Tailing = Tail) -> str | None:
    """The turn of the newest call in a session's file that concerns another thread; None for none."""
    name = thread.encode()
    for line in tail(path).lines():
        if name in line.raw:
            item = held_of(decoded(line.raw), "payload")
            noted = text_of(held_of(item, "internal_chat_message_metadata_passthrough"), "turn_id")
            if text_of(item, "type") == "function_call_output" and noted:
                return noted
            if text_of(held_of(item, "item"), "type") == "CollabAgentToolCall":
                return text_of(item, "turn_id") or None
    return None


def file_of(thread: str, beside: str) -> str:
    """The file of another session of the same home, where one at `beside` lies; empty for none."""
    if not thread.replace("-", "").isalnum():
        return ""
    root = os.path.join(os.path.dirname(beside), *(os.pardir,) * 3)
    found = glob.glob(
        os.path.join(glob.escape(os.path.normpath(root)), "*", "*", "*", f"rollout-*-{thread}.jsonl")
    )
    return found[0] if found else ""


def spoken(path: str, tail: Tailing = Tail) -> Iterator[Said]:
    """The messages of a file, newest first, without what the person took back."""
    return (one for _, one in _standing(path, tail))


def standing_items(path: str) -> Iterator[Json]:
    """The messages and calls that the person did not take back, newest first."""
    return (item for item, _ in _standing(path, Tail))


def _standing(path: str, tail: Tailing) -> Iterator[tuple[Json, Said]]:
    left = 0
    taken_back: set[str | None] = set()
    for line in tail(path).lines():
        if SAID not in line.raw and ROLLED not in line.raw:
            continue
        found = decoded(line.raw)
        item = held_of(found, "payload")
        if text_of(item, "type") == "thread_rolled_back":
            turns = item.get("num_turns")
            left += turns if isinstance(turns, int) else 1
            continue
        one = of_item(item) if text_of(found, "type") == "response_item" else None
        if one is None:
            continue
        if left and one.prompt_id not in taken_back:
            taken_back.add(one.prompt_id)
            left -= 1
        if one.prompt_id not in taken_back:
            yield item, one


def of_item(item: Json) -> Said | None:
    """A message or a call; None for what nobody said."""
    kind, role = text_of(item, "type"), text_of(item, "role")
    turn = text_of(held_of(item, "internal_chat_message_metadata_passthrough"), "turn_id") or None
    if kind in CALLS:
        return Said("agent", "", turn)
    if kind != "message":
        return None
    if role == "assistant":
        return Said("agent", _joined(item, ("output_text",)), turn, message_id=text_of(item, "id"))
    text = _typed(item) if role == "user" else ""
    return Said("user", text, turn) if text else None


def _typed(item: Json) -> str:
    """The person's own parts: as the client notes where each comes from, else by how they begin."""
    about = listed_of(
        held_of(item, "internal_chat_message_metadata_passthrough").get("content_item_metadata")
    )
    parts = listed_of(item.get("content"))
    if not about:
        return "\n".join(text for text in map(_text, parts) if text and not is_machine_text(text))
    noted = zip(parts, about, strict=False)
    return "\n".join(
        text
        for part, note in noted
        if text_of(held_of(note, "provenance"), "type") == "user" and (text := _text(part))
    )


def _joined(item: Json, kinds: tuple[str, ...]) -> str:
    return "\n".join(_text(part) for part in listed_of(item.get("content")) if text_of(part, "type") in kinds)


def _text(part: Json) -> str:
    return text_of(part, "text") if text_of(part, "type") in ("input_text", "output_text", "text") else ""


def decoded(raw: bytes) -> Json:
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return {}
    return cast(Json, found) if isinstance(found, dict) else {}


def held_of(value: Json, key: str) -> Json:
    found = value.get(key)
    return cast(Json, found) if isinstance(found, dict) else {}


def listed_of(value: object) -> list[Json]:
    return (
        [cast(Json, one) for one in cast(list[object], value) if isinstance(one, dict)]
        if isinstance(value, list)
        else []
    )
