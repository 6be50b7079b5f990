"""Lines by chance, made together with what they run: the commands, their words, their folder, and what feeds them.

Commands are joined in every usual way. A line is sound where bash accepts it; nothing of it is run.
"""

from __future__ import annotations

import os
import posixpath
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.shell.bash import analyse

LINES = int(os.environ.get("COMPASS_SHELL_LINES", "50000"))
SOME = 1500
REFUSED_MAX = 0.005
"""Of these lines, which are odder than any that somebody writes."""
CWD = "/repo"
PROGRAMS = ("ls", "rm", "git", "grep", "make", "touch", "sort", "./run")
PLAIN = "a b.txt src -l -rf --all a/b x=1 -n 3 in do then done if fi time case a#b $v *.py é %s a:b ~ = +x 1 -1 @{u}"
WORDS: dict[str, tuple[str, ...]] = {
    **{word: (word,) for word in PLAIN.split()},
    "'c d'": ("c d",), '"e f"': ("e f",), "g\\ h": ("g h",), '"$v"': ("$v",), "{a,b}": ("a", "b"), "''": ("",),
    "'x\ny'": ("x\ny",), '"p;\nq"': ("p;\nq",), "a\\;b": ("a;b",), "\\(": ("(",), "\\!": ("!",), "'|'": ("|",),
    "\\{": ("{",), "'>'": (">",), '"#"': ("#",), "q''r": ("qr",),
}  # fmt: skip
GLUED = {f"{word}>out": word.replace("'", "") for word in ("-5", "a1", "-n2", "'q'1", "$v2", "--x=3")}
"""A digit that is part of a word in front of a redirection, and no descriptor."""
FILES = {"out": "out", "log.txt": "log.txt", '"o p"': "o p", "../up": "../up", "d1/x": "d1/x"}
OUTPUTS = ("> {}", ">{}", ">> {}", "&> {}", "&>> {}", "2> {}", ">| {}")
INPUTS = ("< in", "</dev/null", "<<< w", "<<<'s t'", '<<< "u $v"')
NEITHER = ("2>&1", "2>/dev/null", "1>&2", "> /dev/null", "&>/dev/null")
FOLDERS = {"d1": "d1", "..": "..", "/t": "/t", "d3/e": "d3/e", "'d 4'": "d 4"}
LITERAL_BODY = ("rm x", "text | y > z", "'", "$(", "`", "done", "}", "E")
EXPANDED_BODY = ("rm x", "y > z", "'", '"', ")", "fi")


