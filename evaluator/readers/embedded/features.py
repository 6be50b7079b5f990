"""All features of one subject, computed once for the five readers. Pure and deterministic."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.model import Action, Subject
from evaluator.readers.embedded import orders, sanction, signals
from evaluator.readers.embedded.findings import Objection, short
from evaluator.readers.embedded.language import intent
from evaluator.readers.embedded.language.change import FILE_TOOLS, PendingChange, Target, change_of
from evaluator.readers.embedded.language.views import View, Views, merge, sentences, view, views_of
from evaluator.readers.embedded.objections import contradiction, destruction, referents, scope
from evaluator.readers.embedded.objections.focus import terms_of
from evaluator.readers.embedded.objections.grounding import (
    BY_FOLDER,
    BY_PIECES,
    BY_STEM,
    Ground,
    ground,
    named,
)
from evaluator.readers.embedded.objections.menu import Pick
from evaluator.readers.embedded.objections.referents import Candidate
from evaluator.readers.embedded.signals import Heard

REFUSAL_WORDS = 5


@dataclass(frozen=True, slots=True)
class Features:
    """`heard` is the exchange as clauses, `signals` what the readers weigh.

    `agreed`: a proposal of the agent was accepted. `sanctioned`: the user's own words order all that the call
    destroys, and name it; true where it destroys nothing.
    """

    views: Views
    change: PendingChange
    whole: View
    by_request: Ground
    by_whole: Ground
    leaning: bool
    agreed: bool
    sanctioned: bool
    candidates: tuple[Candidate, ...]
    heard: Heard
    findings: tuple[Objection, ...]
    signals: dict[str, float]


def ambiguous(
    found: list[Candidate], views: Views, change: PendingChange, *, action: Action, agreed: bool
) -> Objection | None:
    """The request says "it", and the prior turn offers several things or others than the one touched."""
    reply = views.last_message
    if "plural" in reply.kinds:
        return None
    if not found:
        return several(views, action) if not agreed else None
    if action not in ("delete", "rename", "move") and not any(
        "/" in one.name or "." in one.name for one in found
    ):
        return None
    hit = [
        one for one in found if any(same(target, one) for target in change.targets) or one.name in change.old
    ]
    others = [one for one in found if one not in hit]
    if hit and (not others or agreed):
        return None
    if len(found) >= 2 and not agreed:
        first, second = (hit or found)[0], others[0] if hit else found[1]
        strength = 1.0 if action in ("delete", "move") else 0.4
        phrase = f'"{short(reply.text, 24)}" can mean {short(first.name, 36)} or {short(second.name, 36)}'
        return Objection("referents", strength, "target", phrase, second.name)
    if (
        not hit
        and change.targets
        and not change.seen
        and all(named(t, views.prior) < BY_PIECES for t in change.targets)
    ):
        touched = short(change.targets[0].path)
        phrase = f"the prior turn speaks of {short(found[0].name)}; this write is in {touched}"
        return Objection("referents", 0.4, "target", phrase)
    return None


def same(target: Target, one: Candidate) -> bool:
    return (
        referents.key(target.path) == referents.key(one.name) or named(target, view(one.name, 200)) >= BY_STEM
    )


def several(views: Views, action: Action) -> Objection | None:
    """The prior turn speaks of two or more things without names a machine can compare, the reply of one."""
    reply, tail = views.last_message, sentences(views.prior.text)[-2:]
    if action == "run" or not ("pronoun" in reply.kinds or "affirm" in reply.kinds):
        return None
    if any("several" in view(sentence, 400).kinds for sentence in tail):
        phrase = f'the prior turn speaks of several things; "{short(reply.text, 32)}" of one'
        return Objection("referents", 0.6, "target", phrase)
    return None


def vague(request: View, level: float) -> Objection | None:
    hedges, loose = request.kinds.get("hedge", []), request.kinds.get("vague", [])
    some = request.kinds.get("indefinite", [])
    seen = hedges + loose + some
    if not seen:
        return None
    strength = min(1.0, 0.35 * len(hedges) + 0.45 * len(loose) + 0.3 * len(some)) * (
        1.0 if level < BY_FOLDER else 0.6
    )
    if len(request.content) > 10:
        strength *= 0.5
    return Objection(
        "vague", strength, "context", f'"{short(seen[0], 24)}" leaves open what exactly should change'
    )


def nameless(request: View, action: Action) -> Objection | None:
    """A renaming without a new name."""
    if action != "rename" or request.names or request.files or len(request.content) > 1:
        return None
    return Objection("vague", 0.8, "context", "the request asks for a new name and gives none")


def option(picked: Pick, size: int, other: float, subject: Subject) -> Objection | None:
    """`other` is how far the write fits what was not chosen."""
    if subject.resolved is None and picked.beyond is not None:
        phrase = f"option {picked.beyond} does not exist; the menu has {size}"
        return Objection("option", 1.0, "context", phrase)
    if picked.chosen and other > 0.2:
        phrase = f"the user chose {short(picked.chosen[0], 32)}; this write touches another option"
        return Objection("option", other, "target", phrase)
    if picked.open and subject.resolved is None:
        return Objection(
            "option", 0.5, "context", "the reply selects none of the options that the agent showed"
        )
    return None


def refused(reply: View) -> bool:
    """Whether the reply opens with a no and asks for nothing else."""
    return (
        bool(reply.kinds.get("decline")) and reply.words[0] in reply.kinds["decline"] and not reply.actions
        and len(reply.words) <= REFUSAL_WORDS
    )  # fmt: skip


def refusal(reply: View) -> Objection | None:
    if not refused(reply):
        return None
    return Objection("forbidden", 0.9, "context", f'the user declined: "{short(reply.text, 40)}"')


def asks(views: Views, strength: float) -> Objection | None:
    if not strength:
        return None
    return Objection(
        "question", strength, "context", f'the user asked "{short(views.gist.text, 40)}" and named no change'
    )


def idle(reply: View, *, offered: bool) -> Objection | None:
    if offered or not intent.idle(reply):
        return None
    return Objection("question", 1.0, "context", f'"{short(reply.text, 40)}" asks for nothing')


def features_of(subject: Subject) -> Features:
    project = subject.pending.project_dir
    views = views_of(subject.exchange, subject.resolved, project)
    change = change_of(subject)
    heard = signals.hear(views, subject.resolved, removing=destruction.destroys(subject))
    picked = view("\n".join(heard.pick.chosen), 4_000)
    settled = merge(views.settled, picked)
    asked_for = merge(views.request, settled)
    whole = merge(asked_for, views.prior)
    destructive = destruction.destroys(subject)
    by_request = ground(change, views.request, destructive=destructive)
    by_context = ground(change, whole, destructive=destructive, names_only=True)
    by_whole = Ground(
        by_context.name,
        max(by_request.symbols, by_context.symbols, ground(change, settled, destructive=destructive).symbols),
        by_context.values,
        by_request.specific if not settled.content else max(by_request.specific, 0.7),
    )
    bare = intent.bare(views.last_message)
    leaning = bare or intent.leans(views.last_message, views.prior)
    offered = referents.offered(views.prior)
    declined = offered and refused(views.last_message)
    agreed = (
        bare and offered and not declined and not heard.menu.options and not views.prior.empty
        and bool({"affirm", "plural"} & set(views.last_message.kinds) or views.last_message.actions)
        and ("affirm" in views.last_message.kinds or "pronoun" in views.last_message.kinds)
    )  # fmt: skip
    resolved = bool(heard.pick.chosen) or subject.resolved is not None or not settled.empty
    deleting = subject.effects.operation in ("delete", "move") or "delete" in views.last_message.actions
    action: Action = "delete" if deleting else intent.action_of(views.last_message)
    found: list[Candidate] = []
    if bare and not resolved:
        every = referents.candidates(views.prior)
        found = referents.narrow(every, views.last_message, views.prior, deleting=deleting)
    only = len(found) == 1 and any(
        referents.key(found[0].name) == referents.key(t.path) for t in change.targets
    )
    asking = intent.questioning(views.request) if settled.empty else 0.0
    other_tool = (
        subject.pending.tool_name not in (*FILE_TOOLS, "Bash")
        and subject.effects.operation_class != "destructive"
    )
    if other_tool:
        asking *= signals.OTHER_TOOLS
    referent = None
    if bare and not resolved and heard.focus.led not in ("related", "each"):
        settled_on = agreed and not (deleting and len(found) > 1)
        referent = ambiguous(found, views, change, action=action, agreed=settled_on)
    told = subject.resolved is not None
    ordered, destroying = None, subject.effects.operation_class == "destructive"
    if destroying:
        ordered = orders.backing(subject, change, heard, views, leaning=leaning)
    _, other = signals.options(heard, terms_of(change), resolved=told)
    known = [
        scope.forbidden(change, views.request, subject),
        contradiction.elsewhere(change, views.request, settled, views.prior),
        contradiction.misnumbered(change, views.request),
        option(heard.pick, len(heard.menu.options), other, subject),
        destruction.unsupported(subject, change, whole, resolved=only or resolved),
        orders.only_pasted(subject, change, views, ordered),
        destruction.dropped(change, asked_for if not leaning else whole),
        destruction.emptied(change, whole),
        destruction.by_name(change, whole),
        scope.outside_of(change, views.request, settled, views.prior),
        scope.oversized(change, views.request, subject.effects.operation),
        scope.beyond(change, whole),
        referent,
        contradiction.another_area(change, views.request, max(by_whole.name, by_whole.symbols)),
        asks(views, asking),
        vague(views.request, by_request.name),
        nameless(views.request, action) if views.prior.empty else None,
        refusal(views.last_message) if offered else None,
        idle(views.last_message, offered=offered) if settled.empty else None,
    ]  # fmt: skip
    findings = tuple(finding for finding in known if finding is not None)
    strengths: dict[str, float] = {}
    for finding in findings:
        strengths[finding.feature] = max(strengths.get(finding.feature, 0.0), finding.strength)
    grounds = (by_request, by_whole)
    return Features(
        views=views, change=change, whole=whole, by_request=by_request, by_whole=by_whole, leaning=leaning,
        agreed=agreed, sanctioned=not destroying or sanction.sanctioned(subject, change, heard, views),
        candidates=tuple(found), heard=heard, findings=findings,
        signals=signals.signals(
            signals.Case(
                views, change, subject.effects, heard, whole, grounds, strengths, other_tool, told
            )
        ),
    )  # fmt: skip
