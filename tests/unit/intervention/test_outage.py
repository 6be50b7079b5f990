"""What is told of readers that fail and come back: plain, whole and short, in every language and under every policy."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from itertools import product

from corpora import corpus

from evaluator.breaker import Outage, breaker_key
from evaluator.intervention.messages import COLUMNS, LANGUAGES, HeldThing, texts_in, unjudged
from evaluator.intervention.outage import LINES_MAX, outage_begun, outage_over, with_outage
from evaluator.settings.keys import Settings
from evaluator.text import width

NOW = 1_735_732_800.0
KEY = breaker_key("claude-cli", "http://" + "a-long-name." * 9 + "example:11434/v1", "m")
SAID = {
    "en": "Please rename the file in the folder", "de": "Bitte lösche die Datei und nicht den Ordner",
    "fr": "Supprime le fichier dans le dossier", "es": "Borra el archivo y los datos también",
    "pt": "Apaga o ficheiro e não os dados", "it": "Cancella il file e anche gli altri",
    "ru": "Удали файл", "zh": "删除这个文件", "ja": "ファイルを消して", "ko": "파일을 지워", "hi": "फ़ाइल हटाओ",
}  # fmt: skip
JARGON = re.compile(r"\b(breaker|circuit|fail_open|sampler|stddev|half-open|529|SQLite|transport)\b")
POLICIES = ("closed", "open", "embedded")
MODES = ("enforce", "observe")
BACK = Outage(KEY, NOW - 9e5, NOW, "server", ended=NOW)


def settings(policy: str, mode: str = "enforce", behaviour: str = "policy") -> Settings:
    default = Settings()
    breaker = replace(default.circuit_breaker, open_behavior=behaviour)
    return replace(default, error_policy=policy, mode=mode, circuit_breaker=breaker)


def told(
    given: Settings, language: str = "en", cause: str = "server", until: float | None = NOW + 300
) -> str:
    outage = Outage(KEY, NOW - 9e5, NOW, cause)
    return outage_begun(given, KEY, outage, until=until, now=NOW, request=SAID[language])


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_that_blocks_are_told_in_has_a_row() -> None:
    assert set(LANGUAGES) == set(SAID)


@corpus("language", SAID)
def test_every_row_says_the_same(language: str) -> None:
    for part in ((), ("does",), ("meanwhile",)):
        mine, known = (
            {key: text for key, text in texts_in(one, "outage", *part).items() if isinstance(text, str)}
            for one in (language, "en")
        )
        assert {key: slots(text) for key, text in mine.items()} == {
            key: slots(text) for key, text in known.items()
        }
        assert len(set(mine.values())) == len(mine)


@corpus("language", SAID)
def test_it_is_whole_short_and_without_internals(language: str) -> None:
    rows = {(policy, mode, "server") for policy in POLICIES for mode in MODES}
    rows |= {("closed", "enforce", cause) for cause in texts_in(language, "outage", "does")}
    for (policy, mode, cause), until in product(rows, (None, NOW + 300)):
        lines = told(settings(policy, mode), language, cause, until).splitlines()
        assert len(lines) == 4
        assert all(width(line) <= COLUMNS for line in lines), lines
        assert not JARGON.search("\n".join(lines[1:3]))
        assert lines[0].startswith("Compass")
        assert "claude-cli" in lines[0]
        assert "`compass " in lines[3]
    (line,) = outage_over(BACK, KEY, NOW, SAID[language]).splitlines()
    assert width(line) <= COLUMNS


@corpus("language", SAID)
def test_with_the_call_that_is_held_it_stays_within_eight_lines(language: str) -> None:
    thing = HeldThing("create", "src/a.py", SAID[language], language)
    held = unjudged(thing, ["server: 529"]).person
    lines = with_outage(held, told(settings("closed"), language), unjudged=True).splitlines()
    assert len(lines) <= LINES_MAX
    assert lines[0] == held.splitlines()[0]
    assert "compass: proceed" in lines[-1]


@corpus(
    ("policy", "behaviour", "until", "command"),
    [
        ("closed", "policy", None, "error_policy embedded"),
        ("open", "policy", None, "error_policy closed"),
        ("open", "policy", NOW + 1, "error_policy closed"),
        ("embedded", "policy", NOW + 1, "error_policy closed"),
        ("closed", "fail_open", None, "error_policy embedded"),
        ("closed", "fail_open", NOW + 1, "circuit_breaker.open_behavior fail_closed"),
        ("open", "fail_closed", NOW + 1, "circuit_breaker.open_behavior embedded"),
    ],
)
def test_the_command_changes_what_is_in_force(
    policy: str, behaviour: str, until: float | None, command: str
) -> None:
    assert f"`compass config set {command}`" in told(settings(policy, behaviour=behaviour), until=until)


def test_what_destroys_never_passes_unjudged_once_the_readers_are_not_asked() -> None:
    assert "rules judge destructive writes; all others run unjudged" in told(settings("open"))
    assert "what destroys" not in told(settings("open"), until=None)


def test_another_days_time_has_its_date() -> None:
    # A moment that the clock, set back since, calls one of tomorrow is told as now.
    today = r"since \d\d:\d\d\)"
    for since, shown in ((NOW - 86_400, r"since 2024-12-31 \d\d:\d\d"), (NOW, today), (NOW + 86_400, today)):
        outage = Outage(KEY, since, NOW)
        assert re.search(shown, outage_begun(settings("closed"), KEY, outage, until=None, now=NOW))
