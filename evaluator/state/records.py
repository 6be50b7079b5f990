"""How values of outside origin are kept: ids, text with lone surrogates, folders, and a check as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from evaluator.record import Record, replace, values_of

if TYPE_CHECKING:
    from sqlite3 import Connection

    from evaluator.model import Check, PendingWrite
    from evaluator.ports import TurnKey

T = TypeVar("T")

ID_CHARS_MAX = 200
PROMPT_CHARS_MAX = 1_000_000
RECORD_TEXT_CHARS_MAX = 20_000
DIGEST_PREFIX = "sha256:"
NEXT_TO_SLASH = "0"
"""Sorts right behind every path below a folder."""
STORED_AS = {"effects": "effect"}
"""Fields of a check whose stored name is another, which older records have."""

Stored = str | bytes


def stored(text: str) -> Stored:
    """`text` itself, or its bytes where lone surrogates keep it from being UTF-8. `loaded` undoes it."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def loaded(value: object) -> str:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else str(value)


def bounded_id(identifier: str) -> str:
    """The id, or its digest if it is over `ID_CHARS_MAX` characters. Different ids stay different."""
    if len(identifier) <= ID_CHARS_MAX and not identifier.startswith(DIGEST_PREFIX):
        return identifier
    import hashlib

    return DIGEST_PREFIX + hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()


def stored_id(identifier: str) -> Stored:
    return stored(bounded_id(identifier))


def texts(row: Iterable[Any]) -> list[Any]:
    """A row's values, with texts as they were before `stored`."""
    return [loaded(value) if isinstance(value, bytes) else value for value in row]


def value_of(db: Connection, query: str, given: tuple[object, ...], otherwise: T) -> T:
    """The first column of the first row; `otherwise` where there is no row, or nothing in it."""
    row = db.execute(query, given).fetchone()
    return otherwise if row is None or row[0] is None else cast(T, row[0])


def below(project: str, column: str = "project_dir") -> tuple[str, tuple[object, ...]]:
    """A condition that holds for a project's folder and those below it, as a host may be started in one of these; and
    what it is given. `column` is a column or an expression.
    """
    whole = project.rstrip("/")
    bounds = (stored(project), stored(f"{whole}/"), stored(whole + NEXT_TO_SLASH))
    return f"({column} = ? OR ({column} >= ? AND {column} < ?))", bounds


def record_of(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> dict[str, object]:
    """A check as JSON values, under the field names of `model.Check`, with `turn` beside them.

    Without `store_evidence` exchange and evidence are null and the command is empty; the resolved option
    stays. The tool's own input is never kept: it holds file contents. Texts are cut, with a mark, at
    `RECORD_TEXT_CHARS_MAX` characters and ids are bounded.
    """
    return cast(dict[str, object], _plain(_kept(check, turn, store_evidence=store_evidence)))


def text_of_record(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> str:
    """`record_of` as JSON."""
    import json

    kept = _kept(check, turn, store_evidence=store_evidence)
    text = json.dumps(kept, default=values_of)
    # No text in it is over the bound where all of it is not.
    return text if len(text) <= RECORD_TEXT_CHARS_MAX else json.dumps(_plain(kept))


def _kept(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> dict[str, object]:
    """What is kept of a check, with its records and texts as they are."""
    kept = {STORED_AS.get(name, name): value for name, value in values_of(check).items()}
    kept["pending"] = _pending(check.pending)
    kept["turn"] = turn and {
        "session_id": bounded_id(turn.session_id),
        "agent_id": bounded_id(turn.agent_id),
        "ordinal": turn.ordinal,
    }
    if store_evidence:
        return kept
    kept["exchange"] = kept["evidence"] = None
    if check.effects is not None:
        kept["effect"] = replace(check.effects, command="")
    return kept


def _pending(pending: PendingWrite) -> dict[str, object]:
    kept = {name: value for name, value in values_of(pending).items() if name not in ("tool_input", "said")}
    for name in ("session_id", "prompt_id", "tool_use_id", "agent_id"):
        value: str | None = getattr(pending, name)
        kept[name] = None if value is None else bounded_id(value)
    return kept


def _plain(value: object) -> object:
    if value is None:
        return None
    if isinstance(value, str):
        left_out = len(value) - RECORD_TEXT_CHARS_MAX
        return value if left_out <= 0 else f"{value[:RECORD_TEXT_CHARS_MAX]} [cut: {left_out} characters]"
    if isinstance(value, Record):
        return {name: _plain(held) for name, held in values_of(value).items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast(tuple[object, ...], value)]
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in cast(dict[str, object], value).items()}
    return value
