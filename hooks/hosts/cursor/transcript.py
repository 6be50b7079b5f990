"""What was said in a Cursor session, from its JSONL file below `~/.cursor/projects`.

Its form was described by many who read such files, and stands in no document of Cursor's: a line is `{"role",
"message": {"content": [blocks]}}`, or a status without a role; the person's words stand in `<user_query>`, and results
are not in it.
"""

from __future__ import annotations

import json
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.conversation import Conversation, Said
from hooks.lines import Tail

SESSIONS_KNOWN_MAX = 64
_ID = re.compile(r"[\w-]{1,128}")
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_REDACTED = re.compile(r"\s*\[REDACTED\]\s*$")


class Spoken:
    """A `TranscriptSource`. A person's words count where they stand in the file and came by the prompt event, too:
    `cursor-agent -p` fires none, and there nobody can tell a person from a program.
    """

    def __init__(self) -> None:
        self._conversation = Conversation(said)
        self._submitted: OrderedDict[str, frozenset[str]] = OrderedDict()

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        self._submitted[pending.session_id] = frozenset(_words(one.text) for one in kept)
        self._submitted.move_to_end(pending.session_id)
        while len(self._submitted) > SESSIONS_KNOWN_MAX:
            self._submitted.popitem(last=False)
        return self._conversation.exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        submitted = self._submitted.get(pending.session_id, frozenset())
        if not submitted:
            return ()
        return tuple(one for one in self._conversation.voices(pending) if _words(one.text) in submitted)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()


def found_at(home: str, session: str, project_dir: str) -> str | None:
    """The file of a session that no payload names: nested as the editor writes it, or flat as the client does."""
    projects = os.path.join(home, ".cursor", "projects")
    if not _ID.fullmatch(session):
        return None
    likely = re.sub(r"[^A-Za-z0-9]", "-", project_dir).lstrip("-")
    if path := _in_project(projects, likely, session):
        return path
    try:
        with os.scandir(projects) as entries:
            folders = [entry.name for entry in entries]
    except OSError:
        return None
    return next((path for name in folders if (path := _in_project(projects, name, session))), None)


def said(pending: PendingWrite) -> Iterator[Said]:
    """Newest first."""
    return read(pending.transcript_path or "")


def read(path: str) -> Iterator[Said]:
    for line in Tail(path).lines():
        try:
            found = cast(object, json.loads(line.raw))
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield from one_line(cast(dict[str, object], found))


def one_line(entry: Mapping[str, object]) -> Iterator[Said]:
    """What a line says; nothing for a status, and for what the client put in a person's place."""
    message = entry.get("message")
    content = cast(dict[str, object], message).get("content") if isinstance(message, dict) else None
    blocks: list[object] = [{"text": content}] if isinstance(content, str) else _list(content)
    text = "\n".join(
        text_of(cast(dict[str, object], one), "text") for one in blocks if isinstance(one, dict)
    ).strip()
    role = text_of(entry, "role")
    if role == "assistant":
        yield Said("agent", _REDACTED.sub("", text))
    elif role == "user" and (words := typed_in(text)):
        yield Said("user", words)


def typed_in(text: str) -> str:
    """The person's words in a user's line: those in the tag, all where there is none, and none of a line of tags."""
    tagged = _QUERY.findall(text)
    if tagged:
        return "\n\n".join(tagged)
    return "" if text.startswith("<") else text


def _in_project(projects: str, name: str, session: str) -> str | None:
    folder = os.path.join(projects, name, "agent-transcripts")
    for path in (os.path.join(folder, session, f"{session}.jsonl"), os.path.join(folder, f"{session}.jsonl")):
        if os.path.isfile(path):
            return path
    return None


def _words(text: str) -> str:
    return " ".join(text.split())


def _list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []
