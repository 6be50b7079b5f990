"""Database clients, whose inline statements decide, and tools that change the shape of a database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from evaluator.shell.call import Call, Options, Outcome, Style, dynamic, read_options, reads, unlisted, writes
from evaluator.shell.code.sql import Dialect, Sql, read_sql
from evaluator.shell.handlers.code import DESTROYS
from evaluator.shell.handlers.common import changing, proven
from evaluator.shell.rows.row import HELP, Row, is_foreign
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

DATABASES = Shared("databases")
VOCABULARY = Vocabulary("shell/programs/databases", "words")
FAMILY = "database"


@dataclass(frozen=True, slots=True)
class Migration:
    """A tool of verbs, most of which may do anything: some look, some lose what cannot be made again.

    `looks`: its first operand, or the first two joined. `loses`: any operand, or an option of `drops`. `milder`:
    options with which it only says what it would do.
    """

    looks: frozenset[str] = NONE
    loses: frozenset[str] = NONE
    drops: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    milder: frozenset[str] = NONE
    changes: frozenset[str] = NONE
    """Verbs, one or two words, that change a database far from here, as it is meant to be changed."""
    style: Style = "gnu"

    def __call__(self, call: Call) -> list[Outcome]:
        options = read_options(call.args, self.valued, style=self.style)
        given = options.texts()
        if options.has(self.milder):
            return [reads("build")]
        if options.may_have(self.drops) or any(text in self.loses for text in (*given, " ".join(given[:2]))):
            return [dynamic(FAMILY)]
        paths = (" ".join(given[:2]), *given[:1])
        known = self.valued | SHOWN
        mild = all(name in known for name, _ in options.flags) and not any(
            is_foreign(value.text, call.shell.cwd) for value in options.values(self.valued)
        )
        if mild and ((not given and not options.flags) or any(path in self.looks for path in paths)):
            return [reads("build")]
        if any(path in self.changes for path in paths):
            return [reads(FAMILY)] if options.has(HELP) else [writes("network", (), FAMILY)]
        return [unlisted(FAMILY)]


SHOWN = VOCABULARY.words("shown")
"""Options that change only what is shown."""
DIALECTS = cast(dict[str, Dialect], VOCABULARY.texts("dialects"))
CONNECTS = names("-h --host -d --dbname -u -U --username --user -S -p --port --uri")
PSQL_SETTING = re.compile(
    r"(?:ON_ERROR_STOP|ON_ERROR_ROLLBACK|QUIET|ECHO|AUTOCOMMIT|VERBOSITY|SHOW_CONTEXT|FETCH_COUNT|HISTCONTROL)=\w*\Z"
)
MONGO_DELETES = re.compile(
    r"\.(?:drop\w*|delete\w*|remove\w*|dropDatabase|findOneAndDelete|shutdownServer)\s*\("
)
MONGO_CHANGES = re.compile(
    r"\.(?:insert\w*|update\w*|replace\w*|save|create\w*|rename\w*|bulkWrite|findAndModify|findOneAnd\w+|grant\w*)\s*\(|\$(?:out|merge)\b"
)
MONGO_STRING = re.compile(r"'[^'\\\n]*'|\"[^\"\\\n]*\"")
MONGO_VALUE = re.compile(
    r"\b(?:(?:ObjectId|ISODate|UUID|NumberLong|NumberInt)\(\s*[\d']*\s*\)|new Date\(\s*[\d']*\s*\))"
)
MONGO_COMPUTES = re.compile(r"\$(?:out|merge|function|where|accumulator)\b")
MONGO_METHODS = VOCABULARY.either("mongo-methods")
MONGO_NEXT = re.compile(r";|\n(?=[ \t]*(?:db|rs|sh|show|use|print\w*)\b)")
MONGO_ARGUMENTS = r"\([^()`+=;]*\)"
MONGO_ASKS = re.compile(
    rf"\s*(?:show \w+|use \w+|(?:(?:print|printjson|tojson|JSON\.stringify)\()*+(?:db|rs|sh)"
    rf"(?:\.\w+(?![\w(])|\.(?:{MONGO_METHODS}){MONGO_ARGUMENTS}|\[''\])*(?:\.forEach\((?:printjson|print|tojson)\))?\)*)\s*"
)
"""`show dbs`, and chains of methods that read with literal arguments: `db.users.find({age: 3}).limit(5)`."""
REDIS_READS = VOCABULARY.words("redis-reads")
REDIS_PAIRS = VOCABULARY.sets("redis-pairs")
REDIS_DELETES = VOCABULARY.words("redis-deletes")
REDIS_GOVERNS = names("shutdown debug failover replicaof slaveof restore swapdb script function")


def _check_database_address(options: Options) -> list[Outcome]:
    """A connection may stand in a variable of the environment; what is computed here could carry something out."""
    words = [
        *options.operands,
        *(value for name, value in options.flags if name in CONNECTS and value is not None),
    ]
    return [dynamic("database")] if any(word.made or word.decoded for word in words) else []


def _read_database_sql(call: Call, words: Sequence[Word]) -> list[Sql | None]:
    """None for a statement with a value of the environment in it, which may be another statement."""
    found: list[Sql | None] = []
    dialect = DIALECTS.get(call.name, "other")
    call.hide_code(*words)
    for word in words:
        hidden = word.decoded or word.made or (word.dynamic and word.text.startswith(("$", "`")))
        sql = Sql("unknown") if hidden else read_sql(word.text, dialect)
        found.append(None if word.dynamic and sql.kind == "read" else sql)
    if not words and call.stdin.kind == "text":
        call.hide_input()
        found.append(read_sql(call.stdin.text, dialect))
    return found


def _database_sql_outcomes(found: Sequence[Sql | None], files: tuple[str, ...] = ()) -> list[Outcome]:
    does: dict[str, Outcome] = {
        "": unlisted("database", files),
        "read": reads("database"),
        "unknown": dynamic("database", files),
        "delete": writes("delete", files, "database"),
        "change": writes("overwrite" if files else "network", files, "database"),
    }
    written = [writes("overwrite", one.files, "database") for one in found if one is not None and one.files]
    return [*(does[one.kind if one else ""] for one in found), *written]


def server(
    call: Call, row: Row, codes: str, scripts: str, lists: str = "", attached: str = ""
) -> list[Outcome]:
    """A client of a server: `codes` are its options with inline statements, `scripts` those with a file of them."""
    options = read_options(call.args, row.takes, attached=names(attached), style=row.style)
    kept = call.args
    if attached:
        # `-pSECRET` is one word: as a cluster it would name options.
        kept = tuple(Word("-p") if word.text.startswith("-p") else word for word in call.args)
    inline = options.values(names(codes))
    found = changing(row(replace(call, args=kept))) + _check_database_address(options)
    if options.has(names(lists) | HELP) and not inline:
        return found or [reads("database")]
    if call.name == "psql":
        # Variables go into the statements; output may go into a program.
        found += [
            dynamic("database") if ";" in value.text or value.decoded else unlisted("database")
            for value in options.values(names("-v --set --variable"))
            if value.dynamic or value.decoded or not PSQL_SETTING.match(value.text)
        ]
        if any(value.text.lstrip().startswith("|") for value in options.values(names("-o --output"))):
            found.append(dynamic("database"))
    told = _database_sql_outcomes(_read_database_sql(call, inline))
    if options.values(names(scripts)) or (not told and call.stdin.kind not in ("none", "text")):
        told.append(writes("network", (), "database"))
    return [*found, *(told or [unlisted("database")])]


def sqlite(call: Call) -> list[Outcome]:
    row = DATABASES.duckdb if call.name == "duckdb" else DATABASES.sqlite
    options, found = proven(row, call)
    if options.has(names("-version --version -help --help")):
        return found or [reads("database")]
    given = options.operands
    files = tuple(word.text for word in given[:1] if word.text != ":memory:")
    codes = [*options.values(names("-cmd --cmd -c -s")), *given[1:]]
    told = _database_sql_outcomes(_read_database_sql(call, codes), files)
    if options.values(names("-init --init")) or (not told and call.stdin.kind not in ("none", "text")):
        return [*found, *told, writes("overwrite", files, "database")]
    return [*found, *told] if told else [*found, unlisted("database", files)]


def query(call: Call, own: Row) -> list[Outcome]:
    """Its operand is a statement."""
    options, found = proven(own, call)
    told = _database_sql_outcomes(_read_database_sql(call, options.operands))
    return [*found, *(told or [unlisted("database")])]


def mongo(call: Call) -> list[Outcome]:
    options, found = proven(DATABASES.mongosh, call)
    found += _check_database_address(options)
    inline = options.values(names("--eval"))
    call.hide_code(*inline)
    code = "\n".join(word.text for word in inline)
    if call.stdin.kind == "text" and not inline:
        code = call.stdin.text
    elif not inline:
        return [*found, unlisted("database")]
    if any(text.endswith((".js", ".mjs")) for text in options.texts()):
        return [*found, unlisted("database")]
    if any(word.dynamic for word in inline) or call.stdin.kind not in ("none", "text"):
        found.append(dynamic("database"))
    plain = MONGO_STRING.sub("''", code)
    statements = [one for one in MONGO_NEXT.split(MONGO_VALUE.sub("0", plain)) if one.strip()]
    asks = all(MONGO_ASKS.fullmatch(one) for one in statements) and not MONGO_COMPUTES.search(code)
    if MONGO_DELETES.search(plain) or MONGO_CHANGES.search(code):
        does = writes("delete" if MONGO_DELETES.search(plain) else "network", (), "database")
    elif asks and "\\" not in code:
        does = reads("database")
    else:
        does = dynamic("database") if DESTROYS.search(code) else unlisted("database")
    return [*found, does]


def redis(call: Call) -> list[Outcome]:
    row = DATABASES.redis
    options = read_options(call.args, row.takes, stop=True)
    count = len(call.args) - len(options.rest)
    found = changing(row(replace(call, args=call.args[:count])))
    if not options.rest and call.stdin.kind != "none" and not options.flags:
        return [dynamic("database")]
    # With a place of its own to go to, what is computed could be carried out.
    if options.values(names("-h -u")) and any(word.made for word in call.args):
        found.append(dynamic("database"))
    if not options.rest:
        asks = options.has(names("--version --stat --latency --bigkeys --memkeys --hotkeys --scan -v --help"))
        return (found or [reads("database")]) if asks else [*found, unlisted("database")]
    if not options.rest[0].plain:
        return [dynamic("database")]
    verb, second, *_ = (*(word.text.lower() for word in options.rest[:2]), "")
    if verb in REDIS_READS or second in REDIS_PAIRS.get(verb, ()):
        return found or [reads("database")]
    if verb in REDIS_GOVERNS:
        return [dynamic("database")]
    return [*found, writes("delete" if verb in REDIS_DELETES else "network", (), "database")]
