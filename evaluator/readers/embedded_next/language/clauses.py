"""A text as clauses, each with what it does: orders, asks, offers, speaks against. Pure; decides nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.readers.embedded_next.language import views, words

CLAUSES_MAX = 90
CLAUSE_CHARS = 600
BREAK = re.compile(
    r"[,;:!?.…]+(?=[\s\"'”»)]|$)|[,;:](?=[\u2e80-\uffff])|[，、،；：。！？؟।]+|[()（）\[\]]+(?=\s|$)"
    r"|(?<=\s)[(（\[]|\s[-–—]+\s|[–—]|\n+"
    r"|(?<=\s)(?=(?:but|however|although|though|whereas|so|aber|doch|mais|pero|sino|mas|però|но|але|ale"
    r"|ama|fakat|maar|tapi"
    r"|nhưng|and then|then|because|weil|parce que|porque|perché|потому|and (?:um )?(?:leave|dont|keep"
    r"|not))\s)"
    r"|(?<=\w\s)(?=(?:(?<!do )(?<!is )(?<!are )(?<!was )(?<!were )(?<!can )"
    r"(?<!does )(?<!did )(?<!be )(?<!has )(?<!have )(?<!may )(?<!should )(?<!would )(?<!could )(?<!will )not "
    r"|rather than|instead of|as opposed to|without|except|statt|anstatt"
    r"|nicht (?:das|die|den|der|dem|in|im|am|an)"
    r"|au lieu|pas (?:le|la|les|dans|sur|au|pour)|en vez|en lugar|sin|em vez|invece di|não (?:o|a|os|as|no"
    r"|na)|вместо|без|а не|zamiast|niet (?:de|het|in))\b)"
    r"|(?<=말고)\s|(?<=아니라)\s|(?<=ではなく)|(?<=ずに)|(?<=じゃなくて)|(?<=değil)\s|(?<=지만)\s|(?<=けど)|(?<=ので)|(?<=が、)",
)
PLACE = r"at \S+[.(]|(?!\S*\d\d:\d\d:\d\d)\S+:\d+:\d+"
FRAME = re.compile(rf"\s*(?:File \"|{PLACE})")
"""A line of a stack trace: it tells where, and orders nothing."""
REPLACED = re.compile(
    r"\s*(?:instead of|rather than|as opposed to|without|statt|anstatt|au lieu d[eu']|en vez de"
    r"|en lugar de|em vez de|invece di|вместо|zamiast|in plaats van)\s*(?:\S+\s+){1,3}",
    re.IGNORECASE,
)
FENCE = re.compile(r"```.*?(?:```|$)", re.DOTALL)
LOGGED = re.compile(
    r"^(?:\s*(?:>|[|]|\[?\d{2,4}[-/:.]\d\d[-/:]|\[\d|\{\"|File \"|at \w+[.(]|::|\w+=#"
    r"|[A-Z]\w*(?:Error|Exception)\b|npm ERR|\w{3} \d\d \d\d:)"
    r"|\s{2,}\S|[-+] {2,}\S|[-+@]{2,})"
)
DICTATED = re.compile(
    r"\b(?:score|rating|confidence|rationale|rival|fits|primary_concern|verdict)\b\W{0,6}(?:of|is|=|:|for"
    r"|should|must|1|0|\"|true)"
    r"|\b(?:respond|answer|reply|output|return|rate|score) (?:with|only|this|it|as)\b|\bunambiguous\b|评分"
    r"|分数|スコア|점수|درجة|оценк\w+ ?[:=1]|punktzahl|puntuación|pontuação",
    re.IGNORECASE,
)
"""Speaks to a judge about its verdict: neither an order nor a detail of the request."""
ITEM = re.compile(r"^\s*(?:[-*•]\s+|\(?(\d{1,2})[.):、]\s*|\(?([a-hA-H])[.)]\s+)")
ASKED = re.compile(r"[?？؟]")
ASKS = re.compile(r"(?:ますか|ですか|しょうか|かな|かね|のか|吗|呢|까요|나요|가요|죠|ㄹ까|할까)$")
ENDS = re.compile(r"[.!?。！？؟।…]|\n")


TURNED = frozenset(("spare", "forbids", "later", "instead", "done"))


@dataclass(frozen=True, slots=True)
class Clause:
    """`sentence` and `line` count from 0. `against` names why it speaks against a thing, or is empty.

    `quoted` is pasted matter: a log, a diff, somebody else's words.
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
    affirm: bool
    more: bool
    files: tuple[str, ...]
    points: bool
    against: str

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
        return frozenset(term for term in self.terms if term not in words.STOP)


