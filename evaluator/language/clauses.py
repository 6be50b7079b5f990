"""A text as clauses, each with what it does: orders, asks, offers, speaks against. Pure; decides nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from evaluator.language import views, words

Kinds = dict[str, list[str]]
CLAUSES_MAX = 90
CLAUSE_CHARS = 600
BREAK = re.compile(
    r"[,;:!?.…]+(?=[\s\"'”»)]|$)|[,;:](?=[\u2e80-\uffff])|[，、，；：。！？؟।]+|[()（）\[\]]+(?=\s|$)|(?<=\s)[(（\[]"
    r"|\s[-–—]+\s|[–—]|\n+|(?<=\s)(?=(?:but|however|although|though|whereas|so|aber|doch|mais|pero|sino|mas|però|но"
    r"|and then|then|because|weil|parce que|porque|perché|потому|and (?:um )?(?:leave|dont|keep|not))\s)"
    r"|(?<=\w\s)(?=(?:(?<!do )(?<!is )(?<!are )(?<!was )(?<!were )(?<!can )(?<!does )(?<!did )(?<!be )(?<!has )"
    r"(?<!have )(?<!may )(?<!should )(?<!would )(?<!could )(?<!will )not "
    r"|rather than|instead of|as opposed to|without|except|statt|anstatt|nicht (?:das|die|den|der|dem|in|im|am|an)"
    r"|au lieu|pas (?:le|la|les|dans|sur|au|pour)|en vez|en lugar|sin|em vez|invece di|não (?:o|a|os|as|no|na)|вместо"
    r"|без|а не)\b)",
)
PLACE = r"at \S+[.(]|(?!\S*\d\d:\d\d:\d\d)\S+:\d+:\d+"
PASTE = re.compile(
    r"\s*(?:>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z]\w\w +\d+ \d\d:\d\d:|[EWIF]\d{4} \d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL)\b|npm ERR|\[?(?i:error|warning|fatal"
    r"|panic|hint|note|help|info|debug)\]?(?: [^:\n]{0,30})?:|= help:|[\w.]*[A-Z]\w*(?:Error|Exception)\b"
    r"|File \".*\", line \d|\{\"|level=|[\w.-]+ +\| |[|]|::|\w+=#|@@ |[-+]\S"
    rf"|{PLACE})"
)
"""How a line of a log, a diff, a quotation or a stack trace begins; what is indented below it belongs to it."""
FENCE = re.compile(r"```.*?(?:```|$)", re.DOTALL)
DICTATED = re.compile(
    r"\b(?:score|rating|confidence|rationale|rival|fits|primary_concern|verdict)\b\W{0,6}(?:of|is|=|:|for|should|must"
    r"|1|0|\"|true)|\b(?:respond|answer|reply|output|return|rate|score) (?:with|only|this|it|as)\b|\bunambiguous\b"
    r"|评分|分数|スコア|점수|оценк\w+ ?[:=1]|punktzahl|puntuación|pontuação",
    re.IGNORECASE,
)
"""Speaks to a judge about its verdict: neither an order nor a detail of the request."""
ITEM = re.compile(r"^\s*(?:[-*•]\s+|\(?(\d{1,2})[.):、]\s*|\(?([a-hA-H])[.)]\s+)")
ASKED = re.compile(r"[?？؟]")
ENDS = re.compile(r"[.!?。！？؟।…]|\n")
STOPS = re.compile(r"[!?。！？؟।…]|\.(?=\s|$)")
TURNED = frozenset(("spare", "forbids", "later", "instead", "done"))
UNWANTED = re.compile(
    r"\b(?:no longer|not (?:needed|wanted)|dont need|doesnt need|isnt needed|nicht mehr|brauch\w* \w* ?nicht"
    r"|plus besoin|n'est plus|ya no|não precisa|non serve|не нужн\w*|больше не)|不要了|不需要|没用|いらない|不要な"
    r"|必要 ?없"
)
"""Says that nobody needs a thing: what speaks for taking it away."""
TOLD = frozenset("doesnt isnt arent wasnt wont cant cannot didnt hasnt havent".split())  # noqa: SIM905
"""Negations that tell a fact."""
JOINING = frozenset(("but", "and", "please", "so", "just"))
TOUCH = re.compile(r"touch|anfass|anrühr|toqu|toca|mex[ae]|трог|छू|碰|动|触|건드")


@dataclass(frozen=True, slots=True)
class Clause:
    """`sentence` and `line` count from 0. `against` names why it speaks against a thing, or is empty.

    `quoted` is pasted matter: a log, a diff, somebody else's words. `more`: an open question that no yes answers.
    """

    text: str
    terms: frozenset[str]
    words: tuple[str, ...]
    sentence: int
    line: int
    item: bool
    quoted: bool
    question: bool
    order: bool
    polite: bool
    inform: bool
    changes: bool
    offer: bool
    more: bool
    points: bool
    against: str
    files: tuple[str, ...]

    @property
    def turned(self) -> bool:
        """Whether the clause speaks against what it names, or puts it off."""
        return self.against in TURNED

    @property
    def concrete(self) -> bool:
        """Whether the clause names a thing by its path, in code quotes or as an identifier."""
        return (
            bool(self.files)
            or "`" in self.text
            or "/" in self.text
            or views.NAME.search(self.text) is not None
        )

    @property
    def content(self) -> frozenset[str]:
        return self.terms - words.STOP


class _Span(NamedTuple):
    text: str
    sentence: int
    line: int
    quoted: bool
    item: bool
    question: bool


def lines_of(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, and of each whether it was pasted. A single line is the writer's own, but for a fence."""
    fenced = FENCE.sub(lambda one: "\n" + one.group().replace("```", "").replace("\n", "\n> ") + "\n", text)
    found: list[tuple[str, bool]] = []
    below = False
    for line in fenced.split("\n"):
        below = PASTE.match(line) is not None or (below and line[:1].isspace() and line.strip() != "")
        found.append((line, below and (fenced != text or "\n" in text.strip())))
    return found


