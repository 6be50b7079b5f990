"""What the person reads when they spoke to Compass, and what the agent is told of it. Imported for controls alone."""

from __future__ import annotations

from collections.abc import Sequence

from compass.composition.gate import Wired
from evaluator.intervention import resolution as model
from evaluator.intervention.control import MAIN, Control, pause_in
from evaluator.intervention.records import Denial, Intervention
from evaluator.model import KeptPrompt
from evaluator.record import Record, replace
from evaluator.trigger.calls import display

CALLS_TOLD_MAX = 5
AGENT = {
    "cancel": "The user cancelled the calls that Compass held back: their targets stay denied for this request.",
    "pause": "The user paused Compass: writes are not checked for now. Their message was not a request.",
    "resume": "The user resumed Compass: writes are checked again. Their message was not a request.",
    "proceed_settings": "The user allows changes to Compass's own settings and hooks until their next message.",
}
KINDS = {"vcs": "a git command", "network": "a network call", "unknown": "a command", "run": "a command"}
_NOTHING = (
    "Nothing was released or changed. If it was meant for the agent, send it without `compass` in front."
)


class SpokenControl(Record):
    """A control and the session that it was said in: `prompts` end in it, `held` is what waits there.

    `queued`: it was typed while the agent worked, whose turn goes on whatever is answered.
    """

    control: Control
    prompts: Sequence[KeptPrompt]
    held: Intervention | None
    queued: bool
    now: float


def confirmation(spoken: SpokenControl, wired: Wired) -> tuple[str, str]:
    """(what the person is shown, what the agent is told) of a spoken control word; without a word for the agent the
    prompt costs no model turn. What is stated of a release or a pause holds once the prompt stands in the session's
    file."""
    verb = spoken.control.verb
    if verb == "unknown":
        return meant(spoken.control.meant), ""
    if verb == "status":
        return status(spoken, wired), ""
    if verb in ("pause", "resume"):
        ends = _minutes_for_message(spoken.control.minutes)
        person = f"Compass is paused for {ends}: writes are not checked. `compass: resume` ends it."
        if verb == "resume":
            was = pause_in(spoken.prompts[:-1], spoken.now) is not None
            person = f"Compass {'checks writes again' if was else 'was not paused: writes are checked'}."
        # A prompt that is stopped waits for the end of the running turn, and these words count at once.
        return person, AGENT[verb] if spoken.queued else ""
    if verb == "proceed_settings":
        person = "Compass: until your next message, the agent may change Compass's own settings and hooks."
        return person, AGENT[verb]
    after = covered(spoken, wired)
    if after is None or not after.denials:
        return "Compass holds nothing back in this session: there is nothing to release or cancel.", ""
    calls = _render_held_calls(after.denials, wired.project_dir)
    if verb == "cancel":
        stays = "stay" if len(after.denials) > 1 else "stays"
        return f"Compass: cancelled. {calls} {stays} denied for this request.", AGENT["cancel"]
    more = {
        "proceed_all": " The other writes for this request may run too, unless they destroy something.",
        "wrong": " Recorded as a needless hold: `compass hindsight` counts it.",
    }.get(verb, "")
    released = "; ".join(_render_held_call(one, one.call.targets) for one in after.denials)
    agent = f"The user allowed what Compass held back: {released}. Each may run once."
    if verb == "proceed_all":
        agent += " Other non-destructive writes for this request may run too."
    return f"Compass: allowed by you, once each: {calls}.{more}", agent


def meant(words: Sequence[str]) -> str:
    """The answer to a prompt that is nearly a control word such as `compass: release`."""
    if tuple(words) == MAIN:
        known = ", ".join(f"`{word}`" for word in words)
        return (
            f"Compass does not know this word. Type one of these as the whole message:\n{known}.\n{_NOTHING}"
        )
    asked = " or ".join(f"`{word}`" for word in words)
    return f"Compass: did you mean {asked}? Type it as the whole message.\n{_NOTHING}"


def status(spoken: SpokenControl, wired: Wired) -> str:
    """Mode, backend, what is held in this session, and how long a pause lasts."""
    waiting = model.waiting(spoken.held, spoken.now)
    held = "Nothing is held in this session."
    if waiting:
        calls = _render_held_calls(waiting, wired.project_dir)
        held = f"Held in this session: {calls}. Type `compass: proceed` or `compass: cancel`."
    if pause := pause_in(spoken.prompts, spoken.now):
        held += f" Paused for {_minutes_for_message((pause.ends - spoken.now) / 60)} more."
    return f"Compass: mode {wired.settings.mode}, backend {wired.backend}.\n{held}"


def covered(spoken: SpokenControl, wired: Wired) -> Intervention | None:
    """What a release or a cancel is about; what was held while the word was typed is not covered by it."""
    found, verb = spoken.held, spoken.control.verb
    for prompt in spoken.prompts:
        if found is not None and prompt.position > found.position:
            found = model.resolve(found, model.UserReply(prompt.text, prompt.position), spoken.now)
    if found is None or verb == "proceed_all":
        return found
    covered = [
        one for one in found.denials if (model.is_cancelled(found, one) if verb == "cancel" else one.released)
    ]
    return replace(found, denials=tuple(covered))


def _render_held_calls(denials: Sequence[Denial], project_dir: str) -> str:
    told = [
        _render_held_call(one, [display(target, project_dir) for target in one.call.targets])
        for one in denials[:CALLS_TOLD_MAX]
    ]
    left = len(denials) - len(told)
    return "; ".join(told) + (f" and {left} more" if left else "")


def _render_held_call(denial: Denial, targets: Sequence[str]) -> str:
    """A held call in a colleague's words: "delete src/a.py", "git commit", "a command"."""
    act = next((one.act for one in denial.call.each if one.act), "")
    kind = act or KINDS.get(denial.call.operation, denial.call.operation)
    return f"{kind} {', '.join(targets)}".strip()


def _minutes_for_message(minutes: float) -> str:
    whole = max(1, round(minutes))
    return f"{whole} minute{'s' if whole > 1 else ''}"
