"""One call of a program with its arguments and input: what a program table is asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from evaluator.shell.frozen import dataclass
from evaluator.shell.outcome import Outcome
from evaluator.shell.told import Told
from evaluator.shell.words import Word


@dataclass(frozen=True, slots=True)
class Stdin:
    """What a command reads. `text`: known, from a heredoc, a here-string or a plain echo. `names`: the words that a
    pipeline hands to `xargs`. `pipe`: not known. `file`: a file that exists already. `made`: values that are only known
    at run time stand in the text. `told`: what of it is no option or code.
    """

    kind: Literal["none", "text", "names", "pipe", "file"] = "none"
    text: str = ""
    words: tuple[Word, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    made: bool = False
    told: Told = ""


class Shell(Protocol):
    """What a table may ask of the walker. Both ways of running are bounded in depth and number."""

    @property
    def cwd(self) -> str: ...

    def knows(self, word: str) -> bool:
        """Whether a table answers for the program that the word names."""
        ...

    def run_words(self, words: Sequence[Word], stdin: Stdin = ..., folder: str = ...) -> list[Outcome]:
        """A command given as words, as a wrapper runs it, in `folder` if one is named."""
        ...

    def run_code(
        self, code: str, arguments: Sequence[Word] = ..., stdin: Stdin = ..., zero: Word | None = ...
    ) -> list[Outcome]:
        """Shell code in a string, with its `$1`, `$2` ... and `$0`. It is read in a copy of the scope."""
        ...

    def hide(self, spans: Sequence[tuple[int, int]], mark: str) -> None:
        """These bytes are content: `mark` stands for them in what may leave the machine."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    args: tuple[Word, ...]
    stdin: Stdin
    shell: Shell

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.args]

    def hide_code(self, word: Word) -> None:
        self.shell.hide(word.spans, f"[code: {len(word.text)} chars]")


Handler = Callable[[Call], list[Outcome]]
