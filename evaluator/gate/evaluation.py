"""From the symbolic layer to the readers: what was held before, what is settled, what is paid for, who judges.

What only a held or a paid call needs is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.effects import FILE_TOOLS, PATCH_TOOL, is_named, is_unlisted, strings_of, text_of
from evaluator.gate.run import Run, Sleep, Waiting
from evaluator.gate.user_messages import is_request_written
from evaluator.model import Check, Effect, Evidence, Exchange, Reading, Reason
from evaluator.record import replace, values_of
from evaluator.text import day_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluator.egress.change_summary import Touched
    from evaluator.settings.keys import Settings

FLIGHT_POLL_SECONDS = 0.05
UNLISTED = "a program that Compass does not know"


def reply_to_question(run: Run) -> Check | None:
    """The symbolic layer: the resolved option is kept as evidence even where the write is not skipped."""
    if run.chose_reading:
        # A reading that the user chose is held against the write by a check, and skips none.
        return another_reading(run)
    from evaluator.exchange.menu import find_menu
    from evaluator.exchange.reply import resolve_answers, resolve_reply

    exchange = run.said or run.known_exchange
    if exchange.questions:
        run.resolved = resolve_answers(exchange.questions)
    elif len(exchange.request) == 1 and not exchange.delegated_task:
        menu = find_menu(exchange.prior_assistant_turn)
        run.resolved = resolve_reply(menu, exchange.request[0]) if menu else None
        if run.resolved and exchange.unwritten and not is_request_written(run):
            return None
    if not run.settings.skip_patterns.reply_to_question.enabled or run.rechecking:
        # The agent words its own menus: what was held back is read again, with the answer as evidence.
        return None
    agreed = _effects_agreed_at_gate(run, exchange)
    return run.skip("reply_to_question_pattern") if run.excuse(agreed) else None


def _effects_agreed_at_gate(run: Run, exchange: Exchange) -> list[Effect]:
    """The writes in the project that the chosen option or the approved plan orders."""
    from evaluator.exchange.option_names import contradicts, covered_by_option, covered_by_plan
    from evaluator.trigger.calls import is_live_git, relative_to, runs_by_itself

    resolved, directory, command = run.resolved, run.pending.project_dir, run.known_effects.command
    approved = [plan.text for plan in exchange.plans if plan.approved]
    change = "\n".join(strings_of(run.pending.tool_input)) if resolved is not None else ""
    found: list[Effect] = []
    for one in run.known_effects.each:
        path = relative_to(one.target, directory) if one.excusable else None
        if path is None or is_live_git(path):
            continue
        runs = runs_by_itself(path)
        chosen = (
            resolved is not None
            and covered_by_option(resolved, path, change, runs=runs or one.stakes == "lossy")
            and not contradicts(resolved, (one.target,), command)
        )
        if chosen or (approved and covered_by_plan(approved[-1], (one.target,), directory)):
            found.append(one)
    return found


def another_reading(run: Run) -> Check | None:
    """Holds by rules a write of what only a reading names that the user did not choose."""
    from evaluator.exchange.option_names import contradicts

    effects, chosen = run.known_effects, run.resolved
    if chosen is None or not contradicts(chosen, effects.targets, effects.command):
        return None
    from evaluator.gate.holds import deny, held_thing
    from evaluator.intervention import messages

    texts = messages.held(held_thing(run), "unfit", quote=" / ".join(chosen.labels))
    return deny(run, "denied_before", "it does not match what the user chose", texts)


def sanitize(run: Run) -> Check | None:
    run.evidence = evidence_of(run, hosted=run.parts.paid())
    return None


def evidence_of(run: Run, *, hosted: bool) -> Evidence:
    """What readers are shown of the call. `hosted`: with what only readers beyond this process are shown, which takes a
    look at the file."""
    from evaluator.egress.evidence import build_evidence

    exchange = run.known_exchange
    if run.answered is not None:
        from evaluator.intervention.records import asked_before

        # The reply answers what Compass asked, which no transcript has as the assistant's words.
        asked = asked_before(run.answered, run.pending.project_dir)
        turn = f"{exchange.prior_assistant_turn}\n\n{asked}".strip()
        exchange = replace(exchange, prior_assistant_turn=turn)
    return build_evidence(
        run.pending,
        run.known_effects,
        exchange,
        run.settings,
        resolved=run.resolved,
        turn_so_far=[file.target for file in run.parts.store.written(run.known_turn)],
        excused=[one.target for one in run.excused if one.target],
        touched=_touched_for_evaluation(run) if hosted and run.settings.evidence.symbols else None,
    )


def _touched_for_evaluation(run: Run) -> Touched | None:
    targets = run.known_effects.targets
    tool = run.pending.tool_name
    if tool != PATCH_TOOL and (tool not in FILE_TOOLS or len(targets) != 1):
        return None
    from evaluator.egress.change_summary import touched

    clock = run.parts.clock
    if tool == PATCH_TOOL:
        overwrites = any(one.operation == "overwrite" for one in run.known_effects.each)
        return touched(tool, "", run.pending.tool_input, None if overwrites else "", clock.monotonic)
    found = run.parts.text_of(targets[0])
    on_disk = "" if run.known_effects.operation == "create" else found
    return touched(tool, targets[0], run.pending.tool_input, on_disk, clock.monotonic)


def precedents(run: Run) -> Check | None:
    """What the user settled before, where it bears on the request."""
    memory = run.parts.memory
    if memory is not None:
        project = memory.project(run.pending)
        if memory.store.has_precedents(project):
            from evaluator.gate import precedents as step

            step.show_precedents(run, memory, project)
    return None


def unlisted_program(run: Run) -> Check | None:
    """What a program that nobody listed does is left out: the rest of the call is judged as if it stood alone."""
    if run.pending.tool_name != "Bash":
        return None
    unlisted = [one for one in run.known_effects.each if is_unlisted(one)]
    return run.skip("insufficient_context", UNLISTED) if unlisted and run.excuse(unlisted) else None


def starts_agent(run: Run) -> Check | None:
    """Holds a call that starts another agent where no reader can understand the prompt in its command."""
    if run.parts.paid() or all(one.kind != "agent" for one in run.known_effects.each):
        return None
    from evaluator.gate.verdicts import instead

    return instead(run, "insufficient_context", "embedded")


def single_flight(run: Run) -> Waiting[Check | None]:
    """Parallel calls with identical evidence share one check: the first flies, the others wait for it."""
    if not run.parts.paid():
        return None
    store, session, identity = run.parts.store, run.pending.session_id, run.known_evidence.identity()
    token, clock, seconds = run.parts.token(), run.parts.clock, run.settings.deadline_seconds
    while not store.enter_flight(session, identity, token, run.at, clock.now(), seconds):
        landed = store.flight(session, identity)
        if landed is not None:
            ended = {name: held for name, held in values_of(landed).items() if name != "check_id"}
            return replace(run.skip("covered"), **ended, notes=(f"shared with check {landed.check_id}",))
        if run.seconds_left() <= 0:
            from evaluator.gate.verdicts import failed_evaluation

            cause = "timeout: a parallel check of the same evidence did not finish"
            return failed_evaluation(run, (), None, [cause])
        yield Sleep(FLIGHT_POLL_SECONDS)
    run.flight = token
    return None


def look_back(run: Run) -> Check | None:
    """Adds what happened before in the session to the evidence, for hosted readers alone: by rules nothing of it is
    judged."""
    told = run.settings.evidence
    if run.parts.paid() and (told.history or told.lookups != "off"):
        from evaluator.gate import background

        background.add_background(run)
    return None


def spend(run: Run) -> Check | None:
    """Paid readers are asked only within the budgets and with something to judge by."""
    if not run.parts.paid():
        return None
    store, turn, settings = run.parts.store, run.known_turn, run.settings
    if not run.rechecking and _context_is_short(run):
        return _evaluate_unread_call(run, "insufficient_context", settings.on_exhausted)
    day = day_of(run.parts.clock.now())
    if day_is_spent(settings, lambda: store.spent(day)):
        return _evaluate_unread_call(run, "evaluator_budget_exhausted", settings.on_exhausted)
    run.counted = store.take_check(turn, settings.max_checks_per_turn, act=run.known_effects.acts)
    if run.counted or run.known_effects.stakes_class == "irreversible":
        # Of a turn's tenth comment on a review nobody can say unread that it was wanted, or that it was not.
        return None
    return _evaluate_unread_call(run, "turn_budget_exhausted", settings.on_exhausted)


def _context_is_short(run: Run) -> bool:
    """Whether there is no request at all, or past the turn's first check too little to go by."""
    exchange, evidence = run.known_exchange, run.known_evidence
    if not exchange.request_text.strip() and not exchange.delegated_task.strip():
        return True
    if run.parts.store.checks_taken(run.known_turn) == 0:
        return False
    sanitized = (
        evidence.current_request, evidence.prior_assistant_turn, evidence.resolved_option, evidence.plan,
        evidence.delegated_task, *evidence.targets, evidence.operation, evidence.command,
    )  # fmt: skip
    return sum(map(len, sanitized)) < run.settings.min_context_chars


