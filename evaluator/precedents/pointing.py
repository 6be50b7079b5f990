"""What a request holds beside a term that may be another thing's: then the settled one is shown and does not count.

Words of the trade are no one's; a name, a measure, a restriction or a pointer back that nothing of the settled thing
explains may be the rival's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from evaluator.language import noun_text, noun_words, words
from evaluator.precedents import continuing, standing
from evaluator.precedents.wordings import TEXT_CHARS

_COMMON = """
    able add bad batch blank block bottom break broken buffer button call case char character check clean clear click
    colour color column comment connection copy core count crash cpu data date day debug default delay disk drop
    duplicate edge empty encoding end entry event extra fail fallback fast feature field filter finish flag float
    format generator good hang header heap hour id input insert instance int integer item job key large last lead
    leak left length level limit line list load lock log loop lose low lower lost map margin match max maximum memory
    message method millisecond min minimum minute mode much name negative never new nice null number object odd old
    operation option order output padding page panic param parameter parallel partial path pattern people perform
    performance print process python quick quiet race raise range rate read record report request reset response
    result retry return right row run safe save second seconds sentence set short side silent size skip slow small
    sort space speed spinner stack start state step stop store stream string strip strict style sum suffix swallow
    tab test text thread throw time timeout title todo token top trace trailing trim true type unit update upper use
    user utf-8 utf value variable verbose version wait warn warning warnings whitespace width write wrong year zero
    """
_ACRONYMS = """
    api i/o ascii ci cli cpu crlf css csv db dry eof fixme gb gui html http https id ide io ip json kb lf mb ms ok os pr
    qa ram rest sql todo tsv ttl tty ui uri url utc utf ux wip xml yaml bom null none true false
    """
_PLAIN = frozenset(map(noun_text.key, _COMMON.split())) | frozenset(
    noun_text.key(one)
    for listed in (
        noun_words.COMPOUND, noun_words.CONTAINERS, noun_words.FLEETING, noun_words.NEUTRAL, noun_words.PREDICATES,
        noun_words.TRAILING, noun_words.VERBS, noun_words.LEADING, noun_words.DEFINITE, noun_words.EACH,
        noun_words.EXCLUDING, noun_words.PLACES, noun_words.OTHER, noun_words.INDEFINITE, words.STOP, words.GENERIC,
    )
    for one in listed
)  # fmt: skip
_KNOWN_ACRONYMS = frozenset(_ACRONYMS.split())
_ACRONYM = re.compile(r"(?<![A-Za-z0-9_.])(?:[A-Z]{2,}[A-Za-z]?s?|[A-Z]+[&/-][A-Z]+)(?![A-Za-z0-9_])")
_MEASURE = re.compile(
    r"(?<![A-Za-z0-9_.])(?:v?\d+(?:\.\d+){1,}\w*|v\d+|[A-Za-z]{1,6}-?\d{2,}\w*"
    r"|\d+(?:[.,]\d+)?\s?(?:°\w?|€|\$|£|¥|µ\w+|k?hz|mhz|ghz|kg|g|km|cm|mm|dpi|dpm|rpm|kwh?|volts?|amps?|watts?|bar|psi"
    r"|grams?|litres?|liters?|eur|usd|euros?|dollars?|db|lux|fps|bpm|bps))(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?<!\w)(?:(?:that|this|those|these) (?:one|ones|same|very)?\s?\w+"
    r"|(?:to|of|with|like|for|from|by|on|in|and) (?:that|this"
    r"|those|these)|(?:that|this|those|these)(?=\s*(?:$|[.,;:!?]))"
    r"|^(?:that|this|those|these)|over there|there|thence|such|likewise|as above"
    r"|the (?:same|former|latter)|ditto"
    r"|dies(?:e[rsnm]?|er)?|jene[rsnm]?|dort(?:hin)?|da(?:mit|von|für|rin|rauf|bei|zu|nach|her)?|ebenda|hierfür|hiermit"
    r"|solche[rsnm]?|de(?:rs|mselb|nselb|sselb)\w*|cette?|cet|ces|celui|celle|ceux|celles|cela|ça|là(?:-bas)?|voilà|y"
    r"|es[aeo]s?|est[aeo]s?|aquel\w*|ahí|allí|allá|ello|nisso|ness[ea]s?|dess[ea]s?|aquil?[oa]|isso|isto|ali|aí"
    r"|quest[oaie]|quell[oaie]|quel|quei|lì|là|этот|эт[аоуи]\w*|тот|т[еу]х?|там|туда|такой)(?!\w)"
    r"|これ|それ|あれ|この|その|あの|そこ|ここ|あそこ|そっち|さっき|先ほど|这|那|该|此|上述|그|이것|저것|거기|여기|아까",
    re.IGNORECASE,
)
_IT = re.compile(r"(?<!\w)(?:it|its|they|them|their)(?!\w)", re.IGNORECASE)
_ITS_OWN = re.compile(r"(?<!\w)(?:so that|such that|there (?:is|are|was|were|'s)|y a)(?!\w)", re.IGNORECASE)
_RESTRICTS_WORDS = """
    about after als als as avant before by como come comme into like onto per sans sem senza sin than
    through throughout to unlike using versus via vs without wie zu ohne без как к par
    """
_RESTRICTS = noun_words.PREPOSITIONS - frozenset(_RESTRICTS_WORDS.split())
_WHICH_WORDS = """
    that which who whose where when der die das welche welcher welches dessen deren qui que dont où cuyo
    cuya donde quien che cui который которая которые где behind below above alongside next between until
    since during hinter zwischen seit während derrière depuis pendant entre desde durante detrás bajo за
    между
    """
_WHICH = frozenset(_WHICH_WORDS.split())
_OF_IT = frozenset("it its they er sie es il elle ils elles ça он она оно они".split())  # noqa: SIM905
"""A clause that begins so goes on about the term."""
_CLAUSE_WORDS_MAX = 14
_CAUSE_WORDS = """
    when whenever while because since if as once until after before whereas although though due thanks owing wenn weil
    während da sobald bis nachdem bevor obwohl wegen quand lorsque parce puisque car pendant dès après avant cuando
    porque mientras si aunque después antes quando enquanto perché mentre когда потому если пока после
    """
_CAUSE = frozenset(_CAUSE_WORDS.split())
_OWNING = frozenset("my your its their his her some many more".split())  # noqa: SIM905
_MARKING = (noun_words.DEFINITE | noun_words.EACH | _OWNING) - {"al"}
_TELLERS = frozenset("i we they you he she there ich wir sie man je nous on ils yo".split())  # noqa: SIM905
_JOINED = noun_words.JOINING | frozenset("then also please just dann bitte puis ensuite luego".split())  # noqa: SIM905
_WISHING_WORDS = """
    want need would d like please let should must can could may will möchte will brauche brauchen wollen sollte soll
    veux voudrais faut veut quiero necesito necesitamos queremos
    """
_WISHING = frozenset(_WISHING_WORDS.split())


def points_elsewhere(request: str, prior: str, head: str, known: Collection[str], *, own: bool) -> bool:
    """`known` are keys of the settled thing; `own`: what was said before is about it."""
    text = words.normalise(request, TEXT_CHARS)
    if any(noun_text.key(one) not in known for one in _names(text)):
        return True
    if prior.strip() and not own and _leads_back(_ITS_OWN.sub(" ", text), head):
        return True
    if own and continuing.excludes_done(text, prior):
        return True
    if not own and continuing.goes_on(text, words.normalise(prior, TEXT_CHARS), known, _rare):
        return True
    if words.UNSPACED.search(head):
        return False
    apart = not own and bool(continuing.matter(words.normalise(prior, TEXT_CHARS), known, _rare))
    begun = False
    for clause in _clauses(text):
        holds = any(noun_text.key(one.low) == head for one in clause)
        if begun and not holds and not apart and _is_job(clause, known):
            continue
        if _restricts(clause, head, known):
            return True
        begun = begun or holds
    return False


def _is_job(tokens: Sequence[noun_text.Token], known: Collection[str]) -> bool:
    """Whether a clause is an order without a place or a cause of its own: behind the term it brings new matter."""
    said = [one for one in tokens if one.is_word]
    while said and said[0].low in _JOINED:
        said = said[1:]
    if not said or not (said[0].low in noun_words.VERBS or words.kinds(said[0].low) & words.ACTIONS.keys()):
        return False
    for place, one in enumerate(said):
        if one.low in _CAUSE | _WHICH:
            return False
        if one.low in standing.IN and any(_rare(said[place + 1 :], known)):
            return False
    return True


def _leads_back(text: str, head: str) -> bool:
    """A plain pronoun behind the term is the term's."""
    before = text[: max(0, text.casefold().find(head))]
    return _BACK.search(text) is not None or _IT.search(before) is not None