def against_of(
    turned: dict[str, list[str]], found: list[str], low: str, kinds: dict[str, list[str]], *, moves: bool
) -> str:
    """`moves`: the clause has a word for an action, so that a plain negation forbids it."""
    if NOT_AGAINST.search(low) or UNWANTED.search(low):
        return ""
    if "spare" in turned:
        return "spare"
    if any(" " in phrase for phrase in turned.get("later", ())):
        return "later"
    if "negator" in turned:
        opens = any(word in turned["negator"] for word in found[:2]) and not TOLD & set(found)
        told = bool(TOLD & set(found)) or (low.isascii() and not FORBIDS & set(found))
        return "forbids" if opens or (not told and (moves or TOUCH.search(low))) else "negator"
    if "polite" in kinds:
        return ""
    return next((kind for kind in ("later", "instead", "done", "only") if kind in turned), "")


UNWANTED = re.compile(
    r"\b(?:no longer|not (?:needed|wanted)|dont need|doesnt need|isnt needed|nicht mehr|brauch\w* \w* ?nicht"
    r"|plus besoin|n'est plus|ya no|não precisa|non serve|не нужн\w*|больше не|не потріб\w*|niepotrzebn\w*"
    r"|artık)"
    r"|不要了|不需要|没用|いらない|不要な|必要 ?없"
)
"""Says that nobody needs a thing: what speaks for taking it away."""
UNUSED = re.compile(
    r"\b(?:nothing|nobody|no one|none|not|no|isnt|arent|never|\w+nt)\b.{0,30}\b(?:us(?:e|es|ed|ing)"
    r"|import\w*|requir\w*|referenc\w*|call(?:s|ed|er|ers)?|depend\w*|read|load\w*)\b"
    r"|\b(?:nicht|kein\w*|nirgends|niemand)\b.{0,30}(?:verwend|genutzt|benutzt|import|aufgeruf|aufruf"
    r"|referenz|gebraucht)"
    r"|\b(?:plus|pas|aucun\w*|rien|personne)\b.{0,30}(?:utilis|import|appel|référenc)|\b(?:utilis|import"
    r"|appel)\w* (?:nulle part|par rien)"
    r"|\b(?:no|nadie|ningun\w*|ningún|nada)\b.{0,30}\b(?:usa\w*|import\w*|llam\w*|referenc\w*|utiliz\w*)"
    r"|\b(?:não|ninguém|nenhum\w*|nada)\b.{0,30}\b(?:usa\w*|import\w*|cham\w*|referenc\w*|utiliz\w*)"
    r"|\b(?:non|nessun\w*|niente)\b.{0,30}\b(?:us[ao]\w*|import\w*|chiam\w*|utilizz\w*)|\b(?:не|никто"
    r"|нигде|никем|ніхто|ніде)\b.{0,30}(?:использ|импорт|вызыв|ссыла|використ)"
    r"|\b(?:nie|nikt|nigdzie)\b.{0,30}(?:używ|import|wywoł)|\b(?:hiçbir|kimse)\b.{0,40}(?:kullan|çağır"
    r"|içe)|kullanılm[ıa]|\b(?:niet|nergens|niemand)\b.{0,30}(?:gebruik|geïmport)"
    r"|(?:没有|未|无).{0,12}(?:引用|使用|调用|用到)|(?:使われて|参照されて|呼ばれて|使用されて|インポートされて)い?ない|(?:使われ|参照|呼び出)\w{0,6}(?:ませ"
    r"|ない)|(?:사용|참조|호출)\w{0,6} ?(?:않|안|없)"
    r"|\b(?:không|chưa)\b.{0,20}(?:dùng|gọi|import)|\b(?:tidak|nggak|gak)\b.{0,20}(?:dipakai|digunakan"
    r"|dipanggil|diimpor)"
)
"""Says that nothing uses a thing."""
TOLD = frozenset(("doesnt", "isnt", "arent", "wasnt", "wont", "cant", "cannot", "didnt", "hasnt", "havent"))
"""Negations that tell a fact."""
FORBIDS = frozenset(("dont", "never", "no", "nicht", "pas", "niet", "nie", "non", "jangan", "kein", "keine"))
"""Negations that forbid, where a clause is written in ASCII."""
TOUCH = re.compile(
    r"touch|anfass|anrühr|toqu|toca|mex[ae]|трог|чіпа|rusz|ellem|aanrak|dotýk|chạm|sentuh|छू|لمس|גע|碰|动|触|건드"
)
NOT_AGAINST = re.compile(
    r"\b(?:sin duda|sans doute|sem dúvida|ohne (?:frage|zweifel|weiteres)|без сомнени\w*|no doubt"
    r"|without a doubt|not only|no objection|no problem|no worries|why not|nicht nur|keine einwände"
    r"|kein problem|pas de souci|pas seulement"
    r"|no problem[ao]|sin problema|sem problema|не только|не против|nessun problema)|문제 ?없|問題ない|没问题|不仅"
)


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in order; of a long one the first and the last ones."""
    masked = FENCE.sub(
        lambda found: "\n" + found.group().replace("\n", "\n> ").replace("```", "> ") + "\n", text
    )
    spans: list[tuple[str, int, int, bool, bool, bool]] = []
    sentence = 0
    for number, line in enumerate(masked.split("\n")):
        if not line.strip():
            sentence += 1
            continue
        quoted = (LOGGED.match(line) is not None and FRAME.match(line) is None) or DICTATED.search(
            line
        ) is not None
        item = ITEM.match(line)
        start, asked_at = (item.end() if item else 0), [found.start() for found in ASKED.finditer(line)]
        for found in BREAK.finditer(line):
            end = found.start()
            if end > start and line[start:end].strip():
                until = ENDS.search(line, end) if asked_at else None
                stop = until.start() if until else len(line)
                while (
                    until
                    and line[until.start() : until.start() + 1] == "."
                    and line[until.end() : until.end() + 1].strip()
                ):
                    until = ENDS.search(line, until.end())
                    stop = until.start() if until else len(line)
                spans.append(
                    (
                        line[start:end],
                        sentence,
                        number,
                        quoted,
                        item is not None,
                        bool(asked_at) and stop in asked_at,
                    )
                )
            start = found.end()
            if ENDS.search(found.group()):
                sentence += 1
        if line[start:].strip():
            spans.append((line[start:], sentence, number, quoted, item is not None, False))
        sentence += 1
    spans = [part for span in spans for part in shortened(*span)]
    if len(spans) > CLAUSES_MAX:
        spans = spans[: CLAUSES_MAX // 2] + spans[-CLAUSES_MAX // 2 :]
    return tuple(clause_of(*span) for span in spans)


def shortened(
    text: str, sentence: int, line: int, quoted: bool, item: bool, question: bool
) -> list[tuple[str, int, int, bool, bool, bool]]:
    """What stands after "instead of" reaches over a few words; the rest is a clause of its own."""
    whole = (text, sentence, line, quoted, item, question)
    found = REPLACED.match(text)
    if found is None or not text[found.end() :].strip():
        return [whole]
    return [(text[: found.end()], *whole[1:]), (text[found.end() :], *whole[1:])]


def ordering(found: list[str], actions: dict[str, list[str]]) -> bool:
    """Whether an action word stands where an order has it: early or last, and not told as past."""
    acts = {word for kind, seen in actions.items() if kind != "answer" for word in seen}
    if not acts:
        return False
    if any(words.UNSPACED.search(word) for word in acts):
        return True
    placed = [*found[:4], *found[-2:]]
    return any(word in acts and not word.endswith(("ed", "ing")) for word in placed) or any(
        " " in word for word in acts
    )


def clause_of(text: str, sentence: int, line: int, quoted: bool, item: bool, question: bool) -> Clause:
    text = text.strip()[:CLAUSE_CHARS]
    found, low = words.split(text), text.lower()
    flat = f" {' '.join(found)} "
    seen = words.CLAUSE.of(flat, found, low)
    actions = {kind[7:]: entries for kind, entries in seen.items() if kind.startswith("action ")}
    kinds = {kind[4:]: entries for kind, entries in seen.items() if kind.startswith("cue ")}
    turned = {kind[5:]: entries for kind, entries in seen.items() if kind.startswith("turn ")}
    return Clause(
        text=text,
        terms=frozenset(piece for word in found for piece in words.pieces(word)),
        words=tuple(found),
        sentence=sentence,
        line=line,
        item=item,
        quoted=quoted,
        question=question or ASKS.search(text) is not None,
        polite="polite" in kinds,
        order=ordering(found, actions) or "polite" in kinds,
        inform="answer" in actions or "inform" in seen,
        changes=bool(actions.keys() - {"answer"}),
        offer="offer" in kinds,
        affirm="affirm" in kinds,
        more="more" in seen,
        files=tuple(views.mentions(text)[0]) if "." in text else (),
        points="pronoun" in kinds or "there" in found,
        against=against_of(turned, found, low, kinds, moves=bool(actions.keys() - {"answer"})),
    )
