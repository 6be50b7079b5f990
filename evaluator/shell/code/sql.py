"""Inline SQL: what the statements do, by their verbs, and which files the client writes. Nothing is parsed further."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evaluator.shell.code.sql_text import Dialect, SqlText, read_text
from evaluator.shell.options import names

StatementKind = Literal["read", "change", "delete", "unknown"]

CODE_MAX = 200_000
"""Characters; longer text is not looked at."""
VERB = re.compile(r"[\s(]*+([A-Za-z]+)")
READING = names(
    "select show explain describe desc pragma values table use set begin start commit rollback end with fetch "
    "declare close help status list get check checksum from summarize prepare deallocate discard savepoint release "
    "abort listen unlisten print go exists kill_query"
)
CHANGING = names(
    "insert update alter create replace merge upsert grant revoke reindex vacuum refresh comment lock call do "
    "copy load import rename attach detach optimize cluster reset exec execute put analyze install export notify"
)
DELETING = names("delete drop truncate purge")
# A statement inside of another one stands behind a bracket: in a common table expression, or behind all of them.
INSIDE = re.compile(
    r"[()]\s*(?:(delete)\s+from|(?:insert|replace|merge|upsert)\s+(?:or\s+\w+\s+)?into|update\s+(?!\())\b",
    re.IGNORECASE,
)
DROPS = re.compile(r"\bdrop\s+(?:column|table|constraint|partition|index|key)\b", re.IGNORECASE)
INTO = re.compile(r"\binto\b(?!\s+@)", re.IGNORECASE)
EXPLAINED = re.compile(
    r"\s*explain\s*(\([^()]*\)|(?:(?:analy[sz]e|verbose|extended|query\s+plan|format\s*=\s*\w+)\b\s*)*)",
    re.IGNORECASE,
)
GLOBAL = re.compile(r"\s*set\s+(?:global|persist(?:_only)?)\b|\s*set\s+@@(?:global|persist)", re.IGNORECASE)
PRAGMA = re.compile(r"\s*pragma\s+(?:\w+\.)?(\w+)\s*(=|\()?", re.IGNORECASE)
SESSION_PRAGMAS = names(
    "foreign_keys busy_timeout cache_size temp_store case_sensitive_like synchronous query_only read_uncommitted "
    "recursive_triggers mmap_size locking_mode threads automatic_index defer_foreign_keys"
)
ASKING_PRAGMAS = names(
    "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check "
    "integrity_check quick_check show_tables"
)
ACTING_PRAGMAS = names("incremental_vacuum wal_checkpoint optimize shrink_memory")
# Functions that act although a SELECT calls them.
EFFECTS = re.compile(
    r"\b(?:writefile|load_extension|edit|lo_export|lo_import|lo_unlink|pg_terminate_backend|pg_cancel_backend"
    r"|pg_reload_conf|pg_file_\w+|dblink\w*|pg_drop_\w+|query_to_xml\w*"
    r"|lo_create|lo_creat|lo_put|lo_from_bytea|lowrite|pg_logical_emit_message|pg_create_\w+|pg_replication_\w+|pg_stat_reset\w*"
    r"|pg_start_backup|pg_stop_backup|pg_backup_\w+|pg_wal_replay_\w+|pg_notify|pg_import_\w+|pg_advisory_\w*unlock\w*"
    r"|table_to_xml\w*|xp_\w+|sp_\w+|fts3_tokenizer"
    r"|setval|nextval|xp_cmdshell|sys_exec|sys_eval|pg_rotate_logfile|pg_promote|pg_switch_wal)\s*\(",
    re.IGNORECASE,
)
FILING = {
    "vacuum": re.compile(r"\s*vacuum(?:\s+\w+)?\s+into\b\s*(?:'(\d+)'\s*\Z)?", re.IGNORECASE),
    "attach": re.compile(
        r"\s*attach\b\s*(?:database\s+)?(?:if\s+not\s+exists\s+)?(?:'(\d+)')?", re.IGNORECASE
    ),
    "export": re.compile(r"\s*export\s+database\s+(?:'(\d+)')?", re.IGNORECASE),
}
"""Of an embedded database: the file that they write or make, None where it is computed."""
COPIES_TO = re.compile(r"\bto\s+(stdout|pstdout|program|'[^']*'|[^\s;'()]+)", re.IGNORECASE)
READING_META = names(
    "x g G gx gset gdesc timing conninfo q z pset a t H h ? c connect encoding sf sv set unset l echo qecho warn "
    "prompt password errverbose watch crosstabview bind f C T \\ s r p # u N W w charset if elif else endif"
)
DESCRIBING = re.compile(r"(?:d\w*|l|sf|sv|z)[+S]*\Z")
READING_DOTS = names(
    "tables table schema headers header mode databases indexes indices width quit exit timer nullvalue separator "
    "help show dump fullschema stats echo bail print changes eqp explain limit lint parameter progress prompt "
    "sha3sum timeout version vfsinfo vfslist dbinfo expert maxrows maxwidth large_number_rendering columns rows"
)
INSERTED = re.compile(r"(?<![:\w]):[A-Za-z_]\w*")
ARGUMENT = re.compile(r"'([^']*)'|\"([^\"]*)\"|(\S+)")


@dataclass(frozen=True, slots=True)
class Sql:
    """The severest kind of all statements, and the local files that the client writes besides."""

    kind: StatementKind
    files: tuple[str, ...] = ()


def kind_of_sql(code: str, dialect: Dialect = "other") -> StatementKind:
    return read_sql(code, dialect).kind


def read_sql(code: str, dialect: Dialect) -> Sql:
    """`unknown` for what runs programs or files, is not closed, or starts with no known verb."""
    text = read_text(code, dialect) if len(code) <= CODE_MAX else None
    if text is None or EFFECTS.search(text.plain):
        return Sql("unknown")
    # The client puts in what a variable holds, and that may be another statement.
    if INSERTED.search(text.plain) and any(name == "set" and ";" in given for name, given in text.commands):
        return Sql("unknown")
    files: list[str] = []
    kinds = [_command(name, arguments, dialect, files) for name, arguments in text.commands]
    kinds += [_statement(part, dialect, text, files) for part in text.statements()]
    for kind in ("unknown", "delete", "change"):
        if kind in kinds:
            return Sql(kind, tuple(files))
    return Sql("read", tuple(files))


def _statement(statement: str, dialect: Dialect, text: SqlText, files: list[str]) -> StatementKind:
    found = VERB.match(statement)
    if not found:
        return "unknown"
    verb = found.group(1).lower()
    if verb == "explain":
        prefix = EXPLAINED.match(statement)
        runs = prefix is not None and re.search(r"analy[sz]e", prefix.group(1), re.IGNORECASE)
        return _statement(statement[prefix.end() :], dialect, text, files) if prefix and runs else "read"
    if verb in DELETING:
        return "delete"
    if verb == "copy" and dialect != "mysql":
        return _copied(statement, dialect, text, files)
    if dialect == "sqlite" and verb in FILING:
        return _filed(statement, verb, text, files)
    if verb in CHANGING:
        return "delete" if DROPS.search(statement) and verb == "alter" else "change"
    if verb not in READING:
        return "unknown"
    if verb == "with" and (inside := INSIDE.search(statement)):
        deleting = any(one.group(1) for one in INSIDE.finditer(statement))
        return "delete" if deleting or inside.group(1) else "change"
    if verb == "pragma":
        return _pragma(statement)
    if verb == "set":
        return "change" if GLOBAL.match(statement) else "read"
    return "change" if verb in ("select", "with", "from") and INTO.search(statement) else "read"


def _filed(statement: str, verb: str, text: SqlText, files: list[str]) -> StatementKind:
    """Statements of an embedded database that may name a file of their own."""
    named = FILING[verb].match(statement)
    if named is None:
        return "change"
    if named.group(1) is None:
        return "unknown"
    file = text.strings[int(named.group(1))]
    files += [file] if file and file != ":memory:" else []
    return "change" if verb == "attach" else "read"


def _copied(statement: str, dialect: Dialect, text: SqlText, files: list[str]) -> StatementKind:
    """`COPY ... TO`: on a server its own file, in an embedded database a local one."""
    to = COPIES_TO.findall(statement)
    if re.search(r"\bprogram\b", statement, re.IGNORECASE):
        return "unknown"
    inside = INSIDE.search(statement)
    if inside:
        return "delete" if inside.group(1) else "change"
    if to and to[-1].lower() in ("stdout", "pstdout"):
        return "read"
    if to and dialect == "sqlite" and to[-1].startswith("'"):
        files.append(text.strings[int(to[-1].strip("'"))])
        return "read"
    return "change"


def _pragma(statement: str) -> StatementKind:
    found = PRAGMA.match(statement)
    if not found:
        return "unknown"
    name, sign = found.group(1).lower(), found.group(2)
    if name in ACTING_PRAGMAS:
        return "change"
    if sign is None or name in SESSION_PRAGMAS or (sign == "(" and name in ASKING_PRAGMAS):
        return "read"
    return "change"


def _command(name: str, arguments: str, dialect: Dialect, files: list[str]) -> StatementKind:
    if dialect == "sqlite":
        return _dot_command(name.lower(), arguments, files)
    given = arguments.strip()
    if dialect == "postgres":
        # It runs what stands in backticks.
        if "`" in arguments:
            return "unknown"
        if name == "copy":
            return _client_copy(given, files)
        if name in ("g", "gx", "o", "out", "w"):
            target = "" if given.startswith("(") else given.rstrip(";").strip()
            if target.startswith("|"):
                return "unknown"
            files += [target.strip("'\"")] if target else []
            return "read"
        return "read" if name in READING_META or DESCRIBING.match(name) else "unknown"
    return (
        "read"
        if name.rstrip(";") in ("G", "g", "s", "h", "?", "q", "c", "r", "p", "u", "W", "w", "#", "C", "x")
        else "unknown"
    )


def _client_copy(given: str, files: list[str]) -> StatementKind:
    to = COPIES_TO.findall(given)
    if re.search(r"\bprogram\b", given, re.IGNORECASE):
        return "unknown"
    if inside := INSIDE.search(given):
        return "delete" if inside.group(1) else "change"
    if not to:
        return "change"
    if to[-1].lower() not in ("stdout", "pstdout"):
        files.append(to[-1].strip("'"))
    return "read"


def _dot_command(name: str, arguments: str, files: list[str]) -> StatementKind:
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
