"""Cases from recorded sessions, by the labels of `compass hindsight`: a real request, and a write that followed it.

A turn that was fine and about which no question was due gives a clear case, its first write; one that was misread, or
about which a question was due, an ambiguous one, the write that was not wanted. All others give none. The clear ones'
counterparts are made by `calibration.cases.counterparts`. All cases of a session are one unit. Labels by signs alone
count nowhere: half of all refusals mean something else.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from calibration.cases.case import CONTENT_KEYS, Classify, Label, word
from calibration.cases.counterparts import PairChange, counterpart
from calibration.cases.sources import CaseRow, Collected, from_rows
from calibration.hindsight.turns import TurnLabel
from evaluator.effects import FILE_TOOLS
from evaluator.model import Exchange, PendingWrite
from hooks import registry
from hooks.sessions import Called, Passed, Sessions

CASES_PER_SESSION = 10
TEXT_CHARS_MAX = 8000


def from_sessions(
    folder: Path, classify: Classify, labels: Iterable[TurnLabel], host_name: str = registry.DEFAULT
) -> Collected:
    """Cases made from every transcript of that host below `folder`. Raises ValueError where readers labelled no turn of
    them."""
    host = registry.host_of(host_name).sessions()
    wanted = dict(filter(None, map(_case_call_and_label, labels)))
    rows = [
        row
        for path in host.find_transcripts([str(folder)])
        for row in _session_case_rows(path, classify, host, wanted)
    ]
    if not rows:
        raise ValueError(
            f"{folder}: model readers have labelled none of its turns; run `compass hindsight {folder}` first"
        )
    found = Counter(str(row["label"]) for _, row in rows if not row.get("generated"))
    note = (
        f"Of the turns in the recorded sessions, model readers labelled {found['clear']} clear in hindsight "
        f"(fine, and no question was due) and {found['ambiguous']} ambiguous (misread, or a question was due); the "
        "others are left out"
    )
    return from_rows(rows, classify, "sessions", (note,))


def _case_call_and_label(label: TurnLabel) -> tuple[str, Label] | None:
    """The call to make a case of, and its label."""
    if label.by == "signs" or not label.writes:
        return None
    if label.misread:
        return (*label.calls, *label.writes)[0], "ambiguous"
    if label.due == "yes":
        return label.writes[0], "ambiguous"
    return (label.writes[0], "clear") if label.hindsight == "fine" and label.due == "no" else None


def _session_case_rows(
    path: str, classify: Classify, host: Sessions, wanted: Mapping[str, Label]
) -> Iterator[tuple[str, CaseRow]]:
    made = 0
    for moment in host.session_moments(path, Passed()):
        if not isinstance(moment, Called) or moment.agent_id is not None or made >= CASES_PER_SESSION:
            continue
        label = wanted.get(moment.tool_use_id or moment.uuid)
        is_write = moment.tool_name in FILE_TOOLS
        if label is not None and moment.tool_name == "Bash":
            is_write = classify(word(moment.tool_input, "command"), moment.cwd).verdict != "read_only"
        exchange = _exchange_for_case(path, moment, host) if label and is_write else None
        if label is None or exchange is None:
            continue
        made += 1
        yield from _cases_of_session_call(moment, exchange, label, made)


def _cases_of_session_call(
    call: Called, exchange: Exchange, label: Label, number: int
) -> Iterator[tuple[str, CaseRow]]:
    session = hashlib.sha256(call.session_id.encode("utf-8", "replace")).hexdigest()[:10]
    name, given = f"session-{session}-{number}", call.tool_input
    # Relative to where the session ran; empty for a command.
    path = word(given, "notebook_path") or word(given, "file_path")
    target = path.removeprefix(call.project.rstrip("/") + "/")
    row: dict[str, object] = {
        "id": f"{name}-{label}", "pair": name, "session": f"session-{session}", "label": label,
        "user_message": exchange.request_text, "prior_assistant_turn": exchange.prior_assistant_turn,
        "tool_name": call.tool_name, "exists": call.created is False, **_session_write_fields(call, target),
    }  # fmt: skip
    yield f"{name}:1", row
    # What the assistant said before may name the target just as well.
    other = counterpart(exchange.request_text, PairChange((target,) if target else ()), name)
    if label == "clear" and other is not None and len(exchange.request) == 1:
        made = {"id": f"{name}-made", "label": "ambiguous"}
        yield f"{name}:2", {
            **row, **made, "user_message": other, "prior_assistant_turn": "", "generated": True,
        }  # fmt: skip


def _exchange_for_case(path: str, call: Called, host: Sessions) -> Exchange | None:
    """What led to the call; None where more than words did, which a case cannot hold."""
    then = host.then()
    then.go_to(call.end)
    pending = PendingWrite(
        host="case", session_id=call.session_id, tool_name=call.tool_name, tool_input=call.tool_input,
        cwd=call.cwd, project_dir=call.project, transcript_path=path, prompt_id=call.prompt_id,
    )  # fmt: skip
    found = then.exchange(pending, ())
    plain = not (found.questions or found.plans or found.delegated_task)
    return found if plain and found.request_text.strip() else None


def _session_write_fields(call: Called, target: str) -> Mapping[str, object]:
    if call.tool_name == "Bash":
        return {"command": word(call.tool_input, "command")}
    texts = {key: call.tool_input[key] for key in CONTENT_KEYS if key in call.tool_input}
    cut = {key: text[:TEXT_CHARS_MAX] if isinstance(text, str) else text for key, text in texts.items()}
    return {"file_path": target, **cut}
