"""Inline SQL: what the statements do, by their verbs. Strings and comments are skipped; nothing is parsed further."""

from __future__ import annotations

import re
from typing import Literal

from evaluator.stages.shell.options import names

Kind = Literal["read", "change", "delete", "unknown"]

SKIPPED = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL
)
VERB = re.compile(r"\s*\(*\s*(\\?\.?[A-Za-z!]+)")
READING = names(
    "select show explain describe desc pragma values table use set begin start commit rollback end with fetch "
    "declare close "
    "help status list get analyze check checksum"
)
CHANGING = names(
    "insert update alter create replace merge upsert grant revoke reindex vacuum refresh comment lock call do "
    "copy load import "
    "rename attach detach optimize cluster reset exec execute put"
)
DELETING = names("delete drop truncate purge")
INSIDE = re.compile(
    r"\b(insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+\w+|truncate)\b", re.IGNORECASE
)
INTO = re.compile(r"\binto\s+(?:outfile|dumpfile|table|temp|temporary|unlogged|\w+\s+from)\b", re.IGNORECASE)
READING_META = names(
    "\\d \\dt \\dv \\di \\du \\dn \\df \\l \\x \\g \\G \\gx \\gset \\dt+ \\d+ \\l+ \\du+ \\dn+ \\df+ \\di+ "
    "\\dv+ \\timing \\conninfo \\q \\z \\pset \\a \\h \\dp \\ds \\dx \\c "
    "\\encoding \\sf \\set "
    ".tables .schema .headers .header .mode .databases .indexes .indices .width .quit .exit .timer .nullvalue "
    ".separator .help "
    ".show .dump .fullschema .stats .echo .bail"
)
META = re.compile(r"\\[A-Za-z!?.]+")
# psql runs what stands in backticks behind a meta-command, and sends a result where `\g` says.
BACKTICKS_RUN = re.compile(r"^\s*\\\w+[^\n]*`|\\gx?[ \t]+[^\s;]", re.MULTILINE)
# Functions that act although a SELECT calls them.
EFFECTS = re.compile(
    r"\b(?:writefile|load_extension|edit|lo_export|lo_import|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_file_\w+|dblink\w*"
    r"|setval|nextval|xp_cmdshell|sys_exec|sys_eval|pg_rotate_logfile|pg_promote|pg_switch_wal)\s*\(",
    re.IGNORECASE,
)
WRITING_PRAGMA = re.compile(r"\s*pragma\s+\w+(?:\.\w+)?\s*=", re.IGNORECASE)


def kind_of_sql(code: str) -> Kind:
    """The severest kind of all statements; `unknown` for what runs programs or files, or starts with no known verb."""
    if BACKTICKS_RUN.search(code):
        return "unknown"
    plain = SKIPPED.sub(" '' ", code)
    if any(token not in READING_META for token in META.findall(plain)) or EFFECTS.search(plain):
        return "unknown"
    kinds = [_statement(part) for part in _statements(plain)]
    for kind in ("unknown", "delete", "change"):
        if kind in kinds:
            return kind
    return "read"


def _statements(text: str) -> list[str]:
    parts: list[str] = []
    for line in text.split(";"):
        rest = line.strip()
        while rest.startswith(("\\", ".")):
            meta, _, rest = rest.partition("\n")
            parts.append(meta)
            rest = rest.strip()
        if rest:
            parts.append(rest)
    return parts


def _statement(text: str) -> Kind:
    found = VERB.match(text)
    if not found:
        return "unknown"
    verb = found.group(1).lower()
    if verb.startswith(("\\", ".")):
        return "read" if verb in READING_META else "unknown"
    if verb == "explain" and re.match(r"\s*explain\s+\(?\s*analy[sz]e\b", text, re.IGNORECASE):
        inside = INSIDE.search(text)
        return (
            ("delete" if inside.group(1).lower().startswith(("delete", "drop", "truncate")) else "change")
            if inside
            else "read"
        )
    if verb in DELETING:
        return "delete"
    if verb in CHANGING:
        if verb == "copy" and re.search(r"\bto\s+stdout\b", text, re.IGNORECASE):
            return "read"
        if verb == "copy" and re.search(r"\bprogram\b", text, re.IGNORECASE):
            return "unknown"
        return (
            "delete"
            if re.search(r"\bdrop\s+(?:column|table|constraint)\b", text, re.IGNORECASE)
            else "change"
        )
    if verb in READING:
        inside = INSIDE.search(text) if verb == "with" else None
        if inside:
            return (
                "delete" if inside.group(1).lower().startswith(("delete", "drop", "truncate")) else "change"
            )
        if verb == "pragma":
            return "change" if WRITING_PRAGMA.match(text) else "read"
        return "change" if verb == "select" and INTO.search(text) else "read"
    return "unknown"
