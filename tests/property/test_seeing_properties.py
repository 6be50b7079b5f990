"""Nothing that anybody said, named or stored steers the terminal of one who looks: it is text, on its own line."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from samples.sample_checks import CHECK, PENDING

from compass.commands import why
from compass.show import status
from compass.show.log_line import NARROWEST, fitted, line_of
from evaluator.breaker import OpenOutage
from evaluator.model import AnsweredQuestion, Check, Effects, Exchange, ResolvedOption
from evaluator.state.checks import record_of
from evaluator.state.history import CheckTally, KeptCheck
from evaluator.text import printable
from hooks.statusline import joined, line

HOSTILE = st.text(
    st.one_of(
        st.characters(), st.sampled_from("\x1b\x07\x9b\x00\r\n\t\u202e\u2028\u200b\U000e0041漢\u0301\ud800")
    ),
    max_size=120,
)


@st.composite
def checks(draw: st.DrawFn) -> Check:
    said = [draw(HOSTILE) for _ in range(6)]
    return replace(
        CHECK,
        decision="allow",
        check_id=said[0],
        reason=draw(
            st.sampled_from(("confident", "released", said[1]))
        ),  # another version's reasons are not known here
        pending=replace(PENDING, tool_name=said[2], project_dir="/" + said[3], cwd=said[3]),
        effects=Effects("write", "edit", "modifying", (f"/p/{said[4]}", "/p/x")),
        exchange=Exchange(
            (said[5], said[1]), questions=(AnsweredQuestion(said[2], (), (said[3],)),), delegated_task=said[0]
        ),
        resolved=ResolvedOption((said[4],)),
        evidence=None,
    )


def kept(check: Check) -> KeptCheck:
    return KeptCheck(1, CHECK.at, 5, None, record_of(check, None, store_evidence=True))


@given(checks(), st.integers(1, 300))
def test_a_line_of_the_log_is_one_line_of_its_width(check: Check, columns: int) -> None:
    shown = " ".join(fitted(line_of(kept(check)), columns))
    assert shown.isprintable()
    assert cell_len(shown) == max(columns, NARROWEST) or cell_len(shown) < columns


@given(checks())
def test_what_why_tells_is_shown_on_lines_of_its_own(check: Check) -> None:
    writes, _ = why.writes_of([kept(check)], "/p/x", {})
    assert len(writes) == 1
    for label, text in why.rows(writes[0]):
        assert label.isprintable() and printable(text).isprintable()


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
def test_the_status_is_one_line_a_row(reason: str, fault: str, address: str, model: str) -> None:
    found = status.Status(
        project_dir="/p", mode="enforce", faults=(fault,), backend="anthropic", model=model, readers=f"5 of {model}",
        missing=fault, last=(), tallies=(CheckTally("skipped", reason, "allow", 2),), times=None, cost_today=0.0,
        cap=None,
        outages=(OpenOutage("anthropic", address, model, "failing", 1.0, None, cause=reason),), recorded=True,
    )  # fmt: skip
    for label, text in status.rows(found):
        assert label.isprintable() and text.isprintable()
    assert status.next_step(found).isprintable()


@given(st.binary(max_size=200))
def test_another_commands_lines_stay_and_ours_stands_on_the_first(theirs: bytes) -> None:
    shown = joined(theirs, line(None))
    first, _, rest = shown.partition(b"\n")
    assert first.endswith(line(None).encode())
    assert rest in (theirs.partition(b"\n")[2], b"")
    assert shown.endswith(b"\n") or rest
