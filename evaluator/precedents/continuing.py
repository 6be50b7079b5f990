"""Whether a request goes on from what was said before, and that was not about the settled thing. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from evaluator.language import noun_text, words

_CONNECTIVE = re.compile(
    r"\s*(?:ok(?:ay)?|yes|yeah|right|good|great|fine|thanks|hm+|well|ja|gut|oui|bien|sí|si|vale|да|хорошо)?[\s,.!:–—-]*"
    r"(?:then|so|and|also|next|thus|hence|therefore|but|or|in that case|in this case|because of that|after that"
    r"|given that|if so|accordingly|likewise|meanwhile|still|too|dann|also|und|aber|daher|deshalb|deswegen|somit|danach"
    r"|in dem fall|alors|donc|et|puis|ensuite|mais|du coup|dans ce cas|entonces|pues|y|luego|así que|por eso"
    r"|en ese caso|então|e|portanto|allora|quindi|poi|ma|тогда|значит|и|поэтому|но|потом)(?!\w)"
    r"|\s*(?:では|じゃあ?|なら|それなら|だったら|そして|あと|次に|那么?|所以|然后|于是|그럼|그러면|그래서|그리고)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?<!\w)(?:done|wrote|made|ready|finished|complete|through|\w{3,}ed|fertig|erledigt|ge\w+t|fini\w*|terminé\w*|fait"
    r"|corrigé\w*|list[oa]|hecho|terminad\w+|\w+ado|pronto|feito|fatto|готов\w*|сделан\w*|исправ\w+)(?!\w)"
    r"|済|完了|終わ|直しました|しました|完成|好了|已|완료|끝|했습니다",
    re.IGNORECASE,
)
_EXCLUDING = re.compile(
    r"(?<!\w)(?:whichever|whatever|the one|the ones|which(?:ever)? one|remaining|remains?|the rest|left(?: over| out)?"
    r"|spared|skipped|missed|missing|untouched|not yet|still|yet|haven['’]?t|hasn['’]?t|didn['’]?t|wasn['’]?t"
    r"|as well|too|also|same|similarly|equally|instead|counterpart|sibling|twin"
    r"|übrig\w*|verschont\w*|ausgelassen\w*|noch|fehlt|bleibt|auch|ebenso|denjenigen|derjenige"
    r"|rest[eé]\w*|aussi|pas encore|épargn\w+|celui|manqu\w+|encore|falta\w*|queda\w*|también|todavía|aún|igual"
    r"|também|ainda|anche|ancora|тоже|также|ещ[её]|остал\w+)(?!\w)"
    r"|残り|まだ|同じ|還|还|剩|也|同样|아직|나머지|같은",
    re.IGNORECASE,
)
_IDLE = re.compile(
    rf"{_DONE.pattern}|next|okay|sure|hello|hi|what|else|anything|need|help|happy|glad|welcome|thank|thanks|green|pass"
    r"|passes|all|sonst|noch|weiter|gern|gerne|bitte|alles|autre|chose|voilà|merci|más|algo|gracias|siguiente"
)
"""Words of a turn that tells nothing of its matter."""
_SHORT = 14
_UNSPACED_SHORT = 24

Rare = Callable[[Sequence[noun_text.Token], Collection[str]], Iterable[str]]


def goes_on(request: str, prior: str, known: Collection[str], rare: Rare) -> bool:
    """Whether a request takes its matter from `prior`, which names nothing of the settled thing (`known`, keys).

    `rare` gives the words of a clause that belong neither to the trade nor to the settled thing.
    """
    before = matter(prior, known, rare)
    if not before:
        return False
    if _CONNECTIVE.match(request):
        return True
    tokens = [token for token in noun_text.read(request).tokens if token.is_word]
    own = frozenset(rare(tokens[1:], known))
    if not before.isdisjoint(own):
        return True
    unspaced = words.UNSPACED.search(request) is not None
    return len(request) <= _UNSPACED_SHORT if unspaced else not own and len(tokens) <= _SHORT


def matter(prior: str, known: Collection[str], rare: Rare) -> frozenset[str]:
    """The rare words of what was said before; none where it names something of the settled thing."""
    if not prior.strip() or _names(prior, known):
        return frozenset()
    return frozenset(one for one in rare(noun_text.read(prior).tokens, known) if not _IDLE.fullmatch(one))


def excludes_done(request: str, prior: str) -> bool:
    """Whether a request asks for what was left out by work that is told as done."""
    return _DONE.search(prior) is not None and _EXCLUDING.search(request) is not None


def _names(prior: str, known: Collection[str]) -> bool:
    telling = {one for one in known if len(one) > 1 and one not in words.STOP and one not in words.GENERIC}
    low = prior.casefold()
    return not telling.isdisjoint(noun_text.keys_of(prior)) or any(
        one in low for one in telling if words.UNSPACED.search(one)
    )
