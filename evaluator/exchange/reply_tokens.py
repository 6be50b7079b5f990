"""What a sentence asks for. A reply as tokens: all of it is listed phrases, numbers, keys and labels, or there are no
tokens.

Built from the words of all languages at once. Knows nothing of what a combination of tokens means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal

from evaluator.model import Action
from evaluator.tables import table
from evaluator.text import fold, is_unspaced, joins, phrases


@dataclass(frozen=True, slots=True)
class ReplyWords:
    """`ordinals` and `cardinals` hold the forms of 1, 2, 3, ... in order, the forms of one apart by `|`.

    `deeds` affirm a proposal, as `yes` does, but go with no option of a menu.
    """

    yes: str
    deeds: str
    filler: str
    both: str
    all: str
    conjunctions: str
    ordinals: str
    cardinals: str
    last: str
    qualifiers: str


_WORDS: dict[str, Any] = table("exchange/words")
LANGUAGES = {name: ReplyWords(**words) for name, words in _WORDS["replies"].items()}
ORDERS: dict[Action, str] = _WORDS["orders"]
"""{what is ordered: verbs in the form of an order}"""
BESIDE: dict[str, str] = _WORDS["beside"]
"""What stands beside an order, by the keys of the table."""
FORMER, LATTER, YES_ALONE = (str(_WORDS[name]) for name in ("former", "latter", "yes_alone"))


_CHOICE = re.compile(
    r"\b(?:should (?:i|we|it|the|this|that|these|they)|shall (?:i|we)|would you)\b"
    r"|\b(?:do you (?:want|prefer)|want me)\b"
    r"|\bwhich (?:ones?|of|option|approach|way|would|should|do|shall)\b|\b(?:pick|choose|preference|prefer)\b"
    r"|^(?:how|what|where|which)\b.*\bshould\b|^which (?!.*\b(?:did|was|were|changed|is)\b)"
    r"|\b(?:welche[rsnm]?|was soll|wie soll|wo soll|was möchte|wie möchte|bevorzug\w+|wählen)\b"
    r"|\b(?:quel(?:le)?s?|lequel|laquelle|préf[eé]r\w+|choisi\w+|que dois|comment (?:dois|voulez|veux))\b"
    r"|\b(?:cuál(?:es)?|qué (?:opción|prefieres?|hago|debo)|prefieres?|cómo (?:quieres|debo|lo))\b"
    r"|\b(?:qual|quais|prefere\w*|como (?:devo|quer)|o que (?:devo|prefere))\b"
    r"|\b(?:quale|preferisci|preferite|scegli|come (?:devo|vuoi)|cosa (?:devo|preferisci))\b"
    r"|\b(?:какой|какую|какое|какие|каким|что (?:мне )?(?:сделать|выбрать))\b"
    r"|\bкак (?:мне )?(?:поступить|сделать)\b"
    r"|कौन|किस|चाहते|चाहेंगे"
    r"|哪|怎么处理|如何处理|希望我|选择|请选|どちら|どれに|どの|どうし|選んで|어느|어떤|어떻게|골라"
)
_CHOICE_OF_LISTED = re.compile(
    r"\b(?:which|options?|one of|any of|some of|either|approach|prefer\w*|pick|choose)\b"
    r"|\b(?:how would you|how should|what would you like|what should|what do you (?:want|think))\b"
    r"|\b(?:welche[rsnm]?|quel(?:le)?s?|lequel|laquelle|préf[eé]r\w+|cuál(?:es)?|prefieres?|qual|quais|prefere|quale|quali|preferisci)\b"
    r"|\b(?:variante|opción|opção|вариант\w*|какой|какую|какое|какие)\b|विकल्प|कौन"
    r"|哪|怎么处理|如何处理|选择|どちら|どれ|どの|어느|어떤|어떻게"
)
_CLOSING = re.compile(
    r"\b(?:anything else|something else|any other|any (?:more )?questions|makes? sense|is that clear|next)\b"
    r"|\b(?:sonst noch|noch etwas|noch was|noch fragen|sinn)\b"
    r"|\b(?:autre chose|d'autres?|des questions|du sens)\b"
    r"|\b(?:algo más|otra cosa|alguna duda|sentido|preguntas)\b"
    r"|\b(?:mais alguma|algo mais|outra coisa|dúvidas?|perguntas)\b"
    r"|\b(?:altro|qualcos'altro|altre domande|domande|ha senso|è chiaro)\b"
    r"|еще что|что-нибудь еще|что-то еще|вопросы|понятно|और कुछ|कुछ और|सवाल|समझ"
    r"|还有|其他|别的|明白|清楚|他に|ほかに|質問|わかり|다른|더 필요|궁금|이해"
)
_ALTERNATIVE = re.compile(
    r"\b(?:or|oder|ou|или|либо)\b|(?:¿|\b(?:quier|dese|pued|deb)).*\bo\b|(?:^|\s)या(?:\s|$)"
    r"|还是|還是|或者|それとも|아니면|또는|哪|どちら|どれ|何を|어느|어떤|무엇|कौन"
)
_LEAVE = re.compile(
    r"(?:^|[\s,;:.(–—-])¿?(?:"
    r"(?:shall|should|may|can|could) (?:i|we)|(?:do you |would you )?(?:want|like) (?:me|us) to"
    r"|(?:is it |are you )?(?:ok|okay|alright|fine) (?:if i|to|for me to)"
    r"|soll(?:en)? (?:ich|wir)|darf ich|möchtest du, dass ich|möchten sie, dass ich"
    r"|(?:voulez-vous|veux-tu|souhaitez-vous|souhaites-tu) que je|dois-je|puis-je|est-ce que je (?:dois|peux)"
    r"|vuoi che(?: io)?|volete che(?: io)?"
    r"|quieres? que|desea que|puedo|debo|quer(?:es)? que eu|gostaria que eu|devo|posso"
    r")(?![^\W_])(?P<deed>.*)$",
    re.IGNORECASE,
)
_LEAVE_AS_A_WHOLE = re.compile(
    r"需要我|要我|要不要我|我可以|可以让我|是否(?:需要|要|继续|应用)|要继续吗|(?:好吗|可以吗|行吗)$"
    r"|(?:ましょうか|てもいいですか|てもよろしいですか|てよろしいですか|でよろしいですか|しますか|까요)$"
    r"|хотите,? чтобы я|хочешь,? чтобы я|можно я|могу я"
    r"|(?:^|мне )(?:сделать|исправить|применить|продолжить|переименовать|удалить|добавить)\b"
    r"|क्या मैं|चाहते हैं कि मैं|(?:कर दूँ|कर दूं|करूँ|करूं)$"
)
_ADVERBS = phrases(
    "go ahead and, go ahead with, also, just, quickly, then, now, auch, aussi, también, também"
)
_READS = phrases(
    "explain, show, look, take a look, have a look, investigate, check, walk, describe, summarize, list, "
    "review, run, analyze, analyse, search, find, read, compare, print, double-check, verify, confirm, "
    "benchmark, profile, measure, debug, see, dig, elaborate, propose, suggest, sketch, outline, trace, "
    "plan, inspect, explore, examine, monitor, research, diagnose, reproduce, be, worry, care, expect, "
    "consider, discuss, test, get, have, know, assume, ask, tell, help, hold, wait, leave, keep, skip, stop, "
    "not, ignore, cancel, abort, avoid, postpone, defer, erklären, erläutern, nicht, explique, montre, "
    "regarde, vérifie, analyse, examine, attende, laisse, garde, annule, aide, ayudar, muestre, muestra, "
    "revise, revisa, mire, investigue, analice, compruebe, verifique, espere, deje, mantenga, omita, "
    "cancele, ajudar, mostre, olhe, deixe, mantenha, analise, pule, spieghi, mostri, guardi, controlli, "
    "verifichi, analizzi, aspetti, lasci, no, não, ne"
)
_READS_INSIDE = re.compile(
    r"解释|说明|查看|看看|看一下|分析|检查|调查|等待|跳过|保留|取消|説明|確認|調査|調べ|見て|待|スキップ|残し|やめ"
    r"|설명|확인|조사|살펴|기다|건너|유지|취소|объясн|показа|посмотр|провер|изуч|разобра|подожд|остав|пропус|отмен"
    r"|समझा|दिखा|देख|जाँच|जांच|रुक|छोड़|रद्द"
    r"|\b(?:erklären|zeigen|ansehen|anschauen|nachsehen|prüfen|untersuchen|warten|lassen|behalten|überspringen"
    r"|abbrechen|helfen)\b"
)
_DECLINES = phrases(
    "no, none, neither, nothing, cancel, skip, stop, abort, wait, ignore, leave, don't, do nothing, do not, "
    "never mind, not, keep as is, keep it as is, keep things as, keep the current, hold off, 否, 不, 取消, "
    "跳过, 保持, いいえ, やめる, 何もしない, キャンセル, スキップ, 現状, そのまま, 아니요, 아니오, 취소, "
    "건너뛰기, 그대로, nein, nichts, abbrechen, so lassen, lassen, überspringen, non, aucun, aucune, rien, "
    "annuler, ne rien, ne pas, laisser, ninguno, ninguna, nada, cancelar, dejar, omitir, nessuno, nessuna, "
    "niente, annulla, lascia, não, nenhum, nenhuma, deixar, pular, нет, ничего, отмена, отменить, оставить, "
    "пропустить, не, नहीं, कुछ नहीं, रद्द, छोड़"
)
_UNSETTLED = phrases(
    "other, something else, anything else, let me, tell me, you decide, explain, show, discuss, investigate, "
    "look into, look at, more information, more details, more info, ask, chat, 其他, 解释, 说明, その他, "
    "説明, 기타, 설명, andere, anderes, etwas anderes, erklären, erkläre, autre, expliquer, otro, otra, "
    "explicar, outro, outra, другое, другой, объяснить, अन्य, कुछ और, समझा"
)
_DONE = re.compile(r"✅|✓|✔|☑|\[x\]|(?:\w+ed|wrote|made|ran|built|put|took|split|done)\b")


def asks_to_choose(question: str) -> bool:
    """Whether a folded question right before a list asks to choose from it."""
    return _CHOICE.search(question) is not None


def asks_to_choose_of(question: str) -> bool:
    """The same for one after a list, which must point back at it: the list may tell what was done."""
    return _CHOICE_OF_LISTED.search(question) is not None and not is_closing(question)


def is_closing(question: str) -> bool:
    """ "Anything else?", "does that make sense?": an affirmation of it approves nothing."""
    return _CLOSING.search(question) is not None


def proposal(question: str) -> str | None:
    """The deed that a yes/no question asks leave for, in its own words, or None.

    An either-or, and leave to look or to wait, is no proposal: a write after its "yes" is not settled.
    """
    bare = question.rstrip("?？ \t")
    folded = fold(bare)
    if is_closing(folded) or _ALTERNATIVE.search(folded) or _READS_INSIDE.search(folded):
        return None
    if _LEAVE_AS_A_WHOLE.search(folded):
        return bare
    asked = _LEAVE.search(bare)
    if asked is None:
        return None
    deed = asked["deed"].strip(" :,") or bare[: asked.start()].strip(" ,;:-–—")
    first = fold(deed)
    for adverb in _ADVERBS:
        first = first.removeprefix(adverb + " ")
    return deed if deed and not begins_with(first, _READS) else None


def settles_a_write(label: str) -> bool:
    """Whether choosing this option says what to write: not so for "leave it" or "something else"."""
    return not begins_with(fold(label), (*_DECLINES, *_UNSETTLED))


def tells_what_was_done(label: str) -> bool:
    return _DONE.match(fold(label)) is not None


def begins_with(folded: str, starts: tuple[str, ...]) -> bool:
    """Whether the text begins with one of the phrases, as whole words."""
    return any(
        folded.startswith(one) and not (len(folded) > len(one) and joins(one[-1], folded[len(one)]))
        for one in starts
    )


TokenKind = Literal[
    "yes", "deed", "filler", "both", "all", "and", "comma",
    "number", "ordinal", "last", "former", "latter", "key", "label",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """A `deed` affirms a proposal ("do it"). `value` is the number, the ordinal's position from 1, or the
    index of the key's or label's option.
    """

    kind: TokenKind
    value: int = 0


_COMMAS = ",、;，"
_PUNCTUATION = " .!:()[]\"'`*。！：-"
_NUMBER = re.compile(r"\d+")
# A decimal, a range, a fraction or a negative number is no reference to an option.
_ODD_NUMBER = re.compile(r"\d\s*[:/~\-]\s*\d|\d\.\d|(?<![\w)])-\s*\d")


def tokenize(folded: str, own: Mapping[str, ReplyToken]) -> list[ReplyToken] | None:
    """The tokens of a folded reply, or None if any part is not understood. `own` are the menu's phrases."""
    odd = {place for span in _ODD_NUMBER.finditer(folded) for place in range(*span.span())}
    found: list[ReplyToken] = []
    index = 0
    while index < len(folded):
        char = folded[index]
        token, size = token_at(folded, index, own)
        if token.kind == "number" and index in odd:
            return None
        if size:
            found.append(token)
            index += size
        elif char in _COMMAS:
            found.append(ReplyToken("comma"))
            index += 1
        elif char in _PUNCTUATION:
            index += 1
        else:
            return None
    return found


