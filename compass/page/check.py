"""One check whole: the exchange, the write, how it was judged, each reader, and what would have left the machine."""

from __future__ import annotations

from compass.page.charts import Mark, progress, scores
from compass.page.element import Html, chip, code, el, empty, facts, heading, joined, moment, said, section
from compass.page.scope import Chosen
from compass.show.check import lines_of
from compass.show.log_line import check_of, cost_of, shown_of, verdict_of, why_of
from evaluator.egress.prompt import build
from evaluator.model import AnsweredQuestion, Check, Look, Sample
from evaluator.readers.kinds.kind import find_kind
from evaluator.settings.places import set_by
from evaluator.trigger.rules import display_target

ID_CHARS_MAX = 200
NONCE = "0" * 8
CHOSEN, OPEN = "\u25cf", "\u25cb"
JUDGED = (
    "score",
    "mean",
    "deviation",
    "agreement",
    "turned by",
    "concern",
    "rationale",
    "readers",
    "how sure",
)
"""Of what `compass explain` tells, what the readers came to."""


def view(found: Chosen, check_id: str) -> Html:
    """Raises StateError for a record that is none."""
    known = check_id.isprintable() and 0 < len(check_id) <= ID_CHARS_MAX
    record = found.here.history.check(check_id) if known else None
    if record is None:
        return joined(
            (
                heading("No such check"),
                empty("It is not kept", f"How long checks are kept: {set_by('retention_days', 'DAYS')}.",
                      el("p", el("a", "All checks", href="#/checks"))),
            )
        )  # fmt: skip
    check = check_of(record)
    at = record.get("at")
    return joined(
        (
            el("p", el("a", "\u2190 Checks", href="#/checks"), class_="back"),
            _head(check, float(at) if isinstance(at, (int, float)) else check.at),
            _exchange(check),
            _write(check),
            _judged(check),
            _readings(check),
            _readers(check),
            _sent(check),
            _told(check),
        )
    )


def _head(check: Check, at: float) -> Html:
    costs = [sample.cost_usd for sample in check.samples if sample.cost_usd]
    targets = check.effects.targets if check.effects is not None else ()
    what = f"{check.effects.operation} " if check.effects is not None else ""
    named = display_target(check.pending, targets)
    pairs = [
        ("Why", why_of(check)),
        ("Project", check.pending.project_dir),
        ("Took", f"{check.duration_ms} ms"),
        ("Cost", cost_of(sum(costs)) if costs else ""),
        ("Mode", check.mode),
        ("Check", check.check_id),
        ("Session", check.pending.session_id),
    ]
    return joined(
        (
            el("div", el("h1", what, el("bdi", named), tabindex="-1"), class_="heading"),
            el("p", chip(verdict_of(check)), " ", moment(at, whole=True), class_="verdict"),
            facts(pairs),
            *[el("p", note, class_="note", dir="auto") for note in check.notes],
        )
    )


def _exchange(check: Check) -> Html:
    exchange = check.exchange
    if exchange is None:
        return section(
            "The exchange",
            el("p", "Not kept. ", el("code", set_by("store_evidence", "true")), " keeps it from the next check on.",
               class_="soft"),
        )  # fmt: skip
    asked = [said(f"Asked: {one.question}", _options(one), "agent") for one in exchange.questions]
    plans = [
        said("The plan, approved" if one.approved else "The plan, not approved", one.text, "agent")
        for one in exchange.plans
    ]
    parts = [
        said("The agent had said", exchange.prior_assistant_turn, "agent"),
        *[said("You asked", one, "user") for one in exchange.request],
        *asked,
        *plans,
        said("You chose", ", ".join(check.resolved.labels), "user") if check.resolved else None,
        said("A subagent was told", exchange.delegated_task, "agent"),
    ]
    found = [part for part in parts if part is not None]
    return section(
        "The exchange", *(found or [el("p", "Nothing was said before this write.", class_="soft")])
    )


def _options(one: AnsweredQuestion) -> str:
    """Those that were chosen are marked; an answer in the user's own words stands alone."""
    listed = [f"{CHOSEN if option in one.answers else OPEN} {option}" for option in one.options]
    own = [answer for answer in one.answers if answer not in one.options]
    return "\n".join([*listed, *(f"{CHOSEN} {answer}" for answer in own)])


