"""Which messages the agent acts on, what it said before them and looked up since. Implements `TranscriptSource`.

An exchange that was costly to find is remembered for its turn, and only what the file gained since is read. A session
writes its transcript at the end alone, so an exchange changes only by a line that a person, or a question or plan put
to one, leaves there. Any doubt reads the file anew.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.record import decoded, replace, values_of
from hooks.hosts.claude_code.conversation import (
    ChainStep,
    ClaudeTurn,
    agent_path,
    conversation_voices,
    read_delegation,
    walk_chain,
)
from hooks.hosts.claude_code.messages import REFUSALS, classify_line, text_of_result
from hooks.json_lines import Tail, decode, mapping, mappings, open_regular, string
from hooks.transcript import (
    CALLS_MAX,
    asking_messages,
    bounded_result,
    gather_turn,
    message_texts,
    own_prompts,
    resolve_exchange,
)

DEAR_BYTES = 512 * 1024
"""A read of less than this costs no more than remembering it."""
GAIN_BYTES_MAX = 64 * 1024 * 1024
"""More than this since is read anew."""
FORM = 4
"""Of what is remembered; what has another one is forgotten."""

_SPEAKS = (
    b'"queued_command"', b'"AskUserQuestion"', b'"ExitPlanMode"', b'"answers"', b'"toolDenialKind"',
    b"compact", b'"system"', b'"summary"',
)  # fmt: skip
"""In a line that may change the exchange besides those of the user: questions, plans, compaction, queued words."""
_OF_USER = (b'"type":"user"', b'"type": "user"', b'"role":"user"', b'"role": "user"')
_RESULT = (b'"type":"tool_result"', b'"type": "tool_result"')
_REFUSED = (b'"is_error":true', b'"is_error": true')
"""A plan or a question that its user refused ends like this, and so does every command that fails."""
REACH_BYTES_MAX = 8 * 1024 * 1024
"""How far from the end of the file is looked. A turn that reaches further is known by its later part."""
SESSION_BYTES_MAX = 64 * 1024 * 1024
_MAKES = (b'"command"', b'"content"')
"""In the line of a call that runs a command or writes a file whole."""
_REMINDER = r"(?s)<system-reminder>.*?(?:</system-reminder>|\Z)"
_FAULT = r"</?tool_use_error>"


class TranscriptReader:
    """Reads the host's file anew at each call, from its end, and only as far as the exchange reaches.

    `open_tail` may end the file earlier: a replay reads it as it stood then.
    """

    def __init__(self, open_tail: Callable[[str], Tail] = Tail) -> None:
        self._open_tail = open_tail

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self.read(pending, kept)[0]

    def read(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Exchange, int]:
        """The exchange, and how many bytes of the transcript it took to find it."""
        path = pending.transcript_path or ""
        tail = self._open_tail(path)
        steps = walk_chain(tail)
        newest = gather_turn(steps, ClaudeTurn())
        if pending.agent_id is None:
            return resolve_exchange(newest, steps, pending.prompt_id, kept), tail.bytes_read
        # A subagent keeps the request of the call that started it, though the user may have spoken since.
        task, started_by = read_delegation(path, pending.agent_id)
        started_by = started_by or pending.prompt_id
        resolve = resolve_exchange if _is_at_transcript_tip(newest, started_by, kept) else _earlier_exchange
        found = resolve(newest, steps, started_by, kept)
        return replace(found, delegated_task=task), tail.bytes_read

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return conversation_voices(self._open_tail(pending.transcript_path or ""))

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """The newest CALLS_MAX results of the turn, newest first; none where the turn in the file is not that of the
        running prompt. A subagent's are those since it was last told what to do, from its own file."""
        path = pending.transcript_path or ""
        if pending.agent_id is not None:
            own_file = agent_path(path, pending.agent_id)
            return (
                _transcript_lookups(_transcript_calls_since(self._open_tail(own_file)), None)
                if own_file
                else ()
            )
        own = asking_messages(own_prompts(pending.prompt_id, kept))
        tail = self._open_tail(path)
        span = _turn_span_in_transcript(tail, pending.prompt_id if own else None)
        return () if span is None else _transcript_lookups(_transcript_calls_since(tail, span[0]), span[1])

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        found: list[str] = []
        tip = -1
        for line in self._open_tail(pending.transcript_path or "").lines():
            tip = line.offset if tip < 0 else tip
            if tip - line.offset > SESSION_BYTES_MAX:
                break
            if b'"tool_use"' not in line.raw or not any(mark in line.raw for mark in _MAKES):
                continue
            for block in mappings(mapping((decode(line.raw) or {}).get("message")).get("content")):
                given = mapping(block.get("input"))
                if block.get("type") == "tool_use":
                    path = string(given.get("file_path")) if "content" in given else ""
                    found.append(string(given.get("command")) or f"> {path}")
        return tuple(found)


