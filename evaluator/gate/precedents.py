"""Precedents at the gate: which of them readers are shown, and what a passed write or a cancelled one leaves behind.

Loaded only where the project has any, or where a hold was answered.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from evaluator.effects import is_excusable
from evaluator.gate.run import Parts, PrecedentMemory, Run
from evaluator.gate.user_messages import is_voiced
from evaluator.intervention.control import parse_control
from evaluator.intervention.records import Intervention
from evaluator.model import Check, PendingWrite
from evaluator.precedents import RequestPlace, looked_for, shown_of
from evaluator.record import replace, values_of
from evaluator.settings.keys import KEPT_DAYS
from evaluator.text import DAY_SECONDS
from evaluator.trigger.calls import display, relative_to

if TYPE_CHECKING:
    from evaluator.precedents import Settled

LOOKED_AT_MAX = 200
RELEASING = ("proceed", "proceed_all", "proceed_settings", "wrong", "pause")


def show_precedents(run: Run, memory: PrecedentMemory, project: str) -> None:
    """Shows readers what the user settled before that may bear on the write: at most three, the newest first. Nothing
    of a request that the user has explained since, and nothing where no text of the exchange leaves the machine."""
    settings, text = run.settings, run.known_exchange.request_text
    shares = settings.sends_exchange and (settings.memory.share or not run.parts.paid())
    if run.explained or run.origin is not None or not memory.serves() or not shares or not text.strip():
        return
    place = memory.place(run.pending, project)
    words = looked_for(text, _precedent_targets(run.known_effects.targets, place))
    since = run.parts.clock.now() - KEPT_DAYS * DAY_SECONDS
    kept = memory.store.precedents_of(place.project, words, since, LOOKED_AT_MAX)
    found = shown_of([one for one in kept if one.checkout == place.checkout])
    # No destructive call is helped by what was settled of another one.
    found = tuple(one for one in found if one.tightens or not run.destructive)
    if not found:
        return
    from evaluator.egress.evidence import cleaner
    from evaluator.egress.sanitizer import sanitize_path
    from evaluator.precedents import line

    clean, clean_path = cleaner(settings), cleaner(settings, sanitize_path)

    def here(path: str, chars: int) -> str:
        """A precedent's target named as the write's own target is."""
        return clean_path(display(os.path.join(place.root, path), run.pending.project_dir), chars)

    run.evidence = replace(run.known_evidence, precedents=tuple(line(one, clean, here) for one in found))


def settle_precedent(run: Run, found: Check) -> None:
    """The write that fits the user's answer has passed: keep what their words meant."""
    memory, noted = run.parts.memory, run.answered
    if memory is None or noted is None or not _may_settle_precedent(run, found, noted) or not memory.serves():
        return
    from evaluator.precedents import settled

    # What the user typed in answer, the newest; empty where they clicked a reading.
    typed = [text for text in noted.heard if text not in noted.chosen]
    if noted.chosen:
        answer = "" if not noted.heard or noted.heard[-1] in noted.chosen else noted.heard[-1]
    elif typed and typed[-1] not in noted.answers:
        answer = typed[-1]
    else:
        return
    place = memory.place(run.pending, memory.project(run.pending))
    targets = _precedent_targets(run.known_effects.targets, place)
    reading = found.clusters[0].reading if found.clusters else None
    made = settled(noted.request, answer, noted.chosen, targets, reading)
    if made is None:
        return
    name = made.target.rsplit("/", 1)[-1].casefold()
    creates = any(one.operation == "create" for one in run.known_effects.each)
    if creates and not any(name in text.casefold() for text in (*noted.request, answer)):
        return  # The target neither existed nor stands in the user's words.
    held = [one for one in noted.denials if one.binding]
    _keep_precedent(run, memory, place, made, held[-1].check_id if held else "", noted)


def refuse_precedent(parts: Parts, pending: PendingWrite, noted: Intervention, at: float) -> None:
    """Keeps that the targets of what the user has just cancelled are not what their words meant. `pending` names
    session, project and prompt, and no call."""
    memory = parts.memory
    if memory is None:
        return
    run = Run(parts, pending, at)
    run.prompts = parts.store.prompts(pending.session_id)
    run.origin = parts.origin(run.pending)
    run.exchange = parts.transcripts.exchange(run.pending, run.prompts)
    counts = _is_persons_own_call(run) and memory.serves()
    if not counts or not all(is_voiced(run, text) for text in noted.request):
        return
    from evaluator.precedents import refused

    place = memory.place(run.pending, memory.project(run.pending))
    for denial in noted.denials:
        made = refused(noted.request, _precedent_targets(denial.call.targets, place))
        if made is not None and denial.binding:
            _keep_precedent(run, memory, place, made, denial.check_id, noted)


def _may_settle_precedent(run: Run, found: Check, noted: Intervention) -> bool:
    """Whether readers judged a plain write that passed, of a request that a person typed and explained."""
    judged = found.verdict == "passed" and found.decision == "allow" and found.reason == "confident"
    if not judged or run.destructive or not is_excusable(run.known_effects) or not _is_persons_own_call(run):
        return False
    asked = any(denial.binding for denial in noted.denials) or bool(noted.readings)
    if not asked or noted.declined or noted.cancelled or noted.released_all or len(noted.request) == 0:
        return False
    since = min((denial.after for denial in noted.denials), default=noted.listed_at)
    controls = (parse_control(prompt.text) for prompt in run.prompts if prompt.position > since)
    if any(control is not None and control.verb in RELEASING for control in controls):
        return False
    return all(is_voiced(run, text) for text in noted.request)


def _is_persons_own_call(run: Run) -> bool:
    """Whether a person types in this session, and the call is its own agent's."""
    session = run.pending.session_id
    attended = run.parts.attended or run.parts.store.was_attended(session)
    return attended and run.origin is None and not run.pending.agent_id


def _precedent_targets(targets: Sequence[str], place: RequestPlace) -> tuple[str, ...]:
    paths = (relative_to(target, place.root) for target in targets)
    return tuple(path for path in paths if path is not None)


def _keep_precedent(
    run: Run, memory: PrecedentMemory, place: RequestPlace, made: Settled, check_id: str, noted: Intervention
) -> None:
    """Unless this answer has settled something before: the first write that fits it does."""
    from evaluator.precedents import Precedent

    session, kept = run.pending.session_id, memory.store.all_precedents(place.project)
    since = [one for one in kept if one.session_id == session and one.at >= noted.opened_at]
    same = [one for one in since if one.tightens == made.tightens]
    if any(not made.tightens or one.check_id == check_id for one in same):
        return
    memory.store.keep_precedent(
        Precedent(
            precedent_id=run.parts.new_id(run.at),
            project=place.project,
            checkout=place.checkout,
            session_id=session,
            check_id=check_id,
            at=run.at,
            **cast("dict[str, Any]", values_of(made)),
        )
    )
