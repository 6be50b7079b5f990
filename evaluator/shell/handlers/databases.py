"""Database clients, whose inline statements decide, and tools that change the shape of a database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from evaluator.shell.call import (
    NONE,
    Call,
    Options,
    Outcome,
    Style,
    dynamic,
    governs,
    read_options,
    reads,
    unlisted,
    writes,
)
from evaluator.shell.code.sql import Dialect, Sql, StatementKind, read_sql
from evaluator.shell.handlers.code import DESTROYS
from evaluator.shell.handlers.common import changing, proven
from evaluator.shell.rows.row import HELP, Row, is_foreign
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.tables import Vocabulary, names

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
            return [governs(FAMILY)]
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


def _elsewhere(options: Options, operands: Sequence[Word]) -> list[Outcome]:
    """A connection may stand in a variable of the environment; what is computed here could carry something out."""
    words = [*operands, *(value for name, value in options.flags if name in CONNECTS and value is not None)]
    return [dynamic("database")] if any(word.made or word.decoded for word in words) else []


def _by_kind(kind: StatementKind, files: tuple[str, ...] = ()) -> Outcome:
    if kind == "read":
        return reads("database")
    if kind == "unknown":
        return dynamic("database", files)
    return writes("delete" if kind == "delete" else ("overwrite" if files else "network"), files, "database")


def _statements(call: Call, words: Sequence[Word]) -> list[Sql | None]:
    """None for a statement with a value of the environment in it, which may be another statement."""
    found: list[Sql | None] = []
    dialect = DIALECTS.get(call.name, "other")
    for word in words:
        call.hide_code(word)
        if word.decoded or word.made or (word.dynamic and word.text.startswith(("$", "`"))):
            found.append(Sql("unknown"))
        else:
            sql = read_sql(word.text, dialect)
            found.append(None if word.dynamic and sql.kind == "read" else sql)
    if not words and call.stdin.kind == "text":
        call.hide_input()
        found.append(read_sql(call.stdin.text, dialect))
    return found


def _effects(found: Sequence[Sql | None], files: tuple[str, ...] = ()) -> list[Outcome]:
    written = [writes("overwrite", one.files, "database") for one in found if one is not None and one.files]
    told = [unlisted("database", files) if one is None else _by_kind(one.kind, files) for one in found]
    return [*told, *written]


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
    found = changing(row(replace(call, args=kept))) + _elsewhere(options, options.operands)
    if options.has(names(lists) | HELP) and not inline:
        return found or [reads("database")]
    if call.name == "psql":
        found += _psql_settings(options)
    told = _effects(_statements(call, inline))
    if options.values(names(scripts)) or (not told and call.stdin.kind not in ("none", "text")):
        told.append(writes("network", (), "database"))
    return [*found, *(told or [unlisted("database")])]


def _psql_settings(options: Options) -> list[Outcome]:
    """Variables go into the statements; output may go into a program."""
    found: list[Outcome] = []
    for value in options.values(names("-v --set --variable")):
        if ";" in value.text or value.decoded:
            found.append(dynamic("database"))
        elif value.dynamic or not PSQL_SETTING.match(value.text):
            found.append(unlisted("database"))
    if any(value.text.lstrip().startswith("|") for value in options.values(names("-o --output"))):
        found.append(dynamic("database"))
    return found


def sqlite(call: Call) -> list[Outcome]:
    row = DATABASES.duckdb if call.name == "duckdb" else DATABASES.sqlite
    options, found = proven(row, call)
    if options.has(names("-version --version -help --help")):
        return found or [reads("database")]
    given = options.operands
    files = tuple(word.text for word in given[:1] if word.text != ":memory:")
    codes = [*options.values(names("-cmd --cmd -c -s")), *given[1:]]
    told = _effects(_statements(call, codes), files)
    if options.values(names("-init --init")) or (not told and call.stdin.kind not in ("none", "text")):
        return [*found, *told, writes("overwrite", files, "database")]
    return [*found, *told] if told else [*found, unlisted("database", files)]


def query(call: Call, own: Row) -> list[Outcome]:
    """Its operand is a statement."""
    options, found = proven(own, call)
    told = _effects(_statements(call, options.operands))
    return [*found, *(told or [unlisted("database")])]


def mongo(call: Call) -> list[Outcome]:
    options, found = proven(DATABASES.mongosh, call)
    found += _elsewhere(options, options.operands)
    inline = options.values(names("--eval"))
    codes = [word.text for word in inline]
    call.hide_code(*inline)
    if call.stdin.kind == "text" and not codes:
        codes = [call.stdin.text]
    if not codes or any(text.endswith((".js", ".mjs")) for text in options.texts()):
        return [*found, unlisted("database")]
    if any(word.dynamic for word in inline) or call.stdin.kind not in ("none", "text"):
        found.append(dynamic("database"))
    return [*found, _javascript("\n".join(codes))]


def _javascript(code: str) -> Outcome:
    plain = MONGO_STRING.sub("''", code)
    if MONGO_DELETES.search(plain):
        return writes("delete", (), "database")
    if MONGO_CHANGES.search(code):
        return writes("network", (), "database")
    statements = [one for one in MONGO_NEXT.split(MONGO_VALUE.sub("0", plain)) if one.strip()]
    asks = all(MONGO_ASKS.fullmatch(one) for one in statements) and not MONGO_COMPUTES.search(code)
    if asks and "\\" not in code:
        return reads("database")
    return governs("database") if DESTROYS.search(code) else unlisted("database")


def redis(call: Call) -> list[Outcome]:
    row = DATABASES.redis
    options = read_options(call.args, row.takes, stop=True)
    count = len(call.args) - len(options.rest)
    found = changing(row(Call(call.name, call.args[:count], call.stdin, call.shell)))
    if not options.rest and call.stdin.kind != "none" and not options.flags:
        return [dynamic("database")]
    words = options.rest
    # With a place of its own to go to, what is computed could be carried out.
    if options.values(names("-h -u")) and any(word.made for word in call.args):
        found.append(dynamic("database"))
    if not words:
        asks = options.has(names("--version --stat --latency --bigkeys --memkeys --hotkeys --scan -v --help"))
        return (found or [reads("database")]) if asks else [*found, unlisted("database")]
    if not words[0].plain:
        return [dynamic("database")]
    verb = words[0].text.lower()
    second = words[1].text.lower() if len(words) > 1 else ""
    if verb in REDIS_READS or second in REDIS_PAIRS.get(verb, ()):
        return found or [reads("database")]
    if verb in REDIS_GOVERNS:
        return [governs("database")]
    return [*found, writes("delete" if verb in REDIS_DELETES else "network", (), "database")]
