"""What a reply to a held write is, in each language: a choice, a refusal, an order of its own, or an explanation."""

from __future__ import annotations

import pytest
from corpora import corpus

from evaluator.intervention.answer import Answer, Asked, understood

FILES = Asked(
    readings=("delete src/old.py", "delete src/legacy.py"),
    targets=("/p/src/old.py",),
    operations=("delete",),
    request=("Just delete it.",),
)
EXTENTS = Asked(
    readings=("change the whole module", "change one function"),
    targets=("/p/src/search.py",),
    operations=("edit",),
    request=("speed up the search",),
)
THREE = Asked(
    readings=(
        "rename user_id in src/api.py",
        "rename userId in web/api.ts",
        "rename both fields in schema.sql",
    ),
    targets=("/p/src/api.py",),
    operations=("edit",),
    request=("rename the id",),
)

SECOND = {
    "en": ["2", "2.", "2)", "(2)", "#2", "no. 2", "option 2", "Option 2 please", "the second", "the second one", "2nd",
           "number two", "the latter", "legacy.py", "`src/legacy.py`", "legacy", "the legacy one", "delete legacy.py",
           "remove the legacy file please", "I mean legacy.py", "I meant src/legacy.py", "No, the second one.",
           "delete src/legacy.py", "Delete src/legacy.py", "yes, 2", "2, thanks", "I'd go with 2",
           "I meant the legacy module, the old one stays", "delete legacy, keep old", "legacy, not old",
           "legacy can go",
           "old stays, legacy goes", "get rid of legacy", "it's the legacy one", "the other one"],
    "de": ["die zweite", "das zweite bitte", "Nummer 2", "die 2. Datei", "zweite", "lösche legacy.py",
           "legacy.py löschen", "ich meine legacy.py", "Nein, das zweite", "nimm die 2", "letztere"],
    "fr": ["la deuxième", "le second", "2e", "le deuxième fichier", "supprime legacy.py", "je veux dire legacy.py",
           "numéro 2", "non, le deuxième"],
    "es": ["la segunda", "el segundo", "opción 2", "borra legacy.py", "el archivo legacy", "me refiero a legacy.py"],
    "pt": ["a segunda", "o segundo", "opção 2", "apaga legacy.py", "o arquivo legacy", "quero dizer legacy.py"],
    "it": ["la seconda", "il secondo", "opzione 2", "cancella legacy.py", "intendo legacy.py", "numero 2"],
    "ru": ["второй", "второе", "вариант 2", "номер 2", "удали legacy.py", "файл legacy.py"],
    "zh": ["２", "②", "第二个", "选2", "删除 legacy.py", "legacy.py 那个", "选项2"],
    "ja": ["２", "二番目", "2番目", "2番で", "legacy.pyを消して", "legacy.py のほう", "後者"],
    "ko": ["2번", "두 번째", "두번째 것", "legacy.py 삭제해줘", "legacy.py 파일"],
    "hi": ["२", "दूसरा", "दूसरी", "दूसरा वाला", "विकल्प 2", "legacy.py हटाओ"],
}  # fmt: skip
BOTH = {
    "en": ["both", "both of them", "all", "1 and 2", "delete both", "old and legacy", "all of them", "1, 2"],
    "de": ["beide", "alle", "1 und 2"], "fr": ["les deux", "tous"], "es": ["ambos", "los dos"],
    "pt": ["ambos", "os dois"], "it": ["entrambi", "tutti e due"], "ru": ["оба", "1 и 2"],
    "zh": ["两个都要", "全部", "1和2"], "ja": ["両方", "全部"], "ko": ["둘 다", "모두"], "hi": ["दोनों", "सभी"],
}  # fmt: skip
NO = {
    "en": ["no", "No.", "none", "neither", "no thanks", "leave it", "No, leave it alone.", "never mind", "don't do it",
           "just answer", "leave both", "don't change anything", "I just wanted to know why", "nothing, just curious"],
    "de": ["nein", "keins von beiden", "lass es", "nein danke"], "fr": ["non", "aucun des deux", "laisse tomber"],
    "es": ["ninguno", "déjalo", "no gracias"], "pt": ["não", "nenhum dos dois", "deixa pra lá"],
    "it": ["nessuno dei due", "lascia stare", "no grazie"], "ru": ["нет", "не надо", "ни один"],
    "zh": ["不要", "都不要", "算了"], "ja": ["いいえ", "やめて", "どちらでもない"], "ko": ["아니요", "하지 마"],
    "hi": ["नहीं", "कोई नहीं", "रहने दो"],
}  # fmt: skip
NEW = {
    "en": ["fix the login test", "clean things up a bit", "now add logging to api.py", "can you fix the login test?",
           "Write a changelog entry for the release.", "leave that for now, add an install section to README.md",
           "forget it, fix the login test instead", "document the HTTP client",
           "create notes.md with one line that says hello"],
    "de": ["Schreib einen Test für den Parser", "Den Login-Test reparieren", "bitte füge Logging in api.ts hinzu"],
    "fr": ["ajoute un test pour le parseur", "corrige le test de connexion"],
    "es": ["arregla el test de login", "añade un test para el parser"],
    "pt": ["corrige o teste de login", "adicione um teste para o parser"],
    "it": ["correggi il test del login", "aggiungi un test per il parser"],
    "ru": ["исправь тест логина", "добавь тест для парсера"],
    "zh": ["修复登录测试", "给解析器写一个测试"], "ja": ["ログインのテストを直して", "パーサーのテストを追加して"],
    "ko": ["로그인 테스트를 고쳐줘", "파서 테스트를 추가해줘"], "hi": ["लॉगिन टेस्ट ठीक करो", "पार्सर के लिए टेस्ट जोड़ो"],
}  # fmt: skip
UNSETTLED = [
    "4", "7", "0", "99",
    "why?", "2?", "which one is older?", "not 2", "not the first", "anything but 2", "2 but make a backup first",
    "2 if nothing imports it", "the last one", "42 is the answer", "second thoughts", "one second", "one second please",
    "two files", "2 files", "two of them", "first of all", "2 + 2", "1.5", "1 or 2", "either", "keep legacy",
    "no legacy",
    "legacy stays", "legacy later",
    "legacy, not old, but tomorrow", "is it legacy? old stays", "old and legacy stay", "old, legacy stay",
    "keep old, legacy", "leave old, leave legacy", "old stays and legacy stays", "delete the universe",
    "the one nobody imports", "get rid of the unused one",
    "remove the one from last year", "src", "delete", "one file", "all good", "alright", "alles klar", "yes",
    "go ahead",
    "do it", "rename it instead", "everything but legacy", "without legacy", "old.py?", "legacy.py stays, right?",
    "не 2", "第二个不要", "nicht die zweite", "pas la deuxième", "no la segunda", "2番目ではない", "두 번째 말고",
    "दूसरा नहीं",
    "un segundo", "wait, 2 is needed", "lol 2 cute", "2 minutes", "I have two questions", "der zweite Weltkrieg",
]  # fmt: skip


