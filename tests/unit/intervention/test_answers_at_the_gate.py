"""A held deletion with two candidates, answered in each language: the write that fits runs, the other stays held.

Through a real service: by rules, and by hosted readers over the real SDK against a server on the loopback interface.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from played.client import Conversation
from played.machine import Machine
from played.outcome import Outcome, outcome_of
from played.readers import ReaderApi, shown
from running.hookrun import readers_at
from running.serving import Serving

FILES = "src/old.py", "src/legacy.py"
DIALOGUES = {
    "en": ("I found two unused modules: src/old.py and src/legacy.py.", "Just delete it.", "2"),
    "de": (
        "Ich habe zwei ungenutzte Module gefunden: src/old.py und src/legacy.py.",
        "Lösch es einfach.",
        "die zweite",
    ),
    "fr": (
        "J'ai trouvé deux modules inutilisés : src/old.py et src/legacy.py.",
        "Supprime-le.",
        "la deuxième",
    ),
    "es": ("Encontré dos módulos sin usar: src/old.py y src/legacy.py.", "Borra eso.", "el segundo"),
    "pt": ("Encontrei dois módulos não usados: src/old.py e src/legacy.py.", "Apaga isso.", "o segundo"),
    "it": ("Ho trovato due moduli inutilizzati: src/old.py e src/legacy.py.", "Cancellalo.", "il secondo"),
    "ru": ("Я нашёл два неиспользуемых модуля: src/old.py и src/legacy.py.", "Просто удали его.", "второй"),
    "zh": ("我发现两个没用的模块：src/old.py 和 src/legacy.py。", "把它删掉。", "第二个"),
    "ja": (
        "使われていないモジュールが二つあります: src/old.py と src/legacy.py。",
        "それを削除して。",
        "2番目",
    ),
    "ko": ("사용되지 않는 모듈이 두 개 있습니다: src/old.py 와 src/legacy.py.", "그거 삭제해줘.", "두 번째"),
    "hi": ("दो अप्रयुक्त मॉड्यूल मिले: src/old.py और src/legacy.py.", "इसे हटा दो।", "दूसरा"),
}


class Dialogue:
    """One session in a new project; `env` chooses the readers."""

    def __init__(self, root: Path, served: Serving, env: dict[str, str]) -> None:
        self.machine = Machine.at(
            root, {**served.place.env, "CLAUDE_CODE_SESSION_ATTENDED": "1", **env}, "", served
        )
        for name in FILES:
            path = self.machine.project / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("x = 1\n")
        self.session = Conversation(self.machine, f"{root}", attended=True)
        self.session.begins()

    def says(self, prior: str, request: str) -> None:
        self.session.user("?")
        self.session.agent(prior)
        self.session.user(request)

    def held(self, prior: str, request: str) -> Outcome:
        self.says(prior, request)
        return self.remove("src/old.py")

    def answers(self, text: str) -> None:
        self.session.agent("It is on hold.")
        self.session.user(text)

    def remove(self, path: str) -> Outcome:
        return self.runs(f"rm {path}")

    def runs(self, command: str) -> Outcome:
        call = self.session.call("Bash", {"command": command}, None, "")
        found = outcome_of(self.session.fire(call), None, ())
        if found.decision == "deny":
            self.session.denied(call, found.message)
        else:
            self.session.ended(call, worked=True)
        return found


@pytest.fixture
def by_rules(tmp_path: Path, served: Serving) -> Dialogue:
    return Dialogue(tmp_path, served, {"COMPASS_EVALUATOR__BACKEND": "embedded"})


@pytest.mark.spread(3)
@pytest.mark.parametrize("language", DIALOGUES)
def test_by_rules_an_ordinal_in_each_language_runs_the_write_that_fits(
    language: str, by_rules: Dialogue
) -> None:
    prior, request, reply = DIALOGUES[language]
    assert by_rules.held(prior, request).decision == "deny"
    by_rules.answers(reply)
    assert [by_rules.remove(path).decision for path in reversed(FILES)] == ["allow", "deny"]


def test_a_write_that_does_not_fit_says_so_and_the_person_may_choose_again(by_rules: Dialogue) -> None:
    by_rules.held(*DIALOGUES["en"][:2])
    by_rules.answers("2")
    unfit = by_rules.remove("src/old.py")
    assert "does not fit" in unfit.message and "src/legacy.py" in unfit.message and "(1)" not in unfit.message
    by_rules.answers("1")
    assert by_rules.remove("src/old.py").decision == "allow"


def test_hosted_readers_are_shown_the_reading_in_place_of_the_short_reply(
    tmp_path: Path, served: Serving
) -> None:
    with ReaderApi() as api:
        env = {**readers_at(api.url), "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}
        dialogue = Dialogue(tmp_path, served, env)
        shorten = "sed -i s/1/2/ src/old.py"
        dialogue.says(DIALOGUES["en"][0], "Just shorten it.")
        api.expect_call("split")
        assert dialogue.runs(shorten).message.endswith(
            "(1) overwrite src/old.py, (2) change the whole module, (3) change one function."
        )
        dialogue.answers("the third one")
        api.expect_call("clear")
        assert dialogue.runs(shorten).decision == "allow"
        texts = [shown(request) for request in api.asked]
    assert len(texts) == 5
    assert all("Just shorten it." in text and "change one function" in text for text in texts)
    assert not any("the third one" in text for text in texts)
