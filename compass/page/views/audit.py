"""The queue of `compass audit`: one write at a time, as its terminal asks it. What the gate decided is not shown."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from calibration.audit.answers import KEYS, WORDS, AuditAnswer
from calibration.audit.findings import findings, lines
from calibration.audit.plan import DEFAULT_ANSWERS, AuditCase, AuditPlan
from compass.auditing.keeping import KeptAudit, kept_audit
from compass.auditing.screen import QUESTION, TOLD
from compass.page.charts import progress
from compass.page.element import Html, el, joined
from compass.page.parts import code, command, empty, heading, moment, paragraphs, said
from compass.page.scope import Chosen
from evaluator.errors import PayloadError, StateError

BUTTONS = (("y", "Yes, hold it"), ("n", "No, right to run"), ("s", "Cannot tell"))


def view(found: Chosen, write: str) -> Html:
    """`write` is one to look at again; empty for the next. Raises StateError for an audit that cannot be read."""
    top = heading("Audit")
    if found.project is None:
        return joined((top, empty("An audit is of one project", "Choose one above.")))
    kept = KeptAudit(os.path.dirname(found.here.calibration), fresh=False)
    if kept.plan is None:
        return joined(
            (
                top,
                empty(
                    "No audit of this project yet",
                    "How often does the gate hold what should have run, and let run what should have been held? Some "
                    "eighty answers tell, for your own writes. Begin in the project's folder:",
                    command("compass audit"),
                    "and go on there, or here: the answers are kept in one place.",
                ),
            )
        )
    return joined((top, _queue(kept.plan, kept.told, write)))


def answer(found: Chosen, write: str, word: str) -> Html:
    """Keeps one answer. Raises PayloadError, StateError."""
    if found.project is None:
        raise PayloadError("an audit is of one project")
    if word not in KEYS:
        raise PayloadError("an answer is y, n or s")
    try:
        with kept_audit(os.path.dirname(found.here.calibration), fresh=False) as kept:
            if kept.plan is None or write not in kept.plan.cases:
                raise PayloadError("this audit asks about no such write")
            kept.keep(AuditAnswer(write, KEYS[word], time.time()))
            return joined((heading("Audit"), _queue(kept.plan, kept.told, "")))
    except OSError as error:
        raise StateError(f"the answer cannot be kept: {error}") from None


def _queue(plan: AuditPlan, told: Mapping[str, bool | None], write: str) -> Html:
    queue = plan.queue(DEFAULT_ANSWERS, told)
    left = [one for one in queue if one not in told]
    wanted = sum(plan.shares(DEFAULT_ANSWERS).values())
    answered = list(told)
    shown = write if write in told and write in plan.cases else next(iter(left), "")
    done = min(wanted, sum(value is not None for value in told.values()))
    state = el(
        "div",
        el("p", el("b", f"{done} of {wanted}"), " answered", f"; {len(left)} in the queue" if left else ""),
        progress(done, wanted),
        class_="state",
    )
    if not shown:
        return joined((state, _done(plan, told)))
    place = answered.index(shown) if shown in told else len(answered)
    before = answered[place - 1] if place else ""
    return joined((state, _case(plan.cases[shown], told, before)))


def _case(case: AuditCase, told: Mapping[str, bool | None], before: str) -> Html:
    given = f"You answered: {TOLD[told[case.id]]}." if case.id in told else ""
    chosen = WORDS[told[case.id]] if case.id in told else ""
    buttons = [
        el(
            "button",
            word,
            " ",
            el("kbd", key),
            type="button",
            data_answer=key,
            aria_pressed=_pressed(key == chosen),
        )
        for key, word in BUTTONS
    ]
    here, there = el("code", "compass ui --audit"), el("code", "compass audit")
    back = el("a", "\u2190 The answer before", href=f"#/audit?write={before}")
    return el(
        "article",
        el("p", "Before ", moment(case.at, whole=True), class_="soft") if case.at else None,
        said("The agent had said", case.prior_assistant_turn, "agent"),
        said("You asked", case.request, "user"),
        said("A subagent was told", case.delegated_task, "agent"),
        el("h3", "The agent would write"),
        code("\n".join(filter(None, (case.write, case.command))), "The agent would write"),
        el("h2", QUESTION),
        el("p", given, class_="note") if given else None,
        el("div", *buttons, class_="answers", role="group", aria_label="Your answer"),
        el("p", "To answer here, let ", here, " open the page; ", there, " asks the same in the terminal.",
           class_="locked"),
        el("p", back, class_="back") if before else None,
        class_="case",
        data_write=case.id,
    )  # fmt: skip


def _pressed(is_chosen: bool) -> str | None:
    return "true" if is_chosen else None


def _done(plan: AuditPlan, told: Mapping[str, bool | None]) -> Html:
    """The figures, once nothing is asked any more: before that they would lead the answers."""
    found = findings(plan, told, DEFAULT_ANSWERS)
    return joined(
        (
            empty(
                "Every answer is in",
                "What they certify is told, and set if you say so, by",
                command("compass audit"),
            ),
            el("section", el("h2", "What the answers say"), paragraphs(*lines(found))),
        )
    )
