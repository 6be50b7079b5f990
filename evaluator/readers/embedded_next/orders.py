"""Who orders a destructive call: the user, or only a text that the user pasted or the agent told of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from evaluator.model import Subject
from evaluator.readers.embedded_next.grounding import BY_STEM, named
from evaluator.readers.embedded_next.language import words
from evaluator.readers.embedded_next.language.change import PendingChange
from evaluator.readers.embedded_next.language.clauses import FENCE, PLACE, Clause, clauses_of
from evaluator.readers.embedded_next.language.views import PASTED, REQUEST_CHARS, View, action_of, view

if TYPE_CHECKING:
    from evaluator.readers.embedded_next.case import Case

TAIL_SENTENCES = 2
REPLY_WORDS = 6
PASTE = re.compile(
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR"
    r"|\[?(?i:error|warning|fatal|panic|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:"
    r"|[\w.]*[A-Z]\w*(?:Error|Exception)\b|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
FOLLOWING = re.compile(
    r"\b(?:commands?|following|below|befehl\w*|folgend\w*|commandes?|suivante?s?|comandos?|siguientes?|seguintes?"
    r"|seguenti?|команд\w*|следующ\w*|polecenie|komut\w*|aşağıdaki\w*)\b|下面的?|以下の?|命令|コマンド|명령어?|다음",
    re.IGNORECASE,
)
"""Says no more than that what follows is meant."""
COORDINATED = re.compile(
    r"\s(?:and|then|und|dann|et|puis|y|luego|e|poi|depois|и|затем|потом|та|і|i|a|oraz|potem|ve|sonra|en|dan|lalu|và|rồi)\s",
    re.IGNORECASE,
)
"""Begins another order in the same clause."""
OPENING = 2
"""Words in which such an order says what to do."""
TOLD = ("s", "ed", "ing")
"""An English verb that is told of rather than ordered ("a script that stops the node and deletes it")."""
KEPT = re.compile(
    r"\b(?:keep|keeps|preserve|behalt\w*|gard\w+|conserv\w+|manten\w+|manter|mantém|tenere|tieni|остав\w+|zostaw\w*"
    r"|kalsın|sakla)\b|保留|留着|残し|유지|남겨",
    re.IGNORECASE,
)


ALARMING = re.compile(
    r"\b(?:rm|rmdir|unlink|shred|truncate|mv|dd|mkfs|dropdb|dropuser)\b|-delete\b|\bdestroy\b|\b(?:drop|delete|prune|wipe)\b"
    r"|\bgit\s+(?:reset\s+--hard|clean|push\s+.*(?:-f|--force|--delete)|branch\s+-D|checkout\s+--|restore|stash\s+(?:drop|clear)|rebase|filter)"
    r"|\b(?:eval|base64\s+-d)\b|(?<![0-9&>])>(?![>&])",
    re.IGNORECASE,
)
COMMAND_CHARS = 20_000
ASKED_BY_OPERATION = {
    "delete": ("delete", "move", "rename"),
    "move": ("move", "rename", "delete", "refactor", "change", "create", "add"),
    "vcs": ("run", "delete"),
    "unknown": ("delete", "move", "rename", "run", "refactor", "change", "fix", "create", "add", "configure"),
}


def destroys(subject: Subject) -> bool:
    """Whether the call loses something. Of what nobody could parse, only if a word in it says so."""
    if subject.effects.operation == "unknown":
        command = str(subject.pending.tool_input.get("command") or subject.effects.command)
        return ALARMING.search(command[:COMMAND_CHARS]) is not None
    return subject.effects.operation_class == "destructive"


def asked(subject: Subject, known: View) -> bool:
    """Whether a text asks for this kind of operation at all."""
    return any(kind in known.actions for kind in ASKED_BY_OPERATION.get(subject.effects.operation, ("delete",)))


def only_pasted(case: Case) -> bool:
    """Whether a log, a quotation or a stack trace asks for this destruction, and nobody else.

    Not where the user's own words order it, name its target or take something up.
    """
    subject, request = case.subject, case.views.request.text
    own, pasted = parted(request)
    if not destroys(subject) or not pasted.strip() or not asked(subject, view(pasted, REQUEST_CHARS)):
        return False
    clauses = _plain(clauses_of(PASTED.sub(" … ", own)))
    said = _view(clause.text for clause in clauses)
    if any(_orders(subject, case.change, clause) for clause in clauses) or any(map(hands_over, clauses)):
        return False
    if asked(subject, case.views.settled) or (takes_up(own, case) and is_proposed(case)):
        return False
    named_by = [named(target, said) for target in case.change.targets]
    if (named_by and min(named_by) >= BY_STEM) or (said.words and not said.content):
        return False
    return not asked(subject, case.views.prior)


def parted(text: str) -> tuple[str, str]:
    """The user's own lines, and those that were pasted. A single line is the user's own."""
    pasted = [found.group() for found in FENCE.finditer(text)]
    rest = FENCE.sub("\n", text)
    if not pasted and "\n" not in rest.strip():
        return rest, ""
    own: list[str] = []
    below = False
    for line in rest.split("\n"):
        below = PASTE.match(line) is not None or (below and line[:1].isspace() and line.strip() != "")
        (pasted if below else own).append(line)
    return "\n".join(own), "\n".join(pasted)


def _plain(clauses: Iterable[Clause]) -> list[Clause]:
    """Those that speak against nothing."""
    return [clause for clause in clauses if not clause.against and not KEPT.search(clause.text)]


def _orders(subject: Subject, change: PendingChange, clause: Clause) -> bool:
    """Whether a clause orders this kind of operation: as its first action, not as one that it tells of.

    To run something is to order this command only where a word of the command is said.
    """
    wanted = ASKED_BY_OPERATION.get(subject.effects.operation, ("delete",))
    first, *others = COORDINATED.split(clause.text)
    found = [action_of(view(first, REQUEST_CHARS))]
    for other in others:
        said = words.split(other)[:OPENING]
        if said and not said[0].endswith(TOLD):
            found.append(action_of(view(" ".join(said), REQUEST_CHARS)))
    if "run" in found and not set(clause.words) & set(words.split(change.command)):
        found = [action for action in found if action != "run"]
    return any(action in wanted for action in found)


def _is_bare(clause: Clause) -> bool:
    return not view(clause.text, REQUEST_CHARS).content


def takes_up(own: str, case: Case) -> bool:
    said = view(own, REQUEST_CHARS)
    return case.accepts and ("affirm" in said.kinds or len(said.words) <= REPLY_WORDS)


def hands_over(clause: Clause) -> bool:
    """Whether a clause orders what stands in the paste to be run ("run this please:")."""
    said = view(FOLLOWING.sub(" ", clause.text), REQUEST_CHARS)
    unspaced = words.UNSPACED.search(clause.text) is not None
    return set(said.actions) == {"run"} and (not said.content or (clause.points and unspaced))


def is_taken_up(request: str, case: Case) -> bool:
    """Whether the user takes up what was proposed as it was: with a yes, or in words that pick nothing out of it."""
    own = parted(request)[0]
    said = view(own, REQUEST_CHARS)
    return takes_up(own, case) and ("affirm" in said.kinds or not said.content)


def proposal(case: Case) -> View:
    """What the agent's last question or offer for this says; an empty view where it is for something else.

    Where it points at a thing, with the last sentence before it that names one; where it has no action, what its list
    or its last sentences say.
    """
    if not is_proposed(case):
        return _view(())
    spoken = [clause for clause in case.prior if not clause.quoted and not clause.against]
    last = case.prior[-1].sentence if case.prior else 0
    tail = [clause for clause in spoken if clause.sentence >= last - TAIL_SENTENCES]
    asking = {clause.sentence for clause in tail if clause.question or clause.offer}
    found = [clause for clause in tail if clause.sentence in asking]
    if not _view(clause.text for clause in found).actions:
        return _view(clause.text for clause in [one for one in spoken if one.item] or tail)
    if any(clause.points for clause in found) and not any(clause.concrete for clause in found):
        first = min(asking)
        before = [clause.sentence for clause in tail if clause.sentence < first and clause.concrete]
        found += [clause for clause in tail if before and clause.sentence == max(before)]
    return _view(clause.text for clause in found)


def is_proposed(case: Case) -> bool:
    """Whether the agent's last question or offer is for this; where that names nothing, its list or last sentences."""
    spoken = [clause for clause in case.prior if not clause.quoted and not clause.against]
    last = case.prior[-1].sentence if case.prior else 0
    tail = [clause for clause in spoken if clause.sentence >= last - TAIL_SENTENCES]
    asking = {clause.sentence for clause in tail if clause.question or clause.offer}
    found = [clause for clause in tail if clause.sentence in asking]
    if asking and not _view(clause.text for clause in found).actions:
        found = [clause for clause in spoken if clause.item] or tail
        return asked(case.subject, _view(clause.text for clause in found))
    return any(_orders(case.subject, case.change, clause) for clause in found)


def _view(texts: Iterable[str]) -> View:
    return view("\n".join(texts), REQUEST_CHARS)
