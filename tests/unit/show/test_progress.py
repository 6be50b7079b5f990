"""Long work tells how far it is, without a terminal too."""

from __future__ import annotations

import pytest

from compass.show import terminal


def test_without_a_terminal_a_line_now_and_then_tells_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter((0.0, 1.0, 2.0, 12.0, 12.0, 23.0, 23.0))
    monkeypatch.setattr("compass.show.terminal.time.monotonic", lambda: next(moments))
    with terminal.progress("judging", 200, quiet=False) as reach:
        advance = terminal.in_steps(reach)
        for more in (20, 40, 10, 30):
            advance(more)
    assert capsys.readouterr().err.splitlines() == [
        "judging: 35 %",
        "judging: 50 %",
    ]


def test_told_to_be_quiet_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "LINE_SECONDS", 0.0)
    with terminal.progress("judging", 2, quiet=True) as reach:
        reach(1)
    assert capsys.readouterr().err == ""
