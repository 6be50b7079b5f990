"""The command without its content: heredoc bodies, inline code and literal text never stand in what may leave."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluator.shell.parse.lexed import Lexed

LEADING = re.compile(r"\s*(?:sudo\s+)?([A-Za-z][\w.+-]{0,30})(?=\s)")
COMMAND_MAX = 20_000
"""Longer text is cut (characters); the sanitizer has its own, smaller bound."""


@dataclass(slots=True)
class Content:
    """What to leave out of the command: byte spans and the marks that stand for them."""

    spans: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])

    def hide(self, start: int, end: int, mark: str) -> None:
        self.spans.append((start, end, mark))

    def without(self, lexed: Lexed) -> str:
        source = lexed.source
        cuts = list(self.spans)
        for heredoc in lexed.heredocs.values():
            count = heredoc.lines(source)
            mark = f" [body: {count} line{'' if count == 1 else 's'}]"
            cuts.append((heredoc.operator_end, heredoc.operator_end, mark))
            behind = (
                heredoc.close + 1 if source[heredoc.close : heredoc.close + 1] == b"\n" else heredoc.close
            )
            cuts.append((heredoc.start, behind, ""))
        pieces: list[bytes] = []
        done = 0
        for start, end, mark in sorted(cuts, key=lambda cut: (cut[0], -cut[1])):
            if end <= done and start < done:
                continue
            pieces += (source[done : max(start, done)], mark.encode())
            done = end
        pieces.append(source[done:])
        return b"".join(pieces).decode("utf-8", "replace").strip()[:COMMAND_MAX]


def summary(command: str) -> str:
    """For a command whose content cannot be told from its code: the leading program and the size."""
    found = LEADING.match(command)
    return f"{found.group(1) + ' ' if found else ''}[unparsed: {len(command)} chars]"
