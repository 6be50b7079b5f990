"""What Compass keeps of the host's other events: prompts, results, the ends of a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compass.joining.gate import Wired
from evaluator.configuration.record import remember_if_set_up
from evaluator.effects import text_of
from evaluator.exchange.replies import is_continuation, is_control_reply
from evaluator.intervention import memory as model
from evaluator.intervention.control import parse_control
from evaluator.intervention.held import Intervention

FOLLOW_UP = {
    "cancel": "The user cancelled the calls that Compass held back: their targets stay denied for this request.",
    "pause": "The user paused Compass: writes are not checked for now.",
    "resume": "The user resumed Compass: writes are checked again.",
}


def note(event: str, payload: Mapping[str, object], wired: Wired, now: float) -> bytes:
    """What the event leaves behind; returns what the agent is told, which is nothing for most."""
    store, session = wired.store, wired.host.session_of(payload)
    if wired.parts.attended:
        store.note_attended(session)
    delegated = _is_delegated(event, payload, session, wired)
    if event == "session-start":
        store.start_session(session, wired.project_dir, now)
        store.sweep(now, wired.settings.retention_days)
        remember_if_set_up(wired.env, wired.home, wired.project_dir)
    elif event == "session-end":
        store.end_session(session, now)
    elif event == "user-prompt-submit":
        return _prompt(payload, session, wired, now, heard=not delegated)
    else:
        tool_use_id, succeeded = text_of(payload, "tool_use_id"), event == "post-tool-use"
        store.settle(tool_use_id, now, succeeded=succeeded)
        if store.intervention(session) is not None:
            store.change_intervention(session, _settlement(tool_use_id, succeeded=succeeded), None)
    return b""


def _is_delegated(event: str, payload: Mapping[str, object], session: str, wired: Wired) -> bool:
    """Whether a tool call started the session. Asked early, so that its own calls find it noted as theirs."""
    if event not in ("session-start", "user-prompt-submit"):
        return False
    transcript = text_of(payload, "transcript_path")
    return wired.host.origin(wired.env, wired.store, session, transcript) is not None


def _settlement(
    tool_use_id: str, *, succeeded: bool
) -> Callable[[Intervention | None], tuple[Intervention | None, None]]:
    def change(found: Intervention | None) -> tuple[Intervention | None, None]:
        return (None if found is None else model.settled(found, tool_use_id, succeeded=succeeded)), None

    return change


def _prompt(payload: Mapping[str, object], session: str, wired: Wired, now: float, *, heard: bool) -> bytes:
    text = text_of(payload, "prompt")
    if wired.host.is_machine_text(text):
        return b""
    opens = not is_continuation(text) and not is_control_reply(text)
    wired.store.add_prompt(session, text_of(payload, "prompt_id") or None, text, now, opens_turn=opens)
    told = _told(text, wired.store.intervention(session)) if heard else ""
    return wired.host.prompt_context(told) if told else b""


def _told(text: str, found: Intervention | None) -> str:
    """Facts about what the user's control reply allows. It counts only once it stands in the transcript."""
    control = parse_control(text)
    if control is None:
        return ""
    if control.verb in ("pause", "resume"):
        return FOLLOW_UP[control.verb]
    if found is None or not found.denials or control.verb not in ("proceed", "proceed_all", "cancel"):
        return ""
    if control.verb == "cancel":
        return FOLLOW_UP["cancel"]
    calls = [
        f"{denial.call.operation} of {', '.join(denial.call.targets) or 'no named target'}"
        for denial in found.denials
    ]
    allowed = f"The user allowed what Compass held back: {'; '.join(calls)}. Each may run once."
    if control.verb == "proceed_all":
        allowed += " Other non-destructive writes of this request may run too."
    return allowed
