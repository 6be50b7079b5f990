"""The state's SQL as PostgreSQL reads it, with the team in every table, key and conflict. Text in, text out."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

AS_IT_IS = "/* postgresql */"
"""What a statement begins with that is written for PostgreSQL alone: it is run as it is, but for `?`."""

TEXT = 'text COLLATE "C"'
TYPES = {"INTEGER": "bigint", "REAL": "double precision", "TEXT": TEXT, "BLOB": "bytea", "BOOLEAN": "boolean"}
RULES = frozenset({"NOT", "NULL", "DEFAULT", "PRIMARY", "CHECK"})
"""What may follow the name of a column that has no type."""

HASHED = frozenset({"directory", "stem", "target"})
"""Columns that hold paths: in a key they stand as a hash, for a row of an index holds 2,704 bytes at most."""

LOOKED_UP_LOCALLY = frozenset({"checks_by_project", "checks_by_session", "checks_by_host"})
"""Indexes of what reads a developer's own machine. They hold paths, and nothing asks a team's database for them."""

KEPT_LOCALLY = frozenset({"precedents", "precedent_words"})
"""Tables of a developer's own words: a team's database does not have them."""

_QUOTED = re.compile(r"""('(?:[^']|'')*'|"[^"]*")""")
_CONFLICT = re.compile(r"\bON\s+CONFLICT\s*\(([^()]*)\)", re.IGNORECASE)
_TABLE = re.compile(
    r"\s*CREATE\s+TABLE\s+(\w+)\s*\((.*)\)\s*(?:WITHOUT\s+ROWID)?\s*", re.IGNORECASE | re.DOTALL
)
_INDEX = re.compile(
    r"\s*CREATE\s+(UNIQUE\s+)?INDEX\s+(\w+)\s+ON\s+(\w+)\s*\(([^()]*)\)\s*(WHERE\s.*)?",
    re.IGNORECASE | re.DOTALL,
)
_COLUMN = re.compile(r"\s*ALTER\s+TABLE\s+(\w+)\s+ADD\s+COLUMN\s+(.*)", re.IGNORECASE | re.DOTALL)
_KEY = re.compile(r"\s*(PRIMARY\s+KEY|UNIQUE)\s*\(([^()]*)\)\s*", re.IGNORECASE)
_OWN_KEY = re.compile(r"\s*\bPRIMARY\s+KEY\b", re.IGNORECASE)


@lru_cache(maxsize=1024)
def rendered(sql: str) -> str:
    """A statement that reads or writes, with `%s` for each `?`. Raises ValueError for what only SQLite knows."""
    if re.match(r"\s*(INSERT\s+OR|REPLACE)\s", sql, re.IGNORECASE):
        raise ValueError(f"only SQLite knows: {sql.strip()[:60]}")
    to_each: Callable[[re.Match[str]], str] = (
        (lambda found: found[0])
        if sql.startswith(AS_IT_IS)
        else lambda found: f"ON CONFLICT ({_with_team(found[1])})"
    )
    parts = _QUOTED.split(sql.replace("%", "%%"))
    parts[::2] = [_CONFLICT.sub(to_each, part).replace("?", "%s") for part in parts[::2]]
    return "".join(parts)


def schema(statement: str) -> tuple[str, ...]:
    """A statement of a migration as those of PostgreSQL. Raises ValueError for one that cannot be read."""
    if statement.startswith(AS_IT_IS):
        return (statement,)
    if found := _TABLE.fullmatch(statement):
        return () if found[1] in KEPT_LOCALLY else _table(found[1], found[2])
    if found := _INDEX.fullmatch(statement):
        unique, name, table, columns, where = found.groups(default="")
        if name in LOOKED_UP_LOCALLY or table in KEPT_LOCALLY:
            return ()
        return (f"CREATE {unique}INDEX {name} ON {table} ({_with_team(columns)}) {where}".rstrip(),)
    if found := _COLUMN.fullmatch(statement):
        return (f"ALTER TABLE {found[1]} ADD COLUMN {_column(found[2])}",)
    raise ValueError(f"neither a table, an index nor a column: {statement.strip()[:60]}")


def _table(name: str, body: str) -> tuple[str, ...]:
    """The table, its key, and that a role sees and writes the rows of the transaction's team alone."""
    columns: list[str] = []
    keys: list[str] = []
    for item in _items(body):
        if found := _KEY.fullmatch(item):
            keys.append(found[2])
        elif _OWN_KEY.search(item):
            keys.append(item.split()[0])
            columns.append(_numbered(item) or f"{_column(_OWN_KEY.sub('', item))} NOT NULL")
        else:
            columns.append(_column(item))
    plain = [key for key in keys if HASHED.isdisjoint(_names(key))]
    hashed = [key for key in keys if key not in plain]
    stated = (
        f"team {TEXT} NOT NULL DEFAULT current_setting('compass.team') CHECK (team <> '')",
        *columns,
        *(f"UNIQUE ({_with_team(key)})" for key in plain[1:]),
        *(f"PRIMARY KEY ({_with_team(key)})" for key in plain[:1]),
    )
    return (
        f"CREATE TABLE {name} (\n    " + ",\n    ".join(stated) + "\n)",
        *(f"CREATE UNIQUE INDEX {name}_key ON {name} ({_with_team(key)})" for key in hashed),
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY",
        f"""CREATE POLICY own_team ON {name} USING (team = current_setting('compass.team'))
        WITH CHECK (team = current_setting('compass.team'))""",
        # It asks no policy.
        f"REVOKE TRUNCATE ON {name} FROM CURRENT_USER",
    )


def _items(body: str) -> list[str]:
    """What stands between the commas that are in no parentheses."""
    items: list[str] = []
    depth = start = 0
    for at, character in enumerate(body):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            items.append(body[start:at].strip())
            start = at + 1
    return [*items, body[start:].strip()]


def _column(item: str) -> str:
    name, _, rest = item.strip().partition(" ")
    word, _, after = rest.strip().partition(" ")
    if word.upper() in TYPES:
        return f"{name} {TYPES[word.upper()]} {after}".rstrip()
    if word and word.upper() not in RULES:
        raise ValueError(f"the type of a column is unknown: {item.strip()[:60]}")
    return f"{name} {TEXT} {rest}".rstrip()


def _numbered(item: str) -> str | None:
    """A key that SQLite counts up by itself."""
    name, *rest = item.split()
    return (
        f"{name} bigint GENERATED ALWAYS AS IDENTITY"
        if [one.upper() for one in rest[:1]] == ["INTEGER"]
        else None
    )


def _with_team(columns: str) -> str:
    """The columns of a key, after the team."""
    hashed = (f"hashtextextended({name}, 0)" if name in HASHED else name for name in _names(columns))
    return ", ".join(("team", *hashed))


def _names(columns: str) -> list[str]:
    return [name.strip() for name in columns.split(",")]
