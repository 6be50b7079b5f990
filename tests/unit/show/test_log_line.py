"""A check in one line: every reason has words, columns stand under each other, older rows show no time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from corpora import corpus
from rich.cells import cell_len
from samples.sample_checks import CHECK, PENDING, record_of

from compass.show.log_line import NONE, WHY, cost_of, line_document, table_of, took_of, verdict_of
from compass.show.terminal import PIPE_COLUMNS, console_of
from evaluator.model import Check, Effects, Reason
from evaluator.state.history import KeptCheck


def kept(check: Check = CHECK, duration_ms: int | None = 31, cost_usd: float | None = 0.25) -> KeptCheck:
    return KeptCheck(check.at, duration_ms, cost_usd, record_of(check, None, store_evidence=True))


def shown(*found: KeptCheck) -> list[str]:
    console = console_of()
    with console.capture() as captured:
        console.print(table_of(found))
    return captured.get().splitlines()


def test_every_reason_has_words_that_fit_a_pipe() -> None:
    assert set(WHY) == set(get_args(Reason))
    assert max(map(len, WHY.values())) <= 19
    assert len(set(WHY.values())) == len(WHY)


@corpus(
    ("verdict", "decision", "word"),
    [
        ("failed", "deny", "held"),
        ("skipped", "deny", "held"),
        ("failed", "allow", "let run"),
        ("passed", "allow", "passed"),
        ("skipped", "allow", "skipped"),
    ],
)
def test_what_became_of_the_call_is_one_word(verdict: Any, decision: Any, word: str) -> None:
    assert verdict_of(replace(CHECK, verdict=verdict, decision=decision)) == word


def test_columns_stand_under_each_other_in_a_pipe() -> None:
    long = replace(CHECK, effects=Effects("write", "edit", "modifying", ("/p/" + "very/" * 30 + "end.py",)))
    wide = replace(
        CHECK, effects=Effects("write", "edit", "modifying", ("/p/漢字漢字漢字漢字漢字漢字漢字.py",))
    )
    lines = shown(kept(), kept(long), kept(wide), kept(duration_ms=None, cost_usd=None))
    assert max(map(cell_len, lines)) <= PIPE_COLUMNS and len(lines) == 4
    assert len({line.index("unclear to") for line in lines[:2]}) == 1
    assert "…" in lines[1] and lines[3].split()[-2:] == [NONE, NONE]


def test_times_and_costs_are_short() -> None:
    assert [took_of(ms) for ms in (None, 0, 9999, 12_340)] == ["-", "0 ms", "9999 ms", "12.3 s"]
    assert [cost_of(usd) for usd in (None, 0.0, 0.0031, 12.5)] == ["-", "$0", "$0.0031", "$12.50"]


def test_a_record_that_cannot_be_read_keeps_nobody_from_the_others() -> None:
    broken = KeptCheck(CHECK.at, 31, None, {"check_id": "01X", "detail": 7})
    lines = shown(broken, kept())
    assert "check 01X cannot be shown" in lines[0] and "auth.py" in lines[1]


def test_a_script_gets_the_whole_of_it_and_null_where_nothing_is_known() -> None:
    found = line_document(kept(duration_ms=None, cost_usd=None))
    assert (found["duration_ms"], found["cost_usd"]) == (None, None)
    assert (found["targets"], found["project_dir"]) == (["/p/auth.py"], PENDING.project_dir)
    assert found["check_id"] == CHECK.check_id
