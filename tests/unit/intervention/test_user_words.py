"""What a person says: to Compass itself, in reply to a held write, and in which language they are answered."""

from __future__ import annotations

import json

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import FIXTURES

from evaluator.intervention.control import (
    ALL,
    EDITS_MAX,
    MAIN,
    WORDS,
    Control,
    edits,
    is_control_reply,
    parse_control,
    pause_in,
)
from evaluator.intervention.user_reply import Answer, Asked, understood
from evaluator.intervention.wording import language_of
from evaluator.model import KeptPrompt


@corpus(
    ("text", "verb"),
    [
        ("compass: proceed", "proceed"), ("  Compass:PROCEED. ", "proceed"),
        ("ｃｏｍｐａｓｓ：ｐｒｏｃｅｅｄ", "proceed"), ("compass: proceed all", "proceed_all"),
        ("compass: proceed settings", "proceed_settings"),
        ("compass: cancel", "cancel"), ("compass: resume", "resume"), ("compass: weiter", "proceed"),
        ("compass: 继续", "proceed"), ("compass: 続行", "proceed"), ("compass: continuar todo", "proceed_all"),
        ("compass: 取消", "cancel"), ("compass: abbrechen", "cancel"), ("compass: отмена", "cancel"),
        ("compass: status", "status"), ("compass: статус", "status"),
    ],
)  # fmt: skip
def test_the_verb(text, verb):
    assert parse_control(text).verb == verb


@corpus(
    "text", ["", "proceed", "then compass: proceed with it", "encompass it: proceed", "compass proceed " * 20]
)
def test_what_is_not_addressed_to_compass_is_no_control_reply(text):
    assert parse_control(text) is None


@corpus(
    ("text", "minutes"),
    [
        ("compass: pause", 10), ("compass: pause 30", 30), ("compass: pause for 5 minutes", 5),
        ("compass: pause 2h", 120), ("compass: pause 99999", 1440),
    ],
)  # fmt: skip
def test_a_pause_lasts_ten_minutes_or_as_said(text, minutes):
    assert parse_control(text) == Control("pause", minutes)


PROMPTS = [KeptPrompt("p0", "compass: pause 5", 0, 0, 1000.0), KeptPrompt("p1", "rework it", 1, 1, 1100.0)]


def test_a_pause_lasts_from_its_prompt_on_until_its_end_or_the_word_to_resume():
    assert [pause_in(PROMPTS, at) is not None for at in (999, 1000, 1299, 1300)] == [False, True, True, False]
    lasting = pause_in(PROMPTS, 1200)
    assert (lasting.prompt, lasting.ends) == (PROMPTS[0], 1300)
    resumed = [*PROMPTS, KeptPrompt("p2", "compass: resume", 2, 1, 1200.0)]
    assert pause_in(resumed, 1250) is None
    assert pause_in([*resumed, KeptPrompt("p3", "compas: pause", 3, 1, 1210.0)], 1250) is None


@corpus(
    ("text", "word"),
    [
        ("compass proceed", "compass: proceed"), ("Compass:proced", "compass: proceed"),
        ("compas: cancel", "compass: cancel"), ("compass: cancle", "compass: cancel"),
        ("ｃｏｍｐａｓｓ　ｐｒｏｃｅｅｄ", "compass: proceed"), ("compass : resume", "compass: resume"),
        ("`compass: proceed`", "compass: proceed"), ("compass proceed al", "compass: proceed all"),
        ("compas: pause 30", "compass: pause 30"), ("compas: weiter", "compass: weiter"),
        ("compass 继续", "compass: 继续"), ("compass: прдолжить", "compass: продолжить"), ("compass: 2", "2"),
        ("compass: yes", "compass: proceed"), ("compass: cancel that", "compass: cancel"),
        ("compass: nein", "compass: cancel"),
    ],
)  # fmt: skip
def test_it_is_answered_with_the_right_word(text, word):
    found = parse_control(text)
    assert (found.verb, found.meant[0]) == ("unknown", word)


@corpus("text", ["compass:", "compass: foo", "compass: proceeding", "compass: help", "compass: it"])
def test_a_single_word_that_is_none_is_answered_with_all_of_them(text):
    assert parse_control(text) == Control("unknown", meant=MAIN)


@corpus(
    "text",
    [
        "compass: fix the login", "compass: revert this, please", "compass: cancel the meeting",
        "compass: do all", "compass: 修复登录", "compass: pause until I say so",
        "compass: proceed with the rename and delete the rest", "compass " + "proceed " * 10, "compass",
        "the compass app crashes", "compare proceeds",
    ],
)  # fmt: skip
def test_a_request_is_left_to_the_agent(text):
    assert parse_control(text) is None
    assert not is_control_reply(text)


EVERY = [f"compass: {word}" for words in WORDS.values() for word in words]


@corpus("text", [*EVERY, *(f"compass: {word} {ALL[0]}" for word in WORDS["proceed"])])
def test_no_control_is_a_near_miss_of_another(text):
    assert parse_control(text).verb != "unknown"


def shipped_prompts():
    for folder, kinds in (
        ("sessions", ("user", "queued", "slash", "machine")),
        ("skip", ("reply", "request")),
    ):
        for file in sorted((FIXTURES / folder).glob("**/*.jsonl")):
            for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
                # What a session is written for may be one: it says so.
                if row.get("expect", {}).get("stopped") is None:
                    yield from (row[kind] for kind in kinds if kind in row)


def test_no_shipped_prompt_is_a_near_miss():
    prompts = [text for text in shipped_prompts() if isinstance(text, str)]
    assert len(prompts) > 160
    known = {text: found for text in prompts if (found := parse_control(text)) is not None}
    assert [text for text, found in known.items() if found.verb == "unknown"] == []
    assert len(known) >= 8, "controls are among them"


