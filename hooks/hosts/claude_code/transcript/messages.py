"""What one transcript line is: a total function from untyped data to an `Entry`. Does no I/O.

Line types and fields: Claude Code 2.1.330 and 2.1.197, as recorded in `fixtures/claude-code`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from evaluator.model import AnsweredQuestion
from evaluator.record import Record
from hooks.hosts.claude_code.transcript.commands import OUTPUT_TAGS, is_wrapper, request_of
from hooks.hosts.claude_code.transcript.settled import (
    ToolOutcome,
    ToolUse,
    answered_questions,
    tool_outcome,
    tool_use,
)
from hooks.hosts.claude_code.transcript.untyped import decode, mapping, sequence, string

EntryKind = Literal["prompt", "queued", "machine", "assistant", "result", "other"]

TASK_NOTIFICATION = "<task-notification>"
IMAGE_ONLY = "[image]"
"""Stands for a prompt that holds pictures or documents and no words."""
ID_CHARS_MAX = 200

_INTERRUPTIONS = frozenset(
    {"[Request interrupted by user]", "[Request interrupted by user for tool use]"}
)  # fmt: skip
_TYPED = frozenset({"typed", "sdk"})
_PICTURES = frozenset({"image", "document"})
_SYNTHETIC_MODEL = "<synthetic>"


class Entry(Record):
    """A line that stands in the chain of the conversation.

    `parent` is the id of the line before (across a compaction, the logical one), "" if it cannot be known,
    None at the root. `text` is what a person or the assistant said. Bodies of tool results are not kept.
    """

    uuid: str
    parent: str | None
    sidechain: bool
    kind: EntryKind
    prompt_id: str | None = None
    text: str = ""
    message_id: str = ""
    uses: tuple[ToolUse, ...] = ()
    outcomes: tuple[ToolOutcome, ...] = ()
    answers: tuple[AnsweredQuestion, ...] = ()
    typed: bool = False
    """Whether the client says that a person typed it, and not that it came through its SDK."""
    waited: bool = False
    """Whether it was typed in the turn before, and opened its own under an id that no hook was told."""


def classify(raw: bytes) -> Entry | None:
    """The entry of one line; None if the line is not part of the chain, or is no JSON object at all."""
    line = decode(raw)
    if line is None or "parentUuid" not in line:
        return None
    uuid = string(line.get("uuid"))
    if not 0 < len(uuid) <= ID_CHARS_MAX:
        return None
    parent, sidechain = _parent(line), line.get("isSidechain") is True
    match line.get("type"):
        case "user":
            return _user(line, uuid, parent, sidechain)
        case "assistant":
            return _assistant(line, uuid, parent, sidechain)
        case "attachment":
            attachment = mapping(line.get("attachment"))
            text = _queued_text(attachment)
            typed = mapping(attachment.get("origin")).get("kind") == "human"
            return Entry(uuid, parent, sidechain, "queued" if text else "other", text=text, typed=typed)
        case _:
            return Entry(uuid, parent, sidechain, "other")


def is_machine_text(text: str) -> bool:
    """Whether the client, not a person, wrote this prompt."""
    return text.lstrip().startswith(TASK_NOTIFICATION)


def _parent(line: Mapping[str, object]) -> str | None:
    for key in ("parentUuid", "logicalParentUuid"):
        value = line.get(key)
        if value is not None:
            parent = string(value)
            return parent if len(parent) <= ID_CHARS_MAX else ""
    return None


def _user(line: Mapping[str, object], uuid: str, parent: str | None, sidechain: bool) -> Entry:
    prompt_id = string(line.get("promptId")) or None
    content = mapping(line.get("message")).get("content")
    blocks = [mapping(block) for block in sequence(content)]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results:
        outcomes = tuple(tool_outcome(block, line) for block in results)
        answers = answered_questions(line)
        return Entry(uuid, parent, sidechain, "result", prompt_id, outcomes=outcomes, answers=answers)
    kind, text = _said(line, content, blocks)
    typed = mapping(line.get("origin")).get("kind") == "human" or line.get("promptSource") == "typed"
    waited = line.get("promptSource") == "queued"
    return Entry(uuid, parent, sidechain, kind, prompt_id, text, typed=typed, waited=waited)


def _said(
    line: Mapping[str, object], content: object, blocks: list[Mapping[str, object]]
) -> tuple[EntryKind, str]:
    if any(line.get(flag) is True for flag in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return "other", ""
    origin = string(mapping(line.get("origin")).get("kind"))
    source = string(line.get("promptSource"))
    human = origin == "human" or (not origin and source in _TYPED)
    text = string(content) if isinstance(content, str) else _words(blocks)
    if (origin and not human) or source == "system" or is_machine_text(text):
        return "machine", ""
    if is_wrapper(text):
        text = request_of(text, declared_human=human) or (text if human else "")
    elif (not human and text.lstrip().startswith(OUTPUT_TAGS)) or text.strip() in _INTERRUPTIONS:
        text = ""
    return ("prompt", text) if text.strip() else ("other", "")


def _words(blocks: list[Mapping[str, object]]) -> str:
    texts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = [text for text in texts if text.strip() and not _injected(text)]
    if not said and any(string(block.get("type")) in _PICTURES for block in blocks):
        return IMAGE_ONLY
    return "\n\n".join(said)


def _injected(text: str) -> bool:
    """A block that the client put beside the user's own."""
    bare = text.strip()
    reminder = bare.startswith("<system-reminder>") and bare.endswith("</system-reminder>")
    return reminder or bare in _INTERRUPTIONS


def _queued_text(attachment: Mapping[str, object]) -> str:
    """What a person typed while the agent worked, "" for every other attachment."""
    if attachment.get("type") != "queued_command" or attachment.get("isMeta") is True:
        return ""
    mode, origin = attachment.get("commandMode"), string(mapping(attachment.get("origin")).get("kind"))
    if (mode is not None and mode != "prompt") or origin not in {"", "human"}:
        return ""
    prompt = attachment.get("prompt")
    blocks = [mapping(block) for block in sequence(prompt)]
    text = string(prompt) if isinstance(prompt, str) else _words(blocks)
    return "" if is_machine_text(text) or not text.strip() else text


def _assistant(line: Mapping[str, object], uuid: str, parent: str | None, sidechain: bool) -> Entry:
    """What the client wrote in the assistant's name (an API error) is nothing that the assistant said."""
    message = mapping(line.get("message"))
    if line.get("isApiErrorMessage") is True or message.get("model") == _SYNTHETIC_MODEL:
        return Entry(uuid, parent, sidechain, "other")
    content = message.get("content")
    blocks = [mapping(block) for block in sequence(content)]
    texts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    if isinstance(content, str):
        texts = [string(content)]
    calls = (tool_use(block) for block in blocks if block.get("type") == "tool_use")
    return Entry(
        uuid,
        parent,
        sidechain,
        "assistant",
        text="\n\n".join(text for text in texts if text.strip()),
        message_id=string(message.get("id")),
        uses=tuple(call for call in calls if call is not None),
    )