@lru_cache(maxsize=16)
def _names(text: str) -> tuple[str, ...]:
    """Acronyms that are not everybody's, part numbers, versions and measures."""
    shouted = text.isupper()
    short = [] if shouted else [one.group() for one in _ACRONYM.finditer(text)]
    kept = [one for one in short if one.casefold().rstrip("s") not in _KNOWN_ACRONYMS]
    return (*kept, *(one.group() for one in _MEASURE.finditer(text) if one.group().casefold() != "utf-8"))


@lru_cache(maxsize=16)
def _clauses(text: str) -> tuple[tuple[noun_text.Token, ...], ...]:
    found: list[list[noun_text.Token]] = [[]]
    for token in noun_text.read(text).tokens:
        if token.ends:
            found.append([])
        else:
            found[-1].append(token)
    return tuple(tuple(clause) for clause in found if clause)


def _restricts(tokens: Sequence[noun_text.Token], head: str, known: Collection[str]) -> bool:
    """Whether a clause sets the term apart, or, without it, speaks of something that is not the settled one's."""
    at = next((place for place, one in enumerate(tokens) if noun_text.key(one.low) == head), None)
    if at is None:
        return _speaks(tokens, known)
    if at and tokens[0].low in _RESTRICTS | _WHICH and any(_rare(tokens[:at], known)):
        return True
    if _is_told(tokens, at, known):
        return True
    behind = tokens[at + 1 :]
    while behind and behind[0].low in noun_words.CONTAINERS:
        behind = behind[1:]
    if not behind or (behind[0].low not in _RESTRICTS and behind[0].low not in _WHICH):
        return False
    return any(_rare(behind[1:_CLAUSE_WORDS_MAX], known))


