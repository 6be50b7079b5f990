"""Do the user's own words order what a call destroys, and name all of it? Pure; one answer for every judge.

What counts as the user's word: what they typed (not what they pasted, unless they hand it over to be run), the option
or answer that they chose, the plan that they approved, and a proposal that they took up: choosing is saying, as long as
the chosen or proposed text itself orders the destruction and names the target, so that both stood before the user's
eyes. Nothing else does: not what the agent told, not a log, and not the task of a subagent, which can only forbid.

An order is a sentence that has the shape of one (`imperatives`). A prohibition, a condition, a question, a review, a
tale of the past or a mere mention has not, and neither has what nobody listed: then the call is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Effect, Subject
from evaluator.readers.embedded import orders
from evaluator.readers.embedded.language import intent, words
from evaluator.readers.embedded.language.change import PendingChange, Target, target_of
from evaluator.readers.embedded.language.clauses import UNUSED, UNWANTED, Clause, clauses_of
from evaluator.readers.embedded.language.imperatives import (
    CHANGES,
    EXCEPTED,
    NO_ORDER,
    STOPPING,
    TAKEN_BACK,
    OrderKind,
)
from evaluator.readers.embedded.language.views import REQUEST_CHARS, VERDICT, Views, view
from evaluator.readers.embedded.naming import called, controls, is_about, mentions, names_command, runs
from evaluator.readers.embedded.objections.destruction import asked
from evaluator.readers.embedded.ordered import (
    RUNNING,
    Said,
    kinds_of,
    lowered,
    ordered,
    unquoted,
    wanted_gone,
)
from evaluator.readers.embedded.signals import Heard

WANTED: dict[str, tuple[OrderKind, ...]] = {
    "delete": ("delete",),
    "move": ("move",),
    "vcs": ("delete", "undo"),
    "unknown": ("delete", "move", "undo"),
}
QUOTATION = re.compile(r"```.*?(?:```|$)|[\"“„«](?=[^\"”“»]*\s)[^\"”“»]{20,}[\"”“»]", re.DOTALL)
MANY = 40
SPARING = ("forbids", "spare", "negator")


def sanctioned(subject: Subject, change: PendingChange, heard: Heard, views: Views) -> bool:
    """Whether every destructive effect of the call is ordered, and its target named, by the user's own words."""
    effects = subject.effects
    each = [one for one in effects.each if one.operation_class == "destructive"]
    if not each:
        each = [Effect(effects.operation, "destructive", target) for target in effects.targets or ("",)]
    project = subject.pending.project_dir
    if len(each) > MANY or _held_back(subject, each):
        return False
    voices = list(_voices(subject, change, heard, views))
    return any(all(_backs(voice, one, change, project) for one in each) for voice in voices)


def _backs(said: Sequence[Said], effect: Effect, change: PendingChange, project: str) -> bool:
    wanted = WANTED.get(effect.operation, ("delete", "undo"))
    if any(runs(one, change.command) for one in said):
        return True
    fitting = [one for one in said if one.kinds & set(wanted)]
    if not effect.target:
        return any(names_command(one, change.command) for one in fitting) or any(
            controls(one, change.command) for one in said if "control" in one.kinds
        )
    target = target_of(effect.target, project)
    if effect.operation == "vcs" and target.path == ".":
        return any(CHANGES.search(one.text) and is_about(one, (), relating=True) for one in fitting)
    names = called(target)
    relating = effect.operation in ("move", "vcs")
    about = [one for one in fitting if is_about(one, _all_called(change), relating=relating)]
    if any(mentions(one.text, names) for one in about):
        return True
    return effect.operation == "move" and _is_place(target, about)


def _all_called(change: PendingChange) -> list[str]:
    """What any target of the call may be called by: an order may list them all."""
    return list(dict.fromkeys(name for target in change.targets for name in called(target)))


def _is_place(target: Target, said: Sequence[Said]) -> bool:
    """Whether a file is to be moved into a folder under its own name."""
    folder = target.path.rpartition("/")[0].lower()
    return bool(folder) and any(
        mentions(one.text, [folder]) and mentions(one.text, [target.base.lower()]) for one in said
    )


