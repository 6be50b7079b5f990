"""What the results of calls are bounded to, whichever way a host tells them."""

from __future__ import annotations

CALLS_MAX = 64
TEXT_CHARS_MAX = 100_000
"""Of one result. Of a longer one both ends are taken: a log's news stand last."""


def bounded(text: str) -> str:
    """Without half a line where it is cut."""
    if len(text) <= TEXT_CHARS_MAX:
        return text
    half = TEXT_CHARS_MAX // 2
    head, tail = text[:half], text[-half:]
    return head[: head.rfind("\n") + 1 or half] + tail[tail.find("\n") + 1 :]
