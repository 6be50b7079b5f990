"""`compass explain --egress --prompt`: what was sent at a prompt, in the words of the readers who were asked."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from running.hookrun import Place

from evaluator.egress import prompt
from evaluator.model import Evidence
from evaluator.state.store import open_store
from evaluator.verdict.anticipation import Anticipation

EVIDENCE = Evidence("none", "unknown", "modifying", (), "change src/dates.py")


@pytest.mark.parametrize(("backend", "short"), [("anthropic", False), ("openai", True)])
def test_a_prompt_is_shown_in_the_words_that_its_readers_were_told(
    tmp_path: Path, backend: str, short: bool
) -> None:
    place = Place(tmp_path)
    store = open_store(str(place.state / "compass"), now=time.time()).store
    try:
        store.start_session("s", str(place.project), time.time())
        assert store.begin_anticipation("s", 0, "t", time.time(), 20.0)
        assert store.end_anticipation("s", "t", Anticipation(0, "d", (), backend, "m", EVIDENCE))
    finally:
        store.close()
    done = place.command("explain", "--egress", "--prompt", "--json")
    assert done.returncode == 0, done.stderr
    told = prompt.build(EVIDENCE, "0000", blind=True, short=short)
    assert json.loads(done.stdout)["system"] == told.system


def test_a_stated_case_is_shown_by_the_settings_in_force(tmp_path: Path) -> None:
    place = Place(tmp_path)
    case = (
        "explain",
        "--egress",
        "--json",
        "--said",
        "Rename it to zebra.py",
        "--file",
        "a.py",
        "--content",
        "x",
    )
    shown = json.loads(place.command(*case).stdout)
    assert "Rename it to zebra.py" in shown["user"]
    for key in ("context_chars_max", "transcript.prior_turn_chars_max"):
        assert place.command("config", "set", key, "0").returncode == 0
    assert "zebra" not in json.loads(place.command(*case).stdout)["user"]
