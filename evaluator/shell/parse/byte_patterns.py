"""The byte patterns by which `lexer` knows what begins where. Data alone."""

from __future__ import annotations

import re

PLAIN = re.compile(rb"[^\\'\"`$#<>()\n\r\x0b\x0c\xc2\xe1\xe2\xe3 \t;&|ce]+|c(?!ase\b|oproc\b)|e(?!sac\b)")
# The same with blanks and separators, up to a brace that may begin a command.
PASSED = re.compile(
    rb"(?:[^\\'\"`$#<>()\n\r\x0b\x0c\xc2\xe1\xe2\xe3 \t;&|ce]++|c(?!ase\b|oproc\b|\{)|e(?!sac\b|\{)|[ \t;&|](?!\{))++"
)
PLAIN_QUOTED = re.compile(rb"[^\\\"`$\n]+")
ODD_BLANK = re.compile(
    rb"[\r\x0b\x0c]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)
SINGLE = re.compile(rb"'[^']*'")
ANSI = re.compile(rb"\$'(?:[^'\\]|\\.)*'", re.DOTALL)
COMMENT = re.compile(rb"#[^\n]*")
HEREDOC = re.compile(rb"<<(-?)[ \t]*")
DELIMITER = re.compile(rb"(?:'[^'\n]*'|\"[^\"\n`$\\]*\"|\\[^\n]|[^\s'\"\\;&|<>()`$])+")
QUOTED = re.compile(rb"'([^']*)'|\"([^\"]*)\"|\\(.)")
ENDS_WORD = frozenset((b"", b" ", b"\t", b"\n", b";", b"&", b"|", b"<", b">", b"(", b")"))
# A line of a body in which a backslash joins, and what it takes away there.
JOINED_LINE = re.compile(rb"(?m)^(?:[^\\\n]|\\.|\\\n)*+$")
CONTINUED_LINE = re.compile(rb"(\\.)|\\\n")
BEFORE_WORD = frozenset(b" \t\n;&|()`")
# The group is a word of the shell, which has to stand where a command begins itself.
COMMAND_OPENS = re.compile(
    rb"(?:\A|[\n;&|()`]|(?<![^\s;&|()`])([{!]|do|then|else|elif|if|while|until|coproc|time(?:[ \t]+-p)?))[ \t]*\Z"
)
AFTER_IN = re.compile(rb"\bin[ \t]+\Z")
LOOK_BACK = 40
# Words of the shell before a pipeline that change nothing of what it does. The grammar knows them before few commands.
PREFIX = re.compile(rb"(?<![^\s;&|(){`])(?:!|time(?:[ \t]+-p)?)(?=[ \t]+[^\s;&|)#-])")
COPROC = re.compile(rb"coproc[ \t]+(?:[A-Za-z_]\w*[ \t]+(?=[{(]|\[\[|(?:while|until|for|if|case|select)\b))?")
# Braces that are a word of their own where a command stands: `{rm,-f,x}`.
BRACED = re.compile(rb"\{(?=[^\s{}]*(?:,|\.\.))[^\s{}'\"$`\\;&|<>()]+\}(?![^\s;&|<>()])")
EXTGLOB = re.compile(rb"\([^\s()'\"$`\\;&<>]+\)")
# What is a word, or the end of one, in front of a redirection: `head -5>x`, `cat - 2>&1`.
NUMBERED = re.compile(rb"(?:[^\s;&|<>()\d]\d*(\d)|(?<=[ \t\n])(-)(?:[ \t]|\\\n)+\d+)\Z")
CONTINUED = re.compile(rb"(?:\\\n)+")
# `[ a \> b ]`, which the grammar does not know.
COMPARES = re.compile(rb"[ \t\n]\\[<>][ \t\n]")
BLANKS = frozenset(b" \t\n")
OPERATORS = frozenset(b"<>&|;(")
# The grammar's scanner asks the C library about each character; one beyond ASCII reads past its tables, and the process
# may die (https://github.com/tree-sitter/tree-sitter-bash/issues/337). Words are read from the source, so any plain
# character of a word that is no name will do in its place.
TO_ASCII = bytes(code if code < 0x80 else 0x2C for code in range(256))
BLANK_BODY = re.compile(rb"[^\n]")
EXPANDS = re.compile(rb"[$`]")