def _is_told(tokens: Sequence[noun_text.Token], at: int, known: Collection[str]) -> bool:
    """Whether the term's own clause tells of something else as its subject, its cause, or what the term does to it."""
    before, behind = tokens[:at], tokens[at + 1 :]
    said = [one for one in before if one.is_word]
    bound = next((n for n, one in enumerate(tokens) if one.low in _CAUSE), None)
    if bound is not None:
        # The word right behind the term is its verb.
        far = (
            [*tokens[:bound][1:], *tokens[bound + 1 : at], *behind[1:]] if bound < at else tokens[bound + 1 :]
        )
        if any(_named(far, known)) or (bound < at and said and _is_subject(said[0], known)):
            return True
    if said and (
        _is_subject(said[0], known) or said[0].low in noun_words.DEFINITE | noun_words.EACH | _TELLERS
    ):
        start = 0 if said[0].low not in _TELLERS else 2
        if _WISHING.isdisjoint(one.low for one in said[:3]) and any(_rare(said[start:], known)):
            return True
    subject = all(one.low in noun_words.DEFINITE | noun_words.NEUTRAL | noun_words.LEADING for one in said)
    if (
        subject
        and behind
        and behind[0].is_word
        and behind[0].low not in noun_words.FINITE | noun_words.MODALS
    ):
        return any(_named(behind[1:], known))
    return False


def _is_subject(token: noun_text.Token, known: Collection[str]) -> bool:
    """Whether a clause's first word is a plural that is neither of the trade nor of the settled thing."""
    low = token.low
    return low.endswith("s") and not low.endswith("ss") and any(_rare((token,), known))


def _named(tokens: Sequence[noun_text.Token], known: Collection[str]) -> Iterator[str]:
    """The rare words with an article, or as plurals."""
    for place, token in enumerate(tokens):
        marked = place > 0 and tokens[place - 1].low in _MARKING
        if marked or (token.low.endswith("s") and place == 0):
            yield from _rare((token,), known)


def _speaks(tokens: Sequence[noun_text.Token], known: Collection[str]) -> bool:
    """An order's own verb comes first, and its object is a noun with something before it."""
    said = [one for one in tokens if one.is_word]
    if len(said) < 2 or said[0].low in _OF_IT:
        return False
    first = said[0].low
    opens = first in noun_words.DEFINITE or first in _RESTRICTS or first in noun_words.EACH
    return any(_rare(said if opens or first.endswith("s") else said[1:], known))


def _rare(tokens: Sequence[noun_text.Token], known: Collection[str]) -> Iterator[str]:
    """The words that belong neither to the trade nor to the settled thing."""
    for token in tokens:
        low = token.low
        if not token.is_word or low[0].isdigit() or len(low) < 3 or token.text == "¤":
            continue
        if (
            (low.endswith(("ly", "ing", "ment", "mente")) and len(low) > 6)
            or words.kinds(low)
            or words.kinds(low.removesuffix("s"))
        ):
            continue
        bases = {noun_text.key(low), low.removesuffix("ed"), low.removesuffix("d"), low.removesuffix("es")}
        if bases.isdisjoint(_PLAIN) and bases.isdisjoint(known):
            yield low
