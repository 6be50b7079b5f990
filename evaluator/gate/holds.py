"""How a held call is named, what an intervention says of a call, and what a call adds to it.

Loaded only where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import model
from evaluator.effects import text_of
from evaluator.exchange.menu import TURN_CHARS_MAX, as_question, find_menu, read_lines, sentences
from evaluator.exchange.option_names import action_of, told_in_another_order
from evaluator.gate.run import Run
from evaluator.gate.user_messages import voice_of
from evaluator.intervention import messages, resolution
from evaluator.intervention.control import is_bare_word, is_control_reply, is_wrong
from evaluator.intervention.messages import last_choices
from evaluator.intervention.records import Intervention
from evaluator.intervention.resolution import Resolution, UserReply
from evaluator.intervention.user_reply import said_as
from evaluator.intervention.wording import PUBLISHING, act_of, language_of
from evaluator.ports import Voice
from evaluator.record import replace
from evaluator.text import fold
from evaluator.verdict.readings import clusters, reading_choices

UNRELEASED = "it was held before, and nobody has released it"


def held_thing(run: Run, objected: model.Effect | None = None) -> messages.HeldThing:
    """What is held, by the words in which a person is told of it. `objected` is the effect that it is held for."""
    effects, exchange = run.known_effects, run.known_exchange
    kind, what, *others = act_of(run.pending, effects, objected)
    said = exchange.request[-1] if exchange.request else ""
    # The session's prompts, newest first, tell the language where the request does not.
    earlier = (one.text for one in reversed(run.prompts) if not is_control_reply(one.text))
    language = language_of(exchange.request_text, earlier)
    again, lasting = run.held_before and run.explained, effects.stakes_class == "irreversible"
    return messages.HeldThing(kind, what, said, language, again, tuple(others), lasting)


def offered(run: Run, samples: Sequence[model.Sample]) -> tuple[str, ...]:
    """What the request can mean, as the user is asked: acts that could be carried out, this call's own and its rivals'.

    One alone is what all readers took the request for; it is no list.
    """
    if messages.asked(samples):
        return held_thing(run).act(), messages.ONLY_ANSWER
    choices = reading_choices(samples, run.pending.project_dir, run.known_exchange)
    found = tuple(choice.text for choice in choices)
    command = text_of(run.pending.tool_input, "command")
    return messages.listed(held_thing(run), found, command) if len(found) > 1 else found


def deny(
    run: Run, reason: model.Reason, why: str, texts: messages.BlockTexts, *, ends_turn: bool = False
) -> model.Check:
    """Denied with `texts`; of a call that runs because the gate only watches, `why` it would have been held."""
    observed = messages.texts_in("en", "agent")["observed"]
    detail = texts.agent if run.enforces else observed.format(act=held_thing(run).act(), because=why)
    return run.deny(reason, detail, told=texts.person, ends_turn=ends_turn)


def samples_of(
    rule: str, concern: model.Concern, why: str, readings: Sequence[model.Reading] = ()
) -> tuple[model.Sample, ...]:
    """Made-up samples of a hold by rules: one for each thing that the user may mean."""
    if not readings:
        return (model.Sample(rule, 0.0, concern, why, cost_usd=0.0),)
    return tuple(
        model.Sample(f"{rule} {number}", 0.0, concern, why, reading=one, cost_usd=0.0)
        for number, one in enumerate(readings, 1)
    )


def by_rule(
    run: Run,
    texts: messages.BlockTexts,
    samples: Sequence[model.Sample],
    reason: model.Reason = "low_confidence",
) -> model.Check:
    """Held by rules, without a reader, against no threshold: `samples` as `samples_of` makes them, of one concern."""
    concern = samples[0].primary_concern or "none"
    return run.check(
        "failed",
        reason,
        "deny" if run.enforces else "allow",
        convergence=model.Convergence(0.0, 0.0, len(samples), concern, samples[0].rationale),
        samples=tuple(samples),
        clusters=clusters(samples, run.pending.project_dir, run.known_exchange),
        backend=model.EMBEDDED,
        detail=texts.agent,
        told=texts.person,
    )


NEEDLESS = "the user says this should not have been held"


def consult(run: Run, found: Intervention) -> model.Check | None:
    """Released once, cancelled, denied from memory, or due for the one re-check of a clarification."""
    replies = _replies_to_hold(run, found)
    answers = _unheard_hold_answers(run.known_exchange, found)
    call, limit = run.call, run.settings.intervention.recheck_limit

    def change(
        current: Intervention | None,
    ) -> tuple[Intervention | None, tuple[Resolution, Intervention | None]]:
        here = current
        for reply in replies:
            if here is not None and reply.position > here.position:
                here = resolution.resolve(here, reply, run.at)
        if here is None or resolution.lapsed(here, run.at):
            return None, ("free", None)
        here = resolution.answered(here, answers)
        outcome, noted = resolution.consult(here, call, limit)
        return noted, (outcome, noted)

    untouched: tuple[Resolution, Intervention | None] = ("free", None)
    outcome, noted = run.parts.store.change_intervention(run.pending.session_id, change, untouched)
    return None if noted is None else _apply_hold_outcome(run, outcome, noted, replies)


def _apply_hold_outcome(
    run: Run, outcome: Resolution, noted: Intervention, replies: Sequence[UserReply]
) -> model.Check | None:
    if outcome == "released":
        if any(is_wrong(one.text) for one in run.prompts if one.position > (noted.held_at or -1)):
            run.notes.append(NEEDLESS)
        return run.skip("released")
    if outcome == "cancelled":
        texts = messages.again(held_thing(run), form="cancelled")
        return deny(run, "cancelled", "the user had cancelled it", texts)
    if outcome == "denied":
        told = resolution.times_told(noted, run.call)
        said = [reply.text for reply in replies if reply.control is None]
        thing = replace(held_thing(run), again=bool(said), said=said[-1] if said else "")
        form = "cancelled" if noted.declined else "again"
        texts = messages.again(thing, noted.readings, form)
        return _deny_held_call(run, texts, told)
    run.rechecking = outcome == "recheck"
    run.held_before = resolution.times_told(noted, run.call) > 0
    if noted.heard:
        run.explained, run.answered = True, noted
        run.exchange = resolution.joined(noted, run.known_exchange)
    if noted.chosen:
        # What was chosen answers Compass's list, not a menu of the agent's.
        run.chose_reading, run.said = True, run.exchange
        run.answers_hold = bool(noted.denials)
        run.resolved = model.ResolvedOption(noted.chosen, _rejected_hold_readings(run, noted))
    return None


def _rejected_hold_readings(run: Run, noted: Intervention) -> tuple[str, ...]:
    """The readings that were not chosen. The held act itself, where it was listed beside what was chosen, says nothing
    against it where that names no file and does not do the same to another thing: readers see whether it fits."""
    left = tuple(text for text in noted.readings if text not in noted.chosen)
    thing = held_thing(run)
    act = thing.act()
    if thing.kind in PUBLISHING or any(mark in text.rstrip(".") for text in noted.chosen for mark in "/."):
        return left
    if action_of(act) in map(action_of, noted.chosen):
        return left
    return tuple(text for text in left if text != act)


def _replies_to_hold(run: Run, found: Intervention) -> list[UserReply]:
    """The human prompts since the intervention last heard one, oldest first.

    One that does not stand is passed over: it is not on disk yet, or it was no person's.
    """
    fresh = [(one, voice_of(run, one)) for one in run.prompts if one.position > found.position]
    said = [(prompt, voice) for prompt, voice in fresh if voice is not None]
    if not said:
        return []
    # What a subagent's call was told has not reached the person: they answer something else.
    untold = run.parts.store.owes(run.pending.session_id)
    last_words = run.known_exchange.prior_assistant_turn
    own_menu = untold or asks_other(last_words, resolution.offered(found))
    return [
        UserReply(
            prompt.text,
            prompt.position,
            own_menu=own_menu,
            answers_hold=not untold and _answers_hold(run, found, prompt, voice),
        )
        for prompt, voice in said
    ]


def _answers_hold(run: Run, found: Intervention, prompt: model.KeptPrompt, voice: Voice) -> bool:
    """Whether a prompt is all that was said since the hold, to an agent that asked nothing else."""
    if found.held_at is None or not is_bare_word(prompt.text):
        return False
    since = [one for one in run.prompts if one.position > found.held_at]
    alone = since == [prompt] and not _unheard_hold_answers(run.known_exchange, found)
    return alone and asks_nothing_else(voice.after, resolution.offered(found))


def _unheard_hold_answers(exchange: model.Exchange, found: Intervention) -> list[tuple[str, tuple[str, ...]]]:
    """(what was settled, the labels) of answered questions that the intervention has not taken in yet."""
    asked = [(f"{item.question} -> {', '.join(item.answers)}", item.answers) for item in exchange.questions]
    return [pair for pair in asked if pair[0] not in found.answers]


def hold_back(run: Run, check: model.Check) -> model.Check:
    """Note a block in the request's intervention, and put what the host allows a headless session."""
    if not (run.parts.attended or run.parts.store.was_attended(run.pending.session_id)):
        if run.settings.intervention.headless == "pass":
            notes = (*check.notes, "headless: let through")
            detail = messages.again(held_thing(run), form="unattended").agent
            return replace(check, decision="allow", detail=detail, notes=notes)
        if run.settings.intervention.headless == "stop":
            check = replace(check, ends_turn=True)
    call = run.call
    position = run.prompts[-1].position if run.prompts else -1
    # What was typed while the readers were asked was said of nothing that they held.
    kept = run.parts.store.prompts(run.pending.session_id)
    newest = kept[-1].position if kept else position
    # What the user chose from stays as it was shown.
    lists = bool(check.clusters) and not run.chose_reading
    readings = offered(run, check.samples) if lists else ()

    def change(current: Intervention | None) -> tuple[Intervention | None, bool]:
        held = resolution.hold_back(
            current,
            call,
            check_id=check.check_id,
            exchange=run.known_exchange,
            session_id=run.pending.session_id,
            readings=readings,
            position=position,
            newest=newest,
            now=run.at,
            binding=check.reason not in ("sampler_error", "circuit_open"),
        )
        return held, current is None or not current.denials or held.readings != current.readings

    first = run.parts.store.change_intervention(run.pending.session_id, change, True)
    # The person is told once of what a request got blocked, and again after an answer; each denial tells the agent.
    return check if first or run.rechecking or run.chose_reading else replace(check, told="")


