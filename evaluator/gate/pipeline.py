"""The order of the steps of a check, in one visible list, and what is recorded at its end."""

from __future__ import annotations

from collections.abc import Callable, Generator

from evaluator.effects import is_excusable
from evaluator.gate import evaluation, excuses
from evaluator.gate.run import Parts, Run, Step, Waiting, drive
from evaluator.model import Check, Evidence, PendingWrite, Reason
from evaluator.record import replace
from evaluator.trigger.calls import directory_and_stem

__all__ = ["STEPS", "Parts", "Run", "check", "evidence_of"]

STEPS: tuple[Step, ...] = (
    excuses.self_protection,
    excuses.not_write_class,
    excuses.disabled,
    excuses.read_exchange,
    excuses.paused,
    excuses.skip_sentinel,
    excuses.skip_glob,
    evaluation.unreadable_state,
    evaluation.unlisted_program,
    evaluation.live_intervention,
    excuses.typing_while_held,
    evaluation.objection,
    excuses.own,
    excuses.cooldown,
    evaluation.reply_to_question,
    excuses.covered,
    evaluation.sanitize,
    evaluation.precedents,
    evaluation.starts_agent,
    evaluation.single_flight,
    evaluation.look_back,
    evaluation.spend,
    evaluation.read,
)

GUARD: tuple[Callable[[Run], Check | None], ...] = (
    excuses.self_protection,
    excuses.not_write_class,
    excuses.disabled,
)
SILENT: frozenset[Reason] = frozenset(("not_write_class", "disabled"))
HELD_ALREADY: frozenset[Reason] = frozenset(("self_protection", "cancelled", "denied_before"))


def check(parts: Parts, pending: PendingWrite) -> Check:
    """Run the steps until one decides, and record the check unless it is a silent one."""
    return drive(checking(parts, pending), parts.clock, parts.gone)


def checking(parts: Parts, pending: PendingWrite) -> Waiting[Check]:
    """A check for whoever waits in another way: not more than one of its parts runs at a time, in any thread."""
    run = Run(parts, pending)
    found: Check | None = None
    try:
        for step in STEPS:
            given = step(run)
            found = (yield from given) if isinstance(given, Generator) else given
            if found is not None:
                break
        assert found is not None, "the last step always decides"
        if found.reason in SILENT:
            return found
        if found.decision == "deny" and found.reason not in HELD_ALREADY:
            from evaluator.gate import holds

            found = holds.hold_back(run, found)
        if found.decision == "allow":
            found = replace(found, shown=found.told, told="")
        if run.notice:
            from evaluator.gate import verdicts

            found = verdicts.with_notice(run, found)
        record(run, found)
    except BaseException:
        # Whoever waits for this check would wait for nothing.
        if run.flight and run.evidence is not None:
            parts.store.leave_flight(pending.session_id, run.evidence.identity(), run.flight)
        run.give_back()
        raise
    return found


def guard(parts: Parts, pending: PendingWrite) -> Check | None:
    """What holds without any setting: no write, our own reader, an attempt on the gate. None for every other call."""
    run = Run(parts, pending)
    for step in GUARD:
        found = step(run)
        if found is not None:
            if found.reason not in SILENT:
                record(run, found)
            return found
    return None


def evidence_of(parts: Parts, pending: PendingWrite) -> Evidence | None:
    """What hosted readers would be shown of this call, unjudged; None for a call that is no write."""
    run = Run(parts, pending)
    if excuses.not_write_class(run) is not None:
        return None
    for step in (excuses.read_exchange, evaluation.unlisted_program, evaluation.reply_to_question):
        step(run)
    run.evidence = evaluation.evidence_of(run, hosted=True)
    evaluation.precedents(run)
    from evaluator.gate import background

    background.add_background(run)
    return run.evidence


def record(run: Run, found: Check) -> None:
    parts, store, session = run.parts, run.parts.store, found.pending.session_id
    sequence = 0
    with store.together():
        store.save_check(found, run.turn, store_evidence=parts.settings.store_evidence)
        if found.decision == "allow":
            # It will be known as written once it succeeded; a pass covers its folders.
            effects, turn = run.known_effects, run.known_turn
            judged = effects.each if found.verdict == "passed" or found.reason == "released" else ()
            if found.pending.tool_use_id:
                each = (*run.excused, *effects.each)
                store.note_call(found.pending.tool_use_id, turn, each, judged, run.parts.clock.now())
            if ran := [one.target for one in judged if one.operation == "run" and one.target]:
                # A test that fails has run all the same.
                store.note_judged(turn, ran)
            if run.held_before and found.reason != "released":
                from evaluator.gate import holds

                holds.let_through(run)
            if found.verdict == "passed" and is_excusable(effects):
                folders = [directory_and_stem(target)[0] for target in effects.targets]
                store.open_coverage(turn, folders, effects.operation_class, run.settings.coverage.max_calls)
        if run.flight and run.evidence is not None:
            # Last: who comes after the landing is to find what it covers.
            store.land_flight(session, run.evidence.identity(), run.flight, parts.clock.now(), found)
        tells = parts.sink is not None and parts.sink.tells(found)
        if tells:
            sequence = store.next_sequence(session)
    run.flight = ""
    if run.answered is not None and found.verdict == "passed":
        from evaluator.gate import precedents

        precedents.settle_precedent(run, found)
    if parts.sink is not None and tells:
        parts.sink.emit(found, sequence)
