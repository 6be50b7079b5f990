"""In which of the languages of `texts` a person is answered. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "hi")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_LISTED = {
    "en": "the and an is are be been not with for to of it its this that these those there here at by from then "
    "than but does don't did can could should would may must have had i'm we you they my our your what why "
    "how when where which who please just only any some more add fix make run delete remove rename update "
    "move check look see let now again into out up off one files",
    "de": "der die das und nicht ein eine einen ist sind mit auf den dem bitte mach für auch nur oder aber wir ich "
    "du es kannst können soll warum wo wie was wenn einfach von zu zum zur im noch mal jetzt lösche lösch "
    "ändere füge hinzu alle diese",
    "fr": "le la les et un une des du de pas est sont avec dans pour sur aussi mais ou je tu vous nous il elle ce "
    "cette ça que qui pourquoi comment peux peut supprime corrige ajoute modifie fichier fichiers plus tout "
    "tous",
    "es": "el la los las y un una de del que no es son con en para por también pero o yo tú esto eso este esta cómo "
    "qué puedes hay se lo borra elimina corrige añade cambia archivo archivos todo todos ahora",
    "pt": "o a os as e um uma de do da dos das que não é são com em no na para por também mas ou eu você nós isso "
    "isto este esta como pode apaga apague remove corrige adiciona adicione muda arquivo arquivos tudo todos "
    "agora",
    "it": "il lo la gli le e un una di del della che non è sono con in nel per anche ma o io tu noi questo questa "
    "come perché puoi cancella rimuovi correggi aggiungi cambia tutto tutti adesso",
}
_SHARED = "remove a do no on as or so i in me an was die also will all file test tests has use change if"
"""Of English and another one: they tell nothing."""
_WORDS = {
    language: frozenset(word for word in words.split() if len(word) > 1 and word not in _SHARED.split())
    for language, words in _LISTED.items()
}
_ENGLISH = _WORDS["en"]
FUNCTION_WORDS_MIN = 2
_NO_WORDS = re.compile(r"https?://\S+|`[^`]*`|\S*[/\\_@]\S*|\S+\.\w{1,5}\b|(?<!\S)--?\w\S*")
"""Addresses, code, paths, names and options are of no language."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LOOKED_AT = 2_000


def language_of(text: str, earlier: Iterable[str] = ()) -> str:
    """That of the text, or where nothing in it tells, of the newest of `earlier` that does; else English.

    Another language than English is told by its script, or by two of its function words and no English one.
    """
    return next((found for one in (text, *earlier) if (found := _told_by(one))), "en")


def _told_by(text: str) -> str:
    """Empty where nothing tells."""
    plain = _NO_WORDS.sub(" ", text[:_LOOKED_AT])
    words = [word.casefold() for word in _WORD.findall(plain)]
    english = any(word in _ENGLISH for word in words)
    for language, script in _SCRIPTS:
        count = len(script.findall(plain))
        if count and (not english or count > len(_LATIN.findall(plain))):
            return language
    if english:
        return "en"
    counts = {language: len(listed.intersection(words) - _ENGLISH) for language, listed in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= FUNCTION_WORDS_MIN else ""
