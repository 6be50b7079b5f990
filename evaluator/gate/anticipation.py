"""Ahead of the write: a prompt is read while the agent still thinks, and what both readers name passes on arrival."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.gate.run import Parts, Run
from evaluator.model import Check, Exchange, KeptPrompt, PendingWrite
from evaluator.record import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluator.intervention.held import Intervention
    from evaluator.verdict.anticipation import Anticipation

WAIT_SECONDS = 2.0
"""How long a write waits for its prompt's reading. One that began earlier is done before a check that begins now."""
WAIT_SHARE = 0.25
"""Of what is left of the deadline: the check that may follow needs the rest."""
POLL_SECONDS = 0.02


def anticipated(run: Run) -> Check | None:
    """A write that both readers of the prompt named passes, once; not after anything was said, denied or held."""
    if not run.settings.sampling.anticipate or run.pending.agent_id or run.excused:
        return None
    from evaluator.precedents.turning import EDITING
    from evaluator.verdict import anticipation as model
    from evaluator.verdict.readings import clusters

    effects, session, store = run.known_effects, run.pending.session_id, run.parts.store
    if not model.may_cover(effects) or run.said is None or store.intervention(session) is not None:
        return None
    memory = run.parts.memory
    if (
        memory is not None
        and any(one.operation not in EDITING for one in effects.each)
        and memory.store.has_precedents(memory.project(run.pending))
    ):
        # Both may have been shown what was settled, which helps no write that does more than edit.
        return None
    found = _awaited(run)
    if found is None or not _stands(run.parts, session, found, run.prompts, run.said):
        return None
    thresholds, project = run.thresholds(), run.pending.project_dir
    if not model.covers(found, effects, run.said, project, thresholds) or not store.spend_anticipation(
        session
    ):
        return None
    names = " and ".join(sample.reader for sample in found.samples)
    run.notes.append(f"read at the prompt by {names}, who were shown no write")
    check = run.check(
        "skipped",
        "covered",
        "allow",
        thresholds=thresholds,
        samples=found.samples,
        clusters=clusters(found.samples, project, run.said),
        backend=found.backend,
        model=found.model,
    )
    return replace(check, evidence=found.evidence)


def read_prompt(parts: Parts, pending: PendingWrite, position: int) -> Anticipation | None:
    """Asks both readers what the session's newest prompt, at `position`, asks for; None where nobody was asked.

    `pending` names session, project and prompt, and no call.
    """
    from evaluator.egress.evidence import build_evidence
    from evaluator.gate.asking import asked, is_spent
    from evaluator.gate.run import drive
    from evaluator.model import Effects, Subject
    from evaluator.verdict import anticipation as model

    store, session = parts.store, pending.session_id
    prompts = store.prompts(session)
    if parts.anticipating is None or not prompts or prompts[-1].position != position:
        return None
    exchange = parts.transcripts.exchange(pending, prompts)
    if _needs_none(parts, pending, prompts, exchange):
        return None
    unwritten = Effects("unknown", "unknown", "modifying")
    evidence = build_evidence(pending, unwritten, exchange, parts.settings)
    memory = parts.memory
    if memory is not None and memory.store.has_precedents(project := memory.project(pending)):
        from evaluator.gate import precedents

        place = memory.place(pending, project)
        bears = precedents.found_for(parts, memory, pending, exchange, place)
        evidence = precedents.shown(parts, pending, evidence, bears, place)
    if not evidence.current_request.strip() or is_spent(parts):
        return None
    readers = parts.anticipating()
    if parts.settings.data_egress.forbids(readers.name):
        return None
    asking = asked(
        parts,
        readers,
        Subject(pending, unwritten, exchange, evidence),
        waits=0.0,
        left=lambda: parts.settings.deadline_seconds,
        least=lambda _: model.READERS,
    )
    found = drive(asking, parts.clock)
    if not found.samples:
        return None
    named = (replace(one, reader=f"anticipating-{n}") for n, one in enumerate(found.samples, 1))
    kept = evidence if parts.settings.store_evidence else None
    said = model.digest_of(exchange)
    line = parts.line(session)
    return model.Anticipation(position, said, tuple(named), readers.name, readers.model, kept, line)