def token_at(folded: str, index: int, own: Mapping[str, ReplyToken]) -> tuple[ReplyToken, int]:
    """The longest token at a place and its length, 0 if there is none. The menu's phrases come first."""
    number = _NUMBER.match(folded, index)
    candidates = chain(
        (((text, token) for text, token in own.items() if folded.startswith(text, index))),
        ((text, token) for text, token in _listed().get(folded[index], ()) if folded.startswith(text, index)),
        (
            (number[0], ReplyToken("number", int(number[0]) if len(number[0]) < 4 else 0))
            for _ in (1,)
            if number
        ),
    )
    best, size = ReplyToken("filler"), 0
    for text, token in candidates:
        if len(text) > size and _stands_alone(folded, index, index + len(text)):
            best, size = token, len(text)
    return best, size


def _stands_alone(folded: str, start: int, end: int) -> bool:
    return not (start and joins(folded[start - 1], folded[start])) and not (
        end < len(folded) and joins(folded[end - 1], folded[end])
    )


@lru_cache(maxsize=1)
def _listed() -> dict[str, list[tuple[str, ReplyToken]]]:
    by_text: dict[str, ReplyToken] = {}
    for language in LANGUAGES.values():
        for text, token in _entries(language):
            by_text.setdefault(text, token)
    for text in phrases(FORMER):
        by_text[text] = ReplyToken("former")
    for text in phrases(LATTER):
        by_text[text] = ReplyToken("latter")
    by_first: dict[str, list[tuple[str, ReplyToken]]] = {}
    for text, token in by_text.items():
        by_first.setdefault(text[0], []).append((text, token))
    return by_first


