"""The readers' prompt: evidence in, system and user text out.

Pure, but for the wording, which is read once from its files. The sanitizer has already been over every field; the nonce
in the slot tags is the second fence. What changes here, in the slots or in `wording/*.md` changes `fingerprint`, and
with it which calibrations still hold.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, cast, get_args

from evaluator.egress.schema import schema_of
from evaluator.egress.slots import exchange_slots, rendered, write_slots
from evaluator.model import ACTIONS, LOOKS, Evidence, Look

WORDING: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wording")
SECOND_LOOK_SLOTS: Final = frozenset(("earlier_messages", "looked_up"))
"""What only the second look is shown."""

Condition = Literal["first", "second", "reasoned", "seeing", "blind", "prior", "alone", "earlier"]


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str
    user: str


def build(
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
        [slot for slot in slots if slot.text.strip() and slot.tag not in hidden]
        for slots in (exchange_slots(evidence), write_slots(evidence))
    )
    parts = [f"Each slot opens and closes with a tag that ends in {nonce}."]
    parts.append("The exchange:" if exchange else "The exchange: nothing of it is shown.")
    parts += [rendered(slot, nonce) for slot in exchange]
    if not blind:
        parts.append("The write:")
        parts += [rendered(slot, nonce) for slot in write]
    keys = cast("list[str]", schema_of(look, blind=blind)["required"])
    parts.append(f"Your answer: {', '.join(keys)}.")
    shown = {slot.tag for slot in exchange}
    holds: set[Condition] = {"blind"} if blind else {"seeing", look}
    holds |= {"reasoned"} if look == "second" or blind else set()
    holds |= {"prior"} if "prior_assistant_turn" in shown else {"alone"}
    holds |= {"earlier"} if "earlier_messages" in shown else set()
    system = _wording("short" if short and not blind else "full", frozenset(holds))
    return Prompt(system=system, user=_encodable("\n\n".join(parts)))


@cache
def _wording(name: str, holds: frozenset[Condition]) -> str:
    """The text of a file with the passages between `<!-- condition -->` and `<!-- /condition -->` whose condition
    holds. Raises OSError."""
    with open(os.path.join(WORDING, f"{name}.md"), encoding="utf-8") as file:
        text = file.read()
    for condition in get_args(Condition):
        kept = r"\1" if condition in holds else ""
        for end in ("\n", ""):
            passage = rf"<!-- {condition} -->{end}(.*?)<!-- /{condition} -->{end}"
            text = re.sub(passage, kept, text, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text).strip().replace("{actions}", ", ".join(ACTIONS))


def _encodable(text: str) -> str:
    """Lone surrogates become question marks: they cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


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
    prompts = [build(one, "0", look=look, short=short) for look in LOOKS for one in (filled, bare)]
    prompts.append(build(filled, "0", blind=True))
    schemas = [*map(schema_of, LOOKS), schema_of("second", blind=True)]
    said = json.dumps([[[prompt.system, prompt.user] for prompt in prompts], schemas])
    return hashlib.sha256(said.encode()).hexdigest()[:16]