@st.composite
def mistyped(draw):
    """A control, and the same after one edit in its verb of at least six letters."""
    longer = [one for one in EVERY if len(one) >= len("compass: cancel") and one.isascii()]
    right = draw(st.sampled_from(longer))
    place = draw(st.integers(len("compass: "), len(right) - 1))
    changed = {
        "drop": right[:place] + right[place + 1 :],
        "double": right[:place] + right[place] + right[place:],
        "swap": right[: place - 1] + right[place] + right[place - 1] + right[place + 1 :],
        "change": right[:place] + "x" + right[place + 1 :],
    }[draw(st.sampled_from(("drop", "double", "swap", "change")))]
    return right, changed


@given(mistyped())
def test_one_slip_in_a_control_is_answered(pair):
    right, changed = pair
    found = parse_control(changed)
    if found.verb == "unknown":
        assert found.meant != MAIN
        assert all(edits(changed, one) <= EDITS_MAX for one in found.meant), right


def test_neighbours_swapped_are_one_edit():
    assert (edits("cancle", "cancel"), edits("proced", "proceed"), edits("", "stop")) == (1, 1, 4)


ROWS = [json.loads(line) for line in (FIXTURES / "holds/replies.jsonl").read_text().splitlines()]


def shown(request: str, operation: str, target: str, *readings: str) -> Asked:
    return Asked(readings, (target,), (operation,), (request,))


FILES = shown("Just delete it.", "delete", "/p/src/old.py", "delete src/old.py", "delete src/legacy.py")
EXTENTS = shown(
    "speed up the search", "edit", "/p/src/search.py", "change the whole module", "change one function"
)
THREE = shown(
    "rename the id", "edit", "/p/src/api.py",
    "rename user_id in src/api.py", "rename userId in web/api.ts", "rename both fields in schema.sql",
)  # fmt: skip
SPANS = shown(
    "Refactor the auth module", "edit", "/p/src/auth/session.py",
    "refactor src/auth, in one file", "refactor src/auth, in the whole folder",
)  # fmt: skip
OTHER_MENU = Asked(FILES.readings, FILES.targets, FILES.operations, FILES.request, own_menu=True)
UNLISTED = Asked((), FILES.targets, FILES.operations, FILES.request)
CLARIFIES = Answer("clarification")

KINDS = {
    "second": (103, Answer("reading", (1,))),
    "both": (30, Answer("reading", (0, 1))),
    "refusal": (44, Answer("refusal")),
    "new-request": (30, Answer("new_request")),
    "unsettled": (68, CLARIFIES),
}
"""How many replies of each kind there are in all languages, and what they mean beside `FILES`."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_replies_of_a_kind_mean_the_same_in_every_language(kind: str) -> None:
    count, meant = KINDS[kind]
    found = {row["reply"]: understood(row["reply"], FILES) for row in ROWS if row["kind"] == kind}
    assert sum(row["kind"] == kind for row in ROWS) == count
    assert {reply: answer for reply, answer in found.items() if answer != meant} == {}


@corpus("reply", ["3", "something else", "Etwas anderes", "その他", "कुछ और"])
def test_something_else_settles_nothing_yet(reply: str) -> None:
    assert understood(reply, FILES) == Answer("nothing")


@corpus(
    ("asked", "reply", "chosen"),
    [
        # A part of a reading's own words, if no other has it.
        (EXTENTS, "the whole module", 0),
        (EXTENTS, "just the one function", 1),
        # Names of three readings.
        (THREE, "user_id", 0), (THREE, "web/api.ts", 1), (THREE, "the schema", 2), (THREE, "api.ts", 1),
        (THREE, "rename userId", 1),
        # Readings that differ in how far they go.
        (SPANS, "in one file", 0), (SPANS, "the file", 0), (SPANS, "one file only", 0), (SPANS, "the whole folder", 1),
        (SPANS, "in the whole folder", 1), (SPANS, "refactor src/auth, in one file", 0), (SPANS, "the second one", 1),
        (SPANS, "folder", 1),
        # A whole reading counts whatever the agent showed since.
        (OTHER_MENU, FILES.readings[1], 1),
    ],
)  # fmt: skip
def test_words_that_one_reading_alone_has_choose_it(asked: Asked, reply: str, chosen: int) -> None:
    assert understood(reply, asked) == Answer("reading", (chosen,))


@corpus(
    ("asked", "replies"),
    [
        (EXTENTS, ["change", "not the module", "make the search loop faster", "the function or the module"]),
        (THREE, ["both", "both fields and all", "api", "rename", "the latter"]),
        (OTHER_MENU, ["2", "the second", "both", "legacy.py"]),
        (UNLISTED, ["2", "the second", "old.py", "lib/old.py", "not old.py", "old.py?", "keep old.py"]),
    ],
)
def test_what_several_readings_have_or_none_chooses_none(asked: Asked, replies: list[str]) -> None:
    assert {reply: understood(reply, asked) for reply in replies} == dict.fromkeys(replies, CLARIFIES)


@pytest.mark.parametrize("reading", ["edit orders/cancel.py", "edit ops/stop.sh", "edit src/none.py"])
def test_a_refusal_is_none_though_a_reading_holds_the_word(reading):
    word = reading.rpartition("/")[2].partition(".")[0]
    assert understood(word, Asked(readings=(reading, "edit src/app.py"))).kind == "refusal"


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
    rows = [json.loads(line) for line in (FIXTURES / "languages/requests.jsonl").read_text().splitlines()]
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
