"""Checks as people and scripts are shown them: in a line, in figures, as the origin of a file, and read back."""

import json
from dataclasses import replace
from typing import Any, get_args

import pytest
from corpora import corpus
from rich.cells import cell_len
from samples.state_stores import CHECK, PENDING, record_of

from compass.commands.past_checks import why_document, why_rows, writes_of
from compass.commands.status import ENOUGH_OBSERVED, Status, as_json, next_step, rows
from compass.show.check import (
    NONE,
    WHY,
    check_document,
    check_of,
    cost_of,
    line_document,
    table_of,
    took_of,
    verdict_of,
)
from compass.show.terminal import PIPE_COLUMNS, console_of
from evaluator.breaker import OpenOutage
from evaluator.errors import StateError
from evaluator.model import (
    AnsweredQuestion,
    Check,
    Cluster,
    Effect,
    Effects,
    Evidence,
    Exchange,
    Plan,
    Reading,
    Reason,
)
from evaluator.state.checks import RECORD_TEXT_CHARS_MAX, text_of_record
from evaluator.state.history import KeptCheck

RAN: Check = replace(CHECK, verdict="passed", decision="allow", reason="confident", resolved=None)
PATH = "/p/auth.py"


def kept(
    check: Check = CHECK, *, ms: int | None = 31, usd: float | None = 0.25, evidence: bool = True
) -> KeptCheck:
    return KeptCheck(check.at, ms, usd, record_of(check, None, store_evidence=evidence))


def writing(path: str) -> Effects:
    return Effects("write", "edit", "modifying", (path,))


def shown(*found: KeptCheck) -> list[str]:
    console = console_of()
    with console.capture() as captured:
        console.print(table_of(found))
    return captured.get().splitlines()


def test_every_reason_has_words_that_fit_a_pipe():
    assert set(WHY) == set(get_args(Reason))
    assert max(map(len, WHY.values())) <= 19 and len(set(WHY.values())) == len(WHY)


@corpus(
    ("verdict", "decision", "word"),
    [
        ("failed", "deny", "held"), ("skipped", "deny", "held"), ("failed", "allow", "let run"),
        ("passed", "allow", "passed"), ("skipped", "allow", "skipped"),
    ],
)  # fmt: skip
def test_what_became_of_the_call_is_one_word(verdict, decision, word):
    assert verdict_of(replace(CHECK, verdict=verdict, decision=decision)) == word


def test_columns_stand_under_each_other_in_a_pipe():
    paths = ("/p/" + "very/" * 30 + "end.py", "/p/漢字漢字漢字漢字漢字漢字漢字.py")
    long, wide = (kept(replace(CHECK, effects=writing(path))) for path in paths)
    lines = shown(kept(), long, wide, kept(ms=None, usd=None))
    assert max(map(cell_len, lines)) <= PIPE_COLUMNS and len(lines) == 4
    assert len({line.index("unclear to") for line in lines[:2]}) == 1
    assert "…" in lines[1] and lines[3].split()[-2:] == [NONE, NONE]


def test_times_and_costs_are_short():
    assert [took_of(ms) for ms in (None, 0, 9999, 12_340)] == ["-", "0 ms", "9999 ms", "12.3 s"]
    assert [cost_of(usd) for usd in (None, 0.0, 0.0031, 12.5)] == ["-", "$0", "$0.0031", "$12.50"]


def test_a_record_that_cannot_be_read_keeps_nobody_from_the_others():
    lines = shown(KeptCheck(CHECK.at, 31, None, {"check_id": "01X", "detail": 7}), kept())
    assert "check 01X cannot be shown" in lines[0] and "auth.py" in lines[1]


def test_a_script_gets_the_whole_of_it_and_null_where_nothing_is_known():
    found = line_document(kept(ms=None, usd=None))
    assert (found["duration_ms"], found["cost_usd"]) == (None, None)
    assert (found["targets"], found["project_dir"]) == (["/p/auth.py"], PENDING.project_dir)
    assert found["check_id"] == CHECK.check_id