def denied_still(run: Run) -> model.Check:
    """What readers held does not run because they cannot be asked again: nobody has released it."""
    call = run.call

    def change(current: Intervention | None) -> tuple[Intervention | None, int]:
        noted = None if current is None else resolution.told_again(current, call)
        return noted, 1 if noted is None else resolution.times_told(noted, call)

    told = run.parts.store.change_intervention(run.pending.session_id, change, 1)
    return _deny_held_call(run, messages.again(held_thing(run)), told)


def _deny_held_call(run: Run, texts: messages.BlockTexts, told: int) -> model.Check:
    return deny(run, "denied_before", UNRELEASED, texts, ends_turn=told > resolution.IDENTICAL_DENIALS_MAX)


def let_through(run: Run) -> None:
    """A call that was held back has now passed: its denial is over."""
    session, call, change = run.pending.session_id, run.call, run.parts.store.change_intervention
    change(session, lambda current: (current and resolution.passed(current, call), None), None)


_ASKED_CHARS_MAX = 20_000
_FIRST_KEYS = frozenset("1aа")
ISSUED_CHARS_MAX = 40
"""The longest question right above a reading that asks for it and nothing else: "Do you mean this?"."""


def asks_nothing_else(last_words: str, readings: Sequence[str] = ()) -> bool:
    """Whether the assistant's last message asks at most whether what is held may run: in its own words, or by putting
    one of `readings` below a short question.

    A list of options asks too, whatever stands around it.
    """
    lines = [line for line in read_lines(last_words, _ASKED_CHARS_MAX) if line.text.strip()]
    if len(last_words) > _ASKED_CHARS_MAX or sum(bool(line.key) for line in lines) > 1:
        return False
    issued = {_bare_held_text(one) for one in readings}
    asked = [place for place, line in enumerate(lines) if _bare_held_text(line.text) in issued]
    before = asked[0] - 1 if len(asked) == 1 else -1
    for place, line in enumerate(lines):
        said = list(sentences(line.text))
        if place == before and said and len(said[-1].strip()) <= ISSUED_CHARS_MAX:
            said = said[:-1]
        if place not in asked and any(map(_asks_beside_hold, said)):
            return False
    return True


