"""What bash makes of a text, without running any of it: a function that holds the text is defined, and `declare -f`
prints it in one plain form. From that form: each command with its folder, and whether its input is the one of the line.
"""

import posixpath
import re
import shutil
import subprocess

BASH = shutil.which("bash")
# Without programs, and restricted: no redirection, no `cd`, no program by its path. Should a text end its function,
# what follows could do nothing.
RESTRICTED = ("--norc", "--noprofile", "-r")
APART = ("/usr/bin/unshare", "-r", "-n", "-m", "-p", "-f")
BATCH = 500
TOKEN = re.compile(
    r"(?P<end>\n)|(?P<redirection>\d*(?:<<<|<<-?|<&|>>|>\||>&|<|>)|&>>?)|(?P<sign>;;|&&|\|\||\|&|[|&;()])"
)
PART = re.compile(r"'[^']*'|\\.|[^\s;&|<>()'\"\\$]+|\$(?!\()", re.DOTALL)
QUOTED = re.compile(r'(?:[^"\\$]|\\.|\$(?!\())+', re.DOTALL)
LITERAL = re.compile(r"'([^']*)'|\\(.)|\"|([^'\"\\]+)", re.DOTALL)
ASSIGNS = re.compile(r"[A-Z]=")
CONDITIONS = ("[", "[[", "export")
OUTPUTS = (">", ">>", ">|", "&>", "&>>", "1>")
BRACES = {"{a,b}": ("a", "b")}


def unusable() -> str:
    """Why bash cannot be asked; empty where it can."""
    if BASH is None:
        return "there is no bash"
    asked = subprocess.run(
        [BASH, "-c", "echo $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))"], capture_output=True, check=True
    )
    return "" if int(asked.stdout) >= 502 else "bash before 5.2 prints substitutions as they were written"


def printed(texts, folder):
    """Each text as bash prints it; None for what bash does not accept."""
    asked = (
        subprocess.run([*APART, "/bin/true"], capture_output=True, check=False)
        if shutil.which(APART[0])
        else None
    )
    apart = APART if asked and not asked.returncode else ()
    found = []
    for start in range(0, len(texts), BATCH):
        found += _printed(texts[start : start + BATCH], folder, apart)
    return found


def _printed(texts, folder, apart):
    script, empty = folder / "functions.sh", folder / "empty"
    empty.mkdir(exist_ok=True)
    script.write_text("".join(f"f{at} () {{\n{text}\n}}\n" for at, text in enumerate(texts)) + "declare -f\n")
    if subprocess.run([BASH, "-n", script], capture_output=True, check=False).returncode:
        half = len(texts) // 2
        return (
            [*_printed(texts[:half], folder, apart), *_printed(texts[half:], folder, apart)]
            if half
            else [None]
        )
    done = subprocess.run(
        [*apart, BASH, *RESTRICTED, script],
        capture_output=True,
        check=True,
        cwd=empty,
        env={"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"},
    )
    assert not done.stderr, done.stderr
    bodies = re.split(r"^f(\d+) \(\) \n\{ \n", done.stdout.decode(), flags=re.MULTILINE)
    found = {int(at): body.removesuffix("}\n") for at, body in zip(bodies[1::2], bodies[2::2], strict=True)}
    assert len(found) == len(texts)
    return [found[at] for at in range(len(texts))]


def commands(body, made, cwd):
    """What runs, in order: words, folder, whether its input is that of the line. A redirection: its file, and None."""
    # One that stands in a condition may be missing: bash forgets to print it.
    for lines in made.all_bodies():
        body = body.replace("\n" + lines, "\n")
    reader = _Reader(re.sub(r"\n[ \t]*(?=[&|])", " ", body))
    run = _Run(cwd)
    run.list(reader.list(()), opened=True)
    return run.found


