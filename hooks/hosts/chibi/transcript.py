"""What was said in a chibi context, from its `context.jsonl` (chibi's docs/transcript-format.md)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.conversation import Conversation, Said
from hooks.lines import Tail

FILE: str = "context.jsonl"
_NAME = re.compile(r"[\w-]{1,128}")
_STAMP = re.compile(r"\[\d{8}-\d{4}[+-]\d{4}\] ")
_INBOX = re.compile(r"--- INBOX MESSAGES ---\n.*?--- END INBOX ---\n\n", re.DOTALL)
_AGAIN = re.compile(r"\[reengaged (?:\(fuel: \d+/\d+\) )?via \w+\. call_user\(<message>\) to end turn\.\]")


def is_machine_text(text: str) -> bool:
    """The agent goes on by itself, with a prompt that it wrote."""
    return _AGAIN.match(text.lstrip()) is not None


class Contexts:
    """A `TranscriptSource` over the folder of all contexts, which is a call's `transcript_path`.

    Only `pre_message` names the context: what was kept of it names the file. No voice counts, because neither the
    file nor the hook tells a person's prompt from one that a program passed in.
    """

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        context = kept[-1].prompt_id if kept else None
        return Conversation(lambda _: said(pending.transcript_path, context)).exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return ()

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()


def said(folder: str | None, context: str | None) -> Iterator[Said]:
    """Newest first. Nothing for a context that nobody named."""
    if not folder or context is None or not _NAME.fullmatch(context):
        return
    for line in Tail(os.path.join(folder, context, FILE)).lines():
        try:
            found = cast(object, json.loads(line.raw))
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield from one_entry(cast(dict[str, object], found), context)


def one_entry(entry: Mapping[str, object], context: str = "") -> Iterator[Said]:
    """What an entry says; without the context's name its role tells who speaks, which old entries lack."""
    kind, text = text_of(entry, "entry_type"), text_of(entry, "content")
    if kind == "tool_call":
        yield Said("agent", "")
    elif kind == "message" and (
        text_of(entry, "role") == "agent" or (context and text_of(entry, "from") == context)
    ):
        yield Said("agent", text)
    elif kind == "message":
        words = _INBOX.sub("", _STAMP.sub("", text, count=1), count=1)
        if not is_machine_text(words):
            yield Said("user", words, typed=False)