def day_is_spent(settings: Settings, usd: Callable[[], float]) -> bool:
    """Whether hosted readers may take nothing more on a day on which they took so much; asked only where it counts."""
    cap = settings.evaluator.daily_budget_usd
    return cap is not None and usd() >= cap


def _evaluate_unread_call(run: Run, reason: Reason, behaviour: str) -> Check:
    """Past a budget, or with nothing to judge by: what can be taken back goes by the setting, all else is held."""
    from evaluator.gate.verdicts import instead

    irreversible = run.known_effects.stakes_class == "irreversible"
    return instead(run, reason, "deny" if irreversible else behaviour)


def read(run: Run) -> Waiting[Check]:
    """Ask the readers, behind the breaker and one of the machine's slots, and judge whether they converge."""
    from evaluator.gate.verdicts import ask_readers

    return ask_readers(run)


def unreadable_state(run: Run) -> Check | None:
    """The error policy answers: a judge who does not know what was held would let it pass at a second try."""
    cause = run.parts.unreadable
    if not cause:
        return None
    from evaluator.gate import verdicts
    from evaluator.gate.holds import held_thing
    from evaluator.intervention import messages

    sanitize(run)
    if run.settings.error_policy == "embedded" and (held := objection(run)):
        return held
    found = verdicts.failed_evaluation(run, (), None, [cause])
    if found.decision == "allow" or run.settings.error_policy != "closed":
        return found
    texts = messages.unjudged(held_thing(run), [cause], "unreadable")
    return replace(found, detail=texts.agent, told=texts.person)