WHOLE = replace(
    CHECK,
    pending=replace(CHECK.pending, tool_input={}),
    effects=replace(CHECK.effects, each=(Effect("edit", "modifying", "/p/auth.py", excusable=True),)),
    clusters=(Cluster(("literal",), Reading("refactor", "auth", "folder")),),
)


def stored(store_evidence: bool = True) -> dict[str, Any]:
    return record_of(WHOLE, None, store_evidence=store_evidence)


@corpus("store_evidence", [True, False])
@corpus("size", [RECORD_TEXT_CHARS_MAX, RECORD_TEXT_CHARS_MAX + 1])
@corpus("letter", ["x", "\ud800"])
def test_what_is_written_is_the_record_long_texts_cut(store_evidence, size, letter):
    text = text_of_record(replace(WHOLE, detail=letter * size), None, store_evidence=store_evidence)
    assert ("[cut: 1 characters]" in text) is (size > RECORD_TEXT_CHARS_MAX)
    assert json.loads(text)["detail"].startswith(letter * min(size, RECORD_TEXT_CHARS_MAX))


def test_what_was_kept_comes_back_as_it_was():
    assert check_of(stored()) == WHOLE
    bare = check_of(stored(store_evidence=False))
    assert (bare.exchange, bare.evidence, bare.resolved) == (None, None, WHOLE.resolved)


def test_an_older_record_lacks_fields_and_a_newer_one_has_more():
    record = stored()
    for name in ("clusters", "mode", "notes", "thresholds"):
        del record[name]
    record["of_tomorrow"] = record["samples"][0]["of_tomorrow"] = {"x": 1}
    found = check_of(record)
    assert (found.clusters, found.mode, found.thresholds) == ((), "enforce", None)
    assert found.samples == WHOLE.samples and check_document(found)["targets"] == [PATH]


@corpus(
    ("path", "value"),
    [
        (("samples",), {}), (("samples",), [3]), (("thresholds", "deviation"), None),
        (("effect", "targets"), PATH), (("detail",), 7),
    ],
)  # fmt: skip
def test_a_broken_record_names_the_check(path, value):
    record = stored()
    *above, name = path
    (record[above[0]] if above else record)[name] = value
    with pytest.raises(StateError, match=f"check {CHECK.check_id} cannot be shown: "):
        check_of(record)


# Where a write came from: the calls that ran and name the file, with what the user said, chose and allowed


def only(check: Check, path: str = PATH, *, evidence: bool = True) -> tuple[KeptCheck, Check, str]:
    (write,) = writes_of([kept(check, evidence=evidence)], path)
    return write


def test_calls_that_were_held_and_others_of_the_name_are_left_out():
    beside = replace(RAN, effects=writing(f"{PATH}.bak"), evidence=None)
    writes = writes_of([kept(RAN), kept(CHECK), kept(beside)], PATH)
    assert [check.check_id for _, check, _ in writes] == [RAN.check_id]


def test_each_target_says_what_was_done_to_it():
    effects = Effects(
        "write", "move", "destructive", (PATH, "/p/new.py"),
        each=(Effect("move", "destructive", PATH), Effect("create", "additive", "/p/new.py")),
    )  # fmt: skip
    assert [only(replace(RAN, effects=effects), path)[2] for path in effects.targets] == ["move", "create"]


@pytest.mark.parametrize("named", ["/p/poetry.lock", "poetry.lock"])
def test_a_target_that_needed_no_judgement_counts(named):
    evidence = Evidence("Bash", "edit", "modifying", (PATH,), "asked", excused=(named,))
    assert only(replace(RAN, evidence=evidence), "/p/poetry.lock")[2] == "write"


QUESTION = AnsweredQuestion("Which?", ("x", "y"), ("y",))
PLANS = (Plan("No", approved=False), Plan("Split it", approved=True))


