"""Clear cases from recorded sessions: a real request, and the first write that the agent made for it and the user kept.

Kept means: it succeeded, it is not on an abandoned branch, nothing later in the session takes it back, and the user's
next words do not complain. Its counterpart is made by `calibration.cases.pairs`. All cases of a session are one unit.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calibration.cases.corpus import CaseRow
from calibration.cases.pairs import PairChange, counterpart
from calibration.cases.sources import Collected, from_rows
from calibration.cases.subjects import CONTENT_KEYS, Classify, word
from evaluator.effects import FILE_TOOLS
from evaluator.exchange.replies import is_continuation
from evaluator.intervention.control import is_control_reply
from evaluator.model import Exchange, PendingWrite
from hooks import registry
from hooks.moments import Called, Passed, Spoken
from hooks.sessions import Sessions

CASES_PER_SESSION = 10
TEXT_CHARS_MAX = 8000

_COMPLAINT = re.compile(
    r"\b(?:undo|revert|roll ?back|restore|put (?:it|that) back|wrong|not what|why did you|why are you|didn't ask|"
    r"don't|do not|stop|rückgängig|falsch|nicht das|warum hast|annule|reviens|faux|pourquoi|deshaz|revierte|mal)\b"
    r"|^(?:no|nein|non|nope|wait|halt|stopp?)\b|撤销|回滚|戻して|違う|되돌려|отмени|верни",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\bgit\s+(?:checkout|restore|reset|stash|revert|clean)\b")


def from_sessions(folder: Path, classify: Classify, host_name: str = registry.DEFAULT) -> Collected:
    """Every transcript of that host below `folder`. Raises ValueError for a row that cannot be used."""
    host = registry.host_of(host_name).sessions()
    paths = host.find_transcripts([str(folder)])
    rows = [found for path in paths for found in _rows(path, classify, host)]
    return from_rows(rows, classify, "sessions")


def _rows(path: str, classify: Classify, host: Sessions) -> Iterator[tuple[str, CaseRow]]:
    moments = list(host.session_moments(path, Passed()))
    calls = [moment for moment in moments if isinstance(moment, Called) and moment.agent_id is None]
    standing = host.standing(path)
    made = 0
    for place, moment in enumerate(moments):
        if made >= CASES_PER_SESSION:
            return
        if not isinstance(moment, Spoken) or is_continuation(moment.text) or is_control_reply(moment.text):
            continue
        following = moments[place + 1 :]
        until = next((n for n, other in enumerate(following) if isinstance(other, Spoken)), len(following))
        written = (one for one in following[:until] if isinstance(one, Called) and one.agent_id is None)
        first = next((one for one in written if _is_write(one, classify)), None)
        if first is None or first.fate != "ran" or first.uuid not in standing:
            continue
        reply = following[until] if until < len(following) else None
        if isinstance(reply, Spoken) and _COMPLAINT.search(reply.text):
            continue
        if _taken_back(first, calls[calls.index(first) + 1 :]):
            continue
        exchange = _exchange(path, first, host)
        if exchange is None:
            continue
        made += 1
        yield from _pair(first, exchange, made)


def _pair(call: Called, exchange: Exchange, number: int) -> Iterator[tuple[str, CaseRow]]:
    session = hashlib.sha256(call.session_id.encode("utf-8", "replace")).hexdigest()[:10]
    name, target = f"session-{session}-{number}", _target(call)
    row: dict[str, object] = {
        "id": f"{name}-clear", "pair": name, "session": f"session-{session}", "label": "clear", "category": "session",
        "user_message": exchange.request_text, "prior_assistant_turn": exchange.prior_assistant_turn,
        "tool_name": call.tool_name, "exists": call.created is False, **_write(call, target),
    }  # fmt: skip
    yield f"{name}:1", row
    # What the assistant said before may name the target just as well.
    other = counterpart(exchange.request_text, PairChange((target,) if target else ()), name)
    if other is not None and len(exchange.request) == 1:
        made = {"id": f"{name}-ambiguous", "label": "ambiguous", "category": f"session:{other.rule}"}
        yield f"{name}:2", {
            **row, **made, "user_message": other.request, "prior_assistant_turn": "", "generated": True,
        }  # fmt: skip


def _exchange(path: str, call: Called, host: Sessions) -> Exchange | None:
    """What led to the call; None where more than words did, which a case cannot hold."""
    then = host.then()
    then.go_to(call.end, call.heard)
    pending = PendingWrite(
        host="case", session_id=call.session_id, tool_name=call.tool_name, tool_input=call.tool_input,
        cwd=call.cwd, project_dir=call.project, transcript_path=path, prompt_id=call.prompt_id,
    )  # fmt: skip
    found = then.exchange(pending, ())
    plain = not (found.questions or found.plans or found.delegated_task)
    return found if plain and found.request_text.strip() else None


def _is_write(call: Called, classify: Classify) -> bool:
    if call.tool_name in FILE_TOOLS:
        return True
    if call.tool_name != "Bash":
        return False
    return classify(word(call.tool_input, "command"), call.cwd).verdict != "read_only"


def _taken_back(call: Called, later: Sequence[Called]) -> bool:
    name = os.path.basename(_target(call))
    for other in later:
        if other.fate != "ran":
            continue
        command = word(other.tool_input, "command") if other.tool_name == "Bash" else ""
        removed = name and re.search(rf"\b(?:rm|mv)\b[^\n]*{re.escape(name)}", command)
        if removed or _TAKES_BACK.search(command):
            return True
        same = _target(other) == _target(call) and bool(_target(call))
        if same and _texts(other) == _texts(call)[::-1] and all(_texts(call)):
            return True
    return False


def _texts(call: Called) -> tuple[str, str]:
    return word(call.tool_input, "old_string"), word(call.tool_input, "new_string")


def _target(call: Called) -> str:
    """Relative to where the session ran, empty for a command."""
    path = word(call.tool_input, "notebook_path") or word(call.tool_input, "file_path")
    inside = call.project.rstrip("/") + "/"
    return path[len(inside) :] if path.startswith(inside) else path


def _write(call: Called, target: str) -> Mapping[str, object]:
    if call.tool_name == "Bash":
        return {"command": word(call.tool_input, "command")}
    texts = {key: call.tool_input[key] for key in CONTENT_KEYS if key in call.tool_input}
    cut = {key: text[:TEXT_CHARS_MAX] if isinstance(text, str) else text for key, text in texts.items()}
    return {"file_path": target, **cut}
