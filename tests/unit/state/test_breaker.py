"""The breaker as SPEC section 7 tells it, and what people are told of readers that fail and come back."""

import re
import string
from itertools import product

from corpora import corpus

from evaluator.breaker import (
    PROBE_MARGIN_SECONDS,
    Admission,
    BreakerRules,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    Outage,
    ask_breaker,
    breaker_key,
    breaker_rules,
    evaluation_outcome,
    report_outcome,
)
from evaluator.errors import ReaderError
from evaluator.intervention.messages import COLUMNS, HeldThing, texts_in, unjudged
from evaluator.intervention.outage import LINES_MAX, outage_begun, outage_over, with_outage
from evaluator.intervention.wording import LANGUAGES
from evaluator.model import Sample
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.keys import CircuitBreaker, Settings, build
from evaluator.text import width

NOW = 1_735_732_800.0
RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
HELD, FREE = HalfOpen("holder", NOW), HalfOpen(None, NOW)
OUTCOMES: tuple[EvaluationOutcome, ...] = ("failure", "success", "neutral")
VALID = Sample("r", score=0.9, primary_concern="none")
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


@corpus(
    ("state", "later", "then", "answer"),
    [
        (Closed(2), 0, Closed(2), Admission("closed")),
        (Open(NOW), 300, HalfOpen("t", NOW + 300), Admission("probe", "t")),
        (HELD, 1, HELD, Admission("open", until=NOW + 30)),
        (HELD, 29.9, HELD, Admission("open", until=NOW + 30)),
        # One whose lease ran out is dead.
        (HELD, 30, HalfOpen("t", NOW + 30), Admission("probe", "t")),
        (FREE, 2, HalfOpen("t", NOW + 2), Admission("probe", "t")),
    ],
)
def test_who_asks_is_answered_by_the_state(state, later, then, answer):
    assert ask_breaker(state, "t", NOW + later, RULES) == (then, answer)


@corpus(
    ("state", "outcome", "token", "later", "then"),
    [
        # Of a probe that somebody else closed it after.
        *((Closed(2), outcome, "stale", 0, Closed(2)) for outcome in OUTCOMES),
        # Of evaluations that began before it opened.
        *((Open(NOW), outcome, token, 5, Open(NOW)) for outcome in OUTCOMES for token in (None, "stale")),
        (HELD, "success", "holder", 2, Closed()),
        (HELD, "failure", "holder", 2, Open(NOW + 2)),
        (HELD, "neutral", "holder", 2, FREE),
        # Only the prober decides.
        *((HELD, outcome, token, 0, HELD) for outcome in OUTCOMES for token in (None, "other")),
        *((FREE, outcome, token, 0, FREE) for outcome in OUTCOMES for token in (None, "other")),
        # The late word of one whose lease ran out counts while nobody took its place.
        (HELD, "success", "holder", 500, Closed()),
        (HalfOpen("b", NOW), "failure", "holder", 500, HalfOpen("b", NOW)),
    ],
)
def test_a_report_counts_for_the_state_that_admitted_it(state, outcome, token, later, then):
    assert report_outcome(state, outcome, token, NOW + later, RULES) == then


@corpus(
    ("valid", "errors", "outcome"),
    [
        *((0, [f"{kind}: x"] * 5, "failure")
          for kind in ("transport", "timeout", "rate", "limit", "authentication", "server")),
        (0, [str(ReaderError("rate", "invalid: 429"))], "failure"),
        # Answers that are merely invalid or refused never open it, whatever they say.
        *((0, [f"{kind}: transport: timeout"] * 5, "neutral")
          for kind in ("invalid", "refused", "cancelled", "never heard of", "")),
        # Enough valid samples are a success whatever befell the others.
        (3, ["timeout: x", "transport: x"], "success"),
        (2, ["timeout: x", "transport: x", "rate: x"], "failure"),
        # A mixed evaluation fails only where the line was the main cause.
        (2, ["timeout: x", "invalid: x"], "neutral"),
        (0, ["timeout: x", "timeout: x", "invalid: x", "cancelled: x"], "failure"),
        (0, ["timeout: x", "invalid: x", "refused: x"], "neutral"),
        (0, [], "neutral"),
    ],
)  # fmt: skip
def test_an_evaluation_counts_by_what_befell_its_samples(valid, errors, outcome):
    samples = [VALID] * valid + [Sample("r", error=error) for error in errors]
    assert evaluation_outcome(samples, 3) == outcome


