"""The readers' prompt: evidence in, system and user text out.

Pure. The sanitizer has already been over every field; the nonce in the slot tags is the second fence. What
changes here or in `wording` changes `fingerprint`, and with it which calibrations still hold.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from evaluator.egress.schema import BLIND_SCHEMA, SCHEMA
from evaluator.egress.slots import exchange_slots, rendered, write_slots
from evaluator.egress.wording import blind as unseeing
from evaluator.egress.wording import full
from evaluator.egress.wording import short as brief
from evaluator.model import Evidence


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str
    user: str


def build(evidence: Evidence, nonce: str, *, blind: bool = False, short: bool = False) -> Prompt:
    """The prompt for one reader. `nonce`: fresh letters and digits; raises ValueError for anything else.

    Slots that hold nothing are left out; so is all wording about the prior turn where that is empty. A `blind`
    reader is shown the exchange alone, so that the write cannot leak into its reading. `short` is for small models;
    who is not shown the write has no shorter text.
    """
    if not (nonce.isascii() and nonce.isalnum()):
        raise ValueError("the nonce must be ASCII letters and digits")
    exchange = [slot for slot in exchange_slots(evidence) if slot.text.strip()]
    write = [slot for slot in write_slots(evidence) if slot.text.strip()]
    parts = [f"Each slot opens and closes with a tag that ends in {nonce}."]
    parts.append("The exchange:" if exchange else "The exchange: nothing of it is shown.")
    parts += [rendered(slot, nonce) for slot in exchange]
    if blind:
        parts.append("Your answer: reading, rival, rationale, primary_concern, score.")
        return Prompt(system=unseeing.system(), user=_encodable("\n\n".join(parts)))
    parts.append("The write:")
    parts += [rendered(slot, nonce) for slot in write]
    parts.append("Your answer: reading, rival, fits, rationale, primary_concern, score.")
    has_prior = any(slot.tag == "prior_assistant_turn" for slot in exchange)
    told = brief.system if short else full.system
    return Prompt(system=told(has_prior=has_prior), user=_encodable("\n\n".join(parts)))


def _encodable(text: str) -> str:
    """Lone surrogates become question marks: they cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fingerprint(*, short: bool = False) -> str:
    """16 hex digits over everything that is said to a reader besides the evidence, and over the schema."""
    filled = Evidence(
        tool_name="tool", operation="edit", operation_class="modifying", targets=("target",),
        current_request="request", prior_assistant_turn="prior", command="command", lines=1,
        delegated_task="task", resolved_option="option", plan="plan", turn_so_far=("name",), contents="text",
        excused=("excused",), symbols=("symbol",), added=1, removed=1, looked_up=("line",),
    )  # fmt: skip
    bare = Evidence(
        tool_name="tool", operation="edit", operation_class="modifying", targets=(), current_request=""
    )
    prompts = (
        build(filled, "0", short=short),
        build(bare, "0", short=short),
        build(filled, "0", blind=True, short=short),
    )
    said = json.dumps([[[prompt.system, prompt.user] for prompt in prompts], SCHEMA, BLIND_SCHEMA])
    return hashlib.sha256(said.encode()).hexdigest()[:16]
