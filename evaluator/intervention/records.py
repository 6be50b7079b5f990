"""The values of an intervention: what was held back, what the user said since, and what of it nobody was told yet."""

from __future__ import annotations

from evaluator.model import Effect, Operation, OperationClass
from evaluator.record import Record
from evaluator.trigger.calls import display


class HeldCall(Record):
    """What of a pending call an intervention looks at. `identity` is equal for the same tool and command."""

    targets: tuple[str, ...]
    operation: Operation
    operation_class: OperationClass
    identity: str
    tool_use_id: str = ""
    each: tuple[Effect, ...] = ()


class Denial(Record):
    """A call that was held back. `binding` False (nobody judged it) keeps no later call back.

    `told` counts how often it was denied, `rechecks` the checks since the user's last reply. `released` are the
    effects that may still run once; `running` are those of them that the tool use `runs_as` is using. `reading` is
    what all readers took the request for, empty where they saw more than one thing or none.
    """

    call: HeldCall
    check_id: str
    binding: bool = True
    told: int = 1
    rechecks: int = 0
    released: tuple[Effect, ...] = ()
    running: tuple[Effect, ...] = ()
    runs_as: str = ""
    reading: str = ""
    after: int = -1
    """The place of the newest prompt when the call was first held back: only a later one releases it."""
    unsettled: tuple[Effect, ...] = ()
    """What the tool use `unsettled_as` was using when the user spoke: if it was not interrupted, its end spends it."""
    unsettled_as: str = ""


class Intervention(Record):
    """`request` and `prior_assistant_turn` are those that the held-back calls were judged by.

    `readings` are the numbered readings that the user was shown, `clarifications` what the user said since, a chosen
    reading in its own words; `heard` the prompts that were taken in, as typed, and `replies` how many of them said
    something. `touched`: a held-back target was tried since the last of them. Without denials it only keeps what the
    user explained, until the next request.
    """

    opened_at: float
    session_id: str
    request: tuple[str, ...]
    prior_assistant_turn: str
    denials: tuple[Denial, ...] = ()
    readings: tuple[str, ...] = ()
    clarifications: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """Answered questions that were taken in, each as `question -> answer`."""
    chosen: tuple[str, ...] = ()
    """The readings that the user chose; none where a later reply chose none."""
    heard: tuple[str, ...] = ()
    declined: bool = False
    """The user's last reply was a refusal: nothing that is held is checked again."""
    released_all: bool = False
    cancelled: bool = False
    cancelled_at: int = -1
    """The place of the prompt that cancelled: what was held after it is not cancelled."""
    touched: bool = True
    replies: int = 0
    position: int = -1
    """The place, in the session's list of prompts, of the newest prompt that was taken in."""
    listed_at: int = -1
    """The place of the newest prompt when the list was first shown: only a later one chooses from it."""
    held_at: int | None = None
    """The place of the newest prompt when a call was last held back."""


def asked_before(found: Intervention, project_dir: str) -> str:
    """What Compass put to the user, for who reads their reply to it."""
    calls = [one.call for one in found.denials]
    named = (", ".join(display(target, project_dir) for target in one.targets) for one in calls)
    acts = "; ".join(f"{one.operation} {names}".strip() for one, names in zip(calls, named, strict=True))
    listed = ", ".join(f"({number}) {text}" for number, text in enumerate(found.readings, 1))
    meant = f"which of these they mean: {listed}" if listed else "whether they want that"
    return f"[Compass held this back: {acts}. It asked the user {meant}.]" if acts else ""


class Owed(Record):
    """What was told of a subagent's call, where no person reads it, until the session's own agent has the word.

    `person` and `agent` as they were told; `held`: a question, so void once that is settled.
    """

    person: str
    agent: str
    held: bool = True


NOTHING = Owed("", "", held=False)


def joined_owed(owed: tuple[Owed, ...], *, waits: bool) -> Owed:
    """All that is still to be told, as one; `waits` tells whether something is held back that was not told since.

    Of several questions the newest counts: its numbers are those that are answered.
    """
    left = [one for one in owed if not one.held]
    left += [one for one in owed if one.held][-1:] if waits else []
    if not left:
        return NOTHING
    return Owed(
        "\n".join(dict.fromkeys(one.person for one in left)),
        "\n".join(dict.fromkeys(one.agent for one in left if one.agent)),
        any(one.held for one in left),
    )
