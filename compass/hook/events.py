"""What Compass keeps of the host's other events: prompts, results, the start and end of a session."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from compass.composition.gate import Wired, begin_session
from evaluator.effects import text_of
from evaluator.errors import StateError
from evaluator.files import FaultLog
from evaluator.intervention.control import parse_control
from evaluator.intervention.records import Intervention
from evaluator.model import AUTO
from evaluator.settings.keys import KEPT_DAYS
from evaluator.settings.places import record_if_set_up, recorded_key, state_dir
from evaluator.text import DAY_SECONDS, is_continuation

if TYPE_CHECKING:
    from compass.hook.control_messages import SpokenControl


def note(event: str, payload: Mapping[str, object], wired: Wired, now: float) -> bytes:
    """What the event leaves behind; returns what the agent is told, which is nothing for most."""
    store, session = wired.store, wired.host.session_of(payload)
    if wired.parts.attended:
        store.note_attended(session)
    origin = None
    if event in ("session-start", "user-prompt-submit"):
        store.note_mode(session, wired.settings.mode, now)
        # Asked early, so that the session's own calls find it noted as theirs.
        origin = wired.host.origin(wired.env, store, session, text_of(payload, "transcript_path"))
    if event == "session-start":
        record_if_set_up(wired.env, wired.home, wired.project_dir)
        return session_started(payload, session, wired, now)
    if event == "session-end":
        store.end_session(session, now)
    elif event == "user-prompt-submit":
        return _answer_prompt_event(payload, session, wired, now, heard=origin is None)
    else:
        tool_use_id = text_of(payload, "tool_use_id")
        succeeded = event == "post-tool-use" and payload.get("failed") is not True
        store.settle(tool_use_id, now, succeeded=succeeded)
        if store.intervention(session) is not None:
            from evaluator.intervention.resolution import settled

            def settle(found: Intervention | None) -> tuple[Intervention | None, None]:
                return (None if found is None else settled(found, tool_use_id, succeeded=succeeded)), None

            store.change_intervention(session, settle, None)
        return _owed_event_answer(event, payload, wired, session)
    return b""


def session_started(payload: Mapping[str, object], session: str, wired: Wired, now: float) -> bytes:
    """Begins a session in the state; tells who reads from now on, where that changed."""
    store, settings = wired.store, wired.settings
    store.start_session(session, wired.project_dir, now)
    store.sweep(now, settings.retention_days)
    project = recorded_key(state_dir(wired.env, wired.home), wired.project_dir)
    store.sweep_precedents(project, now - KEPT_DAYS * DAY_SECONDS)
    if settings.evaluator.base_url:
        from compass.composition.team_policy import fetch_policy_at_start

        fetch_policy_at_start(settings, wired.env, wired.home, wired.aside)
    if wired.host.goes_on(payload):
        return b""
    told = begin_session(wired, session)[1] if settings.evaluator.backend == AUTO else ""
    if settings.enabled and settings.mode == "observe" and wired.parts.attended:
        # A gate that only watches says once a day what it would have held the day before.
        today, note = time.strftime("%Y-%m-%d", time.localtime(now)), f"watched:{wired.project_dir}"
        if not store.change_note(note, lambda before: (today, before == today), True):
            watched = day_before(state_dir(wired.env, wired.home), wired.project_dir, now)
            told = "\n".join(filter(None, (told, watched)))
    return wired.host.inform("session-start", "", told) if told else b""


def _owed_event_answer(event: str, payload: Mapping[str, object], wired: Wired, session: str) -> bytes:
    if text_of(payload, "agent_id") or not wired.store.owes(session):
        return b""
    owed = wired.take_owed(session)
    return wired.host.inform(event, owed.agent, owed.person) if owed.person else b""


def _answer_prompt_event(
    payload: Mapping[str, object], session: str, wired: Wired, now: float, *, heard: bool
) -> bytes:
    text, prompt_id = text_of(payload, "prompt"), text_of(payload, "prompt_id") or None
    if wired.host.is_machine_text(text):
        # A subagent in the background reports.
        return _owed_event_answer("user-prompt-submit", payload, wired, session)
    store, control = wired.store, parse_control(text)
    before = store.prompts(session) if control is not None else ()
    store.add_prompt(session, prompt_id, text, now, opens_turn=control is None and not is_continuation(text))
    # In a session that a person attends, what comes through the client's SDK is not theirs.
    typed = wired.parts.attended or not store.was_attended(session)
    if control is None or not (heard and typed):
        return b""
    from compass.hook.control_messages import SpokenControl, confirmation

    queued = prompt_id is not None and any(one.prompt_id == prompt_id for one in before)
    spoken = SpokenControl(control, store.prompts(session), store.intervention(session), queued, now)
    person, agent = confirmation(spoken, wired)
    if control.verb == "cancel" and spoken.held is not None:
        _remember_cancel_event(payload, spoken, wired)
    if agent or not wired.host.STOPS_PROMPTS:
        return wired.host.inform("user-prompt-submit", agent, person)
    return wired.host.stop_prompt(person)


def _remember_cancel_event(payload: Mapping[str, object], spoken: SpokenControl, wired: Wired) -> None:
    """Most people end the session with a cancel, so no later call would find it. The person reads it in any case."""
    if wired.parts.memory is None:
        return
    from compass.hook.control_messages import covered

    try:
        noted = covered(spoken, wired)
        if noted is None or not noted.denials:
            return
        from evaluator.gate import precedents

        pending = wired.host.pending_write({**payload, "tool_name": "none", "tool_input": {}}, wired.env)
        precedents.refuse_precedent(wired.parts, pending, noted, spoken.now)
    except Exception as error:  # noqa: BLE001 - a cancel holds without what is remembered of it
        FaultLog(state_dir(wired.env, wired.home), time.time).note(
            "a precedent from a cancel", f"{type(error).__name__}: {error}"
        )


def day_before(state_dir: str, project_dir: str, now: float) -> str:
    """How many requests of yesterday would have been held; empty where none had a check."""
    from evaluator.state.history import History

    here = time.localtime(now)
    midnight = time.mktime((here.tm_year, here.tm_mon, here.tm_mday, 0, 0, 0, 0, 0, -1))
    yesterday = time.localtime(midnight - DAY_SECONDS / 2)
    began = time.mktime((yesterday.tm_year, yesterday.tm_mon, yesterday.tm_mday, 0, 0, 0, 0, 0, -1))
    held, every = 0, 0
    with suppress(StateError):
        held, every = History(state_dir, now).requests(project_dir, began, midnight)
    shown = "; `compass log --held` shows them" if held else ""
    told = f"{held or 'none'} of yesterday's {every} requests would have been held{shown}."
    return f"Compass is only watching here: {told}" if every else ""