def asks_other(last_words: str, readings: Sequence[str]) -> bool:
    """Whether a number or a name may answer another question of the agent's than the one that was issued.

    Once the readings are shown word for word, and no other list, what is asked beside them is about them.
    """
    if readings and _shows_menu_beside_hold(last_words, readings):
        return True
    said = fold(last_words)
    if readings and all(fold(text) in said for text in readings):
        return False
    asked = (
        fold(as_question(one) or one).strip(" ?*_`\"'.:")
        for line in read_lines(last_words, _ASKED_CHARS_MAX)
        for one in sentences(line.text)
        if "?" in fold(one) or said_as("asks").search(fold(one))
    )
    return len(readings) == 1 or any(said_as("which").fullmatch(one) is None for one in asked)


def _shows_menu_beside_hold(prior_assistant_turn: str, readings: Sequence[str]) -> bool:
    """Repeating the list that the user was shown, in its order, is no menu of the agent's own. A proposal is none."""
    issued = [[fold(text)] for text in readings] + [[fold(text) for text in last_choices()]]
    listed: list[list[str]] = []
    for line in read_lines(prior_assistant_turn, TURN_CHARS_MAX):
        if line.key and (fold(line.key) in _FIRST_KEYS or not listed):
            listed.append([])
        if line.key:
            listed[-1].append(fold(line.text))
    if max(map(len, listed), default=0) > 1:
        return not all(_repeats_hold_menu(labels, issued) for labels in listed)
    menu = find_menu(prior_assistant_turn)
    if menu is None or menu.kind == "proposal":
        return told_in_another_order(prior_assistant_turn, readings)
    return not _repeats_hold_menu([fold(option.label) for option in menu.options], issued)


def _repeats_hold_menu(labels: Sequence[str], issued: Sequence[Sequence[str]]) -> bool:
    """Whether the labels of a menu are those of the list that was issued, in its order, as far as they go."""
    return len(labels) <= len(issued) and all(
        any(label in one or one in label for one in places)
        for label, places in zip(labels, issued, strict=False)
    )


def _bare_held_text(text: str) -> str:
    return fold(text).strip(" .*_`\"'")


def _asks_beside_hold(sentence: str) -> bool:
    folded = fold(sentence)
    if "?" in folded:
        asked = as_question(sentence)
        bare = fold(asked or "").strip(" ?*_`\"'")
        return folded.count("?") > 1 or said_as("may_it_run").fullmatch(bare) is None
    # A sentence with a control in it is Compass's own, repeated.
    return "compass:" not in folded and said_as("asks").search(folded) is not None
