"""The README's picture of a held write is what a real session shows. `make pictures` draws it anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from e2e.playing.capture import drawn, read
from e2e.playing.replies import Json, ReaderAnswer, ReaderPlan, Script, act, call, judge, say
from e2e.playing.screen import Run
from e2e.playing.session import REPOSITORY, Open, asked_about
from e2e.playing.terminal import READY, Terminal

pytestmark = pytest.mark.e2e

PICTURE = "held.svg"
COLUMNS, ROWS = 64, 90
TITLE = "A Claude Code session: Compass holds a delete that can mean two files, and one digit settles it"
SAID = "Both src/legacy_auth.py and src/legacy_session.py look unused; nothing imports either of them."
REQUEST = "Just delete it."
READINGS = ("delete src/legacy_auth.py", "delete src/legacy_session.py")
ASKS = "That was held back. Which one do you mean?"
OVER = "Done: src/legacy_auth.py is deleted."
TOOK = "✻"
"""Before the line that tells how long a turn took, in a word that the client draws by chance."""


def plot(_project: Path) -> Script:
    removed = [call("Bash", command=f"rm src/legacy_{name}.py") for name in ("session", "auth")]
    numbered = "\n".join(f"{at}. {text}" for at, text in enumerate(READINGS, 1))
    return Script(
        (
            say(SAID),
            act("Deleting it.", removed[0]),
            say(f"{ASKS}\n\n{numbered}"),
            act("Deleting that one.", removed[1]),
            say(OVER),
        )
    )


def readers() -> ReaderPlan:
    """Three of five take it for the first file, two for the second, until the person has said which."""

    def answer(number: int, body: Json) -> ReaderAnswer:
        meant = [text.partition(" ")[2] for text in READINGS]
        if READINGS[0] in asked_about(body):
            return judge(0.95, action="delete", target=meant[0])
        return judge(0.4, "target", "Two files fit.", action="delete", target=meant[number % 2])

    return ReaderPlan(answer, gather=5)


def test_the_picture_of_the_readme_is_what_a_session_shows(open_session: Open) -> None:
    session = open_session(plot, readers=readers())
    session.init("--project", "--enforce", "--backend", "anthropic", "--yes")
    source = session.project / "src"
    source.mkdir()
    for name in ("auth", "session"):
        (source / f"legacy_{name}.py").write_text("pass\n")
    with Terminal(session, COLUMNS, ROWS) as terminal:
        terminal.type("Which modules are unused?")
        terminal.wait_for(SAID)
        terminal.type(REQUEST)
        terminal.wait_for(ASKS)
        terminal.wait_for(TOOK)
        assert (source / "legacy_session.py").exists()
        terminal.type("1")
        terminal.wait_for(OVER)
        terminal.until(lambda: terminal.text().count(TOOK) == 3, "the end of the third turn")
        rows = dialogue(terminal.runs())
        terminal.assert_settings_load()
    assert not (source / "legacy_auth.py").exists() and (source / "legacy_session.py").exists()
    made = drawn(rows, COLUMNS, TITLE)
    if kept := os.environ.get("COMPASS_PICTURES"):
        (REPOSITORY / kept / PICTURE).write_text(made, encoding="utf-8")
    shown = (REPOSITORY / "docs" / "pictures" / PICTURE).read_text(encoding="utf-8")
    assert read(shown) == read(made), "run `make pictures`, look at it, and commit it"


def dialogue(rows: list[list[Run]]) -> list[list[Run]]:
    """From the first prompt to the agent's last words, without the lines that tell how long turns took."""
    texts = ["".join(run.text for run in row) for row in rows]
    first = next(at for at, text in enumerate(texts) if text.startswith(f"{READY} Which"))
    last = next(at for at, text in enumerate(texts) if OVER in text)
    found: list[list[Run]] = []
    for row, text in list(zip(rows, texts, strict=True))[first : last + 1]:
        if text.startswith(TOOK) or (not text.strip() and found and not found[-1]):
            continue
        found.append(row if text.strip() else [])
    return found
