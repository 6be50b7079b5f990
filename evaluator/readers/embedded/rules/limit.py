"""The limit: is this what the user forbade or set aside, or outside of what they kept it to? Pure."""

from __future__ import annotations

import re

from evaluator.language import words
from evaluator.language.change import Target
from evaluator.language.clauses import Clause
from evaluator.language.views import View, mentions, view
from evaluator.readers.embedded.aim import aim_of
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.grounding import BY_FOLDER, BY_STEM, EXACT, named, symbols
from evaluator.readers.embedded.rules.rule import Example, Objection, Rule, Rules, short

CLAUSE_CHARS = 2_000
NAMED = 0.7
CLEARLY = 0.2
"""By how much more of the write must be said to set it aside than to ask for it."""
CONTAINED = re.compile(r"[A-Za-z0-9_\-./]{2,40}", re.ASCII)


def _covers(target: Target, clause: Clause) -> bool:
    """Whether a clause speaks of the target: a clause that spells a path speaks of that path alone."""
    files, folders = mentions(clause.text)
    path = f"/{target.path.lower()}"
    if files:
        return any(path.endswith(f"/{file.lower()}") for file in files)
    if folders:
        return any(f"/{folder.lower()}/" in f"{path}/" for folder in folders)
    said = view(clause.text, CLAUSE_CHARS)
    return named(target, said) >= (BY_FOLDER if "container" in said.kinds else NAMED) or (
        target.is_test and not {"test", "tests"}.isdisjoint(clause.words)
    )


def forbidden(case: Case) -> Objection | None:
    asking = {clause.sentence for clause in case.own if clause.question}
    for clause in case.own:
        if clause.against not in ("spare", "forbids") or clause.sentence in asking:
            continue
        if any(word in clause.text.lower() for word in words.BEYOND):
            continue
        for target in case.change.targets:
            if _covers(target, clause):
                phrase = (
                    f'the request says "{short(clause.text, 40)}"; this write touches {short(target.path)}'
                )
                return Objection("scope", phrase)
    return None


def contained(request: View, *, loosely: bool = False) -> list[str]:
    """Names of the modules, folders or packages that the request speaks of ("the auth module")."""
    found = list(request.folders)
    containers = {*request.kinds.get("container", ()), *(request.kinds.get("unit", ()) if loosely else ())}
    running = request.words
    for place, word in enumerate(running):
        if word not in containers:
            continue
        near = [*running[max(0, place - 1) : place], *running[place + 1 : place + 2]]
        found += [other for other in near if _is_name(other)][:1]
    for inner in containers:
        if words.UNSPACED.search(inner):
            before = re.search(rf"({CONTAINED.pattern})\s*的?\s*{re.escape(inner)}", request.low)
            found += [before.group(1)] if before else []
    return list(dict.fromkeys(found))


def _is_name(word: str) -> bool:
    known = word in words.STOP or word in words.GENERIC or words.kinds(word)
    return word.isascii() and len(word) > 1 and not known


def _inside(target: Target, container: str) -> bool:
    pieces = {words.stem(piece) for piece in (*target.stem, *target.folders)}
    wanted = [words.stem(piece) for piece in words.split(container) if piece not in words.GENERIC]
    return not wanted or any(
        piece in pieces or any(len(piece) > 3 and p.startswith(piece) for p in pieces) for piece in wanted
    )


def _limits(case: Case) -> bool:
    """Whether a clause limits the request ("only", "nothing else")."""
    for clause in case.own:
        kinds = words.seen(clause.words, clause.text.lower()).cues
        if "only" in kinds and not {"hedge", "question"} & kinds.keys() and "if" not in clause.words:
            return True
        if clause.against in ("spare", "forbids") and any(w in clause.text.lower() for w in words.BEYOND):
            return True
    return False


def outside(case: Case) -> Objection | None:
    """A write that leaves the module, folder or file that the request confines itself to."""
    request, change, prior = case.views.request, case.change, case.views.prior
    if not change.targets or "whole" in request.kinds:
        return None
    limited = _limits(case)
    places = [place for place in contained(request, loosely=limited) if place not in change.new]
    places += [file for file in request.files if limited and file not in places]
    if not places or (not limited and symbols(change, request, names_only=True) >= 0.5):
        return None
    for target in change.targets:
        said = max(named(target, case.views.settled), 0.0 if limited else named(target, prior))
        if any(_inside(target, place) for place in places) or said >= BY_STEM:
            continue
        if named(target, request) >= (EXACT if limited else 0.8):
            continue
        phrase = f"the request is about {short(places[0])}; this write is in {short(target.path)}"
        return Objection("scope", phrase, short(target.path))
    return None


def set_aside(case: Case) -> Objection | None:
    aim = aim_of(case)
    if case.other_tool or case.destructive or case.pick.chosen or aim.aside <= aim.asked + CLEARLY:
        return None
    target = case.change.targets[0].path if case.change.targets else case.change.command
    return Objection("scope", f"the exchange speaks of {short(target)} to set it aside, not to change it")


def _support(case: Case) -> float:
    return 0.5 - 0.5 * aim_of(case).aside


RULES = Rules((
    Rule("forbidden", "limit", "the user says to leave the target alone",
         Example("", "make the test pass but don't touch tests/orders.json", "tests/orders.json"), 12, 12, forbidden),
    Rule("outside", "limit", "the write leaves the module, folder or file that the request keeps to",
         Example("", "Refactor the auth module", "src/billing/invoice.py"), 7, 7, outside),
    Rule("set aside", "limit", "what is said of the write sets it aside: leaves it out, puts it off, finds it in order",
         Example("", "fix src/pool.rb, src/cache.rb later", "src/cache.rb"), 21, 33, set_aside),
), _support)  # fmt: skip