def _voices(subject: Subject, change: PendingChange, heard: Heard, views: Views) -> Iterator[list[Said]]:
    """Each text that speaks for the user, as the orders in it."""
    yield list(_own(subject, change))
    chosen = [*heard.pick.chosen, *(subject.resolved.labels if subject.resolved else ())]
    questions = [each.question for each in subject.exchange.questions if each.answers]
    answers = [answer for each in subject.exchange.questions for answer in each.answers]
    plans = [plan.text for plan in subject.exchange.plans if plan.approved]
    if answers:
        yield list(_settled(subject, "\n".join(questions), answers))
    for text in (*chosen, *plans):
        yield list(ordered(lowered(text), asking=True))
    reply = lowered(views.request.text)
    doubted = "?" in reply or "？" in reply or NO_ORDER.search(reply) or STOPPING.match(reply)
    if not doubted and orders.is_taken_up(views.request.text, heard):
        yield list(_proposed(subject, change, heard))


def _own(subject: Subject, change: PendingChange) -> Iterator[Said]:
    for message in subject.exchange.request:
        typed = "\n".join(line for line in message[:REQUEST_CHARS].split("\n") if not VERDICT.search(line))
        own, pasted = orders.parted(typed)
        text = lowered(QUOTATION.sub(" … ", own))
        clauses = clauses_of(text)
        yield from ordered(text, beside=pasted, command=unquoted(change.command))
        if any(map(orders.hands_over, clauses)) and any(
            unquoted(line) == unquoted(change.command) for line in pasted.split("\n")
        ):
            yield Said(RUNNING, lowered(change.command), points=False)


def _settled(subject: Subject, question: str, answers: Iterable[str]) -> Iterator[Said]:
    """A question of the agent with the labels that the user chose: it may order, they may name, or they do both."""
    texts = [lowered(answer) for answer in answers]
    for text in texts:
        yield from ordered(text, asking=True)
    if any(NO_ORDER.search(UNWANTED.sub(" ", UNUSED.sub(" ", text))) for text in texts):
        return
    if asked(subject, view(question, REQUEST_CHARS)) and not any(
        clause.against for clause in clauses_of(question)
    ):
        kinds = frozenset(WANTED.get(subject.effects.operation, ("delete", "undo")))
        yield Said(kinds, "\n".join(texts), points=True)


def _proposed(subject: Subject, change: PendingChange, heard: Heard) -> Iterator[Said]:
    """The agent's last question or offer, where it is for this; what it points at stands in its last sentences."""
    found = orders.proposal(subject, change, heard)
    if not found.text.strip():
        return
    kinds = frozenset(WANTED.get(subject.effects.operation, ("delete", "undo")))
    yield Said(kinds, lowered(found.text), points=True)
    if "`" in found.text:
        yield Said(RUNNING, lowered(found.text), points=False)


def _held_back(subject: Subject, each: Sequence[Effect]) -> bool:
    """Whether a later message takes it back, or a word of the user or of the subagent's task spares what would go."""
    messages = subject.exchange.request
    if len(messages) > 1 and STOPPING.match(lowered(messages[-1])):
        return True
    if any(TAKEN_BACK.search(lowered(message)) for message in messages):
        return True
    project = subject.pending.project_dir
    paths = [target_of(one.target, project).path.lower() for one in each if one.target]
    own = "\n".join(orders.parted(message[:REQUEST_CHARS])[0] for message in messages)
    for clause in clauses_of(lowered(intent.PASTED.sub(" … ", own))):
        if _speaks_against(clause) and _spares(clause, paths):
            return True
    task = clauses_of(lowered(subject.exchange.delegated_task))
    return any(
        clause.against in SPARING
        and (_spares(clause, paths) or bool({"delete", "move"} & words.ACTIONS.of(
            f" {' '.join(clause.words)} ", list(clause.words), clause.text
        ).keys()))
        for clause in task
    )  # fmt: skip


def _speaks_against(clause: Clause) -> bool:
    excepts = EXCEPTED.match(clause.text) is not None and not kinds_of(clause.text.partition(" ")[2])
    return clause.against in SPARING or excepts or orders.KEPT.search(clause.text) is not None


def _spares(clause: Clause, paths: Sequence[str]) -> bool:
    """Whether a clause that speaks against something names a target or what lies in one."""
    if wanted_gone(clause.text) != clause.text:
        return False
    named = [
        name.strip("`'\"./") for name in re.findall(r"[a-z0-9_@~+*./-]*[/._][a-z0-9_@~+*/.-]+", clause.text)
    ]
    return any(name and (name == path or name.startswith(f"{path}/")) for name in named for path in paths)
