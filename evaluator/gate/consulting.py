"""What an intervention says of a call, and what a call adds to it; loaded only where there is one."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.exchange.fold import fold
from evaluator.exchange.lines import read_lines
from evaluator.exchange.menu import TURN_CHARS_MAX, find_menu
from evaluator.exchange.naming import told_in_another_order
from evaluator.gate.naming import held_thing
from evaluator.gate.run import Run
from evaluator.gate.voices import voice_of
from evaluator.intervention import memory as model
from evaluator.intervention import telling
from evaluator.intervention.asking import asks_nothing_else, asks_which, shows, unseen
from evaluator.intervention.bare_word import is_bare_word
from evaluator.intervention.held import Intervention
from evaluator.intervention.memory import Resolution, UserReply
from evaluator.intervention.phrases import LAST_CHOICES
from evaluator.model import Check, Exchange, KeptPrompt, Reason, ResolvedOption
from evaluator.ports import Voice
from evaluator.record import replace
from evaluator.verdict.readings import choices

FIRST_KEYS = frozenset("1aа")
Consulted = tuple[Resolution, Intervention | None]
"""What was found, and the intervention with that noted."""


def consult(run: Run, found: Intervention) -> Check | None:
    """Released once, cancelled, denied from memory, or due for the one re-check of a clarification."""
    session, store = run.pending.session_id, run.parts.store
    replies = _replies(run, found)
    answers = _answers(run.known_exchange, found)
    call, settings = run.call, run.settings.intervention

    def change(
        current: Intervention | None,
    ) -> tuple[Intervention | None, tuple[Resolution, Intervention | None]]:
        here = current
        for reply in replies:
            if here is not None and reply.position > here.position:
                here = model.resolve(here, reply, run.at, settings.ttl_seconds)
        if here is None or model.lapsed(here, run.at, settings.ttl_seconds):
            return None, ("free", None)
        here = model.answered(here, answers)
        outcome, noted = model.consult(here, call, settings.recheck_limit)
        return noted, (outcome, noted)

    untouched: Consulted = ("free", None)
    outcome, noted = store.change_intervention(session, change, untouched)
    if noted is None:
        return None
    return _outcome(run, outcome, noted)


def _outcome(run: Run, outcome: Resolution, noted: Intervention) -> Check | None:
    if outcome == "released":
        return run.skip("released")
    if outcome in ("cancelled", "denied") and not run.enforces:
        why = (
            "the user had cancelled it"
            if outcome == "cancelled"
            else "it was held before, and nobody released it"
        )
        reason: Reason = "cancelled" if outcome == "cancelled" else "denied_before"
        return run.deny(reason, telling.would_have(held_thing(run), why))
    if outcome == "cancelled":
        return run.deny("cancelled", telling.cancelled(held_thing(run)))
    if outcome == "denied":
        told = model.times_told(noted, run.call)
        exceeds = model.exceeds_release(noted, run.call)
        detail = telling.exceeding(held_thing(run)) if exceeds else telling.again(held_thing(run), told)
        return run.deny("denied_before", detail, ends_turn=told > model.IDENTICAL_DENIALS_MAX)
    run.rechecking = outcome == "recheck"
    run.issued = noted.readings if noted.clarifications and not run.parts.paid() else ()
    if noted.heard:
        run.exchange = model.joined(noted, run.known_exchange)
    if noted.chosen:
        # What was chosen answers Compass's list, not a menu of the agent's.
        run.chose_reading, run.said = True, run.exchange
        run.answers_hold = bool(noted.denials)
        run.resolved = ResolvedOption(
            noted.chosen, tuple(text for text in noted.readings if text not in noted.chosen)
        )
    return None


def _replies(run: Run, found: Intervention) -> list[UserReply]:
    """The human prompts since the intervention last heard one, oldest first.

    One that does not stand is passed over: it is not on disk yet, or it was no person's.
    """
    replies: list[UserReply] = []
    # What a subagent's call was told has not reached the person: they answer something else.
    untold = run.parts.store.owes(run.pending.session_id)
    for prompt in run.prompts:
        if prompt.position <= found.position:
            continue
        voice = voice_of(run, prompt)
        if voice is None:
            continue
        said = run.known_exchange.prior_assistant_turn
        hidden = unseen(found, said)
        own_menu = untold or hidden or _asks_other(said, model.offered(found))
        answers = not untold and _answers_hold(run, found, prompt, voice)
        reply = model.reply_of(prompt.text, prompt.position, own_menu=own_menu, answers_hold=answers)
        replies.append(replace(reply, unseen=hidden))
    return replies


def _answers_hold(run: Run, found: Intervention, prompt: KeptPrompt, voice: Voice) -> bool:
    """Whether a prompt is all that was said since the hold, to an agent that asked nothing else."""
    if found.held_at is None or not is_bare_word(prompt.text):
        return False
    since = [one for one in run.prompts if one.position > found.held_at]
    return (
        since == [prompt]
        and not _answers(run.known_exchange, found)
        and asks_nothing_else(voice.after, model.offered(found))
    )


def _asks_other(last_words: str, readings: Sequence[str]) -> bool:
    """Whether a number or a name may answer another question of the agent's than the one that was issued.

    Once the readings are shown word for word, and no other list, what is asked beside them is about them.
    """
    if readings and _shows_other_menu(last_words, readings):
        return True
    if shows(last_words, readings):
        return False
    return len(readings) == 1 or asks_which(last_words) is False


def _shows_other_menu(prior_assistant_turn: str, readings: Sequence[str]) -> bool:
    """Repeating the list that the user was shown, in its order, is no menu of the agent's own. A proposal is none."""
    issued = [[_bare(text)] for text in readings] + [[_bare(text) for text in LAST_CHOICES]]
    listed: list[list[str]] = []
    for line in read_lines(prior_assistant_turn, TURN_CHARS_MAX):
        if line.key and (fold(line.key) in FIRST_KEYS or not listed):
            listed.append([])
        if line.key:
            listed[-1].append(_bare(line.text))
    if max(map(len, listed), default=0) > 1:
        return not all(_repeats(labels, issued) for labels in listed)
    menu = find_menu(prior_assistant_turn)
    if menu is None or menu.kind == "proposal":
        return told_in_another_order(prior_assistant_turn, readings)
    return not _repeats([_bare(option.label) for option in menu.options], issued)


