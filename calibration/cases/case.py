"""A labelled case as calibration works on it: what is judged, its label, and what it is independent of. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.effects import digest, effect, folded
from evaluator.model import Effects, Exchange, Operation, OperationClass, PendingWrite

Label = Literal["clear", "ambiguous"]
LABELS: tuple[Label, Label] = ("clear", "ambiguous")
UNDECIDED = ("disputed", "unclear", "unsure")
"""Labels of rows on which the people who labelled them did not agree: such rows are no cases."""
JUDGED = (
    "prior_assistant_turn", "user_message", "tool_name", "file_path", "operation", "command", "content",
    "old_string", "new_string", "new_source", "edits", "exists",
)  # fmt: skip
"""Of a row, all that is judged; id and label are none of it."""


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """`unit` names what is independent of other cases, by `pair` and `session` of all cases that are collected
    (`calibration.cases.case`), and before that its own id; both are empty where the row has none. `generated` marks a
    case that was made from another by a rule. `digest` is equal for the same question to a reader."""

    id: str
    unit: str
    pair: str
    session: str
    label: Label
    source: str
    generated: bool
    pending: PendingWrite
    exchange: Exchange
    effects: Effects
    digest: str

    @property
    def ambiguous(self) -> bool:
        return self.label == "ambiguous"


def labelled(row: Mapping[str, object], classify: Classify, *, source: str, name: str) -> LabelledCase:
    """The case of one row; `name` stands in where the row has no id. Raises ValueError for what cannot be used."""
    said = row.get("label")
    label: Label | None = "clear" if said == "clear" else "ambiguous" if said == "ambiguous" else None
    if label is None:
        raise ValueError(f"label must be one of {', '.join(LABELS)}, not {_render_case_value(said)}")
    for key in ("prior_assistant_turn", "id", "pair", "session", "tool_name", "file_path", "command"):
        if row.get(key) is not None and not isinstance(row[key], (str, int)):
            raise ValueError(f"{key} must be a string, not {_render_case_value(row[key])}")
    own = str(row.get("id") or "") or name
    judged = json.dumps([row.get(key) for key in JUDGED], sort_keys=True, default=str)
    return LabelledCase(
        id=own, unit=own, pair=str(row.get("pair") or ""), session=str(row.get("session") or ""), label=label,
        source=source, generated=row.get("generated") is True, pending=pending_of({**row, "id": own}),
        exchange=exchange_of(row), effects=effects_of(row, classify),
        digest=hashlib.sha256(judged.encode()).hexdigest(),
    )  # fmt: skip


def _render_case_value(value: object) -> str:
    return json.dumps(value, default=str)[:60]


Key = tuple[int, str]
_PAIR, _SESSION, _OWN = range(3)
_KINDS = ("pair:", "session:", "")


def units_of(cases: Sequence[LabelledCase]) -> list[str]:
    """The unit of each case, in their order: equal for all that a chain of shared pairs and sessions connects. A unit
    is named after its first pair, else its first session, else its only case. So a name depends on the set of cases
    alone, not on their order."""
    above: dict[Key, Key] = {}
    for case in cases:
        first, *further = _case_group_keys(case)
        for key in further:
            one, other = sorted((_case_group_root(above, first), _case_group_root(above, key)))
            if one != other:
                above[other] = one
    roots = (_case_group_root(above, _case_group_keys(case)[0]) for case in cases)
    return [f"{_KINDS[kind]}{name}" for kind, name in roots]


def _case_group_keys(case: LabelledCase) -> list[Key]:
    named = [(kind, name) for kind, name in ((_PAIR, case.pair), (_SESSION, case.session)) if name]
    return named or [(_OWN, case.unit)]


def _case_group_root(above: dict[Key, Key], key: Key) -> Key:
    """The least key of the component, which every union puts on top."""
    while key in above:
        up = above[key]
        if up in above:
            above[key] = above[up]
        key = up
    return key


PROJECT_DIR = "/project"
FILE_OPERATIONS: dict[str, tuple[Operation, OperationClass]] = {
    "Write": ("create", "additive"),
    "Edit": ("edit", "modifying"),
    "MultiEdit": ("edit", "modifying"),
    "NotebookEdit": ("edit", "modifying"),
}
CONTENT_KEYS = ("content", "old_string", "new_string", "new_source", "edits")
SIZED_KEYS = ("content", "old_string", "new_string", "new_source")
Classify = Callable[[str, str], Effects]
"""(command, working folder) -> its effect."""


def word(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def absolute(path: str) -> str:
    return path if path.startswith(("/", "~")) else f"{PROJECT_DIR}/{path.removeprefix('./')}"


def file_effect(row: Mapping[str, object], tool_name: str) -> Effects:
    operation, operation_class = FILE_OPERATIONS[tool_name]
    if tool_name == "Write" and (
        row.get("exists") is True or word(row, "operation") in ("overwrite", "edit")
    ):
        operation, operation_class = "overwrite", "modifying"
    path = word(row, "file_path")
    sizes = [word(row, key).count("\n") + 1 for key in SIZED_KEYS if word(row, key)]
    target = absolute(path) if path else ""
    return folded([effect(operation, target, severity=operation_class)], lines=max(sizes, default=None))


def tool_input_of(row: Mapping[str, object], tool_name: str) -> dict[str, object]:
    if tool_name in FILE_OPERATIONS:
        path = word(row, "file_path")
        name = "notebook_path" if tool_name == "NotebookEdit" else "file_path"
        given = {key: row[key] for key in CONTENT_KEYS if row.get(key) is not None}
        return {name: absolute(path) if path else "", **given}
    return {"command": word(row, "command") or word(row, "operation")}


def pending_of(row: Mapping[str, object]) -> PendingWrite:
    """The pending write that a row describes. Raises ValueError, naming what of request and write is missing."""
    tool_name = word(row, "tool_name") or "Write"
    missing: list[str] = []
    if not isinstance(row.get("user_message"), str):
        missing.append("a string user_message")
    if not any(word(row, key) for key in ("file_path", "command", "operation")):
        missing.append("a file_path, a command or an operation")
    if missing:
        raise ValueError(f"a case needs {'; and '.join(missing)}")
    return PendingWrite(
        host="case", session_id=word(row, "id") or "case", tool_name=tool_name,
        tool_input=tool_input_of(row, tool_name), cwd=PROJECT_DIR, project_dir=PROJECT_DIR,
    )  # fmt: skip


def exchange_of(row: Mapping[str, object]) -> Exchange:
    request = word(row, "user_message")
    return Exchange(
        (request,) if request else (),
        word(row, "prior_assistant_turn"),
        delegated_task=word(row, "delegated_task"),
    )


def effects_of(row: Mapping[str, object], classify: Classify) -> Effects:
    """What a row's call would do: file tools take `file_path`, Bash its effects from `classify`. A tool of another name
    is a call: its text stands in `command` (else in `operation`) and it counts as modifying."""
    tool_name = word(row, "tool_name") or "Write"
    if tool_name in FILE_OPERATIONS:
        return file_effect(row, tool_name)
    command = word(row, "command") or word(row, "operation")
    if tool_name == "Bash":
        return classify(command, PROJECT_DIR)
    return folded([effect("run", identity=digest(command))], command=command)


def text_of(row: Mapping[str, object]) -> str | None:
    """The file's text before the write, as far as a case states it: nothing of a new file, of an edit what it
    replaces. None where that is not known."""
    tool_name = word(row, "tool_name") or "Write"
    if tool_name == "Write":
        return None if file_effect(row, tool_name).operation == "overwrite" else ""
    return word(row, "old_string") if tool_name == "Edit" else None