def ask_first(parts: Parts, pending: PendingWrite) -> str:
    """What the agent is told before it writes where the two readings differ, once; else empty. A write of the turn
    that was checked has settled it, one way or the other.

    The list is the request's intervention from then on: a digit resolves it as any other.
    """
    from evaluator.intervention import memory, telling
    from evaluator.verdict import anticipation as model

    store, session, now = parts.store, pending.session_id, parts.clock.now()
    settings = parts.settings
    found = store.anticipation(session, now)
    asks_nobody = settings.intervention.headless == "pass" and not (
        parts.attended or store.was_attended(session)
    )
    if not isinstance(found, model.Anticipation) or settings.mode != "enforce" or asks_nobody:
        return ""
    prompts = store.prompts(session)
    exchange = parts.transcripts.exchange(pending, prompts)
    if not _stands(parts, session, found, prompts, exchange) or store.checks_taken(store.turn(session, "")):
        return ""
    readings = model.open_readings(found, exchange, pending.project_dir, parts.rule().of_class("modifying"))
    if not readings or not store.spend_anticipation(session):
        return ""

    # What was held before ends by what stands in the transcript alone.
    held = store.intervention(session)
    said = () if held is None else _standing(parts, pending, prompts, held.position)

    def change(current: Intervention | None) -> tuple[Intervention | None, bool]:
        if _after(parts, current, said, exchange) is not None:
            return current, False
        return memory.issued(exchange, session, readings, found.position, now), True

    issued = store.change_intervention(session, change, False)
    return telling.beforehand(exchange.request_text, readings) if issued else ""


def _awaited(run: Run) -> Anticipation | None:
    """What was read; where it is still being read, after a wait that a check would not be shorter than."""
    clock, session = run.parts.clock, run.pending.session_id
    ends = clock.monotonic() + min(WAIT_SECONDS, run.seconds_left() * WAIT_SHARE)
    while isinstance(found := run.parts.store.anticipation(session, clock.now()), int | float):
        if clock.monotonic() >= ends:
            return None
        clock.sleep(POLL_SECONDS)
    return found


def _stands(
    parts: Parts, session: str, found: Anticipation, prompts: Sequence[KeptPrompt], exchange: Exchange
) -> bool:
    """Whether nothing was said or answered since the prompt was read, and who read it would read it again."""
    from evaluator.verdict.anticipation import digest_of

    newest = bool(prompts) and prompts[-1].position == found.position
    return newest and parts.line(session) == found.line and digest_of(exchange) == found.said


def _standing(
    parts: Parts, pending: PendingWrite, prompts: Sequence[KeptPrompt], after: int
) -> tuple[KeptPrompt, ...]:
    """Those past the position `after` that are the user's own words."""
    from evaluator.gate.voices import stands

    run = Run(parts, pending, started=parts.clock.monotonic(), at=parts.clock.now())
    run.prompts, run.origin = tuple(prompts), parts.origin(pending)
    return tuple(one for one in prompts if one.position > after and stands(run, one))


def _after(
    parts: Parts, held: Intervention | None, prompts: Sequence[KeptPrompt], exchange: Exchange
) -> Intervention | None:
    """What is held, or asked, after all that was said; None where the newest prompt is a request of its own."""
    from evaluator.intervention import memory
    from evaluator.intervention.asking import unseen

    now, ttl = parts.clock.now(), parts.settings.intervention.ttl_seconds
    for prompt in prompts:
        if held is not None and prompt.position > held.position:
            reply = memory.reply_of(prompt.text, prompt.position)
            hidden = unseen(held, exchange.prior_assistant_turn)
            held = memory.resolve(held, replace(reply, unseen=hidden), now, ttl)
    return None if held is None or memory.lapsed(held, now, ttl) else held


def _needs_none(
    parts: Parts, pending: PendingWrite, prompts: Sequence[KeptPrompt], exchange: Exchange
) -> bool:
    """Whether what follows the prompt is settled without readers, or is about something that is held."""
    from evaluator.exchange.menu import find_menu
    from evaluator.exchange.reply import resolve_reply
    from evaluator.intervention.control import pause_in
    from evaluator.trigger.rules import SENTINEL

    now, settings = parts.clock.now(), parts.settings
    if (
        any(SENTINEL in text for text in (prompts[-1].text, *exchange.request))
        or pause_in(prompts, now) is not None
        or parts.origin(pending) is not None
    ):
        return True
    if _after(parts, parts.store.intervention(pending.session_id), prompts, exchange) is not None:
        return True
    menu = find_menu(exchange.prior_assistant_turn) if len(exchange.request) == 1 else None
    answers = menu is not None and resolve_reply(menu, exchange.request[0]) is not None
    return answers and settings.skip_patterns.reply_to_question.enabled
