"""One subject, taken apart once for all rules: what was said, what was chosen, what would change. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from evaluator.effects import PATCH_TOOL
from evaluator.language import words
from evaluator.language.change import FILE_TOOLS, PendingChange, change_of
from evaluator.language.clauses import Clause, clauses_of
from evaluator.language.views import SETTLED_CHARS, View, Views, view, views_of
from evaluator.model import Subject
from evaluator.readers.embedded.grounding import EXACT, given, named
from evaluator.readers.embedded.options import Pick, pick

ACCEPTING = frozenset(("affirm", "pronoun", "plural"))
BRIEF_WORDS = 4
UNDERSTOOD = 0.15
"""From this share of listed words on, a text is in a language of the table."""


@dataclass(frozen=True, eq=False)
class Case:
    """`own` and `prior` are what the user typed and what the agent said last, as clauses.

    `asked` is what the user says, chose or approved; `known` that and the prior turn. `offered`: the agent's last
    sentences ask or offer something; `accepts`: the user agrees or points back. `levels`: how surely `known`
    names each target, or gives each value of a call without targets, in [0, 1].
    """

    subject: Subject
    views: Views
    change: PendingChange
    own: tuple[Clause, ...]
    prior: tuple[Clause, ...]
    offered: bool
    accepts: bool
    pick: Pick
    asked: View
    known: View
    levels: tuple[float, ...]

    @property
    def destructive(self) -> bool:
        return self.subject.effects.operation_class == "destructive"

    @property
    def other_tool(self) -> bool:
        """A call of a tool that is neither a file tool nor Bash, which may well be how one answers."""
        return (
            self.subject.pending.tool_name not in (*FILE_TOOLS, PATCH_TOOL, "Bash") and not self.destructive
        )

    @property
    def understood(self) -> bool:
        """Whether the request is in a language whose questions and orders can be told apart."""
        last = self.views.last
        listed = sum(word in words.STOP or bool(words.kinds(word)) for word in last.words)
        return words.UNSPACED.search(last.text) is not None or listed >= UNDERSTOOD * len(last.words)

    @cached_property
    def acts(self) -> frozenset[str]:
        """What the user's clauses do: `orders`, `asks`, want `words`; `ends ...` for the last of them.

        Empty where another answer than an act of the user's own settles it, or where nothing can be told.
        """
        if self.other_tool or self.pick.chosen or not self.views.settled.empty or not self.understood:
            return frozenset()
        found, last = set[str](), ""
        for clause in self.own:
            act = ""
            if clause.question and (clause.inform or not clause.order):
                act = "asks"
            elif clause.inform:
                act = "words"
            elif clause.order and not clause.turned:
                act = "orders"
            last = act or last
            found.add(act)
        return frozenset((*found, f"ends {last}"))


def leads(subject: Subject, at: int) -> bool:
    """Whether precedents lead to the target at that place. Nothing that destroys goes by one."""
    effects = subject.effects
    return (
        bool(subject.led_to)
        and effects.operation_class != "destructive"
        and at < len(effects.targets)
        and effects.targets[at] in subject.led_to
    )


def case_of(subject: Subject) -> Case:
    views = views_of(subject.exchange, subject.resolved, subject.pending.project_dir)
    change = change_of(subject)
    own = tuple(clause for clause in clauses_of(views.request.text) if not clause.quoted)
    prior = clauses_of(views.prior.text)
    tail = [clause for clause in prior if clause.sentence >= prior[-1].sentence - 1]
    asking = any(clause.question for clause in own)
    offered = any((clause.question or clause.offer) and not clause.more for clause in tail)
    brief = sum(len(clause.words) for clause in own) <= BRIEF_WORDS and not asking
    last = views.last
    accepts = (
        bool(ACCEPTING & last.kinds.keys())
        or (brief and offered)
        or (bool(last.text.strip()) and not last.words)
    )
    whole = "affirm" in last.kinds and not asking
    picked = pick(subject.exchange.prior_assistant_turn, last.text, own, subject.resolved, whole=whole)
    settled = "\n".join(filter(None, (views.settled.text, *picked.chosen)))
    asked = view(f"{views.request.text}\n{settled}", 2 * SETTLED_CHARS) if settled else views.request
    known = view(f"{asked.text}\n{views.prior.text}", 4 * SETTLED_CHARS) if views.prior.text else asked
    levels = [EXACT if leads(subject, at) else named(t, known) for at, t in enumerate(change.targets)]
    levels = levels or [given(v, known) for v in change.values]
    return Case(
        subject, views, change, own, prior, offered, accepts, picked, asked, known, tuple(levels)
    )  # fmt: skip