def _is_at_transcript_tip(turn: ClaudeTurn, prompt_id: str | None, kept: Sequence[KeptPrompt]) -> bool:
    """Whether the turn at the tip is the prompt's own, or the prompt is newer than it."""
    if prompt_id is None or prompt_id in turn.prompt_ids:
        return True
    order = [prompt.prompt_id for prompt in kept]
    on_file = [order.index(known) for known in turn.prompt_ids if known in order]
    return bool(on_file) and prompt_id in order and order.index(prompt_id) > max(on_file)


def _earlier_exchange(
    newest: ClaudeTurn, steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> Exchange:
    """The exchange of the prompt's own, older turn. If there is none: its kept text alone, or else the newest
    request."""
    before = turn = gather_turn(steps, ClaudeTurn())
    while turn.closed and prompt_id not in turn.prompt_ids:
        turn = gather_turn(steps, ClaudeTurn())
    if prompt_id in turn.prompt_ids:
        return resolve_exchange(turn, steps, prompt_id, kept)
    own = asking_messages(own_prompts(prompt_id, kept))
    if own:
        return Exchange(message_texts(own), unwritten=message_texts(own))
    request = message_texts(asking_messages(newest.messages))
    return Exchange(request, before.speech if before.spoke else "", newest.questions, newest.plans)


class RememberingReader:
    """`TranscriptReader`, with `recall(session, agent)` and `remember(session, agent, text)` for what it found."""

    def __init__(
        self,
        reader: TranscriptReader,
        recall: Callable[[str, str], str | None],
        remember: Callable[[str, str, str], None],
        dear_bytes: int = DEAR_BYTES,
    ) -> None:
        self._reader = reader
        self._recall = recall
        self._remember = remember
        self._dear_bytes = dear_bytes

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        path = pending.transcript_path or ""
        try:
            file = os.stat(path)
        except (OSError, ValueError):
            return self._reader.exchange(pending, kept)
        if file.st_size < self._dear_bytes:
            return self._reader.exchange(pending, kept)
        import hashlib

        prompts = "\x1e".join(f"{prompt.prompt_id}\x1f{prompt.text}" for prompt in kept)
        digest = hashlib.sha256(prompts.encode("utf-8", "surrogatepass")).hexdigest()
        about: list[object] = [FORM, path, file.st_ino, pending.prompt_id, digest]
        who, size = (pending.session_id, pending.agent_id or ""), file.st_size
        known, since, said = json.loads(self._recall(*who) or "[null, 0, null]")
        if known == about and not _transcript_gained(path, since, size):
            # What is about another prompt or file is not used, nor what the file has gained on since.
            exchange, read = decoded(Exchange, said), size - since
        else:
            exchange, read = self._reader.read(pending, kept)
        # A subagent's task lies in a file of its own, which may be written yet.
        if read >= self._dear_bytes and (pending.agent_id is None or exchange.delegated_task):
            self._remember(*who, json.dumps([about, size, exchange], default=values_of))
        return exchange

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._reader.voices(pending)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return self._reader.lookups(pending, kept)

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        return self._reader.commands(pending)


def changes_exchange(gain: bytes) -> bool:
    """Whether whole lines at the end of a transcript may change the exchange of its running prompt."""
    if any(mark in gain for mark in _SPEAKS):
        return True
    lines = (line for line in gain.split(b"\n") if any(mark in line for mark in _OF_USER))
    return any(
        not any(mark in line for mark in _RESULT) or any(mark in line for mark in _REFUSED) for line in lines
    )


def _transcript_gained(path: str, since: int, size: int) -> bool:
    """Whether what the file gained may change the exchange, or cannot be known not to."""
    if size == since:
        return False
    descriptor = open_regular(path) if since < size <= since + GAIN_BYTES_MAX else None
    if descriptor is None:
        return True
    try:
        gain = os.pread(descriptor, size - since, since)
        before = os.pread(descriptor, 1, since - 1) if since else b"\n"
    except OSError:
        return True
    finally:
        os.close(descriptor)
    # A line that was still being written has to be read from its beginning.
    return before != b"\n" or len(gain) != size - since or changes_exchange(gain)


def _turn_span_in_transcript(tail: Tail, prompt_id: str | None) -> tuple[int, frozenset[str]] | None:
    """Where the turn begins in the file, and the ids of the assistant's lines and messages on its branch; None where it
    is not the turn of `prompt_id`."""
    turn, ids, tip, start = ClaudeTurn(), set[str](), -1, 0
    for step in walk_chain(tail):
        tip = step.offset if tip < 0 else tip
        if tip - step.offset > REACH_BYTES_MAX:
            break
        turn.add(step)
        if step.on_chain:
            start = step.offset
            if step.entry.kind == "assistant":
                ids.update(filter(None, (step.entry.uuid, step.entry.message_id)))
        if turn.closed:
            break
    if prompt_id is not None and prompt_id not in turn.prompt_ids:
        return None
    return start, frozenset(ids)


def _transcript_calls_since(tail: Tail, start: int | None = None) -> Iterator[Mapping[str, object]]:
    """The lines that hold a call or a result, newest first: a session's own from the offset `start` on, or, where it is
    None, a subagent's back to what it was told."""
    tip = -1
    for line in tail.lines():
        tip = line.offset if tip < 0 else tip
        if tip - line.offset > REACH_BYTES_MAX or line.offset < (start or 0):
            return
        held = decode(line.raw) if b'"tool_result"' in line.raw or b'"tool_use"' in line.raw else None
        if held is not None and held.get("type") in ("user", "assistant"):
            if start is None or held.get("isSidechain") is not True:
                yield held
        elif start is None and (entry := classify_line(line.raw)) is not None and entry.kind == "prompt":
            return


def _transcript_lookups(
    lines: Iterator[Mapping[str, object]], ids: frozenset[str] | None
) -> tuple[Lookup, ...]:
    """Results with their calls, of the assistant's lines and messages of these `ids`, or of all for None. A result
    stands after its call, so it is met first."""
    results: dict[str, tuple[int, str, bool]] = {}
    found: list[tuple[int, Lookup]] = []
    for line in lines:
        message = mapping(line.get("message"))
        blocks = mappings(message.get("content"))
        if line.get("type") == "user":
            refused = "toolDenialKind" in line or string(line.get("toolUseResult")).startswith(REFUSALS)
            for block in blocks:
                if block.get("type") == "tool_result" and not refused:
                    told = bounded_result(text_of_result(block))
                    bare = re.sub(_FAULT, "", re.sub(_REMINDER, "", told))
                    if not bare.startswith(REFUSALS):
                        failed, use_id = block.get("is_error") is True, string(block.get("tool_use_id"))
                        results.setdefault(use_id, (len(results), bare, failed))
        elif ids is None or not ids.isdisjoint((string(line.get("uuid")), string(message.get("id")))):
            for block in blocks:
                use_id = string(block.get("id"))
                if block.get("type") == "tool_use" and use_id in results:
                    age, text, failed = results[use_id]
                    name, given = string(block.get("name")), mapping(block.get("input"))
                    found.append((age, Lookup(name, given, text, failed)))
        if len(found) >= CALLS_MAX:
            break
    return tuple(call for _, call in sorted(found, key=lambda pair: pair[0])[:CALLS_MAX])
