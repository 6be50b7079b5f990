"""In which of the languages of `phrases` a request is written. Pure."""

from __future__ import annotations

import re

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_LISTED = {
    "de": "der die das und nicht ein eine ist mit auf den bitte mach für auch nur oder aber wir ich lösche ändere",
    "fr": "le la les et un une des pas est avec dans pour sur aussi mais ou je nous supprime corrige fichier",
    "es": "el los las y un una no es con en para por también pero o yo nosotros borra elimina corrige archivo",
    "pt": "o os as e um uma não é com em para por também mas ou eu nós apaga remove corrige arquivo isso",
    "it": "il lo gli e un una non è con nel per anche ma o io noi cancella rimuovi correggi file questo",
    "en": "the and a an is not with in for to of it this that please delete fix remove rename add all just",
}
_WORDS = {language: frozenset(words.split()) for language, words in _LISTED.items()}
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2000


def language_of(text: str) -> str:
    """One of the languages that there are phrases for; English where nothing tells."""
    start = text[:_LOOKED_AT]
    for language, script in _SCRIPTS:
        if script.search(start):
            return language
    said = [word.casefold() for word in _WORD.findall(start)]
    counts = {language: sum(word in words for word in said) for language, words in _WORDS.items()}
    best = max(counts.values())
    return "en" if not best or counts["en"] == best else next(name for name in counts if counts[name] == best)