def _repeats(labels: Sequence[str], issued: Sequence[Sequence[str]]) -> bool:
    """Whether the labels are those of the list that was issued, in its order, as far as they go."""
    return len(labels) <= len(issued) and all(
        any(label in one or one in label for one in places)
        for label, places in zip(labels, issued, strict=False)
    )


def _bare(text: str) -> str:
    return " ".join(text.casefold().split())


def _answers(exchange: Exchange, found: Intervention) -> list[tuple[str, tuple[str, ...]]]:
    """(what was settled, the labels) of answered questions that the intervention has not taken in yet."""
    asked = [(f"{item.question} -> {', '.join(item.answers)}", item.answers) for item in exchange.questions]
    return [pair for pair in asked if pair[0] not in found.answers]


def hold_back(run: Run, check: Check) -> Check:
    """Note a block in the request's intervention, and put what the host allows a headless session."""
    if not _attended(run):
        if run.settings.intervention.headless == "pass":
            notes = (*check.notes, "headless: let through")
            detail = telling.would_have(held_thing(run), "nobody attends this session")
            return replace(check, decision="allow", detail=detail, told="", notes=notes)
        if run.settings.intervention.headless == "stop":
            check = replace(check, ends_turn=True)
    exchange, call = run.known_exchange, run.call
    position = run.prompts[-1].position if run.prompts else -1
    # What the user chose from stays as it was shown.
    lists = bool(check.clusters) and not (run.chose_reading or run.issued)
    shown = choices(check.samples, run.pending.project_dir, exchange) if lists else ()
    readings = tuple(choice.text for choice in shown)

    def change(current: Intervention | None) -> tuple[Intervention | None, bool]:
        held = model.hold_back(
            current,
            call,
            check_id=check.check_id,
            exchange=exchange,
            session_id=run.pending.session_id,
            readings=readings,
            position=position,
            now=run.at,
            binding=check.reason not in ("sampler_error", "circuit_open"),
        )
        return held, current is None or not current.denials or held.readings != current.readings

    first = run.parts.store.change_intervention(run.pending.session_id, change, True)
    # The person is told once of what a request got blocked; each denial tells the agent.
    return check if first or run.chose_reading else replace(check, told="")


def let_through(run: Run) -> None:
    """A call that was held back has now passed: its denial is over."""
    call = run.call

    def change(current: Intervention | None) -> tuple[Intervention | None, None]:
        return (None if current is None else model.passed(current, call)), None

    run.parts.store.change_intervention(run.pending.session_id, change, None)


def _attended(run: Run) -> bool:
    return run.parts.attended or run.parts.store.was_attended(run.pending.session_id)
