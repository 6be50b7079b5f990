"""Sentences that say anew what a word means. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from evaluator.language import noun_words, nouns, unspaced_nouns

TEXT_CHARS = 8_000
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|[。！？]+|\n+")
_REDEFINING = re.compile(rf"(?<!\w)(?:{noun_words.REDEFINING})")
_EXPLAINING = re.compile(rf"(?<!\w)(?:{noun_words.EXPLAINING})")


def sentences(text: str, head: str) -> list[str]:
    """Those that hold the head (a key), in lower case."""
    text = text[:TEXT_CHARS]
    if not nouns.may_say(text, head):
        return []
    return [part for part in _parts(text) if head in part or head in nouns.keys_of(part)]


@lru_cache(maxsize=16)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _SENTENCE.split(text))


_IN_PLACE_OF = re.compile(
    r"(?<!\w)(?:instead of|in place of|rather than|anstelle|statt|à la place d(?:e|u|es|')|au lieu d(?:e|u|es|')"
    r"|en lugar de|en vez de|em vez de|invece di|вместо)(?!\w)"
)
_DAYS = (
    r"(?:today|tomorrow|yesterday|(?:next |this )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|week|month|sprint|year|release)|heute|morgen|gestern"
    r"|(?:dem |nächste[rnm]? )?(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|woche|monat)"
    r"|hier|demain|aujourd.hui|(?:la semaine prochaine|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)"
    r"|maintenant|ce jour"
    r"|hoy|mañana|ayer|ahora|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|hoje|amanhã|agora|segunda|terça|quarta|quinta|sexta|oggi|domani|ora|adesso"
    r"|(?:lune|marte|mercole|giove|vener)dì"
    r"|сегодняшнего|завтра|понедельника|вторника|среды|четверга|пятницы)"
)
_NOW_AT = (
    r"(?:lives?|sits?|resides?|kept|stands?|found|means?|(?:is|are|it.s) (?:in|at|under|the|over)"
    r"|liegt|lebt|sitzt|steht|wohnt"
    r"|meint|ist (?:in|im|der|die|das)|se trouve|habite|vit|désigne|est (?:dans|le|la)|vive|se encuentra"
    r"|está en|es (?:el|la)"
    r"|fica|mora|si trova|находится|лежит|живёт|живет)"
)
_THESE_DAYS = (
    r"(?:these days|nowadays|by now|lately|heutzutage|inzwischen|mittlerweile|neuerdings"
    r"|de nos jours|ces temps-ci|ces jours-ci"
    r"|hoy en día|estos días|actualmente|hoje em dia|oggigiorno|в наши дни|сейчас)"
)
_TAKEN_BACK = re.compile(
    r"(?<!\w)(?:"
    r"(?:scratch|forget|disregard|ignore|never ?mind|drop|strike) (?:about )?(?:what|everything|all|whatever|anything)"
    r" (?:that )?(?:i|we)(?:'ve| have| had)? (?:just )?(?:said|told|wrote|meant|agreed|decided|settled|asked|called)"
    r"|scratch that|(?:i|we) (?:take|took) (?:it |that |this |what .{1,20})?back|take back what|i was wrong"
    r"|i misspoke"
    rf"|(?:as of|starting|beginning|effective|from|since|ab|seit|von|dès|depuis|à (?:compter|partir|dater) (?:de |d.)"
    rf"|(?:a partir|desde) (?:de |del |el )?|da|с) ?(?:on )?{_DAYS}"
    r"|from (?:now|here|this point) on|henceforth|hereafter|going forward|in future|in the future"
    r"|until further notice"
    r"|for (?:this )?once|(?:just|only) this (?:once|one time|time)"
    r"|back to (?:the |its |my )?(?:old|older|earlier|previous|original|former)"
    r" (?:one|place|meaning|spot|home|location|folder|file)"
    r"|(?:lives|sits|resides|is kept|belongs) (?:now|elsewhere|somewhere)|not (?:like|as) last time"
    r"|unlike last time"
    r"|contrary to what (?:i|we)|other than last time|new (?:home|meaning)"
    rf"|{_THESE_DAYS}[^.!?]{{0,40}}\b{_NOW_AT}|{_NOW_AT}\b[^.!?]{{0,40}}{_THESE_DAYS}"
    r"|(?:vergiss|vergesst|ignorier(?:e|t)?),? was|nehme? .{0,20}zurück|ich lag falsch"
    r"|ich habe mich (?:geirrt|vertan)"
    r"|(?:von|ab) (?:jetzt|nun|heute) an|künftig|zukünftig|in zukunft|ausnahmsweise|nur (?:dieses|dies) ?mal"
    r"|oublie[zrs]? (?:tout )?ce que|je retire ce|je me suis tromp|pour une fois|à l.avenir|rien que cette fois"
    r"|revenons à|on revient à"
    r"|(?:olvida|olvidad|olvídate) (?:todo )?(?:de )?lo que|retiro lo|me equivoqu|en adelante|en lo sucesivo"
    r"|por (?:esta|una) vez|volvamos a|esquece o que|retiro o que|de (?:hoje|agora) em diante|por uma vez"
    r"|dimentica (?:quello|ciò)|d.ora in|per una volta"
    r"|забудь,? что|беру (?:слова )?(?:назад|обратно)|я ошиб|впредь|отныне)(?!\w)"
    r"|忘れて|撤回|(?:[月火水木金土日]曜日?|今日|明日|来週|来月|本日)(?:から|以降)|最近は|今では|今度は"
    r"|忘掉|别管我(?:之前|刚才)|收回|从(?:今天|明天|周|星期|现在|下周)|如今|今后|往后|这回|只这一次"
    r"|잊어|[월화수목금토일]요일부터|오늘부터|내일부터|요즘|이번만"
)
"""Anywhere in a request: what was settled earlier no longer holds, or not this time."""


@lru_cache(maxsize=16)
def takes_back(text: str) -> bool:
    low = text[:TEXT_CHARS].casefold().replace("’", "'")
    return _TAKEN_BACK.search(" ".join(low.split())) is not None


def equates(text: str, ends: tuple[int, ...]) -> bool:
    """Whether a sign that says what it is stands right behind a term that ends there."""
    behind = (text[end : end + 8] for end in ends)
    return any(re.match(r"[\"'`”»]?\s*(?::=|==?(?!\w*=)|≙|≡|→|=>|->|⇒)\s*", each) for each in behind)


def redefines(sentence: str) -> bool:
    flat = " ".join(re.sub(r"[,;:—–\"“”«»]", " ", sentence).split()) + " "
    return _REDEFINING.search(flat) is not None or unspaced_nouns.redefines(sentence)


def explains(sentence: str) -> bool:
    return _EXPLAINING.search(_IN_PLACE_OF.sub(" ", sentence)) is not None
