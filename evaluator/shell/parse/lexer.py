"""One pass over a shell command that knows its quoting: what the grammar parses, and what is held against it.

Heredoc bodies are lifted out (blanked in place, so that every offset stays true), `<<<` and `<>` are rewritten to
forms of the same length that the grammar reads reliably, and the extents of every substitution and comment are
noted: two readers that disagree about them mean that the command is not understood. Standard library only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.shell.parse import byte_patterns
from evaluator.shell.parse.grammar import Heredoc, Lexed, Unreadable

NESTING_MAX = 60
"""How deep quotes, substitutions and brackets may stand in each other."""
WORDS_BEFORE = 6
"""So many words of the shell may stand in front of a command: `then ! time -p`."""


@dataclass(slots=True)
class _Context:
    kind: str
    start: int
    waiting: int = 0
    """So many heredocs of its line began before it."""
    cases: int = 0
    array: bool = False


@dataclass(slots=True)
class _Waiting:
    at: int
    operator_end: int
    delimiter: bytes
    literal: bool
    tabs: bool


def lex(source: bytes) -> Lexed:
    """Lexes a command line. Raises `Unreadable` where a quote, bracket, substitution or heredoc does not end."""
    return _Lexer(source).run()


def commands_in_body(body: str) -> list[str]:
    """The code of the substitutions that the shell runs inside a heredoc body. Raises `Unreadable`."""
    if "$(" not in body and "`" not in body and "$\\\n" not in body:
        return []
    source = body.encode("utf-8", "surrogatepass")
    lexer = _Lexer(source)
    lexer.stack = [_Context("body", 0)]
    lexed = lexer.run()
    found: list[str] = []
    behind = 0
    for start in sorted(lexed.substitutions):
        if start >= behind:
            behind = lexed.ends[start]
            raw = source[start:behind].decode("utf-8", "replace")
            found.append(raw[2:-1] if raw[0] != "`" else re.sub(r"\\([\\`$])", r"\1", raw[1:-1]))
    return found


class _Lexer:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.out = Lexed(source, b"", "", {}, set(), set(), {}, set(), [])
        self.patches: list[tuple[int, int, bytes]] = []
        self.waiting: list[_Waiting] = []
        self.stack = [_Context("top", 0)]
        self.at = 0
        prefixed = b"! " in source or b"time " in source
        self.prefixes = (
            [found.span() for found in byte_patterns.PREFIX.finditer(source)][::-1] if prefixed else []
        )

    def run(self) -> Lexed:
        size = len(self.source)
        while self.at < size:
            kind = self.stack[-1].kind
            if kind in ('"', "body"):
                self._lex_double_quoted()
            elif kind == "${":
                self._lex_parameter()
            elif kind in ("((", "$["):
                self._lex_arithmetic()
            elif self.source[self.at] != 0x7B or not self._lex_braced_word():
                self._lex_plain()
        if len(self.stack) > 1 or self.waiting:
            raise Unreadable("a quote, bracket or heredoc is never closed")
        pieces: list[bytes] = []
        done = 0
        for start, end, text in self.patches:
            pieces += (self.source[done:start], text)
            done = end
        self.out.text = b"".join((*pieces, self.source[done:])).translate(byte_patterns.TO_ASCII)
        self.out.latin = self.source.decode("latin-1")
        return self.out

    def _push_lexer_context(self, kind: str, width: int, start: int | None = None) -> None:
        if len(self.stack) > NESTING_MAX:
            raise Unreadable("nested too deeply")
        self.stack.append(_Context(kind, self.at if start is None else start, len(self.waiting)))
        self.at += width

    def _pop_lexer_context(self, width: int) -> None:
        context = self.stack.pop()
        if len(self.waiting) != context.waiting and context.start in self.out.substitutions:
            raise Unreadable("a heredoc whose body is outside its substitution")
        self.at += width
        self.out.ends[context.start] = self.at

    def _lex_pattern(self, pattern: re.Pattern[bytes]) -> None:
        found = pattern.match(self.source, self.at)
        if found is None:
            raise Unreadable("a quote is never closed")
        if self.waiting and b"\n" in found.group():
            raise Unreadable("a quote runs past the line where a heredoc begins")
        self.at = found.end()

    def _lex_dollar(self) -> None:
        """At a `$`, outside of single quotes."""
        source, at = self.source, self.at
        following = source[at + 1 : at + 3]
        if following == b"((":
            self._push_lexer_context("((", 3)
        elif following[:1] == b"(":
            self.out.substitutions.add(at)
            self._push_lexer_context("(", 2)
        elif following[:1] == b"{":
            self._push_lexer_context("${", 2)
        elif following[:1] == b"[":
            self._push_lexer_context("$[", 2)
        elif following == b"\\\n":
            raise Unreadable("a line that continues inside an expansion")
        else:
            self.at += 2 if following[:1] in (b"#", b"$", b"?", b"!", b"-", b"@", b"*") else 1

    def _lex_backtick(self) -> None:
        if self.stack[-1].kind == "`":
            self._pop_lexer_context(1)
        else:
            self.out.substitutions.add(self.at)
            self._push_lexer_context("`", 1)

    def _lex_double_quoted(self) -> None:
        found = byte_patterns.PLAIN_QUOTED.match(self.source, self.at)
        if found:
            self.at = found.end()
            return
        char = self.source[self.at]
        if char == 0x5C:
            self.at += 2
        elif char == 0x22:
            if self.stack[-1].kind == "body":
                self.at += 1
            else:
                self._pop_lexer_context(1)
        elif char == 0x60:
            self._lex_backtick()
        elif char == 0x24:
            self._lex_dollar()
        else:
            if self.waiting:
                raise Unreadable("a quote runs past the line where a heredoc begins")
            self.at += 1

    def _lex_parameter(self) -> None:
        char = self.source[self.at]
        if char == 0x5C:
            self.at += 2
        elif char == 0x7D:
            self._pop_lexer_context(1)
        elif char == 0x22:
            self._push_lexer_context('"', 1)
        elif char == 0x27 and not any(context.kind == '"' for context in self.stack):
            self._lex_pattern(byte_patterns.SINGLE)
        elif char == 0x60:
            self._lex_backtick()
        elif char == 0x24:
            self._lex_dollar()
        else:
            self.at += 1

    def _lex_arithmetic(self) -> None:
        char = self.source[self.at]
        context = self.stack[-1]
        opens, closes = b"[]" if context.kind == "$[" else b"()"
        if char == opens:
            context.cases += 1
            self.at += 1
        elif char == closes and context.cases:
            context.cases -= 1
            self.at += 1
        elif char == 0x5D and char == closes:
            self._pop_lexer_context(1)
        elif char == closes:
            if self.source[self.at + 1 : self.at + 2] != b")":
                raise Unreadable("a subshell that looks like arithmetic")
            self._pop_lexer_context(2)
        elif char == 0x22:
            self._push_lexer_context('"', 1)
        elif char == 0x27:
            # It quotes nothing here, except for what looks for the end.
            start = self.at
            self._lex_pattern(byte_patterns.SINGLE)
            if byte_patterns.EXPANDS.search(self.source, start, self.at):
                raise Unreadable("an expansion inside single quotes that have no effect here")
        elif char == 0x60:
            self._lex_backtick()
        elif char == 0x24:
            self._lex_dollar()
        elif char == 0x5C:
            self.at += 2
        else:
            self.at += 1

    def _lex_plain(self) -> None:
        found = byte_patterns.PASSED.match(self.source, self.at) or byte_patterns.PLAIN.match(
            self.source, self.at
        )
        if found:
            self._move_lexer_to(found.end())
            return
        source, at = self.source, self.at
        char = source[at]
        if char in b" \t;&|":
            self.at += 1
        elif char in b"ce":
            self._lex_case_word()
        elif char == 0x5C:
            self._lex_escape()
        elif char == 0x27:
            self._lex_pattern(byte_patterns.SINGLE)
        elif char == 0x22:
            self._push_lexer_context('"', 1)
        elif char == 0x60:
            self._lex_backtick()
        elif char == 0x24:
            if source[at + 1 : at + 2] == b"'":
                self._lex_pattern(byte_patterns.ANSI)
            else:
                self._lex_dollar()
        elif char == 0x0A:
            self._lex_line_end()
        elif char == 0x23 and (at == 0 or source[at - 1] in byte_patterns.BEFORE_WORD):
            self.out.comments.add(at)
            self._lex_pattern(byte_patterns.COMMENT)
        elif char in b"<>":
            self._lex_angle_bracket()
        elif char in b"()":
            self._lex_bracket()
        elif byte_patterns.ODD_BLANK.match(source, at):
            raise Unreadable("whitespace that the shell does not treat as whitespace")
        else:
            self.at += 1

    def _move_lexer_to(self, end: int) -> None:
        while self.prefixes and self.prefixes[-1][0] < end:
            start, behind = self.prefixes.pop()
            if start >= self.at and self._is_lexed_command_start(start):
                self._mask_from_parser(start, behind, b" ")
        self.at = end

    def _lex_line_end(self) -> None:
        if not self.stack[-1].array:
            self.out.newlines.append(self.at)
        self.at += 1
        if self.waiting:
            self._lex_heredoc_bodies()

    def _lex_braced_word(self) -> bool:
        found = byte_patterns.BRACED.match(self.source, self.at)
        if found is None or not (
            self._is_lexed_command_start(self.at)
            or byte_patterns.AFTER_IN.search(self.source, max(0, self.at - byte_patterns.LOOK_BACK), self.at)
        ):
            return False
        self._mask_from_parser(self.at, found.end())
        self.at = found.end()
        return True

    def _is_lexed_command_start(self, at: int) -> bool:
        """Whether a command may begin here, which stands outside of quotes."""
        source = self.source
        for _ in range(WORDS_BEFORE):
            found = byte_patterns.COMMAND_OPENS.search(source, max(0, at - byte_patterns.LOOK_BACK), at)
            if found is None or self.stack[-1].array:
                return False
            start = found.start()
            if not source[start:at].strip(b" \t"):
                return True
            if found[1] is None:
                return self._is_lexed_separator(start)
            at = start
        return False

    def _is_lexed_separator(self, at: int) -> bool:
        """Whether this sign, behind which a command may begin, is one."""
        source, context = self.source, self.stack[-1]
        sign = source[at : at + 1]
        if sign == b"`":
            return context.kind == "`" and context.start == at
        if sign == b")":
            # It ends a pattern of `case`, and no substitution or array.
            start, end = next(reversed(self.out.ends.items()), (0, 0))
            opened = start in self.out.substitutions or source[start - 1 : start] == b"="
            return context.cases > 0 and not (opened and end == at + 1)
        before = source[max(0, at - byte_patterns.LOOK_BACK) : at]
        escaped = (len(before) - len(before.rstrip(b"\\"))) % 2
        return not escaped and not (sign in b"&|" and before[-1:] in (b"<", b">"))

    def _mask_from_parser(self, start: int, end: int, by: bytes = b",") -> None:
        """The grammar sees plain characters of a word here; the word itself is read from the source."""
        self.patches.append((start, end, by * (end - start)))

    def _lex_escape(self) -> None:
        source, at = self.source, self.at
        if continued := byte_patterns.CONTINUED.match(source, at):
            self._lex_line_continuation(continued.end())
            return
        if byte_patterns.COMPARES.match(source, max(0, at - 1)):
            self.patches.append((at, at + 2, b"-x"))
        self.at += 2

    def _lex_line_continuation(self, end: int) -> None:
        """The shell takes a backslash and the newline behind it away, so that two lines may be one word."""
        source, at = self.source, self.at
        before, behind = (source[at - 1] if at else 0x20), (source[end] if end < len(source) else 0x20)
        operators, blanks = byte_patterns.OPERATORS, byte_patterns.BLANKS
        if behind in operators and (before in operators or (behind in b"(<>" and before not in blanks)):
            raise Unreadable("a line that continues inside an operator")
        apart = {before, behind} & (blanks | operators | {0x29})
        self._mask_from_parser(at, end, b" " if apart else b",")
        self.at = end

    def _lex_case_word(self) -> None:
        """`)` after a case pattern closes nothing: count the open cases of this context. `coproc` is a keyword that
        the grammar does not know; what stands behind it is an ordinary command."""
        source, at = self.source, self.at
        if (at == 0 or source[at - 1] in byte_patterns.BEFORE_WORD) and self._is_lexed_command_start(at):
            coproc = byte_patterns.COPROC.match(source, at)
            if coproc:
                self._mask_from_parser(at, coproc.end(), b" ")
                self.at = coproc.end()
                return
            if source.startswith(b"case", at):
                self.stack[-1].cases += 1
            elif self.stack[-1].cases and source.startswith(b"esac", at):
                self.stack[-1].cases -= 1
        self.at += 4

    def _lex_bracket(self) -> None:
        source, at = self.source, self.at
        if source[at] == 0x28 and self._lex_extglob():
            return
        if source[at] == 0x28:
            doubled = source.startswith(b"((", at)
            if doubled and (self._is_lexed_command_start(at) or source[:at].rstrip(b" \t").endswith(b"for")):
                self._push_lexer_context("((", 2)
            else:
                self._push_lexer_context("(", 1)
                self.stack[-1].array = at > 0 and source[at - 1] == 0x3D
        elif self.stack[-1].kind == "(" and not self.stack[-1].cases:
            self._pop_lexer_context(1)
        elif self.stack[-1].cases:
            self.at += 1
        else:
            raise Unreadable("a closing bracket with no opening one")

    def _lex_extglob(self) -> bool:
        source, at = self.source, self.at
        found = byte_patterns.EXTGLOB.match(source, at)
        if found is None or at < 2 or source[at - 1] not in b"!@+*?" or source[at - 2] in b"$`":
            return False
        if self._is_lexed_command_start(at - 1):
            return False
        self._mask_from_parser(at, found.end())
        self.at = found.end()
        return True

    def _lex_angle_bracket(self) -> None:
        source, at = self.source, self.at
        if source[at - 1 : at].isdigit():
            number = byte_patterns.NUMBERED.search(source, max(0, at - byte_patterns.LOOK_BACK), at)
            if number:
                # One character that was passed already.
                digit, place = number.start(number.lastindex or 0), len(self.patches)
                while place and self.patches[place - 1][0] > digit:
                    place -= 1
                if not place or self.patches[place - 1][1] <= digit:
                    self.patches.insert(place, (digit, digit + 1, b"a"))
        if source.startswith((b"<(", b">("), at):
            self.out.substitutions.add(at)
            self._push_lexer_context("(", 2)
        elif source.startswith(b"<<<", at):
            self.out.herestrings.add(at)
            self.patches.append((at, at + 3, b"<  "))
            self.at += 3
        elif source.startswith(b"<<", at):
            self._lex_heredoc()
        elif source.startswith(b"<>", at):
            self.patches.append((at, at + 2, b">|"))
            self.at += 2
        else:
            self.at += 2 if source.startswith((b">>", b">|", b">&", b"<&"), at) else 1

    def _lex_heredoc(self) -> None:
        if any(context.array for context in self.stack):
            raise Unreadable("a heredoc inside an array, which the shell reads twice")
        opened = byte_patterns.HEREDOC.match(self.source, self.at)
        assert opened is not None
        word = byte_patterns.DELIMITER.match(self.source, opened.end())
        if word is None or self.source[word.end() : word.end() + 1] not in byte_patterns.ENDS_WORD:
            raise Unreadable("a heredoc without a plain delimiter")
        raw = word.group()
        literal = any(quote in raw for quote in (b"'", b'"', b"\\"))
        delimiter = byte_patterns.QUOTED.sub(rb"\1\2\3", raw)
        self.patches.append((self.at, word.end(), b"<" + b"_" * (word.end() - self.at - 1)))
        self.waiting.append(_Waiting(self.at, word.end(), delimiter, literal, bool(opened.group(1))))
        self.at = word.end()

    def _lex_heredoc_bodies(self) -> None:
        if any(one.waiting and one.start in self.out.substitutions for one in self.stack):
            raise Unreadable("a heredoc whose body is inside a later substitution")
        for number, one in enumerate(self.waiting):
            if number and self.at < len(self.source):
                self.at += 1  # the newline behind the delimiter before
            start, end = self._lex_heredoc_end(one)
            self.out.heredocs[one.at] = Heredoc(self.at, start, end, one.operator_end, one.literal)
            blanked = byte_patterns.BLANK_BODY.sub(b" ", self.source[self.at : end])
            self.patches.append((self.at, end, blanked))
            self.at = end
        self.waiting.clear()

    def _lex_heredoc_end(self, one: _Waiting) -> tuple[int, int]:
        """Where the line with the delimiter begins and ends."""
        tabs = rb"\t*" if one.tabs else b""
        ending = re.compile(rb"^" + tabs + re.escape(one.delimiter) + rb"$", re.MULTILINE)
        found = ending.search(self.source, self.at)
        if not one.literal and self.source.find(b"\\\n", self.at, found.end() if found else None) >= 0:
            # The shell joins such lines before it looks for the delimiter.
            for line in byte_patterns.JOINED_LINE.finditer(self.source, self.at):
                if ending.fullmatch(byte_patterns.CONTINUED_LINE.sub(rb"\1", line.group())):
                    return line.span()
            found = None
        if found is None:
            raise Unreadable("an unterminated heredoc")
        return found.span()