def live_intervention(run: Run) -> Check | None:
    """Released once, cancelled, denied from memory, or due for the one re-check of a clarification."""
    found = run.parts.store.intervention(run.pending.session_id)
    if found is None:
        return None
    from evaluator.gate import holds

    return holds.consult(run, found)


MESSAGES_MAX = 40
"""How far back bans of the session are looked for."""


def objection(run: Run) -> Check | None:
    """Holds a call that breaks a ban, or loses what nobody ordered to go; else does nothing."""
    project = run.pending.project_dir.rstrip("/") + "/"
    if all(one.stakes == "own" and not one.target.startswith(project) for one in run.known_effects.each):
        return None
    if run.chose_reading and (misfit := another_reading(run)):
        return misfit
    from evaluator.rules.bans import taken_up

    # What a reply agrees to, though it came after a hold: the reading that was shown, or what the agent then asked.
    chosen = run.resolved.labels if run.chose_reading and run.resolved else None
    taken = taken_up(run.said or run.known_exchange) if chosen is None else "\n".join(chosen)
    return _evaluate_bans(run, taken) or _evaluate_losses(run, taken)


def _evaluate_bans(run: Run, taken: str) -> Check | None:
    from evaluator.rules.bans import banned

    # What the user typed in this session as far as it is known, oldest first; of a delegated one what it inherits.
    kept = () if run.origin is not None else run.prompts
    typed = [one.text for one in kept if not one.text.lower().lstrip().startswith(("compass:", "<"))]
    request = [text for text in run.known_exchange.request if text not in typed]
    found = banned(
        run.known_exchange,
        run.known_effects,
        run.pending,
        [*typed, *request][-MESSAGES_MAX:],
        instructions=run.parts.instructions(run.pending),
        agreed=run.explained,
        taken=taken,
    )
    if found is None:
        return None
    from evaluator.gate.holds import by_rule, held_thing, samples_of
    from evaluator.intervention import messages

    ban, broken = found
    cause: messages.Cause = "rule" if ban.source else "ban"
    thing, ran = held_thing(run, broken), not run.enforces
    texts = messages.held(thing, cause, quote=ban.quote, file=ban.source, ran=ran)
    says = f"{ban.source} says" if ban.source else "the user said"
    return by_rule(run, texts, samples_of(f"ban: {ban.sort}", "scope", f'{says} "{ban.quote}"'))


