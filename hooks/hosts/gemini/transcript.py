"""A session's chat file, newest message first. It is a log of operations (0.61.0):

- a header, once for each start of the client;
- a message a line; a later line with the same `id` replaces the earlier one, and follows it at once;
- `{"$set": {"messages": [...]}}`: these are all messages so far; other `$set` change nothing here;
- `{"$rewindTo": ID}`: this message and what follows it are gone, all of them if there is none such.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from evaluator.effects import text_of
from evaluator.model import PendingWrite
from hooks.conversation import Said
from hooks.hosts.gemini.words import is_machine_text, typed
from hooks.lines import Line, Tail

LINE_BYTES_MAX = 32 * 1024 * 1024
"""At a resume one line holds all messages, tools' results among them."""
IMAGE_ONLY = "[image]"
"""Stands for a prompt that holds pictures or documents and no words."""
_IDLE = b'{"$set":{"lastUpdated"'

Message = Mapping[str, object]


def said(pending: PendingWrite) -> Iterator[Said]:
    return spoken(messages(Tail(pending.transcript_path or "", line_bytes_max=LINE_BYTES_MAX)))


def spoken(newest_first: Iterator[Message]) -> Iterator[Said]:
    for one in newest_first:
        kind = one.get("type")
        if kind == "gemini":
            yield Said("agent", _text(one.get("content")), message_id=text_of(one, "id"))
        elif kind == "user" and (text := of_person(one)):
            yield Said("user", text)


class ChatDocument(Tail):
    """An older client's file, one document with all messages, as if each stood in a line of its own. The first has the
    offset 1, before it stands what the document tells of the session. `end` as for `Until`."""

    def __init__(self, path: str, end: int | None = None) -> None:
        super().__init__(path)
        self._all = _document_lines(path)[:end]

    def lines(self, before: int | None = None) -> Iterator[Line]:
        return reversed(self._all[:before])


@lru_cache(maxsize=2)
def _document_lines(path: str) -> list[Line]:
    try:
        with open(path, "rb") as file:
            document = dict(_decoded(file.read(LINE_BYTES_MAX)))
    except OSError:
        document = {}
    listed = objects(document.pop("messages", None))
    return [Line(place, json.dumps(one).encode()) for place, one in enumerate((document, *listed))]


def messages(tail: Tail) -> Iterator[Message]:
    """Those that stand, newest first, each once and as its newest line has it."""
    standing = _Standing()
    for line in tail.lines():
        if line.raw.startswith(_IDLE):
            continue
        record = _decoded(line.raw)
        if isinstance(record.get("$rewindTo"), str):
            standing.rewind(text_of(record, "$rewindTo"))
            continue
        change = record.get("$set")
        listed = cast(Message, change).get("messages") if isinstance(change, dict) else None
        if isinstance(listed, list):
            yield from standing.of(objects(cast(object, listed))[::-1])
            return
        if "id" in record:
            yield from standing.of((record,))


class _Standing:
    """Goes through messages newest first and leaves out what was replaced, or taken back."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._until: str | None = None
        """The message that was gone back to: it and all that is newer is left out."""
        self._reached = False

    def rewind(self, message_id: str) -> None:
        """An older one adds nothing before what a newer one went back to was reached: that stood before it."""
        if self._until is None or self._reached:
            self._until, self._reached = message_id, False

    def of(self, newest_first: Sequence[Message]) -> Iterator[Message]:
        for one in newest_first:
            name = text_of(one, "id")
            if self._is_gone(name) or not name or name in self._seen:
                continue
            self._seen.add(name)
            yield one

    def _is_gone(self, name: str) -> bool:
        if self._until is None:
            return False
        if name == self._until:
            self._reached = True
            return True
        if self._reached:
            self._until = None
            return False
        return True


def of_person(message: Message) -> str:
    """What a person wrote in a message of theirs, empty for what the client sent in their name."""
    shown, content = message.get("displayContent"), message.get("content")
    parts = objects(content)
    if any("functionResponse" in part for part in parts):
        return ""
    text = _text(content)
    if is_machine_text(typed(text) or text):
        return ""
    own = typed(_text(shown)) or typed(text)
    pictures = any("inlineData" in part or "fileData" in part for part in parts)
    return own or (IMAGE_ONLY if pictures else "")


def _text(content: object) -> str:
    if isinstance(content, str):
        return _clean(content)
    parts = cast(list[object], content) if isinstance(content, list) else [content]
    return _clean("".join(_words(part) for part in parts))


def _words(part: object) -> str:
    return (
        part
        if isinstance(part, str)
        else text_of(cast(Message, part), "text")
        if isinstance(part, dict)
        else ""
    )


def objects(value: object) -> list[Message]:
    listed = cast(list[object], value) if isinstance(value, list) else [value]
    return [cast(Message, one) for one in listed if isinstance(one, dict)]


def _decoded(raw: bytes) -> Message:
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return {}
    return cast(Message, found) if isinstance(found, dict) else {}


def _clean(text: str) -> str:
    """Lone surrogates become U+FFFD: the text has to survive encoding."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
