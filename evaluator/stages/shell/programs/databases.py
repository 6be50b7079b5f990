"""Database clients: their inline statements decide."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.code.sql import Kind, Sql, read_sql
from evaluator.stages.shell.code.sql_text import Dialect
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.stages.shell.spec import HELP, Spec, always, by_words, programs
from evaluator.stages.shell.words import Word

SERVER_VALUED = names(
    "-h --host -p --port -U -u --user --username -d --dbname --database -D -S --socket -P -F -R -T -v --set "
    "--variable --pset -o --output --protocol "
    "--default-character-set -f --file -c --command -e --execute -q --query -Q -i -s --server -t --format -w "
    "--log-file -L --host -N --execute-file"
)
DIALECTS: dict[str, Dialect] = {
    "psql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite3": "sqlite",
    "sqlite": "sqlite",
    "duckdb": "sqlite",
}
MONGO_DELETES = re.compile(
    r"\.(?:drop\w*|delete\w*|remove\w*|dropDatabase|findOneAndDelete|shutdownServer)\s*\("
)
MONGO_CHANGES = re.compile(
    r"\.(?:insert\w*|update\w*|replace\w*|save|create\w*|rename\w*|bulkWrite|findAndModify|findOneAnd\w+|grant\w*|adminCommand|runCommand)\s*\("
)
REDIS_READS = names(
    "get mget keys scan exists ttl pttl type strlen hget hgetall hmget hkeys hvals hlen hexists lrange llen "
    "lindex smembers scard sismember zrange "
    "zcard zscore zrangebyscore info ping dbsize client config memory monitor object randomkey slowlog time "
    "xlen xrange xread cluster lastsave command echo sscan hscan zscan bitcount"
)
REDIS_DELETES = names(
    "del unlink flushall flushdb hdel srem zrem ltrim lpop rpop spop getdel expire pexpire xdel xtrim"
)


def _by_kind(kind: Kind, files: tuple[str, ...] = ()) -> Outcome:
    if kind == "read":
        return reads("database")
    if kind == "unknown":
        return dynamic("database", files)
    return writes("delete" if kind == "delete" else ("overwrite" if files else "network"), files, "database")


def _statements(call: Call, words: list[Word]) -> list[Sql]:
    found: list[Sql] = []
    dialect = DIALECTS.get(call.name, "other")
    for word in words:
        call.hide_code(word)
        computed = word.decoded or (word.dynamic and word.text.startswith(("$", "`")))
        found.append(Sql("unknown") if computed else read_sql(word.text, dialect))
    if not words and call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        found.append(read_sql(call.stdin.text, dialect))
    return found


def _effects(found: list[Sql], files: tuple[str, ...] = ()) -> list[Outcome]:
    written = [writes("overwrite", one.files, "database") for one in found if one.files]
    return [*(_by_kind(one.kind, files) for one in found), *written]


def _server(codes: str, scripts: str, valued: frozenset[str] = SERVER_VALUED, valueless: str = "") -> Handler:
    """A client of a server: `codes` are its options with inline statements, `scripts` those with a file of them."""
    code_options, script_options = names(codes), names(scripts)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(
            call.args,
            (valued | code_options | script_options) - names(valueless),
            attached=names("-p") if "mysql" in call.name or "maria" in call.name else frozenset(),
        )
        if options.has(HELP | names("-V -l --list -?")):
            return [reads("database")]
        settings = options.values(names("-v --set --variable"))
        if call.name == "psql" and any(";" in value.text or value.decoded for value in settings):
            return [dynamic("database")]
        found = _effects(_statements(call, options.values(code_options)))
        if options.values(script_options) or (not found and call.stdin.kind in ("file", "pipe")):
            found.append(writes("network", (), "database"))
        found += [
            writes("overwrite", (value.text,), "database") for value in options.values(names("-o --output"))
        ]
        return found or [unlisted("database")]

    return handle


def _sqlite(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-cmd -init -separator -nullvalue -newline -mmap -vfs -c -s"), style="single"
    )
    given = options.operands
    files = tuple(word.text for word in given[:1] if word.text != ":memory:")
    codes = [*given[1:], *options.values(names("-cmd -c -s"))]
    if options.has(names("-version --version -help --help")):
        return [reads("database")]
    found = _statements(call, codes)
    if options.values(names("-init")) or (not found and call.stdin.kind in ("file", "pipe")):
        return [writes("overwrite", files, "database")]
    if not found:
        return [unlisted("database", files)]
    return _effects(found, files)


def _bigquery(call: Call) -> list[Outcome]:
    """BigQuery: one verb runs SQL, the others look, make or remove."""
    options = read_options(
        call.args,
        names(
            "--project_id --dataset_id --location --format --max_rows -n --destination_table --parameter "
            "--job_id"
        ),
    )
    given = options.operands
    verb = given[0].text if given else "help"
    if verb == "query":
        if options.values(names("--destination_table")):
            return [writes("network", (), "database")]
        statements = _statements(call, given[1:])
        return _effects(statements) or [unlisted("database")]
    if verb in ("rm", "truncate"):
        return [writes("delete", (), "database")]
    looks = verb in ("ls", "show", "head", "help", "version", "info", "wait", "get-iam-policy")
    return [reads("database")] if looks else [writes("network", (), "database")]


def _mongo(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("--eval --host --port -u -p --username --password --authenticationDatabase -f --file"),
    )
    codes = [word.text for word in options.values(names("--eval"))]
    for word in options.values(names("--eval")):
        call.hide_code(word)
    if call.stdin.kind == "text" and not codes:
        codes = [call.stdin.text]
    scripts = [text for text in options.texts() if text.endswith(".js")]
    if scripts or not codes:
        return [unlisted("database")]
    code = "\n".join(codes)
    if MONGO_DELETES.search(code):
        return [writes("delete", (), "database")]
    if MONGO_CHANGES.search(code):
        return [writes("network", (), "database")]
    return (
        [dynamic("database")]
        if re.search(r"\b(?:load|eval|exec|require|fs\.)\s*\(?", code)
        else [reads("database")]
    )


def _redis(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-h -p -a -n -u -s --user --pass -r -i -x --eval --pattern --count --intrinsic-latency"),
        stop=True,
    )
    if options.may_have(names("--eval")) or (not options.rest and call.stdin.kind != "none"):
        return [dynamic("database")]
    verb = options.rest[0].text.lower() if options.rest else ""
    if not verb:
        return (
            [reads("database")]
            if options.has(names("--version --stat --latency --bigkeys --scan -v"))
            else [unlisted("database")]
        )
    if verb in REDIS_READS and not (
        verb == "config" and "set" in [word.text.lower() for word in options.rest[1:2]]
    ):
        return [reads("database")]
    if verb in (
        "shutdown",
        "debug",
        "failover",
        "replicaof",
        "slaveof",
        "restore",
        "swapdb",
        "script",
        "function",
    ):
        return [governs("database")]
    return [writes("delete" if verb in REDIS_DELETES else "network", (), "database")]


DUMP = Spec(
    "database",
    outputs={"-f": "overwrite", "--file": "overwrite", "-r": "overwrite", "--result-file": "overwrite"},
    valued=SERVER_VALUED,
)
PROGRAMS: dict[str, Handler] = {
    **programs("psql", _server("-c --command", "-f --file", valueless="-q -e -t -s -L -N -w -S -i --query")),
    **programs(
        "mysql mariadb", _server("-e --execute", "", valueless="-s -t -v -c -f -q -N -w -L -i --file --query")
    ),
    **programs("clickhouse-client clickhouse", _server("-q --query", "--queries-file")),
    **programs("sqlcmd bcp", _server("-Q -q", "-i")),
    **programs("cqlsh", _server("-e --execute", "-f --file")),
    **programs("snowsql trino presto", _server("-q --query --execute", "-f --file")),
    **programs("sqlite3 sqlite duckdb", _sqlite),
    **programs("mongosh mongo", _mongo),
    **programs("bq", _bigquery),
    **programs("redis-cli valkey-cli", _redis),
    **programs("pg_dump pg_dumpall mysqldump mariadb-dump", DUMP),
    **programs("pg_isready mysqlshow pg_config", always("read", "database")),
    **programs(
        "mysqladmin",
        by_words(
            "status ping version processlist variables extended-status",
            "read",
            by_words("drop shutdown kill stop-slave stop-replica", "governs", "network", "database"),
            "database",
        ),
    ),
    **programs(
        "pg_restore mysqlimport mongorestore mongoimport createdb createuser", always("network", "database")
    ),
    **programs("dropdb dropuser", always("delete", "database")),
    **programs(
        "mongodump mongoexport",
        Spec(
            "database",
            "overwrite",
            outputs={"-o": "overwrite", "--out": "overwrite"},
            valued=names("-d --db -c --collection --uri -h --host"),
        ),
    ),
}
