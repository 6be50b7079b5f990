"""Nothing that anybody said, named or stored steers the terminal of one who looks: it is text, on its own line."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from samples.sample_checks import CHECK, PENDING, record_of

from compass.commands import past_checks
from compass.show.log_line import table_of
from compass.show.terminal import console_of
from evaluator.model import AnsweredQuestion, Check, Effects, Exchange, ResolvedOption
from evaluator.state.history import KeptCheck
from evaluator.text import printable

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
    return KeptCheck(CHECK.at, 5, None, record_of(check, None, store_evidence=True))


@given(checks(), st.integers(20, 300))
def test_a_line_of_the_log_is_one_line_of_its_width(check: Check, columns: int) -> None:
    console = console_of()
    console.width = columns
    with console.capture() as captured:
        console.print(table_of([kept(check)]))
    shown = captured.get().removesuffix("\n")
    assert shown.isprintable() and cell_len(shown) <= columns


@given(checks())
def test_what_why_tells_is_made_printable(check: Check) -> None:
    (write,) = past_checks.writes_of([kept(check)], "/p/x")
    for label, text in past_checks.why_rows(write[1]):
        assert label.isprintable() and printable(text).isprintable()
