"""In which language a person is answered: their own where they write it, else English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus

from evaluator.intervention.language import language_of

OWN = {
    "de": ["Lösch es einfach.", "und jetzt?", "bei mir steht \"the file is locked\", warum?",
           "TypeError: x is not a function kommt beim Speichern, bitte beheben"],
    "fr": ["Supprime-le.", "l'import de Config n'est pas utile", "ca plante encore, meme probleme"],
    "es": ["No borra los tests", "haz push a staging", "añade tipos a models.ts"],
    "pt": ["Apaga isso para nós", "roda o lint", "nao entendi esse teste"],
    "it": ["Cancella il file per noi", "la build è rotta", "sistemala"],
    "ru": ["Удали это", "исправь src/a.py", "npm run build падает", "error: это как понимать?"],
    "zh": ["删除它", "把它删掉。 src/a.py", "npm run build的时候报 module is not found，怎么办？"],
    "ja": ["それを消して", "src/a.py を削除", "src/lib以下のtestを直して", "push すると「this is protected」と出る"],
    "ko": ["그거 지워", "git pull 하면 port is already in use 라고 나와요"],
    "hi": ["उसे मिटा दो", "run करने पर \"it is locked\" आता है"],
}  # fmt: skip
ENGLISH = [
    "no", "2", "yes e no", "fix die on error", "see https://example.com/de/la/el/los", "translate 你好 in the header",
    "rename `los datos` to data", "run src/il/la/per.py", "", "lgtm", "change \"Datei nicht gefunden\" to Missing",
    "<p>le texte est dans la page</p> overflows", "What does ошибка доступа к файлу mean?",
    "el.scrollIntoView(e => me.go(e)) fails", "Add a translation: gracias, lo siento, de nada",
    "user wrote: je ne peux pas me connecter avec mon compte", "TypeError: x is not a function",
    "log shows\n2030-01-02 10:00 ERROR die Verbindung zur Datenbank wurde geschlossen\nretry", "déjà vu bug",
    "de tests doen het niet meer, maak ze weer heel", "usuń nieużywane pliki i zrób to jeszcze raz",
]  # fmt: skip


@corpus(("language", "said"), [(language, said) for language, all_ in OWN.items() for said in all_])
def test_the_language_is_that_of_the_request(language: str, said: str) -> None:
    assert language_of(said) == language


@corpus("said", ENGLISH)
def test_what_is_not_clearly_another_language_is_english(said: str) -> None:
    assert language_of(said) == "en"


def test_requests_of_a_blind_author_are_answered_in_their_language_and_english_ones_in_english() -> None:
    path = Path(__file__).parents[3] / "fixtures" / "languages" / "requests.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    missed = [row for row in rows if language_of(row["text"]) != row["language"]]
    assert not [row for row in missed if row["language"] == "en"]
    assert len(missed) <= 1, missed
    assert len(rows) == 240


def test_where_nothing_tells_the_sessions_earlier_prompts_do_the_newest_first() -> None:
    assert language_of("ok", ["2", "Füge einen Test für den Parser hinzu", "fix the login test"]) == "de"
    assert language_of("ok", ["fix the login test", "Füge einen Test für den Parser hinzu"]) == "en"


@pytest.mark.parametrize("said", ["fix the login test", "please delete it"])
def test_a_request_in_english_is_answered_in_english_whatever_came_before(said: str) -> None:
    assert language_of(said, ["Füge einen Test für den Parser hinzu"]) == "en"
