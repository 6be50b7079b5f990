"""What a reader is asked: the wording by look, the slots of the evidence, and the schema of the answer. Pure."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple, cast, get_args

from evaluator.model import ACTIONS, CONCERNS, EXTENTS, LOOKS, Evidence, Look
from evaluator.text import table

ANSWER_TOKENS: Final[Mapping[Look, int]] = {"first": 60, "second": 400}
"""Output tokens that an answer needs: in the first look some 20, in the second some 150 in English, more in other
scripts and tokenizers."""

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reading", "rival", "rationale", "fits", "primary_concern", "score"],
    "properties": {
        "reading": {
            "type": "object",
            "additionalProperties": False,
            "required": ["action", "target", "extent"],
            "properties": {
                "action": {"type": "string", "enum": list(ACTIONS)},
                "target": {"type": "string"},
                "extent": {"type": "string", "enum": list(EXTENTS)},
            },
        },
        "rival": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "rationale": {"type": "string"},
        "fits": {"type": "boolean"},
        "primary_concern": {"type": "string", "enum": list(CONCERNS)},
        "score": {"type": "number"},
    },
}
"""The answer of the second look, in the part of JSON Schema that structured outputs take: no bounds, all keys
required. What is reasoned comes before the score."""

_PROPERTIES = cast(Mapping[str, object], SCHEMA["properties"])
BLIND_SCHEMA: Mapping[str, object] = {
    **SCHEMA,
    "required": [name for name in cast(list[str], SCHEMA["required"]) if name != "fits"],
    "properties": {name: shape for name, shape in _PROPERTIES.items() if name != "fits"},
}
"""The answer of a reader that is not shown the write: nothing that could fit."""

FIRST_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "primary_concern"],
    "properties": {"score": _PROPERTIES["score"], "primary_concern": _PROPERTIES["primary_concern"]},
}
"""The answer of the first look: the score at once."""


def schema_of(look: Look, *, blind: bool = False) -> Mapping[str, object]:
    if look == "first":
        return FIRST_SCHEMA
    return BLIND_SCHEMA if blind else SCHEMA


def look_of(schema: Mapping[str, object]) -> tuple[Look, bool]:
    """Whose answer `schema` is, and whether that reader is blind."""
    names = cast("Mapping[str, object]", schema["properties"])
    return ("second" if "reading" in names else "first"), "reading" in names and "fits" not in names


class Slot(NamedTuple):
    tag: str
    caption: str
    text: str

    def rendered(self, nonce: str) -> str:
        return f"{self.caption}\n<{self.tag}-{nonce}>\n{self.text}\n</{self.tag}-{nonce}>"


def _filled_slots(evidence: Evidence) -> tuple[list[Slot], list[Slot]]:
    """What was said, and the write with what stands beside it: in the order of the table, which has a caption for each,
    without those that hold nothing."""
    texts = {
        "earlier_messages": "\n".join(evidence.earlier_messages),
        "prior_assistant_turn": evidence.prior_assistant_turn,
        "current_request": evidence.current_request,
        "resolved_option": evidence.resolved_option,
        "approved_plan": evidence.plan,
        "delegated_task": evidence.delegated_task,
        "precedents": "\n".join(evidence.precedents),
        "turn_so_far": "\n".join(_quote_in_prompt(name) for name in evidence.turn_so_far),
        "file_contents": evidence.contents,
        "looked_up": "\n".join(_quote_in_prompt(line) for line in evidence.looked_up),
        "pending_write": _render_prompt_write(evidence),
    }
    captions = cast("Mapping[str, Mapping[str, str]]", table("egress/slots"))
    exchange, write = (
        [Slot(tag, caption, texts[tag]) for tag, caption in captions[part].items() if texts[tag].strip()]
        for part in ("exchange", "write")
    )
    return exchange, write


def _render_prompt_write(evidence: Evidence) -> str:
    """One fact a line; what could hold line breaks is quoted or indented, so it cannot pose as a fact."""
    lines = [
        f"tool: {_quote_in_prompt(evidence.tool_name)}",
        f"operation: {evidence.operation} ({evidence.operation_class})",
    ]
    lines += [f"target: {_quote_in_prompt(target)}" for target in evidence.targets] or ["target: none named"]
    lines += [f"also written, and not to judge: {_quote_in_prompt(target)}" for target in evidence.excused]
    added, removed = evidence.added, evidence.removed
    if added and removed:
        lines.append(f"change: {added} lines added, {removed} removed")
    elif added is not None and removed is not None and (added or removed):
        lines.append(f"change: only {f'adds, {added}' if added else f'removes, {removed}'} lines")
    elif evidence.lines is not None:
        lines.append(f"size: {evidence.lines} lines")
    if evidence.symbols:
        lines.append(f"names it touches: {', '.join(_quote_in_prompt(name) for name in evidence.symbols)}")
    if evidence.command.strip():
        lines.append("command:")
        lines += [f"    {line}" for line in evidence.command.splitlines()]
    return "\n".join(lines)


def _quote_in_prompt(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


WORDING: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wording")
SECOND_LOOK_SLOTS: Final = frozenset(("earlier_messages", "looked_up"))
"""What only the second look is shown."""

Condition = Literal["first", "second", "reasoned", "seeing", "blind", "prior", "alone", "earlier"]


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str
    user: str


def build_prompt(
    evidence: Evidence, nonce: str, *, look: Look = "second", blind: bool = False, short: bool = False
) -> Prompt:
    """The prompt for one reader. `nonce`: fresh letters and digits; raises ValueError for anything else.

    The first look is shown less than the second. Slots that hold nothing are left out; so is all wording about the
    prior turn and about earlier messages where there are none. A `blind` reader, of the second look alone, is shown the
    exchange without the write, so that the write cannot leak into its reading. `short` is for small models; who is not
    shown the write has no shorter text.
    """
    if not (nonce.isascii() and nonce.isalnum()):
        raise ValueError("the nonce must be ASCII letters and digits")
    hidden = SECOND_LOOK_SLOTS if look == "first" else frozenset[str]()
    exchange, write = (
        [slot for slot in slots if slot.tag not in hidden] for slots in _filled_slots(evidence)
    )
    parts = [f"Each slot opens and closes with a tag that ends in {nonce}."]
    parts.append("The exchange:" if exchange else "The exchange: nothing of it is shown.")
    parts += [slot.rendered(nonce) for slot in exchange]
    if not blind:
        parts.append("The write:")
        parts += [slot.rendered(nonce) for slot in write]
    keys = cast("list[str]", schema_of(look, blind=blind)["required"])
    parts.append(f"Your answer: {', '.join(keys)}.")
    shown = {slot.tag for slot in exchange}
    holds: set[Condition] = {"blind"} if blind else {"seeing", look}
    holds |= {"reasoned"} if look == "second" or blind else set()
    holds |= {"prior"} if "prior_assistant_turn" in shown else {"alone"}
    holds |= {"earlier"} if "earlier_messages" in shown else set()
    system = _wording("short" if short and not blind else "full", frozenset(holds))
    # Lone surrogates become question marks: they cannot be sent.
    return Prompt(system=system, user="\n\n".join(parts).encode("utf-8", "replace").decode("utf-8"))


@cache
def _wording(name: str, holds: frozenset[Condition]) -> str:
    """The text of a file with the `<!-- condition -->`...`<!-- /condition -->` passages that hold. Raises OSError."""
    with open(os.path.join(WORDING, f"{name}.md"), encoding="utf-8") as file:
        text = file.read()
    for condition in get_args(Condition):
        kept = r"\1" if condition in holds else ""
        for end in ("\n", ""):
            passage = rf"<!-- {condition} -->{end}(.*?)<!-- /{condition} -->{end}"
            text = re.sub(passage, kept, text, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text).strip().replace("{actions}", ", ".join(ACTIONS))


def fingerprint(*, short: bool = False) -> str:
    """16 hex digits over everything that is said to a reader besides the evidence, and over the schemas."""
    filled = Evidence(
        tool_name="tool", operation="edit", operation_class="modifying", targets=("target",),
        current_request="request", prior_assistant_turn="prior", command="command", lines=1,
        delegated_task="task", resolved_option="option", plan="plan", turn_so_far=("call",), contents="text",
        excused=("excused",), symbols=("symbol",), added=1, removed=1, looked_up=("line",),
        precedents=("precedent",), earlier_messages=("message",),
    )  # fmt: skip
    bare = Evidence(
        tool_name="tool", operation="edit", operation_class="modifying", targets=(), current_request=""
    )
    prompts = [build_prompt(one, "0", look=look, short=short) for look in LOOKS for one in (filled, bare)]
    prompts.append(build_prompt(filled, "0", blind=True))
    schemas = [*map(schema_of, LOOKS), schema_of("second", blind=True)]
    said = json.dumps([[[prompt.system, prompt.user] for prompt in prompts], schemas])
    return hashlib.sha256(said.encode()).hexdigest()[:16]
