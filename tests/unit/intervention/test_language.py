"""In which language a person is answered: their own where they write it, else English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus

from evaluator.intervention.language import language_of

OWN = {
    "de": ["Lösch das bitte", "Lösch es einfach.", "ich will das nicht", "wo ist die Datei", "und jetzt?",
           "Füge einen Test für src/a.py hinzu", "CHANGELOG ergänzen und pushen", "schreib tests für den UserStore",
           "was macht das build script hier?", "bei mir steht \"the file is locked\", warum?",
           "TypeError: x is not a function kommt beim Speichern, bitte beheben"],
    "fr": ["Supprime le fichier", "Supprime-le.", "corrige le test de connexion", "peux-tu ajouter un test",
           "renomme getUser en fetchUser", "l'import de Config n'est pas utile", "ca plante encore, meme probleme"],
    "es": ["Borra el archivo", "No borra los tests", "¿puedes cambiar esto?", "añade un test para el parser",
           "haz push a staging", "anade tipos a models.ts", "explícame los hooks"],
    "pt": ["Apaga isso para nós", "apaga o arquivo do projeto", "você pode mudar isso?",
           "roda o lint", "otimizar query da listagem", "nao entendi esse teste"],
    "it": ["Cancella il file per noi", "metti il test nel modulo, non in src", "questo non è quello che ho chiesto",
           "correggi i test", "copia la cartella e i file", "la build è rotta", "sistemala"],
    "ru": ["Удали это", "исправь src/a.py", "npm run build падает", "error: это как понимать?"],
    "zh": ["删除它", "把它删掉。 src/a.py", "npm run build的时候报 module is not found，怎么办？"],
    "ja": ["それを消して", "src/a.py を削除", "src/lib以下のtestを直して", "push すると「this is protected」と出る"],
    "ko": ["그거 지워", "git pull 하면 port is already in use 라고 나와요"],
    "hi": ["उसे मिटा दो", "run करने पर \"it is locked\" आता है"],
}  # fmt: skip
ENGLISH = [
    "Just delete it", "do it", "no", "2", "ok", "yes e no", "fix die on error", "add no tests", "do we need a test?",
    "why is this slow?", "see https://example.com/de/la/el/los", "use el and la", "translate 你好 in the header",
    "rename `los datos` to data", "run src/il/la/per.py", "push a o e", "re-run no-op", "SELECT a FROM o",
    "plan de test", "", "e2e", "lgtm", "Fix the ключ lookup in the cache",
    "change \"Datei nicht gefunden\" to Missing", "add de, es, fr and it", "support es la fr", "modifier keys broken",
    "<p>le texte est dans la page</p> overflows", "parser splits 京都 wrongly",
    "What does ошибка доступа к файлу mean?",
    "also la couleur of a key", "el.scrollIntoView(e => me.go(e)) fails",
    "Add a translation: gracias, lo siento, de nada",
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
