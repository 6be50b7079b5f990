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
        # German
        "weiter", "bitte weiter", "weiter bitte", "mach weiter", "bitte mach weiter", "weitermachen",
        "bitte weitermachen", "fahr fort", "bitte fahr fort", "fahre fort", "bitte fortfahren", "fortfahren",
        # French
        "continuez", "continue stp", "continuer", "continue s'il te plaît", "continuez s'il vous plaît",
        "poursuis", "poursuivez", "poursuivre",
        # Spanish
        "continúa", "continua", "continúe", "continuar", "continúa por favor", "continua por favor",
        "por favor continúa", "por favor continua", "sigue", "siga", "sigue adelante", "prosigue",
        # Portuguese
        "continue por favor", "por favor continue", "pode continuar", "siga em frente", "prossiga",
        # Italian
        "continui", "continuare", "continua per favore", "vai avanti", "prosegui", "procedi",
        # Russian
        "продолжай", "продолжайте", "продолжи", "продолжить", "продолжай пожалуйста", "дальше",
        "давай дальше", "пожалуйста продолжай",
        # Chinese
        "继续", "請繼續", "请继续", "繼續", "继续吧", "继续做", "接着", "接着做", "接着来",
        # Japanese
        "続けて", "続けてください", "続けて下さい", "続行", "続行して", "続行してください", "続き", "進めて",
        "進めてください",
        # Korean
        "계속", "계속해", "계속해줘", "계속해 줘", "계속해주세요", "계속해 주세요", "계속하세요", "계속 진행",
        "계속 진행해", "계속 진행해줘", "진행해", "진행해줘",
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
