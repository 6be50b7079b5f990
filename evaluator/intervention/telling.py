"""A held call, told twice: to the person plainly, to the agent with what to do now. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.egress.excerpt import width
from evaluator.intervention.language import language_of
from evaluator.intervention.phrases import CANCEL, PHRASES, PROCEED, Cause, Phrases
from evaluator.model import Convergence, Reason, Sample
from evaluator.record import Record
from evaluator.settings.places import set_by

COLUMNS = 100
OPTIONS = (
    f"The user can say what they meant, or type {PROCEED} (the held calls may run once), `compass: proceed all` "
    f"or {CANCEL}."
)
SHOW = "Show the user these readings word for word and stop; do not try another tool."
STOP = (
    f"{SHOW} A number, the user's own words, {PROCEED} (the held calls may run once) or {CANCEL} resolves it."
)
BRIEF = (
    "Compass checks writes here: where the user's request can be read in more than one way, the write is held until "
    "the user settles it.\n"
    "If the request leaves open what to change, where, or how far, ask the user first: a numbered question, before "
    "any write, saves the block."
)
"""What the agent is told as a session starts."""
NO_JUDGEMENT = (
    "Nothing was written. This is not a judgement of the request. `compass doctor` shows the user the cause"
)


class HeldThing(Record):
    """What is held, as people are told of it: `operation` on `target`, for the current `request`."""

    operation: str
    target: str
    request: str

    @property
    def named(self) -> str:
        return f"this {self.operation} of {self.target}"

    @property
    def phrases(self) -> Phrases:
        return PHRASES[language_of(self.request)]


class BlockTexts(Record):
    """`agent` is the reason of the denial, `person` what the user is shown: at most 8 lines, no figures."""

    agent: str
    person: str


def cause_of(convergence: Convergence, samples: Sequence[Sample], reason: Reason) -> Cause:
    actions = [sample.reading.action for sample in samples if sample.valid and sample.reading is not None]
    if 2 * actions.count("answer") > len(actions):
        return "question"
    split = convergence.primary_concern == "none" and reason != "low_confidence"
    return "split" if split else convergence.primary_concern


def doubt_of(convergence: Convergence, samples: Sequence[Sample]) -> str:
    """What the readers doubt; where most saw nothing, what the most doubtful one saw."""
    if convergence.primary_concern != "none":
        return convergence.rationale
    return min(
        (sample for sample in samples if sample.valid), key=lambda sample: sample.score or 0.0
    ).rationale


def held(thing: HeldThing, cause: Cause, doubt: str, readings: Sequence[str]) -> BlockTexts:
    """Facts and what resolves it, never an order to retry. Two readings or more are a question."""
    phrases = thing.phrases
    listed = question(readings, phrases)
    agent = [
        f"Compass held back {thing.named}. To the user: {phrases.causes[cause]}",
        doubt,
        *listed,
        f"Nothing was written. {STOP if listed else OPTIONS}",
    ]
    person = [phrases.causes[cause], *(listed or [doubt]), phrases.choose if listed else phrases.say]
    return BlockTexts(_lines(agent), _shown(thing, phrases, phrases.held, person))


def unfit(thing: HeldThing, chosen: Sequence[str], doubt: str) -> BlockTexts:
    """The user chose a reading, and this is not what it asks for. The list stands as it was shown."""
    phrases, readings = thing.phrases, " / ".join(f'"{text}"' for text in chosen)
    agent = [
        f"Compass held back {thing.named}: it does not fit the reading that the user chose, {readings}.",
        doubt,
        f"Nothing was written. Do what the user chose; if that takes this too, say why and stop. {OPTIONS}",
    ]
    person = [phrases.causes["unfit"], readings, phrases.say]
    return BlockTexts(_lines(agent), _shown(thing, phrases, phrases.held, person))


def watched(thing: HeldThing, cause: Cause, doubt: str, readings: Sequence[str]) -> BlockTexts:
    """Nothing is held back, because the gate only watches; nobody is interrupted."""
    phrases = thing.phrases
    first = f"Compass would have held back {thing.named}; it ran. {phrases.causes[cause]}"
    return BlockTexts(_lines([first, doubt, *question(readings, phrases)]), "")


def banned(thing: HeldThing, quote: str, source: str, *, ran: bool) -> BlockTexts:
    """The user forbade this, or an instruction file (`source`) does: said back in its own words."""
    phrases = thing.phrases
    said = phrases.said.format(quote=quote) if not source else phrases.stands.format(file=source, quote=quote)
    return _objected(thing, f"{said} {_does(thing)}", said, ran=ran)


def lost(thing: HeldThing, readings: Sequence[str], *, ran: bool) -> BlockTexts:
    """What existed would be lost, and nobody ordered that. `readings`: what the user may have meant."""
    said = thing.phrases.causes["destructive"]
    if len(readings) > 1:
        tell = watched if ran else held
        return tell(thing, "target", _does(thing), readings)
    return _objected(thing, f"{said} {_does(thing)}", said, ran=ran)


def starts_agent(thing: HeldThing, why: str, *, ran: bool) -> BlockTexts:
    """No model reads, and what another agent is told is for one to judge, or for the user."""
    return _objected(thing, f"{why}.", thing.phrases.causes["unsettled"], ran=ran)


def _does(thing: HeldThing) -> str:
    return f"This {DOES.get(thing.operation, f'{thing.operation}s')} {thing.target}."


DOES = {
    "overwrite": "overwrites", "move": "moves", "append": "appends to", "vcs": "changes the history of",
    "permissions": "changes the permissions of", "network": "sends or fetches for", "unknown": "runs something in",
}  # fmt: skip


def _objected(thing: HeldThing, agent: str, person: str, *, ran: bool) -> BlockTexts:
    if ran:
        return BlockTexts(f"Compass would have held back {thing.named}; it ran. {agent}", "")
    phrases = thing.phrases
    shown = agent if phrases is PHRASES["en"] else person
    return BlockTexts(
        _lines([f"Compass held back {thing.named}. {agent}", f"Nothing was written. {OPTIONS}"]),
        _shown(thing, phrases, phrases.held, [shown, phrases.say]),
    )


def held_unasked(thing: HeldThing, reason: Reason) -> BlockTexts:
    """Past a budget, or with too little said, where the settings hold what is not checked."""
    phrases = thing.phrases
    cause: Cause = "thin" if reason == "insufficient_context" else "budget"
    agent = f"Compass held back {thing.named}: {reason.replace('_', ' ')}. {OPTIONS}"
    return BlockTexts(agent, _shown(thing, phrases, phrases.held, [phrases.causes[cause], phrases.say]))


def would_have(thing: HeldThing, why: str) -> str:
    """Of a call that ran because nothing is held: the gate only watches, or nobody is there to ask."""
    return f"Compass would have held back {thing.named}; it ran: {why}."


def unjudged(thing: HeldThing, met: Sequence[str]) -> BlockTexts:
    """The check could not complete; says so and why (`met`), so that it is not taken for a judgement."""
    seen = "; ".join(dict.fromkeys(cause for cause in met if cause)) or "no reader answered"
    agent = (
        f"Compass could not check {thing.named}, and its error policy is closed: {seen}.\n{NO_JUDGEMENT}; "
        f"{PROCEED} lets this call run once, {set_by('error_policy', 'open')} lets calls pass while the readers "
        "are down (`embedded`: rules judge them)."
    )
    phrases = thing.phrases
    return BlockTexts(
        agent, _shown(thing, phrases, phrases.unchecked, [phrases.causes["down"], phrases.once])
    )


def forbidden(thing: HeldThing, why: str) -> BlockTexts:
    """Nobody may be asked, so nobody judged; the person learns which word changes that."""
    agent = (
        f"Compass could not check {thing.named}: {why}.\n{NO_JUDGEMENT}; {PROCEED} lets this call run once."
    )
    phrases = thing.phrases
    return BlockTexts(agent, _shown(thing, phrases, phrases.unchecked, [f"{why}.", phrases.once]))


def unreadable(thing: HeldThing, cause: str) -> BlockTexts:
    """Nobody can release the call: that would stand in the state that cannot be read."""
    agent = (
        f"Compass could not check {thing.named}, and its error policy is closed: {cause}.\n{NO_JUDGEMENT}."
    )
    phrases = thing.phrases
    return BlockTexts(agent, _shown(thing, phrases, phrases.unchecked, [phrases.causes["unreadable"]]))


def again(thing: HeldThing, told: int) -> BlockTexts:
    """Short: the facts were told the first time."""
    agent = (
        f"Compass still holds back the {thing.operation} of {thing.target} (denied {told} times). {OPTIONS}"
    )
    return BlockTexts(agent, "")


def exceeding(thing: HeldThing) -> BlockTexts:
    """A call that does what was released, and more."""
    agent = (
        f"Compass still holds back the {thing.operation} of {thing.target}: it does more than the calls that the user "
        f"released. Those may run once as they were held back. {OPTIONS}"
    )
    return BlockTexts(agent, "")


def cancelled(thing: HeldThing) -> BlockTexts:
    agent = f"The user cancelled this: the {thing.operation} of {thing.target} stays denied for the current request."
    return BlockTexts(agent, "")


def question(readings: Sequence[str], phrases: Phrases) -> list[str]:
    """Each reading with its number, and "something else" with the last one; nothing for a single reading."""
    if len(readings) < 2:
        return []
    return [
        phrases.can_mean,
        *(f"  {number}. {text}" for number, text in enumerate([*readings, phrases.other], 1)),
    ]


def fit(text: str, columns: int = COLUMNS) -> str:
    """One line of at most `columns`, its end cut."""
    line = " ".join(text.split()) if "\n" in text else text
    if width(line) <= columns:
        return line
    while width(line) > columns - 1:
        line = line[:-1]
    return line.rstrip() + "…"


def _shown(thing: HeldThing, phrases: Phrases, frame: str, lines: Sequence[str]) -> str:
    operation = phrases.operations.get(thing.operation, thing.operation)
    room = COLUMNS - width(frame.format(operation=operation, target=""))
    target = thing.target
    # Of a path, the end tells more than the beginning.
    while width(target) > room:
        target = "…" + target[2:]
    return _lines([frame.format(operation=operation, target=target), *map(fit, lines)])


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)
