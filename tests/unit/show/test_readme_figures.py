"""The README's exchanges and figures: the gate says what it shows, commands and documents give its figures."""

import json
import os
import re
import subprocess
import sys

import pytest
from repository import ROOT
from running.hookrun import MAIN

from compass import judge
from evaluator.intervention.messages import ONLY_ANSWER, HeldThing, held
from evaluator.readers.kinds.embedded import INTERRUPTED, TURNS, WANTED

README = (ROOT / "README.md").read_text(encoding="utf-8")
QUALITY = (ROOT / "docs/quality.md").read_text(encoding="utf-8")
EXCHANGES = re.findall(r"^```text\n(.*?)^```$", README, re.M | re.S)


def said(exchange: str, who: str) -> str:
    return re.search(rf"^{who}\s+(.+)$", exchange, re.M)[1]


def shown(exchange: str) -> list[str]:
    return [line.strip() for line in exchange.splitlines() if line.startswith(" " * 8)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("COMPASS_", "ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    for variable, name in {"HOME": "home", "ONLOOKER_DIR": "state"}.items():
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    for name in ("src/old_auth.py", "src/legacy_auth.py", "tests/fixtures/orders.json"):
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text("{}\n")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_it_stays_short():
    assert len(README.splitlines()) < 150 and len(README.split()) < 1100


@pytest.mark.usefixtures("project")
def test_the_delete_and_the_ban_are_held_with_the_words_that_it_shows():
    delete, ban, _question = EXCHANGES
    edit = {"path": "tests/fixtures/orders.json", "old": "{}", "new": "[]"}
    for exchange, write in (delete, {"command": "rm src/old_auth.py"}), (ban, edit):
        found = judge(said(exchange, "you"), prior=said(exchange, "agent"), **write)
        told = [line.strip() for line in found.question.splitlines()]
        assert [line for line in shown(exchange) if line not in told] == []


def test_the_question_is_held_in_the_words_of_the_gate():
    write = HeldThing("edit", "reports/monthly.py", said(EXCHANGES[2], "you"))
    told = held(write, "question", ["edit reports/monthly.py", ONLY_ANSWER])
    lines = [line.strip() for line in told.person.splitlines()]
    assert [line for line in shown(EXCHANGES[2]) if line not in lines] == []


@pytest.mark.full
def test_what_a_check_costs_is_what_calibrate_says_before_it_asks(tmp_path):
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "none-is-sent"}
    words = [sys.executable, "-I", MAIN, "calibrate", "--backend", "anthropic", "--repeats", "1"]
    done = subprocess.run(
        words, env=env, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100, check=False
    )  # fmt: skip
    cases = re.search(r"Measures (\d+) cases, 1 time each", done.stderr)
    cost = re.search(r"Cost: about ([\d.]+) USD, at most ([\d.]+)", done.stderr)
    assert f"{float(cost[2]) / int(cases[1]):.2f} USD with a second look" in README
    method = (ROOT / "docs/method.md").read_text(encoding="utf-8")
    assert f"{cost[1]} USD, at most {cost[2]}, for {cases[1]} cases" in method


def benchmark(name: str, *words: str) -> str:
    """What a script of `benchmarks/quality` prints."""
    script = [sys.executable, str(ROOT / "benchmarks/quality" / name), *words]
    return subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True).stdout


def test_what_large_models_answered_is_what_the_recordings_say():
    found = json.loads(benchmark("variants.py", "--json"))
    each = [found[name] for name in ("full", "full, without names", "short")]
    blocked, held = ([one[rate]["k"] for one in each] for rate in ("clear, blocked", "ambiguous, held"))
    assert "Clear writes blocked, in that order: {}, {} and {} of 75".format(*blocked) in QUALITY
    assert "ambiguous ones held: {}, {} and {}.".format(*held) in QUALITY
    assert all(one["clear, blocked"]["n"] == 75 and one["earlier wording"] for one in each)
    assert "An earlier wording, 75 pairs" in QUALITY


def test_what_rules_interrupt_is_what_init_says():
    assert f"{100 * INTERRUPTED / TURNS:.1f} % of {TURNS}" in README
    assert f"{WANTED} of {INTERRUPTED}" in README


@pytest.mark.full
def test_what_rules_hold_of_written_cases_is_what_the_benchmark_measures():
    held = re.findall(r"(\d+) of +(\d+)", benchmark("rules.py"))
    assert len(held) == 12
    for one, rows in held:
        assert f"| {one} of {rows} |" in QUALITY


def test_what_readers_interrupt_stands_in_the_documents():
    """Those of the users on whose sessions the cut was not chosen."""
    table = dict(re.findall(r"^\| ([^|]+) \| [^|]+ \| ([\d.]+) %[^|]* \| [^|]+ \|", QUALITY, re.M))
    assert table["turns interrupted"] == "14.7" and "14.7 % of 184" in README
    assert table["clear turns interrupted"] == "2.0" and "| 2.0 % |" in README
    assert table["turns interrupted where a question was due"] == "73.3" and "| 73 % |" in README
    assert table["calls stopped needlessly, of all calls"] == "0.2" and "0.2 % of all calls" in README
    assert "two questions a day" in QUALITY and "About two questions a working day" in README
    assert "about 0.17 USD" in QUALITY and "about 0.17 USD" in README
    assert table["of these, wanted"] == "47.1" and "| 47 % |" in README
