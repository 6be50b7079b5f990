"""In which language a person is answered: their own where they write it, else English."""

from __future__ import annotations

import pytest
from corpora import corpus

from evaluator.intervention.telling import language_of

OWN = {
    "de": ["Lösch das bitte", "Lösch es einfach.", "ich will das nicht", "wo ist die Datei", "und jetzt?",
           "Füge einen Test für src/a.py hinzu"],
    "fr": ["Supprime le fichier", "Supprime-le.", "corrige le test de connexion", "peux-tu ajouter un test"],
    "es": ["Borra el archivo", "No borra los tests", "¿puedes cambiar esto?", "añade un test para el parser"],
    "pt": ["Apaga isso para nós", "apaga o arquivo do projeto", "você pode mudar isso?"],
    "it": ["Cancella il file per noi", "metti il test nel modulo, non in src", "questo non è quello che ho chiesto"],
    "ru": ["Удали это", "исправь src/a.py"], "zh": ["删除它", "把它删掉。 src/a.py"],
    "ja": ["それを消して", "src/a.py を削除"],
    "ko": ["그거 지워"], "hi": ["उसे मिटा दो"],
}  # fmt: skip
ENGLISH = [
    "Just delete it", "do it", "no", "2", "ok", "yes e no", "fix die on error", "add no tests", "do we need a test?",
    "why is this slow?", "see https://example.com/de/la/el/los", "use el and la", "translate 你好 in the header",
    "rename `los datos` to data", "run src/il/la/per.py", "push a o e", "re-run no-op", "SELECT a FROM o",
    "plan de test", "", "e2e", "lgtm", "Fix the ключ lookup in the cache",
]  # fmt: skip


@corpus(("language", "said"), [(language, said) for language, all_ in OWN.items() for said in all_])
def test_the_language_is_that_of_the_request(language: str, said: str) -> None:
    assert language_of(said) == language


@corpus("said", ENGLISH)
def test_what_is_not_clearly_another_language_is_english(said: str) -> None:
    assert language_of(said) == "en"


def test_where_nothing_tells_the_sessions_earlier_prompts_do_the_newest_first() -> None:
    assert language_of("ok", ["2", "Füge einen Test für den Parser hinzu", "fix the login test"]) == "de"
    assert language_of("ok", ["fix the login test", "Füge einen Test für den Parser hinzu"]) == "en"


@pytest.mark.parametrize("said", ["fix the login test", "please delete it"])
def test_a_request_in_english_is_answered_in_english_whatever_came_before(said: str) -> None:
    assert language_of(said, ["Füge einen Test für den Parser hinzu"]) == "en"
