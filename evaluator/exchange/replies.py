"""Replies that ask for nothing new: pure continuations; how a control reply begins. Pure; built-ins only."""

from __future__ import annotations

import unicodedata

CONTROL_PREFIX = "compass:"

_CHARS_MAX = 64
_CONTINUATIONS = frozenset(
    {
        # English
        "continue", "please continue", "continue please", "go on", "please go on", "keep going",
        "please keep going", "proceed", "please proceed", "carry on", "please carry on", "resume",
        "try again", "please try again", "try again please", "try it again", "try that again", "retry", "please retry",
        # German
        "weiter", "bitte weiter", "weiter bitte", "mach weiter", "bitte mach weiter", "weitermachen",
        "bitte weitermachen", "fahr fort", "bitte fahr fort", "fahre fort", "bitte fortfahren", "fortfahren",
        "nochmal", "noch einmal", "noch mal", "versuch es nochmal", "versuch es noch einmal", "nochmal bitte",
        # French
        "continuez", "continue stp", "continuer", "continue s'il te plaît", "continuez s'il vous plaît",
        "poursuis", "poursuivez", "poursuivre",
        "réessaie", "réessayez", "réessaie stp", "essaie encore", "essaye encore", "encore une fois",
        # Spanish
        "continúa", "continua", "continúe", "continuar", "continúa por favor", "continua por favor",
        "por favor continúa", "por favor continua", "sigue", "siga", "sigue adelante", "prosigue",
        "inténtalo de nuevo", "intenta de nuevo", "prueba otra vez", "otra vez", "de nuevo", "reintenta",
        # Portuguese
        "continue por favor", "por favor continue", "pode continuar", "siga em frente", "prossiga",
        "tenta de novo", "tente de novo", "tente novamente", "de novo", "outra vez",
        # Italian
        "continui", "continuare", "continua per favore", "vai avanti", "prosegui", "procedi",
        "riprova", "prova di nuovo", "ancora una volta",
        # Russian
        "продолжай", "продолжайте", "продолжи", "продолжить", "продолжай пожалуйста", "дальше",
        "давай дальше", "пожалуйста продолжай",
        "попробуй еще раз", "попробуй ещё раз", "еще раз", "ещё раз", "попробуй снова",
        # Chinese
        "继续", "請繼續", "请继续", "繼續", "继续吧", "继续做", "接着", "接着做", "接着来",
        "再试一次", "再试试", "重试", "再来一次",
        # Japanese
        "続けて", "続けてください", "続けて下さい", "続行", "続行して", "続行してください", "続き", "進めて",
        "進めてください", "もう一度", "もう一回", "もう一度お願いします", "やり直して", "再試行", "再試行して",
        # Korean
        "계속", "계속해", "계속해줘", "계속해 줘", "계속해주세요", "계속해 주세요", "계속하세요", "계속 진행",
        "계속 진행해", "계속 진행해줘", "진행해", "진행해줘",
        "다시", "다시 해줘", "다시 해봐", "다시 시도", "다시 시도해", "다시 시도해줘",
        # Hindi
        "जारी रखो", "जारी रखें", "जारी रखिए", "आगे बढ़ो", "फिर से करो", "फिर से कोशिश करो", "दोबारा करो",
    }
)  # fmt: skip


def is_continuation(text: str) -> bool:
    """Whether the whole message only tells the agent to go on; case, spacing and end marks do not matter."""
    if len(text) > _CHARS_MAX:
        return False
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    plain = "".join(" " if _is_mark(char) else char for char in folded)
    return " ".join(plain.split()) in _CONTINUATIONS


def _is_mark(char: str) -> bool:
    """Sentence marks. A question mark is none of them: "continue?" asks."""
    return char in ".,!…;:~。、！，"


def speaks_to_compass(text: str) -> bool:
    """Whether the beginning of a control reply, or the skip sentinel, stands anywhere in a text."""
    import re

    folded = unicodedata.normalize("NFKC", text).casefold()
    seen = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return re.search(r"compass\s*:|\[\s*compass\s*:\s*skip", seen) is not None
