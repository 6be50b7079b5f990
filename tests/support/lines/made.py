"""Plain shell lines by chance: commands joined in every usual way. What is made is balanced; nothing of it is run."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

PROGRAMS = ("echo", "ls", "cat", "head", "rm", "git", "grep", "make", "touch", "sort", "./run")
WORDS = (
    "a", "b.txt", "src", "-l", "-rf", "--all", "a/b", "x=1", "-n", "3", "'c d'", '"e f"', "g\\ h", '"$v"', "$v", "in",
    "do", "then", "done", "if", "fi", "time", "case", "{a,b}", "*.py", "a#b", "''", "'x\ny'", '"p;\nq"',
    "a\\;b", "\\(", "\\!", "!", "'|'", "@{u}", "é", "%s", "a:b", "~", "\\{", "=", "-", "--", "+x", "1", "2", "-1",
    "-5>{}", "a1>{}", "-n2>{}", "'q'1>{}", "$v2>{}", "--x=3>{}",
)  # fmt: skip
REDIRECTIONS = (
    "2>&1", "2>/dev/null", "> {}", ">{}", ">> {}", "< {}", "<{}", "&> {}", "&>> {}", "2> {}", "1>&2", ">| {}", ">&2",
    "> /dev/null", "</dev/null", "<<< {}", "<<<'s t'", '<<< "u $v"', "2>&1 > {}", "&>/dev/null", "> /dev/null 2>&1",
)  # fmt: skip
BODY_LINES = ("rm x", "text | y > z", "'", "a && b", "$(", "`", "done", "}", "E", "\\")
EXPANDED_LINES = ("rm x", "y > z", "'", '"', ")", "fi", "\\\\")
DEPTHS = (0, 0, 1, 1, 2, 3)


@dataclass(slots=True)
class Made:
    """A text, with what has to be known to read bash's print of it: bodies of heredocs, and texts of substitutions."""

    text: str = ""
    bodies: list[str] = field(default_factory=list[str])
    """The lines of each as the command gets them, and its end."""
    inner: dict[str, Made] = field(default_factory=dict[str, "Made"])

    def all_bodies(self) -> list[str]:
        inner = [one for made in self.inner.values() for one in made.all_bodies()]
        return [*self.bodies, *inner]

    def all_inner(self) -> list[str]:
        return [*self.inner, *(one for made in self.inner.values() for one in made.all_inner())]


class _Making:
    def __init__(self, rng: random.Random, depth: int = 0, number: list[int] | None = None) -> None:
        self.rng, self.depth, self.inside, self.made = rng, depth, depth > 0, Made()
        self.deepest = rng.choice(DEPTHS)
        self.number = number or [0]
        self.waiting: list[str] = []

    def put(self, text: str) -> None:
        self.made.text += text

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def blank(self) -> None:
        self.put(self.rng.choice((" ",) * 12 + ("  ", "\t", " \\\n ", " \\\n")))

    def line(self) -> None:
        """The end of a line, and the bodies that were promised on it."""
        self.put("\n" + "".join(self.waiting))
        self.waiting.clear()

    def lines(self) -> None:
        if self.chance(0.06):
            self.put(self.rng.choice((" ", "")) + " # a comment; rm x | y > z && 'q")
        self.line()
        while self.chance(0.12):
            self.put(self.rng.choice(("", " ", "# more", "\t# done")))
            self.line()
        if self.chance(0.2):
            self.put(self.rng.choice(("  ", "\t")))

    def end(self) -> None:
        """What ends a command where another word of the shell follows."""
        if self.chance(0.5):
            self.put(self.rng.choice(("; ", ";", " ; ", ";")))
            if self.chance(0.2):
                self.lines()
        else:
            self.lines()

    def several(self) -> None:
        """A list with what ends it."""
        self.statement()
        while self.chance(0.45 if self.depth < 2 else 0.3):
            self.between()
            self.statement()
        if self.chance(0.1):
            self.put(" & ")
        else:
            self.end()

    def between(self) -> None:
        kind = self.rng.random()
        if kind < 0.45:
            self.lines()
        elif kind < 0.85:
            self.put(self.rng.choice(("; ", ";", " ;", ";\n" if not self.waiting else "; ")))
        else:
            self.put(self.rng.choice((" & ", " &", "& ")))
            if self.chance(0.3):
                self.lines()

    def statement(self) -> None:
        self.pipeline()
        while self.chance(0.3):
            self.put(self.rng.choice((" && ", " || ", "&&", " &&", "|| ", " && ", " && ")))
            if self.chance(0.12):
                self.lines()
            self.pipeline()

    def pipeline(self) -> None:
        if self.chance(0.05):
            self.put(self.rng.choice(("! ", "! ", "time ", "time -p ", "! time ")))
        self.command()
        while self.chance(0.33):
            self.put(self.rng.choice((" | ", "|", " | ", "| ", " |& ")))
            if self.chance(0.1):
                self.lines()
            self.command()

    def command(self) -> None:
        if self.depth < self.deepest and self.chance(0.12):
            self.depth += 1
            self.rng.choice(COMPOUND)(self)
            self.depth -= 1
            if self.chance(0.3):
                self.blank()
                self.redirection()
        elif self.chance(0.12):
            self.put("cd ")
            self.put(self.rng.choice(("d1", "d2", "..", "/t", "d3/e", "'d 4'")))
            if self.chance(0.15):
                self.put(" ")
                self.redirection()
        else:
            self.simple()

    def simple(self) -> None:
        if self.chance(0.03):
            self.put(
                self.rng.choice(
                    ("X=1", "Y=$v", "[ -f a ]", "[[ -f a ]]", "[ a = b ]", "export P=1", "true", ":")
                )
            )
            return
        if self.chance(0.06):
            self.put(self.rng.choice(("A=1 ", "B='x y' ", "C= ", 'D="$v" ')))
        if self.chance(0.03):
            self.put("2>/dev/null ")
        # What a lone `echo` says is put in where it is substituted.
        self.put(self.rng.choice(PROGRAMS[1:] if self.inside else PROGRAMS))
        for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
            self.blank()
            if self.chance(0.05):
                self.redirection()
            elif self.chance(0.04) and self.depth < self.deepest:
                self.substitution()
            else:
                self.word()
        while self.chance(0.3):
            self.blank()
            self.redirection()

    def word(self) -> None:
        one = self.rng.choice(WORDS if self.chance(0.99) else ("[", "]", "}"))
        # A body that begins on this line would be taken into the quote.
        self.put("w" if "\n" in one and self.waiting else one.replace(">{}", ">out"))

    def redirection(self) -> None:
        # How bash prints a heredoc inside of a substitution is not what it understood.
        if self.chance(0.12) and not self.inside:
            self.heredoc()
        else:
            self.put(
                self.rng.choice(REDIRECTIONS).format(
                    self.rng.choice(("out", "log.txt", '"o p"', "../up", "d1/x"))
                )
            )

    def heredoc(self) -> None:
        self.number[0] += 1
        name = f"E{self.number[0]}"
        quoted, tabs = self.chance(0.5), "\t" * self.chance(0.2)
        written = body = ""
        for start in self.rng.choices(BODY_LINES if quoted else EXPANDED_LINES, k=self.rng.randrange(3)):
            line = f"{start} {name}x"
            # Without quotes a backslash joins two lines, before the end is looked for.
            joins = not quoted and self.chance(0.1)
            written += f"{tabs}{line}\\\n{name}\n" if joins else f"{tabs}{line}\n"
            body += f"{line}{name * joins}\n"
        end = f"E\\\n{name[1:]}" if not quoted and self.chance(0.05) else name
        self.put(
            f"<<{'-' if tabs else ''}{self.rng.choice(('', ' '))}{chr(39) + name + chr(39) if quoted else name}"
        )
        self.waiting.append(f"{written}{tabs}{end}\n")
        self.made.bodies.append(f"{body}{name}\n")

    def substitution(self) -> None:
        inner = _Making(self.rng, self.depth + 1, self.number)
        inner.statement()
        if self.chance(0.2):
            inner.between()
            inner.statement()
        if inner.waiting:
            inner.line()
        text = " " * inner.made.text.startswith("(") + inner.made.text
        if "\n" in text and self.waiting:
            self.put("w")
            return
        self.made.inner[text] = inner.made
        self.put(self.rng.choice(("$({})", '"$({})"')).replace("{}", text))

    def finished(self) -> Made:
        if self.waiting:
            self.line()
        return self.made


