"""Clear cases from recorded sessions: a real request, and the first write that the agent made for it and the user kept.

Kept means: it succeeded, it is not on an abandoned branch, nothing later in the session takes it back, and the user's
next words do not complain. A write that Compass held counts as kept if the user let it go as it was. Its counterpart is
made by `calibration.cases.pairs`. All cases of a session are one unit. What enforcement kept from running is reckoned
with by `calibration.cases.enforced`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.cases.corpus import CaseRow
from calibration.cases.enforced import End, Gated, Selection, drawn, gated_by
from calibration.cases.history import CheckRecord
from calibration.cases.pairs import PairChange, counterpart
from calibration.cases.sources import Collected, from_rows
from calibration.cases.subjects import CONTENT_KEYS, Classify, word
from evaluator.effects import FILE_TOOLS
from evaluator.exchange.replies import is_continuation
from evaluator.intervention.control import is_control_reply, parse_control
from evaluator.model import Exchange, PendingWrite
from hooks import registry
from hooks.moments import Called, Moment, Passed, Spoken
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


@dataclass(frozen=True, slots=True)
class _Kept:
    """A write to make cases of; `held` where the user let it go. `gated`: in a session where writes were held."""

    call: Called
    exchange: Exchange
    number: int
    gated: bool
    held: bool


def from_sessions(
    folder: Path,
    classify: Classify,
    host_name: str = registry.DEFAULT,
    records: Iterable[CheckRecord] = (),
) -> Collected:
    """Every transcript of that host below `folder`, with Compass's `records` of its checks, as far as they are left.

    Raises ValueError for a row that cannot be used.
    """
    host = registry.host_of(host_name).sessions()
    gated, selection = gated_by(records), Selection()
    found = [
        one
        for path in host.find_transcripts([str(folder)])
        for one in _kept(path, classify, host, gated, selection)
    ]
    chance = selection.chance
    used = [one for one in found if _is_used(one, chance)]
    at_once = sum(one.gated and not one.held for one in used)
    rows = [row for one in used for row in _pair(one)]
    return from_rows(rows, classify, "sessions", selection.notes(at_once))


def _is_used(one: _Kept, chance: float | None) -> bool:
    if not one.gated:
        return True
    return chance is not None and (one.held or drawn(_name(one), chance))


def _kept(
    path: str, classify: Classify, host: Sessions, gated: Gated, selection: Selection
) -> Iterator[_Kept]:
    """Counts in `selection` what became of the others."""
    moments = list(host.session_moments(path, Passed()))
    calls = [moment for moment in moments if isinstance(moment, Called) and moment.agent_id is None]
    if not calls:
        return
    standing, traced = host.standing(path), _names_compass(path)
    is_gated = gated.is_gated(calls[0].session_id, traced)
    selection.sessions += is_gated
    made = 0
    for place, moment in enumerate(moments):
        if made >= CASES_PER_SESSION:
            return
        if not isinstance(moment, Spoken) or is_continuation(moment.text) or is_control_reply(moment.text):
            continue
        following = moments[place + 1 :]
        until = next((n for n, other in enumerate(following) if _is_said(other)), len(following))
        written = (one for one in following[:until] if isinstance(one, Called) and one.agent_id is None)
        first = next((one for one in written if _is_write(one, classify)), None)
        if first is None or first.uuid not in standing:
            continue
        ran, held = first, False
        if first.fate != "ran":
            if not (is_gated and gated.was_held(first.session_id, first.tool_use_id, traced)):
                continue
            end, again = _end(first, following[:until])
            selection.ends[end] += 1
            if again is None:
                continue
            ran, held = again, True
        reply = following[until] if until < len(following) else None
        if isinstance(reply, Spoken) and _COMPLAINT.search(reply.text):
            continue
        if _taken_back(ran, calls[calls.index(ran) + 1 :]):
            continue
        exchange = _exchange(path, first, host)
        if exchange is None:
            continue
        made += 1
        selection.passed += is_gated and not held
        yield _Kept(replace(first, created=ran.created), exchange, made, is_gated, held)


def _is_said(moment: Moment) -> bool:
    """Whether a person says something to the agent: what is for Compass changes no request."""
    return isinstance(moment, Spoken) and not is_control_reply(moment.text)


def _end(held: Called, following: Sequence[Moment]) -> tuple[End, Called | None]:
    """What became of a held call before the person said anything else to the agent, and the same call if it ran."""
    for moment in following:
        if isinstance(moment, Spoken):
            control = parse_control(moment.text)
            if control is not None and control.verb == "cancel":
                return "cancelled", None
        elif isinstance(moment, Called) and moment.fate == "ran" and _is_same(moment, held):
            return "released", moment
    return "lost", None


def _is_same(one: Called, other: Called) -> bool:
    said = (one.agent_id, one.tool_name, one.tool_input)
    return said == (other.agent_id, other.tool_name, other.tool_input)


def _names_compass(path: str) -> bool:
    """Whether Compass's words to the user are in the file, as they are wherever it held a write."""
    with open(path, "rb") as file:
        return any(b"compass:" in line for line in file)


def _name(one: _Kept) -> str:
    session = hashlib.sha256(one.call.session_id.encode("utf-8", "replace")).hexdigest()[:10]
    return f"session-{session}-{one.number}"


def _pair(one: _Kept) -> Iterator[tuple[str, CaseRow]]:
    call, exchange, name = one.call, one.exchange, _name(one)
    target = _target(call)
    row: dict[str, object] = {
        "id": f"{name}-clear", "pair": name, "session": name.rpartition("-")[0],
        "label": "clear", "category": "session",
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
