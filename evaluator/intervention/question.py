"""The readings as a numbered question to the user, in the language of the request where that is known. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FRAMES = {
    "en": ("The request was read in more than one way:", "something else"),
    "de": ("Die Anfrage wurde auf mehr als eine Weise gelesen:", "etwas anderes"),
    "fr": ("La demande a été comprise de plusieurs façons :", "autre chose"),
    "es": ("La petición se entendió de más de una forma:", "otra cosa"),
    "pt": ("O pedido foi entendido de mais de uma forma:", "outra coisa"),
    "it": ("La richiesta è stata intesa in più modi:", "altro"),
    "ru": ("Запрос понят по-разному:", "что-то другое"),
    "zh": ("这个请求有不止一种理解：", "其他"),
    "ja": ("この依頼は複数の意味に読めます:", "その他"),
    "ko": ("요청이 여러 가지로 이해되었습니다:", "다른 것"),
}
"""{language: (what introduces the readings, the last choice)}"""

LAST_CHOICES = tuple(other for _, other in _FRAMES.values())

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
_WORDS = {
    "de": "der die das und nicht ein eine ist mit auf den bitte mach für auch nur oder aber wir ich lösche ändere",
    "fr": "le la les et un une des pas est avec dans pour sur aussi mais ou je nous supprime corrige fichier",
    "es": "el los las y un una no es con en para por también pero o yo nosotros borra elimina corrige archivo",
    "pt": "o os as e um uma não é com em para por também mas ou eu nós apaga remove corrige arquivo isso",
    "it": "il lo gli e un una non è con nel per anche ma o io noi cancella rimuovi correggi file questo",
    "en": "the and a an is not with in for to of it this that please delete fix remove rename add all just",
}
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2000


def question(readings: Sequence[str], request: str) -> list[str]:
    """The lines of the question: each reading with its number, and "something else" with the last one."""
    intro, other = _FRAMES[language_of(request)]
    return [intro, *(f"  {number}. {text}" for number, text in enumerate([*readings, other], 1))]


def language_of(text: str) -> str:
    """One of the languages that there is a frame for; English where nothing tells."""
    start = text[:_LOOKED_AT]
    for language, script in _SCRIPTS:
        if script.search(start):
            return language
    said = [word.casefold() for word in _WORD.findall(start)]
    counts = {language: sum(word in words.split() for word in said) for language, words in _WORDS.items()}
    best = max(counts.values())
    return "en" if not best or counts["en"] == best else next(name for name in counts if counts[name] == best)
