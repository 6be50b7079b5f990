"""The act: does the user order a change at all, or do they ask, decline or thank? Pure."""

from __future__ import annotations

from evaluator.language import words
from evaluator.language.clauses import Clause
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.rules.rule import Example, Objection, Rule, Rules, short

NO_ORDER = "no order"
BRIEF_WORDS = 4


def no_order(case: Case) -> Objection | None:
    return _asks(case) or _wants_nothing(case)


def _asks(case: Case) -> Objection | None:
    """Not where what answers the agent's own question merely ends in a mark."""
    if "asks" not in case.acts or "orders" in case.acts or (case.offered and not _opens(case.own[0])):
        return None
    return Objection("context", f'the user asks "{short(case.views.last.text, 40)}" and orders no change')


def _opens(clause: Clause) -> bool:
    """Whether a clause begins as a question does."""
    return any({"question", "opener"} & words.kinds(word) for word in clause.words[:2])


def question_last(case: Case) -> Objection | None:
    return (
        Objection("context", "the message orders something and ends in a question")
        if "ends asks" in case.acts
        else None
    )


def _wants_nothing(case: Case) -> Objection | None:
    reply = case.views.last
    declined = reply.kinds.get("decline", [])
    opens = bool(reply.words) and reply.words[0] in declined and case.offered
    idle = "thanks" in reply.kinds and "affirm" not in reply.kinds and not case.offered
    if not (opens or idle) or reply.actions or len(reply.words) > BRIEF_WORDS or not case.views.settled.empty:
        return None
    if {"pronoun", "plural"} & reply.kinds.keys():
        return None
    return Objection("context", f'the user {"declined" if opens else "only says"}: "{short(reply.text, 40)}"')


def wants_words(case: Case) -> Objection | None:
    if "ends words" not in case.acts and not ("words" in case.acts and "orders" not in case.acts):
        return None
    return Objection("context", "the user wants an answer in words, not a change")


def _support(case: Case) -> float:
    """Nothing that an order says by its act alone tells clear from unclear."""
    return 0.5


RULES = Rules((
    Rule(NO_ORDER, "act", "the message asks, declines or thanks, and orders nothing",
         Example("The report in reports/monthly.py takes 4 s.", "why is this slow?", "reports/monthly.py"),
         39, 41, no_order),
    Rule("question last", "act", "the message ends in a question after an order",
         Example("", "fix src/pool.rb, or is that the db?", "src/pool.rb"), 7, 9, question_last),
    Rule("wants words", "act", "the message asks for an explanation or a list, not for a change",
         Example("", "explain src/pool.rb to me", "src/pool.rb"), 18, 30, wants_words),
), _support)  # fmt: skip
