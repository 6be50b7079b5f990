"""Scope: a forbidden target touched, a write outside of what was asked, more than was asked. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluator.model import Subject
from evaluator.readers.embedded.findings import Objection, short
from evaluator.readers.embedded.language import lexicon, words
from evaluator.readers.embedded.language.change import PendingChange, Target
from evaluator.readers.embedded.language.clauses import LOGGED
from evaluator.readers.embedded.language.views import View, mentions, sentences, view
from evaluator.readers.embedded.objections.grounding import BY_FOLDER, BY_STEM, EXACT, named, symbols

CLAUSE = re.compile(r"[,;:()，；、]|\s[-–—]+\s|\b(?:but|and|aber|und|mais|et|pero|y|mas|ma|но|и)\b")
CLAUSE_CHARS = 2_000
LARGE_LINES = 80
"""More changed lines than a request for something small can mean."""
CONTAINED = re.compile(r"[A-Za-z0-9_\-./]{2,40}", re.ASCII)


def clauses(text: str) -> list[str]:
    """The clauses of what somebody says in their own words; pasted lines are left out."""
    text = "\n".join(line for line in text.split("\n") if not LOGGED.match(line))
    return [c.strip() for s in sentences(text[:CLAUSE_CHARS]) for c in CLAUSE.split(s) if c.strip()]


def flat(text: str) -> str:
    return f" {' '.join(words.split(text))} "


def phrase_in(
    clause: str, spaced: Iterable[str], inner: Iterable[str], pairs: Iterable[tuple[str, str]] = ()
) -> str | None:
    """The first of these phrases that the clause holds."""
    joined = flat(clause)
    for phrase in spaced:
        if f" {phrase} " in joined:
            return phrase
    for first, second in pairs:
        if f" {first} " in joined and joined.find(f" {second} ") > joined.find(f" {first} "):
            return first
    return next((phrase for phrase in inner if phrase in clause), None)


def covers(target: Target, clause: str, phrase: str) -> bool:
    """Whether a clause's object covers the target: its path, a folder of it, its stem, or its kind.

    A clause that spells a path speaks of that path alone.
    """
    files, folders = mentions(clause)
    path = f"/{target.path.lower()}"
    if files:
        return any(path.endswith(f"/{file}") for file in files)
    if folders:
        return any(f"/{folder}/" in f"{path}/" for folder in folders)
    thing = view(flat(clause).replace(f" {phrase} ", " ").replace(phrase, " "), CLAUSE_CHARS)
    if named(target, thing) >= BY_FOLDER or (target.is_test and "test" in thing.concepts):
        return True
    return target.base.lower().startswith("readme") and "docs" in thing.concepts


def forbidden(change: PendingChange, request: View, subject: Subject) -> Objection | None:
    """A target that the request says to leave alone, or a deletion where it says not to delete that."""
    deleting = subject.effects.operation in ("delete", "move")
    for clause in clauses(request.low):
        phrase = phrase_in(clause, lexicon.FORBIDDING, lexicon.FORBIDDING_INNER, lexicon.FORBIDDING_PAIRS)
        if phrase is None and deleting:
            phrase = phrase_in(clause, lexicon.FORBIDDING_DELETION, lexicon.FORBIDDING_DELETION_INNER)
        if phrase is None or any(word in flat(clause) or word in clause for word in lexicon.BEYOND):
            continue
        for target in change.targets:
            if covers(target, clause, phrase):
                return Objection(
                    "forbidden",
                    1.0,
                    "scope",
                    f'the request says "{short(clause, 40)}"; this write touches {short(target.path)}',
                )
    return None


def contained(request: View, *, loosely: bool = False) -> list[str]:
    """Names of the modules, folders or packages that the request speaks of ("the auth module")."""
    found = list(request.folders)
    containers = set(request.kinds.get("container", ())) | set(
        request.kinds.get("unit", ()) if loosely else ()
    )
    if not containers:
        return found
    running = list(request.words)
    for place, word in enumerate(running):
        if word not in containers:
            continue
        near = [*running[max(0, place - 2) : place][::-1], *running[place + 1 : place + 2]]
        for other in near:
            if (
                other.isascii()
                and len(other) > 1
                and other not in words.STOP
                and other not in words.GENERIC
                and not words.ACTIONS.kinds(other)
                and not words.CUES.kinds(other)
            ):
                found.append(other)
                break
    for inner in containers:
        if words.UNSPACED.search(inner):
            before = re.search(rf"({CONTAINED.pattern})\s*的?\s*{re.escape(inner)}", request.low)
            found += [before.group(1)] if before else []
    return list(dict.fromkeys(found))


def inside(target: Target, container: str) -> bool:
    pieces = {words.stem(piece) for piece in (*target.stem, *target.folders)}
    wanted = [words.stem(piece) for piece in words.split(container) if piece not in words.GENERIC]
    return not wanted or any(
        piece in pieces or any(len(piece) > 3 and p.startswith(piece) for p in pieces) for piece in wanted
    )


def limiting(request: View) -> list[str]:
    """The clauses in which the request limits itself ("only", "nothing else")."""
    found: list[str] = []
    for clause in clauses(request.low):
        spoken = words.split(clause)
        kinds = words.CUES.of(f" {' '.join(spoken)} ", spoken, clause)
        forbids = phrase_in(clause, lexicon.FORBIDDING, lexicon.FORBIDDING_INNER)
        only = "only" in kinds and not {"hedge", "question"} & set(kinds) and "if" not in spoken
        if only or (forbids and any(word in flat(clause) or word in clause for word in lexicon.BEYOND)):
            found.append(clause)
    return found


def other_area(change: PendingChange, request: View) -> Objection | None:
    """The limiting clause names an area of the code ("only the frontend"), the target belongs to others."""
    for clause in limiting(request):
        wanted = view(clause, CLAUSE_CHARS).concepts
        for target in change.targets[:1]:
            if (
                wanted
                and change.concepts
                and not wanted & change.concepts
                and named(target, view(clause, CLAUSE_CHARS)) == 0
            ):
                return Objection(
                    "scope",
                    0.9,
                    "scope",
                    f'the request says "{short(clause, 40)}"; this write is in {short(target.path)}',
                )
    return None


def outside_of(change: PendingChange, request: View, settled: View, prior: View) -> Objection | None:
    """A write that leaves the module, folder or file that the request confines itself to."""
    if not change.targets or "whole" in request.kinds:
        return None
    limited = bool(limiting(request))
    places = [place for place in contained(request, loosely=limited) if place not in change.new]
    if limited:
        places += [file for file in request.files if file not in places]
    if not places:
        return other_area(change, request) if limited else None
    for target in change.targets:
        if any(inside(target, place) for place in places) or named(target, request) >= (
            EXACT if limited else BY_STEM
        ):
            continue
        if max(named(target, settled), named(target, prior) if limited is False else 0.0) >= BY_STEM:
            continue
        strength = 1.0 if limited else 0.85
        if not limited and symbols(change, request, names_only=True) >= 0.5:
            strength = 0.45
        if not limited and named(target, request) >= 0.8:
            strength = 0.3
        return Objection(
            "scope",
            strength,
            "scope",
            f"the request is about {short(places[0])}; this write is in {short(target.path)}",
            short(target.path),
        )
    return None


def oversized(change: PendingChange, request: View, operation: str) -> Objection | None:
    if (
        "small" not in request.kinds
        or change.lines <= LARGE_LINES
        or not (change.old or operation == "overwrite")
    ):
        return None
    asked = request.kinds["small"][0]
    return Objection(
        "scope",
        0.7,
        "scope",
        f'the request asks for a small change ("{asked}"); this writes {change.lines} lines',
    )


def beyond(change: PendingChange, known: View) -> Objection | None:
    for target in change.targets:
        if target.outside and named(target, known) < BY_STEM:
            return Objection(
                "scope", 0.7, "scope", f"{short(target.path)} lies outside of the project and nobody named it"
            )
    return None
