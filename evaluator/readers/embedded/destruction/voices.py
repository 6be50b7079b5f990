"""Whose words a text is: the user's own or what they pasted, and what of the agent's they took up. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluator.language import words
from evaluator.language.clauses import FENCE, PLACE, Clause
from evaluator.language.views import REQUEST_CHARS, View, action_of, view
from evaluator.model import Subject
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.destruction.spelling import COORDINATED, FOLLOWING

TAIL_SENTENCES = 2
REPLY_WORDS = 6
PASTE = re.compile(
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR|\[?(?i:error|warning|fatal"
    r"|panic|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:|[\w.]*[A-Z]\w*(?:Error|Exception)\b"
    r"|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
OPENING_WORDS = 2
"""Words in which a second order says what to do."""
TOLD = ("s", "ed", "ing")
"""An English verb that is told of rather than ordered ("a script that stops the node and deletes it")."""
ASKED_BY_OPERATION = {
    "delete": ("delete", "move", "rename"),
    "move": ("move", "rename", "delete", "refactor", "change", "create", "add"),
    "vcs": ("run", "delete"),
    "unknown": ("delete", "move", "rename", "run", "refactor", "change", "fix", "create", "add", "configure"),
}


def wanted(subject: Subject) -> tuple[str, ...]:
    """The actions that a call of this kind may be asked for by."""
    return ASKED_BY_OPERATION.get(subject.effects.operation, ("delete",))


def asked(subject: Subject, known: View) -> bool:
    """Whether a text asks for this kind of operation at all."""
    return not known.actions.keys().isdisjoint(wanted(subject))


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


def hands_over(clause: Clause) -> bool:
    """Whether a clause orders what stands in the paste to be run ("run this please:")."""
    said = view(FOLLOWING.sub(" ", clause.text), REQUEST_CHARS)
    unspaced = words.UNSPACED.search(clause.text) is not None
    return set(said.actions) == {"run"} and (not said.content or (clause.points and unspaced))


def takes_up(case: Case) -> bool:
    """Whether the user takes up what was proposed as it was: with a yes, or in words that pick nothing out of it."""
    said = view(parted(case.views.request.text)[0], REQUEST_CHARS)
    return case.accepts and ("affirm" in said.kinds or (len(said.words) <= REPLY_WORDS and not said.content))


def proposal(case: Case) -> str:
    """What the agent's last question or offer for this says; nothing where it is for something else.

    Where it points at a thing, with the last sentence before it that names one; where it has no action, what its list
    or its last sentences say.
    """
    spoken = [clause for clause in case.prior if not clause.quoted and not clause.against]
    last = case.prior[-1].sentence if case.prior else 0
    tail = [clause for clause in spoken if clause.sentence >= last - TAIL_SENTENCES]
    asking = {clause.sentence for clause in tail if clause.question or clause.offer}
    found = [clause for clause in tail if clause.sentence in asking]
    if not _view(found).actions:
        found = [clause for clause in spoken if clause.item] or tail
        return _view(found).text if asking and asked(case.subject, _view(found)) else ""
    if not any(_orders(case, clause) for clause in found):
        return ""
    if any(clause.points for clause in found) and not any(clause.concrete for clause in found):
        before = [clause.sentence for clause in tail if clause.sentence < min(asking) and clause.concrete]
        found += [clause for clause in tail if before and clause.sentence == max(before)]
    return _view(found).text


def _orders(case: Case, clause: Clause) -> bool:
    """Whether a clause orders this kind of operation: as its first action, not as one that it tells of.

    To run something is to order this command only where a word of the command is said.
    """
    first, *others = COORDINATED.split(clause.text)
    begun = [words.split(other)[:OPENING_WORDS] for other in others]
    texts = [first, *(" ".join(said) for said in begun if said and not said[0].endswith(TOLD))]
    found = [action_of(view(text, REQUEST_CHARS)) for text in texts]
    spelled = not set(words.split(case.change.command)).isdisjoint(clause.words)
    return any(action in wanted(case.subject) and (action != "run" or spelled) for action in found)


def _view(clauses: Iterable[Clause]) -> View:
    return view("\n".join(clause.text for clause in clauses), REQUEST_CHARS)
