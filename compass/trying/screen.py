"""The walk on a terminal, or for a script: 80 columns, one question at a time; or one JSON document at its end."""

from __future__ import annotations

import contextlib
import select
import sys
import textwrap
from io import TextIOWrapper

from evaluator.terminal import safe

WIDTH = 80
SIGNAL_SECONDS = 0.2
PROMPT = "you> "


class Screen:
    """`ended` once there is nothing more to read."""

    def __init__(self, *, as_json: bool = False) -> None:
        from rich.console import Console

        from compass.show.terminal import coloured, columns_of

        for stream in (sys.stdin, sys.stdout):
            # A terminal of another encoding shows a question mark; an answer in one is read as far as it can be.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._width = min(WIDTH, columns_of())
        self._console = Console(
            highlight=False,
            markup=False,
            width=self._width,
            soft_wrap=True,
            color_system="auto" if coloured() else None,
        )
        self._asks = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        self._as_json = as_json
        self.steps: list[dict[str, str]] = []
        self.ended = False

    def head(self, text: str) -> None:
        self._note("step", text)
        if not self._as_json:
            self._console.print()
        self._lines(text, "", "bold")

    def text(self, text: str) -> None:
        self._note("text", text)
        self._lines(text, "", "")

    def said(self, who: str, text: str) -> None:
        """Somebody's words, or what they do."""
        self._note(who, text)
        self._lines(text, f"  {who:<7}", "cyan" if who == "you" else "")

    def shown(self, text: str) -> None:
        """What the host would show, line by line."""
        self._note("shown", text)
        for line in text.splitlines() or [""]:
            indent = " " * (len(line) - len(line.lstrip()))
            self._lines(line.strip(), "  | " + indent, "yellow")

    def outcome(self, text: str, *, good: bool) -> None:
        self._note("outcome", text)
        self._lines(text, "  => ", "green" if good else "bold yellow")

    def ask(self) -> str | None:
        """The person's answer without its end; None once there is none to be had."""
        if self.ended:
            return None
        if self._asks:
            try:
                return _typed(PROMPT).strip()
            except EOFError:
                print()
                self.ended = True
                return None
        line = sys.stdin.readline()
        if not line:
            self.ended = True
            return None
        answer = line.strip()
        self._note("answer", answer)
        if self._as_json:
            return answer
        print(PROMPT + safe(answer, "")[: WIDTH - len(PROMPT)])
        return answer

    def go_on(self) -> None:
        """Waits for Enter, where a person sits there."""
        if self._asks and not self.ended:
            with contextlib.suppress(EOFError):
                _typed("\n(Enter goes on) ")
                return
            self.ended = True

    def _note(self, kind: str, text: str) -> None:
        self.steps.append({"kind": kind, "text": text})

    def _lines(self, text: str, indent: str, style: str) -> None:
        if self._as_json:
            return
        from rich.text import Text

        wrapped = textwrap.wrap(
            safe(text),
            self._width,
            initial_indent=indent,
            subsequent_indent=_hanging(indent),
            break_on_hyphens=False,
        )
        for line in wrapped or [indent.rstrip()]:
            self._console.print(Text(line, style))


def _hanging(indent: str) -> str:
    return indent if indent.startswith("  |") else " " * len(indent)


def _typed(prompt: str) -> str:
    """As `input`, but a signal that comes between the prompt and the read does not wait for the next key."""
    print(prompt, end="", flush=True)
    while not select.select([sys.stdin], [], [], SIGNAL_SECONDS)[0]:
        pass
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