def parted(text: str) -> tuple[str, str]:
    """The user's own lines, and those that were pasted."""
    found = lines_of(text)
    own, pasted = (
        "\n".join(line for line, is_pasted in found if is_pasted is each) for each in (False, True)
    )
    return own, pasted


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in order; of a long one the first and the last ones."""
    spans: list[_Span] = []
    sentence = 0
    for number, (line, pasted) in enumerate(lines_of(text)):
        quoted = pasted or DICTATED.search(line) is not None
        item = ITEM.match(line)
        start, asked_at = (item.end() if item else 0), {found.start() for found in ASKED.finditer(line)}
        for found in BREAK.finditer(line):
            if line[start : found.start()].strip():
                end = STOPS.search(line, found.start()) if asked_at else None
                asked = end is not None and end.start() in asked_at
                spans.append(
                    _Span(line[start : found.start()], sentence, number, quoted, item is not None, asked)
                )
            start = found.end()
            sentence += ENDS.search(found.group()) is not None
        if line[start:].strip():
            spans.append(_Span(line[start:], sentence, number, quoted, item is not None, question=False))
        sentence += 1
    if len(spans) > CLAUSES_MAX:
        spans = spans[: CLAUSES_MAX // 2] + spans[-CLAUSES_MAX // 2 :]
    return tuple(map(_clause, spans))


def _clause(span: _Span) -> Clause:
    text = span.text.strip()[:CLAUSE_CHARS]
    found, low = words.split(text), text.lower()
    seen = words.seen(found, low)
    changes = bool((seen.keys() & words.ACTIONS.keys()) - {"answer"})
    return Clause(
        text=text,
        terms=frozenset(piece for word in found for piece in words.pieces(word)),
        words=tuple(found),
        sentence=span.sentence,
        line=span.line,
        item=span.item,
        quoted=span.quoted,
        question=span.question,
        order=_orders(found, seen) or "polite" in seen,
        polite="polite" in seen,
        inform="answer" in seen,
        changes=changes,
        offer="offer" in seen,
        more="more" in seen,
        points="pronoun" in seen or "there" in found,
        against=_against(seen, found, low, moves=changes),
        files=tuple(views.mentions(text)[0]) if "." in text else (),
    )


def _orders(found: list[str], seen: Kinds) -> bool:
    """Whether an action word stands where an order has it: early or last, and not told as past."""
    acts = {
        word for kind, listed in seen.items() if kind in words.ACTIONS and kind != "answer" for word in listed
    }
    placed = [word for word in (*found[:4], *found[-2:]) if not word.endswith(("ed", "ing"))]
    return any(words.UNSPACED.search(word) or " " in word for word in acts) or not acts.isdisjoint(placed)


def _against(seen: Kinds, found: list[str], low: str, *, moves: bool) -> str:
    """`moves`: the clause has a word for an action, so that a plain negation forbids it."""
    if UNWANTED.search(low):
        return ""
    if "spare" in seen:
        return "spare"
    if any(" " in phrase for phrase in seen.get("later", ())):
        return "later"
    if "negator" in seen:
        opening = [word for word in found if word not in JOINING][:2]
        told = not TOLD.isdisjoint(found)
        forbids = any(word in seen["negator"] for word in opening) or moves or bool(TOUCH.search(low))
        forbids = forbids and not told
        return "forbids" if forbids else "negator"
    return "" if "polite" in seen else next((one for one in ("later", "done") if one in seen), "")