@lru_cache(maxsize=1)
def known_phrases() -> frozenset[str]:
    """All that a reply may say without a list's own words."""
    return frozenset(text for entries in _listed().values() for text, _ in entries)


def _entries(language: ReplyWords) -> Iterator[tuple[str, ReplyToken]]:
    plain: tuple[tuple[str, TokenKind], ...] = (
        (language.both, "both"),
        (language.all, "all"),
        (language.last, "last"),
        (language.yes, "yes"),
        (language.deeds, "deed"),
        (language.conjunctions, "and"),
        (language.filler, "filler"),
    )
    for forms, kind in ((language.ordinals, "ordinal"), (language.cardinals, "number")):
        for position, entry in enumerate(forms.split(","), 1):
            for text in entry.split("|"):
                if text.strip():
                    yield phrases(text)[0], ReplyToken("ordinal" if kind == "ordinal" else "number", position)
    for data, token_kind in plain:
        for text in phrases(data):
            yield text, ReplyToken(token_kind)


@lru_cache(maxsize=1)
def _qualified() -> Callable[[str], object]:
    listed = sorted({text for one in LANGUAGES.values() for text in phrases(one.qualifiers)})
    spaced = [re.escape(text) for text in listed if not is_unspaced(text[-1])]
    unspaced = [re.escape(text) for text in listed if is_unspaced(text[-1])]
    letter = "0-9_a-zà-ɏа-яёऀ-ॣ"
    return re.compile(rf"(?<![{letter}])(?:{'|'.join(spaced)})(?![{letter}])|{'|'.join(unspaced)}").search