def _write(check: Check) -> Html:
    effects = check.effects
    if effects is None:
        return section("The write", facts([("Tool", check.pending.tool_name)]))
    inside = check.pending.project_dir.rstrip("/") + "/"
    targets = [el("li", el("code", one.removeprefix(inside), dir="ltr")) for one in effects.targets]
    return section(
        "The write",
        facts(
            [
                ("Tool", check.pending.tool_name),
                ("Operation", f"{effects.operation}, {effects.operation_class}"),
                ("Lines", "" if effects.lines is None else str(effects.lines)),
            ]
        ),
        el("ul", *targets, class_="targets") if targets else el("p", "It names no target.", class_="soft"),
        code(effects.command, "The command") if effects.command else None,
    )


def _judged(check: Check) -> Html:
    lines = dict(lines_of(check))
    pairs = [(label.capitalize(), lines[label]) for label in JUDGED if label in lines]
    convergence = check.convergence
    if convergence is None:
        return section(
            "How it was judged",
            el("p", "No reader was asked: ", why_of(check), "."),
            facts([one for one in pairs if one[0] == "Readers"]),
        )
    read = [Mark(one.score, one.reader) for one in check.samples if one.valid and one.score is not None]
    limits = check.thresholds
    limit = limits.confidence if limits is not None else None
    chart = scores(read, convergence.mean, convergence.stddev, limit) if read else None
    key = el(
        "p",
        "Each dot is a reader. The bar is their mean, the band one deviation to either side.",
        class_="soft",
    )
    return section(
        "How it was judged", el("figure", chart, el("figcaption", key)) if chart else None, facts(pairs)
    )


def _readings(check: Check) -> Html | None:
    if not check.clusters:
        return None
    readers = max(1, sum(not one.error for one in check.samples))
    rows = [
        el(
            "li",
            el("b", f"{len(one.readers)} of {readers}"),
            " ",
            el("bdi", f"{one.reading.action} {one.reading.target}"),
            " ",
            el("span", f"({one.reading.extent.replace('_', ' ')})", class_="soft"),
            progress(len(one.readers), readers),
        )
        for one in check.clusters
    ]  # fmt: skip
    title = "What they understood" if len(rows) > 1 else "What they understood, as one"
    return section(title, el("ol", *rows, class_="readings"))


def _readers(check: Check) -> Html | None:
    if not check.samples:
        return None
    return section("Each reader", el("ul", *map(_reader, check.samples), class_="readers"))


def _reader(sample: Sample) -> Html:
    if sample.error or sample.score is None:
        return el(
            "li", el("h3", sample.reader), el("p", sample.error or "no score", class_="soft", dir="auto")
        )
    reading = sample.reading
    name = sample.reader + (" (was not shown the write)" if sample.blind else "")
    pairs = [
        ("Concern", sample.primary_concern or ""),
        (
            "Reading",
            f"{reading.action} {reading.target} ({reading.extent.replace('_', ' ')})" if reading else "",
        ),
        ("Rival", sample.rival or ""),
        ("Fits", "" if sample.fits is None else "yes" if sample.fits else "no"),
        ("Took", f"{sample.latency_ms} ms" if sample.latency_ms else ""),
    ]
    return el(
        "li",
        el("h3", name, " ", el("span", f"{sample.score:.2f}", class_="figure")),
        el("p", sample.rationale, dir="auto") if sample.rationale else None,
        facts(pairs),
    )


def _sent(check: Check) -> Html:
    title = "What would have left the machine"
    if check.evidence is None:
        if check.exchange is not None:
            return section(
                title, el("p", "Nothing: no reader was asked, so no evidence was made.", class_="soft")
            )
        return section(
            title,
            el("p", "It is not kept. ", el("code", set_by("store_evidence", "true")), " keeps it from now on.",
               class_="soft"),
        )  # fmt: skip
    kind = find_kind(check.backend)
    hosted = kind is not None and kind.hosted
    blind = bool(check.samples) and all(one.blind for one in check.samples)
    look: Look = "first" if check.samples and all(one.look == "first" for one in check.samples) else "second"
    short = kind is not None and kind.short
    prompt = build(check.evidence, NONCE, look=look, blind=blind, short=short)
    told = (
        "This was sent to each hosted reader."
        if hosted
        else "Nothing was sent: these readers run on this machine. A hosted reader would have been sent this."
    )
    return section(
        "What left the machine" if hosted else title,
        el("p", told),
        el(
            "details",
            el("summary", "What it says of the exchange and the write"),
            code(prompt.user, "The user text"),
        ),
        el("details", el("summary", "What every reader is told"), code(prompt.system, "The system text")),
        el("p", "The tags of the slots end in fresh characters in each request.", class_="soft"),
    )


def _told(check: Check) -> Html:
    shown = [("What you were shown", shown_of(check)), ("What the agent was told", check.detail)]
    return joined([section(title, code(text, title)) for title, text in shown if text])
