"""Which lines of a message were pasted: logs, diffs, quotations, stack traces, code blocks. Pure."""

from __future__ import annotations

import re

PLACE = r"at \S+[.(]|(?!\S*\d\d:\d\d:\d\d)\S+:\d+:\d+"
PASTE = re.compile(
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR|\[?(?i:error|warning|fatal"
    r"|panic|remote|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:|[\w.]*[A-Z]\w*(?:Error|Exception)\b"
    r"|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |[|]|::|\w+=#|@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
FENCE = re.compile(r"```.*?(?:```|$)", re.DOTALL)


def lines_of(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, and of each whether it was pasted. A single line is the writer's own, but for a fence."""
    fenced = FENCE.sub(lambda one: "\n" + one.group().replace("```", "").replace("\n", "\n> ") + "\n", text)
    found: list[tuple[str, bool]] = []
    below = False
    for line in fenced.split("\n"):
        below = PASTE.match(line) is not None or (below and line[:1].isspace() and line.strip() != "")
        found.append((line, below and (fenced != text or "\n" in text.strip())))
    return found


def parted(text: str) -> tuple[str, str]:
    """The user's own lines, and those that were pasted."""
    found = lines_of(text)
    own, pasted = (
        "\n".join(line for line, is_pasted in found if is_pasted is each) for each in (False, True)
    )
    return own, pasted