def is_qualified(folded: str) -> bool:
    """Whether any word of a folded reply hedges, negates, conditions or excepts."""
    return _qualified()(folded.replace(",", "")) is not None


@lru_cache(maxsize=1)
def both_words() -> tuple[str, ...]:
    return tuple(text for one in LANGUAGES.values() for text in phrases(one.both))


@lru_cache(maxsize=1)
def all_words() -> tuple[str, ...]:
    return tuple(text for one in LANGUAGES.values() for text in phrases(one.all))


@lru_cache(maxsize=1)
def yes_words() -> tuple[str, ...]:
    return tuple(text for one in LANGUAGES.values() for text in phrases(one.yes))


def has_phrase(folded: str, listed: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in the text as whole words."""
    return any(
        _stands_alone(folded, place, place + len(one))
        for one in listed
        for place in (found.start() for found in re.finditer(re.escape(one), folded))
    )


@lru_cache(maxsize=1)
def _references() -> Callable[[str], Iterator[re.Match[str]]]:
    kinds = ("ordinal", "last", "former", "latter")
    listed = [text for same in _listed().values() for text, token in same if token.kind in kinds]
    spelled = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    return re.compile(rf"{spelled}|(?<![\w.#@/{{:-])#?\d{{1,2}}(?![\w%{{}}]*[a-z_%]|\.\d|[-/:]\d)").finditer


def references(folded: str) -> Iterator[ReplyToken]:
    """The numbers, ordinals and words like "the latter" anywhere in a folded text, in order."""
    for found in _references()(folded):
        text = found[0].lstrip("#")
        if text.isdigit() and len(text) < 3:
            yield ReplyToken("number", int(text))
        elif _stands_alone(folded, *found.span()):
            yield token_at(folded, found.start(), {})[0]
