"""Raw text of a word -> the words that the program receives, as far as they are known before it runs.

Quotes are removed; values that were assigned earlier are put in, split and brace-expanded; what is not known stays
as it was written. Globs are never expanded. Needs the extents that `lexer` found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.shell.parse.grammar import Lexed, decode_escapes
from evaluator.shell.plain_output import substitution_tells
from evaluator.shell.scope import EVALUATED, VALUES, Binding, Scope

BRACES_MAX = 64
"""A word that would expand to more words keeps its braces."""
BRACED_MAX = 2000
"""So does a longer word (characters)."""

# Quoted characters that must not act any more are moved to a private plane until the word is finished.
SPECIAL = "{},*?[]~"
SHIFT = 0xF0000
MARK = {ord(char): chr(ord(char) + SHIFT) for char in SPECIAL}
UNMARK = {ord(char) + SHIFT: char for char in SPECIAL}
BRACE_MARK = {ord(char): chr(ord(char) + SHIFT) for char in "{},"}
SPLIT = "\U000f0001"
EMPTY = "\U000f0002"
"""Stands for a quoted part, so that an empty word stays one."""

PLAIN = re.compile(r"[^\\'\"`$<>]+")
LITERAL = re.compile(r"([\w./=,:@%+-]+)|'([^'~\x80-\xff]*)'|\"([^\"$`\\~\x80-\xff]*)\"", re.ASCII)
PLAIN_QUOTED = re.compile(r"[^\\\"`$]+")
NAME = re.compile(r"\$(?:([A-Za-z_]\w*)|([0-9@*#?$!-]))", re.ASCII)
PARAMETER = re.compile(
    r"\$\{([A-Za-z_]\w*|[0-9]+|[@*])(\[[@*]\]|\[\d+\])?(?:(:?[-=?])([^${}`\"'\\]*))?\}\Z", re.ASCII
)
ARITHMETIC_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
GIVES = re.compile(r"\$\{([A-Za-z_]\w*):{0,2}=([^}]*)", re.ASCII)
COMPUTED_PART = re.compile(r"\$\{[!#]?\w+(?:\[[^@*]|:[^-=?+])", re.ASCII)
ASSOCIATIVE = re.compile(r"\b(?:declare|typeset|local)\s+-\w*A")
PART = re.compile(r"\$\{([A-Za-z_]\w*)(?::\d|[#%^,])", re.ASCII)
LOOSE = re.compile(r"^-|\s-")
HERE = re.compile(r"(?:\$\(\s*pwd(?:\s+-[LP])?\s*\)|`\s*pwd\s*`)\Z")
SAID = re.compile(r"\$\(\s*(?:echo|printf)\s+([\w./=,+:-]+)\s*\)\Z", re.ASCII)
DECODED = re.compile(
    r"base64|xxd|\brev\b(?!-)|openssl|uudecode|\btr\b|\\\\?x[0-9a-f]{2}|\bcurl\b|\bwget\b", re.IGNORECASE
)
QUALIFIED = re.compile(r"[*?\]]\((?:#q)?[^()|]*(?:e[^\w\s()|]|\+\w)")
"""A glob with which zsh runs code for each name: `*(e:code:)`, `*(+function)`."""
SEQUENCE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.-?(\d+))?\Z|([a-zA-Z])\.\.([a-zA-Z])\Z")
GLOB = re.compile(r"[*?\[]")
ODD_CHARACTERS = re.compile("[\U000f0000-\U000f00ff]")


@dataclass(unsafe_hash=True, slots=True)
class Word:
    """One argument. `dynamic` if a part of it is not known; `bare` if that part stands unquoted and may be any words;
    `decoded` if it may hide anything; `assigned` if a part is the known value of a variable or substitution; `made` if
    a part that is not known is of this command's own making, and may be what no environment would hold: `dash` if the
    word may then begin with one, `blank` if that part may hold blanks.

    `spans` are the bytes of the command that hold its text: where it stands, and where its variables were assigned.
    """

    text: str
    dynamic: bool = False
    glob: bool = False
    bare: bool = False
    decoded: bool = False
    assigned: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    made: bool = False
    dash: bool = False
    blank: bool = False

    @property
    def may_be_option(self) -> bool:
        """Whether it, or a word that it falls into, may turn out to begin with a dash."""
        split = self.bare and self.blank
        return self.dash or split or (self.glob and self.text[:1] in ("*", "?", "["))

    @property
    def opaque(self) -> bool:
        """Whether a word may be any code."""
        computed = self.bare or self.text.lstrip().startswith(("$", "`"))
        return self.decoded or (self.dynamic and computed)

    @property
    def plain(self) -> bool:
        return not self.dynamic and not self.glob


class WordReader:
    """Reads the words of one source in one scope. `root` is false for code inside of code, which has no spans."""

    def __init__(self, lexed: Lexed, scope: Scope, *, root: bool) -> None:
        self.lexed, self.scope, self.root = lexed, scope, root
        self.text = lexed.latin

    def words(self, start: int, end: int) -> list[Word]:
        """The words between two byte offsets that hold one shell word."""
        literal = self._read_literal_word(start, end)
        return [literal] if literal is not None else _Reading(self, start, end).words()

    def value(self, start: int, end: int) -> Word:
        """As the right side of an assignment or a redirection: one word, neither split nor brace-expanded."""
        return self._read_literal_word(start, end) or _Reading(self, start, end).value()

    def evaluates(self, start: int, end: int) -> bool:
        """Whether what stands there, taken for arithmetic, may run what a value holds: `a[$(...)]`."""
        text, ends, variables = self.text, self.lexed.ends, self.scope.variables
        at = start
        while at < end:
            raw = text[at : ends[at]] if at in ends and text[at] in "$`" else ""
            if raw.startswith(("$(", "`")) and not raw.startswith("$(("):
                if not substitution_tells(raw):
                    return True
                at += len(raw)
            elif found := ARITHMETIC_NAME.match(text, at, end):
                bound = variables.get(found.group())
                if (bound is not None and bound.loose) or found.group() in EVALUATED:
                    return True
                at = found.end()
            else:
                at += 1
        return False

    def _read_literal_word(self, start: int, end: int) -> Word | None:
        """Most words: one that stands for itself, or is quoted as a whole."""
        found = LITERAL.fullmatch(self.text, start, end)
        if found is None:
            return None
        return Word(found[found.lastindex or 0], spans=((start, end),) if self.root else ())


class _Reading:
    def __init__(self, reader: WordReader, start: int, end: int) -> None:
        self.reader, self.start, self.end = reader, start, end
        self.scope = reader.scope
        self.out: list[str] = []
        self.dynamic = self.bare = self.decoded = self.assigned = self.made = self.dash = self.blank = False
        self.spans: list[tuple[int, int]] = [(start, end)] if reader.root else []
        self._read_unquoted_words(start, end)

    def words(self) -> list[Word]:
        pieces = "".join(self.out).split(SPLIT)
        return [self._build_word(one) for piece in pieces for one in expand_braces(piece) if one]

    def value(self) -> Word:
        return self._build_word("".join(self.out).replace(SPLIT, " "))

    def _build_word(self, encoded: str) -> Word:
        glob = GLOB.search(encoded) is not None
        if glob and "(" in encoded and QUALIFIED.search(encoded):
            self.scope.hazard = "unknown"
        encoded = encoded.replace(EMPTY, "")
        if encoded.startswith(MARK[ord("~")]):
            encoded = "./" + encoded
        text = encoded.translate(UNMARK).encode("latin-1", "replace").decode("utf-8", "replace")
        return Word(
            text, self.dynamic, glob, self.bare, self.decoded, self.assigned, tuple(self.spans), self.made,
            self.dash, self.blank,
        )  # fmt: skip

    def _read_unquoted_words(self, at: int, end: int) -> None:
        text = self.reader.text
        while at < end:
            found = PLAIN.match(text, at, end)
            if found:
                self.out.append(found.group())
                at = found.end()
                continue
            char = text[at]
            if char == "\\":
                if text[at + 1 : at + 2] != "\n":
                    self.out.append(text[at + 1 : at + 2].translate(MARK) + EMPTY)
                at += 2
            elif char == "'":
                close = text.find("'", at + 1, end)
                close = end if close < 0 else close
                self.out.append(EMPTY + text[at + 1 : close].translate(MARK))
                at = close + 1
            elif char == '"':
                at = self._read_quoted_word(at, end)
            elif char == "$" and text[at + 1 : at + 2] == "'":
                close = at + 2
                while close < end and text[close] != "'":
                    close += 2 if text[close] == "\\" else 1
                self.out.append(EMPTY + _word_as_latin1(decode_escapes(text[at + 2 : close])).translate(MARK))
                at = close + 1
            elif char == "$" and text[at + 1 : at + 2] == '"':
                at += 1
            elif char in "$`":
                at = self._expand_in_word(at, end, quoted=False)
            elif text[at + 1 : at + 2] == "(":
                at = self._insert_opaque_word(at, end, quoted=True)
            else:
                self.out.append(char)
                at += 1

    def _read_quoted_word(self, at: int, end: int) -> int:
        text = self.reader.text
        close = min(self.reader.lexed.ends.get(at, end), end)
        at += 1
        self.out.append(EMPTY)
        while at < close - 1:
            found = PLAIN_QUOTED.match(text, at, close - 1)
            if found:
                self.out.append(found.group().translate(MARK))
                at = found.end()
            elif text[at] == "\\":
                following = text[at + 1 : at + 2]
                if following != "\n":
                    self.out.append((following if following in '$`"\\' else "\\" + following).translate(MARK))
                at += 2
            elif text[at] in "$`":
                at = self._expand_in_word(at, close - 1, quoted=True)
            else:
                self.out.append(text[at].translate(MARK))
                at += 1
        return close

    def _expand_in_word(self, at: int, end: int, *, quoted: bool) -> int:
        text, ends = self.reader.text, self.reader.lexed.ends
        if at in ends:
            close = min(ends[at], end)
            raw = text[at:close]
            if raw.startswith("${"):
                return self._expand_word_parameter(raw, at, end, quoted)
            if HERE.match(raw):
                self.assigned = True
                self.out.append(_word_as_latin1(self.scope.cwd).translate(MARK))
                return close
            said = SAID.match(raw)
            if said:
                self.out.append(said.group(1).translate(MARK))
                self.assigned = True
                return close
            return self._insert_opaque_word(at, end, quoted=quoted)
        found = NAME.match(text, at, end)
        if not found:
            self.out.append("$")
            return at + 1
        self._expand_word_variable(found.group(1) or found.group(2), found.group(), quoted=quoted)
        return found.end()

    def _expand_word_parameter(self, raw: str, at: int, end: int, quoted: bool) -> int:
        found = PARAMETER.match(raw)
        for given in GIVES.finditer(raw) if "=" in raw else ():
            self._assign_word_default(given.group(1), given.group(2))
        name, index, default = (found.group(1), found.group(2), found.group(4)) if found else ("", None, None)
        bound = self.scope.variables.get(name)
        if found and default is None:
            if index and index[1] not in "@*":
                known = bound is not None and bound.array and bound.values is not None
                values = bound.values if known and bound else ()
                number = int(index[1:-1]) if len(index) < 6 else -1
                if values and 0 <= number < len(values):
                    self._insert_word_values((values[number],), quoted=quoted)
                else:
                    self._insert_unbound_word(bound, raw, quoted)
            else:
                self._expand_word_variable(name, raw, quoted=quoted, every=index is not None)
        elif found and bound is not None and bound.values:
            self._expand_word_variable(name, raw, quoted=quoted)
        elif found and bound is None and default and not LOOSE.search(default):
            self._insert_unknown_word(raw, quoted)
        elif (part := PART.match(raw)) and (bound := self.scope.variables.get(part.group(1))) is not None:
            self._mark_word_as_made(dash=True, blank=bound.blanks())
            self._insert_unknown_word(raw, quoted)
        else:
            return self._insert_opaque_word(at, end, quoted=quoted)
        return min(self.reader.lexed.ends[at], end)

    def _assign_word_default(self, name: str, value: str) -> None:
        """`${NAME:=value}` assigns where there is no value yet."""
        known = self.scope.variables.get(name)
        if known is None or not known.values or not known.values[0]:
            # A program that had no value for its editor or options before is given none: it stays in the shell.
            plain = name in VALUES and name not in EVALUATED
            if not plain or not self.scope.exported.isdisjoint((name, "*")):
                self.scope.give(name, "$" if "$" in value or "`" in value else value)
            self.scope.bind(name, None)

    def _expand_word_variable(self, name: str, raw: str, *, quoted: bool, every: bool = False) -> None:
        bound = self.scope.variables.get(name)
        if bound is not None and bound.span is not None:
            self.spans.append(bound.span)
        if name == "_" and self.scope.last is not None:
            self._insert_word_values((self.scope.last,), quoted=quoted)
        elif name == "PWD" and bound is None:
            self._insert_word_values((self.scope.cwd,), quoted=quoted)
        elif name in "@*" and self.scope.arguments is not None:
            self._insert_word_arguments(self.scope.arguments, quoted)
        elif name == "0" and self.scope.zero is not None:
            self._insert_word_values((self.scope.zero,), quoted=quoted)
        elif name.isdigit() and 0 < int(name[:4]) <= len(self.scope.arguments or ()):
            self._insert_word_arguments((self.scope.arguments or ())[int(name) - 1 : int(name)], quoted)
        elif bound is None or bound.values is None or (not quoted and not self.scope.splitting):
            self._insert_unbound_word(bound, raw, quoted)
            self.decoded = self.decoded or not self.scope.splitting
        else:
            self._insert_word_values(bound.values if every else bound.values[:1], quoted=quoted)

    def _insert_word_arguments(self, arguments: tuple[str, ...], quoted: bool) -> None:
        """Arguments of a function; one that was not known where it was given stays as it was written there."""
        if any(argument[:1] in ("$", "`") for argument in arguments):
            self._mark_word_as_made(dash=True, blank=True)
            self.dynamic, self.bare = True, self.bare or not quoted
        self._insert_word_values(arguments, quoted=quoted)

    def _insert_unbound_word(self, bound: Binding | None, raw: str, quoted: bool) -> None:
        if bound is not None and bound.loose:
            self._mark_word_as_made(bound.dash, bound.blank)
        elif bound is not None and bound.values is not None:
            self._mark_word_as_made(dash=True, blank=True)
        self._insert_unknown_word(raw, quoted)

    def _mark_word_as_made(self, dash: bool, blank: bool) -> None:
        """What comes next is of the command's own making; `dash` if it may begin a word with one."""
        self.made = True
        if dash and not self.dash:
            before = "".join(self.out).rpartition(SPLIT)[2].replace(EMPTY, "")
            self.dash = not before or "{" in before
        self.blank = self.blank or blank

    def _insert_word_values(self, values: tuple[str, ...], *, quoted: bool) -> None:
        self.assigned = True
        plain = map(_word_as_latin1, values)
        if quoted:
            fields = [EMPTY + one[:1].translate(BRACE_MARK) + one[1:].translate(MARK) for one in plain]
        else:
            fields = [SPLIT.join(re.split(r"[ \t\n]+", one.translate(BRACE_MARK))) for one in plain]
        self.out.append(SPLIT.join(fields))

    def _insert_unknown_word(self, raw: str, quoted: bool) -> None:
        self.out.append(raw.translate(MARK))
        self.dynamic = True
        self.bare = self.bare or not quoted

    def _insert_opaque_word(self, at: int, end: int, *, quoted: bool) -> int:
        close = min(self.reader.lexed.ends.get(at, end), end)
        raw = self.reader.text[at:close]
        if raw.startswith("$(("):
            evaluates = self.reader.evaluates(at + 3, close - 2)
        else:
            part = COMPUTED_PART.match(raw) and not ASSOCIATIVE.search(self.reader.text)
            start = at + raw.index("[" if "[" in raw else ":") if part else close
            evaluates = self.reader.evaluates(start, close - 1)
            if raw.startswith("${") or not substitution_tells(raw):
                self._mark_word_as_made(dash=True, blank=True)
        if evaluates:
            self.scope.hazard = "unknown"
        self._insert_unknown_word(raw, quoted)
        self.decoded = self.decoded or (not quoted and DECODED.search(raw) is not None)
        return close


