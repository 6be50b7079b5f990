"""SQL: its text split into statements, what these do, and which files the client writes.

What is a string or a comment differs between dialects, and what one of them skips another one runs: the dialect of the
client decides. What is opened and not closed makes the text unreadable. It reads where all words and functions do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from evaluator.text import Vocabulary, names

Dialect = Literal["postgres", "mysql", "sqlite", "tsql", "other"]

BLOCK = re.compile(r"/\*|\*/")
EXECUTED = re.compile(r"M?!\d*")
"""`/*! ... */` is a comment everywhere but in MySQL, which runs it."""
OPENS: dict[Dialect, re.Pattern[str]] = {
    "postgres": re.compile(r"--|/\*|(?<!\w)[eE]'|'|\"|(?<![\w$])\$(?:[A-Za-z_]\w*)?\$|\\"),
    "mysql": re.compile(r"--(?=\s|\Z)|#|/\*|\*/|'|\"|`|\\[gG]?"),
    "sqlite": re.compile(r"--|/\*|'|\"|`|\[|^[ \t]*\.(?=[A-Za-z])", re.MULTILINE),
    "tsql": re.compile(r"--|/\*|'|\"|\["),
    "other": re.compile(r"--|/\*|'|\"|`|\\"),
}
DOUBLED = {
    "'": re.compile(r"(?:[^']|'')*+'"),
    '"': re.compile(r'(?:[^"]|"")*+"'),
    "`": re.compile(r"(?:[^`]|``)*+`"),
    "[": re.compile(r"[^\]]*+\]"),
}
ESCAPED = {
    "'": re.compile(r"(?:[^'\\]|''|\\.)*+'", re.DOTALL),
    '"': re.compile(r'(?:[^"\\]|""|\\.)*+"', re.DOTALL),
    "`": DOUBLED["`"],
}
CLIENT = re.compile(r"(\\|[^\s\\]+)([^\n\\]*)")
ENDING = frozenset(("g", "G", "gx", "gset", "gdesc", "watch", "crosstabview"))


@dataclass(slots=True)
class SqlText:
    """In `plain` a string is its index in `strings`, in quotes. `commands` are name and arguments of `\\x` and `.x`."""

    plain: str = ""
    strings: list[str] = field(default_factory=list[str])
    commands: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def statements(self) -> list[str]:
        return [part for part in self.plain.split(";") if part.strip()]


def read_text(code: str, dialect: Dialect) -> SqlText | None:
    """SQL code as an `SqlText`; None for text that is not closed."""
    found = SqlText()
    pieces: list[str] = []
    within = False
    """Whether a statement has begun: only before one a line with a dot is a command."""
    at = 0
    while opened := OPENS[dialect].search(code, at):
        before, sign, at = code[at : opened.start()], opened.group(), opened.end()
        pieces.append(before)
        within = bool(before.rpartition(";")[2].strip()) or (within and ";" not in before)
        if sign in ("--", "#"):
            at = _find_sql_line_end(code, at)
            pieces.append(" ")
        elif sign in ("*/", "\\g", "\\G"):
            pieces.append(" " if sign == "*/" else ";")
        elif sign == "/*":
            executed = EXECUTED.match(code, at) if dialect == "mysql" else None
            nests = dialect in ("postgres", "tsql")
            at = executed.end() if executed else _find_sql_comment_end(code, at, nests=nests)
            if at < 0:
                return None
            pieces.append(" ")
        elif sign == "\\":
            client = CLIENT.match(code, at)
            if client is None:
                return None
            name, arguments = client.group(1), client.group(2)
            if name == "copy":
                arguments = code[client.start(2) : _find_sql_line_end(code, at)]
            found.commands.append((name, arguments))
            at = client.start(2) + len(arguments)
            pieces.append(";" if name in ENDING else " ")
            within = within and name not in ENDING
        elif sign.endswith("."):
            end = _find_sql_line_end(code, at)
            if within:
                pieces.append(sign)
            else:
                name, _, arguments = code[at:end].partition(" ")
                found.commands.append((name, arguments))
                at = end
        else:
            quotes = ESCAPED if dialect == "mysql" or len(sign) == 2 else DOUBLED
            closing = quotes.get(sign[-1]) or re.compile(rf".*?{re.escape(sign)}", re.DOTALL)
            closed = closing.match(code, at)
            if closed is None:
                return None
            width = len(sign) if sign[0] == "$" else 1
            pieces.append(f" '{len(found.strings)}' ")
            found.strings.append(code[at : closed.end() - width])
            at, within = closed.end(), True
    pieces.append(code[at:])
    found.plain = "".join(pieces)
    return found


def _find_sql_line_end(code: str, at: int) -> int:
    end = code.find("\n", at)
    return len(code) if end < 0 else end


def _find_sql_comment_end(code: str, at: int, *, nests: bool) -> int:
    depth = 1
    while found := BLOCK.search(code, at):
        at = found.end()
        depth += 1 if nests and found.group() == "/*" else -1 if found.group() == "*/" else 0
        if depth == 0:
            return at
    return -1


VOCABULARY = Vocabulary("shell/code/sql")

StatementKind = Literal["read", "change", "delete", "unknown"]

CODE_MAX = 200_000
"""Characters; longer text is not looked at."""
VERB = re.compile(r"[\s(]*+([A-Za-z]+)")
READING = names("select with values table from show explain describe desc pragma summarize")
CHANGING = VOCABULARY.words("changing")
DELETING = names("delete drop truncate purge")
WRITING = DELETING | VOCABULARY.words("writing")
"""Words that stand in no SELECT: a statement inside of another one, or behind it where nothing separates them."""
TSQL_WORDS = VOCABULARY.words("tsql-words")
SESSION = re.compile(
    r"\s*(?:(?:begin|commit|rollback|end)(?:\s+(?:transaction|work))?|start\s+transaction(?:\s+read\s+only)?|use\s+[\w$']+"
    r"|set\s+(?:local\s+|session\s+)?(?:search_path|statement_timeout|lock_timeout|time\s+zone|timezone|names|transaction)"
    r"(?:\s*=|\s)[\w\s.'$]+)\s*\Z",
    re.IGNORECASE,
)
"""Of the connection alone, gone with it."""
WORD = re.compile(r"(?:(?<![\w$])|(?<=\d))[A-Za-z_][\w$]*+(?!\s*\()")
CALLED = re.compile(r"(?:(\.)\s*+)?(?:(?<![\w$])([A-Za-z_][\w$]*+)|'(\d+)')\s*+\(")
PG_CATALOG = re.compile(r"\bpg_catalog\.", re.IGNORECASE)
NAMED_LIST = re.compile(r"\b(?:as|with(?:\s+recursive)?|recursive)\s+[A-Za-z_]\w*\s*\(", re.IGNORECASE)
"""Names of columns in brackets: `WITH t(a, b) AS`, `AS t(a, b)`."""
FILES_READ = re.compile(
    r"\bread_(?:csv|csv_auto|json|json_auto|parquet|text)\s*\(\s*'(\d+)'\s*(?:,\s*\w+\s*=\s*(?:'\d+'|\w+)\s*)*\)",
    re.IGNORECASE,
)
BEFORE_BRACKET = VOCABULARY.words("before-bracket")
FUNCTIONS = VOCABULARY.words("functions")
"""Functions that only compute or look. A function that is not known may do anything in the database."""
LOOKING = re.compile(r"regexp_\w+|pg_get_\w+|pg_\w+_size|has_\w+_privilege", re.IGNORECASE)
REACHING = re.compile(VOCABULARY.either("reaching"), re.IGNORECASE)
"""Those that write files, run programs or govern the server."""
EXPLAINED = re.compile(
    r"\s*explain\s*(\([^()]*\)|(?:(?:analy[sz]e|verbose|extended|query\s+plan|format\s*=\s*\w+)\b\s*)*)",
    re.IGNORECASE,
)
PRAGMA = re.compile(r"\s*pragma\s+(?:\w+\.)?(\w+)\s*(=|\()?", re.IGNORECASE)
SESSION_PRAGMAS = VOCABULARY.words("session-pragmas")
ASKING_PRAGMAS = VOCABULARY.words("asking-pragmas")
COPIES_TO = re.compile(r"\bto\s+(stdout|pstdout|program|'[^']*'|[^\s;'()]+)", re.IGNORECASE)
READING_META = VOCABULARY.words("reading-meta")
DESCRIBING = re.compile(r"(?:d[A-Za-z]*|l|sf|sv|z)[+S]*\Z")
SETTING = re.compile(r"(?:ON_ERROR_STOP|ON_ERROR_ROLLBACK|QUIET|VERBOSITY|ECHO|FETCH_COUNT)(?:\s+\w+)?\Z")
RUNNING_META = names("! gexec")
READING_DOTS = VOCABULARY.words("reading-dots")
INSERTED = re.compile(r"(?<![:\w]):[A-Za-z_]\w*")
ARGUMENT = re.compile(r"'([^']*)'|\"([^\"]*)\"|(\S+)")


@dataclass(frozen=True, slots=True)
class Sql:
    """The severest kind of all statements, and the local files that the client writes besides."""

    kind: StatementKind
    files: tuple[str, ...] = ()


def read_sql(code: str, dialect: Dialect) -> Sql:
    """`unknown` for what runs programs or files, is not closed, or starts with no known verb."""
    text = read_text(code, dialect) if len(code) <= CODE_MAX else None
    if text is None:
        return Sql("unknown")
    files: list[str] = []
    kinds = [_classify_sql_command(name, arguments, dialect, files) for name, arguments in text.commands]
    # The client puts in what a variable holds, and that may be another statement.
    if INSERTED.search(text.plain) and any(name == "set" for name, _ in text.commands):
        kinds.append("unknown")
    statements = text.statements()
    kinds += [_classify_sql_statement(part, dialect, text, files) for part in statements]
    if dialect == "tsql" and len(statements) > 1 and "read" in kinds:
        kinds.append("change")
    severest: tuple[StatementKind, ...] = ("unknown", "delete", "change", "read")
    return Sql(next(kind for kind in severest if kind in (*kinds, "read")), tuple(files))


def _classify_sql_statement(
    statement: str, dialect: Dialect, text: SqlText, files: list[str]
) -> StatementKind:
    found = VERB.match(statement)
    if not found:
        return "unknown"
    verb = found.group(1).lower()
    if verb == "explain" and (prefix := EXPLAINED.match(statement)):
        runs = re.search(r"analy[sz]e", prefix.group(1), re.IGNORECASE)
        return _classify_sql_statement(statement[prefix.end() :], dialect, text, files) if runs else "read"
    if verb in DELETING or (verb == "update" and not re.search(r"\bwhere\b", statement, re.IGNORECASE)):
        return "delete"  # what every row held before is gone
    if dialect == "tsql":
        odd = re.search(r"^\s*(?::|!!)", statement, re.MULTILINE)
        kind = "unknown" if odd else _classify_sql_query(statement, dialect, text)
        return kind if verb in ("select", "with") or kind != "read" else "change"
    if verb == "copy" and dialect != "mysql":
        return _classify_sql_copy(statement, dialect, text, files, local=dialect == "sqlite")
    if dialect == "sqlite" and verb in ("attach", "export", "vacuum"):
        # An embedded database makes a file of its own.
        if "||" in statement:
            return "unknown"
        named = [text.strings[int(one)] for one in re.findall(r"'(\d+)'", statement)][:1]
        files += [one for one in named if one not in ("", ":memory:")]
        return "read" if named and verb != "attach" else "change"
    if SESSION.match(statement):
        return "read"
    if verb in CHANGING:
        drops = verb == "alter" and re.search(r"\bdrop\s", statement, re.IGNORECASE)
        return "delete" if drops else "change"
    if verb not in READING:
        return "unknown"
    if verb != "pragma":
        return _classify_sql_query(statement, dialect, text, shows=verb == "show")
    pragma = PRAGMA.match(statement)
    name, sign = (pragma.group(1).lower(), pragma.group(2)) if pragma else ("", None)
    asks = (sign != "=" and name in ASKING_PRAGMAS) or (sign == "=" and name in SESSION_PRAGMAS)
    return "read" if asks else "change"


def _classify_sql_query(
    statement: str, dialect: Dialect, text: SqlText, *, shows: bool = False
) -> StatementKind:
    """What a statement that asks does by its words and by the functions that it calls."""
    words = {word.lower() for word in WORD.findall(statement)}
    if shows:
        words &= names("into outfile")
    if words & DELETING:
        return "delete"
    if words & WRITING or (dialect == "tsql" and words & TSQL_WORDS):
        return "change"

    def local(found: re.Match[str]) -> str:
        return found.group() if "://" in text.strings[int(found.group(1))] else " "

    kind: StatementKind = "read"
    plain = NAMED_LIST.sub(" (", FILES_READ.sub(local, PG_CATALOG.sub("", statement)))
    for dot, name, quoted in CALLED.findall(plain):
        if REACHING.fullmatch(text.strings[int(quoted)] if quoted else name):
            return "unknown"
        known = name.lower() in FUNCTIONS | BEFORE_BRACKET or LOOKING.fullmatch(name)
        if dot or not known:
            kind = "change"
    return kind


def _classify_sql_copy(
    statement: str, dialect: Dialect, text: SqlText, files: list[str], *, local: bool
) -> StatementKind:
    """`COPY ... TO`: on a server its own file, in an embedded database and by the client a `local` one."""
    if re.search(r"\bprogram\b", statement, re.IGNORECASE):
        return "unknown"
    asks = re.search(r"\((.*)\)\s*to\b", statement, re.IGNORECASE | re.DOTALL)
    kind = _classify_sql_query(asks.group(1), dialect, text) if asks else "read"
    to = COPIES_TO.findall(statement)[-1:]
    if kind != "read" or (to and to[0].lower() in ("stdout", "pstdout")):
        return kind
    if not local or not to:
        return "change"
    files.append(text.strings[int(to[0].strip("'"))] if to[0].startswith("'") else to[0])
    return "read"


def _classify_sql_command(name: str, arguments: str, dialect: Dialect, files: list[str]) -> StatementKind:
    if dialect == "sqlite":
        return _classify_sqlite_command(name.lower(), arguments, files)
    given = arguments.strip()
    if dialect != "postgres" or "`" in arguments or name in RUNNING_META:
        # It runs what stands in backticks.
        return "unknown"
    if name == "copy":
        text = read_text(given, dialect)
        return _classify_sql_copy(text.plain, dialect, text, files, local=True) if text else "unknown"
    if name in ("g", "gx", "o", "out", "w"):
        target = re.sub(r"^\([^)]*\)", "", given).rstrip(";").strip()
        if target.startswith("|"):
            return "unknown"
        files += [target.strip("'\"")] if target else []
        return "read"
    if name == "set":
        return "read" if SETTING.match(given) else "change"
    if name in ("c", "connect"):
        return "read" if re.fullmatch(r"[\w-]*", given) else "change"
    return "read" if name in READING_META or DESCRIBING.match(name) else "change"


def _classify_sqlite_command(name: str, arguments: str, files: list[str]) -> StatementKind:
    given = ["".join(parts) for parts in ARGUMENT.findall(arguments)]
    if any(one.startswith("|") for one in given):
        return "unknown"
    plain = [one for one in given if not one.startswith("-")]
    if name in ("output", "once", "log"):
        if len(plain) != len(given):
            return "unknown"
        files += [one for one in plain[:1] if one not in ("stdout", "stderr", "off", "on")]
        return "read"
    if name in ("backup", "save", "clone"):
        files += plain[-1:]
        return "read" if plain else "unknown"
    if name in ("import", "restore"):
        return "change"
    return "read" if name in READING_DOTS else "unknown"
