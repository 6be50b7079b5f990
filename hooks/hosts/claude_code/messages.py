"""What one transcript line is: a total function from untyped data to a `TranscriptEntry`. Does no I/O.

Line types and fields: Claude Code 2.1.330 and 2.1.197, as recorded in `fixtures/claude-code`.

A slash command that the client itself carries out (`/compact`, `/model`) is no request. One that expands to a prompt
(`/init`, every custom command and skill) is. Seen in 2.1.330: the second kind carries `origin.kind: human` when it was
typed; with `-p` it carries no origin, and then its name decides.

A user settles some things without a prompt, too: answers to AskUserQuestion, verdicts on ExitPlanMode plans, words in
refusing a call. Of 182 refusals in real sessions 129 had such words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from evaluator.model import AnsweredQuestion
from evaluator.record import Record
from hooks.host import host_table
from hooks.json_lines import decode, mapping, mappings, sequence, string

EntryKind = Literal["prompt", "queued", "machine", "assistant", "result", "other"]

PLAN_TOOL = "ExitPlanMode"
IMAGE_ONLY = "[image]"
"""Stands for a prompt that holds pictures or documents and no words."""
ID_CHARS_MAX = 200

_TABLE = host_table("claude-code")
_CLIENT_COMMANDS = frozenset[str](_TABLE["client_commands"])
_MACHINE = tuple[str, ...](_TABLE["machine"])
REFUSALS = tuple[str, ...](_TABLE["refused"])
_REFUSED_SAYING = str(_TABLE["refused_saying"])
_OLDEST = tuple[int, ...](_TABLE["setup"]["oldest"])
"""The oldest client whose sessions are gated. Older ones do not say in a result's line who refused its call."""
_OUTPUT_TAGS = tuple[str, ...](_TABLE["command_output"])
_INTERRUPTIONS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")
_PARENTS = ("parentUuid", "logicalParentUuid")
_TYPED = frozenset({"typed", "sdk"})
_PICTURES = frozenset({"image", "document"})
_SYNTHETIC_MODEL = "<synthetic>"
_NAME = r"<command-name>\s*(/?)([^<\s]{1,200})\s*</command-name>"
_REMINDER = r"(?s)\s*<system-reminder>.*</system-reminder>\s*"
_APP = r"(?si)\A\s*<system[_-]instructions?>.*?</system[_-]instructions?>\s*"
"""What an app that starts the client puts before its user's words."""
_ARGUMENTS = r"(?s)<command-args>(.*?)</command-args>"


class ToolUse(Record):
    """A call that proposes a plan."""

    use_id: str
    text: str


class ToolOutcome(Record):
    """How a call ended. `plan` is the plan as approved."""

    use_id: str
    refused: bool
    plan: str = ""


class TranscriptEntry(Record):
    """A line that stands in the chain of the conversation.

    `parent` is the id of the line before (across a compaction, the logical one), "" if it cannot be known,
    None at the root. `text` is what a person or the assistant said; of a result, what the person typed in refusing its
    call. Bodies of tool results are not kept.
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


def classify_line(raw: bytes) -> TranscriptEntry | None:
    """The entry of one line; None if the line is not part of the chain, or is no JSON object at all."""
    line = decode(raw)
    return None if line is None else entry_of(line)


def entry_of(line: Mapping[str, object]) -> TranscriptEntry | None:
    """The same of a line that is decoded."""
    if "parentUuid" not in line:
        return None
    uuid = string(line.get("uuid"))
    if not 0 < len(uuid) <= ID_CHARS_MAX:
        return None
    named = next((value for key in _PARENTS if (value := line.get(key)) is not None), None)
    parent = None if named is None else string(named) if len(string(named)) <= ID_CHARS_MAX else ""
    sidechain = line.get("isSidechain") is True
    match line.get("type"):
        case "user":
            return _parse_user_message(line, uuid, parent, sidechain)
        case "assistant":
            return _parse_assistant_message(line, uuid, parent, sidechain)
        case "attachment":
            attachment = mapping(line.get("attachment"))
            text = _queued_message_text(attachment)
            typed = mapping(attachment.get("origin")).get("kind") == "human"
            return TranscriptEntry(
                uuid, parent, sidechain, "queued" if text else "other", text=text, typed=typed
            )
        case _:
            return TranscriptEntry(uuid, parent, sidechain, "other")


def is_machine_text(text: str) -> bool:
    """Whether the client, not a person, wrote this prompt."""
    return text.lstrip().startswith(_MACHINE)


def _parse_user_message(
    line: Mapping[str, object], uuid: str, parent: str | None, sidechain: bool
) -> TranscriptEntry:
    prompt_id = string(line.get("promptId")) or None
    content = mapping(line.get("message")).get("content")
    blocks = mappings(content)
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results:
        plan, denied = string(mapping(line.get("toolUseResult")).get("plan")), "toolDenialKind" in line
        outcomes = tuple(
            ToolOutcome(string(block.get("tool_use_id")), denied or block.get("is_error") is True, plan)
            for block in results
        )
        words, answers = refusal_words(line, results[0]), _answered_questions(line)
        return TranscriptEntry(
            uuid, parent, sidechain, "result", prompt_id, words, "", (), outcomes, answers, typed=True
        )
    kind, text = _classify_message_text(line, content, blocks)
    typed = mapping(line.get("origin")).get("kind") == "human" or line.get("promptSource") == "typed"
    waited = line.get("promptSource") == "queued"
    return TranscriptEntry(uuid, parent, sidechain, kind, prompt_id, text, typed=typed, waited=waited)


def _classify_message_text(
    line: Mapping[str, object], content: object, blocks: list[Mapping[str, object]]
) -> tuple[EntryKind, str]:
    if any(line.get(flag) is True for flag in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return "other", ""
    origin = string(mapping(line.get("origin")).get("kind"))
    source = string(line.get("promptSource"))
    human = origin == "human" or (not origin and source in _TYPED)
    text = string(content) if isinstance(content, str) else _message_text_of_blocks(blocks)
    if (origin and not human) or source == "system" or is_machine_text(text):
        return "machine", ""
    if text.lstrip().startswith(("<command-name>", "<command-message>")):
        text = request_of(text, declared_human=human) or (text if human else "")
    elif (not human and text.lstrip().startswith(_OUTPUT_TAGS)) or text.strip() in _INTERRUPTIONS:
        text = ""
    text = re.sub(_APP, "", text, count=1)
    return ("prompt", text) if text.strip() else ("other", "")


def _message_text_of_blocks(blocks: list[Mapping[str, object]]) -> str:
    """The user's own words, without the blocks that the client put beside them."""
    texts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = [text for text in texts if text.strip() not in ("", *_INTERRUPTIONS)]
    said = [text for text in said if not re.fullmatch(_REMINDER, text)]
    if not said and any(string(block.get("type")) in _PICTURES for block in blocks):
        return IMAGE_ONLY
    return "\n\n".join(said)