def test_the_rules_are_those_of_the_settings() -> None:
    assert breaker_rules(Settings()) == BreakerRules(3, 300.0, 20.0 + PROBE_MARGIN_SECONDS)


def test_a_key_is_of_one_backend_address_and_model_and_holds_no_secret() -> None:
    assert len({breaker_key(*given) for given in ("abc", "xbc", "axc", "abx", ("a", 'b", "c', ""))}) == 5
    key = breaker_key("anthropic", "https://me:secret@host:8/v1/?key=secret#secret", "m")
    assert "secret" not in key and "https://host:8/v1" in key


def test_the_address_is_the_one_that_the_backend_will_ask() -> None:
    env = {"ANTHROPIC_BASE_URL": "http://env"}
    chosen = build({"evaluator.base_url": "http://chosen"})
    hosted, nested = kind_of("anthropic"), kind_of("claude-cli")
    found = hosted.address(chosen, env), hosted.address(Settings(), env), nested.address(chosen, env)
    assert found == ("http://chosen", "http://env", "claude")


def settings(policy: str, mode: str = "enforce", behaviour: str = "policy") -> Settings:
    breaker = CircuitBreaker(open_behavior=behaviour)
    return Settings(error_policy=policy, mode=mode, circuit_breaker=breaker)


def told(given, language="en", cause="server", until=NOW + 300):
    outage = Outage(KEY, NOW - 9e5, NOW, cause)
    return outage_begun(given, KEY, outage, until=until, now=NOW, request=SAID[language])


def slots(language: str, *part: str) -> dict[str, set[str]]:
    texts = {key: text for key, text in texts_in(language, "outage", *part).items() if isinstance(text, str)}
    assert len(set(texts.values())) == len(texts)
    parse = string.Formatter().parse
    return {key: {name for _, name, _, _ in parse(text) if name} for key, text in texts.items()}


def test_every_language_that_blocks_are_told_in_has_a_row_and_every_row_says_the_same() -> None:
    assert set(LANGUAGES) == set(SAID)
    for language in SAID:
        for part in ((), ("does",), ("meanwhile",)):
            assert slots(language, *part) == slots("en", *part), language


@corpus("language", SAID)
def test_it_is_whole_and_short_without_internals_and_with_the_call_that_is_held(language: str) -> None:
    rows = {(policy, mode, "server") for policy in POLICIES for mode in MODES}
    rows |= {("closed", "enforce", cause) for cause in texts_in(language, "outage", "does")}
    for (policy, mode, cause), until in product(rows, (None, NOW + 300)):
        lines = told(settings(policy, mode), language, cause, until).splitlines()
        assert len(lines) == 4 and max(map(width, lines)) <= COLUMNS, lines
        assert not JARGON.search("\n".join(lines[1:3]))
        assert lines[0].startswith("Compass") and "claude-cli" in lines[0] and "`compass " in lines[3]
    (line,) = outage_over(BACK, KEY, NOW, SAID[language]).splitlines()
    assert width(line) <= COLUMNS
    thing = HeldThing("create", "src/a.py", SAID[language], language)
    held = unjudged(thing, ["server: 529"]).person
    lines = with_outage(held, told(settings("closed"), language), unjudged=True).splitlines()
    assert len(lines) <= LINES_MAX
    assert lines[0] == held.splitlines()[0] and "compass: proceed" in lines[-1]


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
def test_the_command_changes_what_is_in_force(policy, behaviour, until, command):
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
