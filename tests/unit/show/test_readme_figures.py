"""Each figure of the README comes of a command that it names: the quick ones are run, the others stand in documents."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT
from running.hookrun import MAIN

from evaluator.readers.kinds.embedded import INTERRUPTED, TURNS, WANTED

README = (ROOT / "README.md").read_text(encoding="utf-8")
MARKS = "¹²³⁴⁵⁶⁷"
TABLE = re.search(r"^\| backend \|.*?(?=\n\n)", README, re.M | re.S)
NOTES = re.search(rf"^{MARKS[0]} .*?(?=\n\n)", README, re.M | re.S)


def table() -> str:
    assert TABLE is not None
    return TABLE[0]


def test_it_stays_short() -> None:
    assert len(README.splitlines()) < 150


def test_every_figure_of_the_backends_has_a_mark_and_every_mark_a_command() -> None:
    assert NOTES is not None
    notes = " ".join(NOTES[0].split())
    commands = dict(re.findall(rf"([{MARKS}]) `([^`]+)`", notes))
    assert set(commands) == set(MARKS)
    for name in re.findall(r"[\w/]+\.py", notes):
        assert (ROOT / name).is_file(), name
    tasks = (ROOT / "Makefile").read_text()
    for name in re.findall(r"make (\w+)", notes):
        assert re.search(rf"^{name}:", tasks, re.M), name
    for row in table().splitlines()[2:]:
        for cell in row.strip("| ").split(" | ")[2:]:
            assert not re.search(r"\d", cell) or set(cell) & set(MARKS), cell


@pytest.mark.full
def test_what_a_check_costs_is_what_the_dry_run_says(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "none-is-sent"}
    words = ["calibrate", "--dry-run", "--backend", "anthropic", "--repeats", "1"]
    done = subprocess.run(
        [sys.executable, "-I", MAIN, *words],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    cases = re.search(r"Measures (\d+) cases, 1 time each", done.stdout)
    cost = re.search(r"Cost: some ([\d.]+) USD, at most ([\d.]+)", done.stdout)
    assert cases is not None and cost is not None, done.stdout
    some, most = (float(one) / int(cases[1]) for one in cost.groups())
    assert f"some {some:.3f} USD, at most {most:.3f}" in table()
    method = (ROOT / "docs/method.md").read_text(encoding="utf-8")
    assert f"{cost[1]} USD, at most {cost[2]}, for {cases[1]} cases" in method


def test_what_large_models_answered_is_what_the_recordings_say() -> None:
    words = [sys.executable, str(ROOT / "benchmarks/quality/variants.py"), "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True)
    found = json.loads(done.stdout)
    told = {
        name: [
            (found[name][rate]["k"], found[name][rate]["n"]) for rate in ("clear, blocked", "ambiguous, held")
        ]
        for name in ("full", "short")
    }
    assert told == {"full": [(0, 75), (72, 75)], "short": [(1, 75), (72, 75)]}
    assert all(found[name]["earlier wording"] for name in told) and "with an earlier wording" in table()
    assert "held 72 of 75 unclear writes and 0 of 75 clear ones" in table()
    assert "72 of 75 and 1 of 75" in table()


def test_what_rules_find_is_what_init_says() -> None:
    told = f"over {TURNS} turns of real sessions they interrupt {INTERRUPTED}, {WANTED} of these rightly"
    assert told in " ".join(README.split())


def test_what_rules_hold_of_written_cases_is_what_quality_measures() -> None:
    script = [sys.executable, str(ROOT / "benchmarks/quality/rules.py")]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True)
    held = [(int(one), int(rows)) for one, rows in re.findall(r"(\d+) of +(\d+)", done.stdout)]
    (bans, others, losses, ordered) = held
    assert f"holds {bans[0]} of {bans[1]} bans and {losses[0]} of {losses[1]} unordered losses" in table()
    assert f"{others[0] + ordered[0]} of {others[1] + ordered[1]} others" in table()


def test_times_are_those_of_the_documents() -> None:
    performance = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    servers = (ROOT / "docs/local-servers.md").read_text(encoding="utf-8")
    for figure in ("| 200 ms | 9.8 ms |", "| 800 ms | 10.1 ms |", "| 1.96 | 0.135 |", "| 4.91 | 0.146 |"):
        assert figure in performance
    assert "9.4 and 12.4 s a" in servers
    for said in ("10 ms over", "0.14 to 0.15 s", "9 to 12 s"):
        assert said in table()
