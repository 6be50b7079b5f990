"""What a command line runs, command by command, for whoever looks at words instead of effects. Records alone."""

from __future__ import annotations

from evaluator.shell.frozen import dataclass
from evaluator.shell.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Ran:
    """One command as it runs: its words after expansion, the folder it runs in and what it does.

    `inner`: so many of the commands recorded just before it are those that it runs itself. `text` is its input, where
    that is known. A redirection is a command of its own: its sign and its file. So is a variable that tells programs
    where to write. `opened`: nothing was redirected or piped into it, so its input is whoever started the line.
    """

    words: tuple[str, ...]
    cwd: str
    outcomes: tuple[Outcome, ...]
    inner: int = 0
    text: str = ""
    opened: bool = False
