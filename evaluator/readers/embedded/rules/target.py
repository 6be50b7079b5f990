"""The target: does what was said lead to this file, value or number, or to another one? Pure."""

from __future__ import annotations

import math
import re

from evaluator.language.views import REQUEST_CHARS, view
from evaluator.readers.embedded.aim import aim_of
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.grounding import BY_FOLDER, BY_PIECES, EXACT, named, symbols
from evaluator.readers.embedded.rules.option import fits
from evaluator.readers.embedded.rules.rule import Example, Objection, Rule, Rules, short

CONCRETE = re.compile(
    r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|`[^`\n]+`|\b\d[\d.,:/-]*|(?<=[a-z,] )[A-Z][\w-]+"
    r"|\b[\w-]{1,40}\.[a-z]{1,5}\b|[^\W_]+_\w+"
)
FEW_CLAUSES = 3
"""A longer request may mean a file beside the one that it names."""


def what(case: Case) -> str:
    change = case.change
    return short(change.targets[0].path) if change.targets else short(change.command, 32) or "this call"


def nothing_to_go_by(case: Case) -> Objection | None:
    if case.prior or len(case.views.last.content) > 1 or nothing_leads(case) is None:
        return None
    if not case.views.request.text.strip():
        return Objection("context", f"no request is visible that {what(case)} could be measured against")
    return Objection("context", f"the request names nothing, and nothing before it leads to {what(case)}")


def nothing_leads(case: Case) -> Objection | None:
    if not case.change.targets or (case.accepts and case.offered) or max(case.levels, default=0.0) > 0:
        return None
    foreign = not case.known.text.isascii() and len(case.known.content) > 1
    if foreign or symbols(case.change, case.known) > 0:
        return None
    return Objection("context", f"nothing that was said leads to {what(case)}")


def another_file(case: Case) -> Objection | None:
    request, change = case.views.request, case.change
    orders = [clause for clause in case.own if (clause.order or len(case.own) == 1) and not clause.turned]
    files = [file for clause in orders for file in clause.files]
    derived = case.subject.effects.operation_class == "additive" or "spread" in request.kinds
    if not files or change.shell or derived or len(case.own) > FEW_CLAUSES:
        return None
    # What the named files themselves are called by says nothing for another file beside them.
    rest = request.text
    for file in request.files:
        rest = rest.replace(file, " ")
    spoken = view(rest, REQUEST_CHARS)
    kinds = {file.rpartition(".")[2] for file in files}
    for target in (one for one in change.targets if one.base.rpartition(".")[2] in kinds and not one.is_test):
        path = f"/{target.path}"
        asked = any(path.endswith(f"/{file}") or f"/{file}".endswith(path) for file in request.files)
        said = named(target, case.views.settled) >= BY_PIECES or named(target, case.views.prior) >= EXACT
        if asked or said or named(target, spoken) > BY_FOLDER:
            continue
        phrase = f"the request names {short(files[0])}; this write is in {short(target.path)}"
        return Objection("target", phrase, short(target.path))
    return None


def _grounded(case: Case) -> float:
    """How much of the write was said, in [0, 1]: targets or values, the least of them, and how concrete the request is.

    One withheld value makes a call a guess.
    """
    levels = case.levels or (0.0,)
    concrete = len(CONCRETE.findall(case.views.last.text[:2_000]))
    share = math.sqrt(min(1.0, 2.0 * concrete / max(4, len(case.views.last.words))))
    return (sum(levels) / len(levels) + 2 * min(levels) + 2 * share) / 5


def _support(case: Case) -> float:
    """How much of the write was said: its values for a call, else its names, first of all where it was asked for."""
    if case.other_tool:
        return _grounded(case)
    if fits(case) > 0:
        return 1.0
    aim = aim_of(case)
    return 0.25 * _grounded(case) + 0.4 * aim.asked + 0.25 * aim.known + 0.1 * min(case.levels, default=0.0)


GROUNDLESS = "nothing to go by"
RULES = Rules((
    Rule(GROUNDLESS, "target", "the request names nothing, and nothing was said before it",
         Example("", "yes please", "lib/pool.rb"), 20, 22, nothing_to_go_by),
    Rule("another file", "target", "the request names a file, and the write changes another one of its kind",
         Example("", "Tighten the checks in src/auth.py", "src/billing/rates.py"), 6, 6, another_file),
    Rule("nothing leads to it", "target", "no word of what was said leads to the target",
         Example("", "add pagination to the list of orders", "lib/pool.rb"), 26, 32, nothing_leads),
), _support)  # fmt: skip