def rows(table: dict[str, list[str]]) -> list[str]:
    return [reply for replies in table.values() for reply in replies]


@corpus("reply", rows(SECOND))
def test_a_number_an_ordinal_or_a_name_chooses_the_reading(reply: str) -> None:
    assert understood(reply, FILES) == Answer("reading", (1,))


@corpus("reply", rows(BOTH))
def test_both_and_all_choose_all_readings(reply: str) -> None:
    assert understood(reply, FILES) == Answer("reading", (0, 1))


@corpus("reply", rows(NO))
def test_a_refusal_is_one(reply: str) -> None:
    assert understood(reply, FILES) == Answer("refusal")


@corpus("reply", rows(NEW))
def test_an_order_of_its_own_is_a_new_request(reply: str) -> None:
    assert understood(reply, FILES) == Answer("new_request")


@corpus("reply", UNSETTLED)
def test_what_is_unsure_chooses_nothing_and_is_heard_with_the_request(reply: str) -> None:
    assert understood(reply, FILES) == Answer("clarification")


@corpus("reply", ["3", "something else", "Etwas anderes", "その他", "कुछ और"])
def test_something_else_settles_nothing_yet(reply: str) -> None:
    assert understood(reply, FILES) == Answer("nothing")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("the whole module", 0),
        ("just the one function", 1),
        ("the whole thing", 0),
        ("module", 0),
    ],
)
def test_a_part_of_a_readings_own_words_chooses_it_if_no_other_has_it(reply: str, chosen: int) -> None:
    assert understood(reply, EXTENTS) == Answer("reading", (chosen,))


