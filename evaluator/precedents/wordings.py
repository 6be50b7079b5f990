"""Sentences that say anew what a word means. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from evaluator.language import noun_text, noun_words, unspaced_nouns

TEXT_CHARS = 8_000
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|[。！？]+|\n+")
_REDEFINING = re.compile(rf"(?<!\w)(?:{noun_words.REDEFINING})")
_WORD = re.compile(r"[^\W\d_]+")
_EXPLAINING = re.compile(rf"(?<!\w)(?:{noun_words.EXPLAINING})")


def sentences(text: str, head: str) -> list[str]:
    """Those that hold the head (a key), in lower case."""
    text = text[:TEXT_CHARS]
    if not noun_text.may_say(text, head):
        return []
    return [part for part in _parts(text) if head in part or head in noun_text.keys_of(part)]


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


_PERSON = (
    r"(?:i|we|you|they|he|she|one|people|folks|every(?:one|body)|any(?:one|body)|nobody|no one|some(?:one|body)"
    r"|(?:the|my|our|your) (?:\w+ )?(?:team|boss|lead|colleagues?|customers?|clients?|users?|folks|people|guys|office"
    r"|company|support|sales|ops|docs|contract|others)"
    r"|ich|wir|man|alle|er|sie|die (?:leute|kolleg\w+|kunden)|das team|je|j.|nous|on|vous|ils?|elles?|les gens"
    r"|tout le monde|yo|nosotros|la gente|todos|eu|nós|a gente|io|noi|tutti|я|мы|все|они)"
)
_ALSO = (
    r"(?:(?:now|here|always|usually|just|only|simply|also|actually|really|will|would|shall|do|am|are|have|had|ve|ll"
    r"|internally|meanwhile|sometimes|mostly|all|jetzt|nun|hier|immer|meist|toujours|maintenant|siempre|ahora"
    r"|теперь|обычно) )*"
)
_ARTICLE = (
    r"(?:(?:the|a|an|my|our|your|their|plain|just|only|simply|der|die|das|den|dem|le|la|les|el|los|al|o|il|lo) "
    r"|l['’] ?)*"
)
_CALLS = (
    r"(?:calls?|called|calling|names?|named|naming|dubs?|dubbed|christen\w*|terms?|termed|labels?|labell?ed"
    r"|nicknam\w+|titled?)"
)
_BETWEEN = (
    r"(?:in|into|of|for|from|to|by|on|at|with|before|after|inside|through|via|than|about|under|over|that|which|when"
    r"|if|so|then|and|or|but|because|while|where|until|should|as|let|make)"
)
_CALLED = re.compile(
    rf"(?<!\w)(?:(?:when|whenever|if|where|wherever|once|wenn|quand|lorsqu.|cuando|si|quando|когда|если)"
    rf" (?:\w+ ){{1,4}}?(?:says?|said|saying|mentions?|mention|writes?|wrote|types?|sag\w*|dis\w*|dit|digo|diga|dice\w*"
    rf"|decimos|dico|dig[ao]\w*|говор\w+) {_ARTICLE}¶"
    rf"|(?:by|with|under|unter|mit|par|por|con|per|com|под) {_ARTICLE}¶ (?:\w+ ){{0,4}}?(?:means?|meant|understands?"
    rf"|understood|refers?|goes|runs|verst\w+|mein(?:e|en|t|st|te|ten)|läuft|enten\w+|compren\w+|entien\w+|refier\w+"
    rf"|intend\w+|понима\w+|подразумева\w+)"
    rf"|¶ (?:is|are|was|ist|est|es|è|é) {_ALSO}(?:what|how|was|wie|ce que|ce qu.|como|lo que|come) (?:\w+ ){{1,4}}?"
    rf"(?:calls?|names?|says?|means?|nenn\w+|sag\w+|appel\w+|dit|disons|llam\w+|dec\w+|dice\w*|chiam\w+)"
    rf"|what (?:\w+ ){{1,4}}?(?:call|calls|called|name|names|named|mean|means|dub|dubs|say|says) {_ARTICLE}¶"
    rf"|(?:was|ce que|ce qu.|lo que|o que|quello che|то, что) (?:\w+ ){{0,4}}?(?:nenn\w+|appel\w+|nomm\w+|llam\w+"
    rf"|cham\w+|chiam\w+|назыв\w+)"
    rf"|(?:known as|goes by|go by|going by|answers to|listens to|hears on|hört auf|connue? comme|conocid[oa] como)"
    rf" (?:the name (?:of )?)?{_ARTICLE}¶"
    rf"|{_PERSON} {_ALSO}(?:says?|said|sag\w*|dis\w*|dit|dec\w+|dice\w*) {_ARTICLE}¶ (?:to|for|and|meaning|of|when|zu"
    rf"|und|pour|para|y|a)"
    rf"|{_PERSON} {_ALSO}{_CALLS} (?:(?!{_BETWEEN} )[^\s.]+ ){{0,7}}?(?:as )?{_ARTICLE}¶"
    rf"|{_PERSON} {_ALSO}(?:refers? to|think of|thinks of) [^.]{{1,60}}? as {_ARTICLE}¶"
    rf"|(?:referred to|refer to [^.]{{1,60}}?) as {_ARTICLE}¶"
    rf"|¶ {_ALSO}(?:denotes?|designates?|signifies|goes to (?:mean|denote))"
    rf"|(?:i|we|you|they|he|she|people) {_ALSO}(?:meant?|means|thinking of|talking about|in mind)(?! (?:to|well) )"
    rf"|(?:wir|ich|man|alle|leute|kolleg\w+|team) {_ALSO}(?:nenn\w+|tauf\w+|bezeichn\w+|heiß\w+|heiss\w+"
    rf"|mein(?:e|en|t|st|te|ten)) "
    rf"|nennt|getauft|gemeint|(?:nenne|nennen|meine|meinen) (?:ich|wir)"
    rf"|(?:je|j.|nous|on|vous|ils|elles|gens|monde|équipe) ?{_ALSO}(?:appel\w+|nomm\w+|baptis\w+|surnomm\w+|entend\w*)"
    rf"|s.appell?e|(?:llamo|llamamos|llaman|llamaremos|entiendo|entendemos|entienden|se llama|nombramos|decimos"
    rf"|chamo|chamamos|chamam|se chama|dizemos|entendemos|chiamo|chiamiamo|chiamano|si chiama|diciamo|intendiamo)"
    rf"|называю|называем|называют|называет(?:ся)?|зов[её]м|зовут|понима[юе]\w*|имеем в виду|подразумева\w+)(?!\w)"
    r"|と(?:は)?(?:呼|よ)[ぶびんばべ]|という名|のことを指|を指[すし]|という意味|の意味は|と名付|叫做|叫作|称为|称作|称之为|指的是"
    r"|说的是|所说的|是指|意思是|管.{1,20}叫|라고\s?(?:부르|부른|불러|합니다|해요)|뜻(?:합니다|한다|해|이)|가리[키킨켜]"
)
"""A sentence in which somebody gives the term, ¶, as the name of something."""
_NAMED = re.compile(
    rf"(?<!\w)(?:{_CALLS} (?:(?!{_BETWEEN} )[^\s.]+ ){{1,7}}?(?:as )?{_ARTICLE}¶"
    rf"|(?:words?|names?|terms?|labels?|nicknames?|wort|namen?|begriff|mot|nom|terme|palabra|nombre|término|parola|nome"
    rf"|termo|слов\w+|имя|имен\w+) (?:of |de |d.)?{_ARTICLE}¶"
    rf"|¶ (?:\w+ ){{0,2}}?(?:by name|by that name|so called|so-called)"
    rf"|(?:so-called|so called|sogenannte\w*|soi-disant|llamad[oa]|dit[es]*|так называем\w+) {_ARTICLE}¶"
    rf"|{_PERSON} {_ALSO}(?:use|uses|used) {_ARTICLE}¶ (?:for|of|to)"
    rf"|(?:says?|said|sag(?:e|en|t)|dis|dit|disons|digo|dice|dicen) {_ARTICLE}¶"
    rf"|(?:to|for|für|pour|para|per|для) (?:me|us|him|her|them|you|everyone|mich|uns|moi|nous|mí|nosotros|me|noi|меня"
    rf"|нас) {_ARTICLE}¶ (?:is|are|ist|est|es|è|é|это) (?!too |slow|so |very |zu |trop |muy ))"
    r"|と(?:言|い)[うえいっわ]|って(?:言|い)[うえっ]"
)
"""A sentence that may do so."""


def calls_anew(sentence: str, head: str) -> Literal["no", "maybe", "yes"]:
    """Whether a sentence (in lower case) gives the head (a key) as a name that somebody uses for something."""
    plain = re.sub(r"[\"“”«»`'‘’„](?!\w)|(?<!\w)[\"“”«»`'‘’„]", " ", sentence.replace("’", "'"))
    marked = _WORD.sub(lambda word: " ¶ " if noun_text.key(word.group()) == head else word.group(), plain)
    if "¶" not in marked:
        # It is the last part of a longer word, or of an unspaced script.
        marked = plain.replace(head, " ¶ ")
    flat = " ".join(re.sub(r"[,;:—–]", " ", marked).split()) + " "
    return "yes" if _CALLED.search(flat) else "maybe" if _NAMED.search(flat) else "no"


def explains(sentence: str) -> bool:
    return _EXPLAINING.search(_IN_PLACE_OF.sub(" ", sentence)) is not None