def _group(on: _Making) -> None:
    on.put("{ ")
    on.several()
    on.put("}")


def _subshell(on: _Making) -> None:
    on.put(on.rng.choice(("(", "( ")) if not on.made.text.endswith("(") else " (")
    on.statement()
    while on.chance(0.4):
        on.between()
        on.statement()
    if on.waiting:
        on.line()
    on.put(on.rng.choice((")", " )")))


def _loop(on: _Making) -> None:
    on.put(on.rng.choice(("while ", "until ")))
    on.several()
    _do(on)


def _for(on: _Making) -> None:
    on.put(on.rng.choice(("for i in a b", "for i in *.py", "for i in $v", "for i in a", "for i")))
    on.end()
    _do(on)


def _do(on: _Making) -> None:
    on.put("do" + on.rng.choice((" ", "\n" if not on.waiting else " ")))
    on.several()
    on.put("done")


def _if(on: _Making) -> None:
    on.put("if ")
    on.several()
    on.put("then ")
    on.several()
    while on.chance(0.15):
        on.put("elif ")
        on.several()
        on.put("then" + on.rng.choice((" ", "\n" if not on.waiting else " ")))
        on.several()
    if on.chance(0.4):
        on.put("else" + on.rng.choice((" ", "\n" if not on.waiting else " ")))
        on.several()
    on.put("fi")


def _case(on: _Making) -> None:
    on.put(on.rng.choice(('case "$v" in', "case a in", "case $v in")))
    if on.chance(0.5):
        on.put(" ")
    else:
        on.lines()
    for _ in range(on.rng.choice((1, 2, 2, 3))):
        on.put(
            on.rng.choice(("a) ", "a|b) ", "(c) ", "*.x)", "*) ", "'q r')\n" if not on.waiting else "q) "))
        )
        if on.chance(0.9):
            on.statement()
            while on.chance(0.3):
                on.between()
                on.statement()
        if on.chance(0.3):
            on.lines()
        on.put(on.rng.choice((" ;; ", ";;", ";;\n" if not on.waiting else ";; ")))
    on.put("esac ")


COMPOUND: tuple[Callable[[_Making], None], ...] = (
    _group,
    _group,
    _subshell,
    _subshell,
    _loop,
    _for,
    _if,
    _if,
    _case,
)


def made(seed: str) -> Made:
    """The same text for the same seed."""
    making = _Making(random.Random(seed))
    making.statement()
    while making.chance(0.6):
        making.between()
        making.statement()
    return making.finished()
