"""`check_write`: one write by the public `judge`, which keeps nothing, told as advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compass.advising import words
from compass.advising.account import Account
from compass.advising.answers import Advice
from compass.advising.counting import CALLS_MAX
from compass.api.past import coached
from compass.api.surface import Verdict, judge_async
from compass.show.log_line import WHY
from evaluator.gate.verdicts import UNJUDGED
from evaluator.intervention.language import language_of
from evaluator.intervention.phrases import PHRASES
from evaluator.intervention.telling import question
from evaluator.record import Record


class Write(Record):
    """A write as an agent describes it: by what of a command or a file it is, or by a tool's input."""

    tool: str = ""
    command: str | None = None
    path: str | None = None
    content: str | None = None
    old: str | None = None
    new: str | None = None
    input: Mapping[str, object] | None = None


async def advise(
    write: Write,
    user: str | Sequence[str],
    prior: str,
    account: Account | None,
    project: str | None,
) -> Advice:
    """`user` and `prior` are the agent's own account; they count only where no session's file tells.

    Raises CompassError for a write that cannot be judged.
    """
    request, before, task = user, prior, ""
    if account is not None:
        exchange = account.exchange
        request, before, task = exchange.request, exchange.prior_assistant_turn, exchange.delegated_task
    found = await judge_async(
        request,
        prior=before,
        task=task,
        # Hosts name their file and shell tools differently; what is written tells which it is.
        tool=write.tool if write.input is not None else "",
        input=write.input,
        command=write.command,
        path=write.path,
        content=write.content,
        old=write.old,
        new=write.new,
        project=project,
    )
    text = request if isinstance(request, str) else "\n\n".join(request)
    return Advice(
        verdict=found.verdict,
        reason=found.reason,
        why=_why(found),
        question=_question(found, text),
        readings=list(found.readings) if found.verdict == "failed" else [],
        account=words.OWN_ACCOUNT if account is None else words.FROM_SESSION,
    )


def refused(*, by_turn: bool) -> Advice:
    """Of a call past the bound, for which nobody was asked."""
    span = words.TURN if by_turn else words.MINUTE
    return Advice(
        verdict="skipped",
        reason="turn_budget_exhausted",
        why=words.ASKED_OFTEN.format(most=CALLS_MAX, span=span),
        account=words.FROM_SESSION if by_turn else words.OWN_ACCOUNT,
    )


def _why(found: Verdict) -> str:
    if found.verdict == "passed":
        return words.CLEAR
    if found.concern is not None and found.verdict == "failed":
        # Without a doubt the rationale is that of a reader who saw nothing.
        doubt = found.rationale if found.concern != "none" else ""
        return " ".join(filter(None, (coached.DOUBTED[found.concern], doubt, words.ASK)))
    if found.reason == "not_write_class":
        return words.UNKNOWN_TOOL
    if found.reason in coached.SETTLED and found.allowed:
        return f"Nobody needed to judge this: {coached.SETTLED[found.reason]}."
    unread = any(note == UNJUDGED for note in found.notes)
    return f"Not judged: {'no model reads here' if unread else WHY[found.reason]}. {words.UNJUDGED}"


def _question(found: Verdict, request: str) -> str:
    """In the user's language, without what can only be typed where a write is held."""
    if found.verdict != "failed" or found.concern is None:
        return ""
    phrases = PHRASES[language_of(request)]
    return "\n".join((phrases.causes[found.concern], *question(found.readings, phrases)))