class _Reader:
    """Recursive descent over the plain form. A word is its text and the lists that it substitutes."""

    def __init__(self, text, at=0):
        self.text, self.at, self.inner = text, at, []
        self.advance()

    def advance(self):
        """`kind` and `token` are what comes next, `at` is behind it."""
        text = self.text
        while self.at < len(text) and text[self.at] in " \t":
            self.at += 1
        if text.startswith("#", self.at):
            # Bash prints some substitutions as they were written.
            self.at = text.index("\n", self.at)
        found = TOKEN.match(text, self.at)
        self.start = self.at
        if self.at == len(text):
            self.kind, self.token = "eof", ""
        elif found:
            self.kind, self.token, self.at = found.lastgroup, found.group(), found.end()
            self.token = "|" if self.token == "|&" else self.token
        else:
            self.inner = []
            self.kind, self.token = "word", self.word()
            assert self.at > self.start, (self.start, text)

    def word(self):
        pieces, text = [], self.text
        while self.at < len(text):
            part = PART.match(text, self.at)
            if part:
                pieces.append(part.group())
                self.at = part.end()
            elif text[self.at] == '"':
                self.at += 1
                pieces.append('"')
                while text[self.at] != '"':
                    part = QUOTED.match(text, self.at)
                    pieces.append(part.group() if part else self.substitution())
                    self.at = part.end() if part else self.at
                self.at += 1
                pieces.append('"')
            elif text.startswith("$(", self.at):
                pieces.append(self.substitution())
            else:
                break
        return "".join(pieces)

    def substitution(self):
        reader = _Reader(self.text, self.at + 2)
        self.inner.append(reader.list((")",)))
        assert reader.token == ")", self.text
        self.at = reader.at
        return "$()"

    def take(self, *expected):
        token = self.token
        assert not expected or token in expected, (token, expected, self.text)
        self.advance()
        return token

    def skip(self, *signs):
        while self.kind == "end" or (self.kind == "sign" and self.token in signs):
            self.advance()

    def list(self, until):
        """Statements, each with whether it runs in the background; up to one of these words."""
        found = []
        self.skip(";")
        while self.kind != "eof" and self.token not in until:
            parts = [("&&", self.pipeline())]
            while self.token in ("&&", "||"):
                sign = self.take()
                self.skip()
                parts.append((sign, self.pipeline()))
            found.append((parts, self.token == "&"))
            self.skip(";", "&")
        return found

    def pipeline(self):
        while self.token in ("!", "time"):
            if self.take() == "time" and self.token == "-p":
                self.advance()
        found = [self.command()]
        while self.token == "|":
            self.advance()
            self.skip()
            found.append(self.command())
        return found

    def command(self):
        form = FORMS.get(self.token)
        formed = form(self) if form else None
        words, redirections, inner = [], [], []
        while self.kind in ("word", "redirection"):
            if self.kind == "redirection":
                sign = self.take()
                inner += self.inner if self.kind == "word" else []
                redirections.append((sign, self.take()))
            else:
                inner += self.inner
                words.append(self.take())
        assert not (formed and words), (words, self.text)
        return (formed or ("simple", words, inner), redirections)

    def group(self):
        closing = {"{": "}", "(": ")"}[opening := self.take()]
        found = self.list((closing,))
        self.take(closing)
        return (opening, found)

    def loop(self):
        self.advance()
        return ("{", [*self.list(("do",)), *self.body()])

    def body(self):
        self.take("do")
        found = self.list(("done",))
        self.take("done")
        return found

    def loop_over(self):
        self.advance()
        self.advance()
        self.take("in")
        words = []
        while self.kind == "word":
            words.append(self.take())
        self.skip(";")
        known = not any(re.search(r"[$*]", word) for word in words)
        return ("for", len(words) if known else 1, self.body())

    def branch(self):
        self.advance()
        condition = self.list(("then",))
        self.take("then")
        branches = [[*condition, *self.list(("else", "fi"))]]
        if self.take("else", "fi") == "else":
            branches.append(self.list(("fi",)))
            self.take("fi")
        return ("branches", branches)

    def case(self):
        self.advance()
        self.advance()
        self.take("in")
        branches = []
        while True:
            self.skip()
            if self.token == "esac":
                self.advance()
                return ("branches", branches)
            while self.take() != ")":
                pass
            branches.append(self.list((";;",)))
            self.take(";;")


FORMS = {
    "{": _Reader.group, "(": _Reader.group, "while": _Reader.loop, "until": _Reader.loop, "for": _Reader.loop_over,
    "if": _Reader.branch, "case": _Reader.case,
}  # fmt: skip


class _Run:
    """Follows the folder as the walker does: of branches the last one holds, what stands behind `||` moves nothing."""

    def __init__(self, cwd):
        self.cwd, self.found = cwd, []

    def apart(self, todo, *given):
        before = self.cwd
        todo(*given)
        self.cwd = before

    def list(self, statements, opened):
        for parts, behind in statements:
            (self.apart if behind else lambda todo, *given: todo(*given))(self.statement, parts, opened)

    def statement(self, parts, opened):
        for sign, stages in parts:
            if sign == "||":
                self.apart(self.pipeline, stages, opened)
            else:
                self.pipeline(stages, opened)

    def pipeline(self, stages, opened):
        if len(stages) == 1:
            self.command(*stages[0], opened)
            return
        for stage in stages:
            self.apart(self.command, *stage, opened)
            opened = opened and _hands_on(*stage)

    def command(self, form, redirections, opened):
        if form[0] == "simple":
            for inner in form[2]:
                self.apart(self.list, inner, True)
        for sign, target in redirections:
            opened = opened and not sign.startswith("<")
            if ">" in sign and not target.isdigit() and target != "/dev/null":
                self.found.append((unquoted(target), self.cwd, None))
        if form[0] == "simple":
            self.simple(form[1], opened)
        elif form[0] == "(":
            self.apart(self.list, form[1], opened)
        elif form[0] == "{":
            self.list(form[1], opened)
        elif form[0] == "for":
            for _ in range(form[1]):
                self.list(form[2], opened)
        else:
            before = self.cwd
            for branch in form[1]:
                self.cwd = before
                self.list(branch, opened)

    def simple(self, words, opened):
        while words and ASSIGNS.match(words[0]):
            words = words[1:]
        if not words or words[0] in CONDITIONS:
            return
        plain = tuple(one for word in words for one in unquoted(word))
        self.found.append((plain, self.cwd, opened))
        if plain[0] == "cd":
            self.cwd = posixpath.normpath(posixpath.join(self.cwd, plain[1]))


def _hands_on(form, redirections):
    """Whether the next stage of a pipeline has the input of this one: a `cat` without a file."""
    if form[0] != "simple" or any(sign[0] == "<" or sign in OUTPUTS for sign, _ in redirections):
        return False
    words = [word for word in form[1] if not ASSIGNS.match(word)]
    return words[:1] == ["cat"] and not [word for word in words[1:] if word != "-"]


def unquoted(word):
    return BRACES.get(word) or ("".join(a or b or c or "" for a, b, c in LITERAL.findall(word)),)