@corpus(
    ("changes", "answers"),
    [
        ({}, []),
        ({"resolved": CHECK.resolved}, ["you chose: the internal one"]),
        ({"reason": "released", "verdict": "skipped"}, ["compass: proceed"]),
        ({"exchange": Exchange(("a",), questions=(QUESTION,))}, ["Which? -> y"]),
        ({"exchange": Exchange(("a",), plans=PLANS)}, ["you approved the plan: Split it"]),
    ],
)
def test_the_answer_is_what_the_user_chose_or_allowed(changes, answers):
    assert why_document(*only(replace(RAN, **changes)))["answers"] == answers


def test_the_request_is_told_message_by_message_or_why_it_is_not():
    talk = replace(RAN, exchange=Exchange(("Tidy up.", "The first one."), delegated_task="do it"))
    told = why_rows(only(talk)[1])
    assert told[:3] == [("request", "Tidy up."), ("request", "The first one."), ("task", "do it")]
    bare = only(talk, evidence=False)
    said = "not kept: `compass config set store_evidence true` keeps it from now on"
    assert why_rows(bare[1])[0] == ("request", said) and why_document(*bare)["request"] is None


# What `status` says of figures, and which command it names

OUTAGE = OpenOutage("anthropic", "api.example", "m", since=1000.0, until=1300.0, cause="rate")
PLAIN = Status(
    project_dir="/p", mode="enforce", faults=(), wired=(), backend="embedded", model="", readers="rules", missing="",
    calibration="", hindsight="", checks=ENOUGH_OBSERVED, passed=ENOUGH_OBSERVED, held=0, would_be_held=0, unjudged={},
    cost_today_usd=0.0, daily_budget_usd=None, calls_today=0, outages=(), last=(kept(RAN),),
)  # fmt: skip


@corpus(
    ("changes", "command"),
    [
        ({"mode": "off", "faults": ("x",)}, "compass init"),
        ({"faults": ("not wired",), "missing": "no key"}, "compass doctor"),
        ({"missing": "no key", "outages": (OUTAGE,)}, "compass init --backend auto"),
        ({"outages": (OUTAGE,), "checks": 0}, "compass doctor"),
        ({"checks": 0, "last": ()}, "compass doctor"),
        ({"last": (kept(RAN), kept()), "mode": "observe"}, "compass explain"),
        ({"mode": "observe"}, "compass init --enforce"),
        ({"mode": "observe", "checks": 1}, "compass ui"),
        ({}, "compass ui"),
    ],
)
def test_one_line_names_the_command_that_matters(changes, command):
    told = next_step(replace(PLAIN, **changes))
    assert f"`{command}`" in told and "\n" not in told


def test_figures_are_told_by_what_became_of_the_calls():
    status = replace(
        PLAIN, checks=29, passed=12, held=4, would_be_held=2, unjudged={"covered": 7, "sampler_error": 4},
        cost_today_usd=0.5, daily_budget_usd=2.0, calls_today=7, outages=(OUTAGE,),
    )  # fmt: skip
    told = dict(rows(status))
    assert told["7 days"] == "29 checked: 12 passed, 4 held, 2 would have been held, but ran, 11 ran unjudged"
    assert told["today"] == "7 calls, $0.5000 of $2, in all projects"
    assert told["outage"].startswith("anthropic at api.example, m has been failing since ")
    found = as_json(status)
    assert (found["held"], found["would_be_held"], found["passed"]) == (4, 2, 12)
    assert (found["model"], found["calls_today"]) == (None, 7)


@corpus(
    ("changes", "holds"),
    [
        ({}, True), ({"mode": "observe"}, False), ({"mode": "off"}, False), ({"faults": ("x",)}, False),
        ({"missing": "x"}, False), ({"outages": (OUTAGE,)}, True),
    ],
)  # fmt: skip
def test_the_gate_is_never_said_to_hold_where_it_would_not(changes, holds):
    status = replace(PLAIN, **changes)
    assert as_json(status)["holds"] is holds
    assert ("is held" in dict(rows(status))["mode"]) == (status.mode == "enforce" and not status.faults)
