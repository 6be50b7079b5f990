"""What the calls of the running turn came back with. The one place that reads the bodies of results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from evaluator.model import Lookup
from evaluator.record import Record
from hooks.hosts.claude_code.conversation import ClaudeTurn, agent_path, walk
from hooks.hosts.claude_code.messages import REFUSALS, classify, text_of_result
from hooks.json_values import decode, mapping, mappings, string
from hooks.lines import FileLine, Tail
from hooks.transcript import CALLS_MAX, bounded

REACH_BYTES_MAX = 8 * 1024 * 1024
"""How far from the end of the file is looked. A turn that reaches further is known by its later part."""
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_FAULT = re.compile(r"</?tool_use_error>")


class _Span(Record):
    """Where the turn begins in the file, and the ids of the assistant's lines and messages on its branch."""

    start: int
    ids: frozenset[str]


class _Result(Record):
    """`age`: how many results are newer."""

    text: str
    failed: bool
    age: int


def of_turn(tail: Tail, prompt_id: str | None) -> tuple[Lookup, ...]:
    """The newest CALLS_MAX, newest first; none where the turn in the file is not that of `prompt_id`."""
    span = _span(tail, prompt_id)
    if span is None:
        return ()
    return _paired(_since(tail, span.start), lambda ids: not span.ids.isdisjoint(ids))


def of_agent(transcript_path: str, agent_id: str, open_tail: Callable[[str], Tail]) -> tuple[Lookup, ...]:
    """Results of a subagent's calls since it was last told what to do, from its own file."""
    path = agent_path(transcript_path, agent_id)
    if path is None:
        return ()
    return _paired(_since_told(open_tail(path)), lambda _: True)


def _span(tail: Tail, prompt_id: str | None) -> _Span | None:
    turn, ids, tip, start = ClaudeTurn(), set[str](), -1, 0
    for step in walk(tail):
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
    return _Span(start, frozenset(ids))


def _since(tail: Tail, start: int) -> Iterator[Mapping[str, object]]:
    for line in _near(tail):
        if line.offset < start:
            return
        found = _decoded(line)
        if found is not None and found.get("isSidechain") is not True:
            yield found


def _since_told(tail: Tail) -> Iterator[Mapping[str, object]]:
    for line in _near(tail):
        found = _decoded(line)
        if found is not None:
            yield found
            continue
        entry = classify(line.raw)
        if entry is not None and entry.kind == "prompt":
            return


def _near(tail: Tail) -> Iterator[FileLine]:
    tip = -1
    for line in tail.lines():
        tip = line.offset if tip < 0 else tip
        if tip - line.offset > REACH_BYTES_MAX:
            return
        yield line


def _decoded(line: FileLine) -> Mapping[str, object] | None:
    """A line that may hold a call or a result; None for all others."""
    if b'"tool_result"' not in line.raw and b'"tool_use"' not in line.raw:
        return None
    found = decode(line.raw)
    return found if found is not None and found.get("type") in ("user", "assistant") else None


def _paired(
    lines: Iterator[Mapping[str, object]], belongs: Callable[[tuple[str, str]], bool]
) -> tuple[Lookup, ...]:
    """Results with their calls. A result stands after its call, so it is met first."""
    results: dict[str, _Result] = {}
    found: list[tuple[int, Lookup]] = []
    for line in lines:
        message = mapping(line.get("message"))
        blocks = mappings(message.get("content"))
        if line.get("type") == "user":
            refused = "toolDenialKind" in line or string(line.get("toolUseResult")).startswith(REFUSALS)
            for block in blocks:
                if block.get("type") == "tool_result" and not refused:
                    _note(results, block)
        elif belongs((string(line.get("uuid")), string(message.get("id")))):
            for block in blocks:
                use_id = string(block.get("id"))
                if block.get("type") == "tool_use" and use_id in results:
                    came = results[use_id]
                    call = Lookup(
                        string(block.get("name")), mapping(block.get("input")), came.text, came.failed
                    )
                    found.append((came.age, call))
        if len(found) >= CALLS_MAX:
            break
    return tuple(call for _, call in sorted(found, key=lambda pair: pair[0])[:CALLS_MAX])


def _note(results: dict[str, _Result], block: Mapping[str, object]) -> None:
    bare = _FAULT.sub("", _REMINDER.sub("", bounded(text_of_result(block))))
    if not bare.startswith(REFUSALS):
        results.setdefault(
            string(block.get("tool_use_id")), _Result(bare, block.get("is_error") is True, len(results))
        )