def _word_as_latin1(text: str) -> str:
    """UTF-8 text in the one-byte-one-character form that the reader works on."""
    return ODD_CHARACTERS.sub("?", text).encode("utf-8", "replace").decode("latin-1")


def expand_braces(text: str) -> list[str]:
    """`a{b,c}` -> `ab`, `ac`; `{1..3}` too. Text that would grow past the bound, or has no list, stays."""
    if "{" not in text or len(text) > BRACED_MAX:
        return [text]
    done: list[str] = []
    pending = [text]
    while pending:
        one = pending.pop()
        found = _split_braced_word(one)
        if found is None:
            done.append(one)
        else:
            before, options, after = found
            pending += [before + option + after for option in reversed(options)]
        if len(done) + len(pending) > BRACES_MAX:
            return [text]
    return done


def _split_braced_word(text: str) -> tuple[str, list[str], str] | None:
    opened = text.find("{")
    tries = 0
    while opened >= 0 and tries < BRACES_MAX:
        tries += 1
        depth, parts, last = 0, list[str](), opened + 1
        for at in range(opened, len(text)):
            char = text[at]
            if char == "{":
                depth += 1
            elif char == "," and depth == 1:
                parts.append(text[last:at])
                last = at + 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    inner = [*parts, text[last:at]] if parts else _brace_sequence_words(text[opened + 1 : at])
                    if inner is not None:
                        return text[:opened], inner, text[at + 1 :]
                    break
        opened = text.find("{", opened + 1)
    return None


def _brace_sequence_words(text: str) -> list[str] | None:
    found = SEQUENCE.match(text)
    if not found:
        return None
    first, last, step, low, high = found.groups()
    if low:
        ends = (ord(low), ord(high))
        way = 1 if ends[0] <= ends[1] else -1
        return [chr(code) for code in range(ends[0], ends[1] + way, way)]
    if len(first) > 6 or len(last) > 6:
        return None
    start, stop, by = int(first), int(last), max(1, int(step or 1))
    way = by if start <= stop else -by
    if abs(stop - start) // by >= BRACES_MAX:
        return None
    padded = first.lstrip("-").startswith("0") or last.lstrip("-").startswith("0")
    width = max(len(first), len(last)) if padded else 0
    return [f"{number:0{width}d}" for number in range(start, stop + (1 if way > 0 else -1), way)]
