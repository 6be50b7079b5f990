"""A failed check that waits for its user: what was held back for one request, and how a reply resolves it.

Pure: values in, values out, `now` passed in. One intervention covers all that a request got blocked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from evaluator.intervention.control import Control, is_bare_word, parse_control
from evaluator.intervention.records import Denial, HeldCall, Intervention
from evaluator.model import SEVERITY, Effect, Exchange
from evaluator.record import Record, replace
from evaluator.text import is_continuation

if TYPE_CHECKING:
    from evaluator.intervention.user_reply import Answer

TTL_SECONDS = 1800.0
"""After this a held request is asked about anew."""

IDENTICAL_DENIALS_MAX = 3
"""Identical denials are told this often; the next one also ends the turn."""

UNTOLD = "(no id)"
"""Stands for the id of a call whose host gives none."""

Resolution = Literal["free", "released", "cancelled", "denied", "recheck"]


class UserReply(Record):
    """A human prompt since the intervention was opened. `own_menu`: the agent had shown a menu of its own.

    `answers_hold`: nothing else was said since the hold, and the agent asked nothing else.
    """

    text: str
    position: int
    own_menu: bool = False
    answers_hold: bool = False

    @property
    def control(self) -> Control | None:
        return parse_control(self.text)


def resolve(found: Intervention, reply: UserReply, now: float) -> Intervention | None:
    """The intervention after a human prompt; None if it lapsed."""
    if lapsed(found, now):
        return None
    here = replace(found, position=reply.position)
    # A call that still counts as running when the user speaks may have been interrupted, its release not used.
    denials = list(here.denials)
    for at, one in enumerate(denials):
        if one.runs_as:
            denials[at] = replace(_give_back_release(one), unsettled=one.running, unsettled_as=one.runs_as)
    here = replace(here, denials=tuple(denials))
    control = reply.control
    if control is not None:
        return _resolve_by_control(here, control, reply.position)
    if is_bare_word(reply.text):
        if reply.answers_hold and one_reading(here):
            return _resolve_by_control(here, Control("proceed"), reply.position)
        if here.denials and not any(denial.binding for denial in here.denials):
            return _intervention_with_reply(here, reply.text)
    elif is_continuation(reply.text):
        return here
    judged = any(denial.binding or denial.released for denial in here.denials)
    if not (judged or here.released_all or here.cancelled):
        # Nobody judged what is held, or all has run: what comes next is a request of its own.
        return None
    answer = _resolution_answer(here, reply)
    if answer.kind == "new_request":
        return None
    if answer.kind == "reading":
        return _resolve_by_choice(here, reply.text, tuple(offered(here)[index] for index in answer.chosen))
    if answer.kind == "nothing":
        # "Something else", and not yet what: nothing is settled.
        return replace(here, heard=(*here.heard, reply.text))
    if here.replies and not here.touched:
        return None
    return replace(_intervention_with_reply(here, reply.text), declined=answer.kind == "refusal", chosen=())


def one_reading(found: Intervention) -> bool:
    """Whether the readers saw one thing in all that is held, none of it destructive, and were not down."""
    readings = {denial.reading for denial in found.denials}
    return (
        len(readings) == 1
        and "" not in readings
        and not found.readings
        and not found.cancelled
        and all(
            denial.binding
            and denial.call.operation_class != "destructive"
            and all(one.operation_class != "destructive" for one in denial.call.each)
            for denial in found.denials
        )
    )


def offered(found: Intervention) -> tuple[str, ...]:
    """The readings that were listed, or the one that is all that the readers saw."""
    single = {denial.reading for denial in found.denials}
    return found.readings or (tuple(single) if len(single) == 1 and "" not in single else ())


def _resolution_answer(found: Intervention, reply: UserReply) -> Answer:
    # Where nothing was said there is no use for what reads menus.
    from evaluator.intervention.user_reply import Asked, understood

    calls = [denial.call for denial in found.denials]
    asked = Asked(
        readings=offered(found),
        listed=bool(found.readings),
        targets=tuple(target for call in calls for target in call.targets),
        operations=tuple(call.operation for call in calls),
        request=(*found.request, *found.clarifications),
        # What was typed before the list was shown answers something else.
        own_menu=reply.own_menu or reply.position <= found.listed_at,
    )
    return understood(reply.text, asked)


def answered(found: Intervention, answers: Sequence[tuple[str, tuple[str, ...]]]) -> Intervention:
    """Take in questions that the user answered: (question and answer, the answer's labels).

    Labels that are shown readings, word for word, choose them; any other answer is a clarification.
    """
    here = found
    for settled_as, labels in answers:
        if labels and set(labels) <= set(here.readings):
            here = _resolve_by_choice(here, "", labels)
        else:
            here = replace(_intervention_with_reply(here, settled_as), chosen=())
        here = replace(here, answers=(*here.answers, settled_as))
    return here


def times_told(found: Intervention, call: HeldCall) -> int:
    """How often calls like this one were denied, this time included."""
    index = _binding(found, call)
    return found.denials[index].told if index is not None else 0


def told_again(found: Intervention, call: HeldCall) -> Intervention:
    """The intervention after a call was denied once more, as before, for want of the check that was due."""
    index = _binding(found, call)
    if index is None:
        return found
    denial = found.denials[index]
    return _replace_denial_at(found, index, _undo_resolution_recheck(replace(denial, told=denial.told + 1)))


def _undo_resolution_recheck(denial: Denial) -> Denial:
    """The check that a reply gave it could not be made, and is still due."""
    return replace(denial, rechecks=max(0, denial.rechecks - 1))


def lapsed(found: Intervention, now: float) -> bool:
    """Whether the intervention is over by its age. A clock that jumped back does not end it."""
    return now - found.opened_at > TTL_SECONDS


def waiting(found: Intervention | None, now: float) -> tuple[Denial, ...]:
    """What is held back that the user has neither released nor cancelled."""
    if found is None or lapsed(found, now):
        return ()
    still = (one for one in found.denials if not (one.released or one.running))
    return tuple(one for one in still if not is_cancelled(found, one))


def is_cancelled(found: Intervention, denial: Denial) -> bool:
    """Whether the user cancelled it: what is held after the word was typed waits as any other."""
    return found.cancelled and denial.after < found.cancelled_at


def _resolve_by_control(found: Intervention, control: Control, position: int) -> Intervention:
    if not (found.denials or found.released_all):
        # Of what was explained nothing is held that could be released or cancelled.
        return found
    if control.verb in ("proceed", "proceed_all", "wrong"):
        released = tuple(
            replace(_give_back_release(one), released=one.call.each) if one.after < position else one
            for one in found.denials
        )
        everything = found.released_all or control.verb == "proceed_all"
        return replace(found, denials=released, released_all=everything, cancelled=False)
    if control.verb == "cancel":
        kept = tuple(replace(_give_back_release(denial), released=()) for denial in found.denials)
        return replace(found, denials=kept, cancelled=True, cancelled_at=position, released_all=False)
    return found


def _resolve_by_choice(found: Intervention, text: str, readings: tuple[str, ...]) -> Intervention:
    """The newest choice holds: an earlier one is no longer said."""
    kept = tuple(said for said in found.clarifications if said not in found.chosen)
    here = replace(_intervention_with_reply(replace(found, clarifications=kept), *readings), chosen=readings)
    return replace(here, heard=(*found.heard, text) if text else found.heard)


def _intervention_with_reply(found: Intervention, *texts: str) -> Intervention:
    fresh = tuple(replace(denial, rechecks=0) for denial in found.denials)
    return replace(
        found,
        denials=fresh,
        clarifications=(*found.clarifications, *texts),
        heard=(*found.heard, *texts),
        replies=found.replies + 1,
        touched=False,
        declined=False,
    )


def consult(found: Intervention, call: HeldCall, recheck_limit: int) -> tuple[Resolution, Intervention]:
    """What an intervention says of a call, and the intervention with that noted."""
    released = _take_call_releases(found, call)
    if released is not None:
        return "released", replace(released, touched=True)
    index = _binding(found, call)
    everything = found.released_all and call.operation_class != "destructive"
    unbound: Resolution = "released" if everything else "free"
    if index is None:
        return unbound, found
    denial = found.denials[index]
    here = replace(found, touched=True)
    if is_cancelled(found, denial):
        return "cancelled", _replace_denial_at(here, index, replace(denial, told=denial.told + 1))
    if unbound == "released" or not denial.binding:
        return unbound, here
    if found.clarifications and not found.declined and denial.rechecks < recheck_limit:
        return "recheck", _replace_denial_at(here, index, replace(denial, rechecks=denial.rechecks + 1))
    return "denied", _replace_denial_at(here, index, replace(denial, told=denial.told + 1))


def _binding(found: Intervention, call: HeldCall) -> int | None:
    """The newest denial that concerns the call; what the user cancelled stands before what readers held,
    and that before what nobody judged."""

    def weight(place: int) -> tuple[bool, bool, int]:
        denial = found.denials[place]
        return is_cancelled(found, denial), denial.binding, place

    concerned = [place for place, one in enumerate(found.denials) if concerns(one.call, call)]
    return max(concerned, key=weight, default=None)


def concerns(denied: HeldCall, call: HeldCall) -> bool:
    """A denied additive or modifying call binds its targets for every class, a destructive one its own class.

    Without a target only the very same call is concerned.
    """
    if denied.operation_class == "destructive" and call.operation_class != "destructive":
        return False
    if not denied.targets or not call.targets:
        return denied.identity == call.identity
    return not set(denied.targets).isdisjoint(call.targets)


def _take_call_releases(found: Intervention, call: HeldCall) -> Intervention | None:
    """The intervention with what the call takes of its releases; None unless they cover each of its effects."""
    denials = list(found.denials)
    for one in call.each:
        for index, denial in enumerate(denials):
            own = denial.runs_as in ("", call.tool_use_id)
            same = denial.call.identity == call.identity
            each = denial.released if own else ()
            held = next((effect for effect in each if _is_effect_as_held(one, effect, same)), None)
            if held is None:
                continue
            taken = tuple(dict.fromkeys((*denial.running, held)))
            denials[index] = replace(denial, running=taken, runs_as=call.tool_use_id or UNTOLD)
            break
        else:
            return None
    if not call.each:
        return None
    noted = replace(found, denials=tuple(denials))
    # Nobody tells how a call without an id ends: it spends the release at once.
    return noted if call.tool_use_id else _intervention_after_call(noted, UNTOLD, succeeded=True)


def _is_effect_as_held(one: Effect, held: Effect, same_call: bool) -> bool:
    """Whether an effect is the one that was held back, or a milder form of it.

    What is put into a file or done to it depends on the call, so only the same call of a tool does the same there;
    a deleted file is deleted by any.
    """
    act = (one.operation, one.target, one.identity, one.excusable, one.kind)
    if act != (held.operation, held.target, held.identity, held.excusable, held.kind):
        return False
    milder = SEVERITY[one.operation_class] <= SEVERITY[held.operation_class]
    return milder and (same_call or not one.target or one.operation == "delete")


def _give_back_release(denial: Denial) -> Denial:
    """A release that was in use and did not run to its end may be used again."""
    return replace(denial, running=(), runs_as="")


def hold_back(  # noqa: PLR0913 - the fields of a denial, by name
    found: Intervention | None,
    call: HeldCall,
    *,
    check_id: str,
    exchange: Exchange,
    session_id: str,
    readings: Sequence[str],
    position: int,
    newest: int,
    now: float,
    binding: bool,
) -> Intervention:
    """Note a blocked call: in the request's intervention, or in a new one. Several `readings` were shown as a list.

    `position` is the newest prompt that the call was judged by, `newest` the one that was typed last by now.
    """
    shown = tuple(readings) if len(readings) > 1 else ()
    reading = readings[0] if len(readings) == 1 else ""
    here = found or Intervention(
        opened_at=now,
        session_id=session_id,
        request=exchange.request,
        prior_assistant_turn=exchange.prior_assistant_turn,
        position=position,
        answers=tuple(f"{item.question} -> {', '.join(item.answers)}" for item in exchange.questions),
    )
    if not binding and (judged := _binding(here, call)) is not None:
        here = _replace_denial_at(here, judged, _undo_resolution_recheck(here.denials[judged]))
    for index, denial in enumerate(here.denials):
        if denial.call.targets == call.targets and denial.call.identity == call.identity:
            again = replace(denial, call=call, told=denial.told + 1)
            if binding or not denial.binding:
                # Else what readers held stays as they judged it.
                again = replace(again, check_id=check_id, binding=binding, reading=reading)
            here = _replace_denial_at(here, index, again)
            break
    else:
        new = Denial(call, check_id, binding, reading=reading, after=newest)
        here = replace(here, denials=(*here.denials, new))
    if shown and shown != here.readings:
        here = replace(here, readings=shown, listed_at=newest)
    return replace(here, touched=True, held_at=position)


def passed(found: Intervention, call: HeldCall) -> Intervention | None:
    """A re-check let the call through: its denial is over, and so is the question once nothing is held back."""
    left = tuple(denial for denial in found.denials if not concerns(denial.call, call))
    return _intervention_if_open(replace(found, denials=left, readings=found.readings if left else ()))


def _intervention_if_open(found: Intervention) -> Intervention | None:
    """The intervention, None once nothing is held back, released, asked, or explained for the rest of the request."""
    return found if found.denials or found.released_all or found.clarifications else None


def settled(found: Intervention, tool_use_id: str, *, succeeded: bool) -> Intervention | None:
    """The released call ended: success spends the release, failure gives it back."""
    if not tool_use_id:
        return found
    return _intervention_if_open(_intervention_after_call(found, tool_use_id, succeeded=succeeded))


def _intervention_after_call(found: Intervention, tool_use_id: str, *, succeeded: bool) -> Intervention:
    denials: list[Denial] = []
    for denial in found.denials:
        if tool_use_id not in (denial.runs_as, denial.unsettled_as):
            denials.append(denial)
            continue
        runs = denial.runs_as == tool_use_id
        used = denial.running if runs else denial.unsettled
        over = _give_back_release(denial) if runs else replace(denial, unsettled=(), unsettled_as="")
        if not succeeded:
            denials.append(over)
        elif left := tuple(one for one in denial.released if one not in used):
            denials.append(replace(over, released=left))
    return replace(found, denials=tuple(denials))


def joined(found: Intervention, exchange: Exchange) -> Exchange:
    """The exchange of a later call of the same request: what was asked, and what was said since.

    The newest reply is the running prompt, which the transcript gives as the current request: what it said stands
    there already, a short one in the words of the reading that it chose.
    """
    known = {*found.request, *found.heard}
    said = tuple(text for text in exchange.request if text not in known)
    request = (*found.request, *found.clarifications, *said)
    return replace(exchange, request=request, prior_assistant_turn=found.prior_assistant_turn)


def _replace_denial_at(found: Intervention, index: int, denial: Denial) -> Intervention:
    return replace(found, denials=(*found.denials[:index], denial, *found.denials[index + 1 :]))