def _queued_message_text(attachment: Mapping[str, object]) -> str:
    """What a person typed while the agent worked, "" for every other attachment."""
    if attachment.get("type") != "queued_command" or attachment.get("isMeta") is True:
        return ""
    mode, origin = attachment.get("commandMode"), string(mapping(attachment.get("origin")).get("kind"))
    if (mode is not None and mode != "prompt") or origin not in {"", "human"}:
        return ""
    prompt = attachment.get("prompt")
    text = string(prompt) if isinstance(prompt, str) else _message_text_of_blocks(mappings(prompt))
    return "" if is_machine_text(text) or not text.strip() else text


def _parse_assistant_message(
    line: Mapping[str, object], uuid: str, parent: str | None, sidechain: bool
) -> TranscriptEntry:
    """What the client wrote in the assistant's name (an API error) is nothing that the assistant said."""
    message = mapping(line.get("message"))
    if line.get("isApiErrorMessage") is True or message.get("model") == _SYNTHETIC_MODEL:
        return TranscriptEntry(uuid, parent, sidechain, "other")
    content = message.get("content")
    blocks = mappings(content)
    texts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    if isinstance(content, str):
        texts = [string(content)]
    plans = tuple(
        ToolUse(string(block.get("id")), string(mapping(block.get("input")).get("plan")))
        for block in blocks
        if block.get("type") == "tool_use" and block.get("name") == PLAN_TOOL
    )
    text = "\n\n".join(text for text in texts if text.strip())
    return TranscriptEntry(uuid, parent, sidechain, "assistant", None, text, string(message.get("id")), plans)


def request_of(wrapper: str, *, declared_human: bool) -> str:
    """`/name arguments`, as it was typed; "" if the command does not speak to the agent.

    A name without its slash was written by the model's own use of a skill.
    """
    found = re.search(_NAME, wrapper)
    if found is None:
        return ""
    slash, name = found.groups()
    if not declared_human and (not slash or name.casefold() in _CLIENT_COMMANDS):
        return ""
    arguments = re.search(_ARGUMENTS, wrapper)
    return f"/{name} {arguments.group(1).strip() if arguments else ''}".rstrip()


def text_of_result(block: Mapping[str, object]) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return string(content)
    return "\n".join(string(one.get("text")) for one in mappings(content) if one.get("type") == "text")


def refusal_words(line: Mapping[str, object], block: Mapping[str, object]) -> str:
    """What the user typed in refusing a call, "" for none. A tool may print the like: the line itself has to say it."""
    version = re.findall(r"\d+", string(line.get("version"))[:20])
    legacy = "toolDenialKind" not in line and () < tuple(map(int, version)) < _OLDEST
    if line.get("toolDenialKind") != "user-rejected" and not legacy:
        return ""
    said = text_of_result(block)
    words = said.partition(_REFUSED_SAYING)[2] if said.startswith(REFUSALS) else ""
    return "" if is_machine_text(words) else words.strip()


def _answered_questions(line: Mapping[str, object]) -> tuple[AnsweredQuestion, ...]:
    """From `toolUseResult.questions` and `.answers`, as asked; without the unanswered ones."""
    result = mapping(line.get("toolUseResult"))
    answers = mapping(result.get("answers"))
    asked = mappings(result.get("questions"))
    options = {
        string(item.get("question")): tuple(
            label
            for option in sequence(item.get("options"))
            if (label := string(mapping(option).get("label")))
        )
        for item in asked
    }
    order = [*options, *(question for question in answers if question not in options)]
    found: list[AnsweredQuestion] = []
    for question in order:
        labels, answer = options.get(question, ()), answers.get(question)
        chosen = tuple(text for text in map(string, sequence(answer)) if text)
        chosen = chosen or _split_answer_labels(string(answer).strip(), labels)
        if question and chosen:
            found.append(AnsweredQuestion(string(question), labels, chosen))
    return tuple(found)


def _split_answer_labels(answer: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Several chosen labels come joined by ", "; a label may itself hold a comma, free text comes last."""
    chosen: list[str] = []
    rest = answer
    while rest:
        fitting = [label for label in labels if rest == label or rest.startswith(label + ",")]
        taken = max(fitting, key=len, default=rest)
        chosen.append(taken)
        rest = rest[len(taken) :].lstrip(", ")
    return tuple(chosen)