class Line:
    """The text, and what it runs: (words, folder, whether its input is the line's own); a file that is written has
    None there."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.text, self.cwd, self.depth = rng, "", CWD, 0
        self.ran: list[tuple[tuple[str, ...], str, bool | None]] = []
        self.bodies: list[str] = []
        self.number, self.inside = 0, 0

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def put(self, *texts: str) -> None:
        self.text += self.rng.choice(texts)

    def newline(self) -> None:
        """The end of a line, and the bodies that were promised on it."""
        self.put("\n", " # a comment; rm x | y > z && 'q\n")
        self.text += "".join(self.bodies)
        self.bodies.clear()
        self.put("", "", "", "  ", "\t", "# more\n")

    def separate(self) -> None:
        if self.chance(0.5):
            self.put("; ", ";", " ; ")
        else:
            self.newline()

    def apart(self, make: Callable[..., None], *given: object) -> None:
        """As a subshell: the folder that it moves to is its own."""
        before = self.cwd
        make(*given)
        self.cwd = before

    def several(self, opened: bool) -> None:
        self.statement(opened)
        while self.chance(0.4 if self.depth < 2 else 0.2):
            self.separate()
            self.statement(opened)

    def statement(self, opened: bool) -> None:
        if self.chance(0.05):
            self.put("! ", "time ", "time -p ")
        before = self.cwd
        self.pipeline(opened)
        while self.chance(0.25):
            either = self.chance(0.4)
            self.put(*((" || ", "|| ") if either else (" && ", "&&")))
            self.apart(self.pipeline, opened) if either else self.pipeline(opened)
        if self.chance(0.05):
            self.cwd = before
            self.text += " & "
            self.simple(opened)

    def pipeline(self, opened: bool) -> None:
        if not self.chance(0.25):
            self.command(opened)
            return
        self.apart(self.command, opened)
        while True:
            self.put(" | ", "|", " |& ")
            self.apart(self.command, False)
            if self.chance(0.6):
                return

    def command(self, opened: bool) -> None:
        if self.depth < 3 and self.chance(0.15):
            self.depth += 1
            self.rng.choice(COMPOUND)(self, opened)
            self.depth -= 1
        elif self.chance(0.1):
            written, folder = self.rng.choice(list(FOLDERS.items()))
            self.text += f"cd {written}"
            self.ran.append((("cd", folder), self.cwd, opened))
            self.cwd = posixpath.normpath(posixpath.join(self.cwd, folder))
        else:
            self.simple(opened)

    def simple(self, opened: bool) -> None:
        if self.chance(0.06):
            self.put("A=1 ", "B='x y' ", "C= ", 'D="$v" ')
        words = [self.rng.choice(PROGRAMS)]
        self.text += words[0]
        for _ in range(self.rng.randrange(4)):
            self.put(" ", " ", "  ", "\t", " \\\n ")
            words += self.word()
        for _ in range(self.rng.choice((0, 0, 0, 1, 2))):
            self.text += " "
            opened = self.redirection() and opened
        self.ran.append((tuple(words), self.cwd, opened))

    def word(self) -> tuple[str, ...]:
        if self.chance(0.04):
            written, word = self.rng.choice(list(GLUED.items()))
            self.text += written
            self.ran.append((("out",), self.cwd, None))
            return (word,)
        if self.depth < 3 and self.chance(0.04) and not self.bodies:
            return (self.substitution(),)
        # A body that begins on this line would be taken into the quote.
        known = [one for one in WORDS if "\n" not in one or not self.bodies]
        written = self.rng.choice(known)
        self.text += written
        return WORDS[written]

    def substitution(self) -> str:
        before, quote = self.text, self.rng.choice(("", '"'))
        self.text, self.depth, self.inside = "", self.depth + 1, self.inside + 1
        self.apart(self.several, True)
        inner = self.text
        self.depth, self.inside = self.depth - 1, self.inside - 1
        whole = f"$({' ' * inner.startswith('(')}{inner})"
        self.text = f"{before}{quote}{whole}{quote}"
        return whole

    def redirection(self) -> bool:
        """Whether it leaves the input as it is."""
        kind = self.rng.random()
        if kind < 0.1 and not self.inside:
            return self.heredoc()
        if kind < 0.4:
            self.put(*INPUTS)
            return False
        if kind < 0.6:
            self.put(*NEITHER)
            return True
        written, file = self.rng.choice(list(FILES.items()))
        self.text += self.rng.choice(OUTPUTS).format(written)
        self.ran.append(((file,), self.cwd, None))
        return True

    def heredoc(self) -> bool:
        self.number += 1
        name, literal = f"E{self.number}", self.chance(0.5)
        tabs = "\t" * self.chance(0.2)
        body = self.rng.choices(LITERAL_BODY if literal else EXPANDED_BODY, k=self.rng.randrange(3))
        self.text += f"<<{'-' if tabs else ''}{repr(name) if literal else name}"
        self.bodies.append("".join(f"{tabs}{line}\n" for line in (*body, name)))
        return False


def group(line: Line, opened: bool) -> None:
    line.text += "{ "
    line.several(opened)
    line.separate()
    line.text += "}"


def subshell(line: Line, opened: bool) -> None:
    line.put(" ( ")
    line.apart(line.several, opened)
    if line.bodies:
        line.newline()
    line.put(")", " )")


def loop(line: Line, opened: bool) -> None:
    line.put("while ", "until ")
    line.several(opened)
    body(line, opened)


def body(line: Line, opened: bool) -> None:
    line.separate()
    line.put("do ", "do\n" if not line.bodies else "do ")
    line.several(opened)
    line.separate()
    line.text += "done"


def loop_over(line: Line, opened: bool) -> None:
    line.put("for i in *.py", "for i in $v", "for i in a")
    body(line, opened)


def branches(line: Line, opened: bool) -> None:
    """The folder of the last branch holds."""
    before = line.cwd
    line.text += "if "
    line.several(opened)
    line.separate()
    line.text += "then "
    line.several(opened)
    for word in ("elif", "else"):
        if not line.chance(0.3):
            continue
        line.separate()
        line.text += f"{word} "
        line.cwd = before
        line.several(opened)
        if word == "elif":
            line.separate()
            line.text += "then "
            line.several(opened)
    line.separate()
    line.text += "fi"


def case(line: Line, opened: bool) -> None:
    before = line.cwd
    line.put('case "$v" in ', "case a in ")
    for _ in range(line.rng.choice((1, 2))):
        line.cwd = before
        line.put("a) ", "a|b) ", "(c) ", "*) ", "'q r') ")
        line.several(opened)
        line.put(" ;; ", ";;")
    line.text += " esac "


COMPOUND = (group, group, subshell, subshell, loop, loop_over, branches, branches, case)
SIGNS = frozenset((">", ">>", "&>", "&>>", ">|", ">&"))


def made(seed: int) -> Line:
    line = Line(random.Random(seed))
    line.several(True)
    if line.bodies:
        line.newline()
    return line


def seen(text: str) -> tuple[str, list[tuple[tuple[str, ...], str, bool | None]]]:
    """Why the text is refused, and what it runs."""
    found = analyse(text, CWD)
    ran = [
        (one.words[1:], one.cwd, None) if one.words[0] in SIGNS else (one.words, one.cwd, one.opened)
        for one in found.ran
    ]
    return found.problem, ran


def told_apart(ran: list[tuple[tuple[str, ...], str, bool | None]]) -> object:
    """The commands in order, and the files, whose order among them does not matter."""
    files = Counter(one[:2] for one in ran if one[2] is None)
    return [one for one in ran if one[2] is not None], files


@pytest.mark.parametrize(
    "lines", [SOME, pytest.param(LINES, marks=[pytest.mark.full, pytest.mark.timeout(3600)])]
)
def test_lines_by_chance_run_the_commands_that_were_put_into_them(lines: int) -> None:
    refused: Counter[str] = Counter()
    differing: list[str] = []
    for seed in range(lines):
        line = made(seed)
        problem, ran = seen(line.text)
        if problem:
            refused[problem] += 1
        elif told_apart(ran) != told_apart(line.ran):
            differing.append(line.text)
    assert differing == []
    assert sum(refused.values()) < lines * REFUSED_MAX, refused


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_lines_are_ones_that_bash_accepts(tmp_path: Path) -> None:
    script = tmp_path / "functions.sh"
    script.write_text("".join(f"f{seed} () {{\n{made(seed).text}\n}}\n" for seed in range(SOME)))
    done = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
