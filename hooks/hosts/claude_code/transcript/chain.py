"""The lines that lead to where the conversation stands, newest first.

Each line names its parent, so what a rewind abandoned is never met. A parent that is not in the file (not
written, too long, garbled) is replaced by the nearest older line that is no sidechain.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.record import Record
from hooks.hosts.claude_code.transcript.messages import Entry, classify
from hooks.lines import Line, Tail

SEARCH_BYTES_MAX = 192 * 1024 * 1024
"""How far back a parent is looked for; what is left of the scan then serves the walk itself."""
SEARCH_BYTES_AFTER_LOSS = 1024 * 1024
"""The same once a parent was not found: a file that lost one line may have lost many."""
ASIDE_BYTES_MAX = 1024 * 1024
"""How far from the chain its side branches are looked at."""

_ASIDE_MARKS = (b'"answers"', b'"ExitPlanMode"', b'"toolDenialKind"', b'"isAgent"', b'"Agent"', b'"Task"')


class ChainStep(Record):
    """An entry and where it stands. One that is not `on_chain` belongs to the conversation only if it is a
    part of a message on the chain, or a result of one: parallel tool calls branch the chain."""

    entry: Entry
    offset: int
    on_chain: bool


def walk(tail: Tail) -> Iterator[ChainStep]:
    """From the tip (the newest line of the chain) towards the root. Parents are older lines, so it ends."""
    lines = tail.lines()
    wanted: str = ""
    last: int | None = None
    reach = SEARCH_BYTES_MAX
    while True:
        found: ChainStep | None = None
        for line in lines:
            lost = 0 if last is None else last - line.offset
            if wanted and lost > reach:
                break
            step = _step(line, wanted, look_aside=lost <= ASIDE_BYTES_MAX)
            if step is None:
                continue
            if step.on_chain:
                found = step
                break
            yield step
        if found is not None:
            yield found
            last = found.offset
            if found.entry.parent is None:
                return
            wanted = found.entry.parent
        elif wanted:
            lines, wanted, reach = tail.lines(last), "", SEARCH_BYTES_AFTER_LOSS
        else:
            return


def _step(line: Line, wanted: str, *, look_aside: bool) -> ChainStep | None:
    """Decoding is dear and most lines lie apart: a line that does not hold the wanted id is not decoded."""
    if wanted:
        near = wanted.encode() in line.raw
        if not near and not (look_aside and any(mark in line.raw for mark in _ASIDE_MARKS)):
            return None
    elif b'"uuid"' not in line.raw:
        return None
    entry = classify(line.raw)
    if entry is None or entry.sidechain:
        return None
    return ChainStep(entry, line.offset, not wanted or entry.uuid == wanted)