def _commands_before(run: Run) -> list[str]:
    """The commands of this session that ran before this one; a file that a tool wrote whole in this turn, as a command
    would."""
    calls = run.parts.transcripts.lookups(run.pending, run.prompts)
    told = [
        text_of(one.tool_input, "command") or f"> {text_of(one.tool_input, 'file_path')}"
        for one in calls
        if "command" in one.tool_input or "content" in one.tool_input
    ]
    return [*told, *run.parts.transcripts.commands(run.pending)]


def _evaluate_losses(run: Run, taken: str) -> Check | None:
    from evaluator.rules import losses
    from evaluator.rules.bans import agrees_later

    if all(one.stakes != "lossy" for one in run.known_effects.each):
        return None
    if run.explained and run.parts.paid() and agrees_later(run.known_exchange.request[-1]):
        # Whether that has been done only readers can tell.
        return None
    # Words that nobody can prove order no destruction: only what stands in the transcript frees.
    own_words = run.origin is None and not run.pending.agent_id
    typed = [] if not own_words else [one.text for one in run.parts.transcripts.voices(run.pending)]
    effects = run.known_effects
    undoes = all(one.operation == "vcs" for one in effects.each if one.stakes == "lossy")
    own = {one.target for one in run.parts.store.written(run.known_turn) if one.created or undoes}
    asked = [one.target for one in effects.each if is_named(one.target)]
    own |= run.parts.store.made(run.pending.session_id, asked) if asked else set()
    # "Yes, delete it" takes up nothing where the agent named several things.
    named = losses.candidates(run.known_exchange)
    taken = "" if named and not run.chose_reading else taken
    lost = losses.loss(
        effects,
        run.known_exchange,
        typed,
        run.pending,
        own=own,
        ran=lambda: _commands_before(run),
        taken=taken,
    )
    if lost is None:
        return None
    from evaluator.gate.holds import by_rule, held_thing, offered, samples_of
    from evaluator.intervention import messages

    readings = [Reading("delete", name, "one_file") for name in named]
    samples = samples_of("loss", "destructive", losses.LOST, readings)
    found = offered(run, samples)
    listed = found if len(found) > 1 else ()
    chosen = " / ".join(run.resolved.labels) if run.chose_reading and run.resolved else ""
    cause: messages.Cause = "unfit" if chosen else "ambiguous" if listed else "destructive"
    texts = messages.held(held_thing(run, lost), cause, listed, quote=chosen, ran=not run.enforces)
    return by_rule(run, texts, samples)