@pytest.mark.parametrize(
    "reply", ["change", "not the module", "make the search loop faster", "the function or the module"]
)
def test_words_that_several_readings_have_choose_none(reply: str) -> None:
    assert understood(reply, EXTENTS).kind == "clarification"


@corpus(
    ("reply", "chosen"),
    [("user_id", 0), ("web/api.ts", 1), ("the schema", 2), ("api.ts", 1), ("rename userId", 1)],
)
def test_names_of_three_readings(reply: str, chosen: int) -> None:
    assert understood(reply, THREE) == Answer("reading", (chosen,))


@corpus("reply", ["both", "both fields and all", "api", "rename", "the latter"])
def test_of_three_readings_both_is_none(reply: str) -> None:
    assert understood(reply, THREE).kind == "clarification"


@pytest.mark.parametrize("reply", ["2", "the second", "both", "legacy.py"])
def test_where_the_agent_showed_a_menu_of_its_own_only_a_whole_reading_counts(reply: str) -> None:
    asked = Asked(FILES.readings, FILES.targets, FILES.operations, FILES.request, own_menu=True)
    assert understood(reply, asked).kind == "clarification"
    assert understood(FILES.readings[1], asked) == Answer("reading", (1,))


UNLISTED = Asked((), FILES.targets, FILES.operations, FILES.request)


@corpus("reply", ["2", "the second", "old", "lib/old.py", "not old.py", "old.py?", "keep old.py"])
def test_without_a_list_nothing_is_chosen(reply: str) -> None:
    assert understood(reply, UNLISTED).kind == "clarification"


@corpus("reply", ["old.py", "I mean old.py", "yes, old.py", "bitte old.py löschen", "old.pyです"])
def test_without_a_list_the_name_of_what_was_ordered_gone_completes_the_order(reply: str) -> None:
    assert understood(reply, UNLISTED) == Answer("target", said="delete old.py")


@pytest.mark.parametrize(
    "request_", ["clean things up", "don't delete anything", "should we delete it?", "Nothing yet."]
)
def test_where_nobody_ordered_it_gone_its_name_is_a_clarification(request_: str) -> None:
    asked = Asked((), FILES.targets, FILES.operations, (request_,))
    assert understood("old.py", asked).kind == "clarification"


SPANS = Asked(
    readings=("refactor src/auth, in one file", "refactor src/auth, in the whole folder"),
    targets=("/p/src/auth/session.py",),
    operations=("edit",),
    request=("Refactor the auth module",),
)


@corpus(
    ("reply", "chosen"),
    [("in one file", 0), ("the file", 0), ("one file only", 0), ("the whole folder", 1), ("in the whole folder", 1),
     ("refactor src/auth, in one file", 0), ("the second one", 1), ("folder", 1)],
)  # fmt: skip
def test_readings_that_differ_in_how_far_they_go(reply: str, chosen: int) -> None:
    assert understood(reply, SPANS) == Answer("reading", (chosen,))
